package engine

import (
	"context"
	"fmt"

	"github.com/aurora-sidecar/aurora/memory"
)

// recordsFound is the answer of the memory lane.
type recordsFound struct {
	hits []memory.Hit
	err  error
}

// startMemory asks the store while the code lanes run. The channel gets one answer.
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
		Text: s.query.words, Limit: max(minPool, s.limit), Types: s.filter.memoryTypes(), Tags: s.filter.tags,
		GoalID: s.filter.goal, Source: s.request.Scope.SourceType, Domain: s.request.Scope.Domain, MinImportance: s.request.Scope.MinImportance,
		RecencyBias: s.request.Scope.RecencyBias, Field: s.request.Scope.Field, Active: s.request.Scope.Near,
	}
}

// addRecords makes candidates of the records. A store that fails costs its provider, not the search (RET-018).
func (s *search) addRecords(found recordsFound) error {
	if found.err != nil {
		return fmt.Errorf("memory was not searched: %w", found.err)
	}
	for i := range found.hits {
		h := &found.hits[i]
		if h.SourceRef != "" && !s.filter.acceptPath(recordPath(h)) || h.SourceRef == "" && s.filter.narrowsPath() {
			continue
		}
		s.total++
		c := newRecordCandidate(h, s.ranking.terms)
		s.candidates = append(s.candidates, c)
		s.proposed(c, h.Score)
	}
	return nil
}

// maxSemanticRecords is how many records the vectors propose.
const maxSemanticRecords = 50

// proposeSemanticRecords adds the records that mean what was asked, whatever their words, and tells of the others how near they
// are.
func (s *search) proposeSemanticRecords(ctx context.Context) error {
	if s.ranking.kind != proseQuery || !s.searcher.providers.asks("semantic", s.request) {
		return nil
	}
	d, err := s.direction(ctx)
	if err != nil || d.IsZero() {
		return nil // the provider of meanings has said why
	}
	scale := nearnessOf(isRemote(d))
	near, err := s.searcher.vectors.nearRecords(ctx, s.snap, d, scale.least)
	if err != nil {
		return err
	}
	s.meaning = true
	byID := map[string]*candidate{}
	for _, c := range s.candidates {
		if c.record != nil {
			byID[c.record.ID] = c
		}
	}
	cosines, ids := map[string]float64{}, []string{}
	for _, n := range near {
		if c := byID[n.id]; c != nil {
			c.cosine, c.closeness = n.cosine, scale.of(n.cosine)
		} else if len(ids) < maxSemanticRecords {
			cosines[n.id], ids = n.cosine, append(ids, n.id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	q := s.memoryQuery()
	q.Text, q.IDs, q.Limit = "", ids, len(ids)
	hits, err := s.searcher.memory.Recall(ctx, q)
	before := len(s.candidates)
	err = s.addRecords(recordsFound{hits, err})
	for _, c := range s.candidates[before:] {
		c.cosine = cosines[c.record.ID]
		c.closeness, c.semanticOnly, c.confident = scale.of(c.cosine), true, c.cosine >= scale.sure
	}
	return err
}
