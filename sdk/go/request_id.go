package belfry

import (
	"context"
	"crypto/rand"
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/gen/go/belfry/v1/belfryv1connect"
)

// newRequestID returns 130 random bits as printable text.
func newRequestID() string { return rand.Text() }

// The identified clients give each create a request id, chosen once per call
// and so the same on all attempts. They send a shallow copy of the request:
// an id left in the caller's message would make its next use answer the first
// call's resource. CreateApiKey is left alone: it is not repeated, since its
// secret is in the first answer or nowhere.
type (
	identifiedJobs struct {
		belfryv1connect.JobServiceClient
	}
	identifiedQueues struct {
		belfryv1connect.QueueServiceClient
	}
	identifiedSchedules struct {
		belfryv1connect.ScheduleServiceClient
	}
	identifiedCalendars struct {
		belfryv1connect.CalendarServiceClient
	}
	identifiedTenants struct {
		belfryv1connect.TenantServiceClient
	}
)

func (c identifiedJobs) CreateJob(ctx context.Context, request *v1.CreateJobRequest) (*v1.CreateJobResponse, error) {
	return c.JobServiceClient.CreateJob(ctx, identified(request))
}

func (c identifiedJobs) BatchCreateJobs(ctx context.Context, request *v1.BatchCreateJobsRequest) (*v1.BatchCreateJobsResponse, error) {
	if slices.ContainsFunc(request.GetJobs(), func(job *v1.NewJob) bool { return job.GetRequestId() == "" }) {
		jobs := make([]*v1.NewJob, len(request.GetJobs()))
		for i, job := range request.GetJobs() {
			jobs[i] = identified(job)
		}
		request = shallowCopy(request)
		request.Jobs = jobs
	}
	return c.JobServiceClient.BatchCreateJobs(ctx, request)
}

func (c identifiedQueues) CreateQueue(ctx context.Context, request *v1.CreateQueueRequest) (*v1.CreateQueueResponse, error) {
	return c.QueueServiceClient.CreateQueue(ctx, identified(request))
}

func (c identifiedSchedules) CreateSchedule(ctx context.Context, request *v1.CreateScheduleRequest) (*v1.CreateScheduleResponse, error) {
	return c.ScheduleServiceClient.CreateSchedule(ctx, identified(request))
}

func (c identifiedCalendars) CreateCalendar(ctx context.Context, request *v1.CreateCalendarRequest) (*v1.CreateCalendarResponse, error) {
	return c.CalendarServiceClient.CreateCalendar(ctx, identified(request))
}

func (c identifiedTenants) CreateTenant(ctx context.Context, request *v1.CreateTenantRequest) (*v1.CreateTenantResponse, error) {
	return c.TenantServiceClient.CreateTenant(ctx, identified(request))
}

// identified returns message if it has a request id, else a copy that has one.
func identified[M interface {
	proto.Message
	GetRequestId() string
}](message M) M {
	if message.GetRequestId() != "" {
		return message
	}
	identified := shallowCopy(message)
	reflected := identified.ProtoReflect()
	reflected.Set(reflected.Descriptor().Fields().ByName("request_id"), protoreflect.ValueOfString(newRequestID()))
	return identified
}

// shallowCopy copies the fields of message; what they point to is shared.
func shallowCopy[M proto.Message](message M) M {
	source := message.ProtoReflect()
	copied := source.New()
	source.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		copied.Set(field, value)
		return true
	})
	return copied.Interface().(M) //nolint:forcetypeassert // New makes a message of the same type.
}
