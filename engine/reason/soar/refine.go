package soar

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// refined is a plan with the actions applied, in their order. Ids of steps that stay do not change, and no id is used
// for two steps: used holds those that ever were. An action that can't be applied is marked with why.
func refined(p *Plan, actions []Action, used map[string]bool) *Plan {
	c := p.clone()
	for i := range actions {
		a := &actions[i]
		switch at := c.subgoal(a.Target); {
		case a.Op == Add && used[a.Target]:
			a.Target = freeID(used, a.parent())
			fallthrough
		case a.Op == Add:
			c.add(a, used)
		case at == nil:
			a.Refused = "there is no such step"
		case a.Op == Modify:
			at.change(a.Changes)
		case a.Op == Remove:
			c.remove(a.Target)
		default:
			a.Refused = fmt.Sprintf("%q is no kind of change", a.Op)
		}
	}
	c.reorder()
	return c
}

func (a *Action) parent() string {
	if a.Changes == nil {
		return ""
	}
	return a.Changes.Parent
}

// freeID is the first id of a level that was never used.
func freeID(used map[string]bool, parent string) string {
	for n := 1; ; n++ {
		id := fmt.Sprintf("SG%d", n)
		if parent != "" {
			id = fmt.Sprintf("%s.%d", parent, n)
		}
		if !used[id] {
			return id
		}
	}
}

func (p *Plan) add(a *Action, used map[string]bool) {
	if a.Changes == nil || strings.TrimSpace(a.Changes.Description) == "" {
		a.Refused = "a new step needs a description"
		return
	}
	s := Subgoal{ID: a.Target, Requires: []string{}, DependsOn: []string{}}
	s.change(a.Changes)
	s.Parent = a.Changes.Parent
	used[s.ID] = true
	p.Subgoals = append(p.Subgoals, s)
}

// change takes over what is set.
func (s *Subgoal) change(c *Changes) {
	if c == nil {
		return
	}
	s.Description, s.Agent = cmp.Or(c.Description, s.Description), cmp.Or(c.Agent, s.Agent)
	s.Expected = cmp.Or(c.Expected, s.Expected)
	if c.Agent != "" || c.Capability != "" {
		s.Capability = c.Capability
	}
	if c.Requires != nil {
		s.Requires = slices.Clone(c.Requires)
	}
	if c.DependsOn != nil {
		s.DependsOn = slices.Clone(c.DependsOn)
	}
}

// remove takes a step out, with the steps below it, and what others say of them.
func (p *Plan) remove(id string) {
	gone := func(other string) bool { return other == id || strings.HasPrefix(other, id+".") }
	p.Subgoals = slices.DeleteFunc(p.Subgoals, func(s Subgoal) bool { return gone(s.ID) })
	for i := range p.Subgoals {
		s := &p.Subgoals[i]
		s.Requires = slices.DeleteFunc(s.Requires, gone)
		s.DependsOn = slices.DeleteFunc(s.DependsOn, gone)
	}
}

// reorder makes execution_order and parallelizable fit the steps: the order stays as it was, and a step that is new
// comes as early as its dependencies allow. Steps in a circle keep the order of the plan; checkPlan names the circle.
func (p *Plan) reorder() {
	var order []string
	placed := map[string]bool{}
	rank := func(id string) int {
		if at := slices.Index(p.ExecutionOrder, id); at >= 0 {
			return at
		}
		return len(p.ExecutionOrder)
	}
	left := slices.Clone(p.Subgoals)
	slices.SortStableFunc(left, func(a, b Subgoal) int { return rank(a.ID) - rank(b.ID) })
	circular := false
	for len(left) > 0 {
		at := slices.IndexFunc(left, func(s Subgoal) bool {
			return !slices.ContainsFunc(s.DependsOn, func(id string) bool { return !placed[id] && p.subgoal(id) != nil })
		})
		circular = circular || at < 0
		at = max(at, 0)
		order, placed[left[at].ID] = append(order, left[at].ID), true
		left = slices.Delete(left, at, at+1)
	}
	p.ExecutionOrder, p.Parallelizable = order, p.sideBySide(circular)
}

// sideBySide are the groups whose steps are still there and do not depend on each other.
func (p *Plan) sideBySide(circular bool) [][]string {
	if circular {
		return nil
	}
	check := &planCheck{plan: p, subgoals: map[string]Subgoal{}}
	for _, s := range p.Subgoals {
		check.subgoals[s.ID] = s
	}
	var groups [][]string
	for _, group := range p.Parallelizable {
		kept := slices.DeleteFunc(slices.Clone(group), func(id string) bool { return p.subgoal(id) == nil })
		joined := slices.ContainsFunc(kept, func(a string) bool {
			return slices.ContainsFunc(kept, func(b string) bool { return a != b && check.reaches(a, b) })
		})
		if len(kept) > 1 && !joined {
			groups = append(groups, kept)
		}
	}
	return groups
}

// nest returns the actions by which a step gets a sub-plan: the new steps come before it and take over what it depends
// on; the step itself puts their results together.
func nest(p *Plan, step Subgoal, children []Subgoal, used map[string]bool) []Action {
	ids := map[string]string{}
	taken := map[string]bool{}
	for id := range used {
		taken[id] = true
	}
	for _, c := range children {
		ids[c.ID] = freeID(taken, step.ID)
		taken[ids[c.ID]] = true
	}
	given := func(id string) bool { return slices.ContainsFunc(p.Given, func(g Given) bool { return g.ID == id }) }
	own := slices.DeleteFunc(slices.Clone(step.Requires), func(id string) bool { return !given(id) })
	after := slices.Clone(step.DependsOn)
	var actions []Action
	for _, c := range children {
		changes := &Changes{
			Parent: step.ID, Description: c.Description, Agent: c.Agent, Capability: c.Capability, Expected: c.Expected,
			Requires: slices.DeleteFunc(slices.Clone(c.Requires), func(id string) bool { return !given(id) }), DependsOn: slices.Clone(step.DependsOn),
		}
		if len(changes.Requires) == 0 {
			changes.Requires = own
		}
		for _, before := range c.DependsOn {
			if id, ok := ids[before]; ok && before != c.ID {
				changes.DependsOn = append(changes.DependsOn, id)
			}
		}
		after = append(after, ids[c.ID])
		actions = append(actions, Action{Op: Add, Target: ids[c.ID], Changes: changes, Reason: "a part of " + step.ID})
	}
	return append(actions, Action{Op: Modify, Target: step.ID, Changes: &Changes{DependsOn: after}, Reason: "it puts its parts together"})
}
