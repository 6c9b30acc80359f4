package rank

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

// Confidence is how sure it is that the best of the candidates is what was meant, 0..1.
func (r *Ranking) Confidence(top *Candidate, candidates []*Candidate) float64 {
	switch {
	case top == nil:
		return 0
	case top.Tier == Exact:
		return 0.95
	case top.Tier == Folded:
		return 0.9
	case top.Tier == Nearby:
		return 0.6 + 0.25*top.Closeness
	}
	return maxByText * r.plausibility(top, candidates)
}

// plausibility is the probability that a match by words alone is about what was asked: a logistic regression over the
// development sets and questions that have nothing to do with the code. What holds half of the words always is.
func (r *Ranking) plausibility(c *Candidate, candidates []*Candidate) float64 {
	near := 0.0 // what the meaning alone says
	if c.Confident {
		near = max(c.Closeness, minConfidence)
	}
	if c.SemanticOnly && len(c.Matched) == 0 {
		return near
	}
	fileName, name, found := 0.0, 0.0, len(r.contentOf(c.Matched))
	unknown := 1 - c.Coverage // memory has words of its own
	if c.Record == nil {
		unknown = r.share(r.Unknown)
		fileName, name = r.askedFile(c.Ref.File.Path), r.asked(c.Ref.Chunk().Name)
		found = len(r.contentOf(matchedIn(c.Ref.File, candidates)))
	}
	z := -5 + 2.3*c.Coverage + 5.4*fileName + 1.5*name + 2.6*float64(min(4, found)) - 6.8*unknown
	p := 1 / (1 + math.Exp(-z))
	if 2*found >= len(r.Terms) {
		p = max(p, minConfidence)
	}
	return max(p, near)
}

// A record is not weak when the share of the question's words that it holds and its closeness in meaning come to sureRecord, or when
// it holds mostCovered: docs/memory-measured.md says how many questions about other projects find such a record.
const (
	sureRecord  = 1.1
	mostCovered = 0.66
)

// Weak reports whether a record may well have nothing to do with what was asked, so that no prompt should hold it.
func (r *Ranking) Weak(c *Candidate) bool {
	if c.Record == nil || len(r.Terms) == 0 || placed(c) {
		return false
	}
	holds := float64(len(r.contentOf(c.Matched))) / float64(len(r.Terms)) // how rare words are in code says nothing here
	return holds < mostCovered && holds+c.Closeness < sureRecord
}

// placed tells a record that is about a place rather than matched by words.
func placed(c *Candidate) bool { return c.Record != nil && len(c.Matched) == 0 && !c.SemanticOnly }

// contentOf returns those of the terms that coverage counts.
func (r *Ranking) contentOf(terms []string) []string {
	return slices.DeleteFunc(slices.Clone(terms), func(t string) bool { return !slices.Contains(r.Terms, t) })
}

// matchedIn returns the terms that the candidates of a file hold together.
func matchedIn(f *index.File, candidates []*Candidate) []string {
	var list []*Candidate
	for _, c := range candidates {
		if c.Record == nil && c.Ref.File == f {
			list = append(list, c)
		}
	}
	return allMatched(list)
}

// Plausible reports whether one of the best candidates may be what was asked for: no hit is better than ten that mislead.
func (r *Ranking) Plausible(candidates []*Candidate) bool {
	best := candidates[:min(judged, len(candidates))]
	return slices.ContainsFunc(best, func(c *Candidate) bool { return r.plausible(c, candidates) })
}

// leastTopic is the sum of OffTopic below which a question is about something else, and leastJudged how many words it must have for that.
const (
	leastTopic  = -2.5
	leastJudged = 3
)

// OffTopic reports whether a question that plausible matches answer by their words has still nothing to do with the code: its plain words
// occur here, but apart from each other, and nothing here is near to what it means. That is a logistic regression over questions about
// public repositories and sentences about other things, for the cosines of the model in the program. A question that says what code does,
// or holds a name of it, is never off topic, nor is one that memory answers.
func OffTopic(r *Ranking, candidates []*Candidate) bool {
	if r.Kind != ProseQuery || r.action || r.Narrow || len(r.Terms) < leastJudged {
		return false
	}
	covered, found, fileName, near := 0.0, 0, 0.0, 0.0
	for _, c := range candidates[:min(judged, len(candidates))] {
		switch {
		case c.Tier > ByText, c.ProviderScore > 0, c.Record != nil && r.plausible(c, candidates):
			return false
		case c.Record == nil:
			covered = max(covered, c.Coverage)
			found = max(found, len(r.contentOf(matchedIn(c.Ref.File, candidates))))
			fileName = max(fileName, r.askedFile(c.Ref.File.Path))
		}
	}
	for _, c := range candidates {
		if c.Record == nil {
			near = max(near, c.Cosine)
		}
	}
	return near > 0 && -12.03+3.5*covered+6.38*float64(found)/float64(len(r.Terms))+2.43*fileName+14.92*near < leastTopic
}

// plausible reports whether one of the candidates may be what was asked for.
func (r *Ranking) plausible(c *Candidate, candidates []*Candidate) bool {
	return c.Tier > ByText || placed(c) || c.ProviderScore > 0 || r.plausibility(c, candidates) >= minConfidence
}

// WhyImplausible says what the best of the candidates lacks.
func (r *Ranking) WhyImplausible(best *Candidate) string {
	why := "nothing here answers that"
	if unknown := r.contentOf(r.Unknown); len(unknown) > 0 {
		why += ": no text holds " + wording.Quoted(unknown)
	}
	if matched := r.contentOf(best.Matched); len(matched) > 0 {
		why += fmt.Sprintf("; the best match holds only %s (put a word in double quotes to see what holds it)", wording.Quoted(matched))
	}
	return why
}
