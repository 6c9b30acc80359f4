package adaptive

import (
	"context"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/prompts"
)

// Planner implements soar.Planner. The first plan of a question is made by the phase DECOMPOSE.
type Planner struct{}

var _ soar.Planner = Planner{}

// mostActions bounds one refinement: more would be a new plan.
const mostActions = 6

// Refine asks for the smallest changes that answer the issues.
func (Planner) Refine(ctx context.Context, ask soar.Ask, p *soar.Plan, agents []soar.Card, issues []soar.Issue) ([]soar.Action, error) {
	var reply struct {
		Actions []soar.Action `json:"actions"`
	}
	in := prompts.Input{Progress: prompts.Progress{Goal: goalOf(p), Plan: planOf(p)}, Agents: cards(agents), Planning: prompts.Planning{Feedback: encode(map[string]any{"issues": firstIssues(issues)})}}
	if err := ask(ctx, prompts.Refinement, in, nil, &reply); err != nil {
		return nil, err
	}
	actions := reply.Actions[:min(len(reply.Actions), mostActions)]
	for i := range actions {
		a := &actions[i]
		a.Applied, a.Refused = false, "" // that is not theirs to say
		a.Target = strings.TrimSpace(a.Target)
		if a.Changes != nil {
			a.Changes.Parent = "" // sub-plans are made by Subplan
		}
	}
	return actions, nil
}

// Subplan asks for the steps that a step is worked on by.
func (Planner) Subplan(ctx context.Context, ask soar.Ask, p *soar.Plan, agents []soar.Card, step soar.Subgoal, issues []soar.Issue) ([]soar.Subgoal, error) {
	var reply struct {
		Steps []soar.Subgoal `json:"steps"`
	}
	in := prompts.Input{
		Progress: prompts.Progress{Goal: goalOf(p), Plan: planOf(p)},
		Agents:   cards(agents),
		Work:     prompts.Work{Subgoal: encode(step)},
		Planning: prompts.Planning{Feedback: encode(map[string]any{"issues": firstIssues(issues)})},
	}
	if err := ask(ctx, prompts.Subplan, in, nil, &reply); err != nil {
		return nil, err
	}
	return reply.Steps, nil
}

func cards(agents []soar.Card) []prompts.Agent {
	out := make([]prompts.Agent, len(agents))
	for i, a := range agents {
		out[i] = prompts.Agent{ID: a.ID, Capabilities: a.Capabilities, Domains: a.Domains}
	}
	return out
}
