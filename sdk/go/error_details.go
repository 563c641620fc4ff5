package belfry

import (
	"time"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
)

// errorDomain is the ErrorInfo.domain of reasons that are Belfry's.
const errorDomain = "belfry"

// addDetail reads one detail of an error by the field numbers of
// google/rpc/error_details.proto, which are fixed for good. Reading four
// fields by hand spares every user of the SDK a dependency on the generated
// code of all Google APIs. Details that are unknown or damaged are skipped:
// code and message still say what happened.
func (e *Error) addDetail(name string, data []byte) {
	switch name {
	case "google.rpc.ErrorInfo":
		info := stringFields(data)
		if info[2] == errorDomain {
			e.Reason = Reason(info[1])
		}
	case "google.rpc.BadRequest":
		eachBytes(data, func(field protowire.Number, value []byte) {
			if field == 1 {
				violation := stringFields(value)
				e.FieldViolations = append(e.FieldViolations, FieldViolation{Field: violation[1], Description: violation[2]})
			}
		})
	case "google.rpc.RetryInfo":
		eachBytes(data, func(field protowire.Number, value []byte) {
			var delay durationpb.Duration
			if field == 1 && proto.Unmarshal(value, &delay) == nil {
				e.RetryAfter = max(delay.AsDuration(), time.Nanosecond)
			}
		})
	}
}

// stringFields returns the last value of each length-delimited field.
func stringFields(message []byte) map[protowire.Number]string {
	fields := map[protowire.Number]string{}
	eachBytes(message, func(field protowire.Number, value []byte) { fields[field] = string(value) })
	return fields
}

// eachBytes calls visit for each length-delimited field, up to the first byte
// that cannot be read.
func eachBytes(message []byte, visit func(field protowire.Number, value []byte)) {
	for len(message) > 0 {
		field, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return
		}
		message = message[n:]
		if kind == protowire.BytesType {
			value, n := protowire.ConsumeBytes(message)
			if n < 0 {
				return
			}
			visit(field, value)
			message = message[n:]
			continue
		}
		if n = protowire.ConsumeFieldValue(field, kind, message); n < 0 {
			return
		}
		message = message[n:]
	}
}
