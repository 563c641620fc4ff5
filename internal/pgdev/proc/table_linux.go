package proc

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

func tieToParent(attr *syscall.SysProcAttr, sig syscall.Signal) { attr.Pdeathsig = sig }

// WorksIn reports whether process pid is alive and has dir as its working
// directory. A process of another user, of which Linux does not tell, does not
// count.
func WorksIn(pid int, dir string) bool {
	cwd, err := os.Stat(fmt.Sprintf("/proc/%d/cwd", pid))
	if err != nil {
		return false
	}
	want, err := os.Stat(dir)
	return err == nil && os.SameFile(cwd, want)
}

// Alive reports whether process pid exists and is not a zombie.
func Alive(pid int) bool {
	state, _, ok := stat(pid)
	return ok && state != 'Z' && state != 'X'
}

// Children returns the ids of the direct children of process pid.
func Children(pid int) []int {
	entries, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return nil
	}
	var children []int
	for _, entry := range entries {
		child, err := strconv.Atoi(filepath.Base(entry))
		if err != nil {
			continue
		}
		if _, parent, ok := stat(child); ok && parent == pid {
			children = append(children, child)
		}
	}
	return children
}

// stat reads state and parent from /proc/PID/stat (proc(5)). The second field
// is the command in parentheses and may contain anything, also parentheses.
func stat(pid int) (state byte, parent int, ok bool) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, 0, false
	}
	fields := bytes.Fields(raw[bytes.LastIndexByte(raw, ')')+1:])
	if len(fields) < 2 || len(fields[0]) != 1 {
		return 0, 0, false
	}
	parent, err = strconv.Atoi(string(fields[1]))
	return fields[0][0], parent, err == nil
}
