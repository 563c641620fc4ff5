package api

import (
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/fieldmaskpb"

	"github.com/belfryhq/belfry/server/internal/job"
)

// maskPaths returns which fields of resource an update changes, sorted, each once. An empty mask stands for the fields of
// changeable that are present in resource (for fields without presence: not zero). Otherwise each path must lie in a
// field of changeable, itself or inside a message of it (retry_policy.max_attempts); one that does not exist or that
// callers cannot change is refused by name, as job.ErrInvalidField on update_mask.
func maskPaths(resource proto.Message, mask *fieldmaskpb.FieldMask, changeable []string) ([]string, error) {
	m := resource.ProtoReflect()
	if len(mask.GetPaths()) == 0 {
		var present []string
		for _, name := range changeable {
			if fd := m.Descriptor().Fields().ByName(protoreflect.Name(name)); m.Has(fd) {
				present = append(present, name)
			}
		}
		slices.Sort(present)
		return present, nil
	}
	var bad []job.FieldViolation
	for _, path := range mask.GetPaths() {
		if why := refusePath(m.Descriptor(), path, changeable); why != "" {
			bad = append(bad, job.FieldViolation{Field: "update_mask", Description: why})
		}
	}
	if len(bad) > 0 {
		return nil, job.InvalidFields(bad)
	}
	return normalMask(mask.GetPaths()), nil
}

// refusePath says what is wrong with path, or nothing.
func refusePath(md protoreflect.MessageDescriptor, path string, changeable []string) string {
	can := strings.Join(changeable, ", ")
	if !knownPath(md, path) {
		return fmt.Sprintf("names %q, which does not exist; the fields that can be changed are %s", clip(path), can)
	}
	first, _, _ := strings.Cut(path, ".")
	if !slices.Contains(changeable, first) {
		return fmt.Sprintf("names %q, which callers cannot change; the fields that can be changed are %s", path, can)
	}
	return ""
}

// knownPath reports whether path leads from field to field, through singular messages only.
func knownPath(md protoreflect.MessageDescriptor, path string) bool {
	for name := range strings.SplitSeq(path, ".") {
		if md == nil {
			return false
		}
		fd := md.Fields().ByName(protoreflect.Name(name))
		if fd == nil {
			return false
		}
		md = nil
		if fd.Message() != nil && !fd.IsList() && !fd.IsMap() {
			md = fd.Message()
		}
	}
	return true
}

// normalMask sorts paths and drops those that another one covers.
func normalMask(paths []string) []string {
	sorted := slices.Clone(paths)
	slices.Sort(sorted)
	var out []string
	for _, path := range sorted {
		covered := slices.ContainsFunc(out, func(p string) bool { return path == p || strings.HasPrefix(path, p+".") })
		if !covered {
			out = append(out, path)
		}
	}
	return out
}

// applyMask sets the fields of dst that paths name to those of src; a field that is absent in src is cleared. dst and src
// are messages of one type, paths come from maskPaths. dst shares memory with src afterwards.
func applyMask(dst, src proto.Message, paths []string) {
	for _, path := range paths {
		applyPath(dst.ProtoReflect(), src.ProtoReflect(), strings.Split(path, "."))
	}
}

func applyPath(dst, src protoreflect.Message, names []string) {
	fd := dst.Descriptor().Fields().ByName(protoreflect.Name(names[0]))
	if len(names) > 1 {
		if src.Has(fd) || dst.Has(fd) {
			// Get on an absent message is an empty one that can be read.
			applyPath(dst.Mutable(fd).Message(), src.Get(fd).Message(), names[1:])
		}
		return
	}
	if src.Has(fd) {
		dst.Set(fd, src.Get(fd))
		return
	}
	dst.Clear(fd)
}
