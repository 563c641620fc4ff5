package house_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	root     = "../.."
	maxLines = 500
)

// source is one hand-written file of the repository.
type source struct {
	path string // relative to the root, with slashes
	text []byte
}

func TestFiles_HaveAtMost500Lines(t *testing.T) {
	t.Parallel()
	for _, file := range sources(t) {
		if strings.HasSuffix(file.path, "_test.go") || strings.HasSuffix(file.path, ".md") {
			continue
		}
		if lines := bytes.Count(file.text, []byte("\n")); lines > maxLines {
			t.Errorf("%s has %d lines, at most %d: split it by what it says", file.path, lines, maxLines)
		}
	}
}

func TestFiles_PromiseNoWorkForLater(t *testing.T) {
	t.Parallel()
	// Spelled apart, so that this file passes its own test.
	later := regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|X` + `XX|HA` + `CK)\b`)
	for _, file := range sources(t) {
		for number, line := range bytes.Split(file.text, []byte("\n")) {
			if word := later.Find(line); word != nil {
				t.Errorf("%s:%d says %s: do it, or file an issue", file.path, number+1, word)
			}
		}
	}
}

func TestPackages_AreNamedAfterWhatTheyDo(t *testing.T) {
	t.Parallel()
	nameless := []string{"base", "common", "helper", "helpers", "misc", "models", "shared", "types", "util", "utils"}
	for _, file := range sources(t) {
		folder := filepath.Base(filepath.Dir(file.path))
		if strings.HasSuffix(file.path, ".go") && slices.Contains(nameless, folder) {
			t.Errorf("%s: a package %q says nothing about what belongs there", file.path, folder)
		}
	}
}

func TestVersions_PinnedTwice_AreEqual(t *testing.T) {
	t.Parallel()
	tests := []struct {
		what          string
		first, second pin
	}{
		{
			"buf",
			pin{"tools/package.json", `"@bufbuild/buf": "([^"]+)"`},
			pin{"tools/buf/go.mod", `github\.com/bufbuild/buf v(\S+)`},
		},
		{
			"protobuf: generator and run time",
			pin{"tools/go.mod", `google\.golang\.org/protobuf (\S+)`},
			pin{"go.mod", `google\.golang\.org/protobuf (\S+)`},
		},
		{
			"connect: generator and run time",
			pin{"tools/go.mod", `connectrpc\.com/connect (\S+)`},
			pin{"go.mod", `connectrpc\.com/connect (\S+)`},
		},
	}
	for _, test := range tests {
		t.Run(test.what, func(t *testing.T) {
			t.Parallel()
			if first, second := test.first.read(t), test.second.read(t); first != second {
				t.Errorf("%s has %s, %s has %s", test.first.path, first, test.second.path, second)
			}
		})
	}
}

// pin is a place where a version stands: the first group of the pattern in the file.
type pin struct{ path, pattern string }

func (p pin) read(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, p.path))
	if err != nil {
		t.Fatal(err)
	}
	match := regexp.MustCompile(p.pattern).FindSubmatch(text)
	if match == nil {
		t.Fatalf("%s: nothing matches %s", p.path, p.pattern)
	}
	return string(match[1])
}

// sources reads every hand-written text file: what is generated, vendored, built or downloaded is left out.
func sources(t *testing.T) []source {
	t.Helper()
	skipped := []string{".git", ".tmp", ".venv", "bin", "gen", "node_modules", "target", "third_party"}
	kinds := []string{".go", ".proto", ".sql", ".py", ".ts", ".java", ".sh", ".yaml", ".yml", ".md"}
	var found []source
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains(skipped, entry.Name()):
			return filepath.SkipDir
		case entry.IsDir() || !slices.Contains(kinds, filepath.Ext(path)):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		found = append(found, source{path: filepath.ToSlash(relative), text: text})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 {
		t.Fatal("no source file found")
	}
	return found
}
