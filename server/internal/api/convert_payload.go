package api

import (
	"fmt"

	belfryv1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
	"github.com/belfryhq/belfry/server/internal/job"
)

// defaultContentType is what a payload without a content_type has. It is not stored: absent and stated, it is the same.
func defaultContentType(kind job.PayloadKind) string {
	switch kind {
	case job.JSON:
		return "application/json"
	case job.Text:
		return "text/plain; charset=utf-8"
	case job.Bytes:
		return "application/octet-stream"
	}
	return ""
}

// payloadFrom returns the stored form of a valid payload. One without data is an absent one.
func payloadFrom(p *belfryv1.Payload) job.Payload {
	var out job.Payload
	switch data := p.GetData().(type) {
	case *belfryv1.Payload_Json:
		out.Kind, out.Data = job.JSON, jsonText(data.Json)
	case *belfryv1.Payload_Text:
		out.Kind, out.Data = job.Text, []byte(data.Text)
	case *belfryv1.Payload_Bytes:
		out.Kind, out.Data = job.Bytes, data.Bytes
	default:
		return out
	}
	if stated := p.GetContentType(); stated != defaultContentType(out.Kind) {
		out.ContentType = stated
	}
	return out
}

// payloadProto shows a stored payload; nil for an absent one. Errors mean that what is stored is damaged.
func payloadProto(p job.Payload) (*belfryv1.Payload, error) {
	if p.Kind == job.NoPayload {
		return nil, nil
	}
	out := &belfryv1.Payload{ContentType: p.ContentType}
	if out.ContentType == "" {
		out.ContentType = defaultContentType(p.Kind)
	}
	switch p.Kind {
	case job.JSON:
		value, err := jsonValueOf(p.Data)
		if err != nil {
			return nil, err
		}
		out.Data = &belfryv1.Payload_Json{Json: value}
	case job.Text:
		out.Data = &belfryv1.Payload_Text{Text: string(p.Data)}
	case job.Bytes:
		out.Data = &belfryv1.Payload_Bytes{Bytes: p.Data}
	default:
		return nil, fmt.Errorf("%w: payload of kind %d", job.ErrBadBody, p.Kind)
	}
	return out, nil
}
