package api

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"

	"github.com/belfryhq/belfry/server/internal/job"
)

const (
	defaultPageSize = 50
	maxPageSize     = 1000
)

// pageSize returns how many items a page may hold when the caller asked for n; n is not negative.
func pageSize(n int32) int {
	if n == 0 {
		return defaultPageSize
	}
	return int(min(n, maxPageSize))
}

// listFilter identifies what a list is about: a token made for one filter continues no other.
type listFilter [8]byte

// newListFilter hashes the method, the tenant and every filter of a list request, in a fixed order.
func newListFilter(method string, parts ...string) listFilter {
	h := sha256.New()
	for _, part := range append([]string{method}, parts...) {
		// With its length first, no two lists of parts are one text.
		h.Write(binary.BigEndian.AppendUint32(nil, uint32(len(part))))
		h.Write([]byte(part))
	}
	return listFilter(h.Sum(nil)[:8])
}

// A page token is a version byte, the filter, and the position after which the next page begins, in base 64. It is not
// signed: a forged position reaches nothing that a first page with the same filter would not.
const pageTokenVersion = 1

// encodePageToken returns the token of the page that begins after position.
func encodePageToken(f listFilter, position []byte) string {
	b := append([]byte{pageTokenVersion}, f[:]...)
	return base64.RawURLEncoding.EncodeToString(append(b, position...))
}

// decodePageToken returns the position in a token made with the same filter; nil for the empty token, which stands for
// the first page. Errors are job.ErrInvalidField and name page_token.
func decodePageToken(token string, f listFilter) ([]byte, error) {
	if token == "" {
		return nil, nil
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(b) <= 1+len(f) || b[0] != pageTokenVersion {
		return nil, errPageToken()
	}
	if listFilter(b[1:1+len(f)]) != f {
		return nil, job.Invalid("page_token",
			"was made for other filters, or another list; repeat the filters of the first page, or begin without a token")
	}
	return b[1+len(f):], nil
}

func errPageToken() error {
	return job.Invalid("page_token",
		"is not a token of this server; take next_page_token of the page before as it is, or begin without one")
}
