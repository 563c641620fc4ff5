package api

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/tenancy"
)

// allMethods returns every method of the API.
func allMethods() []protoreflect.MethodDescriptor {
	var out []protoreflect.MethodDescriptor
	for _, file := range apiFiles() {
		for i := range file.Services().Len() {
			methods := file.Services().Get(i).Methods()
			for j := range methods.Len() {
				out = append(out, methods.Get(j))
			}
		}
	}
	return out
}

func shortName(m protoreflect.MethodDescriptor) string {
	return string(m.Parent().Name()) + "/" + string(m.Name())
}

func TestAuthorize_HasARuleForEveryMethod(t *testing.T) {
	t.Parallel()
	operator := tenancy.Principal{Platform: true, Scopes: tenancy.Platform}
	methods := allMethods()
	if len(methods) < 30 {
		t.Fatalf("only %d methods found", len(methods))
	}
	for _, m := range methods {
		if err := tenancy.Authorize(operator, shortName(m)); err != nil {
			t.Errorf("%s: %v", shortName(m), err)
		}
		fd := m.Input().Fields().ByName("tenant_id")
		if scoped := tenancy.MethodTenant(shortName(m)) != tenancy.NoTenant; scoped != (fd != nil) {
			t.Errorf("%s: tenant_id in the request: %v, by its rule: %v", shortName(m), fd != nil, scoped)
		}
	}
}

func TestJSON_UnknownFieldIsRefusedByNameInEveryMethod(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, m := range allMethods() {
		for _, contentType := range []string{"application/json", "application/json; charset=utf-8", "application/json;charset=UTF-8"} {
			got, _ := w.curl(t, shortName(m), `{"colour": "red"}`, "Content-Type", contentType, "Authorization", "Bearer operator")
			wantInvalid(t, got, "colour", fmt.Sprintf(`is not a field of %s (unknown field "colour" in %s)`, m.Name(), m.Input().Name()))
		}
	}
}

func TestJSON_FaultsNameTheirPlace(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, c := range []struct{ method, body, field, says string }{
		{"JobService/CreateJob", `{"job":{"queue":"mail","priorty":3}}`, "job.priorty", `did you mean "priority"?`},
		{"JobService/CreateJob", `{"job":{"queue":"mail","jobtype":"x"}}`, "job.jobtype", `did you mean "job_type"?`},
		{"JobService/BatchCreateJobs", `{"jobs":[{"job":{}},{"job":{"retryPolicy":{"tries":3}}}]}`,
			"jobs[1].job.retryPolicy.tries", `unknown field "tries" in RetryPolicy`},
		{"JobService/CreateJob", `{"job":{"queue":"a","queue":"b"}}`, "job.queue", "is given twice"},
		{"JobService/CreateJob", `{"job":{"queue":"a","headers":{"x":"1","x":"2"}}}`, "job.headers.x", "is given twice"},
		{"JobService/CreateJob", `{"job":{"queue":"a","payload":{"json":{"k":1,"k":2}}}}`, "job.payload.json.k", "is given twice"},
		{"JobService/CreateJob", `{"job":{"queue":"a","delay":"1s","dueTime":"2026-01-01T00:00:00Z"}}`, "job.dueTime", "already set"},
		{"JobService/CreateJob", `{"job":{"queue":"a","priority":"high"}}`, "job.priority", `invalid value for int32 field priority: "high"`},
		{"JobService/CreateJob", `{"job":{"queue":"a","priority":9223372036854775808}}`, "job.priority", "invalid value"},
		{"JobService/CreateJob", `{"job":{"queue":"a","dueTime":"tomorrow"}}`, "job.dueTime", "invalid google.protobuf.Timestamp"},
		{"JobService/CreateJob", `{"job":{"queue":"a","dueTime":"10000-01-01T00:00:00Z"}}`, "job.dueTime", "google.protobuf.Timestamp"},
		{"JobService/CreateJob", `{"job":{"queue":"a","delay":"5 minutes"}}`, "job.delay", "invalid google.protobuf.Duration"},
		{"JobService/CreateJob", `{"job":{"queue":"a","payload":{"text":"\ud800"}}}`, "job.payload.text", "half of a surrogate pair"},
		{"JobService/CreateJob", `{"job":{"queue":"a","payload":{"json":{"k":"\udc00 tail"}}}}`, "job.payload.json.k", "half of a surrogate pair"},
		{"JobService/GetJob", `{"view":"EVERYTHING"}`, "view", `invalid value for enum field view: "EVERYTHING"`},
		{"JobService/GetJob", `{"jobId":"x",}`, "jobId", "cannot be read as JSON of GetJobRequest"},
		{"JobService/GetJob", `{"jobId":"x"`, "jobId", "unexpected"},
		{"JobService/GetJob", `[]`, "", "unexpected token ["},
		{"JobService/GetJob", `{} {}`, "", "unexpected token {"},
		{"JobService/GetJob", ``, "", "send {}"},
		{"JobService/GetJob", ` `, "", "send {}"},
		{"QueueService/UpdateQueue", `{"queue":{"queue":"a"},"updateMask":"retry_policy"}`, "updateMask", "lowerCamelCase"},
	} {
		got, _ := w.curl(t, c.method, c.body)
		t.Run(c.body, func(t *testing.T) { wantInvalid(t, got, c.field, c.says) })
	}
}

func TestJSON_NamesOfTheProtoAreAccepted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.service.create = func(_ context.Context, req *belfryv1.CreateJobRequest) (*belfryv1.CreateJobResponse, error) {
		return &belfryv1.CreateJobResponse{Job: &belfryv1.Job{JobType: req.GetJob().GetJobType()}}, nil
	}
	for _, body := range []string{`{"job":{"queue":"mail","job_type":"t"}}`, `{"job":{"queue":"mail","jobType":"t"}}`} {
		if got, text := w.curl(t, "JobService/CreateJob", body); got.Status != http.StatusOK || !strings.Contains(text, `"t"`) {
			t.Errorf("%s: %d %s", body, got.Status, text)
		}
	}
}

func TestJSON_ErrorsDoNotRepeatLargeInput(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	huge := strings.Repeat("x", 100_000)
	for _, body := range []string{
		`{"job":{"priority":"` + huge + `"}}`, `{"` + huge + `":1}`, `{"job":{"headers":{"` + huge + `":1}}}`,
		`{"job":{"queue":"a","headers":{"` + huge + `":"v"}}}`, `{"job":{"queue":"` + huge + `"}}`,
	} {
		if got, text := w.curl(t, "JobService/CreateJob", body); got.Status != http.StatusBadRequest || len(text) > 4000 {
			t.Errorf("%.20s: status %d with %d bytes", body, got.Status, len(text))
		}
	}
}

func TestRequest_OfTooManyBytesIsRefusedWithAdvice(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.service.get = func(context.Context, *belfryv1.GetJobRequest) (*belfryv1.GetJobResponse, error) {
		return &belfryv1.GetJobResponse{}, nil
	}
	body := `{"jobId":"x"}`
	fits := body + strings.Repeat(" ", maxRequestBytes-len(body))
	if got, _ := w.curl(t, "JobService/GetJob", fits); got.Status != http.StatusOK {
		t.Errorf("at the limit: %+v", got)
	}
	got, _ := w.curl(t, "JobService/GetJob", fits+" ")
	wantInvalid(t, got, "", "has 16777217 bytes, and at most 16777216 are taken in one call")
	if got, _ := w.curl(t, "JobService/GetJob", fits+strings.Repeat(" ", maxReadBytes)); got.Code != "resource_exhausted" {
		t.Errorf("far over the limit: %+v", got.Code)
	}
}

func TestBinary_UnknownFieldsAreIgnoredAndBadTextIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.service.get = func(context.Context, *belfryv1.GetJobRequest) (*belfryv1.GetJobResponse, error) {
		return &belfryv1.GetJobResponse{}, nil
	}
	newer := &belfryv1.GetJobRequest{JobId: "job_x"}
	newer.ProtoReflect().SetUnknown([]byte{0xf8, 0x3f, 0x01}) // field 1023, varint 1
	if _, err := w.client("admin", connect.WithGRPC()).GetJob(t.Context(), newer); err != nil {
		t.Errorf("a newer client is refused: %v", err)
	}
	got, _ := w.curl(t, "JobService/GetJob", "\x12\x02\xff\xfe", "Content-Type", "application/proto")
	wantInvalid(t, got, "", "must be UTF-8")
	got, _ = w.curl(t, "JobService/GetJob", "\x12\x7f", "Content-Type", "application/proto")
	wantInvalid(t, got, "", "cannot be decoded")
}

func TestJSON_OverGetIsStrictToo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	address := w.server.URL + "/belfry.v1.JobService/GetJob?connect=v1&encoding=json&message=" + url.QueryEscape(`{"jobId":"x","wiev":2}`)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer admin")
	res, err := w.server.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	text, _ := io.ReadAll(res.Body)
	if res.StatusCode != http.StatusBadRequest || !strings.Contains(string(text), `did you mean \"view\"?`) {
		t.Errorf("%d %s", res.StatusCode, text)
	}
}

func TestCodecs_WriteWhatTheStandardOnesRead(t *testing.T) {
	t.Parallel()
	msg := &belfryv1.GetJobRequest{JobId: "job_x", View: belfryv1.JobView_JOB_VIEW_FULL}
	for _, codec := range codecs() {
		stable, ok := codec.(interface {
			MarshalStable(any) ([]byte, error)
			MarshalAppend([]byte, any) ([]byte, error)
		})
		if !ok {
			t.Fatalf("%s cannot serve GET", codec.Name())
		}
		for name, write := range map[string]func() ([]byte, error){
			"Marshal":       func() ([]byte, error) { return codec.Marshal(msg) },
			"MarshalStable": func() ([]byte, error) { return stable.MarshalStable(msg) },
			"MarshalAppend": func() ([]byte, error) { return stable.MarshalAppend(nil, msg) },
		} {
			data, err := write()
			back := &belfryv1.GetJobRequest{}
			if err == nil {
				err = codec.Unmarshal(data, back)
			}
			if err != nil || !proto.Equal(msg, back) {
				t.Errorf("%s %s: %v, %v", codec.Name(), name, back, err)
			}
		}
	}
}

func FuzzExplainJSON_AlwaysAnswers(f *testing.F) {
	for _, seed := range []string{`{"job":{"x":[1,{"y":`, `}`, `]]`, "{\"\xff\":1}", `{"a":1}{`, `"`, `{"job":[[]]}`, `{"":{"":1}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m := &belfryv1.CreateJobRequest{}
		if err := (jsonCodec{}).Unmarshal(data, m); err != nil {
			t.Fatal(err)
		}
		if fault := faultOf(m); fault != nil && (fault.Msg == "" || len(fault.Msg) > 2000) {
			t.Errorf("message %q", fault.Msg)
		}
	})
}
