package search

import (
	"context"
	"slices"

	"github.com/aurora-sidecar/aurora/engine/search/querytext"
	"github.com/aurora-sidecar/aurora/engine/search/rank"
	"github.com/aurora-sidecar/aurora/memory"
)

// addConversations fills up a search that has found little: nothing at all, or, for a caller who asks for knowledge, no
// memory that is active enough. Conversations come last.
func (s *search) addConversations(ctx context.Context) {
	if !s.wantsConversations() || ctx.Err() != nil {
		return
	}
	for _, at := range s.searcher.conversations.Conversations(ctx, s.query.Words, min(maxConversationHits, s.limit-len(s.hits))) {
		h := s.searcher.conversations.ConversationHit(ctx, at)
		if h == nil {
			continue
		}
		score := s.ranking.ConversationScore(len(at.Matched), s.hits)
		if score < s.request.MinScore || !querytext.HasPhrases(h.Text, s.query.Phrases) || s.query.HoldsUnwanted(h.Path, h.Name, h.Text) {
			continue
		}
		h.SetScore(score, nil)
		s.hits = append(s.hits, *h)
	}
}

func (s *search) wantsConversations() bool {
	f := s.filter
	switch {
	case s.searcher.conversations == nil, s.request.Unjudged, s.limit <= len(s.hits), s.query.Words == "",
		!f.wantsMemory(), f.recordsOnly, f.goal != "", len(f.tags) > 0, f.narrowsPath(), len(f.exclude) > 0, len(f.projects) > 0:
		return false
	case len(f.types) == 0:
		return len(s.hits) == 0
	}
	return slices.Contains(f.types, string(memory.Knowledge)) && rank.WeakMemory(s.hits)
}

// maxConversationHits is how many conversations a search adds.
const maxConversationHits = 3
