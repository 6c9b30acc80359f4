package soar

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Facts are what a phase found out, for programs and for people who want to see all of it. What a phase does not say
// is zero.
type Facts struct {
	Complexity string             `json:"complexity,omitempty"` // simple, medium, complex, critical
	Confidence float64            `json:"confidence,omitempty"` // in the complexity
	Keywords   []string           `json:"keywords,omitempty"`   // that decided it
	Chunks     map[string]int     `json:"chunks,omitempty"`     // snippets by type: code, reas, know
	Snippets   []string           `json:"passages,omitempty"`   // their ids
	Subgoals   int                `json:"subgoals,omitempty"`
	Steps      []string           `json:"steps,omitempty"` // the subgoals in words, with their agents
	Score      *float64           `json:"score,omitempty"` // of a review
	Verdict    Verdict            `json:"verdict,omitempty"`
	Checks     map[string]float64 `json:"checks,omitempty"` // scores of the review's aspects
}

// Lines are the facts in words, a line each.
func (f *Facts) Lines() []string {
	var lines []string
	if f.Complexity != "" {
		lines = append(lines, fmt.Sprintf("keywords: [%s]", strings.Join(f.Keywords, ", ")))
	}
	for _, kind := range slices.Sorted(maps.Keys(f.Chunks)) {
		lines = append(lines, fmt.Sprintf("%s: %d", kind, f.Chunks[kind]))
	}
	for _, id := range f.Snippets {
		lines = append(lines, "snippet "+id)
	}
	lines = append(lines, f.Steps...)
	for _, name := range slices.Sorted(maps.Keys(f.Checks)) {
		lines = append(lines, fmt.Sprintf("%s: %.2f", name, f.Checks[name]))
	}
	if f.Score != nil {
		lines = append(lines, fmt.Sprintf("overall: %.2f → %s", *f.Score, strings.ToUpper(string(f.Verdict))))
	}
	return lines
}

// facts are what the state says after a phase; nil for phases that have no more to say than their detail.
func (s *State) facts(phase string) *Facts {
	switch phase {
	case Assess:
		return s.Assessment.Facts()
	case Retrieve:
		return bundleFacts(s.Bundle)
	case Decompose:
		return s.steps()
	case Verify:
		return s.PlanReview.facts()
	case VerifyAnswer:
		return s.Review.facts()
	}
	return nil
}

// Facts are what an assessment says.
func (a Assessment) Facts() *Facts {
	return &Facts{Complexity: strings.ToLower(string(a.Level)), Confidence: a.Confidence, Keywords: a.Matched}
}

func bundleFacts(bundle []Source) *Facts {
	f := &Facts{Chunks: map[string]int{}}
	for _, p := range bundle {
		kind, _, ok := strings.Cut(p.Key, ":")
		if p.Path != "" || !ok {
			kind = "code"
		}
		f.Chunks[kind]++
		f.Snippets = append(f.Snippets, p.Key)
	}
	return f
}

func (s *State) steps() *Facts {
	if s.Plan == nil {
		return nil
	}
	f := &Facts{Subgoals: len(s.Plan.Subgoals)}
	for _, g := range s.Plan.Subgoals {
		f.Steps = append(f.Steps, fmt.Sprintf("subgoal %s: %q → %s", g.ID, g.Description, g.Agent))
	}
	return f
}

func (r *Review) facts() *Facts {
	if r == nil {
		return nil
	}
	score := r.Overall // a later review must not change what was told
	f := &Facts{Score: &score, Verdict: r.Verdict, Checks: map[string]float64{}}
	for name, check := range r.Checks {
		f.Checks[name] = check.Score
	}
	return f
}
