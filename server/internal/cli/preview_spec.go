package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/timestamppb"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/recurrence"
)

// maxSpecFile is more than the largest spec that the API takes.
const maxSpecFile = 1 << 20

// readSpec reads a ScheduleSpec in JSON; - is stdin. Unknown fields are refused.
func readSpec(path string, stdin io.Reader) (*v1.ScheduleSpec, error) {
	in := stdin
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return nil, usageError{fmt.Errorf("read spec: %w", err)}
		}
		defer func() { _ = file.Close() }() // it was only read
		in = file
	}
	text, err := io.ReadAll(io.LimitReader(in, maxSpecFile+1))
	if err != nil {
		return nil, fmt.Errorf("read spec: %w", err)
	}
	if len(text) > maxSpecFile {
		return nil, usage("%s: larger than %d bytes", path, maxSpecFile)
	}
	spec := new(v1.ScheduleSpec)
	if err := protojson.Unmarshal(text, spec); err != nil {
		return nil, usage("%s: no spec of a schedule in JSON: %v", path, err)
	}
	return spec, nil
}

// specTable reads a spec as the server does.
func specTable(s *v1.ScheduleSpec, opts recurrence.Options) (recurrence.Timetable, error) {
	if s.GetGapPolicy() == v1.GapPolicy_GAP_POLICY_SKIP {
		opts.Gap = recurrence.GapSkip
	}
	switch s.GetRepeatPolicy() {
	case v1.RepeatPolicy_REPEAT_POLICY_LAST:
		opts.Overlap = recurrence.OverlapLast
	case v1.RepeatPolicy_REPEAT_POLICY_BOTH:
		opts.Overlap = recurrence.OverlapBoth
	}
	if len(s.GetCalendars()) > 0 {
		return recurrence.Timetable{}, errors.New("calendars: their days are kept by a server, and this command asks none; " +
			"call PreviewSchedule, or put the days into excludeDates")
	}
	d := recurrence.Definition{Zone: s.GetTimeZone(), Limits: recurrence.Limits{Start: timeOf(s.GetStartTime()),
		End: timeOf(s.GetEndTime()), Exclude: s.GetExcludeDates(), Jitter: s.GetJitter().AsDuration()}}
	switch form := s.GetSpec().(type) {
	case *v1.ScheduleSpec_Cron:
		d.Text = form.Cron
	case *v1.ScheduleSpec_Rrule:
		d.Form, d.Text = recurrence.FormRRule, form.Rrule
	case *v1.ScheduleSpec_Interval:
		d.Form = recurrence.FormInterval
		d.Interval = recurrence.Interval{Every: form.Interval.GetEvery().AsDuration(), Phase: form.Interval.GetPhase().AsDuration()}
	default:
		return recurrence.Timetable{}, errors.New("the spec must hold one of cron, interval and rrule")
	}
	return d.Timetable(opts)
}

// timeOf is the zero time for an absent one.
func timeOf(t *timestamppb.Timestamp) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.AsTime()
}
