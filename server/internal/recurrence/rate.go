package recurrence

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// MaxInterval is the longest interval, ten years of 366 days.
const MaxInterval = maxIntervalSeconds * time.Second

const maxIntervalSeconds = 3660 * secondsPerDay

// Interval is a fixed interval as values rather than text.
type Interval struct {
	Every time.Duration // whole seconds, 1 s to MaxInterval
	Phase time.Duration // whole seconds, 0 <= Phase < Every; delays every occurrence
}

// NewInterval builds the rule of an interval with a phase; its text is
// "@every D/PHASE". Anchor it with [Spec.WithAnchor]. Errors are *[ParseError].
func NewInterval(interval Interval, tz string, opts Options) (Spec, error) {
	s, err := newSpec(tz, opts)
	if err == nil {
		err = s.setInterval(interval)
	}
	if err == nil {
		err = s.checkFires(opts.After)
	}
	if err != nil {
		return Spec{}, err
	}
	return s, nil
}

// Interval gives interval and phase of @every, rate(...) and NewInterval; false for
// other rules.
func (s Spec) Interval() (Interval, bool) {
	return Interval{
		Every: time.Duration(s.every) * time.Second,
		Phase: time.Duration(s.phase) * time.Second,
	}, s.kind == kindInterval
}

func (s *Spec) setInterval(i Interval) *ParseError {
	text := i.Every.String()
	switch {
	case i.Every < time.Second:
		return refuse(FieldInterval, text, "shorter than 1s", "write at least 1s")
	case i.Every > MaxInterval:
		return refuse(FieldInterval, text, "longer than "+formatSeconds(maxIntervalSeconds), "use a cron expression with months or years")
	case i.Every%time.Second != 0:
		return refuse(FieldInterval, text, "not a whole number of seconds", "round it to seconds")
	case i.Phase < 0 || i.Phase >= i.Every:
		return refuse(FieldInterval, i.Phase.String(), "the phase must be at least 0 and shorter than the interval "+text, "")
	case i.Phase%time.Second != 0:
		return refuse(FieldInterval, i.Phase.String(), "the phase is not a whole number of seconds", "round it to seconds")
	}
	s.kind = kindInterval
	s.every, s.phase = int64(i.Every/time.Second), int64(i.Phase/time.Second)
	s.text = "@every " + formatSeconds(s.every)
	if s.phase > 0 {
		s.text += "/" + formatSeconds(s.phase)
	}
	return nil
}

// parseEvery reads what follows @every: a duration, and optionally a phase.
func (s *Spec) parseEvery(text string) *ParseError {
	everyText, phaseText, phased := strings.Cut(text, "/")
	var interval Interval
	var err *ParseError
	if interval.Every, err = parseDuration(everyText); err != nil {
		return err
	}
	if phased {
		if interval.Phase, err = parseDuration(phaseText); err != nil {
			return err
		}
	}
	return s.setInterval(interval)
}

// parseDuration reads a Go duration without a sign.
func parseDuration(text string) (time.Duration, *ParseError) {
	const hint = "write a duration in h, m and s, such as @every 1h30m"
	if text == "" {
		return 0, refuse(FieldInterval, text, "the interval is missing", hint)
	}
	if text[0] == '-' || text[0] == '+' {
		return 0, refuse(FieldInterval, text, "signs are not allowed", hint)
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		if strings.ContainsAny(text, "dDwW") {
			return 0, refuse(FieldInterval, text, "days and weeks are not units here", "write 24h for a day")
		}
		return 0, refuse(FieldInterval, text, "not a duration", hint)
	}
	return d, nil
}

// rateUnits maps the unit of rate(...) to seconds.
var rateUnits = map[string]int{
	"minute": secondsPerMinute,
	"hour":   secondsPerHour,
	"day":    secondsPerDay,
}

// parseRate reads the inside of rate(...): a number and a unit, singular for
// exactly 1. A day is 86,400 seconds.
func (s *Spec) parseRate(inner string) *ParseError {
	words := strings.FieldsFunc(inner, isBlank)
	if len(words) != 2 {
		return refuse(FieldInterval, inner, "rate(...) takes a number and a unit", "write rate(5 minutes)")
	}
	n, ok := number(words[0])
	if !ok || n == 0 {
		return refuse(FieldInterval, words[0], "not a whole number from 1 on", "write rate(5 minutes)")
	}
	singular := strings.TrimSuffix(words[1], "s")
	unit, ok := rateUnits[singular]
	if !ok {
		hint := "write rate(5 minutes)"
		if singular == "second" && n < maxIntervalSeconds {
			hint = "write @every " + formatSeconds(int64(n))
		}
		return refuse(FieldInterval, words[1], "the unit must be minute, hour or day, or its plural", hint)
	}
	plural := words[1] != singular
	if n == 1 && plural {
		return refuse(FieldInterval, inner, "1 takes the singular", "write rate(1 "+singular+")")
	}
	if n > 1 && !plural {
		return refuse(FieldInterval, inner, strconv.Itoa(n)+" takes the plural", fmt.Sprintf("write rate(%d %ss)", n, singular))
	}
	if n > maxIntervalSeconds/unit {
		return refuse(FieldInterval, inner, "longer than "+formatSeconds(maxIntervalSeconds),
			"use a cron expression with months or years")
	}
	err := s.setInterval(Interval{Every: time.Duration(n*unit) * time.Second})
	s.text = fmt.Sprintf("rate(%d %s)", n, words[1])
	return err
}

// formatSeconds writes a duration as @every reads it: 1h30m, 24h, 90m as 1h30m.
func formatSeconds(n int64) string {
	var b strings.Builder
	for _, part := range []struct {
		seconds int64
		letter  byte
	}{{secondsPerHour, 'h'}, {secondsPerMinute, 'm'}, {1, 's'}} {
		if v := n / part.seconds; v > 0 {
			b.WriteString(strconv.FormatInt(v, 10))
			b.WriteByte(part.letter)
			n -= v * part.seconds
		}
	}
	return b.String()
}
