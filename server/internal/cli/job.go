package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
)

func (p *Program) jobCommand() *cobra.Command {
	return group("job", "Create and look after jobs", jobCreate(), jobGet(), jobList(), jobCancel())
}

const (
	statePrefix   = "JOB_STATE_"
	outcomePrefix = "ATTEMPT_OUTCOME_"
)

var jobColumns = []column[*v1.Job]{
	{"JOB", (*v1.Job).GetJobId},
	{"QUEUE", (*v1.Job).GetQueue},
	{"TYPE", (*v1.Job).GetJobType},
	{"STATE", jobState},
	{"DUE", func(j *v1.Job) string { return timeText(j.GetDueTime()) }},
	{"ATTEMPT", func(j *v1.Job) string { return count(j.GetAttempt()) }},
	{"ERROR", func(j *v1.Job) string { return clip(j.GetLastError()) }},
}

var jobDetails = []column[*v1.Job]{
	{"JOB", (*v1.Job).GetJobId},
	{"TENANT", (*v1.Job).GetTenantId},
	{"QUEUE", (*v1.Job).GetQueue},
	{"TYPE", (*v1.Job).GetJobType},
	{"STATE", jobState},
	{"PRIORITY", func(j *v1.Job) string { return fmt.Sprint(j.GetPriority()) }},
	{"CREATED", func(j *v1.Job) string { return timeText(j.GetCreateTime()) }},
	{"SCHEDULED", func(j *v1.Job) string { return timeText(j.GetScheduledTime()) }},
	{"DUE", func(j *v1.Job) string { return timeText(j.GetDueTime()) }},
	{"START-BY", func(j *v1.Job) string { return timeText(j.GetStartByTime()) }},
	{"STARTED", func(j *v1.Job) string { return timeText(j.GetStartTime()) }},
	{"FINISHED", func(j *v1.Job) string { return timeText(j.GetFinishTime()) }},
	{"ATTEMPT", func(j *v1.Job) string { return count(j.GetAttempt()) }},
	{"RELEASES", func(j *v1.Job) string { return count(j.GetReleases()) }},
	{"LOST-LEASES", func(j *v1.Job) string { return count(j.GetLostLeases()) }},
	{"WORKER", (*v1.Job).GetWorkerId},
	{"RETRY", func(j *v1.Job) string { return retryText(j.GetRetryPolicy()) }},
	{"ATTEMPT-TIMEOUT", func(j *v1.Job) string { return spanText(j.GetAttemptTimeout()) }},
	{"SCHEDULE", (*v1.Job).GetSchedule},
	{"NOMINAL", func(j *v1.Job) string { return timeText(j.GetNominalTime()) }},
	{"PAYLOAD", func(j *v1.Job) string { return payloadText(j.GetPayload()) }},
	{"RESULT", func(j *v1.Job) string { return payloadText(j.GetResult()) }},
	{"ERROR", func(j *v1.Job) string { return clip(j.GetLastError()) }},
	{"CANCELLING", func(j *v1.Job) string { return yes(j.GetCancelRequested()) }},
}

var attemptColumns = []column[*v1.Attempt]{
	{"ATTEMPT", func(a *v1.Attempt) string { return count(a.GetNumber()) }},
	{"OUTCOME", func(a *v1.Attempt) string { return enumText(a.GetOutcome(), outcomePrefix) }},
	{"STARTED", func(a *v1.Attempt) string { return timeText(a.GetStartTime()) }},
	{"ENDED", func(a *v1.Attempt) string { return timeText(a.GetEndTime()) }},
	{"WORKER", (*v1.Attempt).GetWorkerId},
	{"ERROR", func(a *v1.Attempt) string { return clip(a.GetError()) }},
}

func jobState(j *v1.Job) string {
	text := enumText(j.GetState(), statePrefix)
	if j.GetStateReason() != "" {
		text += " (" + j.GetStateReason() + ")"
	}
	return text
}

// jobFlags are those of `job create`.
type jobFlags struct {
	spec        specFlags
	at, startBy *instant
	delay       *span
}

func jobCreate() *cobra.Command {
	var f jobFlags
	return call{
		use: "create", short: "Create a job",
		long: `Create a job. It is due now, or after --delay, or --at an instant; then a worker
of its queue gets its payload.

The command may be repeated without making a second job if it is given the same
--request-id (within 24 hours).`,
		example: `  belfry job create --queue hello --text 'Hi'
  belfry job create --queue mail --type welcome --delay 5s --json '{"to": "ada@example.com"}'
  belfry job create -q reports --at 2026-03-01T09:00:00+01:00 --file report.json
  pg_dump shop | gzip | belfry job create -q dumps --file - --content-type application/gzip`,
		flags: f.add, run: f.create,
	}.command()
}

func (f *jobFlags) add(cmd *cobra.Command) {
	f.spec.addWork(cmd)
	flags := cmd.Flags()
	f.delay = addSpan(flags, "delay", "due so long from now, such as 5s, 1h30m or 7d")
	f.at = addInstant(flags, "at", "due at this instant, RFC 3339")
	f.spec.addBounds(cmd)
	f.startBy = addInstant(flags, "start-by", "dead if not started by then, RFC 3339")
	flags.String("request-id", "", "`id` that makes repeating this command safe")
	flags.Bool("validate-only", false, "check the job, create nothing")
}

func (f *jobFlags) create(ctx context.Context, cmd *cobra.Command, s *session, _ []string) error {
	if err := need(cmd, "queue"); err != nil {
		return err
	}
	if err := atMostOne(cmd, "delay", "at"); err != nil {
		return err
	}
	if err := atMostOne(cmd, "start-by", "start-within"); err != nil {
		return err
	}
	spec := new(v1.JobSpec)
	if _, err := f.spec.apply(cmd, spec); err != nil {
		return err
	}
	switch {
	case f.delay.Duration != nil:
		spec.When = &v1.JobSpec_Delay{Delay: f.delay.Duration}
	case f.at.Timestamp != nil:
		spec.When = &v1.JobSpec_DueTime{DueTime: f.at.Timestamp}
	}
	if f.startBy.Timestamp != nil {
		spec.StartBy = &v1.JobSpec_StartByTime{StartByTime: f.startBy.Timestamp}
	}
	answered, err := s.Jobs().CreateJob(ctx, &v1.CreateJobRequest{TenantId: s.tenant, Job: spec,
		RequestId: stringFlag(cmd, "request-id"), ValidateOnly: boolFlag(cmd, "validate-only")})
	if err != nil {
		return err
	}
	if answered.GetExisting() {
		_, _ = fmt.Fprintln(cmd.ErrOrStderr(), "belfry: this request id has made the job before; nothing was created")
	}
	return answer(cmd, answered.GetJob(), createdColumns, answered.GetJob())
}

// createdColumns leave out what a new job cannot have.
var createdColumns = jobColumns[:5]

func jobGet() *cobra.Command {
	return call{
		use: "get JOB_ID", short: "Show a job with its payload, result and attempts", args: []string{"JOB_ID"},
		run: func(ctx context.Context, cmd *cobra.Command, s *session, args []string) error {
			answered, err := s.Jobs().GetJob(ctx, &v1.GetJobRequest{TenantId: s.tenant, JobId: args[0], View: v1.JobView_JOB_VIEW_FULL})
			if err != nil {
				return err
			}
			job := answered.GetJob()
			if err := answer(cmd, job, jobDetails, job); err != nil {
				return err
			}
			if asJSON, err := wantsJSON(cmd); asJSON || err != nil || len(job.GetAttempts()) == 0 {
				return err
			}
			if _, err := fmt.Fprintln(cmd.OutOrStdout()); err != nil {
				return err
			}
			return answerList(cmd, nil, attemptColumns, job.GetAttempts())
		},
	}.command()
}

func jobList() *cobra.Command {
	return call{
		use: "list", short: "List jobs, newest first",
		example: "  belfry job list --queue mail --state dead --limit 20",
		flags: func(cmd *cobra.Command) {
			cmd.Flags().StringP("queue", "q", "", "only of this `queue`")
			cmd.Flags().StringP("type", "t", "", "only of this job `type`")
			cmd.Flags().StringSlice("state", nil, "only in this `state`: pending, ready, running, blocked, succeeded, dead or cancelled; repeatable")
			addLimit(cmd)
		},
		run: func(ctx context.Context, cmd *cobra.Command, s *session, _ []string) error {
			request := &v1.ListJobsRequest{TenantId: s.tenant, Queue: stringFlag(cmd, "queue"), JobType: stringFlag(cmd, "type")}
			names, err := cmd.Flags().GetStringSlice("state")
			if err != nil {
				return err
			}
			for _, name := range names {
				value := v1.JobState_value[statePrefix+strings.ToUpper(name)]
				if value == 0 {
					return usage("--state: %q is none of pending, ready, running, blocked, succeeded, dead and cancelled", name)
				}
				request.States = append(request.States, v1.JobState(value))
			}
			all, err := collect(cmd, func(size int32, token string) (page[*v1.Job], error) {
				request.PageSize, request.PageToken = size, token
				one, err := s.Jobs().ListJobs(ctx, request)
				return page[*v1.Job]{one.GetJobs(), one.GetNextPageToken()}, err
			})
			if err != nil {
				return err
			}
			return answerList(cmd, &v1.ListJobsResponse{Jobs: all.items, NextPageToken: all.next}, jobColumns, all.items)
		},
	}.command()
}

func jobCancel() *cobra.Command {
	return call{
		use: "cancel JOB_ID", short: "Cancel a job", args: []string{"JOB_ID"},
		long: `Cancel a job: one that waits at once, one that runs by asking its worker; after
30 seconds the worker loses the job.`,
		flags: func(cmd *cobra.Command) { cmd.Flags().String("reason", "", "`why`, for people; the worker sees it") },
		run: func(ctx context.Context, cmd *cobra.Command, s *session, args []string) error {
			answered, err := s.Jobs().CancelJob(ctx, &v1.CancelJobRequest{TenantId: s.tenant, JobId: args[0], Reason: stringFlag(cmd, "reason")})
			if err != nil {
				return err
			}
			return answer(cmd, answered.GetJob(), jobDetails, answered.GetJob())
		},
	}.command()
}
