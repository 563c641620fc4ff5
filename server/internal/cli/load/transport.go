package load

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/valyala/fasthttp"
)

// caller is an HTTP/1.1 transport for short calls: a call writes and reads its connection itself, where that of net/http
// hands it to two goroutines. A load generator that shares the cores with what it measures must take little of them.
// Safe for concurrent use.
//
// A call ends at the deadline of its context; cancelling the context does not cut it short.
type caller struct{ client fasthttp.Client }

// callBound ends a call that has no deadline.
const callBound = 30 * time.Second

// maxCallers bounds the connections of one Caller.
const maxCallers = 4096

// Caller returns an HTTP client for short calls.
func Caller() *http.Client {
	return &http.Client{Transport: &caller{fasthttp.Client{MaxConnsPerHost: maxCallers, NoDefaultUserAgentHeader: true,
		DisablePathNormalizing: true}}}
}

// RoundTrip makes one call; see http.RoundTripper.
func (c *caller) RoundTrip(r *http.Request) (*http.Response, error) {
	req, resp := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(req)
	defer fasthttp.ReleaseResponse(resp)
	req.Header.SetMethod(r.Method)
	req.SetRequestURI(r.URL.String())
	for name, values := range r.Header {
		for _, value := range values {
			req.Header.Add(name, value)
		}
	}
	if r.Body != nil {
		_, err := io.Copy(req.BodyWriter(), r.Body)
		if err = errors.Join(err, r.Body.Close()); err != nil {
			return nil, fmt.Errorf("read the body of a call: %w", err)
		}
	}
	var err error
	if deadline, ok := r.Context().Deadline(); ok {
		err = c.client.DoDeadline(req, resp, deadline)
	} else {
		err = c.client.DoTimeout(req, resp, callBound)
	}
	if err != nil {
		return nil, err
	}
	header := make(http.Header, 8)
	for name, value := range resp.Header.All() {
		header.Add(string(name), string(value))
	}
	body := bytes.Clone(resp.Body())
	return &http.Response{StatusCode: resp.StatusCode(), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: header,
		Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)), Request: r}, nil
}
