package recurrence

// Form is how a rule is stated.
type Form uint8

// Forms of a rule.
const (
	FormText     Form = iota // Definition.Text as Parse reads it
	FormRRule                // Definition.Text as ParseRRule reads it
	FormInterval             // Definition.Interval
)

// Definition is a rule as the API states it, with its zone and limits. The
// daylight-saving policies are those of [Options].
type Definition struct {
	Form     Form
	Text     string
	Interval Interval
	Zone     string // empty: that of the text, else UTC
	Limits   Limits
}

// Timetable reads the definition. Errors are *[ParseError].
func (d Definition) Timetable(opts Options) (Timetable, error) {
	spec, err := d.spec(opts)
	if err != nil {
		return Timetable{}, err
	}
	return NewTimetable(spec, d.Limits)
}

func (d Definition) spec(opts Options) (Spec, error) {
	switch d.Form {
	case FormRRule:
		return ParseRRule(d.Text, d.Zone, opts)
	case FormInterval:
		return NewInterval(d.Interval, d.Zone, opts)
	}
	return Parse(d.Text, d.Zone, opts)
}
