package tenancy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log/slog"
	"strings"
	"testing"
	"time"
)

var testTime = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func TestSecret_RoundTripsThroughItsText(t *testing.T) {
	t.Parallel()
	id := NewKeyID(testTime)
	secret := NewSecret(id)
	text := secret.Reveal()
	if len(text) != 4+26+1+43 || !strings.HasPrefix(text, "bfy_") {
		t.Fatalf("form %q", secret)
	}
	back, err := ParseSecret(text)
	if err != nil {
		t.Fatal(err)
	}
	if back.KeyID() != id || !back.Matches(secret.Hash()) || back.Reveal() != text {
		t.Error("parsing did not return the same credential")
	}
	if other := NewSecret(id); other.Matches(secret.Hash()) {
		t.Error("another secret of the same key matches")
	}
}

func TestParseSecret_RefusesEverythingElseWithoutRepeatingIt(t *testing.T) {
	t.Parallel()
	good := NewSecret(NewKeyID(testTime)).Reveal()
	for name, text := range map[string]string{
		"empty":            "",
		"short":            good[:len(good)-1],
		"long":             good + "A",
		"prefix":           "bfx_" + good[4:],
		"upper-case id":    "bfy_" + strings.ToUpper(good[4:30]) + good[30:],
		"separator":        good[:30] + "-" + good[31:],
		"not base 64":      good[:40] + "!" + good[41:],
		"trailing bits":    good[:len(good)-1] + "B",
		"id of no version": "bfy_00000000000000000000000000" + good[30:],
		"line feed inside": good[:50] + "\n" + good[51:],
	} {
		_, err := ParseSecret(text)
		if err == nil {
			t.Errorf("%s: accepted", name)
			continue
		}
		if len(text) > 40 && strings.Contains(err.Error(), text[31:40]) {
			t.Errorf("%s: the error repeats the secret", name)
		}
	}
}

func TestSecret_IsNeverPrinted(t *testing.T) {
	t.Parallel()
	secret := NewSecret(NewKeyID(testTime))
	hidden := secret.Reveal()[31:]
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%b", "%o", "%c", "%U"} {
		fmt.Fprintf(&out, verb+"\n", secret)
		fmt.Fprintf(&out, verb+"\n", &secret)
		fmt.Fprintf(&out, verb+"\n", struct{ Inner any }{secret})
		fmt.Fprintf(&out, verb+"\n", struct{ inner Secret }{secret})
	}
	asJSON, err := json.Marshal(map[string]any{"s": secret, "p": &secret})
	if err != nil {
		t.Fatal(err)
	}
	out.Write(asJSON)
	slog.New(slog.NewTextHandler(&out, nil)).Info("m", "secret", secret, "error", fmt.Errorf("with %v", secret))
	slog.New(slog.NewJSONHandler(&out, nil)).Info("m", "secret", secret)
	bytes32 := secret.raw()
	raw := bytes32[:]
	for name, form := range map[string]string{
		"text":        hidden,
		"hex":         fmt.Sprintf("%x", raw),
		"upper hex":   fmt.Sprintf("%X", raw),
		"decimal":     strings.Trim(fmt.Sprint(raw), "[]"),
		"go syntax":   strings.TrimSuffix(strings.TrimPrefix(fmt.Sprintf("%#v", raw), "[]byte{"), "}"),
		"hex of text": fmt.Sprintf("%x", hidden),
	} {
		if strings.Contains(out.String(), form) {
			t.Errorf("printed as %s", name)
		}
	}
	if !strings.Contains(out.String(), "_REDACTED") {
		t.Error("nothing says that something was left out")
	}
}

func TestKey_LogsWithoutHash(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	slog.New(slog.NewJSONHandler(&out, nil)).Info("m", "key", Key{ID: "key_x", TenantName: "acme", Hash: [32]byte{77, 78}})
	if !strings.Contains(out.String(), "key_x") || strings.Contains(strings.ToLower(out.String()), "hash") {
		t.Errorf("logged %s", out.String())
	}
}

// The comparison of hashes must not tell by its duration how much of them agrees. A measurement cannot show that in a
// test, so the source is read: Matches compares through crypto/subtle, and nothing else compares a hash.
func TestSecret_HashesAreComparedInConstantTime(t *testing.T) {
	t.Parallel()
	set := token.NewFileSet()
	found := false
	for _, file := range []string{"secret.go", "authenticator.go", "authorize.go", "tenant.go", "cache.go", "principal.go"} {
		tree, err := parser.ParseFile(set, file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Name.Name == "Matches" {
					found = callsConstantTimeCompare(n)
				}
			case *ast.SelectorExpr:
				if n.Sel.Name == "Equal" {
					if x, ok := n.X.(*ast.Ident); ok && x.Name == "bytes" {
						t.Errorf("%s: bytes.Equal", set.Position(n.Pos()))
					}
				}
			case *ast.BinaryExpr:
				for _, side := range []ast.Expr{n.X, n.Y} {
					if sel, ok := side.(*ast.SelectorExpr); ok && sel.Sel.Name == "Hash" {
						t.Errorf("%s: a hash is compared with an operator", set.Position(n.Pos()))
					}
				}
			}
			return true
		})
	}
	if !found {
		t.Error("Matches does not call subtle.ConstantTimeCompare")
	}
}

func callsConstantTimeCompare(f *ast.FuncDecl) bool {
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == "ConstantTimeCompare" {
			found = true
		}
		return true
	})
	return found
}

func TestKeyID_SortsByTimeAndHasOneSpelling(t *testing.T) {
	t.Parallel()
	early, late := NewKeyID(testTime).String(), NewKeyID(testTime.Add(time.Millisecond)).String()
	if early >= late {
		t.Errorf("%s does not sort before %s", early, late)
	}
	id, err := ParseKeyID(early)
	if err != nil || id.String() != early {
		t.Errorf("round trip: %v %v", id, err)
	}
	for _, bad := range []string{"", "key_", early[4:], "job_" + early[4:], "key_" + strings.ToUpper(early[4:]), early + "0",
		"key_8zzzzzzzzzzzzzzzzzzzzzzzzz"} {
		if _, err := ParseKeyID(bad); err == nil {
			t.Errorf("%q accepted", bad)
		}
	}
}
