package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/internal/text"
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
	if !s.filter.wantsMemory() || s.engine.opts.Memory == nil {
		answer <- recordsFound{}
		return answer
	}
	q := s.memoryQuery()
	go func() {
		hits, err := s.engine.recall(ctx, q)
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

// recall asks the store for the records of this workspace and of none.
func (e *Engine) recall(ctx context.Context, q memory.Query) ([]memory.Hit, error) {
	if e.opts.Memory == nil {
		return nil, nil
	}
	e.syncNotes(ctx)
	hits, err := e.opts.Memory.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	folders := e.opts.Index.Folders()
	hits = slices.DeleteFunc(hits, func(h memory.Hit) bool {
		return h.Workspace != "" && len(folders) > 0 && !slices.Contains(folders, h.Workspace)
	})
	hits = e.dropDeletedNotes(ctx, hits)
	e.checkCitations(ctx, e.opts.Index.Snapshot(), hits)
	return hits, nil
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
		c := &candidate{record: h, bm25: h.Score, matched: recordTerms(h, s.ranking.terms)}
		s.candidates = append(s.candidates, c)
		s.proposed(c, h.Score)
	}
	return nil
}

// recordTerms returns the terms that occur in the record: what the store says, else a look at its text.
func recordTerms(h *memory.Hit, terms []string) []string {
	if len(h.Matched) > 0 {
		return h.Matched
	}
	var out []string
	tokens := text.Tokenize(h.Title + " " + h.Content)
	for _, t := range terms {
		if slices.Contains(tokens, t) {
			out = append(out, t)
		}
	}
	return out
}

// decays reports whether a lifespan policy lets a record fade.
func (e *Engine) decays(r *memory.Hit) bool {
	return e.opts.Lifespan != nil && e.opts.Lifespan.Decide(*r, e.now()).Inactive
}

// doubted is what is left of the score of a record that a person called wrong: less than of one whose code is gone.
func doubted(r *memory.Hit) float64 {
	if slices.Contains(r.Tags, memory.Incorrect) {
		return 0.3
	}
	return 1
}

// recordPath is where a record belongs: the present place of what it cites first, else what its reference says.
func recordPath(r *memory.Hit) string {
	if len(r.Citations) > 0 && r.Citations[0].State != memory.Unchecked {
		return r.Citations[0].NowPath
	}
	return refPath(r.SourceRef)
}

// refPath is the path of a source reference "<path>:<line>"; a chunk id gives its path, too.
func refPath(ref string) string {
	path, _ := snippet.SplitRef(ref)
	return path
}
