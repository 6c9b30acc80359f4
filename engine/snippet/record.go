package snippet

import (
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/actr"
)

// OfRecord shows a memory record. What became of the code that it cites is part of its text, so that no reader, a
// model included, takes stale memory for fresh.
func OfRecord(r *memory.Hit) Hit {
	h := Hit{
		ID: r.ID, Type: string(r.Type), Source: "memory", Origin: originOfRecord(r), Symbol: Symbol{Name: r.Title},
		Content:    Content{Text: r.Content, Snippet: wording.HeadLines(r.Content, MaxLines)},
		Remembered: Remembered{Tags: r.Tags, LastUsed: r.LastUsed, Uses: r.AccessCount, CreatedAt: r.CreatedAt, Agent: r.AgentName, By: r.By},
	}
	if r.AccessCount > 0 {
		shown := actr.RecallProbability(r.Activation)
		h.Scores.Activation = &shown
	}
	h.Citations = CitedPlaces(r)
	if r.Type == memory.Reasoning {
		h.Metadata = &HitMetadata{PatternType: patternType(r.SemanticRole), SuccessScore: r.SuccessScore, UsageCount: r.AccessCount}
	}
	h.Remarks = append(judgementRemarks(r), r.Standing.Remarks()...)
	for _, warning := range append([]string{CitationWarning(r), r.Remark()}, h.Remarks...) {
		if warning != "" {
			h.Text += "\n[" + warning + "]"
		}
	}
	if remark := SourceRemark(&r.Record); remark != "" {
		h.Remarks = append(h.Remarks, remark)
	}
	h.Tokens = EstimateTokens(h.Text)
	return h
}

// SourceRemark names the source of a record that cites no code: a whole file, or something outside.
func SourceRemark(r *memory.Record) string {
	if len(r.Citations) > 0 || r.SourceRef == "" || r.Type != memory.Knowledge || r.SourceType != "" && r.SourceType != "memory" {
		return ""
	}
	return "its source is " + r.SourceRef
}

// patternType is what a role such as oauth-decomposition-pattern says that reasoning is for; plans are all that AURORA makes.
func patternType(role string) string {
	words := strings.Split(role, "-")
	if n := len(words); n > 1 && words[n-1] == "pattern" {
		return words[n-2]
	}
	return "decomposition"
}

// judgementRemarks say what a person thought of a record, if that was bad.
func judgementRemarks(r *memory.Hit) []string {
	if slices.Contains(r.Tags, memory.Incorrect) {
		return []string{"a person said that this is wrong"}
	}
	return nil
}

// NotePrefix begins the ids of notes.
const NotePrefix = "know:note-"

// IsNote tells the record of a note in a folder that is open.
func IsNote(hit memory.Hit) bool {
	return strings.HasPrefix(hit.ID, NotePrefix) && hit.SourceType == "file" && hit.Workspace != ""
}

// IsMemoryType reports whether a type of hit is one of memory records.
func IsMemoryType(t string) bool {
	return t == string(memory.Knowledge) || t == string(memory.Reasoning)
}
