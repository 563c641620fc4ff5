package tenancy

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
)

// Secret is a credential as its holder has it: the id of a key and 32 random bytes. Every way of printing it redacts the
// bytes; only Reveal returns them.
type Secret struct {
	id KeyID
	// A function, so that fmt shows an address when a Secret sits in an unexported field, where it cannot call Format.
	// It follows pointers there.
	raw func() [secretSize]byte
}

const (
	secretSize   = 32
	secretPrefix = "bfy_"
	secretDigits = 43 // base 64 of 32 bytes without padding
	secretLength = len(secretPrefix) + idDigits + 1 + secretDigits
)

// NewSecret makes the credential of the key id.
func NewSecret(id KeyID) Secret {
	var raw [secretSize]byte
	// crypto/rand.Read never returns an error: it aborts the program if the system has no entropy.
	_, _ = rand.Read(raw[:])
	return Secret{id: id, raw: func() [secretSize]byte { return raw }}
}

var errMalformed = errors.New(`an API key reads "bfy_", 26 characters, "_" and 43 characters`)

// ParseSecret reads the form of Reveal. Its errors do not repeat the input.
func ParseSecret(s string) (Secret, error) {
	if len(s) != secretLength || s[:len(secretPrefix)] != secretPrefix || s[len(secretPrefix)+idDigits] != '_' {
		return Secret{}, errMalformed
	}
	id, ok := parseDigits(s[len(secretPrefix) : len(secretPrefix)+idDigits])
	if !ok {
		return Secret{}, errMalformed
	}
	var raw [secretSize]byte
	text := []byte(s[secretLength-secretDigits:])
	// The decoder skips line breaks, so that the count is part of the check.
	if n, err := base64.RawURLEncoding.Strict().Decode(raw[:], text); err != nil || n != secretSize {
		return Secret{}, errMalformed
	}
	return Secret{id: id, raw: func() [secretSize]byte { return raw }}, nil
}

// KeyID returns the id of the key it belongs to.
func (s Secret) KeyID() KeyID { return s.id }

// Reveal returns the credential for `Authorization: Bearer`: "bfy_", the 26 characters of the key's id, "_" and 43
// characters of URL-safe base 64. It is for the one answer that hands it over.
func (s Secret) Reveal() string {
	raw := s.raw()
	return secretPrefix + s.id.digits() + "_" + base64.RawURLEncoding.EncodeToString(raw[:])
}

// Hash returns what is stored of the secret. One round of SHA-256 is enough, and a slow password hash would be wrong:
// 256 random bits cannot be guessed however fast the guesses are, and every call pays for this hash.
func (s Secret) Hash() [32]byte {
	raw := s.raw()
	return sha256.Sum256(raw[:])
}

// Matches reports whether hash is that of the secret, in constant time.
func (s Secret) Matches(hash [32]byte) bool {
	own := s.Hash()
	return subtle.ConstantTimeCompare(own[:], hash[:]) == 1
}

// String returns the credential without its secret part.
func (s Secret) String() string { return secretPrefix + s.id.digits() + "_REDACTED" }

// GoString is String.
func (s Secret) GoString() string { return s.String() }

// Format is String for every verb: %d or %x would otherwise reach the bytes.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, s.String()) }

// LogValue is String.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText is String, so that encoders redact too.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
