package api

import (
	"bytes"
	"encoding/base64"
	"errors"
	"strings"
	"testing"

	"github.com/belfryhq/belfry/server/internal/job"
)

func TestPageToken_GivesItsPositionBackToTheSameFilterOnly(t *testing.T) {
	t.Parallel()
	position := []byte{0, 1, 0xff, 'x'}
	filter := newListFilter("ListJobs", "acme", "mail", "")
	token := encodePageToken(filter, position)
	got, err := decodePageToken(token, newListFilter("ListJobs", "acme", "mail", ""))
	if err != nil || !bytes.Equal(got, position) {
		t.Fatalf("got %v, %v", got, err)
	}
	for name, other := range map[string]listFilter{
		"method":        newListFilter("ListQueues", "acme", "mail", ""),
		"tenant":        newListFilter("ListJobs", "globex", "mail", ""),
		"filter":        newListFilter("ListJobs", "acme", "sms", ""),
		"moved value":   newListFilter("ListJobs", "acme", "", "mail"),
		"joined values": newListFilter("ListJobs", "acmemail", "", ""),
	} {
		_, err := decodePageToken(token, other)
		var e *job.Error
		if !errors.As(err, &e) || e.Kind != job.ErrInvalidField || e.Fields[0].Field != "page_token" {
			t.Errorf("other %s: %v", name, err)
		}
	}
}

func TestPageToken_RefusesWhatIsNotAToken(t *testing.T) {
	t.Parallel()
	filter := newListFilter("ListJobs")
	good := encodePageToken(filter, []byte("p"))
	raw, _ := base64.RawURLEncoding.DecodeString(good)
	raw[0] = 2
	for _, token := range []string{"x", "!!!", good[:8], good + "=", encodePageToken(filter, nil),
		base64.RawURLEncoding.EncodeToString(raw), strings.Repeat("A", 1024)} {
		if _, err := decodePageToken(token, filter); !errors.Is(err, job.ErrInvalidField) ||
			!strings.Contains(err.Error(), "page_token") {
			t.Errorf("%q: %v", token, err)
		}
	}
	if position, err := decodePageToken("", filter); position != nil || err != nil {
		t.Errorf("the empty token: %v, %v", position, err)
	}
}

func TestPageSize_IsClamped(t *testing.T) {
	t.Parallel()
	for asked, want := range map[int32]int{0: 50, 1: 1, 999: 999, 1000: 1000, 1001: 1000, 1<<31 - 1: 1000} {
		if got := pageSize(asked); got != want {
			t.Errorf("pageSize(%d) = %d, want %d", asked, got, want)
		}
	}
}
