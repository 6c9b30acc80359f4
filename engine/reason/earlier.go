package reason

import (
	"context"
	"fmt"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/engine/search/rank"
	"github.com/aurora-sidecar/aurora/engine/snippet"
)

const (
	// maxEarlier is how many earlier conversations an answer points at.
	maxEarlier = 3
)

// conversationSources point a model at conversations when memory is a weak answer: at file and lines, never at what was
// said there, which nobody has verified since.
func (q *reasoning) conversationSources(ctx context.Context, question string, found []evidence.Citation) []soar.Source {
	hits := make([]snippet.Hit, len(found))
	for i, p := range found {
		hits[i] = q.library.Hits[p.ID]
	}
	if !rank.WeakMemory(hits) {
		return nil
	}
	var out []soar.Source
	for _, at := range q.reasoner.opts.Past.Conversations(ctx, question, maxEarlier) {
		h := q.reasoner.opts.Past.ConversationHit(ctx, at)
		if h == nil {
			continue
		}
		h.Text = fmt.Sprintf("%s. The conversation is in %s, lines %d to %d (%s); nothing of it was verified since.",
			h.Explanation, at.File, at.LineStart, at.LineEnd, at.Section)
		h.Snippet, h.Tokens = h.Text, snippet.EstimateTokens(h.Text)
		q.library.Cite(*h)
		out = append(out, soar.Source{Key: h.ID, Path: h.Path, Line: at.LineStart, First: at.LineStart, Last: at.LineEnd, Name: h.Name, Text: h.Text})
	}
	return out
}

// recallConversations adds to an answer that there is none where the same was asked before, and answered.
func (q *query) recallConversations(ctx context.Context, library *evidence.Workspace) error {
	var lines []string
	for _, at := range q.reasoner.opts.Past.Conversations(ctx, q.request.Query, maxEarlier) {
		h := q.reasoner.opts.Past.ConversationHit(ctx, at)
		if h == nil {
			continue
		}
		library.Cite(*h)
		q.result.Citations = append(q.result.Citations, library.Hits[h.ID])
		lines = append(lines, fmt.Sprintf("- %s, in `%s:%d` [%d]", h.Explanation, at.File, at.LineStart, len(q.result.Citations)))
	}
	if len(lines) > 0 {
		q.result.Answer += "\n\nEarlier conversations have these words:\n\n" + strings.Join(lines, "\n")
	}
	return ctx.Err()
}
