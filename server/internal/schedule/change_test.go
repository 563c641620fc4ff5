package schedule

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
)

// claim leases all jobs of a schedule that are due, as a worker would get them.
func (w *world) claim(v View) int {
	w.t.Helper()
	owned, err := w.store.TakePartitions(w.t.Context(), "test", time.Minute)
	if err == nil && len(owned) == 0 {
		owned, err = w.store.RenewPartitions(w.t.Context(), "test", time.Minute)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	batch := &store.ClaimBatch{Part: v.Part, ClaimID: time.Now().UnixNano()}
	for _, p := range owned {
		if p.Part == v.Part {
			batch.Epoch, batch.Config = p.Epoch, p.Config
		}
	}
	for _, e := range w.hints.entries() {
		batch.Items = append(batch.Items, store.ClaimItem{ID: e.ID, Version: e.Version, Lease: time.Minute, Timeout: time.Hour, Worker: "w"})
	}
	if err := w.store.Commit(w.t.Context(), &store.HotTx{Claims: []*store.ClaimBatch{batch}}); err != nil {
		w.t.Fatal(err)
	}
	return len(batch.Rows)
}

func TestCreate_RefusesWhatCannotWork(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T09:00:10Z")
	w.create("taken", "0 9 * * *", "")
	for name, c := range map[string]struct {
		name  string
		draft Draft
		says  string
	}{
		"a day that does not exist": {draft: draft("0 0 30 2 *", ""), says: "never fires"},
		"P-API-02: 31 February":     {draft: draft("0 0 31 2 *", ""), says: "never fires"},
		"P-API-02: a year past":     {draft: draft("0 0 0 1 1 ? 2021", ""), says: "never fires"},
		"an unknown zone":           {draft: draft("0 9 * * *", "Europe/Berlino"), says: "not in the time zone database"},
		"not a rule":                {draft: draft("every day", ""), says: "fields"},
		"too large a minute":        {draft: draft("61 * * * *", ""), says: "minute"},
	} {
		_, err := w.service.Create(t.Context(), NewCall{Tenant: "acme", Name: "new", Draft: c.draft})
		var refused *RuleError
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want a refusal that says %q", name, err, c.says)
		} else if want := strings.Contains(name, "zone"); refused.Zone != want {
			t.Errorf("%s: blamed on the zone = %v", name, refused.Zone)
		}
	}
	if _, err := w.service.Create(t.Context(), NewCall{Tenant: "acme", Name: "taken", Draft: draft("0 9 * * *", "")}); !errors.Is(err, job.ErrAlreadyExists) {
		t.Errorf("a taken name: %v", err)
	}
	elsewhere := draft("0 9 * * *", "")
	elsewhere.Template.Queue = "werk"
	if _, err := w.service.Create(t.Context(), NewCall{Tenant: "acme", Name: "new", Draft: elsewhere}); !errors.Is(err, job.ErrNotFound) {
		t.Errorf("a queue that is not there: %v", err)
	}
	if _, err := w.service.Create(t.Context(), NewCall{Tenant: "other", Name: "new", Draft: draft("0 9 * * *", "")}); !errors.Is(err, job.ErrNotFound) {
		t.Errorf("an unknown tenant: %v", err)
	}
	if n := storetest.Value[int](w.db, "SELECT count(*) FROM schedules"); n != 1 {
		t.Errorf("%d schedules are stored", n)
	}
}

func TestCreate_ValidateOnly_StoresNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T09:00:10Z")
	w.db.Exec("UPDATE tenants SET auto_create_queues = true")
	w.tenant.AutoCreateQueues = true
	w.catalog.AddTenant(w.tenant)
	d := draft("0 9 * * *", "Asia/Tokyo")
	d.Template.Queue = "by-itself"
	v, err := w.service.Create(t.Context(), NewCall{Tenant: "acme", Name: "new", Draft: d, ValidateOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	if !v.Next.Equal(utc(t, "2026-05-05T00:00:00Z")) || v.Words != "At 09:00 every day, Asia/Tokyo" {
		t.Errorf("next %v, %q", v.Next, v.Words)
	}
	if n := storetest.Value[int](w.db, "SELECT (SELECT count(*) FROM schedules) + (SELECT count(*) FROM queues WHERE name = 'by-itself')"); n != 0 {
		t.Errorf("%d rows were stored", n)
	}
	if _, err := w.service.Create(t.Context(), NewCall{Tenant: "acme", Name: "new", Draft: d}); err != nil {
		t.Errorf("with a queue that appears by itself: %v", err)
	}
}

func TestCreate_RepeatedWithItsRequestID_AnswersTheSameSchedule(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T09:00:10Z")
	call := NewCall{Tenant: "acme", Name: "once", Draft: draft("0 9 * * *", ""), RequestID: "r1"}
	first, err := w.service.Create(t.Context(), call)
	if err != nil {
		t.Fatal(err)
	}
	again, err := w.service.Create(t.Context(), call)
	if err != nil || again.UID != first.UID {
		t.Errorf("repeated: %v, %v", again, err)
	}
	call.Draft.Description = "other"
	if _, err := w.service.Create(t.Context(), call); !errors.Is(err, job.ErrRequestIDReused) {
		t.Errorf("with another body: %v", err)
	}
}

func TestPause_TakesBackWhatNoWorkerHasHad(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T08:59:45Z")
	v := w.create("minutely", "* * * * *", "")
	w.step()
	w.set("2026-05-04T09:00:35Z")
	w.step()
	if n := w.claim(v); n != 1 {
		t.Fatalf("%d jobs leased, want that of 09:00", n)
	}
	paused := w.pause("minutely")
	if !paused.Paused || !paused.Next.IsZero() || paused.Revision != 2 {
		t.Errorf("paused: %+v", paused)
	}
	w.want("jobs that wait", w.waiting(v))
	w.want("ledger", w.ledger(v), "materialised 04 09:00:00", "withdrawn 04 09:01:00 SCHEDULE_CHANGED")
	w.set("2026-05-04T09:01:10Z")
	if n := w.claim(v); n != 0 {
		t.Errorf("%d jobs were leased after the pause had answered", n)
	}
	w.step()
	w.want("ledger while paused", w.ledger(v), "materialised 04 09:00:00", "withdrawn 04 09:01:00 SCHEDULE_CHANGED")
	gone, err := w.store.EndedJobs(t.Context(), []job.ID{w.hints.entries()[1].ID})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range gone {
		if row.State != job.Cancelled || row.Reason != job.ReasonWithdrawn {
			t.Errorf("the withdrawn job is %v with reason %q", row.State, row.Reason)
		}
	}
	if len(gone) != 1 {
		t.Errorf("the withdrawn job cannot be found any more")
	}
}

// What was leased out of order bounds how far the cursor goes back: nothing at or before it is decided on again.
func TestPause_BehindALeasedOccurrence_DoesNotGoBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T08:59:45Z")
	v := w.create("minutely", "* * * * *", "")
	w.step()
	w.set("2026-05-04T09:00:40Z")
	w.step()
	w.set("2026-05-04T09:01:05Z")
	w.hints.drop(1)
	if n := w.claim(v); n != 1 {
		t.Fatalf("%d jobs leased, want that of 09:01 alone", n)
	}
	w.pause("minutely")
	w.resume("minutely")
	w.step()
	w.want("ledger", w.ledger(v), "withdrawn 04 09:00:00 SCHEDULE_CHANGED", "materialised 04 09:01:00")
	w.want("jobs that wait", w.waiting(v))
}

func TestResume_BeforeTheNominalTime_MakesTheJobAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T08:59:40Z")
	v := w.create("daily", "0 9 * * *", "")
	w.step()
	w.pause("daily")
	w.want("while paused", w.ledger(v), "withdrawn 04 09:00:00 SCHEDULE_CHANGED")
	w.resume("daily")
	w.step()
	w.want("resumed", w.ledger(v), "materialised 04 09:00:00")
	w.want("jobs", w.waiting(v), "04 09:00:00")
	offered := w.hints.entries()
	if len(offered) != 2 || offered[0].ID == offered[1].ID {
		t.Errorf("the job that was made again has the id of the one taken back: %+v", offered)
	}
}

func TestResume_LateWithinTheTolerance_IsOnTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T08:59:40Z")
	v := w.create("daily", "0 9 * * *", "")
	w.pause("daily")
	w.set("2026-05-04T09:00:50Z")
	w.resume("daily")
	w.step()
	w.want("ledger", w.ledger(v), "materialised 04 09:00:00")
}

func TestResume_LateBeyondTheTolerance_CatchesUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T08:59:40Z")
	v := w.create("half-hourly", "*/30 * * * *", "")
	w.step()
	w.pause("half-hourly")
	w.set("2026-05-04T11:05:00Z")
	w.resume("half-hourly")
	w.step()
	w.want("ledger", w.ledger(v), "merged 04 09:00:00–04 10:30:00 (4)", "caught up 04 11:00:00")
}

func TestPause_Repeated_ChangesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	w.create("daily", "0 9 * * *", "")
	first := w.pause("daily")
	if again := w.pause("daily"); again.Revision != first.Revision {
		t.Errorf("revision %d after the second pause, %d after the first", again.Revision, first.Revision)
	}
	up := w.resume("daily")
	if again := w.resume("daily"); again.Revision != up.Revision || up.Revision != first.Revision+1 {
		t.Errorf("revisions %d, %d", up.Revision, again.Revision)
	}
}

// P-TZ-03.
func TestUpdate_OfTheZone_CountsFromNow(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-01-10T03:00:00Z")
	v := w.create("daily", "0 9 * * *", "")
	w.step()
	got := w.edit("daily", func(d *Draft) { d.Rule.TimeZone = "Asia/Tokyo" })
	if !got.Next.Equal(utc(t, "2026-01-11T00:00:00Z")) {
		t.Errorf("next %v, want 2026-01-11T00:00:00Z", got.Next)
	}
	w.step()
	w.want("ledger", w.ledger(v))
	w.set("2026-01-10T09:05:00Z")
	w.step()
	w.want("ledger after the old time", w.ledger(v))
	w.set("2026-01-10T23:59:50Z")
	w.step()
	w.want("ledger at the new time", w.ledger(v), "materialised 11 00:00:00")
}

func TestUpdate_OfTheRule_TakesBackTheOldOccurrence(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T08:59:40Z")
	v := w.create("daily", "0 9 * * *", "")
	w.step()
	got := w.edit("daily", func(d *Draft) { d.Rule.Cron = "10 9 * * *" })
	if got.Etag() == v.Etag() || !got.Next.Equal(utc(t, "2026-05-04T09:10:00Z")) {
		t.Errorf("etag %s, next %v", got.Etag(), got.Next)
	}
	w.want("ledger", w.ledger(v), "withdrawn 04 09:00:00 SCHEDULE_CHANGED")
	w.set("2026-05-04T09:09:45Z")
	w.step()
	w.want("ledger", w.ledger(v), "withdrawn 04 09:00:00 SCHEDULE_CHANGED", "materialised 04 09:10:00")
	w.want("jobs", w.waiting(v), "04 09:10:00")
}

func TestUpdate_OfTheRule_RecordsWhatWillNotComeAnyMore(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T08:00:10Z")
	v := w.create("minutely", "* * * * *", "")
	w.pause("minutely")
	w.set("2026-05-04T09:00:10Z")
	w.edit("minutely", func(d *Draft) { d.Rule.Cron = "0 12 * * *" })
	w.resume("minutely")
	w.step()
	w.want("ledger", w.ledger(v), "skipped 04 08:01:00–04 09:00:00 (60) SCHEDULE_CHANGED")
}

func TestUpdate_OfTheTemplate_MakesTheOccurrenceAnew(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T08:59:40Z")
	v := w.create("daily", "0 9 * * *", "")
	w.step()
	w.edit("daily", func(d *Draft) { d.Template.Priority = 1 })
	w.step()
	w.want("ledger", w.ledger(v), "materialised 04 09:00:00")
	w.want("jobs", w.waiting(v), "04 09:00:00")
	if p := storetest.Value[int](w.db, "SELECT priority FROM triggers WHERE schedule = $1", v.ID); p != 1 {
		t.Errorf("the job has priority %d", p)
	}
}

func TestUpdate_ToAnotherQueue_MovesOccurrencesAndKeepsTheLedger(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T08:59:40Z")
	v := w.create("minutely", "* * * * *", "")
	w.step()
	name := "elsewhere"
	for job.PartOf("acme", name, w.store.Partitions()) == v.Part {
		name += "x"
	}
	if _, _, err := w.store.CreateQueue(t.Context(), store.NewQueue{Tenant: w.tenant.ID, TenantName: "acme", Name: name}); err != nil {
		t.Fatal(err)
	}
	got := w.edit("minutely", func(d *Draft) { d.Template.Queue = name })
	if got.Part == v.Part || got.Home != v.Home {
		t.Errorf("partition %d, ledger %d; they were %d, %d", got.Part, got.Home, v.Part, v.Home)
	}
	w.step()
	w.want("ledger", w.ledger(v), "materialised 04 09:00:00")
	if part := storetest.Value[int16](w.db, "SELECT part FROM triggers WHERE schedule = $1", v.ID); part != got.Part {
		t.Errorf("the job is in partition %d, want %d", part, got.Part)
	}
}

func TestUpdate_OfTheDescription_LeavesOccurrencesAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T08:59:40Z")
	v := w.create("daily", "0 9 * * *", "")
	w.step()
	got := w.edit("daily", func(d *Draft) { d.Description = "rings" })
	w.step()
	w.want("ledger", w.ledger(v), "materialised 04 09:00:00")
	if len(w.hints.entries()) != 1 || got.Revision != 2 {
		t.Errorf("%d jobs made, revision %d", len(w.hints.entries()), got.Revision)
	}
	if same := w.edit("daily", func(*Draft) {}); same.Revision != 2 || !same.UpdateTime.Equal(got.UpdateTime) {
		t.Errorf("an update that changes nothing changed %+v", same)
	}
}

func TestUpdate_WithAStaleEtag_IsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	v := w.create("daily", "0 9 * * *", "")
	w.edit("daily", func(d *Draft) { d.Description = "other" })
	_, err := w.service.Update(t.Context(), Edit{Tenant: "acme", Name: "daily", Etag: v.Etag(), Change: func(View) (Draft, error) {
		t.Error("a change was asked for under a stale etag")
		return Draft{}, nil
	}})
	if !errors.Is(err, job.ErrEtagMismatch) {
		t.Errorf("update: %v", err)
	}
	if err := w.service.Delete(t.Context(), "acme", "daily", v.Etag()); !errors.Is(err, job.ErrEtagMismatch) {
		t.Errorf("delete: %v", err)
	}
}

func TestUpdate_ComingSecond_IsDecidedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	w.create("daily", "0 9 * * *", "")
	calls := 0
	w.edit("daily", func(d *Draft) {
		if calls++; calls == 1 {
			w.pause("daily") // comes between the reading and the writing
		}
		d.Description = "rings"
	})
	if got := w.get("daily"); calls != 2 || !got.Paused || got.Description != "rings" {
		t.Errorf("%d decisions, %+v", calls, got)
	}
}

func TestDelete_TakesBackWhatNoWorkerHasHad_AndFreesTheName(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T08:59:45Z")
	v := w.create("daily", "0 9 * * *", "")
	w.step()
	if err := w.service.Delete(t.Context(), "acme", "daily", v.Etag()); err != nil {
		t.Fatal(err)
	}
	w.want("jobs", w.waiting(v))
	w.want("ledger", w.ledger(v), "withdrawn 04 09:00:00 SCHEDULE_CHANGED")
	if _, err := w.service.Get(t.Context(), "acme", "daily"); !errors.Is(err, job.ErrNotFound) {
		t.Errorf("get: %v", err)
	}
	if err := w.service.Delete(t.Context(), "acme", "daily", ""); !errors.Is(err, job.ErrNotFound) {
		t.Errorf("delete again: %v", err)
	}
	again := w.create("daily", "0 9 * * *", "")
	w.step()
	if again.UID == v.UID {
		t.Error("the new schedule has the uid of the old one")
	}
	w.want("ledger of the new one", w.ledger(again), "materialised 04 09:00:00")
}

// What a worker has had goes on: a failed attempt of an occurrence is tried again although the schedule is paused.
func TestPause_LeavesRetriesAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T08:59:45Z")
	v := w.create("minutely", "* * * * *", "")
	w.step()
	w.set("2026-05-04T09:00:05Z")
	if n := w.claim(v); n != 1 {
		t.Fatalf("%d jobs leased", n)
	}
	w.db.Exec("UPDATE triggers SET state = 1, version = version + 1 WHERE schedule = $1", v.ID)
	w.pause("minutely")
	if n := storetest.Value[int](w.db, "SELECT count(*) FROM triggers WHERE schedule = $1", v.ID); n != 1 {
		t.Errorf("%d jobs are left, want the one that is tried again", n)
	}
}

// P-OBS-04: what is materialised ahead does not show as the past, nor as passed over.
func TestGet_ShowsTheNextAndTheLatestByTheClock(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T08:59:40Z")
	w.create("minutely", "* * * * *", "")
	w.step()
	if got := w.get("minutely"); !got.Next.Equal(utc(t, "2026-05-04T09:00:00Z")) || !got.Last.IsZero() {
		t.Errorf("before the first: next %v, last %v", got.Next, got.Last)
	}
	w.set("2026-05-04T09:00:40Z")
	w.step()
	got := w.get("minutely")
	if !got.Next.Equal(utc(t, "2026-05-04T09:01:00Z")) || !got.Last.Equal(utc(t, "2026-05-04T09:00:00Z")) {
		t.Errorf("after the first: next %v, last %v", got.Next, got.Last)
	}
	if first := w.hints.entries()[0].ID; got.LastJob != first {
		t.Errorf("last job %v, want %v", got.LastJob, first)
	}
	other, err := w.db.Open().ScheduleByName(t.Context(), w.tenant.ID, "minutely")
	if err != nil || !viewOf(other).Next.Equal(got.Next) || other.LastJob != got.LastJob {
		t.Errorf("another node shows %+v, %v", other, err)
	}
}

func TestList_IsByNameWithoutPayloads(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	for _, name := range []string{"c", "a", "b"} {
		w.create(name, "0 9 * * *", "")
	}
	page, err := w.service.List(t.Context(), "acme", "", 2)
	if err != nil || len(page) != 2 || page[0].Name != "a" || page[1].Name != "b" {
		t.Fatalf("first page %v, %v", page, err)
	}
	if len(page[0].Template.Payload) != 0 || len(page[0].Template.Body) == 0 {
		t.Errorf("payload %q, rest %q", page[0].Template.Payload, page[0].Template.Body)
	}
	page, err = w.service.List(t.Context(), "acme", "b", 2)
	if err != nil || len(page) != 1 || page[0].Name != "c" {
		t.Errorf("second page %v, %v", page, err)
	}
}

// P-MIS-03: the anchor of an interval is stored, and neither restarts nor edits of other fields move it.
func TestInterval_IsMeasuredFromItsCreation(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-01-01T00:00:00Z")
	v := w.create("weekly", "rate(7 days)", "")
	for _, day := range []string{"03", "05", "07"} {
		w.set("2026-01-" + day + "T03:00:00Z")
		w.m = w.node(w.store)
		w.step()
	}
	w.pause("weekly")
	w.resume("weekly")
	w.edit("weekly", func(d *Draft) { d.Description = "still weekly" })
	w.set("2026-01-07T23:59:45Z")
	w.step()
	if n := len(w.ledger(v)); n != 1 || !strings.HasPrefix(w.ledger(v)[0], "materialised 08 00:00:0") {
		t.Errorf("ledger %q", w.ledger(v))
	}
	got := w.edit("weekly", func(d *Draft) { d.Rule.Cron = "rate(2 days)" })
	if next := utc(t, "2026-01-09T23:59:45Z"); got.Next.Before(next) || got.Next.After(next.Add(10*time.Second)) {
		t.Errorf("after the edit of the rule next is %v, want two days from now", got.Next)
	}
}
