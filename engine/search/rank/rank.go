package rank

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/search/querytext"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/lexical"
	"github.com/aurora-sidecar/aurora/memory"
)

// A Tier orders candidates before their score does: an exact identifier is always first.
type Tier int

const (
	ByText Tier = iota // words match
	Nearby             // the name begins with the query, is abbreviated by it or misspelled, or the path is
	Folded             // the name is the query but for letter case
	Exact              // the name is the query
)

// tierFloor and tierSpan map a candidate's score inside its tier to the final score: tiers never overlap, and a
// match by words alone stays below all others.
var (
	tierFloor = [...]float64{ByText: 0, Nearby: 0.75, Folded: 0.85, Exact: 0.9}
	tierSpan  = [...]float64{ByText: 0.74, Nearby: 0.09, Folded: 0.04, Exact: 0.1}
)

// A Candidate is something that a retriever proposed and that was not read yet.
type Candidate struct {
	Ref    index.Ref   // a chunk, or
	Record *memory.Hit // a memory record
	nameMatch
	wordMatch
	semanticMatch
	lateFactors

	asked         float64  // share of the name's words that are terms of the query
	file          evidence // of the chunk's file
	ProviderScore float64  // 0..1: what the program's own providers say of it
	prototype     float64  // factor of a declaration of something that is a candidate, too; 0 for all else
	demoted       string   // why the final score was lowered, "" when it was not
	active        Activation
	group         *group  // the chunks of its file, when a question orders them
	Final         float64 // 0..1

	By []proposal // who proposed it
}

// lateFactors are on the final score, 0 where there is none.
type lateFactors struct {
	further float64 // of a hit in a file that an earlier one is in, too
	aged    float64 // of the age that was asked for
}

// nameMatch is how the name of a candidate matches the query.
type nameMatch struct {
	Tier      Tier
	name      string        // the name that matched, when tier is not byText
	Symbol    *chunk.Symbol // the symbol in the chunk that has this name, when the chunk itself has not
	Why       string        // how it is near, in tier nearby
	Closeness float64       // 0..1: how near it is; of a record: to the meaning of the query
	certain   float64       // 0..1: how sure it is that a pasted text came from here, 0 for not at all
	scored    Tier          // in which it got its score: of several definitions of a name all but one leave it
}

// wordMatch is what the words of the query say for a candidate.
type wordMatch struct {
	BM25       float64  // raw
	Normalised float64  // bm25 as a share of the best candidate's
	Matched    []string // terms of the query that occur
	Coverage   float64  // 0..1: share of the query's weight that lies on the content terms that occur
}

// semanticMatch is how near the vector of a candidate is to that of the query.
type semanticMatch struct {
	Cosine       float64 // 0 without vectors
	Similarity   float64 // cosine between the least and the best of the pool, 0..1
	AsCode       float64 // a record's cosine by the model of code; 0 when it was not compared
	SemanticOnly bool    // a record that only its vector proposed,
	Confident    bool    // and so near that it is an answer without a word of the query
}

// NewCandidate is a chunk that not its text proposes.
func NewCandidate(ref index.Ref, terms []string) *Candidate {
	return &Candidate{Ref: ref, wordMatch: wordMatch{Matched: matchedTerms(terms, ref.Chunk().Name)}}
}

// NewWordCandidate is a chunk that the keyword retriever found.
func NewWordCandidate(h index.Hit) *Candidate {
	return &Candidate{Ref: h.Ref, wordMatch: wordMatch{BM25: h.BM25, Matched: h.Matched}}
}

// NewRecordCandidate is a record that the store found.
func NewRecordCandidate(h *memory.Hit, terms []string) *Candidate {
	return &Candidate{Record: h, wordMatch: wordMatch{BM25: h.Score, Matched: recordTerms(h, terms)}}
}

func (c *Candidate) path() string {
	if c.Record != nil {
		return c.Record.SourceRef
	}
	return c.Ref.File.Path
}

// Raise lifts the candidate into a tier, for the name that matched.
func (c *Candidate) Raise(t Tier, name string) {
	if t > c.Tier {
		c.Tier, c.name = t, name
	}
}

// Paste notes that a pasted text came from here, as a line that it names or as a message that stands here: why, and how sure
// that is, 0..1. It then comes first, as what has exactly the name that was asked for does.
func (c *Candidate) Paste(why string, certain float64) {
	if certain > c.certain {
		c.Tier, c.name, c.Symbol, c.Why, c.certain = Exact, "", nil, why, certain
	}
}

// BestCovered returns at most n of the chunks, those that hold most of what the query says, whatever their texts do with it. None
// holds less than half of what the best one does.
func (r *Ranking) BestCovered(candidates []*Candidate, n int) []*Candidate {
	covered := make([]*Candidate, 0, len(candidates))
	for _, c := range candidates {
		if c.Record == nil && c.BM25 > 0 {
			c.Coverage = r.share(c.Matched)
			covered = append(covered, c)
		}
	}
	slices.SortStableFunc(covered, func(a, b *Candidate) int {
		return cmp.Or(cmp.Compare(b.Coverage, a.Coverage), cmp.Compare(b.BM25, a.BM25))
	})
	covered = covered[:min(n, len(covered))]
	for i, c := range covered {
		if 2*c.Coverage < covered[0].Coverage {
			return covered[:i]
		}
	}
	return covered
}

// Ranking is what the scoring rules need to know of the query.
type Ranking struct {
	Kind    queryKind
	Query   []lexical.QueryTerm // of the keyword retriever
	Terms   []string            // content terms
	Unknown []string            // terms of the query that no text holds
	IDF     map[string]float64  // of the query's terms; nil makes all of them equal
	forms   map[string]string   // token to the term that it stands for
	lower   string              // the query in lower case
	action  bool                // the query says what code does
	how     bool                // the query asks how something is done
	vague   bool                // there are no vectors
	fused   string              // the fusion that gave the scores, "" for the rules
	kinds   fileKinds
	weights []float64 // of Terms, once Rank has begun

	Options
}

// Options are what a search wants of its ranking.
type Options struct {
	Narrow bool // the person asked for certain paths: no demotion, no saturation
	Deep   bool // several hits of one file are welcome

	// Nearness is how near all of a file is to what was asked: a mean of cosines. nil leaves files to the rules.
	Nearness func(*index.File) float64

	Observe Observers
}

// Observers are told of the candidates, for who fits weights; they may be nil.
type Observers struct {
	Chunks func([]Observed)
	Files  func([]ObservedFile)
	Within func([]Observed) // the chunks of one file, for each of the files
}

func New(q querytext.Query, options Options) Ranking {
	kind := Classify(q.Words)
	r := Ranking{
		Kind: kind, Query: Terms(q, kind), Terms: contentTerms(q.Words), lower: strings.ToLower(q.Words), forms: map[string]string{},
		Options: options,
	}
	r.action = kind == ProseQuery && describesAction(q.Words)
	r.how = kind == ProseQuery && asksHow(q.Words)
	for _, t := range r.Query {
		for _, f := range t.Forms {
			if _, taken := r.forms[f.Token]; !taken {
				r.forms[f.Token] = t.Token
			}
		}
	}
	for _, t := range r.Terms {
		r.forms[t] = t // a word is itself first of all
	}
	return r
}

// AddForm lets another word stand for a term of the query, too.
func (r *Ranking) AddForm(t *lexical.QueryTerm, word string) {
	t.Forms = append(t.Forms, lexical.Form{Token: word, Weight: rules.Form})
	r.forms[word] = t.Token
}

// Rank gives every candidate its final score and sorts them, best first. The order is total, so the same candidates
// always come out the same.
func (r *Ranking) Rank(candidates []*Candidate) {
	r.normalise(candidates)
	r.vague = !normaliseCosines(candidates)
	evidence := r.fileEvidence(candidates)
	markDeclared(candidates, &r.kinds)
	for _, c := range candidates {
		if c.Record != nil {
			c.Final = r.scoreRecord(c)
		} else {
			c.file = evidence[c.Ref.File]
			c.Final = r.scoreChunk(c)
			c.lift()
		}
	}
	r.observe(candidates)
	if r.Kind == ProseQuery && !r.action {
		groups := gather(candidates)
		r.orderWithinFiles(groups)
		rankFiles(r, groups)
	}
	sortCandidates(candidates)
	if r.Kind == ProseQuery {
		keepOnePerName(candidates)
		sortCandidates(candidates)
	}
	if !r.Narrow {
		factor := rules.Saturation
		if r.Deep || r.action {
			factor = rules.Deep
		}
		saturate(candidates, factor)
		sortCandidates(candidates)
	}
}

func sortCandidates(list []*Candidate) {
	slices.SortStableFunc(list, func(a, b *Candidate) int {
		if c := cmp.Compare(b.Final, a.Final); c != 0 {
			return c
		}
		if c := strings.Compare(a.path(), b.path()); c != 0 {
			return c
		}
		return cmp.Compare(a.Ref.Index, b.Ref.Index)
	})
}

// normalise fills in coverage, and the raw scores as shares of the best. Code and memory have corpora of their own.
func (r *Ranking) normalise(candidates []*Candidate) {
	r.weights = make([]float64, len(r.Terms))
	for i, t := range r.Terms {
		r.weights[i] = r.weight(t)
	}
	top, topMemory := 0.0, 0.0
	for _, c := range candidates {
		if c.Record == nil {
			top = max(top, c.BM25)
		} else {
			topMemory = max(topMemory, c.BM25)
		}
	}
	for _, c := range candidates {
		c.Coverage = r.share(c.Matched)
		if c.Record != nil {
			c.Normalised = share(c.BM25, topMemory)
		} else {
			c.Normalised = share(c.BM25, top)
		}
	}
}

// normaliseCosines fills in where each chunk lies between the least and the best cosine. It reports whether there are any.
func normaliseCosines(candidates []*Candidate) bool {
	least, best := 1.0, 0.0
	for _, c := range candidates {
		if c.Record == nil && c.Cosine > 0 {
			least, best = min(least, c.Cosine), max(best, c.Cosine)
		}
	}
	if best <= least {
		return false
	}
	for _, c := range candidates {
		c.Similarity = max(0, (c.Cosine-least)/(best-least))
	}
	return true
}

func share(score, top float64) float64 {
	if top <= 0 {
		return 0.5 // a retriever without scores
	}
	return score / top
}

// share is the part of the query's weight that lies on the matched terms. Rare terms weigh more, and one that is
// nowhere weighs most.
func (r *Ranking) share(matched []string) float64 {
	sum, all := 0.0, 0.0
	for i, t := range r.Terms {
		w := 0.0
		if len(r.weights) > 0 {
			w = r.weights[i]
		} else {
			w = r.weight(t)
		}
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
func (r *Ranking) weight(term string) float64 {
	w := 1.0
	if idf, ok := r.IDF[term]; ok {
		w = idf
	}
	if r.Kind == ProseQuery && SoftWords[term] {
		w *= rules.Soft
	}
	return w
}

// scoreChunk places a chunk within its tier.
func (r *Ranking) scoreChunk(c *Candidate) float64 {
	c.asked, c.scored = r.asked(c.Ref.Chunk().Name), c.Tier
	score, demotion := 0.0, 1.0
	if r.action {
		score = r.scoreAction(c)
	} else {
		score, demotion = r.scoreText(c), r.demotion(c)
	}
	switch {
	case c.certain > 0:
		return tierFloor[Exact] + tierSpan[Exact]*(0.9*c.certain+0.1*min(1, score*demotion))
	case c.Tier == Nearby:
		score = (score + c.Closeness) / 2
	case c.Tier > Nearby && r.Kind == SymbolQuery:
		score = c.declared() * ((1-rules.Size-rules.Type)*score + rules.Size*c.sizeShare() + rules.Type*c.typeShare())
	}
	return tierFloor[c.Tier] + tierSpan[c.Tier]*min(1, score*demotion)
}

// scoreText adds to the keyword score what the names and the rest of the file say.
func (r *Ranking) scoreText(c *Candidate) float64 {
	score := 0.0
	for _, addend := range addends(r, c) {
		score += addend
	}
	if isRemainder(c.Ref.Chunk()) {
		score *= rules.Remainder
	}
	return score * c.declared()
}

// addends are what each of ruleFeatures adds to the score of a chunk, 1 at most together.
func addends(r *Ranking, c *Candidate) [len(ruleFeatures)]float64 {
	f, all := c.file, 1+rules.Name+rules.Stem+rules.File+rules.FileCover
	list := [...]float64{
		c.Normalised * (1 - rules.Cover), c.Normalised * rules.Cover * c.Coverage,
		rules.Name * c.asked, rules.Stem * f.name, rules.File * f.score, rules.FileCover * f.cover, 0, 0,
	}
	if !r.vague {
		wordy := r.wordy()
		list[6], list[7] = wordy*rules.Semantic*c.Similarity, wordy*rules.FileSemantic*f.semantic
		all += wordy * (rules.Semantic + rules.FileSemantic)
	}
	for i := range list {
		list[i] /= all
	}
	return list
}

// isRemainder reports whether a chunk lies between definitions.
func isRemainder(k *chunk.Chunk) bool { return k.Type == chunk.Code && k.Kind != chunk.KindSection }

// declared is the factor of a prototype whose function was found, too.
func (c *Candidate) declared() float64 {
	if c.prototype == 0 {
		return 1
	}
	c.demoted = "a prototype"
	return c.prototype
}

// wordy is how much the query reads like a question rather than a list of names, 0..1: two words are seldom more than
// parts of a name, which mean what they say.
func (r *Ranking) wordy() float64 { return min(1, max(0, float64(len(r.Terms)-1)/3)) }

// sizeShare grows with the logarithm of the lines, up to a thousand of them: of several definitions of one name the
// one that holds more is meant more often than a stub or an interface.
func (c *Candidate) sizeShare() float64 {
	if c.Symbol != nil {
		return 0
	}
	k := c.Ref.Chunk()
	return min(1, math.Log2(float64(k.EndLine-k.StartLine+1))/10)
}

// typeShare prefers what a bare name means most often.
func (c *Candidate) typeShare() float64 {
	if c.Symbol != nil {
		return symbolShares[c.Symbol.Kind]
	}
	switch c.Ref.Chunk().Type {
	case chunk.Class:
		return 1
	case chunk.Function:
		return 0.7
	case chunk.Method:
		return 0.4
	}
	return 0
}

// symbolShares are the type shares of symbols: what stands on its own before what belongs to something.
var symbolShares = map[chunk.SymbolKind]float64{
	chunk.TypeName: 0.6, chunk.Constant: 0.6, chunk.Macro: 0.6, chunk.Table: 0.6, chunk.Variable: 0.5, chunk.EnumMember: 0.5,
	chunk.Member: 0.4, chunk.Field: 0.4, chunk.Property: 0.4, chunk.LocalFunction: 0.3, chunk.Column: 0.3, chunk.Key: 0.3,
	chunk.Selector: 0.3, chunk.Route: 0.3, chunk.Inner: 0.4, chunk.Test: 0.2, chunk.Namespace: 0.1,
}

// keepOnePerName leaves one definition of a name and file in the tier of the name: a question that holds a name wants
// more than all of its overloads.
func keepOnePerName(sorted []*Candidate) {
	seen := map[string]bool{}
	for _, c := range sorted {
		if c.Tier == ByText || c.Record != nil || c.certain > 0 {
			continue
		}
		key := c.name + "\x00" + c.Ref.File.Abs
		if seen[key] {
			c.Final = tierSpan[ByText] * (c.Final - tierFloor[c.Tier]) / tierSpan[c.Tier]
			c.Tier = ByText
		}
		seen[key] = true
	}
}

// saturate lowers the text matches of a file after its first hit, step by step, so that those of other files get
// their chance.
func saturate(sorted []*Candidate, step float64) {
	factors := map[string]float64{}
	for _, c := range sorted {
		if c.Record != nil {
			continue
		}
		factor, hit := factors[c.Ref.File.Abs]
		if !hit {
			factor = 1
		}
		factors[c.Ref.File.Abs] = factor * step
		if c.Tier == ByText {
			c.Final *= factor
			if hit {
				c.further = factor
			}
		}
	}
}

// lift moves a score towards the top of its tier by what an own provider says, so that names still come first.
func (c *Candidate) lift() {
	if c.ProviderScore > 0 {
		c.Final += min(1, c.ProviderScore) * max(0, tierFloor[c.Tier]+tierSpan[c.Tier]-c.Final)
	}
}
