package soar

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/aurora-sidecar/aurora/engine/reason/claims"
)

// addTo appends the plan of a follow-up to the one before it, when both fit together: the whole passes every check of a
// plan. Else the plan stands alone.
func addTo(q *query, p *Plan) *Plan {
	t := q.state.Request.Before
	if t == nil || t.Same || t.Plan == nil || len(t.Outcomes) == 0 {
		return p
	}
	whole := extend(t.Plan, p)
	completePlan(q, whole)
	if len(whole.Subgoals) == len(t.Plan.Subgoals) || len(checkPlan(whole, q.agentCards(), q.state.Bundle, q.state.Query)) > 0 {
		return p
	}
	return whole
}

// extend returns a plan followed by what another one adds to it. Givens and subgoals that say the same are one; the
// others of the second plan get ids that the first one does not have.
func extend(first, second *Plan) *Plan {
	whole := first.clone()
	whole.Extended = true
	whole.Goal.Description += "; " + second.Goal.Description
	whole.Goal.Criteria = slices.Concat(first.Goal.Criteria, second.Goal.Criteria)
	ids := map[string]string{} // of the second plan, as they are called in the whole
	for _, g := range second.Given {
		at := slices.IndexFunc(first.Given, func(o Given) bool { return o.Fact == g.Fact })
		if at >= 0 {
			ids[g.ID] = first.Given[at].ID
			continue
		}
		ids[g.ID] = fmt.Sprintf("G%d", len(whole.Given)+1)
		g.ID = ids[g.ID]
		whole.Given = append(whole.Given, g)
	}
	number := len(first.Subgoals)
	for _, s := range second.Subgoals {
		at := slices.IndexFunc(first.Subgoals, func(o Subgoal) bool { return claims.SameTask(o.Description, s.Description) })
		if at >= 0 {
			ids[s.ID] = first.Subgoals[at].ID
			continue
		}
		number++
		ids[s.ID] = fmt.Sprintf("SG%d", number)
	}
	called := func(list []string) []string { // an id that the second plan does not define is one of the first's
		out := slices.Clone(list)
		for i, id := range out {
			out[i] = cmp.Or(ids[id], id)
		}
		return out
	}
	for _, s := range second.Subgoals {
		if s.ID = ids[s.ID]; whole.subgoal(s.ID) == nil {
			s.Requires, s.DependsOn, s.Parent = called(s.Requires), called(s.DependsOn), cmp.Or(ids[s.Parent], s.Parent)
			whole.Subgoals = append(whole.Subgoals, s)
		}
	}
	for _, id := range called(second.ExecutionOrder) {
		if !slices.Contains(whole.ExecutionOrder, id) {
			whole.ExecutionOrder = append(whole.ExecutionOrder, id)
		}
	}
	for _, group := range second.Parallelizable {
		whole.Parallelizable = append(whole.Parallelizable, called(group))
	}
	return whole
}
