package reason

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/aurora-sidecar/aurora/engine/answer"
	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/answer/question"
	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/engine/wording"
)

// NoModel is the warning of every answer that was made without a model.
const NoModel = "No model is configured: this answer comes from the index, git and memory alone, and nothing has verified it."

// maxQueryRunes is the longest question.
const maxQueryRunes = 10_000

// noModel is why a phase that needs a model does not run.
const noModel = "no model configured"

// Query answers a question, with the models when there are any (see reason). Without a model it answers from the index, git and memory: every fact cites a hit, or the
// commit that says it, and an answer without evidence says so. sink, which may be nil, is told when each phase begins
// and ends, from this goroutine; the context's end ends the query at once with its error.
//
// It fails with Invalid on an empty question or an unknown mode, with Guardrail on malformed or overlong text, and
// with LLMUnavailable in mode soar as long as no model is configured.
func (e *Reasoner) Query(ctx context.Context, r QueryRequest, sink func(Progress)) (*QueryResult, error) {
	if e.opts.Reread != nil {
		e.opts.Reread()
	}
	if err := e.checkQuery(r); err != nil {
		return nil, err
	}
	if m := e.modelsFor(r.Caller); m != nil {
		return e.reason(ctx, m, r, sink)
	}
	why, refusal := e.withoutModel()
	if strings.EqualFold(r.Mode, "soar") {
		return nil, refusal
	}
	q := &query{reasoner: e, request: r, result: &QueryResult{QueryID: newQueryID(e.opts.Now()), Warnings: []string{why}}}
	if r.Changes {
		q.result.Warnings = append(q.result.Warnings, "Without a model no change is proposed.")
	}
	events := e.newEventLog()
	q.run = soar.NewRun(time.Now, q.progress(events.listening(sink)))
	q.run.Facts = q.facts
	err := q.answer(ctx)
	q.finish()
	x := &exchange{request: r, asked: q.result, result: q.result, library: q.library, events: events}
	figures := e.measure(ctx, x, err)
	if err == nil {
		e.writeDown(ctx, x, figures)
		return q.result, nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	x.failure = err
	e.writeDown(ctx, x, figures)
	return nil, fmt.Errorf("query: %w", err)
}

// withoutModel says why no model answers, as a warning and as the error of mode soar.
func (e *Reasoner) withoutModel() (warning string, refusal *fault.Error) {
	if err := e.opts.ModelsError; err != nil {
		return "The model can't be used: " + err.Error() + ". This answer comes from the index, git and memory alone, and nothing has verified it.",
			&fault.Error{Kind: fault.LLMUnavailable, Message: "The model can't be used", Detail: "mode soar", Err: err, Remedy: "Run: aurora doctor --llm"}
	}
	return NoModel, &fault.Error{
		Kind: fault.LLMUnavailable, Message: "Reasoning needs a model, and none is configured", Detail: "mode soar",
		Remedy: "Ask with mode auto for an answer from the index, or configure llm.base_url and llm.model.",
	}
}

func (e *Reasoner) checkQuery(r QueryRequest) error {
	switch strings.ToLower(r.Mode) {
	case "", "auto", "direct", "soar":
	default:
		return &fault.Error{
			Kind: fault.Invalid, Message: fmt.Sprintf("unknown mode %q", r.Mode), Detail: "mode", Remedy: "Use auto, direct or soar.",
		}
	}
	switch strings.ToLower(r.Assess) {
	case "", "auto", "keyword", "llm":
	default:
		return &fault.Error{
			Kind: fault.Invalid, Message: fmt.Sprintf("unknown assessment %q", r.Assess), Detail: "assess", Remedy: "Use auto, keyword or llm.",
		}
	}
	if strings.TrimSpace(r.Query) == "" {
		return &fault.Error{Kind: fault.Invalid, Message: "the question is empty", Detail: "query", Remedy: "Ask something, such as: where is X defined?"}
	}
	return checkText(r.Query, cmp.Or(e.opts.MaxQuery, maxQueryRunes))
}

// checkText refuses what is no question that a person typed.
func checkText(text string, longest int) error {
	if !utf8.ValidString(text) {
		return &fault.Error{Kind: fault.Guardrail, Message: "the question is not valid UTF-8", Detail: "query"}
	}
	if n := utf8.RuneCountInString(text); n > longest {
		return &fault.Error{
			Kind: fault.Guardrail, Message: fmt.Sprintf("the question has %d characters, more than %d", n, longest),
			Detail: "query", Remedy: "Shorten it, or select the text and ask about the selection.",
		}
	}
	for i, r := range text {
		if unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' {
			return &fault.Error{
				Kind: fault.Guardrail, Message: fmt.Sprintf("the question holds the control character U+%04X at byte %d", r, i),
				Detail: "query", Remedy: "Remove it.",
			}
		}
	}
	return nil
}

// query is one run of Query.
type query struct {
	reasoner *Reasoner
	request  QueryRequest
	run      *soar.Run
	result   *QueryResult
	library  *evidence.Workspace
	assessed soar.Assessment
}

// facts are what a phase found out.
func (q *query) facts(phase string) *soar.Facts {
	if phase != soar.Assess {
		return nil
	}
	return q.assessed.Facts()
}

// progress turns the events of the phases into the facade's.
func (q *query) progress(sink func(Progress)) func(soar.Event) {
	if sink == nil {
		return nil
	}
	return func(ev soar.Event) {
		sink(Progress{QueryID: q.result.QueryID, Stage: ev.Phase, Status: ev.Status, Detail: ev.Detail, Done: ev.Done, Facts: ev.Facts})
	}
}

// answer runs the phases that need no model.
func (q *query) answer(ctx context.Context) error {
	if err := q.run.Do(soar.Assess, q.assess); err != nil {
		return err
	}
	library := q.reasoner.opts.Facts.Workspace(q.request.Select)
	q.library = library
	if err := q.run.Do(soar.Retrieve, func() (string, error) { return q.retrieve(ctx, library) }); err != nil {
		return err
	}
	for _, phase := range []string{soar.Decompose, soar.Verify, soar.Route, soar.Collect, soar.Synthesize} {
		q.run.Skip(phase, noModel)
	}
	q.run.Skip(soar.Record, "nothing verified to remember")
	return q.run.Do(soar.Respond, func() (string, error) {
		q.result.Warnings = append(q.result.Warnings, codebase.IndexNotes(q.reasoner.opts.Facts.Index, library.Snap)...)
		return wording.Count(len(q.result.Citations), "citation", "citations"), ctx.Err()
	})
}

func (q *query) assess() (string, error) {
	a := soar.Classify(q.request.Query)
	q.assessed = a
	q.result.Complexity = string(a.Level)
	return fmt.Sprintf("%s (%.2f), keyword confidence %.2f", a.Level, a.Score, a.Confidence), nil
}

func (q *query) retrieve(ctx context.Context, library *evidence.Workspace) (string, error) {
	now := q.reasoner.opts.Now()
	asked := question.Parse(q.request.Query, now)
	writer := answer.Writer{Library: library, Now: now}
	a, err := writer.Answer(ctx, asked)
	if err == nil && (a.Abstained || a.Intent == question.Citations && question.IsName(asked.Subject)) {
		var other *answer.Answer
		if other, err = writer.Elsewhere(ctx, asked); other != nil {
			a = other
		}
	}
	if err := cmp.Or(ctx.Err(), err); err != nil {
		return "", err
	}
	q.result.Answer, q.result.Confidence, q.result.Abstained = a.Text, a.Confidence, a.Abstained
	for _, p := range a.Cited {
		q.result.Citations = append(q.result.Citations, library.Hits[p.ID])
	}
	if a.Abstained {
		return "abstained", q.recallConversations(ctx, library)
	}
	return fmt.Sprintf("answered a question for %s from %s", a.Intent, wording.Count(len(a.Cited), "snippet", "snippets")), nil
}

func (q *query) finish() {
	phases, total := q.run.Done()
	for _, p := range phases {
		q.result.Phases = append(q.result.Phases, Phase{
			Name: p.Name, Status: p.Status, StartedAt: p.StartedAt, Duration: p.Duration, Percentage: p.Percentage, Detail: p.Detail,
		})
	}
	q.result.Total = total
}

// newQueryID returns an id of the form aurora-YYYYMMDD-HHMMSS-xxxxxx, in UTC.
func newQueryID(now time.Time) string {
	return "aurora-" + now.UTC().Format("20060102-150405") + "-" + strings.ToLower(rand.Text()[:6])
}
