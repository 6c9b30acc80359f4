package adaptive

import (
	"context"
	"slices"

	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/prompts"
)

// The scores from which on work has converged, 0..1.
const (
	completeEnough   = 0.95
	coherentEnough   = 0.90
	consistentEnough = 0.90
)

// The reason codes of a judgement.
const (
	Converged    = "converged"
	Incomplete   = "completeness_below_threshold"
	Incoherent   = "coherence_below_threshold"
	Inconsistent = "consistency_below_threshold"
	GravestIssue = "open_issue" // the validation left an issue of high severity
)

// Converger implements soar.Converger: a model gives the scores, thresholds decide.
type Converger struct{}

var _ soar.Converger = Converger{}

// mostMissing bounds what a further pass is asked for.
const mostMissing = 5

// Assess judges how near work is to its goal. The report is read only.
func (Converger) Assess(ctx context.Context, ask soar.Ask, w soar.Findings, r soar.Report) (soar.Convergence, error) {
	var reply struct {
		Completeness float64  `json:"completeness"`
		Coherence    float64  `json:"coherence"`
		Consistency  float64  `json:"consistency"`
		Missing      []string `json:"missing"`
	}
	in := prompts.Input{Progress: prompts.Progress{Goal: goalOf(w.Plan), Plan: planOf(w.Plan), State: stateOf(w)}}
	if len(r.Issues) > 0 {
		in.Verification = encode(firstIssues(r.Issues))
	}
	if err := ask(ctx, prompts.Convergence, in, nil, &reply); err != nil {
		return soar.Convergence{}, err
	}
	a := soar.Convergence{Completeness: reply.Completeness, Coherence: reply.Coherence, Consistency: reply.Consistency}
	for _, text := range reply.Missing[:min(len(reply.Missing), mostMissing)] {
		a.Missing = append(a.Missing, cut(text, longestText))
	}
	a.Reasons = reasons(a, r)
	a.Converged = slices.Equal(a.Reasons, []string{Converged})
	return a, nil
}

// reasons are computed from the scores alone, and from whether a grave issue is open.
func reasons(a soar.Convergence, r soar.Report) []string {
	var codes []string
	for _, check := range []struct {
		low  bool
		code string
	}{
		{a.Completeness < completeEnough, Incomplete}, {a.Coherence < coherentEnough, Incoherent}, {a.Consistency < consistentEnough, Inconsistent},
		{slices.ContainsFunc(r.Issues, func(i soar.Issue) bool { return i.Severity == "high" }), GravestIssue},
	} {
		if check.low {
			codes = append(codes, check.code)
		}
	}
	if len(codes) == 0 {
		return []string{Converged}
	}
	return codes
}
