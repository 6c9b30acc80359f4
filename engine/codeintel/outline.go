package codeintel

import (
	"context"
	"fmt"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
)

// Outline returns the definitions in the present text of the file of a place, in their order. It is empty for files that the engine
// can't read.
func (e *Intel) Outline(ctx context.Context, p codebase.Place) ([]snippet.Hit, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	doc, ok := codebase.NewDocumentCache(e.Index).Seeing(p.Own).At(e.Index.Snapshot(), p.Path)
	if !ok {
		return nil, nil
	}
	var hits []snippet.Hit
	for i := range doc.File.Chunks {
		ref := index.Ref{File: doc.File, Index: i}
		if ref.Chunk().Name != "" && !ref.Chunk().NameSpan.Empty() {
			hits = append(hits, snippet.OfChunk(doc, ref))
		}
	}
	return hits, nil
}

// Lens says in one line who uses the definition whose name is at a place, when it was last changed, and how much is
// remembered about it. It is "" when nothing is known. What git and memory do not tell in a moment is left out.
func (e *Intel) Lens(ctx context.Context, p codebase.Place) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	snap, docs := e.Index.Snapshot(), codebase.NewDocumentCache(e.Index).Seeing(p.Own)
	doc, ok := docs.At(snap, p.Path)
	if !ok {
		return "", nil
	}
	sym, ok := e.SymbolAt(snap, doc, p.Offset)
	if !ok {
		return "", nil
	}
	card := e.newCard(snap, docs, sym)
	if len(card.definitions) == 0 {
		return "", nil
	}
	var facts []string
	if card.called > 0 || card.definitions[0].Kind == string(chunk.KindFunction) { // a type without callers may have users
		facts = append(facts, card.callerCount())
	}
	e.addSlowFacts(ctx, card, docs, snap)
	if card.git != nil && card.git.Commits > 0 && !card.git.AtEdge {
		facts = append(facts, "changed "+wording.Ago(card.now, card.git.LastModified))
	}
	if n := len(card.records); n > 0 {
		facts = append(facts, wording.CutBytes(wording.HeadLines(card.records[0].Content, 1), maxLensNote))
		if n > 1 {
			facts = append(facts, fmt.Sprintf("%d more", n-1))
		}
	}
	if len(facts) == 0 {
		return "related code", nil
	}
	return strings.Join(facts, " · "), nil
}

// maxLensNote is the most of a note that a lens shows, in bytes.
const maxLensNote = 60

// callerCount counts the callers by name.
func (c *card) callerCount() string {
	switch {
	case c.called == 0:
		return "no callers"
	case c.called > maxResolvedCallers:
		return fmt.Sprintf("more than %d callers", maxResolvedCallers)
	}
	return wording.Count(c.called, "caller", "callers")
}
