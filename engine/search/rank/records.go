package rank

import (
	"math"
	"slices"

	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/internal/text"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/actr"
)

// recordRules are the weights of memory records among the candidates.
var recordRules = struct {
	Covered       float64 // share of the normalised keyword score, times the share of the query that is covered
	AsCode        float64 // what a cosine of 1 by the model of code adds to how near a record is
	UsualAsCode   float64 // the cosine that adds nothing
	Used          float64 // most that activation adds
	Changed, Gone float64 // factors when cited code has changed, or is gone
	Incorrect     float64 // factor when a person called the record wrong: less than of one whose code is gone
	Conversation  float64 // share of the query that a conversation has counts so much
	WeakBelow     float64 // probability of recall below which memory is a weak answer
}{Covered: 0.7, AsCode: 0.4, UsualAsCode: 0.15, Used: 0.2, Changed: 0.6, Gone: 0.4, Incorrect: 0.3, Conversation: 0.5, WeakBelow: 0.5}

// MinCosine is how near the query chunks must be: texts that have nothing to do with each other seldom reach it.
const MinCosine = 0.3

// Of the sentence transformer in the program: of other weights they are others (docs/memory-measured.md). Endpoints differ, so what only they
// propose never keeps a search from abstaining.
var (
	nearBuiltIn  = nearness{Least: 0.237, from: 0.152, to: 0.62, Sure: 0.365}
	nearEndpoint = nearness{Least: MinCosine, from: MinCosine, to: 1, Sure: math.Inf(1)}
)

// A nearness says what the cosines of a model mean for records.
type nearness struct {
	Least    float64 // what lies below is not proposed
	from, to float64 // are mapped to 0 and 1
	Sure     float64 // from here on a record without a word of the query answers it all the same
}

// Of is how near a cosine is, 0..1, in thousandths.
func (n nearness) Of(cosine float64) float64 {
	return math.Round(1000*min(1, max(0, (cosine-n.from)/(n.to-n.from)))) / 1000
}

// NearnessOf is that of the model in the program, or of an endpoint's.
func NearnessOf(endpoint bool) nearness {
	if endpoint {
		return nearEndpoint
	}
	return nearBuiltIn
}

// WeakMemory reports whether no record among the hits is active enough to be an answer of memory.
func WeakMemory(hits []snippet.Hit) bool {
	return !slices.ContainsFunc(hits, func(h snippet.Hit) bool {
		return h.Source == "memory" && h.Scores.Activation != nil && *h.Scores.Activation >= recordRules.WeakBelow
	})
}

// ConversationScore is that of a conversation with some of the query's terms: at most that of the hit before it.
func (r *Ranking) ConversationScore(matched int, before []snippet.Hit) float64 {
	score := recordRules.Conversation * min(1, float64(matched)/float64(max(1, len(r.Terms))))
	if n := len(before); n > 0 {
		score = min(score, before[n-1].Score)
	}
	return score
}

// trust is what is left of a record's score when code that it cites is no longer what it was.
func trust(r *memory.Hit) float64 {
	least := 1.0
	for _, c := range r.Citations {
		switch c.State {
		case memory.Changed:
			least = min(least, recordRules.Changed)
		case memory.Gone:
			least = min(least, recordRules.Gone)
		}
	}
	return least
}

// matchedTerms returns the terms that are tokens of name.
func matchedTerms(terms []string, name string) []string {
	var out []string
	tokens := text.Tokenize(name)
	for _, t := range terms {
		if slices.Contains(tokens, t) {
			out = append(out, t)
		}
	}
	return out
}

// recordTerms returns the terms that occur in the record: what the store says, else a look at its text.
func recordTerms(h *memory.Hit, terms []string) []string {
	if len(h.Matched) > 0 {
		return h.Matched
	}
	var out []string
	stems := map[string]bool{}
	for _, token := range text.Tokenize(h.Title + " " + h.Content) {
		stems[text.Stem(token)] = true
	}
	for _, t := range terms {
		if stems[text.Stem(t)] {
			out = append(out, t)
		}
	}
	return out
}

// doubted is what is left of the score of a record that a person called wrong: less than of one whose code is gone.
func doubted(r *memory.Hit) float64 {
	if slices.Contains(r.Tags, memory.Incorrect) {
		return recordRules.Incorrect
	}
	return 1
}

// scoreRecord treats a memory record like a chunk. What people used lately and often gets a small bounded boost.
func (r *Ranking) scoreRecord(c *Candidate) float64 {
	score := c.Normalised * recordRules.Covered * c.Coverage
	if c.SemanticOnly {
		score = 0
	}
	score += (1 - score) * r.wordy() * rules.Record * nearRecord(c)
	return tierSpan[ByText] * min(1, score+activationBoost(c.Record.Activation)) * trust(c.Record) * doubted(c.Record)
}

// nearRecord is how near a record is in meaning, 0..1. The sentence transformer knows the language, the model of code the trade: together
// they find more than either.
func nearRecord(c *Candidate) float64 {
	if c.AsCode == 0 {
		return c.Closeness
	}
	return min(1, max(0, c.Closeness+recordRules.AsCode*(c.AsCode-recordRules.UsualAsCode)))
}

// activationBoost maps ACT-R's activation, a logarithm, to 0..0.2: late and bounded, never a gate. docs/memory-measured.md has the
// measurements behind the 0.2.
func activationBoost(activation float64) float64 {
	return recordRules.Used * ActivationShare(activation)
}

// ActivationShare maps an activation to 0..1.
func ActivationShare(activation float64) float64 {
	return actr.RecallProbability(activation)
}
