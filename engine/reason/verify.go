package reason

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/engine/search/querytext"
	"github.com/aurora-sidecar/aurora/engine/search/rank"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// A VerifyRequest has the work of somebody else reviewed: a plan as Decompose makes them, or else a text.
type VerifyRequest struct {
	Query        string          // the question that was worked on
	Plan         json.RawMessage `json:",omitempty"` // nil when Output is to be reviewed
	Output       string
	Verification string // as in QueryRequest

	Caller
}

// A Verification is what the review says.
type Verification struct {
	Review  *soar.Review
	ByModel bool // a model judged it, too
	Cost    Cost
}

// Of work that is reviewed.
const (
	maxOutput   = 100_000 // bytes
	maxProblems = 20
)

// Verify reviews work that was done elsewhere. What code can check, code checks: the order and the references of a plan;
// the places and the names that a text tells. A model, when there is one and code found nothing wrong, judges the rest.
// It fails with Invalid on what is neither a plan nor a text, and else as Decompose does, but for a missing model.
func (e *Reasoner) Verify(ctx context.Context, r VerifyRequest, sink func(Progress)) (*Verification, error) {
	ask := QueryRequest{Query: r.Query, Verification: r.Verification, Caller: r.Caller}
	if err := e.checkQuery(ask); err != nil {
		return nil, err
	}
	option, err := optionOf(r.Verification)
	if err != nil {
		return nil, err
	}
	work, err := e.workOf(r)
	if err != nil {
		return nil, err
	}
	request := soar.Request{Query: r.Query, Option: option}
	m := e.modelsFor(r.Caller)
	if m == nil {
		m, request.Option, request.Assess = &Models{PII: "redact"}, soar.NoReview, "keyword"
	}
	q := e.newReasoning(m, ask)
	request.ID, request.Account = q.result.QueryID, q.account
	pipeline, err := q.pipeline(ctx)
	if err != nil {
		return nil, err
	}
	state, phases, total, err := pipeline.VerifyWork(ctx, request, work, q.progress(sink))
	q.finish(state, phases, total)
	if err != nil {
		return nil, q.failure(ctx, "verify", err)
	}
	v := &Verification{Review: state.Review, Cost: q.result.Cost}
	if work.Plan != nil {
		v.Review = state.PlanReview
	}
	v.ByModel = v.Review.Option != soar.NoReview && len(v.Review.Problems) == 0
	return v, nil
}

// workOf reads what is to be reviewed.
func (e *Reasoner) workOf(r VerifyRequest) (soar.ForeignWork, error) {
	switch text := strings.TrimSpace(r.Output); {
	case len(r.Plan) > 0 && text != "", len(r.Plan) == 0 && text == "":
		return soar.ForeignWork{}, &fault.Error{Kind: fault.Invalid, Message: "verify takes a decomposition or an output, one of them", Detail: "decomposition"}
	case len(text) > maxOutput:
		return soar.ForeignWork{}, &fault.Error{Kind: fault.Invalid, Message: fmt.Sprintf("the output has %d bytes, at most %d are reviewed", len(text), maxOutput), Detail: "output"}
	case text != "":
		return soar.ForeignWork{Output: text, Problems: e.checkPlaces(text)}, nil
	}
	plan := new(soar.Plan)
	if err := json.Unmarshal(r.Plan, plan); err != nil || len(plan.Subgoals) == 0 {
		return soar.ForeignWork{}, &fault.Error{
			Kind: fault.Invalid, Message: "the decomposition is no plan with subgoals", Detail: "decomposition",
			Remedy: "Give the object that aurora_decompose returns: given, goal, subgoals, execution_order, parallelizable.",
		}
	}
	return soar.ForeignWork{Plan: plan}, nil
}

// placeMention matches path:line in prose, and codeMention a name that is marked as code.
var (
	placeMention = lazyregexp.New(`([\w./-]*[\w-]\.\w{1,8}):(\d{1,7})\b`)
	codeMention  = lazyregexp.New("`([A-Za-z_][A-Za-z0-9_]*(?:\\.[A-Za-z_][A-Za-z0-9_]*)*)(?:\\(\\))?`")
)

// checkPlaces holds the places and names of a text against the index.
func (e *Reasoner) checkPlaces(text string) []soar.Problem {
	snap := e.opts.Facts.Index.Snapshot()
	var problems []soar.Problem
	seen := map[string]bool{}
	add := func(check, format string, args ...any) {
		if message := fmt.Sprintf(format, args...); !seen[message] && len(problems) < maxProblems {
			seen[message] = true
			problems = append(problems, soar.Problem{Check: check, Message: message})
		}
	}
	for _, found := range placeMention.FindAllStringSubmatch(text, -1) {
		line, err := strconv.Atoi(found[2])
		file := fileCalled(snap, found[1])
		switch {
		case err != nil:
		case file == nil:
			add("traceable", "no file %s is indexed", found[1])
		case line < 1 || line > lastLine(file):
			add("traceable", "%s has no line %d that is indexed", found[1], line)
		}
	}
	for _, found := range codeMention.FindAllStringSubmatch(text, -1) {
		name := found[1]
		if len(codebase.Definitions(snap, name, 1, func(index.Ref) bool { return true })) == 0 && unheard(snap, codebase.LastName(name)) {
			add("consistent", "nothing in the workspace is called %s", name)
		}
	}
	return problems
}

// fileCalled returns the file with a path, or whose path ends so; nil when there is none.
func fileCalled(snap *index.Snapshot, path string) *index.File {
	path = strings.TrimPrefix(path, "./")
	for f := range snap.Listed() {
		if f.Path == path || f.Abs == path || strings.HasSuffix(f.Path, "/"+path) {
			return f.Loaded()
		}
	}
	return nil
}

// lastLine is the last line of a file that belongs to a chunk, counted from one.
func lastLine(f *index.File) int {
	last := 0
	for i := range f.Chunks {
		last = max(last, f.Chunks[i].EndLine+1)
	}
	return last
}

// unheard reports whether a part of a name is in no text at all.
func unheard(snap *index.Snapshot, name string) bool {
	q := querytext.Parse(name)
	return len(snap.Find(index.Query{Terms: rank.Terms(q, rank.Classify(q.Words)), Limit: 1}).Unknown) > 0
}

// failure is the error of a pipeline as the facade has it.
func (q *reasoning) failure(ctx context.Context, doing string, err error) error {
	var blocked *soar.Blocked
	var failure *llm.Error
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &blocked):
		return q.refusal(blocked)
	case errors.As(err, &failure):
		return modelError(failure)
	}
	return fmt.Errorf("%s: %w", doing, err)
}
