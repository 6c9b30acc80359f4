package engine

import (
	"fmt"
	"math"
	"slices"

	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/index"
)

// minConfidence is the least confidence that a match by words alone must have to be shown. On the development sets it
// leaves out 96 % of the questions that have nothing to do with the code, and none of those that have.
const minConfidence = 0.15

// maxByText is the confidence in a match by words alone at best.
const maxByText = 0.84

// judged is how many of the best candidates may keep a search from abstaining.
const judged = 10

// confidence is how sure it is that the best of the candidates is what was meant, 0..1.
func (r *ranking) confidence(top *candidate, candidates []*candidate) float64 {
	switch {
	case top == nil:
		return 0
	case top.tier == exact:
		return 0.95
	case top.tier == folded:
		return 0.9
	case top.tier == nearby:
		return 0.6 + 0.25*top.closeness
	}
	return maxByText * r.plausibility(top, candidates)
}

// plausibility is the probability that a match by words alone is about what was asked: a logistic regression over the
// development sets and questions that have nothing to do with the code. What holds half of the words always is.
func (r *ranking) plausibility(c *candidate, candidates []*candidate) float64 {
	if c.semanticOnly && len(c.matched) == 0 {
		if !c.confident {
			return 0
		}
		return max(c.closeness, minConfidence)
	}
	fileName, name, found := 0.0, 0.0, len(r.contentOf(c.matched))
	unknown := 1 - c.coverage // memory has words of its own
	if c.record == nil {
		unknown = r.share(r.unknown)
		fileName, name = r.askedFile(c.ref.File.Path), r.asked(c.ref.Chunk().Name)
		found = len(r.contentOf(matchedIn(c.ref.File, candidates)))
	}
	z := -5 + 2.3*c.coverage + 5.4*fileName + 1.5*name + 2.6*float64(min(4, found)) - 6.8*unknown
	p := 1 / (1 + math.Exp(-z))
	if 2*found >= len(r.terms) {
		return max(p, minConfidence)
	}
	return p
}

// contentOf returns those of the terms that coverage counts.
func (r *ranking) contentOf(terms []string) []string {
	return slices.DeleteFunc(slices.Clone(terms), func(t string) bool { return !slices.Contains(r.terms, t) })
}

// matchedIn returns the terms that the candidates of a file hold together.
func matchedIn(f *index.File, candidates []*candidate) []string {
	var list []*candidate
	for _, c := range candidates {
		if c.record == nil && c.ref.File == f {
			list = append(list, c)
		}
	}
	return allMatched(list)
}

// plausible reports whether one of the best candidates may be what was asked for: no hit is better than ten that mislead.
func (r *ranking) plausible(candidates []*candidate) bool {
	for _, c := range candidates[:min(judged, len(candidates))] {
		placed := c.record != nil && len(c.matched) == 0 && !c.semanticOnly // remembered about a place rather than matched by words
		if c.tier > byText || placed || c.providerScore > 0 || r.plausibility(c, candidates) >= minConfidence {
			return true
		}
	}
	return false
}

// whyImplausible says what the best of the candidates lacks.
func (r *ranking) whyImplausible(best *candidate) string {
	why := "nothing here answers that"
	if unknown := r.contentOf(r.unknown); len(unknown) > 0 {
		why += ": no text holds " + wording.Quoted(unknown)
	}
	if matched := r.contentOf(best.matched); len(matched) > 0 {
		why += fmt.Sprintf("; the best match holds only %s (put a word in double quotes to see what holds it)", wording.Quoted(matched))
	}
	return why
}
