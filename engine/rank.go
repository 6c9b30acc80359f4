package engine

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/lexical"
	"github.com/aurora-sidecar/aurora/memory"
)

// A tier sorts candidates before their score does: an exact identifier is always first (C-104).
type tier int

const (
	byText tier = iota // words match
	nearby             // the name begins with the query, is abbreviated by it or misspelled, or the path is
	folded             // the name is the query but for letter case
	exact              // the name is the query
)

// tierFloor and tierSpan map a candidate's score inside its tier to the final score: tiers never overlap, and a
// match by words alone stays below all others.
var (
	tierFloor = [...]float64{byText: 0, nearby: 0.75, folded: 0.85, exact: 0.9}
	tierSpan  = [...]float64{byText: 0.74, nearby: 0.09, folded: 0.04, exact: 0.1}
)

// A candidate is something that a lane proposed and that was not read yet.
type candidate struct {
	ref    index.Ref   // a chunk, or
	record *memory.Hit // a memory record
	tier   tier
	meant  bool   // a record that only its vector proposed,
	surely bool   // and so near that it is an answer without a word of the question
	name   string // the name that matched, when tier is not byText
	local  string // the function inside the chunk that has this name, when the chunk itself has not

	why       string  // how it is near, in tier nearby
	closeness float64 // 0..1: how near it is; of a record: to what the question means

	bm25       float64  // raw
	normalised float64  // bm25 as a share of the best candidate's
	matched    []string // terms of the query that occur
	coverage   float64  // 0..1: share of the query's weight that lies on the content terms that occur
	cosine     float64  // of the vectors of the query and the chunk; 0 without
	semantic   float64  // cosine between the least and the best of the pool, 0..1
	asked      float64  // share of the name's words that were asked for
	file       evidence // of the chunk's file
	told       float64  // 0..1: what the program's own providers say of it
	prototype  bool     // a declaration of a function that is a candidate, too
	demoted    string   // why the final score was lowered, "" when it was not
	final      float64  // 0..1

	by []proposal // who proposed it
}

func (c *candidate) path() string {
	if c.record != nil {
		return c.record.SourceRef
	}
	return c.ref.File.Path
}

// raise lifts the candidate into a tier, for the name that matched.
func (c *candidate) raise(t tier, name string) {
	if t > c.tier {
		c.tier, c.name = t, name
	}
}

// ranking is what the scoring rules need to know of the query.
type ranking struct {
	kind   queryKind
	query  []lexical.QueryTerm // of the keyword lane
	terms  []string            // content terms
	idf    map[string]float64  // of the query's terms; nil makes all of them equal
	forms  map[string]string   // token to the term that it stands for
	lower  string              // the query in lower case
	vague  bool                // there are no vectors
	narrow bool                // the person asked for certain paths: no demotion, no saturation

	deep              bool    // several hits of one file are welcome
	meaning, activity float64 // what likeness of meaning and activation are multiplied by
}

func newRanking(q searchQuery, narrow bool) ranking {
	kind := classify(q.words)
	r := ranking{
		kind: kind, meaning: 1, activity: 1, query: lexicalTerms(q, kind), terms: contentTerms(q.words), lower: strings.ToLower(q.words), narrow: narrow,
		forms: map[string]string{},
	}
	for _, t := range r.query {
		for _, f := range t.Forms {
			if _, taken := r.forms[f.Token]; !taken {
				r.forms[f.Token] = t.Token
			}
		}
	}
	for _, t := range r.terms {
		r.forms[t] = t // a word is itself first of all
	}
	return r
}

// rank gives every candidate its final score and sorts them, best first. The order is total, so the same candidates
// always come out the same.
func (r *ranking) rank(candidates []*candidate) {
	r.normalise(candidates)
	r.vague = !normaliseCosines(candidates)
	files := r.fileEvidence(candidates)
	markDeclared(candidates)
	for _, c := range candidates {
		if c.record != nil {
			c.final = r.scoreRecord(c)
		} else {
			c.file = files[c.ref.File]
			c.final = r.scoreChunk(c)
			c.lift()
		}
	}
	sortCandidates(candidates)
	if r.kind == proseQuery {
		keepOnePerName(candidates)
		sortCandidates(candidates)
	}
	if !r.narrow {
		factor := rules.Saturation
		if r.deep {
			factor = rules.Deep
		}
		saturate(candidates, factor)
		sortCandidates(candidates)
	}
}

func sortCandidates(list []*candidate) {
	slices.SortStableFunc(list, func(a, b *candidate) int {
		if c := cmp.Compare(b.final, a.final); c != 0 {
			return c
		}
		if c := strings.Compare(a.path(), b.path()); c != 0 {
			return c
		}
		return cmp.Compare(a.ref.Index, b.ref.Index)
	})
}

// normalise fills in coverage, and the raw scores as shares of the best. Code and memory have corpora of their own.
func (r *ranking) normalise(candidates []*candidate) {
	top, topMemory := 0.0, 0.0
	for _, c := range candidates {
		if c.record == nil {
			top = max(top, c.bm25)
		} else {
			topMemory = max(topMemory, c.bm25)
		}
	}
	for _, c := range candidates {
		c.coverage = r.share(c.matched)
		if c.record != nil {
			c.normalised = share(c.bm25, topMemory)
		} else {
			c.normalised = share(c.bm25, top)
		}
	}
}

// normaliseCosines fills in where each chunk lies between the least and the best cosine. It reports whether there are any.
func normaliseCosines(candidates []*candidate) bool {
	least, best := 1.0, 0.0
	for _, c := range candidates {
		if c.record == nil && c.cosine > 0 {
			least, best = min(least, c.cosine), max(best, c.cosine)
		}
	}
	if best <= least {
		return false
	}
	for _, c := range candidates {
		c.semantic = max(0, (c.cosine-least)/(best-least))
	}
	return true
}

func share(score, top float64) float64 {
	if top <= 0 {
		return 0.5 // a lane without scores
	}
	return score / top
}

// share is the part of the query's weight that lies on the matched terms. Rare terms weigh more, and one that is
// nowhere weighs most.
func (r *ranking) share(matched []string) float64 {
	sum, all := 0.0, 0.0
	for _, t := range r.terms {
		w := r.weight(t)
		all += w
		if slices.Contains(matched, t) {
			sum += w
		}
	}
	if all == 0 {
		return 0
	}
	return sum / all
}

// weight is how much a term of the query says.
func (r *ranking) weight(term string) float64 {
	w := 1.0
	if idf, ok := r.idf[term]; ok {
		w = idf
	}
	if r.kind == proseQuery && softWords[term] {
		w *= rules.Soft
	}
	return w
}

// scoreChunk adds to the keyword score what the names and the rest of the file say.
func (r *ranking) scoreChunk(c *candidate) float64 {
	k, f := c.ref.Chunk(), c.file
	c.asked = r.asked(k.Name)
	score := c.normalised * (1 - rules.Cover + rules.Cover*c.coverage)
	score += rules.Name*c.asked + rules.Stem*f.name + rules.File*f.score + rules.FileCover*f.cover
	all := 1 + rules.Name + rules.Stem + rules.File + rules.FileCover
	if !r.vague {
		score += r.meaning * r.wordy() * (rules.Semantic*c.semantic + rules.FileSemantic*f.semantic)
		all += r.meaning * r.wordy() * (rules.Semantic + rules.FileSemantic)
	}
	score /= all
	if k.Type == chunk.Code && k.Kind != chunk.KindSection {
		score *= rules.Remainder
	}
	if c.prototype {
		c.demoted = "a prototype"
		score *= rules.Declared
	}
	switch {
	case c.tier == nearby:
		score = (score + c.closeness) / 2
	case c.tier > nearby && r.kind == symbolQuery:
		score = (1-rules.Size-rules.Sort)*score + rules.Size*sizeShare(k) + rules.Sort*sortShare(k)
	}
	return tierFloor[c.tier] + tierSpan[c.tier]*min(1, score*r.demotion(c))
}

// wordy is how much the query reads like a question rather than a list of names, 0..1: two words are seldom more than
// parts of a name, which mean what they say.
func (r *ranking) wordy() float64 { return min(1, max(0, float64(len(r.terms)-1)/3)) }

// sizeShare grows with the logarithm of the lines, up to a thousand of them: of several definitions of one name the
// one that holds more is meant more often than a stub or an interface.
func sizeShare(k *chunk.Chunk) float64 { return min(1, math.Log2(float64(k.EndLine-k.StartLine+1))/10) }

// sortShare prefers what a bare name means most often.
func sortShare(k *chunk.Chunk) float64 {
	switch k.Type {
	case chunk.Class:
		return 1
	case chunk.Function:
		return 0.7
	case chunk.Method:
		return 0.4
	}
	return 0
}

// scoreRecord treats a memory record like a chunk. What people used lately and often gets a small bounded boost.
func (r *ranking) scoreRecord(c *candidate) float64 {
	score := c.normalised * (0.4 + 0.6*c.coverage)
	if c.meant {
		score = 0
	}
	score += (1 - score) * r.wordy() * rules.Record * c.closeness
	return tierSpan[byText] * min(1, score+r.activity*activationBoost(c.record.Activation)) * trust(c.record) * doubted(c.record)
}

// activationBoost maps ACT-R's activation, a logarithm, to 0..0.2: late and bounded, never a gate. docs/memory.md has the
// measurements behind the 0.2.
func activationBoost(activation float64) float64 { return 0.2 * activationShare(activation) }

// activationShare maps an activation to 0..1.
func activationShare(activation float64) float64 {
	return snippet.ShownActivation.RecallProbability(activation)
}

// keepOnePerName leaves one definition of a name and file in the tier of the name: a question that holds a name wants
// more than all of its overloads.
func keepOnePerName(sorted []*candidate) {
	seen := map[string]bool{}
	for _, c := range sorted {
		if c.tier == byText || c.record != nil {
			continue
		}
		key := c.name + "\x00" + c.ref.File.Abs
		if seen[key] {
			c.final = tierSpan[byText] * (c.final - tierFloor[c.tier]) / tierSpan[c.tier]
			c.tier = byText
		}
		seen[key] = true
	}
}

// saturate lowers the text matches of a file after its first hit, step by step, so that those of other files get
// their chance.
func saturate(sorted []*candidate, step float64) {
	factors := map[string]float64{}
	for _, c := range sorted {
		if c.record != nil {
			continue
		}
		factor, hit := factors[c.ref.File.Abs]
		if !hit {
			factor = 1
		}
		factors[c.ref.File.Abs] = factor * step
		if c.tier == byText {
			c.final *= factor
		}
	}
}
