package recurrence

import (
	"fmt"
	"strconv"
	"strings"
)

// field describes one field of a cron expression.
type field struct {
	name     Field
	min, max int
	// cycle is the number of distinct values, over which a descending range
	// wraps around; 0 if it must ascend.
	cycle int
	// names are the three-letter names of the values from firstName on.
	names     []string
	firstName int
	// hashMax ends the range of a bare H; 0 where H is refused.
	hashMax int
	// everyUnit turns a step into a duration for hints: factor and letter.
	everyFactor int
	everyLetter string
}

var (
	monthNames   = []string{"JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"}
	weekdayNames = []string{"SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"}

	secondField = field{name: FieldSecond, max: 59, cycle: 60, hashMax: 59, everyFactor: 1, everyLetter: "s"}
	minuteField = field{name: FieldMinute, max: 59, cycle: 60, hashMax: 59, everyFactor: 1, everyLetter: "m"}
	hourField   = field{name: FieldHour, max: 23, cycle: 24, hashMax: 23, everyFactor: 1, everyLetter: "h"}
	// H stops at 28 so that a hashed day exists in every month.
	dayField   = field{name: FieldDay, min: 1, max: 31, cycle: 31, hashMax: 28, everyFactor: 24, everyLetter: "h"}
	monthField = field{name: FieldMonth, min: 1, max: 12, cycle: 12, hashMax: 12,
		names: monthNames, firstName: 1}
	// Sunday is 0 and 7.
	weekdayField = field{name: FieldWeekday, max: 7, cycle: 7, hashMax: 6, names: weekdayNames}
	// In cron(...) Sunday is 1.
	eventBridgeWeekday = field{name: FieldWeekday, min: 1, max: 7, cycle: 7, hashMax: 7,
		names: weekdayNames, firstName: 1}
	yearField = field{name: FieldYear, min: MinYear, max: MaxYear}
)

const (
	// maxItems bounds the list in one field; every value of the largest field fits.
	maxItems = MaxYear - MinYear + 1
	// hugeNumber stands for every number too large to matter.
	hugeNumber = 1_000_000_000
	// maxHintedStep is the largest step taken for a wish rather than a mistake.
	maxHintedStep = 3660
)

// fieldText is a field being read.
type fieldText struct {
	field
	raw   string // as written
	index int    // position in the expression
	seed  string // for H

	set    bitset // values, shifted by base
	base   int
	out    strings.Builder // canonical text
	hashed bool            // H was used
	items  int
}

// newFieldText checks what holds for every field: not empty, ASCII, not too long a list.
func newFieldText(f field, raw string, index int, seed string) (*fieldText, *ParseError) {
	t := &fieldText{field: f, raw: raw, index: index, seed: seed}
	if f.min >= MinYear {
		t.base = MinYear
	}
	for _, r := range raw {
		if r > 126 || r < 33 {
			return nil, t.fault(fmt.Sprintf("%+q is not allowed", r), "use ASCII digits, letters and * , - / ? L W # H only")
		}
	}
	if n := strings.Count(raw, ",") + 1; n > maxItems {
		return nil, t.fault(fmt.Sprintf("a list of %d items, at most %d are allowed", n, maxItems), "write ranges and steps")
	}
	return t, nil
}

// starred reports whether the text counts as unrestricted when the two day fields
// are combined: it begins with '*' or is '?'.
func (t *fieldText) starred() bool { return t.raw[0] == '*' || t.raw == "?" }

// stepped reports whether the text makes a rule interval-like.
func (t *fieldText) stepped() bool { return strings.ContainsAny(t.raw, "*/") }

// parse reads the comma-separated items. special is asked first and may take an
// item that only this field knows; it answers the item's canonical text.
func (t *fieldText) parse(special func(item string) (string, *ParseError)) *ParseError {
	for item := range strings.SplitSeq(strings.ToUpper(t.raw), ",") {
		if item == "" {
			return t.fault("empty item in the list", "remove the stray comma")
		}
		if t.items++; t.items > 1 {
			t.out.WriteByte(',')
		}
		if special != nil {
			text, err := special(item)
			if err != nil {
				return err
			}
			if text != "" {
				t.out.WriteString(text)
				continue
			}
		}
		if err := t.parseItem(item); err != nil {
			return err
		}
	}
	return nil
}

// parseItem reads *, N, N-M, H or H(N-M), each with an optional /step.
func (t *fieldText) parseItem(item string) *ParseError {
	if strings.Contains(item, "?") {
		return t.misplacedQuestionMark(item)
	}
	body, stepText, stepped := strings.Cut(item, "/")
	step := 1
	if stepped {
		var err *ParseError
		if step, err = t.parseStep(item, stepText); err != nil {
			return err
		}
	}
	low, high, err := t.parseRange(item, body, step, stepped)
	if err != nil {
		return err
	}
	for v := low; v <= high; v += step {
		t.add(v)
	}
	if stepped {
		t.out.WriteString("/" + strconv.Itoa(step))
	}
	return nil
}

// add records a value, which may lie beyond max if a range wrapped around.
func (t *fieldText) add(v int) {
	if t.cycle > 0 {
		v = (v-t.min)%t.cycle + t.min
	}
	t.set.add(v - t.base)
}

// parseRange reads an item without its step and writes its canonical text. The
// high end is beyond max if the range wraps around.
func (t *fieldText) parseRange(item, body string, step int, stepped bool) (low, high int, err *ParseError) {
	if body == "*" {
		t.out.WriteByte('*')
		return t.min, t.max, nil
	}
	if body == "H" || strings.HasPrefix(body, "H(") {
		return t.parseHash(item, body, step, stepped)
	}
	from, to, ranged := strings.Cut(body, "-")
	if ranged && (from == "" || to == "") {
		return 0, 0, t.fault(fmt.Sprintf("%q lacks a number beside '-'", item), "write a range as 1-5; signs are not allowed")
	}
	if low, err = t.parseValue(from); err != nil {
		return 0, 0, err
	}
	t.out.WriteString(t.canonical(from, low))
	switch {
	case ranged:
		if high, err = t.parseValue(to); err != nil {
			return 0, 0, err
		}
		t.out.WriteString("-" + t.canonical(to, high))
	case stepped:
		high = t.max
	default:
		high = low
	}
	if low <= high {
		return low, high, nil
	}
	if t.cycle == 0 {
		return 0, 0, t.fault(fmt.Sprintf("the range %s ends before it begins", item), "write the lower end first")
	}
	return low, high + t.cycle, nil
}

// parseHash reads H and H(a-b). With a step the hash picks the first of the
// stepped values, so that H/15 is four times an hour.
func (t *fieldText) parseHash(item, body string, step int, stepped bool) (low, high int, err *ParseError) {
	if t.hashMax == 0 {
		return 0, 0, t.fault("H is not allowed here", "write the value itself")
	}
	low, high = t.min, t.hashMax
	if body != "H" {
		inner, closed := strings.CutSuffix(body[2:], ")")
		from, to, ranged := strings.Cut(inner, "-")
		if !closed || !ranged {
			return 0, 0, t.fault(fmt.Sprintf("%q is not a hash", item), "write H or H(0-29)")
		}
		if low, err = t.parseValue(from); err != nil {
			return 0, 0, err
		}
		if high, err = t.parseValue(to); err != nil {
			return 0, 0, err
		}
		if low > high {
			return 0, 0, t.fault(fmt.Sprintf("the range of %s ends before it begins", item), "write the lower end first")
		}
		body = "H(" + t.canonical(from, low) + "-" + t.canonical(to, high) + ")"
	}
	t.hashed = true
	t.out.WriteString(body)
	last := high
	if stepped {
		last = min(high, low+step-1)
	}
	picked := hashed(t.seed, t.index, low, last)
	if !stepped {
		high = picked
	}
	return picked, high, nil
}

// parseValue reads a number or a name inside the field's bounds.
func (t *fieldText) parseValue(s string) (int, *ParseError) {
	if s == "" {
		return 0, t.fault("a number is missing", "")
	}
	n, ok := number(s)
	if !ok {
		for i, name := range t.names {
			if s == name {
				return t.firstName + i, nil
			}
		}
		return 0, t.notAValue(s)
	}
	if n < t.min || n > t.max {
		return 0, t.fault(fmt.Sprintf("%s is outside %d to %d", clip(s), t.min, t.max), "")
	}
	return n, nil
}

// canonical keeps names as names and strips leading zeros from numbers.
func (t *fieldText) canonical(s string, v int) string {
	if s[0] < '0' || s[0] > '9' {
		return s
	}
	return strconv.Itoa(v)
}

func (t *fieldText) parseStep(item, s string) (int, *ParseError) {
	step, ok := number(s)
	if !ok || step == 0 {
		return 0, t.fault(fmt.Sprintf("the step of %q must be a whole number from 1 on", clip(item)), "write a step as */5; signs are not allowed")
	}
	highest := t.max
	if t.base > 0 {
		highest = t.max - t.min
	}
	if step <= highest {
		return step, nil
	}
	hint := fmt.Sprintf("write a step of at most %d, or list the values", highest)
	if t.everyFactor > 0 && step <= maxHintedStep {
		hint = fmt.Sprintf("for a fixed interval write @every %d%s", step*t.everyFactor, t.everyLetter)
	}
	return 0, t.fault(fmt.Sprintf("step %s is above the field's highest value %d", clip(s), highest), hint)
}

// fault is a refusal of this field.
func (t *fieldText) fault(reason, hint string) *ParseError {
	return refuse(t.name, t.raw, reason, hint)
}

func (t *fieldText) misplacedQuestionMark(item string) *ParseError {
	if t.name == FieldDay || t.name == FieldWeekday {
		return t.fault("'?' must stand alone", "write ? or *")
	}
	return t.fault(fmt.Sprintf("'?' in %q is allowed in day of month and day of week only", clip(item)), "write *")
}

func (t *fieldText) notAValue(s string) *ParseError {
	reason := fmt.Sprintf("%q is not a number", clip(s))
	if t.names == nil {
		return t.fault(reason, fmt.Sprintf("write numbers from %d to %d", t.min, t.max))
	}
	reason += " or a three-letter name"
	for _, name := range t.names {
		if strings.HasPrefix(s, name) {
			return t.fault(reason, "write "+name)
		}
	}
	return t.fault(reason, fmt.Sprintf("write %d to %d, or %s to %s", t.min, t.max, t.names[0], t.names[len(t.names)-1]))
}

// number reads ASCII digits only; large numbers become hugeNumber.
func number(s string) (int, bool) {
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = min(n*10+int(s[i]-'0'), hugeNumber)
	}
	return n, s != ""
}

// clip shortens a part of a refused text for its error.
func clip(s string) string {
	if len(s) > 24 {
		return s[:24] + "..."
	}
	return s
}
