package search

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/search/querytext"
	"github.com/aurora-sidecar/aurora/engine/search/rank"
	"github.com/aurora-sidecar/aurora/engine/semantic"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/memory"
)

// Search is Search as a part of something else that is measured whole.
func (e *Searcher) Search(ctx context.Context, r Request) (*Result, error) {
	start := time.Now()
	s, err := e.newSearch(r)
	if err != nil {
		return nil, err
	}
	if !s.empty() {
		s.run(ctx)
		s.addConversations(ctx)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if r.Git {
		e.git.AddGit(ctx, s.hits)
	}
	result := s.result()
	result.Elapsed = time.Since(start)
	e.Latency.Observe(result.Elapsed)
	return result, nil
}

// A search is one run of Search: its parts, in the order in which they are filled in.
type search struct {
	searcher *Searcher
	tuning   Tuning
	request  Request
	limit    int
	query    querytext.Query
	filter   *filter
	snap     *index.Snapshot
	docs     *codebase.DocumentCache
	ranking  rank.Ranking

	pool
	providerTurn
	likeness
	outcome
	recalled <-chan recordsFound
	notes    []string
}

// pool is what was proposed so far.
type pool struct {
	candidates []*rank.Candidate
	byChunk    candidateSet
	superseded map[string]bool // ids of records that matched and that others have superseded
	total      int             // matches before the cut
	elsewhere  elsewhere
	mark       byte // of a selector that was asked for: '.', '#', ':' or 0
}

// providerTurn is the account of the providers that propose.
type providerTurn struct {
	asking    string                   // id of the provider that proposes now
	spent     map[string]time.Duration // by provider, early work included
	proposals int
}

// likeness is what is known of the meaning of the query.
type likeness struct {
	meaning  bool              // the semantic retriever was asked
	pointed  *semantic.Pointed // what the query means, once that was asked
	near     []index.Hit       // what is nearest to that, nil when nobody has looked yet
	embedder string            // whose vectors it compared, "" for those of the snapshot
}

// outcome is what was read of the candidates.
type outcome struct {
	hits       []snippet.Hit
	top        *rank.Candidate // behind the first hit
	abstained  *rank.Candidate // the best one, when none was plausible
	gone       int             // candidates whose text is no longer there
	duplicates int
}

func (e *Searcher) newSearch(r Request) (*search, error) {
	tuning := e.Tuned()
	limit, note, err := fault.CheckLimit(cmp.Or(r.Limit, tuning.Limit))
	if err != nil {
		return nil, err
	}
	if math.IsNaN(r.MinScore) || r.MinScore < 0 || r.MinScore > 1 {
		return nil, &fault.Error{Kind: fault.Invalid, Message: "minScore must lie between 0 and 1", Detail: "minScore"}
	}
	if err := e.providers.check(r); err != nil {
		return nil, err
	}
	r.MinScore = cmp.Or(r.MinScore, tuning.MinScore)
	query := querytext.Parse(r.Query)
	filter, err := newFilter(query, r.Scope)
	if err != nil {
		return nil, err
	}
	s := &search{
		searcher: e, tuning: tuning, request: r, limit: limit, query: query, filter: filter, snap: e.index.Snapshot(), docs: codebase.NewDocumentCache(e.index),
	}
	s.superseded = map[string]bool{}
	s.ranking = rank.New(query, s.rankingOptions())
	if err := s.confine(); err != nil {
		return nil, err
	}
	s.note(note)
	if query.Shortened {
		s.note(fmt.Sprintf("the query is long: at most its first %d terms, and filters of a kind, were searched", querytext.MaxTerms))
	}
	return s, nil
}

func (s *search) rankingOptions() rank.Options {
	return rank.Options{
		Narrow: s.filter.narrowsPath() || s.filter.knowledge, Deep: s.request.Deep, Observe: s.request.Observe,
	}
}

// empty reports whether nothing was asked for.
func (s *search) empty() bool { return s.query.Words == "" && !s.query.FiltersOnly() }

func (s *search) note(n string) {
	if n != "" && !slices.Contains(s.notes, n) {
		s.notes = append(s.notes, n)
	}
}

// run fills in the hits. When no text holds a phrase of a longer question, its words have to do.
func (s *search) run(ctx context.Context) {
	s.ask(ctx)
	if phrases := s.query.Phrases; len(s.hits) == 0 && len(phrases) > 0 && s.query.SaysMore() && ctx.Err() == nil {
		s.note(fmt.Sprintf("no text holds the exact phrase %q; its words were searched", wording.CutBytes(phrases[0], 80)))
		s.query.Phrases = nil
		s.ranking = rank.New(s.query, s.rankingOptions())
		s.candidates, s.total, s.gone, s.duplicates = nil, 0, 0, 0
		s.elsewhere = elsewhere{loose: true}
		s.ask(ctx)
	}
}

// ask lets providers propose and rules rank, and reads what is shown.
func (s *search) ask(ctx context.Context) {
	s.recalled = s.startMemory(ctx)
	s.byChunk = candidateSet{}
	if s.query.FiltersOnly() {
		if s.filter.wantsCode() {
			s.list(ctx)
		}
		s.addListed(<-s.recalled)
	} else {
		askTeam(ctx, s)
		s.searcher.providers.ask(ctx, s)
		compareTexts(ctx, s)
	}
	if fusion := cmp.Or(s.request.Fusion, rank.ByRules); fusion == rank.ByRules || s.query.FiltersOnly() {
		s.ranking.Nearness = s.elsewhere.nearness(s.ranking.Nearness)
		s.ranking.Rank(s.candidates)
	} else {
		s.ranking.Fuse(fusion, s.candidates, s.searcher.providers.weights())
	}
	s.preferRecent(ctx)
	lowerDoubted(s)
	s.abstain()
	s.preferActive(ctx)
	s.collect(ctx)
}

// abstain drops the candidates when none of the best is plausible.
func (s *search) abstain() {
	if s.request.Unjudged || len(s.candidates) == 0 || len(s.ranking.Terms) == 0 || len(s.query.Phrases) > 0 || s.query.FiltersOnly() {
		return
	}
	judged := s.meaning && s.embedder == "" && s.filter.fileTest() == nil && s.filter.chunkTest() == nil // as when the weights were fitted
	if !s.ranking.Plausible(s.candidates) || judged && rank.OffTopic(&s.ranking, s.candidates) {
		s.abstained = s.candidates[0]
		s.candidates = s.candidates[:min(len(s.candidates), max(0, s.request.AtLeast))]
		s.total = len(s.candidates)
	}
}

// confidence is how sure the search is that its first hit is what was meant, 0..1.
func (s *search) confidence() float64 {
	if s.top != nil && s.query.FiltersOnly() {
		return 1
	}
	return s.ranking.Confidence(s.top, s.candidates)
}

// proposed notes that the provider that is being asked proposes c.
func (s *search) proposed(c *rank.Candidate, score float64) {
	s.proposals++
	c.Propose(s.asking, score)
}

// spend notes how long a provider took; a search that is asked again adds to it.
func (s *search) spend(provider string, took time.Duration) {
	if s.spent == nil {
		s.spent = map[string]time.Duration{}
	}
	s.spent[provider] += took
}

// addListed adds the records that pass the filters of a query without words.
func (s *search) addListed(found recordsFound) {
	if err := s.addRecords(found); err != nil {
		s.note(err.Error())
	}
}

// collect reads candidates, best first, until there are enough hits.
func (s *search) collect(ctx context.Context) {
	readAhead(s)
	seen := map[string]bool{}
	for _, c := range s.candidates {
		if len(s.hits) == s.limit || c.Final < s.request.MinScore || ctx.Err() != nil {
			return
		}
		hit, content, ok := s.read(c)
		switch {
		case !ok:
			s.gone++
			s.total--
		case !querytext.HasPhrases(hit.Text, s.query.Phrases), s.query.HoldsUnwanted(hit.Path, hit.Name, hit.Text):
			s.total--
		case seen[content]:
			s.duplicates++
		default:
			seen[content] = true
			if s.top == nil {
				s.top = c
			}
			s.hits = append(s.hits, hit)
		}
	}
}

// mostPrepared bounds how many files are read ahead: each is kept until the search has ended.
const mostPrepared = 20

// readAhead reads the files of what will most likely be shown, beside each other.
func readAhead(s *search) {
	var refs []index.Ref
	for _, c := range s.candidates[:min(len(s.candidates), s.limit, mostPrepared)] {
		if c.Record == nil && c.Final >= s.request.MinScore && !s.elsewhere.has(c.Ref) {
			refs = append(refs, c.Ref)
		}
	}
	s.docs.Prepare(refs)
}

// read turns a candidate into a hit; content is equal for hits that say the same.
func (s *search) read(c *rank.Candidate) (hit snippet.Hit, content string, ok bool) {
	if c.Record != nil {
		hit, content = snippet.OfRecord(c.Record), c.Record.ContentHash
		hit.Decays = s.searcher.memory.Decays(c.Record)
	} else if s.elsewhere.has(c.Ref) {
		if hit, ok = s.elsewhere.hit(c.Ref); !ok {
			return snippet.Hit{}, "", false
		}
		content = fmt.Sprintf("%x:%d", c.Ref.Chunk().Hash, c.Ref.Chunk().Span.End)
	} else {
		doc, fresh, ok := s.docs.Open(c.Ref)
		if !ok {
			return snippet.Hit{}, "", false
		}
		hit, content = s.chunkHit(c, doc, fresh), fmt.Sprintf("%x:%d", fresh.Chunk().Hash, fresh.Chunk().Span.End-fresh.Chunk().Span.Start)
	}
	hit.Weak = s.abstained != nil || s.ranking.Weak(c)
	for _, p := range c.By {
		hit.Providers = append(hit.Providers, p.Provider)
	}
	s.explainScore(&hit, c)
	return hit, content, true
}

// chunkHit shows a chunk, or the symbol in it that was asked for; as knowledge when that is why it is shown.
func (s *search) chunkHit(c *rank.Candidate, doc *codebase.Document, ref index.Ref) snippet.Hit {
	hit := snippet.OfChunk(doc, ref)
	if c.Symbol != nil {
		hit = snippet.OfSymbol(doc, ref, *c.Symbol)
	}
	if s.filter.asKnowledge(ref) {
		hit.Type, hit.Origin = string(memory.Knowledge), snippet.KnowledgeOf(ref)
	}
	return hit
}

// explainScore fills in the scores of a hit and what they come from.
func (s *search) explainScore(hit *snippet.Hit, c *rank.Candidate) {
	var raw *float64
	if len(c.Matched) > 0 {
		raw = &c.BM25
		hit.Scores.Normalised = &c.Normalised
	}
	if c.Record != nil && !c.Record.LastUsed.IsZero() {
		share := rank.ActivationShare(c.Record.Activation)
		hit.Scores.Activation = &share
	}
	if c.Record != nil && c.Cosine != 0 {
		hit.Scores.Semantic = &c.Closeness
	}
	if s.meaning && c.Record == nil && c.Cosine != 0 { // a chunk without a vector has no score, rather than a low one
		hit.Scores.Semantic = &c.Similarity
	}
	if hit.Scores.Semantic == nil {
		hit.Scores.NoSemantic = s.whyNoSemantic()
	}
	hit.Explanation = s.ranking.Explanation(c)
	if c.Record != nil && c.Record.Standing.Share() < 1 {
		hit.Explanation += fmt.Sprintf(", doubted: %.0f %% of its score", 100*c.Record.Standing.Share())
	}
	if hit.Weak {
		hit.Explanation = "weak: " + hit.Explanation
	}
	if s.request.Explain && !s.query.FiltersOnly() {
		hit.Explanation += ": " + s.ranking.Account(c)
	}
	hit.SetScore(c.Final, raw)
}

// whyNoSemantic says why a hit has no likeness of meaning.
func (s *search) whyNoSemantic() string {
	switch {
	case s.meaning:
		return "embedding missing"
	case s.snap.Model() == nil:
		return "search by meaning is off"
	}
	return "not compared by meaning"
}

func (s *search) result() *Result {
	s.explain()
	state := codebase.StateOf(s.snap)
	state.Embedder = cmp.Or(s.embedder, state.Embedder)
	return &Result{
		Hits: s.hits, Total: max(s.total, len(s.hits)), Mode: s.mode(), Confidence: s.confidence(), Notes: s.notes, LeftOut: leftOut(s),
		Index: state, Spent: s.spent,
	}
}

// mode names the retrievers that were asked.
func (s *search) mode() string {
	if s.meaning {
		return "hybrid"
	}
	return "keyword"
}
