package cli

import (
	"io"
	"os/exec"
	"time"

	"github.com/spf13/cobra"

	belfry "github.com/belfryhq/belfry/sdk/go"
	"github.com/belfryhq/belfry/server/internal/cli/execjob"
)

// execFlags are those of `worker exec`.
type execFlags struct {
	lease, grace, killAfter, snooze *span
	concurrency                     int
	queues, types                   []string
	workerID                        string
	quiet                           bool
}

func (p *Program) execCommand() *cobra.Command {
	var f execFlags
	cmd := &cobra.Command{
		Use:   "exec --queue QUEUE [flags] -- COMMAND [ARGUMENT...]",
		Short: "Run a command for each job of a queue",
		Long: `Run a command for each job of a queue.

The command gets the payload on its standard input, as JSON text, text or bytes,
and what is known of the job in its environment:

  BELFRY_JOB_ID          the same for all attempts: use it to recognise repeats
  BELFRY_TENANT_ID, BELFRY_QUEUE, BELFRY_JOB_TYPE
  BELFRY_ATTEMPT         from 1
  BELFRY_FENCING_TOKEN   rises with each attempt
  BELFRY_DUE_TIME, BELFRY_SCHEDULED_TIME   when it was due, and was asked for
  BELFRY_SCHEDULE, BELFRY_NOMINAL_TIME     of occurrences of a schedule
  BELFRY_CONTENT_TYPE    of the payload
  BELFRY_HEADER_NAME     one a header; - and . of names become _

Exit code 0 completes the job; the last 64 KiB of the standard output become its
result. 75 gives it back for later, uncounted. Any other code is a failed attempt,
with the end of the standard error as its error, and is retried by the job's policy.

The command runs in a process group of its own. When the job is cancelled, timed
out or lost to another worker, the group gets SIGTERM and, after --kill-after,
SIGKILL; so it does late in --grace after the worker was told to end, and then the
job is given back. An exit code after such a SIGTERM completes nothing, 0 included.
On Linux the command is killed with a worker that is.`,
		Example: `  belfry worker exec --queue hello -- cat
  belfry worker exec -q mail -t welcome --concurrency 8 -- ./send-mail --from noreply@example.com
  belfry worker exec -q hello -- sh -c 'echo "$BELFRY_JOB_ID: $(cat)"'`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("the command is missing; give it after --, such as -- cat")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return p.exec(cmd, &f, args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.SetInterspersed(false) // what follows the first argument belongs to the command
	flags.StringSliceVarP(&f.queues, "queue", "q", nil, "`queue` to take jobs from; repeatable, up to 100")
	flags.StringSliceVarP(&f.types, "type", "t", nil, "only jobs of this `type`; repeatable (default all)")
	flags.IntVarP(&f.concurrency, "concurrency", "c", 1, "how many jobs run at a time")
	f.lease = addSpan(flags, "lease", "how long a job stays with a worker that has gone silent, 5s–12h (default 1m)")
	f.grace = addSpan(flags, "grace", "how long running commands may take to finish when the worker is told to end (default 30s)")
	f.killAfter = addSpan(flags, "kill-after", "wait between SIGTERM and SIGKILL (default 5s)")
	f.snooze = addSpan(flags, "snooze", "when a job is due again that exited with 75 (default the server's choice, growing)")
	flags.StringVar(&f.workerID, "worker-id", "", "`name` of this worker (default host, process and random letters)")
	flags.BoolVar(&f.quiet, "quiet", false, "do not show what commands print")
	addSettings(cmd, onExec)
	addSettings(cmd, onClient)
	return cmd
}

// defaultKillAfter also leaves the worker time to report the end within its grace.
const (
	defaultGrace     = 30 * time.Second
	defaultKillAfter = 5 * time.Second
	reportTime       = 2 * time.Second
)

func (p *Program) exec(cmd *cobra.Command, f *execFlags, args []string) error {
	if err := need(cmd, "queue"); err != nil {
		return err
	}
	if _, err := exec.LookPath(args[0]); err != nil {
		return usage("the command cannot be run: %w", err)
	}
	if f.concurrency < 1 {
		return usage("--concurrency: %d is less than 1", f.concurrency)
	}
	v, err := loadSettings(cmd, onExec)
	if err != nil {
		return err
	}
	log, err := newLogger(v, p.Err)
	if err != nil {
		return err
	}
	s, err := dial(cmd, false)
	if err != nil {
		return err
	}
	defer s.Close()
	config := f.workerConfig()
	config.Logger = log
	worker := belfry.NewWorker(s.ForTenant(s.tenant), config)
	handler := f.handler(p, args)
	handler.Log = log
	f.register(worker, handler.Handle)
	log.Info("worker starts; SIGTERM or Ctrl-C ends it in order", "worker_id", worker.ID(), "queues", f.queues, "address", s.address)
	// The worker's own end is orderly; the second signal ends the commands, and with them the worker.
	return s.explain(worker.Run(cmd.Context()))
}

func (f *execFlags) workerConfig() belfry.WorkerConfig {
	grace, killAfter := orSpan(f.grace, defaultGrace), orSpan(f.killAfter, defaultKillAfter)
	config := belfry.WorkerConfig{Queues: f.queues, Concurrency: f.concurrency, LeaseDuration: orSpan(f.lease, 0),
		GracePeriod: grace, StopLead: min(grace, killAfter+reportTime), WorkerID: f.workerID}
	if grace == 0 {
		config.GracePeriod = -1 // none: zero would be the SDK's default
	}
	return config
}

func (f *execFlags) handler(p *Program, args []string) *execjob.Command {
	out, err := p.Out, p.Err
	if f.quiet {
		out, err = io.Discard, io.Discard
	}
	return execjob.New(execjob.Command{Argv: args, Stdout: out, Stderr: err, Clock: p.Clock, Forced: p.Forced,
		KillAfter: orSpan(f.killAfter, defaultKillAfter), Snooze: orSpan(f.snooze, 0)})
}

func (f *execFlags) register(worker *belfry.Worker, handle belfry.Handler) {
	if len(f.types) == 0 {
		worker.HandleAny(handle)
		return
	}
	for _, jobType := range f.types {
		worker.Handle(jobType, handle)
	}
}

func orSpan(s *span, otherwise time.Duration) time.Duration {
	if s.Duration == nil {
		return otherwise
	}
	return s.AsDuration()
}
