package api

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/protobuf/types/known/timestamppb"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/server/internal/recurrence"
	"github.com/belfryhq/belfry/server/internal/schedule"
	"github.com/belfryhq/belfry/server/internal/store"
)

// Calendars looks after calendars; schedule.Service is the real one.
type Calendars interface {
	CreateCalendar(ctx context.Context, n schedule.NewCalendar) (*store.Calendar, error)
	Calendar(ctx context.Context, tenant, name string) (*store.Calendar, error)
	ListCalendars(ctx context.Context, tenant, after string, limit int) ([]*store.Calendar, error)
	UpdateCalendar(ctx context.Context, e schedule.CalendarEdit) (*store.Calendar, error)
	DeleteCalendar(ctx context.Context, tenant, name, etag string) error
}

// CalendarService implements belfry.v1.CalendarService. Its requests have passed the Edge. Safe for concurrent use.
type CalendarService struct{ calendars Calendars }

// NewCalendarService returns a CalendarService.
func NewCalendarService(calendars Calendars) *CalendarService { return &CalendarService{calendars} }

// changeableOfCalendar lists the fields of a calendar that its callers can change.
func changeableOfCalendar() []string { return []string{"days", "description"} }

// statedCalendar shows what a calendar states, and nothing else: what an update is applied to.
func statedCalendar(c *store.Calendar) *belfryv1.Calendar {
	return &belfryv1.Calendar{Calendar: c.Name, Days: c.Days, Description: c.Description}
}

// calendarProto shows a calendar.
func calendarProto(c *store.Calendar) *belfryv1.Calendar {
	out := statedCalendar(c)
	out.TenantId, out.Uid = c.TenantName, c.UID
	if c.UID != "" { // a calendar that was only checked has none of these
		out.CreateTime, out.UpdateTime = timestamppb.New(c.CreateTime), timestamppb.New(c.UpdateTime)
		out.Etag = c.Etag()
	}
	return out
}

// calendarDays checks the days of a calendar.
func (w *walker) calendarDays(field string, days []string) {
	_, err := recurrence.ParseDays(days)
	var refused *recurrence.ParseError
	if errors.As(err, &refused) && len(days) <= recurrence.MaxDayEntries { // more are reported by the rule of the field
		w.wrong(field, "cannot be used: %q: %s; %s", refused.Text, refused.Reason, refused.Hint)
	}
}

// CreateCalendar implements belfryv1connect.CalendarServiceHandler.
func (s *CalendarService) CreateCalendar(ctx context.Context, req *belfryv1.CreateCalendarRequest) (*belfryv1.CreateCalendarResponse, error) {
	c := req.GetCalendar()
	made, err := s.calendars.CreateCalendar(ctx, schedule.NewCalendar{
		Tenant: req.GetTenantId(), Name: c.GetCalendar(), Days: c.GetDays(), Description: c.GetDescription(), RequestID: req.GetRequestId(),
		Fingerprint: fingerprintOf(c.GetCalendar(), c.GetDays(), c.GetDescription()), ValidateOnly: req.GetValidateOnly(),
	})
	if err != nil {
		return nil, err
	}
	return &belfryv1.CreateCalendarResponse{Calendar: calendarProto(made)}, nil
}

// GetCalendar implements belfryv1connect.CalendarServiceHandler.
func (s *CalendarService) GetCalendar(ctx context.Context, req *belfryv1.GetCalendarRequest) (*belfryv1.GetCalendarResponse, error) {
	found, err := s.calendars.Calendar(ctx, req.GetTenantId(), req.GetCalendar())
	if err != nil {
		return nil, err
	}
	return &belfryv1.GetCalendarResponse{Calendar: calendarProto(found)}, nil
}

// ListCalendars implements belfryv1connect.CalendarServiceHandler.
func (s *CalendarService) ListCalendars(ctx context.Context, req *belfryv1.ListCalendarsRequest) (*belfryv1.ListCalendarsResponse, error) {
	filter := newListFilter("ListCalendars", req.GetTenantId())
	after, err := decodePageToken(req.GetPageToken(), filter)
	if err != nil {
		return nil, err
	}
	size := pageSize(req.GetPageSize())
	list, err := s.calendars.ListCalendars(ctx, req.GetTenantId(), string(after), size+1)
	if err != nil {
		return nil, err
	}
	out := &belfryv1.ListCalendarsResponse{}
	if len(list) > size {
		list = list[:size]
		out.NextPageToken = encodePageToken(filter, []byte(list[size-1].Name))
	}
	for _, c := range list {
		out.Calendars = append(out.Calendars, calendarProto(c))
	}
	return out, nil
}

// UpdateCalendar implements belfryv1connect.CalendarServiceHandler.
func (s *CalendarService) UpdateCalendar(ctx context.Context, req *belfryv1.UpdateCalendarRequest) (*belfryv1.UpdateCalendarResponse, error) {
	paths, err := maskPaths(req.GetCalendar(), req.GetUpdateMask(), changeableOfCalendar())
	if err != nil {
		return nil, err
	}
	edit := schedule.CalendarEdit{
		Tenant: req.GetTenantId(), Name: req.GetCalendar().GetCalendar(), Etag: req.GetCalendar().GetEtag(),
		ValidateOnly: req.GetValidateOnly(),
		Change: func(c *store.Calendar) {
			whole := statedCalendar(c)
			applyMask(whole, req.GetCalendar(), paths)
			c.Days, c.Description = whole.GetDays(), whole.GetDescription()
		},
	}
	for range changeTries {
		changed, err := s.calendars.UpdateCalendar(ctx, edit)
		if req.GetAllowMissing() && isMissingCalendar(err) {
			if edit.Etag != "" { // it belongs to a calendar that is not there any more
				return nil, job.EtagMismatch(job.SubjectCalendar, edit.Name)
			}
			if changed, err = s.createMissing(ctx, req); errors.Is(err, job.ErrAlreadyExists) {
				continue // somebody was quicker
			}
		}
		if err != nil {
			return nil, err
		}
		return &belfryv1.UpdateCalendarResponse{Calendar: calendarProto(changed)}, nil
	}
	return nil, errOvertaken(job.ErrAlreadyExists)
}

// isMissingCalendar reports whether err says that the calendar itself is not there, rather than its tenant.
func isMissingCalendar(err error) bool {
	e, ok := job.AsError(err)
	return ok && e.Kind == job.ErrNotFound && e.Subject == job.SubjectCalendar
}

// createMissing makes the calendar that an update found missing.
func (s *CalendarService) createMissing(ctx context.Context, req *belfryv1.UpdateCalendarRequest) (*store.Calendar, error) {
	c := req.GetCalendar()
	made, err := s.calendars.CreateCalendar(ctx, schedule.NewCalendar{Tenant: req.GetTenantId(), Name: c.GetCalendar(), Days: c.GetDays(),
		Description: c.GetDescription(), ValidateOnly: req.GetValidateOnly()})
	if err != nil {
		return nil, fmt.Errorf("make calendar that is missing: %w", err)
	}
	return made, nil
}

// DeleteCalendar implements belfryv1connect.CalendarServiceHandler.
func (s *CalendarService) DeleteCalendar(ctx context.Context, req *belfryv1.DeleteCalendarRequest) (*belfryv1.DeleteCalendarResponse, error) {
	if err := s.calendars.DeleteCalendar(ctx, req.GetTenantId(), req.GetCalendar(), req.GetEtag()); err != nil {
		return nil, err
	}
	return &belfryv1.DeleteCalendarResponse{}, nil
}
