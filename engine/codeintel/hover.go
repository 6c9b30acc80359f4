package codeintel

import (
	"context"
	"slices"
	"time"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/git"
	"github.com/aurora-sidecar/aurora/index/graph"
	"github.com/aurora-sidecar/aurora/memory"
)

const (
	// usualHoverWait is how long a hover waits for git and memory once it knows the symbol; what is not there by then is
	// left out. A blame goes on behind it and serves the next hover. Together with the reading before it, it has to
	// stay below the 20 ms after which an editor gets no card at all.
	usualHoverWait = 10 * time.Millisecond

	maxHoverCallers     = 5
	maxHoverDefinitions = 5
	maxHoverRecords     = 3
)

// Hover returns the memory card of the symbol at a place: what it is, where it is defined and called, its git age, and
// what is remembered about it. It returns nil, nil when nothing is known of the symbol, and the context's error only
// when the client gave up: what takes too long is left out of the card instead.
func (e *Intel) Hover(ctx context.Context, p codebase.Place) (*HoverResult, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	snap, docs := e.Index.Snapshot(), codebase.NewDocumentCache(e.Index)
	doc, ok := docs.At(snap, p.Path)
	if !ok {
		return nil, nil
	}
	sym, ok := e.SymbolAt(snap, doc, p.Offset)
	if !ok || !sym.own && isProse(doc.Text, doc.File.Language, sym.start) && !sym.narrow(sym.inProse()) {
		return nil, nil
	}
	card := e.newCard(snap, docs, sym)
	if len(card.definitions) == 0 {
		return nil, nil
	}
	e.addSlowFacts(ctx, card, docs, snap)
	return &HoverResult{Markdown: card.markdown(), Start: sym.start, End: sym.end}, nil
}

// newCard reads the definitions and callers that the card shows.
func (e *Intel) newCard(snap *index.Snapshot, docs *codebase.DocumentCache, sym *symbol) *card {
	c := &card{symbol: sym.name, now: e.Now(), sure: sym.sure, more: len(sym.Definitions)}
	for i := range sym.Definitions {
		if len(c.definitions) == maxHoverDefinitions {
			break
		}
		if hit, ok := sym.read(docs, i); ok {
			c.definitions = append(c.definitions, hit)
		}
	}
	c.more -= len(c.definitions)
	if sym.named != nil {
		return c // nobody calls it
	}
	callers := callersOf(snap, sym)
	c.called = len(callers)
	for _, ref := range codebase.Nearest(callers, sym.doc.File) {
		if len(c.callers) == maxHoverCallers {
			break
		}
		if doc, fresh, ok := docs.Open(ref); ok {
			c.callers = append(c.callers, snippet.OfChunk(doc, fresh))
		}
	}
	return c
}

// callersOf are those of the definition that is meant; when no call is known to mean it, and when several may be meant,
// those that call something of its name in a language of the definitions.
func callersOf(snap *index.Snapshot, sym *symbol) []index.Ref {
	if sym.sure {
		links := snap.Links()
		edges, _ := graph.New(links).Callers(links.Node(sym.Definitions[0]))
		var refs []index.Ref
		for _, edge := range edges {
			refs = append(refs, links.Ref(edge.To))
		}
		if len(refs) > 0 {
			return refs
		}
	}
	return slices.DeleteFunc(snap.Callers(sym.name, codebase.MaxCounted+1), func(r index.Ref) bool {
		return !slices.ContainsFunc(sym.Definitions, func(d index.Ref) bool {
			return graph.Family(d.File.Language) == graph.Family(r.File.Language)
		})
	})
}

// addSlowFacts asks git and memory at the same time, and takes what they know in time.
func (e *Intel) addSlowFacts(ctx context.Context, c *card, docs *codebase.DocumentCache, snap *index.Snapshot) {
	ctx, cancel := context.WithTimeout(ctx, e.HoverWait)
	defer cancel()
	records := make(chan []memory.Hit, 1)
	go func() { records <- e.hoverRecords(ctx, c.definitions) }()
	if c.sure {
		c.git = e.hoverGit(ctx, docs, snap, c.definitions[0])
	}
	select {
	case c.records = <-records:
	case <-ctx.Done():
	}
}

// hoverGit returns git's account of the definition's lines if there is one in time.
func (e *Intel) hoverGit(ctx context.Context, docs *codebase.DocumentCache, snap *index.Snapshot, def snippet.Hit) *snippet.GitInfo {
	doc, ok := docs.At(snap, def.Abs)
	if !ok || doc.File.Folder == "" {
		return nil
	}
	info, err := e.gitOf(ctx, doc, def.Range.Start.Line, def.Range.End.Line)
	if err != nil || info.State != string(git.Tracked) {
		return nil
	}
	return info
}

// hoverRecords asks memory for what cites the definitions.
func (e *Intel) hoverRecords(ctx context.Context, definitions []snippet.Hit) []memory.Hit {
	var ids []string
	for _, d := range definitions {
		ids = append(ids, d.ID)
	}
	found, err := e.Records.Citing(ctx, definitions[0], ids)
	if err != nil {
		e.Log.Debug("hover: memory was not asked", "err", err)
	}
	return found[:min(maxHoverRecords, len(found))]
}
