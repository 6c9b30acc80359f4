package engine

import (
	"context"
	"time"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/git"
	"github.com/aurora-sidecar/aurora/memory"
)

const (
	// hoverBudget is how long a hover may take; parts that are not ready by then are left out.
	hoverBudget = 20 * time.Millisecond

	// gitWait is how long a hover waits for git. The blame goes on behind it and serves the next hover.
	gitWait = 15 * time.Millisecond

	maxHoverCallers     = 5
	maxHoverDefinitions = 5
	maxHoverRecords     = 3

	// maxCounted is where the counting of callers ends; a card then says "more than".
	maxCounted = 1000
)

// Hover returns the memory card of the symbol at a place: what it is, where it is defined and called, its git age, and
// what is remembered about it. It returns nil, nil when nothing is known of the symbol, and the context's error only
// when the client gave up: what takes too long is left out of the card instead.
func (e *Engine) Hover(ctx context.Context, p Place) (*HoverResult, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	budget, cancel := context.WithTimeout(ctx, hoverBudget)
	defer cancel()
	snap, shelf := e.opts.Index.Snapshot(), e.newShelf()
	doc, ok := shelf.at(snap, p.Path)
	if !ok {
		return nil, nil
	}
	sym, ok := e.symbolAt(snap, doc, p.Offset)
	if !ok {
		return nil, nil
	}
	card := e.newCard(snap, shelf, sym)
	if len(card.definitions) == 0 {
		return nil, nil
	}
	if sym.sure {
		card.git = e.hoverGit(budget, shelf, snap, card.definitions[0])
	}
	card.records = e.hoverRecords(budget, card.definitions)
	return &HoverResult{Markdown: card.markdown(), Start: sym.start, End: sym.end}, nil
}

// newCard reads the definitions and callers that the card shows.
func (e *Engine) newCard(snap *index.Snapshot, shelf *bookshelf, sym *symbol) *card {
	c := &card{symbol: sym.name, now: e.now(), sure: sym.sure, more: len(sym.definitions)}
	for _, ref := range sym.definitions {
		if len(c.definitions) == maxHoverDefinitions {
			break
		}
		if doc, fresh, ok := shelf.open(ref); ok {
			c.definitions = append(c.definitions, newHit(doc, fresh))
		}
	}
	c.more -= len(c.definitions)
	callers := snap.Callers(sym.name, maxCounted+1)
	c.called = len(callers)
	for _, ref := range nearest(callers, sym.doc.file) {
		if len(c.callers) == maxHoverCallers {
			break
		}
		if doc, fresh, ok := shelf.open(ref); ok {
			c.callers = append(c.callers, newHit(doc, fresh))
		}
	}
	return c
}

// hoverGit asks git about the definition's lines if git can tell at once.
func (e *Engine) hoverGit(ctx context.Context, shelf *bookshelf, snap *index.Snapshot, def Hit) *GitInfo {
	doc, ok := shelf.at(snap, def.Abs)
	if !ok || doc.file.Folder == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, gitWait)
	defer cancel()
	info, err := e.gitOf(ctx, doc, def.Range.Start.Line, def.Range.End.Line)
	if err != nil || info.State != string(git.Tracked) {
		return nil
	}
	return info
}

// hoverRecords asks memory for what cites the definitions.
func (e *Engine) hoverRecords(ctx context.Context, definitions []Hit) []memory.Hit {
	var refs []string
	for _, d := range definitions {
		refs = append(refs, d.ID)
	}
	found, err := e.citing(ctx, definitions[0], refs)
	if err != nil {
		e.log.Debug("hover: memory was not asked", "err", err)
	}
	return found[:min(maxHoverRecords, len(found))]
}
