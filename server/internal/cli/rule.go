package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/types/known/durationpb"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
)

// formFlags are the forms of a rule, of which at most one is given.
var formFlags = []string{formCron, formRate, "every", formRRule}

// ruleFlags are when a schedule fires, and what becomes of times that were missed.
type ruleFlags struct {
	every, phase, jitter, window *span
	start, end                   *limit
	maxRuns, maxCatchup          int32
	exclude, calendars           []string
	gap, repeat, missed, overlap *choice
}

// limit is an instant that an empty text takes away.
type limit struct{ instant }

// Set implements pflag.Value.
func (l *limit) Set(text string) error {
	if text == "" {
		l.Timestamp = nil
		return nil
	}
	return l.instant.Set(text)
}

// choice is a flag for one value of an enumeration, written small and with hyphens.
type choice struct {
	text, prefix string
	values       map[string]int32
	names        string // for people
}

// Set implements pflag.Value.
func (c *choice) Set(text string) error {
	if c.number(text) == 0 {
		return usage("%q is none of %s", text, c.names)
	}
	c.text = text
	return nil
}

// String implements pflag.Value.
func (c *choice) String() string { return c.text }

// Type implements pflag.Value.
func (c *choice) Type() string { return "policy" }

func (c *choice) number(text string) int32 {
	return c.values[c.prefix+strings.ToUpper(strings.ReplaceAll(text, "-", "_"))]
}

// chosen is the value that was given; 0: none.
func (c *choice) chosen() int32 { return c.number(c.text) }

func (f *ruleFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.String(formCron, "", "`rule`: cron of 5 fields (minute hour day month weekday), 6 (leading seconds) or 7 (trailing year), or @daily, @every 90m, rate(…), at(…), cron(…)")
	f.every = addSpan(flags, "every", "interval from one time to the next, 1s–3660d, measured from --start or the creation")
	f.phase = addSpan(flags, "phase", "delay of all times of --every, less than it")
	flags.String(formRate, "", "`interval` such as 5 minutes or 1 day")
	flags.String(formRRule, "", `RFC 5545 recurrence: DTSTART, RRULE, EXDATE and RDATE, each on a line or separated by \n`)
	flags.String("timezone", "", "IANA `zone` in which the rule is read, such as Europe/Berlin (default that of CRON_TZ=, else UTC)")
	f.start, f.end = new(limit), new(limit)
	flags.Var(f.start, "start", "no time before this one, RFC 3339; empty takes it away")
	flags.Var(f.end, "end", "no time from this one on, RFC 3339; empty takes it away")
	flags.Int32Var(&f.maxRuns, "max-runs", 0, "end after so many jobs (default no end)")
	f.jitter = addSpan(flags, "due-jitter", "each job is due later by one span that depends on the schedule and is less than this, up to 24h")
	flags.StringSliceVar(&f.exclude, "exclude", nil, "day without runs: 2026-12-24, 2026-12-24/2027-01-01, 12-25 or SAT; repeatable")
	flags.StringSliceVar(&f.calendars, "calendar", nil, "`calendar` on whose days it does not fire; repeatable, none if empty")
	f.gap = &choice{prefix: "GAP_POLICY_", values: v1.GapPolicy_value, names: "run-after and skip"}
	flags.Var(f.gap, "gap", "times that the clock skips: run-after (default) or skip")
	f.repeat = &choice{prefix: "REPEAT_POLICY_", values: v1.RepeatPolicy_value, names: "first, last and both"}
	flags.Var(f.repeat, "repeat", "times that the clock shows twice: first (default), last or both")
	f.missed = &choice{prefix: "MISSED_POLICY_", values: v1.MissedPolicy_value, names: "skip, fire-once and fire-all"}
	flags.Var(f.missed, "missed", "times that were missed: skip, fire-once (default: the latest runs) or fire-all")
	f.window = addSpan(flags, "catchup-window", "how long after it a missed time may still run (default 365d)")
	flags.Int32Var(&f.maxCatchup, "max-catchup", 0, "of fire-all: how many run at most, 1–10000 (default 100)")
	f.overlap = overlapFlag(cmd, "times at which another run is alive: skip (default), allow, buffer-one or cancel-running")
	flags.Bool("pause-on-failure", false, "pause the schedule when one of its jobs ends as dead")
}

// apply writes what the flags say over schedule, whose Spec is there, and returns the fields that is.
func (f *ruleFlags) apply(cmd *cobra.Command, schedule *v1.Schedule) ([]string, error) {
	if err := atMostOne(cmd, formFlags...); err != nil {
		return nil, err
	}
	spec := schedule.Spec
	var paths []string
	for _, field := range []struct {
		flag string
		path string
		set  func()
	}{
		{formCron, "spec", func() { spec.Spec = &v1.ScheduleSpec_Cron{Cron: stringFlag(cmd, formCron)} }},
		{formRate, "spec", func() { spec.Spec = &v1.ScheduleSpec_Cron{Cron: rateText(stringFlag(cmd, formRate))} }},
		{formRRule, "spec", func() { spec.Spec = &v1.ScheduleSpec_Rrule{Rrule: rruleText(stringFlag(cmd, formRRule))} }},
		{"every", "spec", func() { spec.Spec = intervalSpec(f.every.Duration, spec.GetInterval().GetPhase()) }},
		{"phase", "spec", func() { spec.Spec = intervalSpec(spec.GetInterval().GetEvery(), f.phase.Duration) }},
		{"timezone", "spec", func() { spec.TimeZone = stringFlag(cmd, "timezone") }},
		{"start", "spec", func() { spec.StartTime = f.start.Timestamp }},
		{"end", "spec", func() { spec.EndTime = f.end.Timestamp }},
		{"max-runs", "spec", func() { spec.MaxRuns = f.maxRuns }},
		{"due-jitter", "spec", func() { spec.Jitter = f.jitter.Duration }},
		{"exclude", "spec", func() { spec.ExcludeDates = f.exclude }},
		{"calendar", "spec", func() { spec.Calendars = withoutEmpty(f.calendars) }},
		{"gap", "spec", func() { spec.GapPolicy = v1.GapPolicy(f.gap.chosen()) }},
		{"repeat", "spec", func() { spec.RepeatPolicy = v1.RepeatPolicy(f.repeat.chosen()) }},
		{"missed", "missed_policy", func() { schedule.MissedPolicy = v1.MissedPolicy(f.missed.chosen()) }},
		{"catchup-window", "catchup_window", func() { schedule.CatchupWindow = f.window.Duration }},
		{"max-catchup", "max_catchup", func() { schedule.MaxCatchup = f.maxCatchup }},
		{"overlap", "overlap_policy", func() { schedule.OverlapPolicy = v1.OverlapPolicy(f.overlap.chosen()) }},
		{"pause-on-failure", "pause_on_failure", func() { schedule.PauseOnFailure = boolFlag(cmd, "pause-on-failure") }},
	} {
		if !cmd.Flags().Changed(field.flag) {
			continue
		}
		field.set()
		if len(paths) == 0 || paths[len(paths)-1] != field.path {
			paths = append(paths, field.path)
		}
	}
	if cmd.Flags().Changed("phase") && spec.GetInterval().GetEvery() == nil {
		return nil, usage("--phase belongs to an interval; give --every too")
	}
	return paths, nil
}

// withoutEmpty drops empty texts, so that a flag can take all values away.
func withoutEmpty(list []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(text string) bool { return text == "" })
}

func intervalSpec(every, phase *durationpb.Duration) *v1.ScheduleSpec_Interval {
	return &v1.ScheduleSpec_Interval{Interval: &v1.Interval{Every: every, Phase: phase}}
}

// rateText takes an interval with or without its form.
func rateText(text string) string {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(strings.ToLower(text), "rate(") {
		return text
	}
	return "rate(" + text + ")"
}

// rruleText breaks lines where a shell has left \n as it is.
func rruleText(text string) string { return strings.ReplaceAll(text, `\n`, "\n") }

// ruleText shows a rule in one line.
func ruleText(spec *v1.ScheduleSpec) string {
	switch form := spec.GetSpec().(type) {
	case *v1.ScheduleSpec_Interval:
		text := "every " + spanText(form.Interval.GetEvery())
		if phase := spanText(form.Interval.GetPhase()); phase != "" {
			text += ", phase " + phase
		}
		return text
	case *v1.ScheduleSpec_Rrule:
		return strings.ReplaceAll(form.Rrule, "\n", " ")
	}
	return spec.GetCron()
}

// choiceText shows a value of an enumeration as flags take it.
func choiceText(name, prefix string) string {
	return strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(name, prefix), "_", "-"))
}

var ruleDetails = []column[*v1.Schedule]{
	{"NOTES", func(s *v1.Schedule) string { return strings.Join(s.GetSpecNotes(), "; ") }},
	{"START", func(s *v1.Schedule) string { return timeText(s.GetSpec().GetStartTime()) }},
	{"END", func(s *v1.Schedule) string { return timeText(s.GetSpec().GetEndTime()) }},
	{"EXCEPT", func(s *v1.Schedule) string { return strings.Join(s.GetSpec().GetExcludeDates(), ", ") }},
	{"CALENDARS", func(s *v1.Schedule) string { return strings.Join(s.GetSpec().GetCalendars(), ", ") }},
	{"MAX-RUNS", func(s *v1.Schedule) string { return count(s.GetSpec().GetMaxRuns()) }},
	{"RUNS", func(s *v1.Schedule) string { return count(s.GetRuns()) }},
	{"DUE-JITTER", func(s *v1.Schedule) string { return spanText(s.GetSpec().GetJitter()) }},
	{"GAP", func(s *v1.Schedule) string { return choiceText(s.GetSpec().GetGapPolicy().String(), "GAP_POLICY_") }},
	{"REPEAT", func(s *v1.Schedule) string {
		return choiceText(s.GetSpec().GetRepeatPolicy().String(), "REPEAT_POLICY_")
	}},
	{"MISSED", func(s *v1.Schedule) string { return choiceText(s.GetMissedPolicy().String(), "MISSED_POLICY_") }},
	{"CATCHUP-WINDOW", func(s *v1.Schedule) string { return spanText(s.GetCatchupWindow()) }},
	{"MAX-CATCHUP", func(s *v1.Schedule) string { return count(s.GetMaxCatchup()) }},
	{"OVERLAP", func(s *v1.Schedule) string {
		return choiceText(s.GetOverlapPolicy().String(), "OVERLAP_POLICY_")
	}},
}
