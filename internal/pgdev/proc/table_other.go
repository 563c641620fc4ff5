//go:build unix && !linux

package proc

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
)

func tieToParent(*syscall.SysProcAttr, syscall.Signal) {}

// WorksIn reports whether process pid is alive and names dir on its command
// line, which is as near as ps(1) comes to its working directory.
func WorksIn(pid int, dir string) bool {
	command, err := exec.Command("ps", "-ww", "-o", "command=", "-p", strconv.Itoa(pid)).Output()
	return err == nil && bytes.Contains(command, []byte(filepath.Clean(dir)))
}

// Alive reports whether process pid exists and is not a zombie.
func Alive(pid int) bool {
	state, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
	return err == nil && len(state) > 0 && state[0] != 'Z'
}

// Children returns the ids of the direct children of process pid.
func Children(pid int) []int {
	list, err := exec.Command("pgrep", "-P", strconv.Itoa(pid)).Output()
	if err != nil {
		return nil
	}
	var children []int
	for _, field := range bytes.Fields(list) {
		if child, err := strconv.Atoi(string(field)); err == nil {
			children = append(children, child)
		}
	}
	return children
}
