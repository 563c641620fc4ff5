package recurrence

import (
	"fmt"
	"strings"
	"time"
)

// maxText bounds the text of a rule in bytes.
const maxText = 4096

// macros are whole expressions by name.
var macros = map[string]string{
	"@yearly":   "0 0 1 1 *",
	"@annually": "0 0 1 1 *",
	"@monthly":  "0 0 1 * *",
	"@weekly":   "0 0 * * 0",
	"@daily":    "0 0 * * *",
	"@midnight": "0 0 * * *",
	"@hourly":   "0 * * * *",
}

// cronFields gives the fields of the plain forms by their number.
var cronFields = map[int][]field{
	5: {minuteField, hourField, dayField, monthField, weekdayField},
	6: {secondField, minuteField, hourField, dayField, monthField, weekdayField},
	7: {secondField, minuteField, hourField, dayField, monthField, weekdayField, yearField},
}

// Parse reads a rule in any of its text forms: cron with 5, 6 (leading seconds) or
// 7 (and trailing year) fields, a macro, @every D, @every D/PHASE, rate(...),
// at(...) or cron(...). tz is an IANA zone name, "" for UTC; a CRON_TZ= or TZ=
// prefix sets it instead, and must not contradict it.
//
// The error is a *[ParseError]. A rule that cannot fire in any year is refused,
// as is one without an occurrence after opts.After, if that is set. Refusing
// takes well under 10 ms whatever the text.
func Parse(expr, tz string, opts Options) (Spec, error) {
	s, err := parse(expr, tz, opts)
	if err != nil {
		return Spec{}, err // not a nil *ParseError in a non-nil error
	}
	return s, nil
}

func parse(expr, tz string, opts Options) (Spec, *ParseError) {
	if err := checkText(expr); err != nil {
		return Spec{}, err
	}
	expr, tz, err := splitZone(strings.Trim(expr, " \t"), tz)
	if err != nil {
		return Spec{}, err
	}
	s, err := newSpec(tz, opts)
	if err != nil {
		return Spec{}, err
	}
	switch name, inner := splitForm(expr); {
	case name != "" && !strings.HasSuffix(inner, ")"):
		err = refuse(FieldExpression, expr, name+"( is not closed", "end with )")
	case name == "cron":
		err = s.parseEventBridge(inner[:len(inner)-1], opts.Seed)
	case name == "rate":
		err = s.parseRate(inner[:len(inner)-1])
	case name == "at":
		err = s.parseAt(strings.Trim(inner[:len(inner)-1], " \t"))
	case strings.HasPrefix(expr, "@"):
		err = s.parseMacro(expr, opts.Seed)
	default:
		err = s.parseCron(expr, opts.Seed)
	}
	if err == nil {
		err = s.checkFires(opts.After)
	}
	return s, err
}

// newSpec is a Spec without a rule yet.
func newSpec(tz string, opts Options) (Spec, *ParseError) {
	if opts.Gap > GapSkip || opts.Overlap > OverlapBoth {
		return Spec{}, refuse(FieldExpression, "", "unknown daylight-saving policy", "use one of the named policies")
	}
	zone, err := loadZone(tz)
	if err != nil {
		return Spec{}, err
	}
	return Spec{zone: zone, gap: opts.Gap, overlap: opts.Overlap}, nil
}

func checkText(expr string) *ParseError {
	if len(expr) > maxText {
		return refuse(FieldExpression, expr, fmt.Sprintf("%d bytes long, at most %d are allowed", len(expr), maxText),
			"write ranges and steps instead of long lists")
	}
	if strings.Trim(expr, " \t") == "" {
		return refuse(FieldExpression, "", "empty", "write five fields, such as 0 9 * * MON-FRI")
	}
	for i := range len(expr) {
		if c := expr[i]; c < ' ' && c != '\t' || c == 127 {
			return refuse(FieldExpression, expr, fmt.Sprintf("control character %+q at byte %d", rune(c), i),
				"write one expression on one line")
		}
	}
	return nil
}

// splitZone takes a CRON_TZ= or TZ= prefix off.
func splitZone(expr, tz string) (rest, zone string, err *ParseError) {
	value, ok := strings.CutPrefix(expr, "CRON_TZ=")
	if !ok {
		value, ok = strings.CutPrefix(expr, "TZ=")
	}
	if !ok {
		return expr, tz, nil
	}
	end := strings.IndexAny(value, " \t")
	if end < 0 {
		return "", "", refuse(FieldExpression, expr, "nothing follows the time zone", "write CRON_TZ=Europe/Berlin 0 9 * * *")
	}
	prefix := value[:end]
	if prefix == "" {
		return "", "", refuse(FieldZone, expr, "the time zone is empty", "write CRON_TZ=Europe/Berlin 0 9 * * *")
	}
	if tz != "" && tz != prefix {
		return "", "", refuse(FieldZone, prefix, fmt.Sprintf("contradicts the time zone %q given beside the expression", clip(tz)),
			"give the zone once")
	}
	return strings.Trim(value[end:], " \t"), prefix, nil
}

// splitForm recognises cron(, rate( and at(, the name in any case; inner is what
// follows, with the closing parenthesis.
func splitForm(expr string) (name, inner string) {
	name, inner, _ = strings.Cut(expr, "(")
	switch name = strings.ToLower(name); name {
	case "cron", "rate", "at":
		return name, inner
	}
	return "", ""
}

func (s *Spec) parseMacro(expr, seed string) *ParseError {
	name, rest, _ := strings.Cut(strings.ReplaceAll(expr, "\t", " "), " ")
	lower := strings.ToLower(name)
	if lower == "@every" {
		return s.parseEvery(strings.Trim(rest, " "))
	}
	fields, ok := macros[lower]
	switch {
	case lower == "@reboot":
		return refuse(FieldExpression, expr, "@reboot names no time", "create a job without a due time when the machine starts")
	case !ok:
		return refuse(FieldExpression, expr, "unknown macro",
			"use @hourly, @daily, @midnight, @weekly, @monthly, @yearly, @annually or @every 90m")
	case rest != "":
		return refuse(FieldExpression, expr, "nothing may follow "+lower, "write the macro alone, or five fields")
	}
	err := s.parseCron(fields, seed)
	s.text = lower
	return err
}

// parseCron reads the forms of 5, 6 and 7 fields.
func (s *Spec) parseCron(expr, seed string) *ParseError {
	texts := strings.FieldsFunc(expr, isBlank)
	fields, ok := cronFields[len(texts)]
	if !ok && strings.Contains(strings.ToUpper(expr), "FREQ=") {
		return refuse(FieldExpression, expr, "a recurrence rule is no cron expression", "give it as rrule")
	}
	if !ok {
		return refuse(FieldExpression, expr, fmt.Sprintf("%d fields; 5, 6 or 7 are needed", len(texts)),
			"write minute, hour, day of month, month, day of week; a leading field is seconds, a seventh the year")
	}
	return s.compile(expression{fields: fields, texts: texts, seed: seed})
}

func isBlank(r rune) bool { return r == ' ' || r == '\t' }

// expression is a list of field texts and what each of them is.
type expression struct {
	fields []field
	texts  []string
	seed   string
}

// compile reads the fields into a calendar and the canonical text.
func (s *Spec) compile(e expression) *ParseError {
	cal := &calendar{seconds: 1, years: allYears}
	texts := make([]string, len(e.fields))
	var day, weekday *fieldText
	fixed, usesHash := true, false
	for i, f := range e.fields {
		t, err := newFieldText(f, e.texts[i], i, e.seed)
		if err == nil {
			err = cal.parseField(t)
		}
		if err != nil {
			return err
		}
		switch f.name {
		case FieldSecond, FieldMinute, FieldHour:
			fixed = fixed && !t.stepped()
		case FieldDay:
			day = t
		case FieldWeekday:
			weekday = t
		}
		texts[i] = t.out.String()
		usesHash = usesHash || t.hashed
	}
	s.text = strings.Join(texts, " ")
	if usesHash && e.seed == "" {
		// The default seed is known only now. One more pass at most: the seed
		// is then set, and never empty.
		e.seed = s.text
		return s.compile(e)
	}
	if day.raw == "?" && weekday.raw == "?" {
		return weekday.fault("'?' in both day of month and day of week", "write * in one of them")
	}
	cal.fixed = fixed
	cal.either = !day.starred() && !weekday.starred()
	cal.seal()
	s.kind, s.cal = kindCron, cal
	return nil
}

// parseField reads one field into its mask.
func (c *calendar) parseField(t *fieldText) *ParseError {
	switch t.name {
	case FieldDay:
		return c.parseDays(t)
	case FieldWeekday:
		return c.parseWeekdays(t)
	}
	if err := t.parse(nil); err != nil {
		return err
	}
	switch t.name {
	case FieldSecond:
		c.seconds = t.set[0]
	case FieldMinute:
		c.minutes = t.set[0]
	case FieldHour:
		c.hours = uint32(t.set[0])
	case FieldMonth:
		c.months = uint16(t.set[0])
	case FieldYear:
		c.years = t.set
	}
	return nil
}

// checkFires refuses a rule without any occurrence, or without one after an instant.
func (s *Spec) checkFires(after time.Time) *ParseError {
	if _, ok := s.next(firstInstant - 1); !ok {
		return s.neverFires()
	}
	if after.IsZero() {
		return nil
	}
	if _, ok := s.next(after.Unix()); !ok {
		return s.neverFiresAfter(after)
	}
	return nil
}

func (s *Spec) neverFiresAfter(after time.Time) *ParseError {
	reason := "never fires after " + after.UTC().Format(time.RFC3339)
	if s.kind == kindRRule {
		return refuse(FieldRRule, s.text, reason, "choose a later UNTIL, or a higher COUNT")
	}
	return refuse(FieldExpression, s.text, reason, "choose a later year or time, or leave the year out")
}

// neverFires blames the field that leaves a rule without any occurrence.
func (s *Spec) neverFires() *ParseError {
	reason := fmt.Sprintf("never fires: no time from %d to %d matches", MinYear, MaxYear)
	if s.kind == kindRRule {
		if s.recurrence.parts.freq.running() {
			reason += ", or only once in decades"
		}
		return refuse(FieldRRule, s.text, reason, "check that the days exist, that the parts agree, and that UNTIL is after DTSTART")
	}
	if s.kind != kindCron {
		return refuse(FieldTime, s.text, reason+" because the clock skips it", "choose another time, or the gap policy RUN_AFTER")
	}
	anyYear := *s.cal
	anyYear.years = allYears
	if _, ok := anyYear.next(0, endOfYears); ok {
		return refuse(FieldYear, s.fieldText(FieldYear), reason, "check that the day exists in that year and that the clock does not skip the time")
	}
	return refuse(FieldDay, s.fieldText(FieldDay), reason, "check that the months named have such a day")
}

// fieldText is the canonical text of one field of a cron rule, "" if it has none.
func (s *Spec) fieldText(name Field) string {
	texts, ok := strings.CutPrefix(s.text, "cron(")
	fields := eventBridgeFields
	if !ok {
		fields = cronFields[len(strings.Fields(texts))]
	}
	for i, text := range strings.Fields(strings.TrimSuffix(texts, ")")) {
		if i < len(fields) && fields[i].name == name {
			return text
		}
	}
	return ""
}
