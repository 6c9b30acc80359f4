package soar

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/reason/claims"
	"github.com/aurora-sidecar/aurora/prompts"
	"golang.org/x/sync/errgroup"
)

// An Outcome is what became of a subgoal.
type Outcome struct {
	Subgoal  Subgoal
	Envelope *Envelope // nil when it failed
	Review   *Review
	Sources  []Source
	Note     string // why it should not be trusted; "" when it can be
	Attempts int
	Took     time.Duration

	failure *llm.Error // of the model, after which nobody tried again
}

// fail notes that the model failed. What an earlier attempt brought stays.
func (o *Outcome) fail(failure *llm.Error) {
	o.failure = failure
	if o.Failed() {
		o.Note = failure.Error()
	}
}

// Failed reports whether the subgoal came to nothing.
func (o *Outcome) Failed() bool { return o.Envelope == nil }

// collect is phase 6: waves of subgoals, those of one wave side by side. What a wave retrieves is fetched in the plan's
// order before its agents run, so that ids, and with them the prompts, do not depend on which one is faster.
func collect(ctx context.Context, q *query) (string, error) {
	for _, wave := range q.state.Plan.waves() {
		wave = q.due(wave)
		tasks := make([]Task, len(wave))
		for i, s := range wave {
			snippets, err := q.opts.Library.Retrieve(ctx, s.Description, q.opts.subgoalSize())
			if err != nil {
				return "", err
			}
			snippets = withoutPatterns(snippets)
			tasks[i] = Task{
				Subgoal: s, Query: q.state.Query, Sources: union(q.state.shelf.put(snippets), q.sourcesOf(s.DependsOn)), Incoming: q.incoming(s),
				Step: q.state.Plan.place(s.ID), Steps: len(q.state.Plan.Subgoals), Model: q.state.Model, Feedback: q.redo.feedback[s.ID], Ask: q.asker(s.ID),
			}
		}
		outcomes := make([]*Outcome, len(wave))
		group, wctx := errgroup.WithContext(ctx)
		group.SetLimit(q.opts.Parallel)
		for i, t := range tasks {
			group.Go(func() (err error) {
				start := time.Now()
				outcomes[i], err = workOn(wctx, q, t)
				if failure := isModelFault(err); failure != nil && wctx.Err() == nil { // the others go on
					outcomes[i].fail(failure)
					err = nil
				}
				if err == nil {
					outcomes[i].Took = time.Since(start)
				}
				return err
			})
		}
		if err := group.Wait(); err != nil {
			return "", err
		}
		q.state.Outcomes = append(q.state.Outcomes, outcomes...)
	}
	q.inOrder()
	failed := 0
	for _, o := range q.state.Outcomes {
		if o.Failed() {
			failed++
			q.state.warn("Subgoal %s failed (%s): %s.", o.Subgoal.ID, o.Subgoal.Description, o.Note)
		}
	}
	if failure := q.state.Outcomes[0].failure; failed == len(q.state.Outcomes) && failure != nil {
		return "", failure
	}
	if failed == len(q.state.Outcomes) {
		return "", &rejection{"every subgoal failed", q.state.Outcomes[0].Review}
	}
	return fmt.Sprintf("%d of %s done", len(q.state.Outcomes)-failed, tell(len(q.state.Outcomes), "subgoal", "subgoals")), nil
}

func (q *query) outcome(id string) *Outcome {
	for _, o := range q.state.Outcomes {
		if o.Subgoal.ID == id {
			return o
		}
	}
	return nil
}

// incoming is what earlier subgoals hand over.
func (q *query) incoming(s Subgoal) []string {
	var out []string
	for _, id := range s.DependsOn {
		o := q.outcome(id)
		switch {
		case o == nil:
		case o.Failed():
			out = append(out, id+" failed: "+o.Note)
		default:
			text := id + ": " + CutText(o.Envelope.Output.Summary, maxSummary/2)
			if o.Envelope.Handoff != "" {
				text += "\n" + CutText(o.Envelope.Handoff, maxSummary/4)
			}
			out = append(out, text)
		}
	}
	return out
}

func (q *query) sourcesOf(ids []string) []Source {
	var out []Source
	for _, id := range ids {
		if o := q.outcome(id); o != nil {
			out = append(out, o.Sources...)
		}
	}
	return out
}

// workOn has a subgoal worked on until its output passes: twice again with feedback, by another agent where there is one
// .
func workOn(ctx context.Context, q *query, t Task) (*Outcome, error) {
	route := q.assignment(t.Subgoal.ID)
	agents := append([]int{route.agent}, route.others...)
	best := &Outcome{Subgoal: t.Subgoal, Sources: t.Sources, Note: "no agent gave an answer"}
	for attempt := 0; attempt <= maxRetries; attempt++ {
		agent := q.agents[agents[min(attempt, len(agents)-1)]]
		best.Attempts = attempt + 1
		envelope, review, err := tryAgent(ctx, q, agent, &t)
		if failure := agentFailure(ctx, err); failure != "" {
			tellJudged(q, agent, false)
			if best.Failed() {
				best.Note = failure
			}
			q.run.Note(Collect, Again, t.Subgoal.ID+": "+failure)
			continue
		}
		if err != nil {
			return best, err
		}
		tellJudged(q, agent, review.Verdict == Pass)
		best.Sources = t.Sources
		best.take(envelope, review)
		line := fmt.Sprintf("%s by %s: %s", t.Subgoal.ID, agent.Card().ID, review.line())
		if review.Verdict == Pass {
			q.run.Note(Collect, InProgress, line)
			return best, nil
		}
		if attempt == maxRetries {
			break
		}
		q.run.Note(Collect, Again, line)
		if t.Feedback, err = whatToMend(ctx, q, "agent_output", "Output was insufficient because", review, attempt+1, encode(envelope)); err != nil {
			return best, err
		}
	}
	return best, nil
}

// take keeps an attempt if it is the best so far. One that failed is never used.
func (o *Outcome) take(e *Envelope, r *Review) {
	if o.Review != nil && r.Overall <= o.Review.Overall {
		return
	}
	o.Review, o.Note = r, ""
	if r.Verdict != Fail {
		o.Envelope = e
	}
	if r.Verdict != Pass {
		o.Note = r.because()
	}
}

// tryAgent has an agent work on a task once, and judges what it brings.
// What the agent looked at by itself becomes a source of the task.
func tryAgent(ctx context.Context, q *query, agent Agent, t *Task) (*Envelope, *Review, error) {
	envelope, err := agent.Run(ctx, *t)
	if err != nil {
		return nil, nil, q.agentError(agent, err)
	}
	t.Sources = union(t.Sources, envelope.found)
	if envelope, err = resolve(ctx, q, envelope, t); err != nil {
		return nil, nil, err
	}
	review, err := verifyOutput(ctx, q, agent, envelope, *t)
	return envelope, review, err
}

// tellJudged tells how an attempt ended, for the agent's success rate.
func tellJudged(q *query, a Agent, pass bool) {
	if q.opts.Judged != nil {
		q.opts.Judged(a.Card().ID, pass)
	}
}

// agentFailure says why an agent brought nothing, "" when it did, or when the query can't go on: it has ended, or the
// model that everything rests on gives no answer.
func agentFailure(ctx context.Context, err error) string {
	var failure *llm.Error
	switch {
	case err == nil || ctx.Err() != nil:
		return ""
	case errors.As(err, &failure) && failure.Fault != llm.Malformed:
		return ""
	}
	return err.Error()
}

func (q *query) assignment(id string) Assignment {
	for _, a := range q.state.Routes {
		if a.SubgoalID == id {
			return a
		}
	}
	return Assignment{}
}

// agentError keeps the errors of models apart from those of agents.
func (q *query) agentError(a Agent, err error) error {
	var failure *llm.Error
	if errors.As(err, &failure) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("agent %s: %w", a.Card().ID, err)
}

// verifyOutput judges an agent's output: code first; then a model, but for what the search found, which is true by
// construction, unless the question is critical.
func verifyOutput(ctx context.Context, q *query, a Agent, e *Envelope, t Task) (*Review, error) {
	held, err := q.claims(ctx, e.Output.Summary, t.question(), t.Sources)
	if err != nil {
		return nil, err
	}
	problems := checkEnvelope(e, t, held)
	byItself := a.Card().ID == searchAgentID && q.state.Assessment.Level != Critical
	if e.Status == "error" {
		r := byCode(q.state.Option, outputWeights, nil)
		r.Overall, r.Verdict, r.Critical = 0, Fail, []string{"the agent found nothing out: " + claims.Excerpt(e.Output.Summary)}
		return r, nil
	}
	if len(problems) > 0 || byItself || q.state.Option == NoReview {
		return byCode(q.state.Option, outputWeights, problems), nil
	}
	return askReview(ctx, q, prompts.VerifyAgentOutput, outputWeights, prompts.Input{
		Work:     prompts.Work{Subgoal: encode(t.Subgoal), Response: encode(e.short())},
		Planning: prompts.Planning{Examples: q.examples(prompts.AgentOutputSet)},
	}, claims.Cited(e.Output.Summary, t.Sources))
}
