package cli

import (
	"github.com/spf13/cobra"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
)

// retryFlags say what happens after failures.
type retryFlags struct {
	maxAttempts         int32
	multiplier, jitter  float64
	initial, maxBackoff *span
	delays              spans
}

func addRetry(cmd *cobra.Command) *retryFlags {
	r := new(retryFlags)
	flags := cmd.Flags()
	flags.Int32Var(&r.maxAttempts, "max-attempts", 0, "attempts in all, 1–1000; 1 means at most once (default 5)")
	r.initial = addSpan(flags, "initial-backoff", "wait after the first failure (default 10s)")
	r.maxBackoff = addSpan(flags, "max-backoff", "longest wait (default 1h)")
	flags.Float64Var(&r.multiplier, "backoff-multiplier", 0, "growth of the wait per failure, 1–10 (default 2)")
	flags.Float64Var(&r.jitter, "jitter", 0, "share by which a wait is moved at random, 0–1 (default 0.2)")
	flags.Var(&r.delays, "retry-delays", "explicit waits instead, such as 1s,10s,1m; the last one repeats")
	return r
}

// policy returns what was given, nil if nothing was, and the paths of its fields for a mask.
func (r *retryFlags) policy(cmd *cobra.Command) (*v1.RetryPolicy, []string) {
	policy := new(v1.RetryPolicy)
	var paths []string
	for _, field := range []struct {
		flag, path string
		set        func()
	}{
		{"max-attempts", "max_attempts", func() { policy.MaxAttempts = &r.maxAttempts }},
		{"initial-backoff", "initial_backoff", func() { policy.InitialBackoff = r.initial.Duration }},
		{"max-backoff", "max_backoff", func() { policy.MaxBackoff = r.maxBackoff.Duration }},
		{"backoff-multiplier", "multiplier", func() { policy.Multiplier = &r.multiplier }},
		{"jitter", "jitter", func() { policy.Jitter = &r.jitter }},
		{"retry-delays", "delays", func() { policy.Delays = r.delays }},
	} {
		if cmd.Flags().Changed(field.flag) {
			field.set()
			paths = append(paths, "retry_policy."+field.path)
		}
	}
	if paths == nil {
		return nil, nil
	}
	return policy, paths
}

// retryText shows a policy in one line.
func retryText(policy *v1.RetryPolicy) string {
	if policy == nil {
		return ""
	}
	text := count(policy.GetMaxAttempts()) + " attempts"
	if len(policy.GetDelays()) > 0 {
		delays := spans(policy.GetDelays())
		return text + ", after " + delays.String()
	}
	if first := spanText(policy.GetInitialBackoff()); first != "" {
		text += ", after " + first
	}
	if longest := spanText(policy.GetMaxBackoff()); longest != "" {
		text += " up to " + longest
	}
	return text
}
