package reason

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/budget"
	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/proposal"
	"github.com/aurora-sidecar/aurora/engine/reason/adaptive"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/prompts"
)

// reasoning is one question to the models.
type reasoning struct {
	reasoner   *Reasoner
	models     *Models
	request    QueryRequest
	result     *QueryResult
	library    *evidence.Workspace
	account    *llm.Account
	warning    *budget.Warning
	deltas     bool           // a part of an answer was given away
	placing    sync.Mutex     // held while agents that work side by side have their places looked up
	transcript transcript     // of agents with the person
	answer     *memory.Record // that the answer becomes, nil for none
	proposed   *proposal.Set  // changes of files; nil where none are asked for
	checks     changeChecks
}

// reason answers a question by the models. Where a model fails, mode soar fails, too, with LLMUnavailable;
// any other mode is answered as if there were no model, with a warning that says what failed.
func (e *Reasoner) reason(ctx context.Context, m *Models, r QueryRequest, sink func(Progress)) (*QueryResult, error) {
	option, err := optionOf(r.Verification)
	if err != nil {
		return nil, err
	}
	q := e.newReasoning(m, r)
	mode := strings.ToLower(r.Mode)
	if q.models.Tiers != (soar.Models{}) {
		q.result.Model = "" // set by the tier
	}
	as := soar.Request{
		ID: q.result.QueryID, Account: q.account, Before: q.thread(ctx), Query: r.Query, Mode: mode, Option: option, Fresh: r.Force || r.Fresh, Adaptive: r.Adaptive || m.AlwaysPasses, Changes: r.Changes, Window: m.window(ctx),
		Assess: assessBy(r.Assess), Failures: e.difficult.failures(e.opts.Journal, soar.Signature(soar.WithoutPersonal(r.Query))),
	}
	o, err := q.options(ctx)
	if err != nil {
		return nil, err
	}
	if known, err := repeat(ctx, q, as, &o, sink); known != nil || err != nil {
		return known, err
	}
	pipeline := soar.NewPipeline(o)
	events := e.newEventLog()
	state, phases, total, err := pipeline.Ask(ctx, as, q.progress(events.listening(sink)))
	r.Done.take(state, q.library.Hits)
	if err == nil {
		checkChange(ctx, q, func(line string) {
			if sink != nil {
				sink(Progress{QueryID: q.result.QueryID, Stage: soar.VerifyAnswer, Status: soar.InProgress, Detail: soar.Ran + line, Done: 1})
			}
		})
	}
	q.finish(state, phases, total)
	q.log(state, total, err)
	x := &exchange{
		request: r, asked: q.result, result: q.result, models: m, state: state, library: q.library, account: q.account, events: events, failure: err,
		transcript: q.transcript.all(), answer: q.answer,
	}
	figures := e.measure(ctx, x, err)
	if err == nil {
		e.failed.Store(state.FellBack == soar.ByFindings)
		e.writeDown(ctx, x, figures)
		return q.result, nil
	}
	result, failure := q.failed(ctx, err, mode, sink)
	if result != nil {
		x.result = result
	}
	e.writeDown(ctx, x, figures)
	return result, failure
}

func (e *Reasoner) newReasoning(m *Models, r QueryRequest) *reasoning {
	q := &reasoning{
		reasoner: e, models: m, request: r, account: &llm.Account{LimitUSD: r.BudgetUSD, Force: r.Force}, library: e.opts.Facts.Workspace(r.Select),
		result: &QueryResult{QueryID: newQueryID(e.opts.Now()), Model: m.Name},
	}
	if r.Changes {
		q.proposed = &proposal.Set{}
	}
	return q
}

func optionOf(verification string) (soar.Option, error) {
	switch v := strings.ToLower(verification); v {
	case "", "auto":
		return "", nil
	case "none", "self", "adversarial", "debate":
		return soar.Option(v), nil
	case "option_a":
		return soar.Self, nil
	case "option_b":
		return soar.Adversarial, nil
	case "option_c":
		return soar.Debate, nil
	}
	return "", &fault.Error{
		Kind: fault.Invalid, Message: fmt.Sprintf("unknown verification %q", verification), Detail: "verification",
		Remedy: "Use auto, none, self, adversarial or debate.",
	}
}

func (q *reasoning) pipeline(ctx context.Context) (*soar.Pipeline, error) {
	o, err := q.options(ctx)
	if err != nil {
		return nil, err
	}
	return soar.NewPipeline(o), nil
}

// options wire a pipeline.
func (q *reasoning) options(ctx context.Context) (soar.Options, error) {
	m := q.models
	o := soar.Options{
		Reasoning: m.Reasoning, Solving: m.Solving, Models: m.Tiers, Library: q, Tools: q, RunsTests: q.testsFolder(".") != "", Grounds: q, Examples: m.Examples, Sizes: m.Sizes,
		Now: time.Now, Guards: soar.Guards{PII: m.PII},
		Adaptive: adaptive.Modules(m.Adaptive),
	}
	if m.Budget != nil && !m.Free {
		o.Guards.Budget = q.checkBudget
	}
	if q.reasoner.opts.Memory != nil {
		o.Recorder = q
	}
	err := q.addAgents(ctx, &o)
	return o, err
}

// errConfirm asks for the person's leave.
var errConfirm = errors.New("the budget's soft limit is reached")

// checkBudget is the last guardrail. It runs before any model is asked.
func (q *reasoning) checkBudget(text string) (string, error) {
	estimate := estimate(soar.Classify(text).Level, text)
	w, err := q.models.Budget.Check(context.Background(), estimate, q.request.Force)
	if err != nil || w == nil {
		return "", err
	}
	if q.request.AskBudget && !q.request.BudgetAccepted {
		q.warning = w
		return "", errConfirm
	}
	return w.Short() + ".", nil
}

// progress turns the events of the phases into the facade's.
func (q *reasoning) progress(sink func(Progress)) func(soar.Event) {
	return func(ev soar.Event) {
		q.deltas = (q.deltas || ev.Delta != "") && !ev.Void
		if sink != nil {
			sink(Progress{
				QueryID: q.result.QueryID, Stage: ev.Phase, Status: ev.Status, Detail: ev.Detail, Done: ev.Done, Facts: ev.Facts, Delta: ev.Delta, Void: ev.Void,
			})
		}
	}
}

// finish writes what the phases left behind into the result.
func (q *reasoning) finish(s *soar.State, phases []soar.Phase, total time.Duration) {
	r := q.result
	r.outline(s, phases, total)
	if s.Model != "" {
		r.Model = s.Model
	}
	if r.Model == "" {
		r.Model = q.models.Name
	}
	if q.models.lender != nil {
		r.Model = replied(q.account.Calls()) // the tiers are ours, and say nothing to a person
	}
	for _, source := range s.Cited {
		r.Citations = append(r.Citations, q.library.Hits[source.Key])
	}
	spent := q.account.Total()
	r.Cost = Cost{USD: spent.USD, PromptTokens: spent.Prompt, CachedTokens: spent.Cached, CompletionTokens: spent.Completion, Calls: spent.Calls}
	r.AtBestUSD = q.models.atBest(q.account.Calls())
	r.Tokens = tokensOf(q.account.Calls(), s.Outcomes)
	r.Cached = spent.Calls == 0 && s.Answer != "" && !s.Rejected
	if spent.Unpriced != "" {
		r.Warnings = append(r.Warnings, fmt.Sprintf("The price of %s is not known, so its cost counts as nothing: set llm.prices.", spent.Unpriced))
	}
	switch r.Changes = q.proposed.Files(); {
	case q.proposed == nil:
	case len(r.Changes) == 0:
		r.Warnings = append(r.Warnings, "The model proposed no change.")
	case len(q.checks.failing) > 0:
		r.Warnings = append(r.Warnings, q.checks.failing...)
	case !q.proposed.Passed():
		r.Warnings = append(r.Warnings, "No test has passed with this change in place.")
	}
	r.Warnings = append(r.Warnings, codebase.IndexNotes(q.reasoner.opts.Facts.Index, q.library.Snap)...)
}

// atBest is what calls would have cost at the tier of the hardest questions. A call to a model without a price
// counts as it was.
func (m *Models) atBest(calls []llm.Call) float64 {
	best := cmp.Or(m.Tiers.Best, m.Name)
	_, known := m.Prices.Of(best)
	usd := 0.0
	for _, c := range calls {
		if known {
			usd += m.Prices.Cost(best, c.Usage)
		} else {
			usd += c.USD
		}
	}
	return usd
}

// tokensOf tells the tokens of work on subgoals, those that agents say they took included, from those of all else.
func tokensOf(calls []llm.Call, outcomes []*soar.Outcome) Tokens {
	var t Tokens
	for _, o := range outcomes {
		if !o.Failed() {
			t.Agents += o.Envelope.Metadata.TokensUsed
		}
	}
	for _, c := range calls {
		n := c.Usage.Prompt + c.Usage.Completion
		if strings.HasPrefix(c.Purpose, prompts.Solve) {
			t.Agents += n
		} else {
			t.Reasoning += n
		}
	}
	return t
}

// assessBy is who assesses, as package soar has it.
func assessBy(who string) string {
	if who = strings.ToLower(who); who == "auto" {
		return ""
	}
	return who
}

// outline writes what needs neither library nor account.
func (r *QueryResult) outline(s *soar.State, phases []soar.Phase, total time.Duration) {
	r.Answer, r.Confidence, r.Verified, r.ChunkID = s.Answer, s.Confidence, s.Verified, s.ChunkID
	r.FellBack = s.FellBack
	r.Complexity, r.Warnings, r.Total, r.Passes = string(s.Assessment.Level), slices.Clone(s.Warnings), total, s.Passes
	if s.Review != nil && s.Option != soar.NoReview || s.Rejected {
		r.OverallScore = &s.Score
	}
	for _, o := range s.Outcomes {
		r.Subgoals = append(r.Subgoals, subgoalOf(o))
	}
	for _, p := range phases {
		r.Phases = append(r.Phases, Phase(p))
	}
}

// log tells what was asked of the models and what was taken out of the question, without any text of either.
func (q *reasoning) log(s *soar.State, total time.Duration, err error) {
	log := q.reasoner.opts.Log.With("query", q.result.QueryID)
	for _, r := range s.Redactions {
		log.Info("taken out of a question", "kind", r.Kind, "at", r.Start)
	}
	for _, c := range q.account.Calls() {
		log.Debug("model called", "for", c.Purpose, "model", c.Model, "prompt", c.Usage.Prompt, "completion", c.Usage.Completion, "usd", c.USD, "took", c.Duration, "fault", string(c.Fault))
	}
	cost := q.result.Cost
	log.Info("question answered", "complexity", q.result.Complexity, "verified", s.Verified, "score", s.Score, "calls", cost.Calls, "usd", cost.USD, "took", total, "err", err)
}

func subgoalOf(o *soar.Outcome) Subgoal {
	s := Subgoal{ID: o.Subgoal.ID, Description: o.Subgoal.Description, Agent: o.Subgoal.Agent, Status: "failed", Note: o.Note}
	if !o.Failed() {
		s.Status, s.Agent, s.Summary = o.Envelope.Status, o.Envelope.AgentID, o.Envelope.Output.Summary
	}
	if o.Review != nil {
		s.Score = o.Review.Overall
	}
	return s
}
