package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/structpb"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
)

// addPayload gives cmd the flags that say what the worker gets.
func addPayload(cmd *cobra.Command) {
	cmd.Flags().String("json", "", "payload: a `JSON` value; - reads it from stdin")
	cmd.Flags().String("text", "", "payload: `text`; - reads it from stdin")
	cmd.Flags().String("file", "", "payload: a `file`, - is stdin: JSON if its name ends in .json, else text if it is UTF-8, else bytes")
	cmd.Flags().String("content-type", "", "media `type` of the payload; default by its form")
}

// maxPayload is the server's limit on the data, in bytes. Reading goes one further, so that the server can say what is
// wrong with more.
const maxPayload = 256 << 10

// payloadOf returns the payload that the flags describe; nil if there is none.
func payloadOf(cmd *cobra.Command) (*v1.Payload, error) {
	if err := atMostOne(cmd, "json", "text", "file"); err != nil {
		return nil, err
	}
	payload, err := payloadData(cmd)
	if err != nil {
		return nil, err
	}
	media := stringFlag(cmd, "content-type")
	if payload == nil && media != "" {
		return nil, usage("--content-type goes with a payload: give --json, --text or --file")
	}
	if payload != nil {
		payload.ContentType = media
	}
	return payload, nil
}

func payloadData(cmd *cobra.Command) (*v1.Payload, error) {
	flags := cmd.Flags()
	switch {
	case flags.Changed("json"):
		data, err := inlineOrStdin(cmd, "json")
		if err != nil {
			return nil, err
		}
		return jsonPayload("--json", data)
	case flags.Changed("text"):
		data, err := inlineOrStdin(cmd, "text")
		if err != nil {
			return nil, err
		}
		if !utf8.Valid(data) {
			return nil, usage("--text: it is not UTF-8; send it with --file")
		}
		return &v1.Payload{Data: &v1.Payload_Text{Text: string(data)}}, nil
	case flags.Changed("file"):
		return filePayload(cmd, stringFlag(cmd, "file"))
	}
	return nil, nil
}

func inlineOrStdin(cmd *cobra.Command, flag string) ([]byte, error) {
	if value := stringFlag(cmd, flag); value != "-" {
		return []byte(value), nil
	}
	return readAll("standard input", cmd.InOrStdin())
}

func filePayload(cmd *cobra.Command, name string) (*v1.Payload, error) {
	var data []byte
	var err error
	if name == "-" {
		data, err = readAll("standard input", cmd.InOrStdin())
	} else {
		var file *os.File
		if file, err = os.Open(name); err != nil {
			return nil, usage("--file: %w", err)
		}
		defer file.Close()
		data, err = readAll(name, file)
	}
	switch {
	case err != nil:
		return nil, err
	case strings.EqualFold(filepath.Ext(name), ".json"):
		return jsonPayload("--file", data)
	case utf8.Valid(data) && bytes.IndexByte(data, 0) < 0:
		return &v1.Payload{Data: &v1.Payload_Text{Text: string(data)}}, nil
	default:
		return &v1.Payload{Data: &v1.Payload_Bytes{Bytes: data}}, nil
	}
}

func readAll(name string, r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxPayload+1))
	if err != nil {
		return nil, fmt.Errorf("read payload from %s: %w", name, err)
	}
	if len(data) > maxPayload {
		return nil, usage("the payload in %s is larger than %d bytes; store it elsewhere and send where it is", name, maxPayload)
	}
	return data, nil
}

// jsonPayload reads one JSON value.
func jsonPayload(flag string, data []byte) (*v1.Payload, error) {
	if err := checkIntegers(data); err != nil {
		return nil, usage("%s: %w", flag, err)
	}
	value := new(structpb.Value)
	if err := protojson.Unmarshal(data, value); err != nil {
		return nil, usage("%s: it is not one JSON value: %w", flag, err)
	}
	return &v1.Payload{Data: &v1.Payload_Json{Json: value}}, nil
}

// checkIntegers refuses what is not one JSON value, and integers that a double, which the API sends, cannot hold: they
// would arrive as others.
func checkIntegers(data []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	for {
		token, err := decoder.Token()
		if err == io.EOF { //nolint:errorlint // Token returns it as it is
			return nil
		}
		if err != nil {
			return fmt.Errorf("it is not one JSON value: %w", err)
		}
		number, ok := token.(json.Number)
		if !ok {
			continue
		}
		const largest = 1<<53 - 1
		double, err := number.Float64()
		if err != nil || double > largest || double < -largest {
			return fmt.Errorf("the number %s is beyond ±%d (2^53-1) and would lose digits; write it as a string, or send --text", number, largest)
		}
	}
}

// payloadText shows a payload on one line.
func payloadText(p *v1.Payload) string {
	switch data := p.GetData().(type) {
	case *v1.Payload_Json:
		text, err := protojson.Marshal(data.Json)
		var out bytes.Buffer
		if err == nil {
			err = json.Compact(&out, text)
		}
		if err != nil {
			return "(JSON that cannot be shown)"
		}
		return clip(out.String())
	case *v1.Payload_Text:
		return clip(data.Text)
	case *v1.Payload_Bytes:
		return fmt.Sprintf("(%d bytes of %s)", len(data.Bytes), p.GetContentType())
	}
	return ""
}

// maxShown bounds long texts in tables, in bytes.
const maxShown = 200

func clip(text string) string {
	if len(text) <= maxShown {
		return text
	}
	return strings.ToValidUTF8(text[:maxShown], "") + "…"
}
