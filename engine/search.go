package engine

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/memory"
)

// Search finds chunks and memory records. Exact identifiers come first, then whatever the words match, code and
// memory together. Every hit shows the text that its file or buffer holds now.
//
// It fails with Invalid on parameters out of range, and with the context's error when ctx ends.
func (e *Engine) Search(ctx context.Context, r SearchRequest) (*SearchResult, error) {
	start := time.Now()
	result, err := e.search(ctx, r)
	if ctx.Err() == nil {
		var hits []Hit
		if err == nil {
			hits = result.Hits
		}
		e.meter.retrieved(retrieval{op: memory.OpSearch, agent: r.Agent}, hits, 0, time.Since(start), err)
	}
	return result, err
}

// search is Search as a part of something else that is measured whole.
func (e *Engine) search(ctx context.Context, r SearchRequest) (*SearchResult, error) {
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
	if s.failed != nil && r.complete {
		return nil, s.failed
	}
	if r.Git {
		e.addGit(ctx, s.hits)
	}
	result := s.result()
	result.Elapsed = time.Since(start)
	e.latency.Observe(result.Elapsed)
	return result, nil
}

// A search is one run of Search: its parts, in the order in which they are filled in.
type search struct {
	engine  *Engine
	tuning  Tuning
	request SearchRequest
	limit   int
	query   searchQuery
	filter  *filter
	snap    *index.Snapshot
	docs    *codebase.DocumentCache
	ranking ranking

	total      int
	meaning    bool     // the semantic lane was asked
	pointed    *pointed // what the question means, once that was asked
	embedder   string   // whose vectors it compared, "" for those of the snapshot
	unknown    []string // terms of the query that no text holds
	candidates []*candidate
	byChunk    candidateSet
	recalled   <-chan recordsFound
	asking     string                   // id of the provider that proposes now
	spent      map[string]time.Duration // by provider, early work included
	proposals  int
	hits       []Hit
	top        *candidate // behind the first hit
	silenced   *candidate // the best one, when none was plausible
	gone       int        // candidates whose text is no longer there
	duplicates int
	notes      []string
	failed     error // of the first provider that failed
}

func (e *Engine) newSearch(r SearchRequest) (*search, error) {
	tuning := e.tuned()
	limit, note, err := fault.CheckLimit(cmp.Or(r.Limit, tuning.Limit))
	if err != nil {
		return nil, err
	}
	if math.IsNaN(r.MinScore) || r.MinScore < 0 || r.MinScore > 1 {
		return nil, &Error{Kind: Invalid, Message: "minScore must lie between 0 and 1", Detail: "minScore"}
	}
	if err := e.providers.check(r); err != nil {
		return nil, err
	}
	r.MinScore = cmp.Or(r.MinScore, tuning.MinScore)
	query := parseQuery(r.Query)
	filter, err := newFilter(query, r.Scope)
	if err != nil {
		return nil, err
	}
	s := &search{
		engine: e, tuning: tuning, request: r, limit: limit, query: query, filter: filter, snap: e.opts.Index.Snapshot(), docs: codebase.NewDocumentCache(e.opts.Index),
		ranking: newRanking(query, filter.narrowsPath() || filter.knowledge),
	}
	s.ranking.meaning, s.ranking.activity = 2*tuning.Semantic, 2*tuning.Activation
	s.ranking.deep = r.deep
	if err := s.confine(); err != nil {
		return nil, err
	}
	s.note(note)
	if query.shortened {
		s.note(fmt.Sprintf("the query is long: no more than its first %d terms were searched", maxQueryTerms))
	}
	return s, nil
}

// empty reports whether nothing was asked for.
func (s *search) empty() bool { return s.query.words == "" && !s.query.filtersOnly() }

func (s *search) note(n string) {
	if n != "" && !slices.Contains(s.notes, n) {
		s.notes = append(s.notes, n)
	}
}

// run fills in the hits. When no text holds a phrase of a longer question, its words have to do.
func (s *search) run(ctx context.Context) {
	s.ask(ctx)
	if phrases := s.query.phrases; len(s.hits) == 0 && len(phrases) > 0 && s.query.saysMore() && ctx.Err() == nil {
		s.note(fmt.Sprintf("no text holds the exact phrase %q; its words were searched", wording.CutBytes(phrases[0], 80)))
		s.query.phrases = nil
		s.ranking = newRanking(s.query, s.filter.narrowsPath() || s.filter.knowledge)
		s.ranking.meaning, s.ranking.activity = 2*s.tuning.Semantic, 2*s.tuning.Activation
		s.candidates, s.total, s.gone, s.duplicates = nil, 0, 0, 0
		s.ask(ctx)
	}
}

// ask lets providers propose and rules rank, and reads what is shown.
func (s *search) ask(ctx context.Context) {
	s.recalled = s.startMemory(ctx)
	s.byChunk = candidateSet{}
	if s.query.filtersOnly() {
		if s.filter.wantsCode() {
			s.list(ctx)
		}
		s.addListed(<-s.recalled)
	} else {
		s.engine.providers.ask(ctx, s)
	}
	if fusion := cmp.Or(s.request.Fusion, s.engine.opts.Fusion, byRules); fusion == byRules || s.query.filtersOnly() {
		s.ranking.rank(s.candidates)
	} else {
		s.fuse(fusion)
	}
	s.preferRecent(ctx)
	s.beSilent()
	s.collect(ctx)
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
	seen := map[string]bool{}
	for _, c := range s.candidates {
		if len(s.hits) == s.limit || c.final < s.request.MinScore || ctx.Err() != nil {
			return
		}
		hit, content, ok := s.read(c)
		switch {
		case !ok:
			s.gone++
			s.total--
		case !hasPhrases(hit.Text, s.query.phrases), s.query.holdsUnwanted(&hit):
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

// read turns a candidate into a hit; content is equal for hits that say the same.
func (s *search) read(c *candidate) (hit Hit, content string, ok bool) {
	if c.record != nil {
		hit, content = snippet.OfRecord(c.record), c.record.ContentHash
		hit.Decays = s.engine.decays(c.record)
	} else {
		doc, fresh, ok := s.docs.Open(c.ref)
		if !ok {
			return Hit{}, "", false
		}
		hit, content = s.chunkHit(c, doc, fresh), fmt.Sprintf("%x:%d", fresh.Chunk().Hash, fresh.Chunk().Span.End-fresh.Chunk().Span.Start)
	}
	for _, p := range c.by {
		hit.Providers = append(hit.Providers, p.provider)
	}
	s.explainScore(&hit, c)
	return hit, content, true
}

// chunkHit shows a chunk, or the function in it that was asked for; as knowledge when that is why it is shown.
func (s *search) chunkHit(c *candidate, doc *codebase.Document, ref index.Ref) Hit {
	hit := snippet.OfChunk(doc, ref)
	if c.local != "" {
		hit = snippet.OfLocal(doc, ref, c.local)
	}
	if s.filter.asKnowledge(ref) {
		hit.Type, hit.Origin = string(memory.Knowledge), snippet.KnowledgeOf(ref)
	}
	return hit
}

// explainScore fills in the scores of a hit and what they come from.
func (s *search) explainScore(hit *Hit, c *candidate) {
	var raw *float64
	if len(c.matched) > 0 {
		raw = &c.bm25
		hit.Scores.Normalised = &c.normalised
	}
	if c.record != nil && !c.record.LastUsed.IsZero() {
		share := activationShare(c.record.Activation)
		hit.Scores.Activation = &share
	}
	if c.record != nil && c.cosine != 0 {
		hit.Scores.Semantic = &c.closeness
	}
	if s.meaning && c.record == nil && c.cosine != 0 { // a chunk without a vector has no score, rather than a low one
		hit.Scores.Semantic = &c.semantic
	}
	if hit.Scores.Semantic == nil {
		hit.Scores.NoSemantic = s.whyNoSemantic()
	}
	hit.Explanation = s.ranking.explanation(c)
	if s.request.Explain {
		hit.Explanation += ": " + s.ranking.account(c)
	}
	hit.SetScore(c.final, raw)
}

// whyNoSemantic says why a hit has no likeness of meaning (RET-016).
func (s *search) whyNoSemantic() string {
	switch {
	case s.meaning:
		return "embedding missing"
	case s.snap.Model() == nil:
		return "search by meaning is off"
	}
	return "not compared by meaning"
}

// hasPhrases reports whether text holds every phrase, in any letter case and with any white space.
func hasPhrases(text string, phrases []string) bool {
	if len(phrases) == 0 {
		return true
	}
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	return !slices.ContainsFunc(phrases, func(p string) bool { return !strings.Contains(text, strings.ToLower(p)) })
}

func (s *search) result() *SearchResult {
	s.explain()
	state := codebase.StateOf(s.snap)
	state.Embedder = cmp.Or(s.embedder, state.Embedder)
	return &SearchResult{
		Hits: s.hits, Total: max(s.total, len(s.hits)), Mode: s.mode(), Confidence: s.confidence(), Notes: s.notes,
		Index: state, spent: s.spent,
	}
}

// mode names the lanes that were asked.
func (s *search) mode() string {
	if s.meaning {
		return "hybrid"
	}
	return "keyword"
}
