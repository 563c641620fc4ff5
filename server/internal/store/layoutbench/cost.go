package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"
)

// cost is what jobs take of the database server. A machine that does other work changes it less than it changes the rate.
type cost struct {
	cpu  time.Duration // of the workers' server processes
	wal  int64         // bytes
	jobs int
}

func (c *cost) add(before, after cost, jobs int) {
	c.cpu += after.cpu - before.cpu
	c.wal += after.wal - before.wal
	c.jobs += jobs
}

func (c *cost) cpuOfJob() float64 { return float64(c.cpu.Microseconds()) / float64(max(c.jobs, 1)) }

func (c *cost) walOfJob() float64 { return float64(c.wal) / float64(max(c.jobs, 1)) }

// cost reads what the server has spent up to now.
func (b *bench) cost(bed *bed) (cost, error) {
	var c cost
	err := bed.workers[0].conn.QueryRow(b.ctx, "SELECT pg_current_wal_insert_lsn() - '0/0'").Scan(&c.wal)
	if err != nil {
		return c, fmt.Errorf("read WAL position: %w", err)
	}
	for _, w := range bed.workers {
		c.cpu += processTime(w.conn.PgConn().PID())
	}
	return c, nil
}

// processTime reads the processor time of a process from /proc (proc(5), fields 14 and 15, in hundredths of a second); 0
// where there is none.
func processTime(pid uint32) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	// The second field, the name, stands in brackets and may hold spaces.
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(string(fields[11]))
	system, _ := strconv.Atoi(string(fields[12]))
	return time.Duration(user+system) * 10 * time.Millisecond
}
