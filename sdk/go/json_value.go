package belfry

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"google.golang.org/protobuf/types/known/structpb"
)

// maxInteger is the largest integer up to which every integer has a double of
// its own: 2^53-1.
const maxInteger = 1<<53 - 1

// jsonValue turns v into a JSON value by the rules of encoding/json. Numbers
// are read from their text, so that an integer that a double cannot hold is
// refused and not rounded.
func jsonValue(v any) (*structpb.Value, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encode %T as JSON: %w", v, err)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var tree any
	if err := decoder.Decode(&tree); err != nil {
		return nil, fmt.Errorf("encode %T as JSON: %w", v, err)
	}
	return valueOf(tree, "$")
}

// valueOf converts what json.Decoder made; path says where in the whole value
// it is.
func valueOf(tree any, path string) (*structpb.Value, error) {
	switch tree := tree.(type) {
	case json.Number:
		return numberOf(tree, path)
	case string:
		return structpb.NewStringValue(tree), nil
	case bool:
		return structpb.NewBoolValue(tree), nil
	case map[string]any:
		fields := make(map[string]*structpb.Value, len(tree))
		for name, member := range tree {
			value, err := valueOf(member, path+"."+name)
			if err != nil {
				return nil, err
			}
			fields[name] = value
		}
		return structpb.NewStructValue(&structpb.Struct{Fields: fields}), nil
	case []any:
		values := make([]*structpb.Value, len(tree))
		for i, element := range tree {
			value, err := valueOf(element, path+"["+strconv.Itoa(i)+"]")
			if err != nil {
				return nil, err
			}
			values[i] = value
		}
		return structpb.NewListValue(&structpb.ListValue{Values: values}), nil
	default:
		return structpb.NewNullValue(), nil
	}
}

func numberOf(number json.Number, path string) (*structpb.Value, error) {
	double, err := number.Float64()
	if err != nil {
		return nil, fmt.Errorf("%s: number %s does not fit a double; send it as a string", path, number)
	}
	// Every double beyond 2^53 is an integer, so this refuses integers only.
	if double > maxInteger || double < -maxInteger {
		return nil, fmt.Errorf("%s: integer %s is beyond ±%d (2^53-1) and would lose digits; send it as a string, or use belfry.Text", path, number, maxInteger)
	}
	return structpb.NewNumberValue(double), nil
}
