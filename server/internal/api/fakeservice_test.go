package api

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/protobuf/proto"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/gen/go/belfry/v1/belfryv1connect"
	"github.com/belfryhq/belfry/internal/clock"
	"github.com/belfryhq/belfry/tenancy"
)

var testTime = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// fakeService answers what the test tells it to. Everything but the methods below is unimplemented.
type fakeService struct {
	belfryv1connect.UnimplementedJobServiceHandler

	create func(context.Context, *belfryv1.CreateJobRequest) (*belfryv1.CreateJobResponse, error)
	get    func(context.Context, *belfryv1.GetJobRequest) (*belfryv1.GetJobResponse, error)
}

func (s *fakeService) CreateJob(ctx context.Context, req *belfryv1.CreateJobRequest) (*belfryv1.CreateJobResponse, error) {
	return s.create(ctx, req)
}

func (s *fakeService) GetJob(ctx context.Context, req *belfryv1.GetJobRequest) (*belfryv1.GetJobResponse, error) {
	return s.get(ctx, req)
}

// fakeAuth knows the credentials "admin", "reader" and "operator".
type fakeAuth struct{}

func (fakeAuth) Authenticate(_ context.Context, credential string) (tenancy.Principal, error) {
	switch credential {
	case "admin":
		return tenancy.Principal{Tenant: "acme", TenantID: 3, KeyID: "key_a", Scopes: tenancy.Admin}, nil
	case "reader":
		return tenancy.Principal{Tenant: "acme", TenantID: 3, KeyID: "key_r", Scopes: tenancy.Reader}, nil
	case "operator":
		return tenancy.Principal{Platform: true, KeyID: "key_o", Scopes: tenancy.Platform}, nil
	case "panic":
		panic("authenticator broke")
	}
	return tenancy.Principal{}, tenancy.ErrKeyInvalid
}

// world is a server of all services behind one edge.
type world struct {
	service *fakeService
	server  *httptest.Server
	log     *syncBuffer

	mu    sync.Mutex
	calls []Call
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{service: &fakeService{}, log: &syncBuffer{}}
	log := slog.New(slog.NewTextHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	edge := NewEdge(EdgeConfig{
		Auth: fakeAuth{}, Validator: newTestValidator(t), Errors: NewTranslator(log), Clock: clock.NewManual(testTime), Log: log,
		Observe: func(c Call) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.calls = append(w.calls, c)
		},
	})
	mux := http.NewServeMux()
	options := edge.HandlerOptions()
	mux.Handle(belfryv1connect.NewJobServiceHandler(w.service, options...))
	mux.Handle(belfryv1connect.NewQueueServiceHandler(belfryv1connect.UnimplementedQueueServiceHandler{}, options...))
	mux.Handle(belfryv1connect.NewScheduleServiceHandler(belfryv1connect.UnimplementedScheduleServiceHandler{}, options...))
	mux.Handle(belfryv1connect.NewCalendarServiceHandler(belfryv1connect.UnimplementedCalendarServiceHandler{}, options...))
	mux.Handle(belfryv1connect.NewTenantServiceHandler(belfryv1connect.UnimplementedTenantServiceHandler{}, options...))
	mux.Handle(belfryv1connect.NewWorkerServiceHandler(belfryv1connect.UnimplementedWorkerServiceHandler{}, options...))
	w.server = newServer(t, mux)
	return w
}

// newServer serves h over HTTP/2, which gRPC needs, and HTTP/1.1.
func newServer(t testing.TB, h http.Handler) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(h)
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	return server
}

func newTestValidator(t testing.TB) *Validator {
	t.Helper()
	v, err := NewValidator(clock.NewManual(testTime))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func (w *world) observed() []Call {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]Call(nil), w.calls...)
}

// client returns a client with the given credential.
func (w *world) client(credential string, options ...connect.ClientOption) belfryv1connect.JobServiceClient {
	auth := connect.UnaryInterceptorFunc(func(next connect.UnaryFunc) connect.UnaryFunc {
		return func(ctx context.Context, req connect.AnyRequest) (connect.AnyResponse, error) {
			if credential != "" {
				req.Header().Set("Authorization", "Bearer "+credential)
			}
			return next(ctx, req)
		}
	})
	return belfryv1connect.NewJobServiceClient(w.server.Client(), w.server.URL,
		append(options, connect.WithInterceptors(auth))...)
}

// wireError is an error as Connect writes it in JSON.
type wireError struct {
	Status  int
	Header  http.Header
	Code    string `json:"code"`
	Message string `json:"message"`
	Details []struct {
		Type  string          `json:"type"`
		Debug json.RawMessage `json:"debug"`
	} `json:"details"`
}

// curl posts body to a method ("JobService/CreateJob") as curl would.
func (w *world) curl(t *testing.T, method, body string, headers ...string) (wireError, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.server.URL+"/belfry.v1."+method, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer admin")
	for i := 0; i < len(headers); i += 2 {
		req.Header.Del(headers[i])
		if headers[i+1] != "" {
			req.Header.Set(headers[i], headers[i+1])
		}
	}
	res, err := w.server.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	out := wireError{Status: res.StatusCode, Header: res.Header}
	if res.StatusCode != http.StatusOK {
		if err := json.Unmarshal(text, &out); err != nil {
			t.Fatalf("status %d with body %q", res.StatusCode, text)
		}
	}
	return out, string(text)
}

// wantInvalid checks that e is INVALID_FIELD on field, with a description that holds says.
func wantInvalid(t *testing.T, e wireError, field, says string) {
	t.Helper()
	if e.Status != http.StatusBadRequest || e.Code != "invalid_argument" {
		t.Fatalf("status %d, code %q, message %q", e.Status, e.Code, e.Message)
	}
	reason, violation := false, false
	for _, d := range e.Details {
		switch d.Type {
		case "google.rpc.ErrorInfo":
			reason = strings.Contains(string(d.Debug), `"INVALID_FIELD"`) && strings.Contains(string(d.Debug), `"belfry"`)
		case "google.rpc.BadRequest":
			var bad struct {
				FieldViolations []struct{ Field, Description string }
			}
			if err := json.Unmarshal(d.Debug, &bad); err != nil {
				t.Fatal(err)
			}
			for _, v := range bad.FieldViolations {
				violation = violation || v.Field == field && strings.Contains(v.Description, says)
			}
		}
	}
	if !reason || !violation {
		t.Errorf("want a violation of %q saying %q; got %s %s", field, says, e.Message, mustJSON(e.Details))
	}
	if !strings.Contains(e.Message, says) {
		t.Errorf("the message %q does not say %q", e.Message, says)
	}
}

func mustJSON(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

// detail returns the detail of type T in err.
func detail[T proto.Message](err *connect.Error) (found T, ok bool) {
	for _, d := range err.Details() {
		value, failed := d.Value()
		if failed != nil {
			continue
		}
		if typed, is := value.(T); is {
			return typed, true
		}
	}
	return found, false
}

func reasonOf(t *testing.T, err *connect.Error) string {
	t.Helper()
	info, ok := detail[*errdetails.ErrorInfo](err)
	if !ok {
		return ""
	}
	if info.GetDomain() != "belfry" {
		t.Errorf("domain %q", info.GetDomain())
	}
	return info.GetReason()
}

type syncBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
