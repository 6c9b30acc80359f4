package convlog

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/internal/text"
)

// render writes a conversation. The first lines are those of the older of the two formats, by which its readers know the
// file; the rest is the newer one.
func (b *Book) render(e Entry, words []string, at time.Time) string {
	var w strings.Builder
	line := strings.Join(strings.Fields(e.Query), " ") // a line of its own can't become a heading
	topic := cmp.Or(strings.Join(words, " "), fallbackName)
	fmt.Fprintf(&w, "# Conversation: %s\nDate: %s\nQuery: %s\n\n", topic, at.Format(time.DateOnly), line)
	fmt.Fprintf(&w, "---\n## Query: %s | ID: %s\n\n", e.At.UTC().Format(time.RFC3339), strings.Join(strings.Fields(e.ID), "-"))
	fmt.Fprintf(&w, "**User Query**: \"%s\"\n**Keywords**: %s\n", line, strings.Join(words, ", "))
	for _, p := range e.Phases {
		b.phase(&w, p, e.Interactions)
	}
	summary(&w, e.Summary)
	w.WriteString("\n---\n")
	return w.String()
}

func (b *Book) phase(w *strings.Builder, p Phase, asked []Interaction) {
	fmt.Fprintf(w, "\n### %s\n", p.Title)
	for _, block := range p.Blocks {
		if block.Label != "" {
			fmt.Fprintf(w, "\n**%s**\n", strings.Join(strings.Fields(b.clean(block.Label)), " "))
		}
		b.block(w, block.Value)
	}
	if p.Name != "collect" {
		return
	}
	for i, a := range asked {
		fmt.Fprintf(w, "\n**User Interaction %d**\n", i+1)
		b.block(w, a)
	}
}

// block writes a value as JSON. In JSON every line break in a string is escaped, so no text can end the fence.
func (b *Book) block(w *strings.Builder, value any) {
	text, err := b.json(value)
	if err != nil {
		text, _ = b.json(map[string]string{"error": err.Error()}) // strings always encode
	}
	fmt.Fprintf(w, "```json\n%s\n```\n", text)
}

// json encodes a value after every string in it was cleaned.
func (b *Book) json(value any) (string, error) {
	var raw bytes.Buffer
	encoder := json.NewEncoder(&raw)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		return "", err
	}
	return b.cleanStrings(strings.TrimRight(raw.String(), "\n")), nil
}

// cleanStrings cleans the strings of an indented JSON text one by one, and leaves all else, the order of the keys
// included, as it is.
func (b *Book) cleanStrings(text string) string {
	var out strings.Builder
	for {
		start := strings.IndexByte(text, '"')
		if start < 0 {
			out.WriteString(text)
			return out.String()
		}
		end := start + 1
		for end < len(text) && text[end] != '"' {
			if text[end] == '\\' {
				end++
			}
			end++
		}
		end = min(end+1, len(text))
		out.WriteString(text[:start])
		out.WriteString(b.cleanString(text[start:end]))
		text = text[end:]
	}
}

func (b *Book) cleanString(quoted string) string {
	var s string
	if json.Unmarshal([]byte(quoted), &s) != nil {
		return quoted
	}
	cleaned := b.clean(s)
	if cleaned == s {
		return quoted
	}
	var raw bytes.Buffer
	encoder := json.NewEncoder(&raw)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(cleaned) != nil {
		return `""`
	}
	return strings.TrimRight(raw.String(), "\n")
}

func summary(w *strings.Builder, s Summary) {
	scores := []string{}
	for _, score := range []struct {
		name  string
		value *float64
	}{{"Decomposition", s.PlanScore}, {"Synthesis", s.AnswerScore}} {
		if score.value != nil {
			scores = append(scores, fmt.Sprintf("%s %.2f", score.name, *score.value))
		}
	}
	if len(scores) == 0 {
		scores = []string{"none"}
	}
	stored := "No"
	if s.Stored {
		stored = "Yes"
	}
	if s.Why != "" {
		stored += " (" + strings.Join(strings.Fields(s.Why), " ") + ")"
	}
	fmt.Fprintf(w, "\n### %s\n", summaryTitle)
	fmt.Fprintf(w, "- **Total Duration**: %.1f seconds\n", s.Total.Seconds())
	fmt.Fprintf(w, "- **Complexity**: %s (%.2f confidence)\n", s.Complexity, s.Confidence)
	fmt.Fprintf(w, "- **Verification Scores**: %s\n", strings.Join(scores, ", "))
	fmt.Fprintf(w, "- **Agent Interactions**: %d subgoals, %d user interactions\n", s.Subgoals, s.Interactions)
	fmt.Fprintf(w, "- **ACT-R Storage**: %s\n", stored)
	fmt.Fprintf(w, "- **Tokens Used**: %s total\n", text.Thousands(s.Tokens))
	fmt.Fprintf(w, "- **Estimated Cost**: $%.4f\n", s.USD)
}
