// Command bench is `make bench`: it starts `belfry dev` on a data directory of its own, with durable commits, runs
// `belfry bench` in all modes against it, and prints what that prints. Figures never make it fail.
package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// runs are the measurements, in order.
var runs = [][]string{
	{"create"}, {"create", "--queues", "300"}, {"batch"}, {"drain"}, {"steady"}, {"lateness"}, {"herd"}, {"schedules"},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) (err error) {
	binary, err := filepath.Abs("bin/belfry")
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "belfry-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := os.Chmod(dir, 0o711); err != nil { //nolint:gosec // PostgreSQL's user has to get through
		return err
	}
	data := filepath.Join(dir, "data")
	address, err := freeAddress()
	if err != nil {
		return err
	}
	dev := exec.Command(binary, "dev", "--listen", address, "--data-dir", data) //nolint:gosec // our own binary
	dev.Stderr = os.Stderr
	if err := dev.Start(); err != nil {
		return fmt.Errorf("start belfry dev: %w", err)
	}
	exited := make(chan error, 1)
	go func() { exited <- dev.Wait() }()
	defer func() {
		_ = dev.Process.Signal(syscall.SIGINT)
		err = errors.Join(err, <-exited)
	}()
	if err := awaitAddress(ctx, filepath.Join(data, "dev.env")); err != nil {
		return err
	}
	for _, args := range runs {
		cmd := exec.CommandContext(ctx, binary, append([]string{"bench"}, args...)...) //nolint:gosec // our own binary
		cmd.Env = append(os.Environ(), "BELFRY_DATA_DIR="+data)
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("belfry bench %v: %w", args, err)
		}
	}
	return nil
}

func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String(), nil
}

// awaitAddress waits until dev.env names the address, which it does once the server is ready.
func awaitAddress(ctx context.Context, path string) error {
	ctx, cancel := context.WithTimeout(ctx, 90*time.Second)
	defer cancel()
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	for {
		if text, err := os.ReadFile(path); err == nil && strings.Contains(string(text), "BELFRY_ADDRESS=127") { //nolint:gosec // ours
			return nil
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return fmt.Errorf("belfry dev is not ready: %w", ctx.Err())
		}
	}
}
