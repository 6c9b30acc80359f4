package soar

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/prompts"
)

// The bounds between which a keyword score is uncertain, and the confidence that needs no model.
const (
	borderLow, borderHigh = 0.4, 0.6
	sureEnough            = 0.8
	// beyondDoubt is the score above which a plan is debated.
	beyondDoubt = 0.95
)

// assessQuery is phase 1: keywords first, a model where they are not sure; then the one decision which model the query gets.
func assessQuery(ctx context.Context, q *query) (string, error) {
	if q.known() {
		return settle(q), nil
	}
	q.state.Assessment, q.state.Method = Classify(q.state.Query), "keyword"
	uncertain := !q.state.Assessment.settled(q.state.Query)
	if q.state.Request.Mode == "direct" {
		q.state.Direct = true
	} else if q.state.Request.Assess == "llm" || q.state.Request.Assess != "keyword" && uncertain {
		if err := assessByModel(ctx, q); err != nil {
			return "", err
		}
	}
	plannable(q)
	raise(q)
	return settle(q), nil
}

// plannable makes a simple question one that is planned when that is asked for.
func plannable(q *query) {
	if q.state.Request.Mode == "soar" && q.state.Assessment.Level == Simple {
		q.state.Assessment.Level = Medium
	}
}

// settle makes of an assessment how the question is worked on.
func settle(q *query) string {
	plannable(q)
	q.state.Option = q.state.Request.Option
	if q.state.Option == "" {
		q.state.Option = q.state.Assessment.Recommended()
	}
	q.state.Direct = q.state.Request.Mode == "direct" || q.state.Assessment.Level == Simple || q.inOneLoop()
	chooseModel(q)
	return fmt.Sprintf("%s (%.2f), confidence %.2f by %s", q.state.Assessment.Level, q.state.Assessment.Score, q.state.Assessment.Confidence, q.state.Method)
}

// inOneLoop reports whether a MEDIUM question is answered without a plan: unless one is asked for, there is one already,
// or the review that is asked for is one of plans.
func (q *query) inOneLoop() bool {
	r := &q.state.Request
	planned := r.Mode == "soar" || r.Adaptive || r.Before != nil && r.Before.Plan != nil
	return q.state.Assessment.Level == Medium && !planned && (q.state.Option == Self || q.state.Option == NoReview)
}

// settled reports whether keywords are sure enough that no model need be asked. Where no keyword matched, their confidence
// rests on nothing; then only what begins as a look-up does is taken for one.
func (a Assessment) settled(query string) bool {
	if a.Confidence < sureEnough || a.Score >= borderLow && a.Score <= borderHigh {
		return false
	}
	first, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(query)), " ")
	return len(a.Matched) > 0 || slices.Contains(lookUps, first)
}

// lookUps are first words of questions that one place answers.
var lookUps = []string{"where", "who", "when", "which", "is", "are", "does", "do", "did", "has", "have", "was", "were", "find", "print"}

// describe is phase 1 and, for a query of several passes, the profile of its task.
func describe(ctx context.Context, q *query) (string, error) {
	detail, err := assessQuery(ctx, q)
	if err == nil {
		err = infer(ctx, q)
	}
	return detail, err
}

// difficult is how many failures in a row make a question harder.
const difficult = 2

// raise works on a question as on one of the next level when questions like it have failed before.
func raise(q *query) {
	harder, ok := map[Level]Level{Simple: Medium, Medium: Complex, Complex: Critical}[q.state.Assessment.Level]
	if q.state.Request.Failures < difficult || !ok || q.state.Direct {
		return
	}
	q.state.warn("Questions like this one have failed %d times, so it is worked on as %s.", q.state.Request.Failures, harder)
	q.state.Assessment.Level = harder
}

// chooseModel is the only routing decision of a query.
func chooseModel(q *query) {
	switch {
	case q.state.Request.Mode == "direct" || q.state.Assessment.Level == Simple:
		q.state.Model = q.opts.Models.Fast
	case q.state.Assessment.Level == Medium:
		q.state.Model = q.opts.Models.Reasoning
	default:
		q.state.Model = q.opts.Models.Best
	}
}

func assessByModel(ctx context.Context, q *query) error {
	q.state.Model = q.opts.Models.Fast
	var reply struct {
		Complexity string   `json:"complexity"`
		Confidence float64  `json:"confidence"`
		Indicators []string `json:"indicators"`
	}
	err := q.askJSON(ctx, prompts.Assess, prompts.Input{
		Query: q.state.Query, Assessed: prompts.Assessed{Keyword: string(q.state.Assessment.Level), Confidence: q.state.Assessment.Confidence},
	}, &reply)
	if isMalformed(err) {
		q.state.warn("The model could not assess the question, so keywords did.")
		return nil
	}
	if err != nil {
		return err
	}
	q.state.Assessment.Level, q.state.Assessment.Confidence, q.state.Method = Level(strings.ToUpper(reply.Complexity)), reply.Confidence, "llm"
	q.state.Assessment.Matched = reply.Indicators
	return nil
}

// isMalformed reports whether a model replied, twice, in another form than it was asked for.
func isMalformed(err error) bool {
	var e *llm.Error
	return errors.As(err, &e) && e.Fault == llm.Malformed
}
