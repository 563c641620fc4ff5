package api

import (
	"net/http"
	"strings"

	"connectrpc.com/connect"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/belfryhq/belfry/server/internal/job"
	"github.com/belfryhq/belfry/tenancy"
)

// settleTenant writes the tenant that the call is about into tenant_id, so that no handler can forget whose call it is.
func settleTenant(p tenancy.Principal, rule tenancy.TenantRule, m protoreflect.Message) error {
	fd := m.Descriptor().Fields().ByName("tenant_id")
	if fd == nil || rule == tenancy.NoTenant {
		return nil
	}
	requested := m.Get(fd).String()
	if requested == "" && p.Platform && rule == tenancy.TenantOrPlatform {
		return nil
	}
	name, err := tenancy.ResolveTenant(p, requested, rule == tenancy.TenantOrAll)
	if err != nil {
		return err
	}
	m.Set(fd, protoreflect.ValueOfString(name))
	return nil
}

// headerIdempotencyKey is the HTTP spelling of request_id.
const headerIdempotencyKey = "Idempotency-Key"

// takeRequestID copies the header Idempotency-Key into request_id. Methods that have no use for it ignore it, since
// clients may send it with everything; but a batch, whose items have ids of their own, must not seem safe to repeat.
func takeRequestID(header http.Header, m protoreflect.Message) error {
	values := header.Values(headerIdempotencyKey)
	if len(values) == 0 {
		return nil
	}
	fd := m.Descriptor().Fields().ByName("request_id")
	if fd == nil {
		if jobs := m.Descriptor().Fields().ByName("jobs"); jobs != nil {
			return job.Invalid(headerIdempotencyKey, "does not apply to a batch; set request_id of each item (jobs[0].request_id) instead")
		}
		return nil
	}
	id := unquoted(values[0])
	if len(values) > 1 || id == "" {
		return job.Invalid(headerIdempotencyKey, "must be one header with one id of 1–128 printable ASCII characters")
	}
	if given := m.Get(fd).String(); given != "" && given != id {
		return job.Invalid("request_id", "differs from the header Idempotency-Key, which is the same thing; send one of them")
	}
	m.Set(fd, protoreflect.ValueOfString(id))
	return nil
}

// unquoted takes the quotes off: as a structured field (RFC 9651) the id is a quoted string, and many clients send it bare.
func unquoted(s string) string {
	s = strings.TrimSpace(s)
	if len(s) >= 2 && s[0] == '"' && s[len(s)-1] == '"' {
		return s[1 : len(s)-1]
	}
	return s
}

// maxTrailerViolations bounds field violations over gRPC, in bytes. Details travel in trailers there, as base 64 in one
// header line, and clients on the C core (Python, Ruby, PHP) refuse more than 8 KiB of header lines.
const maxTrailerViolations = 3000

// fitTrailers shortens the field violations of err to what fits in trailers; the last one then says how many are left out
// and where the first of them is.
func fitTrailers(err *connect.Error) *connect.Error {
	short := connect.NewError(err.Code(), err.Unwrap())
	for name, values := range err.Meta() {
		short.Meta()[name] = values
	}
	for _, detail := range err.Details() {
		value, failed := detail.Value()
		if bad, ok := value.(*errdetails.BadRequest); ok && failed == nil {
			cutViolations(bad)
			addDetail(short, bad)
			continue
		}
		short.AddDetail(detail)
	}
	return short
}

func cutViolations(bad *errdetails.BadRequest) {
	all, size := bad.GetFieldViolations(), 0
	for i, v := range all {
		if size += proto.Size(v); size <= maxTrailerViolations {
			continue
		}
		fields := make([]string, 0, len(all)-i)
		for _, left := range all[i:] {
			fields = append(fields, left.GetField())
		}
		bad.FieldViolations = append(all[:i:i], &errdetails.BadRequest_FieldViolation{
			Field:       all[i].GetField(),
			Description: "is wrong too, and so are: " + clipTo(strings.Join(fields[1:], ", "), maxTrailerViolations/2),
		})
		return
	}
}
