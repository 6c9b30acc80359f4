package soar

import (
	"cmp"
	"slices"
)

// A Plan is a question broken into subgoals.
type Plan struct {
	ID             string     `json:"id,omitempty"`
	Query          string     `json:"original_query,omitempty"`
	Complexity     string     `json:"complexity,omitempty"`
	Given          []Given    `json:"given"`
	Goal           Goal       `json:"goal"`
	Subgoals       []Subgoal  `json:"subgoals"`
	ExecutionOrder []string   `json:"execution_order"`
	Parallelizable [][]string `json:"parallelizable"`

	Extended bool `json:"extended,omitempty"` // a follow-up's plan was appended
}

// A Given is a fact that a plan rests on.
type Given struct {
	ID     string `json:"id"`
	Fact   string `json:"fact"`
	Source string `json:"source"` // query, context
	Ref    string `json:"ref,omitempty"`
}

// A Goal is what a plan is for.
type Goal struct {
	Description string   `json:"description"`
	Criteria    []string `json:"success_criteria"`
}

// A Subgoal is what one agent works on.
type Subgoal struct {
	ID          string   `json:"id"`
	Description string   `json:"description"`
	Requires    []string `json:"requires"` // ids of givens, or of subgoals
	Agent       string   `json:"agent"`
	Capability  string   `json:"capability,omitempty"` // that the agent must have
	Expected    string   `json:"expected_output"`
	DependsOn   []string `json:"depends_on"`
	Parent      string   `json:"parent,omitempty"` // step whose sub-plan it belongs to
}

// place is the one-based place of a subgoal in the order of execution.
func (p *Plan) place(id string) int {
	return 1 + slices.IndexFunc(slices.Concat(p.waves()...), func(s Subgoal) bool { return s.ID == id })
}

// waves groups the subgoals: each wave depends on earlier ones only, and inside a wave they keep the plan's order. The
// plan has passed checkPlan.
func (p *Plan) waves() [][]Subgoal {
	depth := map[string]int{}
	byID := map[string]Subgoal{}
	for _, s := range p.Subgoals {
		byID[s.ID] = s
	}
	for _, id := range p.ExecutionOrder { // dependencies come first in it
		for _, before := range byID[id].DependsOn {
			depth[id] = max(depth[id], depth[before]+1)
		}
	}
	ordered := slices.Clone(p.Subgoals)
	slices.SortStableFunc(ordered, func(a, b Subgoal) int {
		return cmp.Or(cmp.Compare(depth[a.ID], depth[b.ID]),
			cmp.Compare(slices.Index(p.ExecutionOrder, a.ID), slices.Index(p.ExecutionOrder, b.ID)))
	})
	var waves [][]Subgoal
	for _, s := range ordered {
		if depth[s.ID] == len(waves) {
			waves = append(waves, nil)
		}
		waves[len(waves)-1] = append(waves[len(waves)-1], s)
	}
	return waves
}
