package engine

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"github.com/aurora-sidecar/aurora/engine/answer"
	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/codeintel"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/git"
)

// maxRead is the most definitions of one name that an answer reads.
const maxRead = 50

// A library gives the facts of one query to package answer, from one snapshot. It keeps every hit that it handed out,
// so that citations can be told apart by id.
type library struct {
	engine    *Engine
	snap      *index.Snapshot
	docs      *codebase.DocumentCache
	selection *Selection
	home      *index.File // of the selection; an empty file without one
	hits      map[string]Hit
	refs      map[string]index.Ref
	spent     map[string]time.Duration // by provider of searches
	around    *calls                   // made when it is first needed
}

var _ answer.Library = (*library)(nil)

func (e *Engine) newLibrary(s *Selection) *library {
	l := &library{
		engine: e, snap: e.opts.Index.Snapshot(), docs: codebase.NewDocumentCache(e.opts.Index), selection: s, home: &index.File{},
		hits: map[string]Hit{}, refs: map[string]index.Ref{}, spent: map[string]time.Duration{},
	}
	if s != nil {
		if file, ok := l.snap.File(s.Path); ok {
			l.home = file
		}
	}
	return l
}

// passage hands a hit out.
func (l *library) passage(h Hit) answer.Passage {
	if h.Provenance == "" {
		h.SetScore(1, nil)
	}
	l.hits[h.ID] = h
	p := answer.Passage{
		ID: h.ID, Name: snippet.Qualified(h), Type: h.Type, Path: h.Path, Line: h.Line(), Language: h.Language,
		Signature: h.Signature, Doc: h.Doc, Text: h.Text,
	}
	if h.Range != nil {
		p.First = h.FirstLine() + 1
	}
	p.Test = codebase.FileKind(h.Path) != ""
	return p
}

// read hands out the chunks that are still there, at most limit.
func (l *library) read(ctx context.Context, refs []index.Ref, limit int) ([]answer.Passage, error) {
	var out []answer.Passage
	for _, ref := range refs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(out) == limit {
			break
		}
		if doc, fresh, ok := l.docs.Open(ref); ok {
			h := snippet.OfChunk(doc, fresh)
			h.Explanation = "cited in the answer"
			l.refs[h.ID] = fresh
			out = append(out, l.passage(h))
		}
	}
	return out, nil
}

// Here implements answer.Library.
func (l *library) Here(ctx context.Context) (answer.Passage, bool) {
	if l.selection == nil {
		return answer.Passage{}, false
	}
	doc, ok := l.docs.At(l.snap, l.selection.Path)
	if !ok {
		return answer.Passage{}, false
	}
	s := l.selection.Within(len(doc.Text))
	if s.Empty() {
		if sym, ok := l.engine.intel.SymbolAt(l.snap, doc, s.Start); ok {
			if list, err := l.read(ctx, sym.Definitions, 1); err == nil && len(list) == 1 {
				return list[0], true
			}
		}
	}
	ref, ok := codebase.ChunkAround(doc, s)
	if !ok {
		return answer.Passage{}, false
	}
	list, err := l.read(ctx, []index.Ref{ref}, 1)
	if err != nil || len(list) == 0 {
		return answer.Passage{}, false
	}
	return list[0], true
}

// Definitions implements answer.Library.
func (l *library) Definitions(ctx context.Context, name string) ([]answer.Passage, error) {
	for _, form := range codebase.NameForms(name) {
		name = form
	}
	refs := codebase.Definitions(l.snap, name, codebase.MaxDefinitions, codebase.IsDefinition)
	if len(refs) == 0 { // the heading of a document is better than nothing
		refs = codebase.Definitions(l.snap, name, codebase.MaxDefinitions, func(r index.Ref) bool { return r.Chunk().Kind == chunk.KindSection })
	}
	spelled := slices.DeleteFunc(slices.Clone(refs), func(r index.Ref) bool { return r.Chunk().Name != codebase.LastName(name) })
	if len(spelled) > 0 {
		refs = spelled
	}
	return l.read(ctx, codebase.Nearest(refs, l.home), maxRead)
}

// Callers implements answer.Library.
func (l *library) Callers(ctx context.Context, name string, limit int) ([]answer.Passage, int, error) {
	refs := l.snap.Callers(name, codebase.MaxCounted)
	list, err := l.read(ctx, codebase.Nearest(refs, l.home), limit)
	return list, len(refs), err
}

// Similar implements answer.Library.
func (l *library) Similar(ctx context.Context, p answer.Passage, limit int) ([]answer.Passage, error) {
	ref, ok := l.refs[p.ID]
	if !ok {
		return nil, ctx.Err()
	}
	doc, fresh, ok := l.docs.Open(ref)
	if !ok {
		return nil, ctx.Err()
	}
	return l.read(ctx, codeintel.SimilarTo(l.snap, doc, fresh), limit)
}

// Search implements answer.Library.
func (l *library) Search(ctx context.Context, words string, limit int) ([]answer.Passage, float64, error) {
	return l.search(ctx, SearchRequest{Query: words, Limit: limit})
}

func (l *library) search(ctx context.Context, r SearchRequest) ([]answer.Passage, float64, error) {
	result, err := l.engine.searcher.Search(ctx, r)
	var refused *Error
	if errors.As(err, &refused) { // words of a question that look like a bad filter find nothing
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	for provider, took := range result.Spent {
		l.spent[provider] += took
	}
	var out []answer.Passage
	for _, h := range result.Hits {
		if ref, ok := l.snap.ByID(h.ID); ok {
			l.refs[h.ID] = ref
		}
		out = append(out, l.passage(h))
	}
	return out, result.Confidence, nil
}

// Records implements answer.Library.
func (l *library) Records(ctx context.Context, p answer.Passage) ([]answer.Passage, error) {
	records, err := l.engine.records.Citing(ctx, l.hits[p.ID], []string{p.ID})
	if err != nil {
		l.engine.log.Debug("query: memory was not asked", "err", err)
		return nil, ctx.Err()
	}
	var out []answer.Passage
	for i := range records {
		out = append(out, l.passage(snippet.OfRecord(&records[i])))
	}
	return out, nil
}

// Near implements answer.Library.
func (l *library) Near(word string, limit int) []string {
	return l.snap.Suggest(codebase.LastName(word), limit)
}

// Size implements answer.Library.
func (l *library) Size() (files, chunks int) { return l.snap.Counts() }

// File implements answer.Library.
func (l *library) File(ctx context.Context, path string) (answer.Passage, bool) {
	for _, folder := range l.engine.opts.Index.Folders() {
		file, ok := l.snap.File(filepath.Join(folder, filepath.FromSlash(path)))
		if !ok || len(file.Chunks) == 0 {
			continue
		}
		if list, err := l.read(ctx, []index.Ref{{File: file}}, 1); err == nil && len(list) == 1 {
			return list[0], true
		}
	}
	return answer.Passage{}, false
}

// History implements answer.Library.
func (l *library) History(ctx context.Context, p answer.Passage) (answer.History, error) {
	h, ok := l.hits[p.ID]
	if !ok || h.Range == nil {
		return answer.History{}, errors.New("it is not in a file")
	}
	doc, ok := l.docs.At(l.snap, h.Abs)
	if !ok {
		return answer.History{}, errors.New("its file is gone")
	}
	info, err := l.engine.intel.HistoryOf(ctx, doc, h.Range.Start.Line, h.Range.End.Line)
	if err != nil {
		return answer.History{}, err
	}
	return answer.History{
		Tracked: info.State == git.Tracked, Commits: info.Commits, LastModified: info.LastModified, LastAuthor: info.LastAuthor,
		LastSubject: info.LastSubject, LastCommit: info.LastCommit, FirstCommit: info.FirstCommit,
	}, nil
}
