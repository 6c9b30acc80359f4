package evidence

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/codeintel"
	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/recall"
	"github.com/aurora-sidecar/aurora/engine/search"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// maxRead is the most definitions of one name that an answer reads.
const maxRead = 50

// Parts are what workspaces ask.
type Parts struct {
	Index    *index.Index
	Searcher *search.Searcher
	Intel    *codeintel.Intel
	Records  *recall.Records
	Log      *slog.Logger
}

// A Workspace gives the facts of one query to answers, from one snapshot. It keeps every hit that it handed out,
// so that citations can be told apart by id. Its methods return citations whose text was read just now, the best first, and the
// context's error when ctx ended.
type Workspace struct {
	parts     *Parts
	Snap      *index.Snapshot
	Docs      *codebase.DocumentCache
	selection *codebase.Selection
	home      *index.File // of the selection; an empty file without one
	Hits      map[string]snippet.Hit
	refs      map[string]index.Ref
	Spent     map[string]time.Duration // by provider of searches
	around    *calls                   // made when it is first needed
}

// CoveringTests are the commands that run the tests of definitions in places of a folder's files; see codeintel.
func (e *Parts) CoveringTests(folder string, changed map[string][]text.Range) ([]string, error) {
	tests, err := e.Intel.CoveringTests(folder, changed)
	commands := make([]string, len(tests))
	for i, t := range tests {
		commands[i] = t.Command
	}
	return commands, err
}

// Workspace is for one query, asked with this selection (nil without one), of the newest snapshot.
func (e *Parts) Workspace(s *codebase.Selection) *Workspace {
	l := &Workspace{
		parts: e, Snap: e.Index.Snapshot(), Docs: codebase.NewDocumentCache(e.Index), selection: s, home: &index.File{},
		Hits: map[string]snippet.Hit{}, refs: map[string]index.Ref{}, Spent: map[string]time.Duration{},
	}
	if s != nil {
		l.Docs.Seeing(s.Own)
		if file, ok := l.Snap.File(s.Path); ok {
			l.home = file
		}
	}
	return l
}

// Cite hands a hit out.
func (l *Workspace) Cite(h snippet.Hit) Citation {
	if h.Provenance == "" {
		h.SetScore(1, nil)
	}
	l.Hits[h.ID] = h
	p := Citation{
		ID: h.ID, Name: snippet.Qualified(h), Type: h.Type, Path: h.Path, Line: h.Line(), Language: h.Language,
		Signature: h.Signature, Doc: h.Doc, Above: h.Above, Text: h.Text,
	}
	if h.Range != nil {
		p.First = h.FirstLine() + 1
	}
	p.Test = codebase.FileKind(h.Path) != "" || h.Language == "rust" && (strings.HasPrefix(p.Name, "tests.") || strings.HasPrefix(p.Name, "test.") || strings.HasPrefix(p.Name, "test_")) // a module of tests in a file of code
	return p
}

// read hands out the chunks that are still there, at most limit.
func (l *Workspace) read(ctx context.Context, refs []index.Ref, limit int) ([]Citation, error) {
	var out []Citation
	for _, ref := range refs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(out) == limit {
			break
		}
		if doc, fresh, ok := l.Docs.Open(ref); ok {
			h := snippet.OfChunk(doc, fresh)
			h.Explanation = "cited in the answer"
			l.refs[h.ID] = fresh
			out = append(out, l.Cite(h))
		}
	}
	return out, nil
}

// Here returns the definition around the person's cursor or selection.
func (l *Workspace) Here(ctx context.Context) (Citation, bool) {
	if l.selection == nil {
		return Citation{}, false
	}
	doc, ok := l.Docs.At(l.Snap, l.selection.Path)
	if !ok {
		return Citation{}, false
	}
	s := l.selection.Within(len(doc.Text))
	if s.Empty() {
		if sym, ok := l.parts.Intel.SymbolAt(l.Snap, doc, s.Start); ok {
			if list, err := l.read(ctx, sym.Definitions, 1); err == nil && len(list) == 1 {
				return list[0], true
			}
		}
	}
	ref, ok := codebase.ChunkAround(doc, s)
	if !ok {
		return Citation{}, false
	}
	list, err := l.read(ctx, []index.Ref{ref}, 1)
	if err != nil || len(list) == 0 {
		return Citation{}, false
	}
	return list[0], true
}

// Declarations returns the constants, fields and other things of a name that are no definitions of their own, those of
// tests and examples last.
func (l *Workspace) Declarations(ctx context.Context, name string) ([]Citation, error) {
	for _, form := range codebase.NameForms(name) {
		name = form
	}
	var out []Citation
	for _, s := range codebase.NearestSymbols(l.Snap, name, "") {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(out) == maxRead || s.Name != codebase.LastName(name) {
			continue
		}
		if doc, fresh, ok := l.Docs.Open(s.Ref); ok {
			out = append(out, l.citeSymbol(doc, fresh, s.Symbol))
		}
	}
	return out, nil
}

// Definitions returns the definitions of a name, qualified or not, in any letter case when none is spelled so.
func (l *Workspace) Definitions(ctx context.Context, name string) ([]Citation, error) {
	for _, form := range codebase.NameForms(name) {
		name = form
	}
	refs := codebase.Definitions(l.Snap, name, codebase.MaxDefinitions, codebase.IsDefinition)
	if len(refs) == 0 { // the heading of a document is better than nothing
		refs = codebase.Definitions(l.Snap, name, codebase.MaxDefinitions, func(r index.Ref) bool { return r.Chunk().Kind == chunk.KindSection })
	}
	spelled := slices.DeleteFunc(slices.Clone(refs), func(r index.Ref) bool { return r.Chunk().Name != codebase.LastName(name) })
	if len(spelled) > 0 {
		refs = spelled
	}
	if codebase.LastName(name) == name {
		refs = withoutConstructors(refs)
	}
	return l.read(ctx, codebase.Nearest(refs, l.home), maxRead)
}

// withoutConstructors leaves out the constructors that have the name of a type that is there, too: who names it means the type.
func withoutConstructors(refs []index.Ref) []index.Ref {
	if !slices.ContainsFunc(refs, func(r index.Ref) bool { return r.Chunk().Type == chunk.Class }) {
		return refs
	}
	return slices.DeleteFunc(refs, func(r index.Ref) bool {
		c := r.Chunk()
		return c.Type == chunk.Method && codebase.LastName(c.Container) == c.Name
	})
}

// Callers returns up to limit citations that call something of this name, and how many there are.
func (l *Workspace) Callers(ctx context.Context, name string, limit int) ([]Citation, int, error) {
	refs := l.Snap.Callers(name, codebase.MaxCounted)
	list, err := l.read(ctx, codebase.Nearest(refs, l.home), limit)
	return list, len(refs), err
}

// Similar returns definitions that read like a citation.
func (l *Workspace) Similar(ctx context.Context, p Citation, limit int) ([]Citation, error) {
	ref, ok := l.refs[p.ID]
	if !ok {
		return nil, ctx.Err()
	}
	doc, fresh, ok := l.Docs.Open(ref)
	if !ok {
		return nil, ctx.Err()
	}
	return l.read(ctx, codeintel.SimilarTo(l.Snap, doc, fresh), limit)
}

// Search returns code and memory for words, and how sure it is of the first, 0..1. Earlier answers are left out: they are no
// sources.
func (l *Workspace) Search(ctx context.Context, words string, limit int) ([]Citation, float64, error) {
	found, sure, err := l.Find(ctx, search.Request{Query: words, Limit: limit})
	return slices.DeleteFunc(found, l.IsAnswer), sure, err
}

// Elsewhere returns code that the search server of the team has and this machine does not, and how sure the search is of the first of
// all; none without a server.
func (l *Workspace) Elsewhere(ctx context.Context, words string, limit int) ([]Citation, float64, error) {
	if !l.parts.Searcher.HasServer() {
		return nil, 0, ctx.Err()
	}
	found, sure, err := l.Find(ctx, search.Request{Query: words, Limit: limit, Scope: search.Scope{Team: true}})
	return slices.DeleteFunc(found, func(p Citation) bool { return l.Hits[p.ID].Repository == "" }), sure, err
}

// IsAnswer reports whether a citation is an earlier answer, or the log of one.
func (l *Workspace) IsAnswer(p Citation) bool {
	origin := l.Hits[p.ID].Origin
	return origin == snippet.OriginAnswer || origin == snippet.OriginLog
}

// Find is Search by a request of any kind, earlier answers included.
func (l *Workspace) Find(ctx context.Context, r search.Request) ([]Citation, float64, error) {
	result, err := l.parts.Searcher.Search(ctx, r)
	var refused *fault.Error
	if errors.As(err, &refused) { // words of a question that look like a bad filter find nothing
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	for provider, took := range result.Spent {
		l.Spent[provider] += took
	}
	var out []Citation
	for _, h := range result.Hits {
		if ref, ok := l.Snap.ByID(h.ID); ok {
			l.refs[h.ID] = ref
		}
		out = append(out, l.Cite(h))
	}
	return out, result.Confidence, nil
}

// Records returns what is remembered about a citation.
func (l *Workspace) Records(ctx context.Context, p Citation) ([]Citation, error) {
	records, err := l.parts.Records.Citing(ctx, l.Hits[p.ID], []string{p.ID})
	if err != nil {
		l.parts.Log.Debug("query: memory was not asked", "err", err)
		return nil, ctx.Err()
	}
	var out []Citation
	for i := range records {
		out = append(out, l.Cite(snippet.OfRecord(&records[i])))
	}
	return out, nil
}

// Near returns names close to word.
func (l *Workspace) Near(word string, limit int) []string {
	return l.Snap.Suggest(codebase.LastName(word), limit)
}

// Size returns how many files and chunks were looked at.
func (l *Workspace) Size() (files, chunks int) { return l.Snap.Counts() }

// File returns a citation of the file at a relative path; ok is false when the file is not indexed.
func (l *Workspace) File(ctx context.Context, path string) (Citation, bool) {
	for _, folder := range l.parts.Index.Folders() {
		file, ok := l.Snap.File(filepath.Join(folder, filepath.FromSlash(path)))
		if !ok || len(file.Chunks) == 0 {
			continue
		}
		if list, err := l.read(ctx, []index.Ref{{File: file}}, 1); err == nil && len(list) == 1 {
			return list[0], true
		}
	}
	return Citation{}, false
}
