package adaptive

import (
	"context"
	"slices"

	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/prompts"
)

// Thresholds are the scores from which on work has converged. Zero fields have the defaults.
type Thresholds struct {
	Completeness float64 // 0 means 0.95
	Coherence    float64 // 0 means 0.90
	Consistency  float64 // 0 means 0.90
}

func (t Thresholds) orDefaults() Thresholds {
	for _, f := range []struct {
		at    *float64
		usual float64
	}{{&t.Completeness, 0.95}, {&t.Coherence, 0.90}, {&t.Consistency, 0.90}} {
		if *f.at <= 0 {
			*f.at = f.usual
		}
	}
	return t
}

// The reason codes of a judgement.
const (
	Converged    = "converged"
	Incomplete   = "completeness_below_threshold"
	Incoherent   = "coherence_below_threshold"
	Inconsistent = "consistency_below_threshold"
	GravestIssue = "open_issue" // the validation left an issue of high severity
)

// Converger implements soar.Converger: a model gives the scores, the thresholds decide.
type Converger struct{ Thresholds Thresholds }

var _ soar.Converger = Converger{}

// mostMissing bounds what a further pass is asked for.
const mostMissing = 5

// Assess judges how near work is to its goal. The report is read only.
func (c Converger) Assess(ctx context.Context, ask soar.Ask, w soar.Findings, r soar.Report) (soar.Convergence, error) {
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
	a.Reasons = c.reasons(a, r)
	a.Converged = slices.Equal(a.Reasons, []string{Converged})
	return a, nil
}

// reasons are computed from the scores alone, and from whether a grave issue is open.
func (c Converger) reasons(a soar.Convergence, r soar.Report) []string {
	t := c.Thresholds.orDefaults()
	var codes []string
	for _, check := range []struct {
		low  bool
		code string
	}{
		{a.Completeness < t.Completeness, Incomplete}, {a.Coherence < t.Coherence, Incoherent}, {a.Consistency < t.Consistency, Inconsistent},
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
