package show

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// scoreHang is the column at which an explanation that is too long goes on.
const scoreHang = 25

// Boxes draws a box with the parts of the score for each hit.
func (v HitView) Boxes(query string, hits []api.Hit, width int) []string {
	var lines []string
	for i := range hits {
		h := &hits[i]
		title := fmt.Sprintf("%s | %s | %s", HitFile(h), ShortType(h), display.Clean(h.Name))
		if at := HitLines(h); at != "-" {
			title += " (Lines " + at + ")"
		}
		lines = append(lines, display.Box(title, v.BoxBody(query, h), width)...)
	}
	return lines
}

func (v HitView) BoxBody(query string, h *api.Hit) []display.BoxLine {
	body := []display.BoxLine{
		{Text: fmt.Sprintf("Final Score: %.3f", h.Score)},
		{Text: bm25Line(query, h), Hang: scoreHang},
		{Text: "  ├─ Semantic:   " + semanticText(&h.Scores), Hang: scoreHang},
		{Text: "  └─ Activation: " + v.activationText(h), Hang: scoreHang},
	}
	if v.withGit() && h.Git != nil && !isRecord(h) {
		body = append(body, display.BoxLine{Text: "Git: " + v.gitText(h.Git), Hang: len("Git: ")})
	}
	return append(body, whyLines(h)...)
}

// whyLines say what ordered the hit and what each feature gave, each order on a line.
func whyLines(h *api.Hit) []display.BoxLine {
	if h.Explanation == "" {
		return nil
	}
	const label = "Why: "
	var lines []display.BoxLine
	indent := label
	for clause := range strings.SplitSeq(strings.Replace(display.Clean(h.Explanation), ": ordered ", "; ordered ", 1), "; ") {
		lines = append(lines, display.BoxLine{Text: indent + clause, Hang: len(label) + 2})
		indent = strings.Repeat(" ", len(label))
	}
	return lines
}

func (v HitView) gitText(g *api.Git) string {
	if g.State != "tracked" {
		return display.Clean(g.State)
	}
	return fmt.Sprintf("%s, last modified %s", display.Count(g.Commits, "commit"), display.Ago(api.Time(g.LastModified), v.Now))
}

// bm25Line shows the keyword score as a share of the best one, so that it lies in [0,1].
func bm25Line(query string, h *api.Hit) string {
	const label = "  ├─ BM25:       "
	if h.Scores.Normalised == nil {
		return label + "-        (no keyword match)"
	}
	why, exact := overlap(query, h)
	star := "  "
	if exact {
		star = "⭐"
	}
	return fmt.Sprintf("%s%.3f %s (%s)", label, unit(*h.Scores.Normalised), star, why)
}

// overlap explains a keyword match: a term that is part of the name is an exact match, else the share of
// the query's terms that occur in the hit decides.
func overlap(query string, h *api.Hit) (why string, exact bool) {
	terms := text.Tokenize(query)
	if len(terms) == 0 {
		return "partial match", false
	}
	name := text.Tokenize(h.Name)
	for _, word := range strings.Fields(query) {
		if slices.Contains(name, strings.ToLower(strings.Trim(word, `"'.,;:!?()`))) {
			return fmt.Sprintf("exact keyword match on %q", display.Clean(word)), true
		}
	}
	body := text.Tokenize(h.Name + " " + h.Path + " " + h.Text + " " + h.Snippet)
	found := 0
	for _, term := range terms {
		if slices.Contains(body, term) {
			found++
		}
	}
	if 2*found >= len(terms) {
		return "strong term overlap", false
	}
	return "partial match", false
}

// semanticText explains a similarity.
func semanticText(of *api.Scores) string {
	if of.Semantic == nil {
		return "No semantic score available (" + cmp.Or(of.NoSemantic, "not computed") + ")"
	}
	s := unit(*of.Semantic)
	level := "low"
	switch {
	case s >= 0.9:
		level = "very high"
	case s >= 0.8:
		level = "high"
	case s >= 0.7:
		level = "moderate"
	}
	return fmt.Sprintf("%.3f    (%s conceptual relevance)", s, level)
}

// activationText explains an activation.
func (v HitView) activationText(h *api.Hit) string {
	var facts []string
	if h.Uses > 0 {
		facts = append(facts, fmt.Sprintf("accessed %dx", h.Uses))
	}
	if v.withGit() && h.Git != nil && h.Git.State == "tracked" {
		facts = append(facts, display.Count(h.Git.Commits, "commit"))
	}
	if h.LastUsed != "" {
		facts = append(facts, "last used "+display.Ago(api.Time(h.LastUsed), v.Now))
	}
	if h.Scores.Activation == nil {
		return fmt.Sprintf("-        (%s)", strings.Join(append([]string{"never used"}, facts...), ", "))
	}
	return fmt.Sprintf("%.3f    (%s)", unit(*h.Scores.Activation), strings.Join(append(facts, "used before")[:max(1, len(facts))], ", "))
}
