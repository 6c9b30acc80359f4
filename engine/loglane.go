package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine/answer"
	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/engine/search/rank"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/internal/text"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/convlog"
)

const (
	// maxEarlier is how many earlier conversations an answer points at.
	maxEarlier = 3

	// toldBefore is the least share of the words of a question that a conversation must have.
	toldBefore = 0.6

	// syncTime is how long a search may take to catch up with files that others put there. What is left is for the next.
	syncTime = 300 * time.Millisecond
)

// conversations finds places in earlier conversations that have the words of a query, none when there are no conversations.
// It is the last resort of retrieval: never an error, only a line in the log.
func (e *Engine) conversations(ctx context.Context, query string, limit int) []memory.LogHit {
	book, index := e.opts.Conversations, e.opts.Memory
	if book == nil || index == nil {
		return nil
	}
	words := convlog.Telling(query)
	words = words[:min(len(words), 2*contextBudget)]
	if len(words) == 0 {
		return nil
	}
	syncing, cancel := context.WithTimeout(ctx, syncTime)
	defer cancel()
	if err := book.Sync(syncing, index); err != nil && ctx.Err() == nil && syncing.Err() == nil {
		e.log.Warn("conversations are not all indexed", "err", err)
	}
	forms := map[string]string{}
	for _, w := range words {
		for _, form := range logForms(w) {
			forms[form] = w
		}
	}
	found, err := index.SearchLogs(ctx, memory.LogQuery{Words: sortedKeys(forms), Workspaces: e.opts.Index.Folders(), Limit: 4 * limit})
	if err != nil {
		e.log.Warn("conversations were not searched", "err", err)
		return nil
	}
	found = slices.DeleteFunc(found, func(h memory.LogHit) bool {
		told := map[string]bool{}
		for _, m := range h.Matched {
			told[forms[m]] = true
		}
		return float64(len(told)) < toldBefore*float64(len(words))
	})
	return found[:min(limit, len(found))]
}

// logForms are a word as it may stand in the index: with and without the s of a plural.
func logForms(word string) []string {
	if short, ok := strings.CutSuffix(word, "s"); ok && len(short) > 2 {
		return []string{word, short}
	}
	return []string{word, word + "s"}
}

// conversationHit shows a place in a conversation: the beginning of the section. It is nil when the file is gone.
func (e *Engine) conversationHit(ctx context.Context, at memory.LogHit) *Hit {
	book := e.opts.Conversations
	file, err := book.Find(ctx, at.File)
	if err != nil {
		return nil
	}
	c, err := book.Read(file)
	if err != nil {
		return nil
	}
	i := slices.IndexFunc(c.Sections, func(s convlog.Section) bool { return s.Start == at.LineStart })
	if i < 0 {
		return nil
	}
	section := &c.Sections[i]
	said := strings.TrimSpace(section.Prose())
	h := &Hit{
		ID: conversationID(at), Type: string(memory.Knowledge), Name: at.Section, Container: at.Topic, Language: "markdown",
		Path: at.File, Abs: file.Path, Range: &text.Range{Start: text.Position{Line: at.LineStart - 1}, End: text.Position{Line: at.LineEnd}},
		Text: wording.CutBytes(said, snippet.MaxHitText), Source: "log", Origin: OriginLog, CreatedAt: at.Date,
		Explanation: fmt.Sprintf("asked on %s: %s", at.Date.Format(time.DateOnly), wording.CutBytes(wording.OneLine(at.Query), 120)),
	}
	phase := at.Section
	if _, name, ok := strings.Cut(phase, ": "); ok && at.Phase > 0 {
		phase = name
	}
	h.Metadata = &HitMetadata{
		SourceFile: file.Path, PhaseNumber: at.Phase, PhaseName: phase, ConversationDate: at.Date.Format(time.DateOnly), Query: at.Query,
	}
	h.Snippet, h.Tokens = wording.HeadLines(h.Text, snippet.MaxLines), snippet.EstimateTokens(h.Text)
	return h
}

// conversationID is conv-<file>-phase<n> (CHK-032).
func conversationID(at memory.LogHit) string {
	base := strings.TrimSuffix(codebase.BaseName(at.File), ".md")
	if at.Phase == 0 {
		return "conv-" + base
	}
	return fmt.Sprintf("conv-%s-phase%d", base, at.Phase)
}

// conversationSources point a model at conversations when memory is a weak answer: at file and lines, never at what was
// said there, which nobody has verified since (LOG-020, LOG-021).
func (q *reasoning) conversationSources(ctx context.Context, question string, found []answer.Passage) []soar.Source {
	hits := make([]Hit, len(found))
	for i, p := range found {
		hits[i] = q.library.hits[p.ID]
	}
	if !rank.WeakMemory(hits, q.engine.opts.RecallFrom) {
		return nil
	}
	var out []soar.Source
	for _, at := range q.engine.conversations(ctx, question, maxEarlier) {
		h := q.engine.conversationHit(ctx, at)
		if h == nil {
			continue
		}
		h.Text = fmt.Sprintf("%s. The conversation is in %s, lines %d to %d (%s); nothing of it was verified since.",
			h.Explanation, at.File, at.LineStart, at.LineEnd, at.Section)
		h.Snippet, h.Tokens = h.Text, snippet.EstimateTokens(h.Text)
		q.library.passage(*h)
		out = append(out, soar.Source{Key: h.ID, Path: h.Path, Line: at.LineStart, First: at.LineStart, Last: at.LineEnd, Name: h.Name, Text: h.Text})
	}
	return out
}

// recallConversations adds to an answer that there is none where the same was asked before, and answered.
func (q *query) recallConversations(ctx context.Context, library *library) error {
	var lines []string
	for _, at := range q.engine.conversations(ctx, q.request.Query, maxEarlier) {
		h := q.engine.conversationHit(ctx, at)
		if h == nil {
			continue
		}
		library.passage(*h)
		q.result.Citations = append(q.result.Citations, library.hits[h.ID])
		lines = append(lines, fmt.Sprintf("- %s, in `%s:%d` [%d]", h.Explanation, at.File, at.LineStart, len(q.result.Citations)))
	}
	if len(lines) > 0 {
		q.result.Answer += "\n\nEarlier conversations have these words:\n\n" + strings.Join(lines, "\n")
	}
	return ctx.Err()
}
