package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/aurora-sidecar/aurora/engine/search/rank"
	"github.com/aurora-sidecar/aurora/engine/semantic"
	"github.com/aurora-sidecar/aurora/memory"
)

// recordsFound is the answer of the memory retriever.
type recordsFound struct {
	hits []memory.Hit
	err  error
}

// startMemory asks the store while the code retrievers run. The channel gets one answer.
func (s *search) startMemory(ctx context.Context) <-chan recordsFound {
	answer := make(chan recordsFound, 1)
	if !s.filter.wantsMemory() || s.searcher.memory == nil {
		answer <- recordsFound{}
		return answer
	}
	q := s.memoryQuery()
	go func() {
		hits, err := s.searcher.memory.Recall(ctx, q)
		answer <- recordsFound{hits, err}
	}()
	return answer
}

// memoryQuery is what the store is asked.
func (s *search) memoryQuery() memory.Query {
	return memory.Query{
		Text: s.query.Words, Limit: recordPool(s), Types: s.filter.memoryTypes(), Tags: s.filter.tags,
		GoalID: s.filter.goal, Source: s.request.Scope.SourceType, Metadata: memory.Metadata{Domain: s.request.Scope.Domain, Field: s.request.Scope.Field}, MinImportance: s.request.Scope.MinImportance,
		RecencyBias: s.request.Scope.RecencyBias, Active: s.request.Scope.Near,
	}
}

// recordPool is how many records to ask the store for by their words: more than needed where some turn out not to be wanted. Those that
// are near in meaning come besides.
func recordPool(s *search) int {
	if s.filter.narrowsPath() || len(s.query.Phrases) > 0 {
		return max(minPool, s.limit)
	}
	return max(minRecords, 2*s.limit)
}

const minRecords = 100

// addRecords makes candidates of the records. A store that fails costs its provider, not the search.
func (s *search) addRecords(found recordsFound) error {
	if found.err != nil {
		return fmt.Errorf("memory was not searched: %w", found.err)
	}
	for i := range found.hits {
		h := &found.hits[i]
		if h.SourceRef != "" && !s.filter.acceptPath(recordPath(h)) || h.SourceRef == "" && s.filter.narrowsPath() {
			continue
		}
		if h.Standing.IsSuperseded() {
			s.superseded[h.ID] = true
			continue
		}
		s.total++
		c := rank.NewRecordCandidate(h, s.ranking.Terms)
		s.candidates = append(s.candidates, c)
		s.proposed(c, h.Score)
	}
	return nil
}

// lowerDoubted lowers the records that people, other records or policies say something against.
func lowerDoubted(s *search) {
	lowered := false
	for _, c := range s.candidates {
		if c.Record == nil {
			continue
		}
		if share := c.Record.Standing.Share(); share < 1 {
			c.Final, lowered = c.Final*share, true
		}
	}
	if lowered {
		slices.SortStableFunc(s.candidates, func(a, b *rank.Candidate) int { return cmp.Compare(b.Final, a.Final) })
	}
}

// maxSemanticRecords is how many records the vectors propose.
const maxSemanticRecords = 50

// proposeSemantic adds the records that mean what was asked, whatever their words, and tells of the others how near they
// are.
func (records) proposeSemantic(ctx context.Context, s *search) error {
	if s.ranking.Kind != rank.ProseQuery || !s.searcher.providers.asks("semantic", s.request) {
		return nil
	}
	d, err := s.direction(ctx)
	if err != nil || d.IsZero() {
		return nil // the provider of meanings has said why
	}
	scale := rank.NearnessOf(semantic.IsRemote(d))
	least := scale.Least
	if s.request.AtLeast > 0 { // the nearest are wanted, however far they are
		least = -1
	}
	byID, matching := map[string]*rank.Candidate{}, []string{}
	for _, c := range s.candidates {
		if c.Record != nil {
			byID[c.Record.ID], matching = c, append(matching, c.Record.ID)
		}
	}
	near, err := s.searcher.vectors.NearRecords(ctx, s.query.Words, d, semantic.Nearness{Least: least, Scope: s.searcher.memory.Scope(ctx), Also: matching})
	if err != nil {
		return err
	}
	s.meaning = true
	cosines, ids := map[string]float64{}, []string{}
	for _, n := range near {
		if c := byID[n.ID]; c != nil {
			c.Cosine, c.Closeness, c.Confident = n.Cosine, scale.Of(n.Cosine), n.Cosine >= scale.Sure
		} else if len(ids) < maxSemanticRecords && !s.superseded[n.ID] {
			cosines[n.ID], ids = n.Cosine, append(ids, n.ID)
		}
	}
	before := len(s.candidates)
	if len(ids) > 0 {
		q := s.memoryQuery()
		q.Text, q.IDs, q.Limit = "", ids, len(ids)
		var hits []memory.Hit
		hits, err = s.searcher.memory.Recall(ctx, q)
		err = s.addRecords(recordsFound{hits, err})
	}
	for _, c := range s.candidates[before:] {
		c.Cosine = cosines[c.Record.ID]
		c.Closeness, c.SemanticOnly, c.Confident = scale.Of(c.Cosine), true, c.Cosine >= scale.Sure
	}
	if !semantic.IsRemote(d) {
		compareAsCode(s)
	}
	return err
}

// maxAsCode is how many of the nearest records are compared by the model of code, too.
const maxAsCode = 50

// compareAsCode tells of the nearest records how near they are to the question by the model of code.
func compareAsCode(s *search) {
	var near []*rank.Candidate
	for _, c := range s.candidates {
		if c.Record != nil && c.Closeness > 0 {
			near = append(near, c)
		}
	}
	slices.SortStableFunc(near, func(a, b *rank.Candidate) int { return cmp.Compare(b.Cosine, a.Cosine) })
	near = near[:min(len(near), maxAsCode)]
	records := make([]memory.Record, len(near))
	for i, c := range near {
		records[i] = c.Record.Record
	}
	for i, cosine := range semantic.AsCode(s.query.Words, records) {
		near[i].AsCode = cosine
	}
}
