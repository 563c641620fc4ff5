package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// previewLine is one question of --cron -.
type previewLine struct {
	ID    any    `json:"id"`
	Expr  string `json:"expr"`
	TZ    string `json:"tz"`
	After string `json:"after"`
	Count *int   `json:"count"`
}

// lineAnswer is the answer to one line.
type lineAnswer struct {
	ID          any      `json:"id"`
	Valid       bool     `json:"valid"`
	Next        []string `json:"next"`
	Description string   `json:"description,omitempty"`
	Error       string   `json:"error,omitempty"`
}

// previewLines answers each line of in with one of out. Only reading and writing can fail.
func (p *Program) previewLines(in io.Reader, out io.Writer) error {
	reader, writer := bufio.NewReaderSize(in, 1<<16), bufio.NewWriterSize(out, 1<<16)
	encoder := json.NewEncoder(writer)
	encoder.SetEscapeHTML(false)
	now := p.Clock.Now()
	for {
		line, err := reader.ReadBytes('\n')
		if len(strings.TrimSpace(string(line))) > 0 {
			if err := encoder.Encode(answerLine(line, now)); err != nil {
				return fmt.Errorf("write answers: %w", err)
			}
		}
		// Whoever asks line by line waits for each answer.
		if reader.Buffered() == 0 || err != nil {
			if err := writer.Flush(); err != nil {
				return fmt.Errorf("write answers: %w", err)
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read rules: %w", err)
		}
	}
}

func answerLine(line []byte, now time.Time) lineAnswer {
	var question previewLine
	if err := json.Unmarshal(line, &question); err != nil {
		return lineAnswer{ID: question.ID, Next: []string{}, Error: "the line is no JSON object as `--help` shows it: " + err.Error()}
	}
	found, err := previewQuestion{
		form: formCron, text: question.Expr, zone: question.TZ, after: question.After, count: question.Count,
	}.answer(now)
	if err != nil {
		return lineAnswer{ID: question.ID, Next: []string{}, Error: err.Error()}
	}
	return lineAnswer{ID: question.ID, Valid: true, Next: found.next(), Description: found.table.Describe()}
}
