package agents

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/aurora-sidecar/aurora/engine/reason/soar"
)

// A reply is what an agent answered: an envelope, or a question to the person.
type reply struct {
	envelope *soar.Envelope
	question *soar.Question
}

const (
	maxSummary = 64 << 10 // bytes
	maxText    = 2 << 10  // bytes of a question, a choice, an error
	maxChoices = 20
)

const howToAnswer = `it must be {"summary": "...", "data": {}, "confidence": 0.8}, or the whole envelope`

// readReply reads what an agent wrote: the envelope of the register's Annex E, its flat form, or a question
// {"ask": {"question": "...", "choices": [], "default": ""}}. A log before the answer is passed over, and so is a
// Markdown fence around it; of several objects the last one counts.
func readReply(data []byte) (*reply, error) {
	text := strings.TrimSpace(strings.TrimPrefix(string(data), "\uFEFF"))
	if text == "" {
		return nil, errors.New("it answered nothing; " + howToAnswer)
	}
	if !utf8.ValidString(text) {
		return nil, errors.New("its answer is not UTF-8 text; " + howToAnswer)
	}
	object, ok := lastObject(text)
	if !ok {
		return nil, fmt.Errorf("its answer is no JSON object (it begins with %q); %s", cut(text, 40), howToAnswer)
	}
	if q := questionIn(object); q != nil {
		return &reply{question: q}, nil
	}
	e, err := envelopeOf(object)
	if err != nil {
		return nil, err
	}
	return &reply{envelope: e}, nil
}

// maxTries bounds how many beginnings of an object are tried; each may read to the end.
const maxTries = 64

// lastObject finds the last JSON object of a text that is not inside of another.
func lastObject(text string) (map[string]any, bool) {
	var whole map[string]any
	if json.Unmarshal([]byte(text), &whole) == nil && whole != nil {
		return whole, true
	}
	var last map[string]any
	for range maxTries {
		start := strings.IndexByte(text, '{')
		if start < 0 {
			break
		}
		text = text[start:]
		d := json.NewDecoder(strings.NewReader(text))
		var object map[string]any
		if d.Decode(&object) == nil {
			last = object
			text = text[d.InputOffset():]
			continue
		}
		text = text[1:]
	}
	return last, last != nil
}

// questionIn returns the question that an answer is, nil when it is none.
func questionIn(object map[string]any) *soar.Question {
	ask, ok := object["ask"].(map[string]any)
	if !ok {
		return nil
	}
	q := &soar.Question{Text: textOf(ask["question"], maxText), Default: textOf(ask["default"], maxText)}
	if list, ok := ask["choices"].([]any); ok {
		for _, choice := range list[:min(len(list), maxChoices)] {
			if s := textOf(choice, maxText); s != "" {
				q.Choices = append(q.Choices, s)
			}
		}
	}
	if q.Text == "" {
		return nil
	}
	return q
}

// envelopeOf reads an answer leniently where its meaning is plain, and strictly where something is missing.
func envelopeOf(object map[string]any) (*soar.Envelope, error) {
	e := &soar.Envelope{
		SubgoalID: textOf(object["subgoal_id"], maxText), Status: strings.ToLower(textOf(object["status"], maxText)),
		Handoff: textOf(object["handoff_to_next"], maxSummary), Error: textOf(object["error"], maxText),
	}
	output, nested := object["output"].(map[string]any)
	if !nested {
		output = object // the flat form
	}
	if e.Status == "" {
		e.Status = "success"
		if e.Error != "" {
			e.Status = "error"
		}
	}
	if !slices.Contains([]string{"success", "partial", "error"}, e.Status) {
		return nil, fmt.Errorf("its status is %q; it must be success, partial or error", cut(e.Status, 40))
	}
	e.Output.Summary = textOf(output["summary"], maxSummary)
	e.Output.Data = dataOf(output["data"])
	var err error
	if e.Output.Confidence, err = confidenceOf(output["confidence"]); err != nil && e.Status != "error" {
		return nil, err
	}
	if e.Status == "error" {
		e.Output.Confidence = 0
		if e.Error == "" {
			e.Error = e.Output.Summary
		}
		if e.Error == "" {
			return nil, errors.New("its status is error and it says no error")
		}
		if e.Output.Summary == "" {
			e.Output.Summary = e.Error
		}
		return e, nil
	}
	e.Error = "" // only with the status error
	if e.Output.Summary == "" {
		return nil, errors.New("its answer has no summary; " + howToAnswer)
	}
	e.Places = placesOf(object["sources"])
	e.Metadata = metadataOf(object["metadata"])
	return e, nil
}

func textOf(v any, most int) string {
	s, _ := v.(string)
	return cut(strings.TrimSpace(s), most)
}

// dataOf keeps what is no object under a name.
func dataOf(v any) map[string]any {
	switch v := v.(type) {
	case nil:
		return map[string]any{}
	case map[string]any:
		return v
	}
	return map[string]any{"value": v}
}

func confidenceOf(v any) (float64, error) {
	var n float64
	var err error
	switch v := v.(type) {
	case float64:
		n = v
	case string:
		if n, err = strconv.ParseFloat(strings.TrimSpace(v), 64); err != nil {
			return 0, fmt.Errorf("its confidence is %q; it must be a number from 0 to 1", cut(v, 40))
		}
	case nil:
		return 0, errors.New("its answer has no confidence; " + howToAnswer)
	default:
		return 0, errors.New("its confidence is no number; it must be one from 0 to 1")
	}
	if !(n >= 0 && n <= 1) {
		return 0, fmt.Errorf("its confidence is %g; it must lie between 0 and 1", n)
	}
	return n, nil
}

// placesOf reads [{"path": "net/retry.go", "line": 4}], the code that the summary cites as [A1], [A2].
func placesOf(v any) []soar.Place {
	list, _ := v.([]any)
	var out []soar.Place
	for _, item := range list[:min(len(list), maxListed)] {
		object, _ := item.(map[string]any)
		line, _ := object["line"].(float64)
		out = append(out, soar.Place{Path: textOf(object["path"], maxText), Line: int(max(0, min(line, 1<<30)))})
	}
	return out
}

// maxTokensTold is more than any answer to one subgoal takes; who tells more is not believed.
const maxTokensReported = 1e9

func metadataOf(v any) soar.Metadata {
	object, _ := v.(map[string]any)
	m := soar.Metadata{ModelUsed: textOf(object["model_used"], maxText)}
	if n, ok := object["tokens_used"].(float64); ok && n > 0 && n < maxTokensReported {
		m.TokensUsed = int(n)
	}
	list, _ := object["tools_used"].([]any)
	for _, item := range list[:min(len(list), maxListed)] {
		if tool := textOf(item, maxText); tool != "" {
			m.ToolsUsed = append(m.ToolsUsed, tool)
		}
	}
	return m
}

// encodeTask writes a task on one line.
func encodeTask(t task) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(t); err != nil {
		return nil, fmt.Errorf("encode the task: %w", err)
	}
	return b.Bytes(), nil
}
