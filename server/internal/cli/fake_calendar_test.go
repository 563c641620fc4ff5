package cli

import (
	"context"
	"time"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
)

// fakeCalendar has the days of January 2026.
func fakeCalendar(name string) *v1.Calendar {
	c := &v1.Calendar{TenantId: "acme", Calendar: name, UpdateTime: noon, Etag: "e-1"}
	for at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC); at.Month() == time.January; at = at.AddDate(0, 0, 1) {
		c.Days = append(c.Days, at.Format(time.DateOnly))
	}
	return c
}

func (s *fakeServer) CreateCalendar(_ context.Context, r *v1.CreateCalendarRequest) (*v1.CreateCalendarResponse, error) {
	return &v1.CreateCalendarResponse{Calendar: r.GetCalendar()}, nil
}

func (s *fakeServer) GetCalendar(_ context.Context, r *v1.GetCalendarRequest) (*v1.GetCalendarResponse, error) {
	return &v1.GetCalendarResponse{Calendar: fakeCalendar(r.GetCalendar())}, nil
}

func (s *fakeServer) ListCalendars(context.Context, *v1.ListCalendarsRequest) (*v1.ListCalendarsResponse, error) {
	return &v1.ListCalendarsResponse{Calendars: []*v1.Calendar{fakeCalendar("holidays")}}, nil
}

func (s *fakeServer) UpdateCalendar(_ context.Context, r *v1.UpdateCalendarRequest) (*v1.UpdateCalendarResponse, error) {
	return &v1.UpdateCalendarResponse{Calendar: r.GetCalendar()}, nil
}

func (s *fakeServer) DeleteCalendar(context.Context, *v1.DeleteCalendarRequest) (*v1.DeleteCalendarResponse, error) {
	return &v1.DeleteCalendarResponse{}, nil
}
