package soar

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/aurora-sidecar/aurora/engine/reason/claims"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
	"github.com/aurora-sidecar/aurora/prompts"
)

// ForeignWork is what somebody else did on a question: a plan, or else a text.
type ForeignWork struct {
	Plan   *Plan
	Output string
}

// VerifyWork reviews work that was done elsewhere, as its own would be: by code first, and by a model when that found
// nothing wrong and the option is not NoReview. The review of a plan is PlanReview of the state, that of a text Review.
func (p *Pipeline) VerifyWork(ctx context.Context, r Request, w ForeignWork, emit func(Event)) (*State, []Phase, time.Duration, error) {
	r.Mode = "soar"
	q := p.newQuery(r, emit)
	return through(ctx, q, func(ctx context.Context) error {
		if err := beginQuery(ctx, q); err != nil {
			return err
		}
		if w.Plan != nil {
			q.state.Plan = w.Plan
			return q.run.Do(Verify, func() (string, error) { return verifyPlan(ctx, q) })
		}
		q.state.Draft = w.Output
		return q.run.Do(VerifyAnswer, func() (string, error) { return verifyText(ctx, q) })
	})
}

// verifyText judges a text by the workspace and by the code at the places that it names.
func verifyText(ctx context.Context, q *query) (string, error) {
	placed, sources, err := q.placed(ctx, q.state.Draft)
	if err != nil {
		return "", err
	}
	if q.state.Claims, err = q.placedClaims(ctx, placed, sources); err != nil {
		return "", err
	}
	problems := append(q.state.Claims.Problems, claims.CheckProse(q.state.Draft, false)...)
	if len(problems) > 0 || q.state.Option == NoReview {
		q.state.Review = byCode(q.state.Option, answerWeights, problems)
		return q.state.Review.line(), nil
	}
	review, err := askReview(ctx, q, prompts.VerifySynthesis, answerWeights, prompts.Input{
		Query:    q.state.Query,
		Combined: prompts.Combined{Synthesis: CutText(placed, 2*maxSummary)},
		Planning: prompts.Planning{Examples: q.examples(prompts.SynthesisSet)},
	}, union(sources, q.state.Bundle))
	if err != nil {
		return "", err
	}
	q.state.Review = review
	return review.line(), nil
}

// named matches a place in a text: a file and a line of it.
var named = lazyregexp.New(`([\w./-]*[\w-]\.\w{1,8}):(\d{1,7})(?:-\d{1,7})?`)

// placed puts a citation of the code there behind each place that a text names.
func (q *query) placed(ctx context.Context, text string) (string, []Source, error) {
	locator, ok := q.opts.Library.(Locator)
	if !ok {
		return text, nil, nil
	}
	var sources []Source
	var failed error
	looked := 0
	text = named.ReplaceAllStringFunc(text, func(at string) string {
		m := named.FindStringSubmatch(at)
		line, err := strconv.Atoi(m[2])
		if looked++; err != nil || failed != nil || looked > maxPlaces {
			return at
		}
		found, ok, err := locator.At(ctx, m[1], line)
		failed = err
		if !ok || !found.Covers(line) {
			return at
		}
		put := q.state.shelf.put([]Source{found})
		sources = union(sources, put)
		return at + " [" + put[0].ID + "]"
	})
	return text, sources, failed
}

// placedClaims are the claims of a text that somebody else wrote: what names no place needs no source.
func (q *query) placedClaims(ctx context.Context, text string, sources []Source) (claims.Report, error) {
	c, err := q.claims(ctx, text, q.state.Query, sources)
	c.Problems = slices.DeleteFunc(c.Problems, func(p claims.Problem) bool { return p.Unsourced })
	return c, err
}

// claims holds a text against the sources that it cites, and then against the workspace.
func (q *query) claims(ctx context.Context, text, question string, sources []Source) (claims.Report, error) {
	return claims.Hold(ctx, q.opts.Grounds, text, question, sources)
}
