package codeintel

import (
	"context"
	"slices"
	"time"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/git"
	"github.com/aurora-sidecar/aurora/index/graph"
	"github.com/aurora-sidecar/aurora/index/syntax"
	"github.com/aurora-sidecar/aurora/memory"
)

const (
	// usualHoverWait is how long a hover waits for git once it knows the symbol; what is not there by then is left out. A
	// blame goes on behind it and serves the next hover.
	usualHoverWait = 10 * time.Millisecond
	// memoryWait is how long it waits for what is remembered, which costs a millisecond of work: only a busy machine takes
	// longer, and what a person has remembered comes before everything else.
	memoryWait = 200 * time.Millisecond

	maxHoverCallers     = 5
	maxHoverDefinitions = 5
	maxHoverRecords     = 3
	maxHoverTests       = 3
)

// Hover returns the memory card of the symbol at a place: what it is, where it is defined and called, its git age, what
// usually changes with it, and what is remembered about it. It returns nil, nil when nothing is known of the symbol, and the context's error only
// when the client gave up: what takes too long is left out of the card instead.
func (e *Intel) Hover(ctx context.Context, p codebase.Place) (*HoverResult, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	snap, docs := e.Index.Snapshot(), codebase.NewDocumentCache(e.Index).Seeing(p.Own)
	doc, ok := docs.At(snap, p.Path)
	if !ok {
		return nil, nil
	}
	sym, ok := e.provenAt(snap, docs, doc, p.Offset)
	if !ok {
		return nil, nil
	}
	card := e.newCard(snap, docs, sym)
	if len(card.definitions) == 0 && card.declared == nil {
		return nil, nil
	}
	e.addSlowFacts(ctx, card, docs, snap)
	return card.result(sym), nil
}

// provenAt finds what the cursor is on when that is proven: by the scopes of the text and what it imports in code, by the way
// it is written in prose and documents.
func (e *Intel) provenAt(snap *index.Snapshot, docs *codebase.DocumentCache, doc *codebase.Document, offset int) (*symbol, bool) {
	id, ok := nameAt(doc, offset)
	if !ok {
		return nil, false
	}
	r := e.newResolver(snap, docs)
	if m, ok := r.moduleAt(doc, id.start); ok {
		return &symbol{identifier: id, doc: doc, sure: true, declared: &m}, true
	}
	prose := codebase.IsProse(doc.Text, doc.File.Language, id.start)
	if prose || !programming[graph.Family(doc.File.Language)] {
		sym, ok := e.SymbolAt(snap, doc, offset)
		return sym, ok && (!prose || sym.own || sym.narrow(sym.inProse()))
	}
	if own, ok := definitionAt(doc.File, id); ok && !isDeclaration(own) {
		return &symbol{identifier: id, doc: doc, Definitions: []index.Ref{own}, sure: true, own: true}, true
	}
	if !hasScopes(doc.File.Language) {
		sym, ok := e.SymbolAt(snap, doc, offset)
		return sym, ok && sym.sure
	}
	m, ok := r.resolve(doc, id)
	if !ok {
		return nil, false
	}
	sym := &symbol{identifier: id, doc: doc, sure: true}
	if m.isChunk() {
		sym.Definitions = []index.Ref{m.ref}
	} else if named, ok := m.symbol(); ok {
		sym.narrowSymbols([]index.SymbolRef{named})
	} else {
		sym.declared = &m
	}
	here := m.doc == doc && m.name.Start == id.start
	return sym, !here || sym.named != nil // a local has nothing to add to its own line
}

// newCard reads the definitions and callers that the card shows.
func (e *Intel) newCard(snap *index.Snapshot, docs *codebase.DocumentCache, sym *symbol) *card {
	c := &card{symbol: sym.name, now: e.Now(), sure: sym.sure, more: len(sym.Definitions), declared: sym.declared}
	if sym.declared != nil {
		return c
	}
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
	e.addCallers(c, snap, docs, sym)
	if sym.sure && len(c.definitions) > 0 && sym.Definitions[0].Chunk().Type == chunk.Class {
		c.addImporters(snap, sym)
	}
	return c
}

// maxImporters bounds the files of which is found out whether they import a type, which costs some 10 µs for each.
const maxImporters = 300

// addImporters finds the files that import a type: who uses it as the type of a value calls nothing of it.
func (c *card) addImporters(snap *index.Snapshot, sym *symbol) {
	links := snap.Links()
	found, more := graph.NewNames(graph.New(links)).Importers(codebase.PresentNode(snap, links, sym.Definitions[0]), maxImporters)
	c.importers.count, c.importers.more = len(found), more
	lines, refs := map[string]int{}, []index.Ref{}
	for _, i := range found {
		ref := links.Ref(graph.Node{File: i.File})
		lines[ref.File.Abs] = i.Line + 1
		refs = append(refs, ref)
	}
	for _, ref := range codebase.Nearest(refs, sym.doc.File)[:min(len(found), maxHoverCallers)] {
		c.importers.links = append(c.importers.links, wording.Link(codebase.BaseName(ref.File.Path), ref.File.Abs, lines[ref.File.Abs]))
	}
}

// maxResolvedCallers bounds the calls by name of which is found out what they mean. Names with more, such as String, are
// counted only: resolving them costs tens of milliseconds.
const maxResolvedCallers = 150

// addCallers finds the callers of what is meant, and its tests.
func (e *Intel) addCallers(c *card, snap *index.Snapshot, docs *codebase.DocumentCache, sym *symbol) {
	if c.called, c.byName = len(snap.Callers(sym.name, maxResolvedCallers+1)), true; c.called > maxResolvedCallers {
		return
	}
	links := snap.Links()
	g := graph.New(links)
	callers, byName := callersOf(snap, links, g, sym)
	c.called, c.byName = len(callers), byName
	c.callers = read(docs, codebase.Nearest(callers, sym.doc.File), maxHoverCallers)
	if !sym.sure {
		return
	}
	var tests []index.Ref
	for _, edge := range g.Tests(codebase.PresentNode(snap, links, sym.Definitions[0])) {
		if edge.Confidence >= proven && syntax.IsTest(edge.To.File.Path) {
			tests = append(tests, links.Ref(edge.To))
		}
	}
	c.tests = read(docs, tests, maxHoverTests)
}

// read returns the present text of the first chunks that are still there.
func read(docs *codebase.DocumentCache, refs []index.Ref, limit int) []snippet.Hit {
	var hits []snippet.Hit
	for _, ref := range refs {
		if len(hits) == limit {
			break
		}
		if doc, fresh, ok := docs.Open(ref); ok {
			hits = append(hits, snippet.OfChunk(doc, fresh))
		}
	}
	return hits
}

// callersOf are those of the definition that is meant; when no call is known to mean it, and when several may be meant,
// those that call something of its name in a language of the definitions. byName tells that not all of them are proven.
func callersOf(snap *index.Snapshot, links *index.Links, g *graph.Graph, sym *symbol) (refs []index.Ref, byName bool) {
	if sym.sure {
		edges, _ := g.Callers(codebase.PresentNode(snap, links, sym.Definitions[0]))
		for _, edge := range edges {
			refs = append(refs, links.Ref(edge.To))
			byName = byName || edge.Confidence < proven
		}
		if len(refs) > 0 {
			return refs, byName
		}
	}
	return slices.DeleteFunc(snap.Callers(sym.name, maxResolvedCallers+1), func(r index.Ref) bool {
		return !slices.ContainsFunc(sym.Definitions, func(d index.Ref) bool {
			return graph.Family(d.File.Language) == graph.Family(r.File.Language)
		})
	}), true
}

// addSlowFacts asks git and memory at the same time, and takes what they know in time.
func (e *Intel) addSlowFacts(ctx context.Context, c *card, docs *codebase.DocumentCache, snap *index.Snapshot) {
	remembering, stop := context.WithTimeout(ctx, memoryWait)
	defer stop()
	records := make(chan []memory.Hit, 1)
	go func() { records <- e.hoverRecords(remembering, c.definitions) }()
	if c.sure && len(c.definitions) > 0 {
		asking, cancel := context.WithTimeout(ctx, e.HoverWait)
		c.companions = e.hoverCompanions(asking, snap, c.definitions[0], c.tests)
		c.git, c.remote = e.hoverGit(asking, docs, snap, c.definitions[0])
		cancel()
	}
	select {
	case c.records = <-records:
	case <-remembering.Done():
	}
}

// hoverGit returns git's account of the definition's lines if there is one in time, and where the repository is published.
func (e *Intel) hoverGit(ctx context.Context, docs *codebase.DocumentCache, snap *index.Snapshot, def snippet.Hit) (*snippet.GitInfo, git.Remote) {
	doc, ok := docs.At(snap, def.Abs)
	if !ok || doc.File.Folder == "" {
		return nil, git.Remote{}
	}
	info, err := e.gitOf(ctx, doc, def.Range.Start.Line, def.Range.End.Line)
	if err != nil || info.State != string(git.Tracked) {
		return nil, git.Remote{}
	}
	repo, err := e.repos.open(ctx, doc.File.Folder)
	if err != nil {
		return info, git.Remote{}
	}
	return info, repo.Origin(ctx)
}

// hoverRecords asks memory for what cites the definitions.
func (e *Intel) hoverRecords(ctx context.Context, definitions []snippet.Hit) []memory.Hit {
	var ids []string
	for _, d := range definitions {
		ids = append(ids, d.ID)
	}
	if len(definitions) == 0 {
		return nil
	}
	found, err := e.Records.Citing(ctx, definitions[0], ids)
	if err != nil {
		e.Log.Debug("hover: memory was not asked", "err", err)
	}
	return found[:min(maxHoverRecords, len(found))]
}
