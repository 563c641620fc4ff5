package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// server is a running `belfry dev`.
type server struct {
	cmd      *exec.Cmd
	dir      string
	exited   chan error
	address  string
	adminKey string
}

// startTime bounds the start of the server, a download of PostgreSQL included.
const startTime = 90 * time.Second

func startServer(ctx context.Context) (*server, error) {
	binary := os.Getenv("BELFRY_BIN")
	if binary == "" {
		binary = "bin/belfry"
	}
	dir, err := os.MkdirTemp("", "belfry-demo-")
	if err != nil {
		return nil, err
	}
	// PostgreSQL may run as another user, who has to get through.
	if err := os.Chmod(dir, 0o711); err != nil { //nolint:gosec // search permission only
		return nil, err
	}
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	s := &server{dir: dir, exited: make(chan error, 1), address: address}
	s.cmd = exec.Command(binary, "dev", "--listen", address, "--data-dir", filepath.Join(dir, "data")) //nolint:gosec // our own binary
	log, err := os.Create(filepath.Join(dir, "dev.log"))
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }()
	s.cmd.Stdout, s.cmd.Stderr = log, log
	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s (build it first: make build): %w", binary, err)
	}
	go func() { s.exited <- s.cmd.Wait() }()
	if err := s.awaitKeys(ctx); err != nil {
		return nil, errors.Join(err, s.stop())
	}
	return s, nil
}

func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String(), nil
}

// awaitKeys waits until dev.env names the address, which it does once the server is ready.
func (s *server) awaitKeys(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	for {
		if env, err := readEnv(filepath.Join(s.dir, "data", "dev.env")); err == nil && env["BELFRY_ADDRESS"] != "" {
			s.adminKey = env["BELFRY_ADMIN_KEY"]
			return nil
		}
		select {
		case err := <-s.exited:
			s.exited <- err
			return fmt.Errorf("belfry dev ended: %w\n%s", err, s.log())
		case <-ctx.Done():
			return fmt.Errorf("belfry dev is not ready: %w\n%s", ctx.Err(), s.log())
		case <-look.C:
		}
	}
}

func readEnv(path string) (map[string]string, error) {
	file, err := os.Open(path) //nolint:gosec // a path of our own making
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	env := map[string]string{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		name, value, ok := strings.Cut(strings.TrimPrefix(lines.Text(), "export "), "=")
		if ok {
			env[name] = strings.Trim(value, `"'`)
		}
	}
	return env, nil
}

func (s *server) log() string {
	text, _ := os.ReadFile(filepath.Join(s.dir, "dev.log"))
	if len(text) > 4000 {
		text = text[len(text)-4000:]
	}
	return string(text)
}

// stop ends the server as Ctrl-C would, and removes its data.
func (s *server) stop() error {
	defer func() { _ = os.RemoveAll(s.dir) }()
	_ = s.cmd.Process.Signal(syscall.SIGINT)
	select {
	case err := <-s.exited:
		if err != nil {
			return fmt.Errorf("belfry dev ended with %w\n%s", err, s.log())
		}
		return nil
	case <-time.After(30 * time.Second):
		_ = s.cmd.Process.Kill()
		return fmt.Errorf("belfry dev did not stop within 30 s\n%s", s.log())
	}
}
