package belfry

import (
	"crypto/tls"
	"errors"
	"net/http"
	"strings"
	"time"

	"connectrpc.com/connect"

	"github.com/belfryhq/belfry/gen/go/belfry/v1/belfryv1connect"
	"github.com/belfryhq/belfry/internal/clock"
)

// Client calls a Belfry server. It holds a pool of connections: make one per
// server and credential and share it. It is safe for concurrent use.
type Client struct {
	tenantID  string
	clock     clock.Clock
	transport *http.Client
	jobs      belfryv1connect.JobServiceClient
	queues    belfryv1connect.QueueServiceClient
	schedules belfryv1connect.ScheduleServiceClient
	calendars belfryv1connect.CalendarServiceClient
	tenants   belfryv1connect.TenantServiceClient
	workers   belfryv1connect.WorkerServiceClient
	// leasing makes single attempts: a Worker has retry loops of its own, which
	// know what else is going on.
	leasing belfryv1connect.WorkerServiceClient
}

// maxWorkerCall bounds the attempts of a worker's calls, beyond a poll's wait: a
// worker that is cut off must notice before its leases run out.
const maxWorkerCall = 10 * time.Second

// Option changes a setting of NewClient.
type Option func(*options)

type options struct {
	retries    Retries
	timeout    time.Duration
	httpClient *http.Client
	tls        *tls.Config
	http2      bool
	clock      clock.Clock
}

// WithRetries sets how calls are retried.
func WithRetries(retries Retries) Option { return func(o *options) { o.retries = retries } }

// WithCallTimeout bounds each attempt of a call; a call without an answer in
// that time is repeated if that is safe. Default 30 s. Bound whole calls by
// their context.
func WithCallTimeout(timeout time.Duration) Option { return func(o *options) { o.timeout = timeout } }

// WithTLS sets the TLS configuration for https addresses, e.g. a private root
// or a client certificate.
func WithTLS(config *tls.Config) Option { return func(o *options) { o.tls = config } }

// WithHTTP2 speaks HTTP/2 without TLS (h2c) to http addresses: one connection
// for all calls, at more CPU per call than the default HTTP/1.1.
func WithHTTP2() Option { return func(o *options) { o.http2 = true } }

// WithHTTPClient makes calls through another HTTP client; it makes WithTLS and
// WithHTTP2 void. It must not have a Timeout shorter than a worker's poll.
func WithHTTPClient(client *http.Client) Option { return func(o *options) { o.httpClient = client } }

// NewClient returns a client for the server at address ("127.0.0.1:7070", or
// an http or https URL), with the secret of a tenant's API key or of a
// platform key. It does not connect yet.
func NewClient(address, apiKey string, opts ...Option) (*Client, error) {
	base, err := baseURL(address)
	if err != nil {
		return nil, err
	}
	if apiKey == "" || strings.ContainsFunc(apiKey, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, errors.New("API key: give the secret that was shown when the key was made, without spaces or line ends")
	}
	o := options{timeout: 30 * time.Second, clock: clock.Real()}
	for _, opt := range opts {
		opt(&o)
	}
	transport := newHTTPClient(o)
	retrying := caller{authorization: []string{"Bearer " + apiKey}, timeout: o.timeout, clock: o.clock, retries: o.retries.withDefaults()}
	single := retrying
	single.retries.MaxAttempts = 1
	single.timeout = min(o.timeout, maxWorkerCall)
	connectWith := func(c *caller) connect.ClientOption {
		// Without compression: small messages on a local network gain nothing
		// and cost half as much CPU again.
		return connect.WithClientOptions(connect.WithInterceptors(c.interceptor()), connect.WithAcceptCompression("gzip", nil, nil))
	}
	options := connectWith(&retrying)
	return &Client{
		clock:     o.clock,
		transport: transport,
		jobs:      identifiedJobs{belfryv1connect.NewJobServiceClient(transport, base, options)},
		queues:    identifiedQueues{belfryv1connect.NewQueueServiceClient(transport, base, options)},
		schedules: identifiedSchedules{belfryv1connect.NewScheduleServiceClient(transport, base, options)},
		calendars: identifiedCalendars{belfryv1connect.NewCalendarServiceClient(transport, base, options)},
		tenants:   identifiedTenants{belfryv1connect.NewTenantServiceClient(transport, base, options)},
		workers:   belfryv1connect.NewWorkerServiceClient(transport, base, options),
		leasing:   belfryv1connect.NewWorkerServiceClient(transport, base, connectWith(&single)),
	}, nil
}

// ForTenant returns a client that shares c's connections and whose flat
// methods and workers act for the named tenant. Platform keys need it; "-"
// makes a worker lease from all tenants.
func (c *Client) ForTenant(tenantID string) *Client {
	of := *c
	of.tenantID = tenantID
	return &of
}

// Jobs, Queues, Schedules, Calendars, Tenants and Workers give the API's own methods and
// messages, which document themselves. Requests to Create carry a random
// request id unless one is given; the request passed in is not changed.

// Jobs returns the API of jobs, beyond the flat methods.
func (c *Client) Jobs() belfryv1connect.JobServiceClient { return c.jobs }

// Queues returns the API of queues.
func (c *Client) Queues() belfryv1connect.QueueServiceClient { return c.queues }

// Schedules returns the API of schedules.
func (c *Client) Schedules() belfryv1connect.ScheduleServiceClient { return c.schedules }

// Calendars returns the API of calendars.
func (c *Client) Calendars() belfryv1connect.CalendarServiceClient { return c.calendars }

// Tenants returns the API of tenants and their keys.
func (c *Client) Tenants() belfryv1connect.TenantServiceClient { return c.tenants }

// Workers returns the API of leases. To run jobs use a Worker instead.
func (c *Client) Workers() belfryv1connect.WorkerServiceClient { return c.workers }

// Close closes connections that no call uses. The client stays usable.
func (c *Client) Close() { c.transport.CloseIdleConnections() }
