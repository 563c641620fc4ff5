//go:build unix

package pgdev

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"strconv"
	"syscall"
)

const (
	host = "127.0.0.1"

	lowestPickedPort  = 15000
	highestPickedPort = 32000
)

// pickPort returns a port that is free now. It stays clear of the ports the
// system gives to outgoing connections: while the server is down, a client
// that keeps reconnecting to such a port would sooner or later be given that
// very port, connect to itself, and keep the server from coming back.
func pickPort() (int, error) {
	low, high := lowestPickedPort, min(highestPickedPort, ephemeralLow()-1)
	for range 100 {
		if high <= low {
			break
		}
		port := low + rand.IntN(high-low)
		if checkPort(port) == nil {
			return port, nil
		}
	}
	listener, err := net.Listen("tcp4", net.JoinHostPort(host, "0"))
	if err != nil {
		return 0, fmt.Errorf("pick a port: %w", err)
	}
	defer listener.Close()
	address, ok := listener.Addr().(*net.TCPAddr)
	if !ok {
		return 0, fmt.Errorf("pick a port: unexpected address %v", listener.Addr())
	}
	return address.Port, nil
}

// ephemeralLow returns the first port of the system's range for outgoing
// connections, by IANA's range where the system does not tell.
func ephemeralLow() int {
	raw, err := os.ReadFile("/proc/sys/net/ipv4/ip_local_port_range")
	if err == nil {
		var low int
		if _, err := fmt.Sscan(string(raw), &low); err == nil {
			return low
		}
	}
	return 49152
}

// checkPort fails with ErrPortTaken if somebody listens on the port.
func checkPort(port int) error {
	listener, err := net.Listen("tcp4", net.JoinHostPort(host, strconv.Itoa(port)))
	if errors.Is(err, syscall.EADDRINUSE) {
		return portTaken(port)
	}
	if err != nil {
		return fmt.Errorf("try port %d: %w", port, err)
	}
	return listener.Close()
}

func portTaken(port int) error {
	return fmt.Errorf("%w: %s:%d; stop who listens there, or choose another port (0 picks a free one)", ErrPortTaken, host, port)
}
