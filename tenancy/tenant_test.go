package tenancy

import (
	"strings"
	"testing"
)

func TestValidName_AcceptsTheDocumentedSetOnly(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"a": true, "0": true, "a.b_c-d": true, "billing-2026": true, strings.Repeat("a", 63): true,
		"": false, strings.Repeat("a", 64): false, strings.Repeat("a", 256): false, " a": false, "a ": false,
		"A": false, "a/../b": false, ".a": false, "-": false, "_a": false, "é": false, "e\u0301": false, "a\x00": false,
		"a\n": false,
	} {
		if got := ValidName(name); got != want {
			t.Errorf("ValidName(%q) = %v, want %v", name, got, want)
		}
	}
}

func TestScope_StringNamesEveryBit(t *testing.T) {
	t.Parallel()
	if got := (Admin | Worker | Platform).String(); got != "ADMIN, WORKER, PLATFORM" {
		t.Errorf("got %q", got)
	}
}
