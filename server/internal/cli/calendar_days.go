package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// readDays reads the days of a calendar: one a line, with comments behind #; - is stdin.
func readDays(path string, stdin io.Reader) ([]string, error) {
	in := stdin
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return nil, usageError{fmt.Errorf("--days-file: %w", err)}
		}
		defer func() { _ = file.Close() }() // it was only read
		in = file
	}
	text, err := io.ReadAll(io.LimitReader(in, maxSpecFile+1))
	if err != nil {
		return nil, usageError{fmt.Errorf("--days-file: %w", err)}
	}
	if len(text) > maxSpecFile {
		return nil, usage("--days-file: %s is larger than %d bytes", path, maxSpecFile)
	}
	var days []string
	for line := range strings.Lines(string(text)) {
		day, _, _ := strings.Cut(line, "#")
		if day = strings.TrimSpace(day); day != "" {
			days = append(days, day)
		}
	}
	return days, nil
}
