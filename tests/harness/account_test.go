package harness

import (
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
)

var epoch = time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)

func at(seconds float64) time.Time { return epoch.Add(time.Duration(seconds * float64(time.Second))) }

// lease writes a lease of the job "j" that runs from start for 10 s.
func lease(a *Account, fencing int64, due, start float64) {
	a.Leased(&belfryv1.LeasedJob{
		Job:             &belfryv1.Job{JobId: "j", DueTime: timestamppb.New(at(due)), StartTime: timestamppb.New(at(start))},
		FencingToken:    fencing,
		LeaseExpireTime: timestamppb.New(at(start + 10)),
	}, at(start))
}

func TestVerdict_FindsEveryKindOfFault(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		run  func(*Account)
		want string // start of the only failure; empty: none
	}{
		{"completed in time", func(a *Account) {
			lease(a, 1, 5, 5)
			a.Ended("j", 1, "completed", at(6))
		}, ""},
		{"never leased", func(*Account) {}, "lost"},
		{"leased, and never completed", func(a *Account) { lease(a, 1, 5, 5) }, "lost"},
		{"before the time asked for", func(a *Account) {
			lease(a, 1, 4, 4.9)
			a.Ended("j", 1, "completed", at(6))
		}, "early"},
		{"retry before its due time", func(a *Account) {
			lease(a, 1, 5, 5)
			a.Ended("j", 1, "failed", at(6))
			lease(a, 3, 8, 7)
			a.Ended("j", 3, "completed", at(9))
		}, "early"},
		{"again after expiry", func(a *Account) {
			lease(a, 1, 5, 5)
			lease(a, 3, 15, 15)
			a.Ended("j", 3, "completed", at(16))
		}, ""},
		{"again before expiry", func(a *Account) {
			lease(a, 1, 5, 5)
			lease(a, 3, 14, 14)
			a.Ended("j", 3, "completed", at(16))
		}, "doubly"},
		{"again before the expiry that a heartbeat moved", func(a *Account) {
			lease(a, 1, 5, 5)
			a.Extended("j", 1, at(10), 10*time.Second)
			lease(a, 3, 16, 16)
			a.Ended("j", 3, "completed", at(17))
		}, "doubly"},
		{"again after completion", func(a *Account) {
			lease(a, 1, 5, 5)
			a.Ended("j", 1, "completed", at(6))
			lease(a, 3, 30, 30)
		}, "doubly"},
		{"again before it was given up", func(a *Account) {
			lease(a, 1, 5, 5)
			a.Ended("j", 1, "released", at(8))
			lease(a, 3, 5, 7)
			a.Ended("j", 3, "completed", at(9))
		}, "doubly"},
		{"two leases with one token", func(a *Account) {
			lease(a, 1, 5, 5)
			lease(a, 1, 20, 20)
			a.Ended("j", 1, "completed", at(21))
		}, "doubly"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			a := NewAccount()
			a.Acknowledged("j", at(5))
			test.run(a)
			failures := a.Verdict(t.Context(), nil).Failures()
			if test.want == "" && len(failures) > 0 {
				t.Errorf("failures %q, want none", failures)
			}
			if test.want != "" && (len(failures) != 1 || !strings.HasPrefix(failures[0], test.want)) {
				t.Errorf("failures %q, want one that begins with %q", failures, test.want)
			}
		})
	}
}
