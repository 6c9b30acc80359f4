package engine

import (
	"fmt"
	"math"
	"slices"

	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/index"
)

// minConfidence is the least confidence that a match by words alone must have to be shown. On the development sets it
// silences 96 % of the questions that have nothing to do with the code, and none of those that have.
const minConfidence = 0.15

// maxByText is the confidence in a match by words alone at best.
const maxByText = 0.84

// judged is how many of the best candidates may break the silence.
const judged = 10

// confidence is how sure the search is that its first hit is what was meant, 0..1.
func (s *search) confidence() float64 {
	switch {
	case s.top == nil:
		return 0
	case s.query.filtersOnly():
		return 1
	case s.top.tier == exact:
		return 0.95
	case s.top.tier == folded:
		return 0.9
	case s.top.tier == nearby:
		return 0.6 + 0.25*s.top.closeness
	}
	return maxByText * s.plausibility(s.top)
}

// plausibility is the probability that a match by words alone is about what was asked: a logistic regression over the
// development sets and questions that have nothing to do with the code. What holds half of the words always is.
func (s *search) plausibility(c *candidate) float64 {
	if c.meant && len(c.matched) == 0 {
		if !c.surely {
			return 0
		}
		return max(c.closeness, minConfidence)
	}
	r := &s.ranking
	fileName, name, found := 0.0, 0.0, len(r.contentOf(c.matched))
	unknown := 1 - c.coverage // memory has words of its own
	if c.record == nil {
		unknown = r.share(s.unknown)
		fileName, name = r.askedFile(c.ref.File.Path), r.asked(c.ref.Chunk().Name)
		found = len(r.contentOf(s.matchedIn(c.ref.File)))
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
func (s *search) matchedIn(f *index.File) []string {
	var list []*candidate
	for _, c := range s.candidates {
		if c.record == nil && c.ref.File == f {
			list = append(list, c)
		}
	}
	return allMatched(list)
}

// beSilent drops the candidates when none of the best is plausible: no hit is better than ten that mislead.
func (s *search) beSilent() {
	if s.request.Unjudged || len(s.candidates) == 0 || len(s.ranking.terms) == 0 || len(s.query.phrases) > 0 || s.query.filtersOnly() {
		return
	}
	for _, c := range s.candidates[:min(judged, len(s.candidates))] {
		placed := c.record != nil && len(c.matched) == 0 && !c.meant // remembered about a place rather than matched by words
		if c.tier > byText || placed || c.told > 0 || s.plausibility(c) >= minConfidence {
			return
		}
	}
	s.silenced = s.candidates[0]
	s.candidates, s.total = nil, 0
}

// whySilent says what the best of the dropped candidates lacked.
func (s *search) whySilent() string {
	why := "nothing here answers that"
	if unknown := s.ranking.contentOf(s.unknown); len(unknown) > 0 {
		why += ": no text holds " + wording.Quoted(unknown)
	}
	if matched := s.ranking.contentOf(s.silenced.matched); len(matched) > 0 {
		why += fmt.Sprintf("; the best match holds only %s (put a word in double quotes to see what holds it)", wording.Quoted(matched))
	}
	return why
}
