package api

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"

	"github.com/belfryhq/belfry/internal/clock"
	"github.com/belfryhq/belfry/tenancy"
)

// Authenticator tells who holds a credential; tenancy.Authenticator is the real one.
type Authenticator interface {
	Authenticate(ctx context.Context, credential string) (tenancy.Principal, error)
}

// Call is one finished call, for metrics.
type Call struct {
	Method  string // "Service/Method"
	Code    string // as Connect spells it; "ok" for success
	Seconds float64
}

// EdgeConfig is what an Edge is made of; all fields are required.
type EdgeConfig struct {
	Auth      Authenticator
	Validator *Validator
	Errors    *Translator
	Clock     clock.Clock
	Log       *slog.Logger // one line a call, at DEBUG; incidents go to Errors
	Observe   func(Call)   // called once for every call, also refused ones; must not block
}

// Edge is what every call passes before and after its handler.
type Edge struct{ EdgeConfig }

// NewEdge returns an Edge of config.
func NewEdge(config EdgeConfig) *Edge { return &Edge{config} }

// compressFrom is the size of an answer from which compressing it costs less than sending it, in bytes.
const compressFrom = 4096

// HandlerOptions returns the options for every service of the API. Nothing may be served without them.
func (e *Edge) HandlerOptions() []connect.HandlerOption {
	options := []connect.HandlerOption{
		connect.WithRequestGate(e.gate),
		connect.WithInterceptors(e),
		connect.WithReadMaxBytes(maxReadBytes),
		connect.WithCompressMinBytes(compressFrom),
	}
	for _, codec := range codecs() {
		options = append(options, connect.WithCodec(codec))
	}
	return options
}

// methodOf returns "Service/Method" for a procedure "/belfry.v1.Service/Method".
func methodOf(spec connect.Spec) string { return strings.TrimPrefix(spec.Procedure, "/belfry.v1.") }

// gate authenticates and authorises before a byte of the body is read: nobody without a key makes the server parse.
func (e *Edge) gate(ctx context.Context, spec connect.Spec, peer connect.Peer, header http.Header) (inner context.Context, err error) {
	c := e.begin(spec, peer)
	defer func() {
		if err != nil {
			e.finish(ctx, c, err)
		}
	}()
	defer e.catch(ctx, c, &err)
	p, err := e.admit(ctx, c.method, header)
	if err != nil {
		return nil, e.told(ctx, c, err)
	}
	return tenancy.NewContext(ctx, p), nil
}

func (e *Edge) admit(ctx context.Context, method string, header http.Header) (tenancy.Principal, error) {
	credential, err := bearer(header)
	if err != nil {
		return tenancy.Principal{}, err
	}
	p, err := e.Auth.Authenticate(ctx, credential)
	if err != nil {
		return tenancy.Principal{}, err
	}
	return p, tenancy.Authorize(p, method)
}

// bearer returns the credential of the Authorization header (RFC 6750 section 2.1).
func bearer(header http.Header) (string, error) {
	const advice = "send your API key as `Authorization: Bearer bfy_…`"
	values := header.Values("Authorization")
	switch {
	case len(values) == 0:
		return "", fmt.Errorf("%w: the call carries none; %s", tenancy.ErrKeyInvalid, advice)
	case len(values) > 1:
		return "", fmt.Errorf("%w: the call carries several Authorization headers; send one", tenancy.ErrKeyInvalid)
	}
	scheme, credential, _ := strings.Cut(strings.TrimSpace(values[0]), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return "", fmt.Errorf("%w: the Authorization header is not of scheme Bearer; %s", tenancy.ErrKeyInvalid, advice)
	}
	return strings.TrimSpace(credential), nil
}

// call is one call on its way through the edge.
type call struct {
	method   string
	protocol string
	begin    time.Time
}

func (e *Edge) begin(spec connect.Spec, peer connect.Peer) call {
	return call{method: methodOf(spec), protocol: peer.Protocol, begin: e.Clock.Now()}
}

// told returns what the caller is told about err.
func (e *Edge) told(ctx context.Context, c call, err error) error {
	out := e.Errors.Error(ctx, err)
	switch c.protocol {
	case connect.ProtocolGRPC:
		return fitTrailers(out)
	case connect.ProtocolConnect:
		if out.Code() == connect.CodeUnauthenticated { // RFC 9110 section 15.5.2; not allowed in gRPC's trailers
			out.Meta().Set("WWW-Authenticate", `Bearer realm="belfry"`)
		}
	}
	return out
}

// catch turns a panic into an error. http.ErrAbortHandler passes: net/http has a use for it.
func (e *Edge) catch(ctx context.Context, c call, err *error) {
	r := recover()
	if r == nil {
		return
	}
	if r == http.ErrAbortHandler { //nolint:errorlint // net/http compares it in the same way.
		panic(r)
	}
	*err = e.told(ctx, c, &panicError{value: r, stack: debug.Stack()})
}

// panicError is a recovered panic, on its way to the log.
type panicError struct {
	value any
	stack []byte
}

func (p *panicError) Error() string { return fmt.Sprintf("panic: %v\n%s", p.value, p.stack) }

func (e *Edge) finish(ctx context.Context, c call, err error) {
	code := "ok"
	if err != nil {
		code = connect.CodeOf(err).String()
	}
	seconds := e.Clock.Since(c.begin).Seconds()
	e.Observe(Call{Method: c.method, Code: code, Seconds: seconds})
	p, _ := tenancy.FromContext(ctx)
	e.Log.DebugContext(ctx, "call", "method", c.method, "code", code, "seconds", seconds,
		"tenant_id", p.Tenant, "key_id", p.KeyID)
}

// WrapUnary implements connect.Interceptor.
func (e *Edge) WrapUnary(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, req connect.AnyRequest) (res connect.AnyResponse, err error) {
		c := e.begin(req.Spec(), req.Peer())
		defer func() { e.finish(ctx, c, err) }()
		defer e.catch(ctx, c, &err)
		if err := e.check(ctx, c.method, req.Header(), req.Any()); err != nil {
			return nil, e.told(ctx, c, err)
		}
		res, err = next(ctx, req)
		if err != nil {
			return nil, e.told(ctx, c, err)
		}
		return res, nil
	}
}

// WrapStreamingClient implements connect.Interceptor; the edge is on servers only.
func (e *Edge) WrapStreamingClient(next connect.StreamingClientFunc) connect.StreamingClientFunc {
	return next
}

// WrapStreamingHandler implements connect.Interceptor.
func (e *Edge) WrapStreamingHandler(next connect.StreamingHandlerFunc) connect.StreamingHandlerFunc {
	return func(ctx context.Context, conn connect.StreamingHandlerConn) (err error) {
		c := e.begin(conn.Spec(), conn.Peer())
		defer func() { e.finish(ctx, c, err) }()
		defer e.catch(ctx, c, &err)
		if err := next(ctx, &checkedConn{StreamingHandlerConn: conn, ctx: ctx, edge: e, method: c.method}); err != nil {
			return e.told(ctx, c, err)
		}
		return nil
	}
}

// checkedConn checks every message that a stream receives.
type checkedConn struct {
	connect.StreamingHandlerConn
	ctx    context.Context // Receive has no context of its own; this is the stream's
	edge   *Edge
	method string
}

// Receive implements connect.StreamingHandlerConn.
func (c *checkedConn) Receive(message any) error {
	if err := c.StreamingHandlerConn.Receive(message); err != nil {
		return err
	}
	return c.edge.check(c.ctx, c.method, c.RequestHeader(), message)
}

// check refuses what no handler may see, and settles the tenant of the message.
func (e *Edge) check(ctx context.Context, method string, header http.Header, message any) error {
	p, ok := tenancy.FromContext(ctx)
	if !ok {
		// The gate was not installed: a fault of the wiring must not open the door.
		return fmt.Errorf("%w: the call was not authenticated", tenancy.ErrKeyInvalid)
	}
	m, ok := message.(proto.Message)
	if !ok {
		return fmt.Errorf("%s: %T is not a protobuf message", method, message)
	}
	if fault := faultOf(m); fault != nil {
		return fault
	}
	if err := takeRequestID(header, m.ProtoReflect()); err != nil {
		return err
	}
	if err := e.Validator.Validate(m); err != nil {
		return err
	}
	return settleTenant(p, tenancy.MethodTenant(method), m.ProtoReflect())
}
