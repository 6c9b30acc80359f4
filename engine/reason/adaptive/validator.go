package adaptive

import (
	"context"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/prompts"
)

// Validator implements soar.Validator: a model judges specificity, relevance, consistency, and whether anything was
// invented.
type Validator struct{}

var _ soar.Validator = Validator{}

// Validate judges work. Issues about fragments that the work does not have are about the whole plan: a model that
// mistakes an id has found something all the same.
func (Validator) Validate(ctx context.Context, ask soar.Ask, w soar.Findings) (soar.Report, error) {
	var reply struct {
		Scores map[string]float64 `json:"scores"`
		Issues []soar.Issue       `json:"issues"`
	}
	in := prompts.Input{Progress: prompts.Progress{Goal: goalOf(w.Plan), Plan: planOf(w.Plan), State: stateOf(w)}}
	if err := ask(ctx, prompts.SemanticValidation, in, nil, &reply); err != nil {
		return soar.Report{}, err
	}
	known := []string{"plan"}
	if w.Answer != "" {
		known = append(known, "answer")
	}
	for _, s := range w.Plan.Subgoals {
		known = append(known, s.ID)
	}
	issues := firstIssues(reply.Issues)
	for i := range issues {
		if !slices.Contains(known, issues[i].Fragment) {
			issues[i].Fragment = "plan"
		}
	}
	return soar.Report{Scores: reply.Scores, Issues: issues}, nil
}

const (
	mostIssues    = 12
	longestText   = 400   // bytes of one text in a prompt, about 100 tokens
	longestPlan   = 12000 // bytes
	longestAnswer = 8000
)

// firstIssues bounds what a model may find: the gravest come first.
func firstIssues(issues []soar.Issue) []soar.Issue {
	rank := map[string]int{"high": 0, "medium": 1, "low": 2}
	list := slices.Clone(issues)
	slices.SortStableFunc(list, func(a, b soar.Issue) int { return rank[a.Severity] - rank[b.Severity] })
	list = list[:min(len(list), mostIssues)]
	for i := range list {
		list[i].Message = cut(list[i].Message, longestText)
	}
	return list
}

func goalOf(p *soar.Plan) string {
	return cut(p.Query+"\n"+p.Goal.Description+"\n"+strings.Join(p.Goal.Criteria, "\n"), longestAnswer)
}

func planOf(p *soar.Plan) string { return cut(encode(p), longestPlan) }

// stateOf is what was found out, "" before anything was.
func stateOf(w soar.Findings) string {
	if len(w.Steps) == 0 && w.Answer == "" {
		return ""
	}
	steps := slices.Clone(w.Steps)
	for i := range steps {
		s := &steps[i]
		s.Incoming = "" // it is what earlier steps brought
		s.Summary, s.Handoff, s.Note = cut(s.Summary, 4*longestText), cut(s.Handoff, longestText), cut(s.Note, longestText)
	}
	return encode(map[string]any{"steps": steps, "answer": cut(w.Answer, longestAnswer)})
}

// cut shortens a text to about n bytes.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
