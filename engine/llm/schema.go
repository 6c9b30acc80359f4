package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/schema"
)

// A Schema is the shape of a JSON reply.
type Schema struct {
	Name     string
	source   []byte
	compiled *schema.Schema
}

// NewSchema compiles a JSON Schema (draft 2020-12).
func NewSchema(name string, source []byte) (*Schema, error) {
	compiled, err := schema.Compile(source)
	if err != nil {
		return nil, fmt.Errorf("schema %s: %w", name, err)
	}
	return &Schema{Name: name, source: source, compiled: compiled}, nil
}

// Source returns the schema as it was written.
func (s *Schema) Source() []byte { return s.source }

// Decode takes the JSON out of a reply, checks it and decodes it into target. The error says in one line what is
// wrong with which part.
func (s *Schema) Decode(reply string, target any) error {
	raw, err := ExtractJSON(reply)
	if err != nil {
		return err
	}
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		return fmt.Errorf("the reply is no JSON: %w", err)
	}
	if found := s.compiled.Check(value); len(found) > 0 {
		return errors.New(complaints(found))
	}
	if err := json.Unmarshal(raw, target); err != nil {
		return fmt.Errorf("the reply does not fit: %w", err)
	}
	return nil
}

func (s *Schema) accepts(reply string) bool {
	var ignored any
	return s.Decode(reply, &ignored) == nil
}

// complaints lists what a schema found, at most three.
func complaints(found []schema.Complaint) string {
	const most = 3
	var list []string
	for _, c := range found[:min(most, len(found))] {
		list = append(list, cmp.Or(c.Place, "/")+": "+c.Problem)
	}
	if len(found) > most {
		list = append(list, fmt.Sprintf("and %d more", len(found)-most))
	}
	return strings.Join(list, "; ")
}

// maxTries bounds how many opening braces are tried: each may read to the end of the reply.
const maxTries = 32

// ExtractJSON finds the JSON object in a reply: models put it in Markdown fences, or words around it.
func ExtractJSON(reply string) ([]byte, error) {
	if end := strings.LastIndex(reply, "</think>"); end >= 0 {
		reply = reply[end+len("</think>"):]
	}
	var first error
	for range maxTries {
		start := strings.IndexByte(reply, '{')
		if start < 0 {
			break
		}
		reply = reply[start:]
		var raw json.RawMessage
		err := json.NewDecoder(strings.NewReader(reply)).Decode(&raw)
		if err == nil {
			return raw, nil
		}
		if first == nil {
			first = err
		}
		reply = reply[1:]
	}
	if first == nil {
		return nil, errors.New("the reply holds no JSON object")
	}
	return nil, fmt.Errorf("the reply is no JSON: %w", first)
}

// JSON asks for a reply of r.Schema and decodes it into target. A reply that is not of the schema is sent back once to
// be repaired; a second one is an error of fault Malformed.
func JSON(ctx context.Context, g Generator, r Request, target any) (*Response, error) {
	response, err := g.Complete(ctx, r)
	if err != nil {
		return nil, err
	}
	wrong := check(r, response, target)
	if wrong == nil {
		return response, nil
	}
	repair := r
	repair.Purpose = r.Purpose + ", repair"
	repair.Messages = append(append([]Message(nil), r.Messages...),
		Message{Role: "assistant", Content: clip(response.Text)},
		Message{Role: "user", Content: "That reply can't be used: " + wrong.Error() +
			". Reply again with the whole JSON object that the schema asks for, and nothing else."})
	second, err := g.Complete(ctx, repair)
	if err != nil {
		return nil, err
	}
	if wrong = check(r, second, target); wrong != nil {
		return nil, &Error{Fault: Malformed, Attempts: 2, Message: "the model's reply is not of the form that was asked for, twice: " + wrong.Error()}
	}
	return second, nil
}

func check(r Request, response *Response, target any) error {
	err := r.Schema.Decode(response.Text, target)
	if err != nil && response.Truncated {
		return fmt.Errorf("it was cut at %d tokens (llm.max_tokens)", r.MaxTokens)
	}
	return err
}

// clip bounds a bad reply that is sent back. Endpoints refuse messages without content.
func clip(s string) string {
	const most = 8000
	if strings.TrimSpace(s) == "" {
		return "(nothing)"
	}
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "")
	}
	return s
}
