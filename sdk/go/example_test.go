package belfry_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	belfry "github.com/belfryhq/belfry/sdk/go"
)

// Welcome is the payload of jobs of type "welcome".
type Welcome struct {
	To   string `json:"to"`
	Name string `json:"name"`
}

func newClient() *belfry.Client {
	client, err := belfry.NewClient(os.Getenv("BELFRY_ADDRESS"), os.Getenv("BELFRY_API_KEY"))
	if err != nil {
		log.Fatal(err)
	}
	return client
}

func ExampleClient_Create() {
	client := newClient()
	job, err := client.Create(context.Background(), belfry.NewJob{
		Queue:   "mail",
		Type:    "welcome",
		Payload: Welcome{To: "ada@example.com", Name: "Ada"},
		DueTime: time.Date(2030, 5, 1, 9, 0, 0, 0, time.UTC),
		Retry:   &belfry.RetryPolicy{MaxAttempts: 10, InitialBackoff: time.Minute},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(job.ID, "is due at", job.DueTime)
}

func ExampleClient_CreateBatch() {
	client := newClient()
	var jobs []belfry.NewJob
	for _, to := range []string{"ada@example.com", "alan@example.com"} {
		jobs = append(jobs, belfry.NewJob{Queue: "mail", Type: "welcome", Payload: Welcome{To: to}})
	}
	_, err := client.CreateBatch(context.Background(), jobs)
	var refused *belfry.Error
	if errors.As(err, &refused) {
		for _, violation := range refused.FieldViolations {
			fmt.Println(violation.Field, violation.Description)
		}
	}
}

func ExampleClient_List() {
	client := newClient()
	for job, err := range client.List(context.Background(), belfry.JobFilter{Queue: "mail", States: []belfry.JobState{belfry.StateDead}}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(job.ID, job.StateReason, job.LastError)
	}
}

// Queues, schedules, tenants and keys have the API's own methods and messages.
func ExampleClient_Schedules() {
	client := newClient()
	_, err := client.Schedules().CreateSchedule(context.Background(), &v1.CreateScheduleRequest{Schedule: &v1.Schedule{
		Schedule: "digest",
		Spec:     &v1.ScheduleSpec{Spec: &v1.ScheduleSpec_Cron{Cron: "0 8 * * mon-fri"}, TimeZone: "Europe/Berlin"},
		Job:      &v1.JobSpec{Queue: "mail", JobType: "digest"},
	}})
	if belfry.IsAlreadyExists(err) {
		fmt.Println("the schedule is there already")
	}
}

func ExampleWorker() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	worker := belfry.NewWorker(newClient(), belfry.WorkerConfig{Queues: []string{"mail"}, Concurrency: 20})
	belfry.HandleFunc(worker, "welcome", func(ctx context.Context, job *belfry.Job[Welcome]) error {
		if job.Payload.To == "" {
			return belfry.Permanent(errors.New("no address"))
		}
		// Deduplicate by job.JobID: a job may be run again after its worker died.
		fmt.Println("welcome,", job.Payload.Name)
		return job.SetResult(map[string]any{"attempt": job.Attempt})
	})
	// Runs until a signal comes, and then drains.
	if err := worker.Run(ctx); err != nil {
		log.Print(err)
	}
}

func ExampleWorker_Use() {
	worker := belfry.NewWorker(newClient(), belfry.WorkerConfig{})
	worker.Use(func(next belfry.Handler) belfry.Handler {
		return func(ctx context.Context, job *belfry.LeasedJob) error {
			start := time.Now()
			err := next(ctx, job)
			slog.Info("attempt ended", "job_type", job.Type, "attempt", job.Attempt, "took", time.Since(start), "error", err)
			return err
		}
	})
}

func ExampleSnooze() {
	open := func() bool { return false }
	_ = belfry.Handler(func(context.Context, *belfry.LeasedJob) error {
		if !open() {
			return belfry.Snooze(15 * time.Minute) // Not counted as an attempt.
		}
		return nil
	})
}

func ExampleErrShutdown() {
	_ = belfry.Handler(func(ctx context.Context, job *belfry.LeasedJob) error {
		select {
		case <-time.After(time.Minute): // The work.
			return nil
		case <-ctx.Done():
			switch cause := context.Cause(ctx); {
			case errors.Is(cause, belfry.ErrCancelRequested):
				return fmt.Errorf("stopped: %w", cause)
			default: // Lost, out of time, or shutting down: someone else goes on.
				return ctx.Err()
			}
		}
	})
}

func ExampleJSON() {
	_, err := belfry.JSON(map[string]any{"order": map[string]int64{"id": 9007199254740993}}).Data()
	fmt.Println(err)
	// Output: payload: $.order.id: integer 9007199254740993 is beyond ±9007199254740991 (2^53-1) and would lose digits; send it as a string, or use belfry.Text
}
