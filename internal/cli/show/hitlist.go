package show

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/memory"
)

// contextCells is the most of a hit's text that the list shows.
const contextCells = 160

// List is explicit recall's output: numbered entries, the most active first.
func (v HitView) List(query string, hits []api.Hit) []string {
	sorted := slices.Clone(hits)
	slices.SortStableFunc(sorted, func(a, b api.Hit) int { return cmp.Compare(activation(&b), activation(&a)) })
	lines := []string{
		fmt.Sprintf("Memory Search Results for: %q", display.Clean(query)), "",
		fmt.Sprintf("Found %s (sorted by activation):", display.Count(len(hits), "relevant pattern")),
	}
	for i := range sorted {
		lines = append(lines, "")
		for n, line := range v.entry(&sorted[i]) {
			prefix := "   "
			if n == 0 {
				prefix = fmt.Sprintf("%d. ", i+1)
			}
			lines = append(lines, prefix+line)
		}
	}
	return lines
}

// activation orders hits that were never used after all others.
func activation(h *api.Hit) float64 {
	if h.Scores.Activation == nil {
		return -1
	}
	return unit(*h.Scores.Activation)
}

func (v HitView) entry(h *api.Hit) []string {
	lines := []string{fmt.Sprintf("[%s] ID: %s", listType(h.Type), display.Clean(h.ID)), v.activity(h)}
	if isRecord(h) {
		lines = append(lines, fmt.Sprintf("Context: %q", FirstText(h.Snippet, h.Text, h.Name)))
		if h.Origin != "" && h.Origin != engine.OriginRemembered {
			lines = append(lines, "Origin: "+display.Clean(h.Origin))
		}
		for _, c := range h.Citations {
			lines = append(lines, "Source: "+Citation(c))
		}
		for _, remark := range h.Remarks {
			lines = append(lines, "Note: "+display.Clean(remark))
		}
		if len(h.Tags) > 0 {
			lines = append(lines, "Tags: "+display.Clean(strings.Join(h.Tags, ", ")))
		}
		return lines
	}
	if h.Origin == engine.OriginLog {
		lines = append(lines, fmt.Sprintf("Context: %q", FirstText(h.Snippet, h.Text)), "Conversation: "+FirstText(h.Explanation))
		return append(lines, fmt.Sprintf("Source: %s (%s); aurora logs %s", Location(h), display.Clean(h.Name), display.Clean(h.Path)))
	}
	lines = append(lines, codeLabel(h)+": "+FirstText(h.Signature, h.Name, h.Snippet))
	if h.Doc != "" {
		lines = append(lines, "Context: "+FirstText(h.Doc))
	}
	return append(lines, "Source: "+Location(h)+originNote(h))
}

// originNote says what makes a piece of a file knowledge.
func originNote(h *api.Hit) string {
	switch {
	case h.Type != string(memory.Knowledge):
		return ""
	case h.Origin == engine.OriginDocs:
		return " (from the documents)"
	case h.Origin == engine.OriginAPI:
		return " (from the comment on a definition)"
	}
	return ""
}

// activity tells the activation, and when the entry was last used or changed.
func (v HitView) activity(h *api.Hit) string {
	line := "Activation: -"
	if h.Scores.Activation != nil {
		line = fmt.Sprintf("Activation: %.2f", activation(h))
	}
	switch {
	case !isRecord(h) && h.Git != nil && h.Git.State == "tracked":
		line += " | Last modified: " + display.Ago(api.Time(h.Git.LastModified), v.Now)
	case h.LastUsed != "":
		line += " | Last used: " + display.Ago(api.Time(h.LastUsed), v.Now)
	case h.CreatedAt != "":
		line += " | Last modified: " + display.Ago(api.Time(h.CreatedAt), v.Now)
	}
	if h.Weak {
		line += " | Weak"
	}
	if h.Author != "" {
		line += " | By: " + display.Clean(h.Author)
	}
	return line
}

func listType(hitType string) string {
	switch hitType {
	case "reasoning":
		return "Reasoning Pattern"
	case "knowledge":
		return "Knowledge"
	}
	return "Code Chunk"
}

func codeLabel(h *api.Hit) string {
	switch h.Type {
	case "function":
		return "Function"
	case "method":
		return "Method"
	case "class":
		return "Class"
	case "knowledge":
		if h.Origin == engine.OriginDocs {
			return "Section"
		}
		return "Definition"
	}
	return "Text"
}

// FirstText returns the first text that is not blank, on one line of at most contextCells.
func FirstText(texts ...string) string {
	for _, s := range texts {
		if s = strings.Join(strings.Fields(display.Clean(s)), " "); s != "" {
			return display.Cut(s, contextCells)
		}
	}
	return "-"
}
