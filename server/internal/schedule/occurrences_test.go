package schedule

import (
	"testing"
	"time"

	"github.com/belfryhq/belfry/server/internal/job"
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
