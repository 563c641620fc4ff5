package dispatch

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/belfryhq/belfry/server/internal/job"
)

func tok(n byte, version, claim int64) job.Token {
	return job.Token{ID: job.ID{15: n}, Version: version, ClaimID: claim, Lane: 1}
}

var start = time.Unix(1_700_000_000, 0)

func at(s int) time.Time { return start.Add(time.Duration(s) * time.Second) }

func TestLeaseTable_HeartbeatMovesTheReminder(t *testing.T) {
	t.Parallel()
	lt := newLeaseTable()
	lt.set(tok(1, 2, 7), at(30), 30*time.Second)
	lt.move(tok(1, 2, 7), at(50))
	if got := lt.expired(at(31), 10); len(got) != 0 {
		t.Fatalf("an extended lease came up: %v", got)
	}
	if got := lt.expired(at(51), 10); len(got) != 1 || got[0].Version != 2 || got[0].ClaimID != 7 {
		t.Fatalf("the lease did not come up: %v", got)
	}
}

func TestLeaseTable_AnEarlierEndMovesTheReminderForward(t *testing.T) {
	t.Parallel()
	lt := newLeaseTable()
	lt.set(tok(1, 2, 7), at(300), 300*time.Second)
	lt.move(tok(1, 2, 7), at(30)) // a cancel request
	if got := lt.expired(at(31), 10); len(got) != 1 {
		t.Fatal("the shortened lease did not come up")
	}
}

func TestLeaseTable_AfterAGap_WorkersGetOneHeartbeatInterval(t *testing.T) {
	t.Parallel()
	lt := newLeaseTable()
	lt.set(tok(1, 2, 7), at(30), 30*time.Second)
	lt.hold(at(100)) // contact came back long after the lease had ended
	if got := lt.expired(at(109), 10); len(got) != 0 {
		t.Fatal("rescued before a heartbeat could come")
	}
	if got := lt.expired(at(111), 10); len(got) != 1 {
		t.Fatal("not rescued after the grace")
	}
}

func TestLeaseTable_ClaimBatchIsDoneWithItsLastLease(t *testing.T) {
	t.Parallel()
	lt := newLeaseTable()
	lt.set(tok(1, 2, 7), at(30), time.Second)
	lt.set(tok(2, 2, 7), at(30), time.Second)
	lt.end(tok(1, 2, 7))
	if done := lt.takeDone(); len(done) != 0 {
		t.Fatalf("a batch with an outstanding lease is done: %v", done)
	}
	lt.end(tok(2, 2, 7))
	if done := lt.takeDone(); len(done[0]) != 1 || done[0][0] != 7 {
		t.Fatalf("the batch is not done: %v", done)
	}
}

func TestLeaseTable_TheEndOfAnOlderLeaseChangesNothing(t *testing.T) {
	t.Parallel()
	lt := newLeaseTable()
	lt.set(tok(1, 4, 8), at(30), time.Second)
	lt.end(tok(1, 2, 7))
	lt.move(tok(1, 2, 7), at(90))
	if lt.count() != 1 || len(lt.expired(at(31), 10)) != 1 {
		t.Fatal("a stale call touched the newer lease")
	}
}

// Every lease that is not ended comes up exactly when its latest end has passed, whatever happened in between.
func TestLeaseTable_AgainstAModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		lt := newLeaseTable()
		type held struct {
			version int64
			until   int
		}
		model := map[byte]held{}
		now := 0
		t.Repeat(map[string]func(*rapid.T){
			"claim": func(t *rapid.T) {
				n := rapid.ByteRange(0, 5).Draw(t, "job")
				h := held{version: model[n].version + 2, until: now + rapid.IntRange(1, 20).Draw(t, "lease")}
				model[n] = h
				lt.set(tok(n, h.version, h.version), at(h.until), time.Second)
			},
			"beat": func(t *rapid.T) {
				n := rapid.ByteRange(0, 5).Draw(t, "job")
				if h, ok := model[n]; ok && h.until > 0 {
					h.until = now + rapid.IntRange(1, 20).Draw(t, "lease")
					model[n] = h
					lt.move(tok(n, h.version, h.version), at(h.until))
				}
			},
			"end": func(t *rapid.T) {
				n := rapid.ByteRange(0, 5).Draw(t, "job")
				h := model[n]
				lt.end(tok(n, h.version, h.version))
				model[n] = held{version: h.version}
			},
			"pass": func(t *rapid.T) {
				now += rapid.IntRange(1, 15).Draw(t, "seconds")
				got := map[byte]int64{}
				for _, tk := range lt.expired(at(now), 100) {
					got[tk.ID[15]] = tk.Version
					lt.end(tk)
				}
				for n, h := range model {
					due := h.until > 0 && h.until <= now
					if _, came := got[n]; came != due || due && got[n] != h.version {
						t.Fatalf("job %d due %v (until %d, now %d), came up %v", n, due, h.until, now, came)
					}
					if due {
						model[n] = held{version: h.version}
					}
				}
			},
		})
	})
}
