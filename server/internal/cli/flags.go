package cli

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// span is a flag for a length of time: Go's units and d for days of 24 hours, as in 90s, 1h30m or 7d.
type span struct{ *durationpb.Duration }

func addSpan(flags *pflag.FlagSet, name, usage string) *span {
	s := new(span)
	flags.Var(s, name, usage)
	return s
}

// Set implements pflag.Value.
func (s *span) Set(text string) error {
	d, err := parseSpan(text)
	if err != nil {
		return err
	}
	s.Duration = durationpb.New(d)
	return nil
}

// String implements pflag.Value.
func (s *span) String() string { return spanText(s.Duration) }

// Type implements pflag.Value.
func (s *span) Type() string { return "duration" }

func parseSpan(text string) (time.Duration, error) {
	rest := text
	var days time.Duration
	if number, after, ok := strings.Cut(text, "d"); ok {
		n, err := strconv.ParseUint(number, 10, 16)
		if err != nil {
			return 0, fmt.Errorf("%q is no length of time; write e.g. 30s, 1h30m or 7d", text)
		}
		days, rest = time.Duration(n)*24*time.Hour, after
		if rest == "" {
			return days, nil
		}
	}
	d, err := time.ParseDuration(rest)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("%q is no length of time; write e.g. 30s, 1h30m or 7d", text)
	}
	return days + d, nil
}

// spans is a flag for several lengths of time, separated by commas.
type spans []*durationpb.Duration

// Set implements pflag.Value.
func (s *spans) Set(text string) error {
	*s = nil
	for part := range strings.SplitSeq(text, ",") {
		d, err := parseSpan(strings.TrimSpace(part))
		if err != nil {
			return err
		}
		*s = append(*s, durationpb.New(d))
	}
	return nil
}

// String implements pflag.Value.
func (s *spans) String() string {
	var parts []string
	for _, d := range *s {
		parts = append(parts, spanText(d))
	}
	return strings.Join(parts, ",")
}

// Type implements pflag.Value.
func (s *spans) Type() string { return "durations" }

// instant is a flag for a point in time, RFC 3339.
type instant struct{ *timestamppb.Timestamp }

func addInstant(flags *pflag.FlagSet, name, usage string) *instant {
	i := new(instant)
	flags.Var(i, name, usage)
	return i
}

// Set implements pflag.Value.
func (i *instant) Set(text string) error {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return fmt.Errorf("%q is no instant; write it as 2026-03-01T09:00:00Z or 2026-03-01T10:00:00+01:00", text)
	}
	i.Timestamp = timestamppb.New(t)
	return nil
}

// String implements pflag.Value.
func (i *instant) String() string { return timeText(i.Timestamp) }

// Type implements pflag.Value.
func (i *instant) Type() string { return "time" }

// pairs is a repeated flag for NAME=VALUE.
type pairs map[string]string

// Set implements pflag.Value.
func (p pairs) Set(text string) error {
	name, value, ok := strings.Cut(text, "=")
	if !ok || name == "" {
		return fmt.Errorf("%q is not NAME=VALUE", text)
	}
	if _, twice := p[name]; twice {
		return fmt.Errorf("%q is given twice", name)
	}
	p[name] = value
	return nil
}

// String implements pflag.Value.
func (p pairs) String() string { return "" }

// Type implements pflag.Value.
func (p pairs) Type() string { return "name=value" }
