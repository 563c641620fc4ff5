package cli

import (
	"github.com/spf13/cobra"
	"google.golang.org/protobuf/proto"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
)

// specFlags describe a job, apart from when it is due.
type specFlags struct {
	retry                               *retryFlags
	startWithin, attemptTimeout, maxAge *span
	headers                             pairs
	priority, maxReleases               int32
}

func (f *specFlags) add(cmd *cobra.Command) {
	f.addWork(cmd)
	f.addBounds(cmd)
}

// addWork adds what the job is.
func (f *specFlags) addWork(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringP("queue", "q", "", "`queue` it waits in")
	flags.StringP("type", "t", "", "`type` of the job: which handler it is for (default \"default\")")
	addPayload(cmd)
}

// addBounds adds how it is treated.
func (f *specFlags) addBounds(cmd *cobra.Command) {
	flags := cmd.Flags()
	f.headers = pairs{}
	flags.Var(f.headers, "header", "header for the worker, such as trace=abc; repeatable")
	flags.Int32Var(&f.priority, "priority", 0, "0 (first) to 9 (last) within the queue (default 5)")
	f.startWithin = addSpan(flags, "start-within", "dead if not started so long after it is due")
	f.attemptTimeout = addSpan(flags, "attempt-timeout", "bound on one attempt, 1s–7d (default the queue's, else 1h)")
	f.maxAge = addSpan(flags, "max-age", "dead if not finished so long after it was first due (default 30d)")
	flags.Int32Var(&f.maxReleases, "max-releases", 0, "how often it may be given back uncounted, 1–10000 (default 100)")
	f.retry = addRetry(cmd)
}

// apply writes what the flags say over spec, and reports whether that is anything.
func (f *specFlags) apply(cmd *cobra.Command, spec *v1.JobSpec) (bool, error) {
	payload, err := payloadOf(cmd)
	if err != nil {
		return false, err
	}
	any := false
	for _, field := range []struct {
		flag string
		set  func()
	}{
		{"queue", func() { spec.Queue = stringFlag(cmd, "queue") }},
		{"type", func() { spec.JobType = stringFlag(cmd, "type") }},
		{"header", func() { spec.Headers = f.headers }},
		{"priority", func() { spec.Priority = &f.priority }},
		{"start-within", func() { spec.StartBy = &v1.JobSpec_StartWithin{StartWithin: f.startWithin.Duration} }},
		{"attempt-timeout", func() { spec.AttemptTimeout = f.attemptTimeout.Duration }},
		{"max-age", func() { spec.MaxAge = f.maxAge.Duration }},
		{"max-releases", func() { spec.MaxReleases = &f.maxReleases }},
	} {
		if cmd.Flags().Changed(field.flag) {
			field.set()
			any = true
		}
	}
	if payload != nil {
		spec.Payload, any = payload, true
	}
	policy, paths := f.retry.policy(cmd)
	if len(paths) > 0 {
		spec.RetryPolicy, any = mergePolicy(spec.GetRetryPolicy(), policy), true
	}
	return any, nil
}

// mergePolicy returns the fields of change over those of old. A list of delays replaces the old one: protobuf would
// append to it.
func mergePolicy(old, change *v1.RetryPolicy) *v1.RetryPolicy {
	merged := new(v1.RetryPolicy)
	if old != nil {
		proto.Merge(merged, old)
	}
	if len(change.GetDelays()) > 0 {
		merged.Delays = nil
	}
	proto.Merge(merged, change)
	return merged
}
