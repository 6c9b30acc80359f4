package recall

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/internal/text"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/convlog"
)

const (
	// maxWords is how many words of a query conversations are searched for.
	maxWords = 20

	// leastShare is the least share of the words of a query that a conversation must have.
	leastShare = 0.6

	// syncTime is how long a search may take to catch up with files that others put there. What is left is for the next.
	syncTime = 300 * time.Millisecond
)

// Conversations are what was asked and answered before, as far as it was written down.
type Conversations struct {
	Book    *convlog.Book   // nil when nothing is written down
	Store   memory.LogIndex // nil without a memory
	Folders func() []string
	Log     *slog.Logger
}

// Index catches up with the files of conversations and counts the sections that can be found.
func (p *Conversations) Index(ctx context.Context) (int, error) {
	book, index := p.Book, p.Store
	if book == nil || index == nil {
		return 0, nil
	}
	if err := book.Sync(ctx, index); err != nil {
		return 0, fmt.Errorf("index conversations: %w", err)
	}
	return index.LoggedSections(ctx)
}

// Conversations finds places in earlier conversations that have the words of a query, none when there are no conversations.
// It is the last resort of retrieval: never an error, only a line in the log.
func (p *Conversations) Conversations(ctx context.Context, query string, limit int) []memory.LogHit {
	book, index := p.Book, p.Store
	if book == nil || index == nil {
		return nil
	}
	words := convlog.Telling(query)
	words = words[:min(len(words), maxWords)]
	if len(words) == 0 {
		return nil
	}
	syncing, cancel := context.WithTimeout(ctx, syncTime)
	defer cancel()
	if err := book.Sync(syncing, index); err != nil && ctx.Err() == nil && syncing.Err() == nil {
		p.Log.Warn("conversations are not all indexed", "err", err)
	}
	forms := map[string]string{}
	for _, w := range words {
		for _, form := range logForms(w) {
			forms[form] = w
		}
	}
	found, err := index.SearchLogs(ctx, memory.LogQuery{Words: slices.Sorted(maps.Keys(forms)), Workspaces: p.Folders(), Limit: 4 * limit})
	if err != nil {
		p.Log.Warn("conversations were not searched", "err", err)
		return nil
	}
	found = slices.DeleteFunc(found, func(h memory.LogHit) bool {
		found := map[string]bool{}
		for _, m := range h.Matched {
			found[forms[m]] = true
		}
		return float64(len(found)) < leastShare*float64(len(words))
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

// ConversationHit shows a place in a conversation: the beginning of the section. It is nil when the file is gone.
func (p *Conversations) ConversationHit(ctx context.Context, at memory.LogHit) *snippet.Hit {
	book := p.Book
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
	prose := strings.TrimSpace(section.Prose())
	h := &snippet.Hit{
		ID: conversationID(at), Type: string(memory.Knowledge), Source: "log", Origin: snippet.OriginLog,
		Symbol:     snippet.Symbol{Name: at.Section, Container: at.Topic, Language: "markdown"},
		Location:   snippet.Location{Path: at.File, Abs: file.Path, Range: &text.Range{Start: text.Position{Line: at.LineStart - 1}, End: text.Position{Line: at.LineEnd}}},
		Content:    snippet.Content{Text: wording.CutBytes(prose, snippet.MaxHitText)},
		Remembered: snippet.Remembered{CreatedAt: at.Date},
		Relevance:  snippet.Relevance{Explanation: fmt.Sprintf("asked on %s: %s", at.Date.Format(time.DateOnly), wording.CutBytes(wording.OneLine(at.Query), 120))},
	}
	phase := at.Section
	if _, name, ok := strings.Cut(phase, ": "); ok && at.Phase > 0 {
		phase = name
	}
	h.Metadata = &snippet.HitMetadata{
		SourceFile: file.Path, PhaseNumber: at.Phase, PhaseName: phase, ConversationDate: at.Date.Format(time.DateOnly), Query: at.Query,
	}
	h.Snippet, h.Tokens = wording.HeadLines(h.Text, snippet.MaxLines), snippet.EstimateTokens(h.Text)
	return h
}

// conversationID is conv-<file>-phase<n>.
func conversationID(at memory.LogHit) string {
	base := strings.TrimSuffix(codebase.BaseName(at.File), ".md")
	if at.Phase == 0 {
		return "conv-" + base
	}
	return fmt.Sprintf("conv-%s-phase%d", base, at.Phase)
}
