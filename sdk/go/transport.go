package belfry

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
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

const (
	// maxIdleConns is how many unused connections are kept.
	maxIdleConns = 1024
	// maxIdleTime is how long an unused connection is kept.
	maxIdleTime = 90 * time.Second
)

// newHTTPClient returns the HTTP client for one server. To plain http
// addresses it speaks HTTP/1.1, which costs less CPU per small call than h2c
// (BenchmarkCreate); with TLS it prefers HTTP/2, which spares a handshake per
// concurrent call.
func newHTTPClient(o options) *http.Client {
	if o.httpClient != nil {
		return o.httpClient
	}
	return &http.Client{Transport: newTransport(o)}
}

func newTransport(o options) *http.Transport {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(!o.http2)
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(o.http2)
	dialer := net.Dialer{Timeout: 5 * time.Second, KeepAlive: 15 * time.Second}
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
