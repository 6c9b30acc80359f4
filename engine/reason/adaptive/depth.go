package adaptive

import (
	"context"
	"encoding/json"
	"math"
	"slices"

	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/prompts"
)

// Default describes a task of which nothing is known.
var Default = soar.TaskProfile{Depth: 3, Information: 0.5, Tools: "moderate", Breadth: "moderate", Confidence: "medium"}

// Limits bound the time to live of a task. Zero fields have the defaults.
type Limits struct {
	TTL            int // the longest time to live, in calls; 0 means 120
	CallsPerMinute int // what the endpoint allows; 0 means it sets no limit
}

const (
	usualTTL = 120
	// longest is how many minutes a task may take at the rate that an endpoint allows.
	longest = 10
)

// Depth implements soar.Depth.
type Depth struct{ Limits Limits }

var _ soar.Depth = Depth{}

// profileReply is what the prompt for a profile is answered with.
type profileReply struct {
	soar.TaskProfile
	Reasoning string `json:"reasoning"`
}

// Infer describes a task. When the model fails, it returns Default with the error.
func (d Depth) Infer(ctx context.Context, ask soar.Ask, query string) (soar.TaskProfile, error) {
	var reply profileReply
	if err := ask(ctx, prompts.TaskProfile, prompts.Input{Query: query}, nil, &reply); err != nil {
		return Default, err
	}
	return reply.TaskProfile, nil
}

// Update describes a task again, by what a pass has shown. When the model fails, it returns old with the error.
func (d Depth) Update(ctx context.Context, ask soar.Ask, query string, old soar.TaskProfile, sources []soar.Source, p *soar.ExecutionPass) (soar.TaskProfile, error) {
	var issues []soar.Issue
	for _, r := range p.Validations {
		issues = append(issues, r.Issues...)
	}
	clarity := map[string]soar.Clarity{}
	for _, s := range p.Steps {
		clarity[s.ID] = s.Clarity
	}
	state := map[string]any{"profile": old, "issues": firstIssues(issues), "clarity_state": clarity, "convergence": p.Convergence}
	var reply profileReply
	if err := ask(ctx, prompts.TaskProfile, prompts.Input{Query: query, Progress: prompts.Progress{State: encode(state)}}, sources, &reply); err != nil {
		return old, err
	}
	return reply.TaskProfile, nil
}

// TTL is the time to live of a task, in calls of models and agents:
//
//	steps  = 2, 3 or 5             for a narrow, moderate or broad output
//	extra  = 0, 0, 1 or 2          calls more a step, for none, light, moderate or heavy use of tools
//	pass   = 7 + steps·(2 + extra) one pass: plan, its review, its validation; work and review for each step;
//	                               answer, its review, its validation, convergence
//	passes = 1 + (depth − 1)/2     1 for depth 1, 3 for depth 5
//	gaps   = 1 + (1 − information)/2
//	care   = 0.75, 1 or 1.5        for a low, medium or high requirement of confidence
//	limit  = the smaller one of Limits.TTL and 10 minutes at Limits.CallsPerMinute
//
//	TTL    = min(limit, max(pass, round(pass · passes · gaps · care)))
//
// It depends on nothing else: the same profile has the same TTL under the same limits. A word that is unknown counts as
// the middle one, a figure outside its range as the nearest in it. The weights are a choice, made so that one pass
// always fits and the deepest task has about six; they are not measured.
func (d Depth) TTL(p soar.TaskProfile) int {
	p = bounded(p)
	steps := map[string]int{"narrow": 2, "moderate": 3, "broad": 5}[p.Breadth]
	extra := map[string]int{"none": 0, "light": 0, "moderate": 1, "heavy": 2}[p.Tools]
	care := map[string]float64{"low": 0.75, "medium": 1, "high": 1.5}[p.Confidence]
	pass := 7 + steps*(2+extra)
	passes := 1 + float64(p.Depth-1)/2
	gaps := 1 + (1-p.Information)/2
	ttl := int(math.Round(float64(pass) * passes * gaps * care))
	return min(d.limit(), max(pass, ttl))
}

func (d Depth) limit() int {
	limit := d.Limits.TTL
	if limit <= 0 {
		limit = usualTTL
	}
	if rate := d.Limits.CallsPerMinute; rate > 0 {
		limit = min(limit, rate*longest)
	}
	return limit
}

// bounded puts each dimension into its range.
func bounded(p soar.TaskProfile) soar.TaskProfile {
	p.Depth = min(max(p.Depth, 1), 5)
	if math.IsNaN(p.Information) {
		p.Information = Default.Information
	}
	p.Information = min(max(p.Information, 0), 1)
	for _, word := range []struct {
		at    *string
		known []string
		usual string
	}{
		{&p.Tools, []string{"none", "light", "moderate", "heavy"}, Default.Tools},
		{&p.Breadth, []string{"narrow", "moderate", "broad"}, Default.Breadth},
		{&p.Confidence, []string{"low", "medium", "high"}, Default.Confidence},
	} {
		if !slices.Contains(word.known, *word.at) {
			*word.at = word.usual
		}
	}
	return p
}

// encode is v as JSON; what this package encodes always encodes.
func encode(v any) string {
	encoded, err := json.Marshal(v)
	if err != nil {
		return "{}"
	}
	return string(encoded)
}
