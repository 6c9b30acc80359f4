package soar

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/reason/claims"
)

const (
	minSubgoals = 2
	maxSubgoals = 5
)

// checkPlan is what needs no model to be judged: number and ids of the subgoals, order, dependencies, givens, sources
// and agents, and that all names of the question occur. sources are those that the plan may refer
// to.
func checkPlan(p *Plan, agents []Card, sources []Source, question string) []claims.Problem {
	c := &planCheck{plan: p, agents: agents, sources: sources, question: question, subgoals: map[string]Subgoal{}, givens: map[string]bool{}}
	c.count()
	c.given()
	c.covers()
	c.dependencies()
	if len(c.problems) == 0 { // what follows needs a graph without circles
		c.order()
		c.traces()
	}
	c.routes()
	return c.problems
}

type planCheck struct {
	plan     *Plan
	agents   []Card
	sources  []Source
	question string
	subgoals map[string]Subgoal
	givens   map[string]bool
	problems []claims.Problem
}

func (c *planCheck) fault(check, format string, args ...any) {
	c.problems = append(c.problems, claims.Problem{Check: check, Message: fmt.Sprintf(format, args...)})
}

func (c *planCheck) count() {
	c.levels()
	if strings.TrimSpace(c.plan.Goal.Description) == "" {
		c.fault("completeness", "the goal has no description")
	}
	if len(c.plan.Goal.Criteria) == 0 {
		c.fault("completeness", "the goal has no success criteria")
	}
	for i, s := range c.plan.Subgoals {
		if _, twice := c.subgoals[s.ID]; twice {
			c.fault("consistency", "two subgoals are called %s", s.ID)
		}
		c.subgoals[s.ID] = s
		if !says(s.Description) {
			c.fault("completeness", "%s has no description", s.ID)
		}
		for _, earlier := range c.plan.Subgoals[:i] {
			if claims.SameTask(earlier.Description, s.Description) {
				c.fault("consistency", "%s repeats %s", s.ID, earlier.ID)
				break
			}
		}
	}
}

// levels counts the subgoals of the plan, and those of each sub-plan.
func (c *planCheck) levels() {
	count := map[string]int{"": 0}
	for _, s := range c.plan.Subgoals {
		count[s.Parent]++
	}
	for _, parent := range slices.Sorted(maps.Keys(count)) {
		n, what := count[parent], "the plan"
		if parent != "" {
			what = "the sub-plan of " + parent
			if c.plan.subgoal(parent) == nil {
				c.fault("consistency", "a sub-plan belongs to %s, which does not exist", parent)
			}
		}
		most := maxSubgoals
		if parent == "" && c.plan.Extended {
			most *= 2
		}
		if n < minSubgoals || n > most {
			c.fault("completeness", "%s has %d subgoals, it must have %d to %d", what, n, minSubgoals, most)
		}
	}
}

// says reports whether a description has a word in it.
func says(description string) bool {
	return slices.ContainsFunc(claims.Words(description), func(w string) bool { return len(w) > 1 })
}

// covers looks for names of code that the question has and the plan does not, unless as a repetition of the question.
func (c *planCheck) covers() {
	var b strings.Builder
	texts := append([]string{c.plan.Goal.Description}, c.plan.Goal.Criteria...)
	for _, g := range c.plan.Given {
		texts = append(texts, g.Fact)
	}
	for _, text := range texts {
		if !claims.Same(text, c.question) { // to repeat the question is to plan nothing
			b.WriteString(text + "\n")
		}
	}
	for _, s := range c.plan.Subgoals {
		b.WriteString("\n" + s.Description + "\n" + s.Expected)
	}
	for _, name := range claims.NamesAsked(c.question) {
		parts := claims.Words(name)
		if !slices.ContainsFunc(parts, func(part string) bool { return len(part) > 1 && claims.HasWord(b.String(), part) }) {
			c.fault("completeness", "nothing in the plan is about `%s`, which the question names", name)
			return
		}
	}
}

func (c *planCheck) given() {
	facts := map[string]string{}
	for _, g := range c.plan.Given {
		if c.givens[g.ID] {
			c.fault("consistency", "two given facts are called %s", g.ID)
		}
		c.givens[g.ID] = true
		fact := strings.ToLower(strings.Join(strings.Fields(g.Fact), " "))
		if fact == "" {
			c.fault("groundedness", "the given fact %s is empty", g.ID)
		}
		for other, id := range facts {
			if claims.Contradict(fact, other) {
				c.fault("consistency", "the given facts %s and %s contradict each other", id, g.ID)
			}
		}
		facts[fact] = g.ID
		if g.Source != "query" && g.Source != "context" {
			c.fault("groundedness", "the given fact %s comes from %q, it must come from query or context", g.ID, g.Source)
		}
		if g.Ref != "" {
			c.cited(g)
		}
	}
	if len(c.plan.Given) == 0 {
		c.fault("groundedness", "the plan names no given facts")
	}
}

// cited holds a given fact against the source that it cites.
func (c *planCheck) cited(g Given) {
	at := slices.IndexFunc(c.sources, func(s Source) bool { return s.ID == g.Ref })
	if at < 0 {
		c.fault("groundedness", "the given fact %s cites %s, which is no source", g.ID, g.Ref)
		return
	}
	for _, p := range claims.CheckCited(g.Fact, c.question, c.sources[at], c.sources) {
		c.fault("groundedness", "the given fact %s: %s", g.ID, p.Message)
	}
}

// dependencies looks for unknown ids and circles.
func (c *planCheck) dependencies() {
	for _, s := range c.plan.Subgoals {
		for _, before := range s.DependsOn {
			if _, ok := c.subgoals[before]; !ok {
				c.fault("consistency", "%s depends on %s, which does not exist", s.ID, before)
			}
		}
		for _, id := range s.Requires {
			if _, isSubgoal := c.subgoals[id]; !c.givens[id] && !isSubgoal {
				c.fault("groundedness", "%s requires %s, which is not given", s.ID, id)
			} else if isSubgoal && !slices.Contains(s.DependsOn, id) {
				c.fault("consistency", "%s requires %s and does not depend on it", s.ID, id)
			}
		}
	}
	const (
		unseen = iota
		open
		done
	)
	state := map[string]int{}
	var visit func(id string) bool
	visit = func(id string) bool {
		switch state[id] {
		case open:
			return false
		case done:
			return true
		}
		state[id] = open
		for _, before := range c.subgoals[id].DependsOn {
			if !visit(before) {
				return false
			}
		}
		state[id] = done
		return true
	}
	for _, s := range c.plan.Subgoals {
		if !visit(s.ID) {
			c.fault("consistency", "the dependencies of %s make a circle", s.ID)
			return
		}
	}
}

// order compares execution_order and parallelizable with the dependencies.
func (c *planCheck) order() {
	place := map[string]int{}
	for i, id := range c.plan.ExecutionOrder {
		if _, ok := c.subgoals[id]; !ok {
			c.fault("consistency", "execution_order names %s, which does not exist", id)
		}
		if _, twice := place[id]; twice {
			c.fault("consistency", "execution_order names %s twice", id)
		}
		place[id] = i
	}
	for _, s := range c.plan.Subgoals {
		at, ok := place[s.ID]
		if !ok {
			c.fault("consistency", "execution_order leaves %s out", s.ID)
			continue
		}
		for _, before := range s.DependsOn {
			if place[before] > at {
				c.fault("consistency", "%s stands before %s, which it depends on", s.ID, before)
			}
		}
	}
	for _, group := range c.plan.Parallelizable {
		for _, id := range group {
			if _, ok := c.subgoals[id]; !ok {
				c.fault("consistency", "parallelizable names %s, which does not exist", id)
			}
			for _, other := range group {
				if id != other && c.reaches(id, other) {
					c.fault("consistency", "%s and %s can't run side by side: one depends on the other", other, id)
				}
			}
		}
	}
}

// reaches reports whether from depends on to, itself or through others.
func (c *planCheck) reaches(from, to string) bool {
	for _, before := range c.subgoals[from].DependsOn {
		if before == to || c.reaches(before, to) {
			return true
		}
	}
	return false
}

// traces looks for subgoals that rest on nothing given.
func (c *planCheck) traces() {
	var grounded func(id string) bool
	grounded = func(id string) bool {
		s := c.subgoals[id]
		return slices.ContainsFunc(s.Requires, func(g string) bool { return c.givens[g] }) || slices.ContainsFunc(s.DependsOn, grounded)
	}
	for _, s := range c.plan.Subgoals {
		if !grounded(s.ID) {
			c.fault("groundedness", "%s rests on no given fact", s.ID)
		}
	}
}

// routes looks for agents that do not exist or can't do what they are asked.
func (c *planCheck) routes() {
	for _, s := range c.plan.Subgoals {
		at := slices.IndexFunc(c.agents, func(a Card) bool { return a.ID == s.Agent })
		if at < 0 {
			c.fault("routability", "%s goes to the agent %q, which does not exist", s.ID, s.Agent)
			continue
		}
		if s.Capability != "" && !c.agents[at].can(s.Capability) {
			c.fault("routability", "the agent %s of %s can't do %s", s.Agent, s.ID, s.Capability)
		}
	}
}
