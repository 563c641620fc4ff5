package cli

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/types/known/fieldmaskpb"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
)

func (p *Program) queueCommand() *cobra.Command {
	return group("queue", "Manage queues", queueCreate(), queueGet(), queueList(), queueUpdate(), queueDelete(),
		queuePause(), queueResume(), queueStats())
}

const historyPrefix = "HISTORY_MODE_"

var queueColumns = []column[*v1.Queue]{
	{"QUEUE", (*v1.Queue).GetQueue},
	{"PAUSED", func(q *v1.Queue) string { return yes(q.GetPaused()) }},
	{"RETRY", func(q *v1.Queue) string { return retryText(q.GetRetryPolicy()) }},
	{"ATTEMPT-TIMEOUT", func(q *v1.Queue) string { return spanText(q.GetAttemptTimeout()) }},
	{"HISTORY", func(q *v1.Queue) string { return strings.ToLower(enumText(q.GetHistory(), historyPrefix)) }},
	{"DAYS", func(q *v1.Queue) string { return count(q.GetRetentionDays()) }},
	{"DESCRIPTION", (*v1.Queue).GetDescription},
}

var queueDetails = append(queueColumns,
	column[*v1.Queue]{"PAUSE-REASON", (*v1.Queue).GetPauseReason},
	column[*v1.Queue]{"PROTECTED", func(q *v1.Queue) string { return yes(q.GetDeletionProtection()) }},
	column[*v1.Queue]{"CREATED", func(q *v1.Queue) string { return timeText(q.GetCreateTime()) }},
	column[*v1.Queue]{"UPDATED", func(q *v1.Queue) string { return timeText(q.GetUpdateTime()) }},
	column[*v1.Queue]{"ETAG", (*v1.Queue).GetEtag},
)

// queueFlags are the settings of a queue.
type queueFlags struct {
	retry   *retryFlags
	timeout *span
	days    int32
}

func (f *queueFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.String("description", "", "`text` for people")
	f.timeout = addSpan(flags, "attempt-timeout", "bound on one attempt of jobs that state none, 1s–7d (default 1h)")
	flags.String("history", "", "what is kept of finished jobs: `full`, or slim without payloads and for a day (default full)")
	flags.Int32Var(&f.days, "retention-days", 0, "how long finished jobs are kept: 1, 7, 30, 90 or 400 days (default 7)")
	flags.Bool("deletion-protection", false, "refuse to delete the queue while this is set")
	f.retry = addRetry(cmd)
}

// queue returns what the flags say, and which fields that is.
func (f *queueFlags) queue(cmd *cobra.Command, name string) (*v1.Queue, []string, error) {
	policy, paths := f.retry.policy(cmd)
	q := &v1.Queue{Queue: name, RetryPolicy: policy, Description: stringFlag(cmd, "description"), AttemptTimeout: f.timeout.Duration,
		RetentionDays: f.days, DeletionProtection: boolFlag(cmd, "deletion-protection")}
	if mode := stringFlag(cmd, "history"); mode != "" {
		value := v1.HistoryMode_value[historyPrefix+strings.ToUpper(mode)]
		if value == 0 {
			return nil, nil, usage("--history: %q is neither full nor slim", mode)
		}
		q.History = v1.HistoryMode(value)
	}
	for _, flag := range []string{"description", "attempt-timeout", "history", "retention-days", "deletion-protection"} {
		if cmd.Flags().Changed(flag) {
			paths = append(paths, strings.ReplaceAll(flag, "-", "_"))
		}
	}
	return q, paths, nil
}

func queueCreate() *cobra.Command {
	var f queueFlags
	return call{
		use: "create QUEUE", short: "Create a queue", args: []string{"QUEUE"}, flags: f.add,
		example: "  belfry queue create mail --max-attempts 10 --attempt-timeout 5m",
		run: func(ctx context.Context, cmd *cobra.Command, s *session, args []string) error {
			queue, _, err := f.queue(cmd, args[0])
			if err != nil {
				return err
			}
			answered, err := s.Queues().CreateQueue(ctx, &v1.CreateQueueRequest{TenantId: s.tenant, Queue: queue})
			if err != nil {
				return err
			}
			return answer(cmd, answered.GetQueue(), queueDetails, answered.GetQueue())
		},
	}.command()
}

func queueUpdate() *cobra.Command {
	var f queueFlags
	return call{
		use: "update QUEUE", short: "Change settings of a queue; those not given stay", args: []string{"QUEUE"},
		example: "  belfry queue update mail --max-attempts 20 --etag 0b6c1f7e-3",
		flags: func(cmd *cobra.Command) {
			f.add(cmd)
			cmd.Flags().String("etag", "", "change it only if its `etag` is still this one")
		},
		run: func(ctx context.Context, cmd *cobra.Command, s *session, args []string) error {
			queue, paths, err := f.queue(cmd, args[0])
			if err != nil {
				return err
			}
			if len(paths) == 0 {
				return usage("nothing to change; give the settings that are to change")
			}
			queue.Etag = stringFlag(cmd, "etag")
			answered, err := s.Queues().UpdateQueue(ctx, &v1.UpdateQueueRequest{TenantId: s.tenant, Queue: queue,
				UpdateMask: &fieldmaskpb.FieldMask{Paths: paths}})
			if err != nil {
				return err
			}
			return answer(cmd, answered.GetQueue(), queueDetails, answered.GetQueue())
		},
	}.command()
}

func queueGet() *cobra.Command {
	return call{
		use: "get QUEUE", short: "Show a queue", args: []string{"QUEUE"},
		run: func(ctx context.Context, cmd *cobra.Command, s *session, args []string) error {
			answered, err := s.Queues().GetQueue(ctx, &v1.GetQueueRequest{TenantId: s.tenant, Queue: args[0]})
			if err != nil {
				return err
			}
			return answer(cmd, answered.GetQueue(), queueDetails, answered.GetQueue())
		},
	}.command()
}

func queueList() *cobra.Command {
	return call{
		use: "list", short: "List queues by name", flags: addLimit,
		run: func(ctx context.Context, cmd *cobra.Command, s *session, _ []string) error {
			all, err := collect(cmd, func(size int32, token string) (page[*v1.Queue], error) {
				one, err := s.Queues().ListQueues(ctx, &v1.ListQueuesRequest{TenantId: s.tenant, PageSize: size, PageToken: token})
				return page[*v1.Queue]{one.GetQueues(), one.GetNextPageToken()}, err
			})
			if err != nil {
				return err
			}
			return answerList(cmd, &v1.ListQueuesResponse{Queues: all.items, NextPageToken: all.next}, queueColumns, all.items)
		},
	}.command()
}

func queueDelete() *cobra.Command {
	return call{
		use: "delete QUEUE", short: "Remove a queue", args: []string{"QUEUE"},
		flags: func(cmd *cobra.Command) {
			cmd.Flags().Bool("force", false, "cancel the jobs that wait in it")
			cmd.Flags().String("etag", "", "remove it only if its `etag` is still this one")
		},
		run: func(ctx context.Context, cmd *cobra.Command, s *session, args []string) error {
			answered, err := s.Queues().DeleteQueue(ctx, &v1.DeleteQueueRequest{TenantId: s.tenant, Queue: args[0],
				Force: boolFlag(cmd, "force"), Etag: stringFlag(cmd, "etag")})
			if err != nil {
				return err
			}
			return answerDone(cmd, answered, "queue %s is deleted", args[0])
		},
	}.command()
}

func queuePause() *cobra.Command {
	return call{
		use: "pause QUEUE", short: "Stop leasing jobs of a queue; what runs goes on", args: []string{"QUEUE"},
		flags: func(cmd *cobra.Command) { cmd.Flags().String("reason", "", "`why`, for people") },
		run: func(ctx context.Context, cmd *cobra.Command, s *session, args []string) error {
			answered, err := s.Queues().PauseQueue(ctx, &v1.PauseQueueRequest{TenantId: s.tenant, Queue: args[0], Reason: stringFlag(cmd, "reason")})
			if err != nil {
				return err
			}
			return answer(cmd, answered.GetQueue(), queueDetails, answered.GetQueue())
		},
	}.command()
}

func queueResume() *cobra.Command {
	return call{
		use: "resume QUEUE", short: "Lease jobs of a paused queue again", args: []string{"QUEUE"},
		run: func(ctx context.Context, cmd *cobra.Command, s *session, args []string) error {
			answered, err := s.Queues().ResumeQueue(ctx, &v1.ResumeQueueRequest{TenantId: s.tenant, Queue: args[0]})
			if err != nil {
				return err
			}
			return answer(cmd, answered.GetQueue(), queueDetails, answered.GetQueue())
		},
	}.command()
}

var statsColumns = []column[*v1.GetQueueStatsResponse]{
	{"PENDING", func(s *v1.GetQueueStatsResponse) string { return atLeast(s, s.GetPending()) }},
	{"READY", func(s *v1.GetQueueStatsResponse) string { return atLeast(s, s.GetReady()) }},
	{"RUNNING", func(s *v1.GetQueueStatsResponse) string { return atLeast(s, s.GetRunning()) }},
	{"OLDEST-READY", func(s *v1.GetQueueStatsResponse) string { return spanText(s.GetOldestReadyAge()) }},
	{"NEXT-DUE", func(s *v1.GetQueueStatsResponse) string { return timeText(s.GetNextDueTime()) }},
	{"PAUSED", func(s *v1.GetQueueStatsResponse) string { return yes(s.GetPaused()) }},
	{"LAST-POLL", func(s *v1.GetQueueStatsResponse) string { return timeText(s.GetLastPollTime()) }},
}

func queueStats() *cobra.Command {
	return call{
		use: "stats QUEUE", short: "Count what a queue holds", args: []string{"QUEUE"},
		run: func(ctx context.Context, cmd *cobra.Command, s *session, args []string) error {
			answered, err := s.Queues().GetQueueStats(ctx, &v1.GetQueueStatsRequest{TenantId: s.tenant, Queue: args[0]})
			if err != nil {
				return err
			}
			return answer(cmd, answered, statsColumns, answered)
		},
	}.command()
}

// maxCount is where the server stops counting.
const maxCount = 100_000

// atLeast shows a count, and whether it stopped.
func atLeast(s *v1.GetQueueStatsResponse, n int64) string {
	text := strconv.FormatInt(n, 10)
	if s.GetTruncated() && n >= maxCount {
		text += "+"
	}
	return text
}
