package schedule

import (
	"errors"
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/store/storetest"
)

// listed shows occurrences, latest first, page by page.
func (w *world) listed(q OccurrenceQuery) (list []string, pages int) {
	w.t.Helper()
	names := map[Result]string{ResultScheduled: "scheduled", ResultFired: "fired", ResultCaughtUp: "caught up", ResultMerged: "merged",
		ResultSkipped: "skipped"}
	q.Tenant = "acme"
	for {
		page, more, err := w.service.Occurrences(w.t.Context(), q)
		if err != nil {
			w.t.Fatal(err)
		}
		pages++
		for _, o := range page {
			text := o.Nominal.Format("02 15:04:05 ") + names[o.Result]
			if o.Reason != "" {
				text += " " + o.Reason
			}
			if (o.Job == job.ID{}) != o.Effective.IsZero() && o.Result != ResultSkipped {
				w.t.Errorf("%s: job %v, effective %v", text, o.Job, o.Effective)
			}
			list = append(list, text)
		}
		if more.IsZero() {
			return list, pages
		}
		q.Before = more
	}
}

// P-MIS-01: a day of downtime leaves 144 instants on record, of which 143 did not run.
func TestOccurrences_ShowEveryMissedInstant(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-01-04T23:59:45Z")
	w.create("ten", "*/10 * * * *", "")
	w.step() // makes 00:00 of the 5th
	w.set("2026-01-06T00:03:00Z")
	w.step()
	list, pages := w.listed(OccurrenceQuery{Name: "ten", Limit: 50})
	if len(list) != 145 || pages != 3 {
		t.Fatalf("%d occurrences on %d pages, want 145 on 3", len(list), pages)
	}
	w.want("both ends", []string{list[0], list[1], list[143], list[144]}, "06 00:00:00 caught up", "05 23:50:00 merged",
		"05 00:10:00 merged", "05 00:00:00 fired")
	page, _, err := w.service.Occurrences(t.Context(), OccurrenceQuery{Tenant: "acme", Name: "ten", Limit: 1})
	if err != nil || page[0].Late < 2*time.Minute+59*time.Second || page[0].Late > 4*time.Minute {
		t.Errorf("late by %v (%v), want some 3 minutes", page[0].Late, err)
	}
	got, _ := w.listed(OccurrenceQuery{Name: "ten", Limit: 2, From: utc(t, "2026-01-05T12:00:00Z"), Before: utc(t, "2026-01-05T12:30:00Z")})
	w.want("half an hour", got, "05 12:20:00 merged", "05 12:10:00 merged", "05 12:00:00 merged")
	got, _ = w.listed(OccurrenceQuery{Name: "ten", Limit: 9, Results: []Result{ResultFired, ResultCaughtUp}})
	w.want("what ran", got, "06 00:00:00 caught up", "05 00:00:00 fired")
}

func TestOccurrences_AfterAnEdit_AreThoseOfTheRuleOfTheirTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T09:00:10Z")
	w.createAs("edited", "* * * * *", func(d *Draft) { d.Policy.Missed = SkipMissed })
	w.set("2026-05-04T09:05:10Z")
	w.step()
	w.edit("edited", func(d *Draft) { d.Rule.Cron = "0 * * * *" })
	w.set("2026-05-04T12:00:30Z")
	w.step()
	list, _ := w.listed(OccurrenceQuery{Name: "edited", Limit: 2})
	w.want("ledger", list, "04 12:00:00 skipped MISSED", "04 11:00:00 skipped MISSED", "04 10:00:00 skipped MISSED",
		"04 09:05:00 skipped MISSED", "04 09:04:00 skipped MISSED", "04 09:03:00 skipped MISSED",
		"04 09:02:00 skipped MISSED", "04 09:01:00 skipped MISSED")
}

func TestOccurrences_ShowWhatExcludedDaysLeaveOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-01T12:00:00Z") // a Friday
	w.createAs("workdays", "0 9 * * *", func(d *Draft) { d.Rule.Exclude = []string{"SAT", "SUN"} })
	w.set("2026-05-06T08:59:45Z") // everything from Saturday to Tuesday was missed
	w.step()
	list, _ := w.listed(OccurrenceQuery{Name: "workdays", Limit: 3})
	w.want("ledger", list, "06 09:00:00 scheduled", "05 09:00:00 caught up", "04 09:00:00 merged",
		"03 09:00:00 skipped EXCLUDED_DATE", "02 09:00:00 skipped EXCLUDED_DATE")
	w.set("2026-05-09T10:00:00Z")
	w.step()
	got, _ := w.listed(OccurrenceQuery{Name: "workdays", Limit: 1, From: utc(t, "2026-05-08T00:00:00Z")})
	w.want("Saturday", got, "09 09:00:00 skipped EXCLUDED_DATE", "08 09:00:00 caught up")
}

// A run of millions costs what a page of it costs.
func TestOccurrences_OfAHugeRun_CostAPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-01-01T00:00:10Z")
	w.createAs("seconds", "* * * * * *", func(d *Draft) { d.Policy.Missed = SkipMissed })
	w.set("2026-07-01T00:00:10Z")
	w.step()
	page, more, err := w.service.Occurrences(t.Context(), OccurrenceQuery{Tenant: "acme", Name: "seconds", Limit: 50,
		Before: utc(t, "2026-04-01T00:00:00Z")})
	if err != nil || len(page) != 50 || !more.Equal(page[49].Nominal) {
		t.Fatalf("%d occurrences, more %v (%v)", len(page), more, err)
	}
	for i, o := range page {
		if want := utc(t, "2026-04-01T00:00:00Z").Add(-time.Duration(i+1) * time.Second); !o.Nominal.Equal(want) || o.Reason != "MISSED" {
			t.Fatalf("occurrence %d is %v %s, want %v MISSED", i, o.Nominal, o.Reason, want)
		}
	}
}

// A filter is asked of a run, not of each of its millions.
func TestOccurrences_OfOtherOutcomes_PassOverRunsAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-01-01T00:00:10Z")
	v := w.create("seconds", "* * * * * *", "")
	w.step()
	w.set("2026-07-01T00:00:10Z")
	w.step()
	list, pages := w.listed(OccurrenceQuery{Name: "seconds", Limit: 1000, Results: []Result{ResultFired, ResultSkipped},
		Before: utc(t, "2026-06-30T00:00:00Z")})
	if pages != 1 || len(list) == 0 || list[len(list)-1] != v.Next.Format("02 15:04:05")+" fired" {
		t.Errorf("%d occurrences on %d pages, want those of January's first seconds on one", len(list), pages)
	}
	w.createAs("workdays", "0 9 * * *", func(d *Draft) { d.Rule.Exclude = []string{"SAT", "SUN"} })
	w.set("2026-07-07T10:00:00Z") // from Wednesday over a weekend to Tuesday
	w.step()
	list, _ = w.listed(OccurrenceQuery{Name: "workdays", Limit: 9, Results: []Result{ResultSkipped}})
	w.want("days left out of a merged run", list, "05 09:00:00 skipped EXCLUDED_DATE", "04 09:00:00 skipped EXCLUDED_DATE")
}

// P-MIS-02: each of the 21,600 missed minutes can be read, with its reason.
func TestOccurrences_AfterHalfAMonthOfPause_ShowEachSkip(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-01-01T00:00:30Z")
	w.createAs("skip", "* * * * *", func(d *Draft) { d.Policy.Missed = SkipMissed })
	w.pause("skip")
	w.set("2026-01-16T00:00:30Z")
	w.resume("skip")
	w.step()
	list, pages := w.listed(OccurrenceQuery{Name: "skip", Limit: 1000, Results: []Result{ResultSkipped}})
	if len(list) != 21_600 || pages != 22 {
		t.Fatalf("%d skips on %d pages, want 21600 on 22", len(list), pages)
	}
	w.want("both ends", []string{list[0], list[len(list)-1]}, "16 00:00:00 skipped MISSED", "01 00:01:00 skipped MISSED")
	list, _ = w.listed(OccurrenceQuery{Name: "skip", Limit: 9, Results: []Result{ResultScheduled, ResultFired, ResultCaughtUp}})
	w.want("what runs", list, "16 00:01:00 scheduled")
}

func TestOccurrences_TakenBackByAPause_AreSkippedAndKeepTheirJob(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T08:59:45Z")
	w.create("nine", "0 9 * * *", "")
	w.step()
	w.pause("nine")
	page, more, err := w.service.Occurrences(t.Context(), OccurrenceQuery{Tenant: "acme", Name: "nine", Limit: 9})
	if err != nil || len(page) != 1 || !more.IsZero() {
		t.Fatalf("%v, more %v (%v)", page, more, err)
	}
	if o := page[0]; o.Result != ResultSkipped || o.Reason != job.ReasonWithdrawn || o.Job.IsZero() || !o.Effective.IsZero() || o.Late != 0 {
		t.Errorf("taken back: %+v", o)
	}
	if err := w.service.Delete(t.Context(), "acme", "nine", ""); err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.service.Occurrences(t.Context(), OccurrenceQuery{Tenant: "acme", Name: "nine", Limit: 9}); !errors.Is(err, job.ErrNotFound) {
		t.Errorf("of a deleted schedule: %v, want not found", err)
	}
}

// Jitter is no lateness, and a time that jitter still holds back is scheduled.
func TestOccurrences_WithJitter_AreDueSoMuchLater(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T08:00:10Z")
	v := w.createAs("spread", "0 * * * *", func(d *Draft) { d.Rule.Jitter = 20 * time.Minute })
	table, err := readTable(v.Spec, "acme", "spread")
	if err != nil {
		t.Fatal(err)
	}
	w.set(utc(t, "2026-05-04T08:59:40Z").Add(table.Offset(seed("acme", "spread"))).Format(time.RFC3339Nano))
	w.step()
	due := storetest.Value[time.Time](w.db, `SELECT due_at FROM triggers WHERE schedule = $1`, v.ID).UTC()
	if offset := due.Sub(utc(t, "2026-05-04T09:00:00Z")); offset < time.Minute {
		t.Fatalf("offset %v is too small to tell", offset)
	}
	q := OccurrenceQuery{Tenant: "acme", Name: "spread", Limit: 1}
	for _, want := range []Result{ResultScheduled, ResultFired} {
		page, _, err := w.service.Occurrences(t.Context(), q)
		if err != nil || len(page) != 1 {
			t.Fatal(page, err)
		}
		if o := page[0]; o.Result != want || !o.Effective.Equal(due) || o.Late != 0 {
			t.Errorf("%+v, want result %d, due %v, not late", o, want, due)
		}
		w.set(due.Add(time.Second).Format(time.RFC3339Nano))
	}
}

// What cannot be expanded any more is told by its ends.
func TestOccurrences_OfARuleThatCannotBeRead_AreTheEndsOfRuns(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "2026-05-04T09:00:10Z")
	w.createAs("lost", "* * * * *", func(d *Draft) { d.Policy.Missed = SkipMissed })
	w.set("2026-05-04T12:00:10Z")
	w.step()
	for name, spoil := range map[string]string{"of another form": `UPDATE schedule_rules SET spec = '[1]'`,
		"that never fires": `UPDATE schedule_rules SET spec = '{"cron": "at(2020-01-01T00:00:00)"}'`, "gone": `DELETE FROM schedule_rules`} {
		w.db.Exec(spoil)
		list, _ := w.listed(OccurrenceQuery{Name: "lost", Limit: 1, Before: utc(t, "2026-05-04T12:00:01Z")})
		w.want("a rule "+name, list, "04 12:00:00 skipped MISSED", "04 09:01:00 skipped MISSED")
	}
}
