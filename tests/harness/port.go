package harness

import (
	"fmt"
	"math/rand/v2"
	"net"
)

// Ports below those that systems give to outgoing connections (from 32768 on), and above those of PostgreSQL's launcher:
// a port must still be free when its server starts again, and a client that reconnects to a dead ephemeral port may end up
// connected to itself.
const lowestPort, highestPort = 10000, 14999

// freeAddress returns an address of the loopback interface that nobody listens on.
func freeAddress() (string, error) {
	for range 100 {
		address := fmt.Sprintf("127.0.0.1:%d", lowestPort+rand.IntN(highestPort-lowestPort))
		listener, err := net.Listen("tcp4", address)
		if err != nil {
			continue
		}
		return address, listener.Close()
	}
	return "", fmt.Errorf("no free port between %d and %d", lowestPort, highestPort)
}
