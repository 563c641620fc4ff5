// Package belfry is the Go SDK of Belfry: a client that creates and looks
// after jobs, and a worker that runs them.
//
// # Creating jobs
//
//	client, err := belfry.NewClient("127.0.0.1:7070", os.Getenv("BELFRY_API_KEY"))
//	job, err := client.Create(ctx, belfry.NewJob{
//		Queue:   "mail",
//		Type:    "welcome",
//		Payload: Welcome{To: "ada@example.com"},
//		Delay:   10 * time.Minute,
//	})
//
// Every create carries a random request id, so that a call whose answer is
// lost is repeated without making a second job. Calls that are safe to repeat
// are retried, with growing waits, while the server is unavailable; see
// Retries. Errors of the server are *Error.
//
// The flat methods of Client cover jobs. Queues, schedules, tenants, keys and
// workers are managed through the generated clients of the API (Client.Queues,
// Client.Schedules, ...), which share the client's connections, credential,
// retries and errors.
//
// # Running jobs
//
//	worker := belfry.NewWorker(client, belfry.WorkerConfig{Queues: []string{"mail"}, Concurrency: 20})
//	belfry.HandleFunc(worker, "welcome", func(ctx context.Context, job *belfry.Job[Welcome]) error {
//		return send(ctx, job.Payload.To)
//	})
//	err := worker.Run(ctx)
//
// Delivery is at least once: a handler must stand being run again for the same
// job. LeasedJob.JobID names the work for deduplication, and
// LeasedJob.FencingToken lets other systems refuse a stale worker.
//
// What a handler returns decides what becomes of the job: nil completes it;
// Snooze gives it back uncounted; Permanent ends it as dead; RetryAfter sets
// the least wait before the next attempt; any other error, or a panic, is a
// failed attempt that is retried by the job's policy.
//
// The context of a handler ends when the work is no longer wanted, and
// context.Cause says why: ErrLeaseLost, ErrAttemptTimeout, ErrCancelRequested
// or ErrShutdown. An outage of the server or its database is no such reason:
// handlers run on and their leases are extended as soon as it is back.
//
// # Invariants
//
// A worker never asks for more jobs than it has free slots. A lease is
// extended until its final call is acknowledged, also during shutdown. Only
// the server's word ends a lease; local clocks never do.
//
// # Concurrency
//
// Client and Worker are safe for concurrent use, except that handlers and
// middleware are registered before Worker.Run. A job belongs to the goroutine
// of its handler.
package belfry
