package belfry

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"connectrpc.com/connect"

	"github.com/belfryhq/belfry/internal/clock"
)

// baseURL reads the address of a server: "host:port" means plain http.
func baseURL(address string) (string, error) {
	text := address
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	parsed, err := url.Parse(text)
	if err != nil || parsed.Host == "" || (parsed.Scheme != "http" && parsed.Scheme != "https") {
		return "", fmt.Errorf("address %q: give host:port, or an http or https URL", address)
	}
	if parsed.RawQuery != "" || parsed.Fragment != "" || parsed.User != nil {
		return "", fmt.Errorf("address %q: leave out user, query and fragment; the API key is an argument of its own", parsed.Redacted())
	}
	return strings.TrimRight(parsed.String(), "/"), nil
}

// httpClient sends requests and keeps connections.
type httpClient interface {
	connect.HTTPClient
	CloseIdleConnections()
}

// newHTTPClient returns the HTTP client for one server. To plain http
// addresses it speaks HTTP/1.1, at half the CPU of h2c per small call
// (BenchmarkCreate), without http.Transport unless a proxy is in between; with
// TLS it prefers HTTP/2, which spares a handshake per concurrent call.
func newHTTPClient(base string, o options) (httpClient, error) {
	if o.httpClient != nil {
		return o.httpClient, nil
	}
	target, err := url.Parse(base)
	if err != nil {
		return nil, fmt.Errorf("address %q: %w", base, err)
	}
	proxy, err := http.ProxyFromEnvironment(&http.Request{URL: target})
	if err != nil {
		return nil, fmt.Errorf("proxy for %s: %w", base, err)
	}
	if target.Scheme != "http" || o.http2 || proxy != nil {
		return &http.Client{Transport: newTransport(o)}, nil
	}
	address := target.Host
	if target.Port() == "" {
		address = net.JoinHostPort(target.Hostname(), "80")
	}
	return &http1{address: address, dialer: newDialer(), clock: clock.Real()}, nil
}

func newDialer() net.Dialer {
	return net.Dialer{Timeout: 5 * time.Second, KeepAlive: 15 * time.Second}
}

func newTransport(o options) *http.Transport {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(!o.http2)
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(o.http2)
	dialer := newDialer()
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         dialer.DialContext,
		TLSClientConfig:     o.tls,
		TLSHandshakeTimeout: 5 * time.Second,
		Protocols:           protocols,
		// Finds out within half a minute that the other side of a shared
		// connection is gone, and with it all calls on it.
		HTTP2: &http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 10 * time.Second},
		// All connections go to one server: a low limit would close and dial
		// anew under many concurrent calls.
		MaxIdleConns:        0,
		MaxIdleConnsPerHost: maxIdleConns,
		IdleConnTimeout:     maxIdleTime,
		DisableCompression:  true,
	}
}
