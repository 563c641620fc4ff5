package harness

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/protobuf/proto"
)

// plain speaks HTTP/1.1 only, as curl does by default.
var plain = &http.Client{
	Timeout:   90 * time.Second,
	Transport: &http.Transport{MaxIdleConnsPerHost: 64, Protocols: http1()},
}

func http1() *http.Protocols {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return protocols
}

// Post is one call as curl makes it: a POST of JSON over HTTP/1.1.
type Post struct {
	Addr   string // host:port
	Key    string // secret of an API key; empty: no Authorization header
	Method string // "JobService/CreateJob"
	// Body is sent as it is if it is a string or []byte, else as JSON.
	Body   any
	Header http.Header // further headers
}

// Reply is the answer to a Post.
type Reply struct {
	Status int
	Header http.Header
	Raw    []byte
	JSON   map[string]any // nil if the body is no JSON object
}

// Do makes the call.
func (p Post) Do(ctx context.Context) (Reply, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+p.Addr+"/belfry.v1."+p.Method, p.body())
	if err != nil {
		return Reply{}, err
	}
	request.Header.Set("Content-Type", "application/json")
	if p.Key != "" {
		request.Header.Set("Authorization", "Bearer "+p.Key)
	}
	for name, values := range p.Header {
		request.Header[name] = values
	}
	response, err := plain.Do(request)
	if err != nil {
		return Reply{}, err
	}
	defer response.Body.Close()
	reply := Reply{Status: response.StatusCode, Header: response.Header}
	if reply.Raw, err = io.ReadAll(response.Body); err != nil {
		return reply, fmt.Errorf("read answer: %w", err)
	}
	_ = json.Unmarshal(reply.Raw, &reply.JSON) // what is no JSON stays in Raw
	return reply, nil
}

func (p Post) body() io.Reader {
	switch body := p.Body.(type) {
	case string:
		return strings.NewReader(body)
	case []byte:
		return strings.NewReader(string(body))
	case nil:
		return strings.NewReader("{}")
	}
	text, err := json.Marshal(p.Body)
	if err != nil {
		panic(err) // a mistake in the test
	}
	return strings.NewReader(string(text))
}

// OK makes the call and fails the test unless it goes well.
func (p Post) OK(t testing.TB) map[string]any {
	t.Helper()
	reply, err := p.Do(t.Context())
	if err != nil {
		t.Fatalf("%s: %v", p.Method, err)
	}
	if reply.Status != http.StatusOK {
		t.Fatalf("%s: status %d: %s", p.Method, reply.Status, reply.Raw)
	}
	return reply.JSON
}

// Refused makes the call and fails the test unless it is refused.
func (p Post) Refused(t testing.TB) Refusal {
	t.Helper()
	reply, err := p.Do(t.Context())
	if err != nil {
		t.Fatalf("%s: %v", p.Method, err)
	}
	if reply.Status == http.StatusOK {
		t.Fatalf("%s went well: %s", p.Method, reply.Raw)
	}
	return RefusalOf(t, reply)
}

// Refusal is an error as a client without generated code reads it.
type Refusal struct {
	Status  int
	Code    string
	Reason  string
	Domain  string
	Message string
	Fields  map[string]string // path of the field → description
	// RetryAfter is what RetryInfo says; 0 if it is absent.
	RetryAfter time.Duration
}

// RefusalOf reads the error in a reply of the Connect protocol.
func RefusalOf(t testing.TB, reply Reply) Refusal {
	t.Helper()
	var body struct {
		Code    string
		Message string
		Details []struct{ Type, Value string }
	}
	if err := json.Unmarshal(reply.Raw, &body); err != nil {
		t.Fatalf("status %d with a body that is no error: %s", reply.Status, reply.Raw)
	}
	r := Refusal{Status: reply.Status, Code: body.Code, Message: body.Message, Fields: make(map[string]string)}
	for _, detail := range body.Details {
		value, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(detail.Value, "="))
		if err != nil {
			t.Fatalf("detail %s: %v", detail.Type, err)
		}
		r.read(t, detail.Type, value)
	}
	return r
}

func (r *Refusal) read(t testing.TB, kind string, value []byte) {
	t.Helper()
	unmarshal := func(m proto.Message) {
		if err := proto.Unmarshal(value, m); err != nil {
			t.Fatalf("detail %s: %v", kind, err)
		}
	}
	switch kind {
	case "google.rpc.ErrorInfo":
		var info errdetails.ErrorInfo
		unmarshal(&info)
		r.Reason, r.Domain = info.GetReason(), info.GetDomain()
	case "google.rpc.BadRequest":
		var bad errdetails.BadRequest
		unmarshal(&bad)
		for _, violation := range bad.GetFieldViolations() {
			r.Fields[violation.GetField()] = violation.GetDescription()
		}
	case "google.rpc.RetryInfo":
		var info errdetails.RetryInfo
		unmarshal(&info)
		r.RetryAfter = info.GetRetryDelay().AsDuration()
	}
}

// Get fetches a page of a port, e.g. /healthz.
func Get(t testing.TB, addr, path string) (status int, body string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+addr+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := plain.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}
