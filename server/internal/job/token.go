package job

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
)

// Token proves a lease. Version and ClaimID are what the database compares; Lane names the tenant without a look-up, and
// Lease (the number of this lease, from 1) says whether earlier attempts are on record. Its text form is opaque to
// clients; nothing in it is trusted without the database agreeing.
type Token struct {
	ID      ID
	Version int64 // of the row after the claim; handed out as the fencing token too
	ClaimID int64 // random, chosen before the claim statement is sent
	Lane    int32
	Lease   int32
}

// ErrBadToken reports text that is not a lease token.
var ErrBadToken = errors.New("not a lease token")

const tokenSize = 1 + 16 + 8 + 8 + 4 + 4

// String returns the opaque text form, 55 characters of URL-safe base 64.
func (t Token) String() string {
	var b [tokenSize]byte
	b[0] = 1
	copy(b[1:], t.ID[:])
	binary.BigEndian.PutUint64(b[17:], uint64(t.Version))
	binary.BigEndian.PutUint64(b[25:], uint64(t.ClaimID))
	binary.BigEndian.PutUint32(b[33:], uint32(t.Lane))
	binary.BigEndian.PutUint32(b[37:], uint32(t.Lease))
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// ParseToken reads the text form; errors are ErrBadToken.
func ParseToken(s string) (Token, error) {
	var b [tokenSize]byte
	if len(s) != base64.RawURLEncoding.EncodedLen(tokenSize) {
		return Token{}, ErrBadToken
	}
	// The decoder skips line breaks, so the length is compared too.
	if n, err := base64.RawURLEncoding.Strict().Decode(b[:], []byte(s)); err != nil || n != tokenSize || b[0] != 1 {
		return Token{}, ErrBadToken
	}
	t := Token{
		Version: int64(binary.BigEndian.Uint64(b[17:])),
		ClaimID: int64(binary.BigEndian.Uint64(b[25:])),
		Lane:    int32(binary.BigEndian.Uint32(b[33:])),
		Lease:   int32(binary.BigEndian.Uint32(b[37:])),
	}
	copy(t.ID[:], b[1:17])
	return t, nil
}
