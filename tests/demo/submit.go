package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"time"

	belfry "github.com/belfryhq/belfry/sdk/go"
)

// occurrences is how many runs of the schedule the demonstration waits for.
const occurrences = 3

// submit hands out the work: half through the SDK, half through plain JSON.
func submit(ctx context.Context, server *server, tenants []*tenant) error {
	retry := &belfry.RetryPolicy{MaxAttempts: 5, InitialBackoff: 500 * time.Millisecond, MaxBackoff: 2 * time.Second}
	for _, t := range tenants {
		client, err := belfry.NewClient(server.address, t.key)
		if err != nil {
			return err
		}
		t.client = client
		at := time.Now().Add(3 * time.Second).Truncate(time.Millisecond)
		jobs := []belfry.NewJob{
			{Queue: "runs", Type: "slow", DueTime: at, Payload: map[string]any{"what": "one-shot at an instant"}, Retry: retry},
			{Queue: "runs", Type: "slow", Delay: 2 * time.Second, Payload: map[string]any{"what": "delayed"}, Retry: retry},
			{Queue: "mail", Type: "slow", Payload: "as text, now", Retry: retry},
			{Queue: "mail", Type: "slow", Payload: []byte{0, 1, 2}, Retry: retry},
			{Queue: "mail", Type: "quick", Delay: 1500 * time.Millisecond, Payload: map[string]any{"what": "delayed"}, Retry: retry},
		}
		for _, j := range jobs {
			created, err := client.Create(ctx, j)
			if err != nil {
				return fmt.Errorf("create job of %s: %w", t.name, err)
			}
			t.jobs = append(t.jobs, created.ID)
		}
		if err := submitJSON(ctx, server, t); err != nil {
			return err
		}
	}
	say("   through the SDK: 5 jobs a tenant")
	return schedule(ctx, server, tenants[2])
}

// submitJSON creates jobs as anyone with curl would.
func submitJSON(ctx context.Context, server *server, t *tenant) error {
	for i, body := range []string{
		`{"job":{"queue":"mail","jobType":"quick","delay":"2.5s","payload":{"json":{"to":"ada@example.com"}}}}`,
		`{"job":{"queue":"runs","jobType":"slow","priority":0,"payload":{"text":"first in its queue"},"retryPolicy":{"initialBackoff":"0.5s"}}}`,
	} {
		answer, err := request{t.key, "JobService/CreateJob", body}.post(ctx, server, t.name == "payroll-inc" && i == 0)
		if err != nil {
			return err
		}
		var created struct {
			Job struct {
				JobID string `json:"jobId"`
			} `json:"job"`
		}
		if err := json.Unmarshal(answer, &created); err != nil {
			return fmt.Errorf("read the answer of CreateJob: %w", err)
		}
		t.jobs = append(t.jobs, created.Job.JobID)
	}
	return nil
}

// schedule makes a cron schedule with a seconds field.
func schedule(ctx context.Context, server *server, t *tenant) error {
	t.schedule = "every-two-seconds"
	body := `{"schedule":{"schedule":"` + t.schedule + `","spec":{"cron":"*/2 * * * * *","timeZone":"Europe/Berlin"},` +
		`"job":{"queue":"reminders","jobType":"quick","payload":{"json":{"remind":"everyone"}}}}}`
	_, err := request{t.key, "ScheduleService/CreateSchedule", body}.post(ctx, server, true)
	return err
}

// request is one call of the API in JSON.
type request struct{ key, method, body string }

// post sends the request: with curl where there is one, else with the same request from here.
func (r request) post(ctx context.Context, server *server, show bool) ([]byte, error) {
	url := "http://" + server.address + "/belfry.v1." + r.method
	if show {
		say("   curl -d '%s' %s", r.body, url)
	}
	curl, err := exec.LookPath("curl")
	if err != nil {
		return postHere(ctx, url, r.key, r.body)
	}
	cmd := exec.CommandContext(ctx, curl, "-sS", "--fail-with-body", "-H", "Content-Type: application/json", "-H", "@-", "-d", r.body, url)
	cmd.Stdin = strings.NewReader("Authorization: Bearer " + r.key + "\n") // not on the command line, where others can read it
	out, err := cmd.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("curl %s: %w: %s", r.method, err, out)
	}
	return out, nil
}

func postHere(ctx context.Context, url, key, body string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewBufferString(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+key)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	answer, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s answers %s: %s", url, res.Status, answer)
	}
	return answer, err
}
