package eval

import (
	"fmt"
	"slices"

	"github.com/aurora-sidecar/aurora/engine/reason/soar"
)

// goodPlan is the kind of a plan without a mistake.
const goodPlan = "plan"

// A planCase is a plan with the mistake that was put into it.
type planCase struct {
	kind string
	plan *soar.Plan
}

// planQuestion is what the plan is for.
func (c *answerCase) planQuestion() string {
	return fmt.Sprintf("How do `%s` and `%s` work together, and what happens when `%s` fails?", c.about.Name, c.callee.Name, c.callee.Name)
}

// plan is a good one.
func (c *answerCase) plan() *soar.Plan {
	step := func(id, what string, after ...string) soar.Subgoal {
		return soar.Subgoal{ID: id, Description: what, Requires: []string{"G1"}, Agent: "llm-executor", Expected: "facts with sources", DependsOn: after}
	}
	return &soar.Plan{
		Given: []soar.Given{{ID: "G1", Fact: c.planQuestion(), Source: "query"}},
		Goal:  soar.Goal{Description: c.planQuestion(), Criteria: []string{"both functions are explained with sources"}},
		Subgoals: []soar.Subgoal{
			step("SG1", fmt.Sprintf("Read `%s` in %s and say what it does", c.about.Name, c.about.Path)),
			step("SG2", fmt.Sprintf("Find out what `%s` returns when it fails", c.callee.Name)),
			step("SG3", fmt.Sprintf("Explain how `%s` deals with that", c.about.Name), "SG1", "SG2"),
		},
		ExecutionOrder: []string{"SG1", "SG2", "SG3"}, Parallelizable: [][]string{{"SG1", "SG2"}},
	}
}

// planMistakes are put into good plans.
var planMistakes = []struct {
	kind string
	make func(c *answerCase, p *soar.Plan)
}{
	{"missing subgoal", func(c *answerCase, p *soar.Plan) {
		p.Subgoals = slices.Delete(p.Subgoals, 1, 2)
		p.Subgoals[1].DependsOn, p.ExecutionOrder, p.Parallelizable = []string{"SG1"}, []string{"SG1", "SG3"}, nil
	}},
	{"circle", func(_ *answerCase, p *soar.Plan) { p.Subgoals[0].DependsOn = []string{"SG3"} }},
	{"unroutable", func(_ *answerCase, p *soar.Plan) { p.Subgoals[1].Agent = "debugger" }},
	{"unknown file", func(c *answerCase, p *soar.Plan) {
		p.Subgoals[0].Description = fmt.Sprintf("Read `%s` in internal/legacy/%s and say what it does", c.about.Name, "old_"+c.about.Path[lastSlash(c.about.Path):])
	}},
	{"unknown symbol", func(c *answerCase, p *soar.Plan) {
		p.Subgoals[1].Description = fmt.Sprintf("Find out what `%sRegistry` makes of `%s`", c.callee.Name, c.callee.Name)
	}},
	{"wrong order", func(_ *answerCase, p *soar.Plan) { p.ExecutionOrder = []string{"SG3", "SG1", "SG2"} }},
	{"repetition", func(_ *answerCase, p *soar.Plan) { p.Subgoals[1].Description = p.Subgoals[0].Description }},
	{"unknown dependency", func(_ *answerCase, p *soar.Plan) { p.Subgoals[2].DependsOn = []string{"SG1", "SG7"} }},
}

func lastSlash(path string) int {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' {
			return i + 1
		}
	}
	return 0
}

// plans are a good plan and the bad ones made of it.
func (c *answerCase) plans() []planCase {
	list := []planCase{{goodPlan, c.plan()}}
	for _, m := range planMistakes {
		p := c.plan()
		m.make(c, p)
		list = append(list, planCase{m.kind, p})
	}
	return list
}
