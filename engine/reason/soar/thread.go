package soar

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/aurora-sidecar/aurora/prompts"
)

// A Thread is what a question goes on from: the one before it in a conversation or itself, when it was stopped.
// Anyone who hands it over makes sure that the sources of its outcomes still say what they said.
type Thread struct {
	Query      string
	Answer     string
	Same       bool        // the question is the same one: its plan is carried on, not added to
	Assessment *Assessment // holds for the question, too; nil assesses it
	Option     Option      // of PlanReview
	Plan       *Plan
	PlanReview *Review
	Outcomes   []*Outcome
	Sources    []Source // that Plan and Outcomes cite, with their ids
}

// Thread is what a later question can go on from. It is nil when the query did not come as far as its assessment.
func (s *State) Thread() *Thread {
	if s == nil || s.Assessment.Level == "" {
		return nil
	}
	assessment := s.Assessment
	t := &Thread{Query: s.Query, Answer: s.Answer, Assessment: &assessment, Option: s.Option}
	if s.Plan == nil || s.PlanReview == nil || s.PlanReview.Verdict != Pass {
		return t
	}
	t.Plan, t.PlanReview, t.Sources = s.Plan.clone(), s.PlanReview, s.shelf.all()
	for _, o := range s.Outcomes {
		if !o.Failed() && o.Note == "" {
			t.Outcomes = append(t.Outcomes, o)
		}
	}
	return t
}

// Keep drops the outcomes whose sources do not all pass, and what depends on them.
func (t *Thread) Keep(fresh func(Source) bool) {
	kept := map[string]bool{}
	t.Outcomes = slices.DeleteFunc(slices.Clone(t.Outcomes), func(o *Outcome) bool {
		stale := slices.ContainsFunc(o.Sources, func(s Source) bool { return !fresh(s) }) ||
			slices.ContainsFunc(o.Subgoal.DependsOn, func(id string) bool { return !kept[id] })
		kept[o.Subgoal.ID] = !stale
		return stale
	})
}

// takeUp puts the snippets of earlier work on the shelf, so that its citations keep their meaning.
func takeUp(q *query) {
	t := q.state.Request.Before
	if t == nil || len(t.Outcomes) == 0 {
		return
	}
	q.state.shelf.sources = slices.Clone(t.Sources)
	for _, s := range t.Sources {
		if n, err := strconv.Atoi(strings.TrimPrefix(s.ID, "S")); err == nil {
			q.state.shelf.last = max(q.state.shelf.last, n)
		}
	}
}

// named are the snippets that the given facts of a plan cite.
func (s *shelf) named(p *Plan) []Source {
	return slices.DeleteFunc(s.all(), func(s Source) bool {
		return !slices.ContainsFunc(p.Given, func(g Given) bool { return g.Ref == s.ID })
	})
}

// known reports whether the question needs no assessment of its own, and takes over the one there is.
func (q *query) known() bool {
	t := q.state.Request.Before
	if t == nil || t.Assessment == nil {
		return false
	}
	q.state.Assessment, q.state.Method = *t.Assessment, "conversation"
	return true
}

// carriesOn reports whether the question was stopped behind its plan, and takes that up.
func (q *query) carriesOn() bool {
	t := q.state.Request.Before
	if t == nil || !t.Same || t.Plan == nil {
		return false
	}
	q.state.Plan, q.state.PlanReview, q.state.Option = t.Plan.clone(), t.PlanReview, t.Option
	q.run.Skip(Decompose, "it was planned before it was stopped")
	q.run.Skip(Verify, "its plan passed before it was stopped")
	takeOver(q)
	return true
}

// takeOver makes the outcomes of earlier work those of the plan's subgoals that are the same.
func takeOver(q *query) {
	t := q.state.Request.Before
	if t == nil {
		return
	}
	for _, o := range t.Outcomes {
		if s := q.state.Plan.subgoal(o.Subgoal.ID); s != nil && s.Description == o.Subgoal.Description && q.outcome(s.ID) == nil {
			q.state.Outcomes = append(q.state.Outcomes, o)
		}
	}
}

// longestEarlier is the most bytes of an earlier answer that a prompt carries, about 400 tokens.
const longestEarlier = 1600

// earlier is what prompts are told of the question before; nil when there is none.
func (q *query) earlier() *prompts.Earlier {
	t := q.state.Request.Before
	if t == nil || t.Same {
		return nil
	}
	e := &prompts.Earlier{Query: scrubbed(t.Query), Answer: CutText(scrubbed(t.Answer), longestEarlier)}
	if t.Plan == nil {
		return e
	}
	for _, o := range t.Outcomes {
		e.Done = append(e.Done, o.Subgoal.ID+": "+o.Subgoal.Description)
	}
	e.Next = fmt.Sprintf("SG%d", len(t.Plan.Subgoals)+1)
	return e
}
