package search

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/search/rank"
	"github.com/aurora-sidecar/aurora/engine/search/shared"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/lexical"
	"github.com/aurora-sidecar/aurora/index/snapshot"
)

// elsewhere is what a search server of the team has to do with one search.
type elsewhere struct {
	asked  *shared.Asked   // nil when it was not asked, or has not answered
	corpus *lexical.Corpus // of everything that is searched, here and there; nil for what is here
	loose  bool            // the words of a phrase are searched one by one
	byFile map[*index.File]*remoteFile
	apart  bool                            // cosines of the server are those of another model
	shown  map[index.Ref]*shared.Candidate // by its chunk
}

// A remoteFile is a file of a server: nothing of it is on this machine unless its place says so.
type remoteFile struct {
	of       *shared.Candidate
	place    shared.Place
	local    bool // of a repository that is open here
	activity float64
	nearness float64 // mean cosine of its chunks
}

// askTeam asks the search server of the team, when a search is to have what others have.
func askTeam(ctx context.Context, s *search) {
	team := s.searcher.team
	if team == nil || !s.request.Scope.Team || !s.filter.wantsCode() || len(s.filter.projects) > 0 || s.query.FiltersOnly() || !s.searcher.providers.asks(teamID, s.request) {
		return
	}
	scope := &s.request.Scope
	request := shared.Request{
		Query: s.request.Query, Limit: s.limit, Loose: s.elsewhere.loose,
		Scope: shared.Scope{Paths: scope.Paths, Languages: scope.Languages, Types: scope.Types, Kinds: scope.Kinds, Exclude: scope.Exclude},
	}
	asked, err := team.Begin(ctx, request, s.snap, snapshot.CorpusOf(s.snap, s.ranking.Query))
	if err == nil && asked.Newer { // nothing was looked up so far
		s.snap = s.searcher.index.Snapshot()
		asked, err = team.Begin(ctx, request, s.snap, snapshot.CorpusOf(s.snap, s.ranking.Query))
	}
	if err != nil {
		noteTeam(ctx, s, err)
		return
	}
	s.elsewhere.asked, s.elsewhere.corpus = asked, asked.Corpus
}

func noteTeam(ctx context.Context, s *search, err error) {
	if ctx.Err() == nil {
		s.note(fmt.Sprintf("only what is here was searched; the search server: %v", err))
	}
}

// teamID is the id of the provider that asks the server.
const teamID = "shared"

// teammates proposes what the search server of the team has and this workspace does not.
type teammates struct{}

func (teammates) about() (string, string, ProviderType) {
	return teamID, "Search server", SharedProvider
}

func (teammates) available(s *search) error {
	if s.elsewhere.asked == nil {
		return fmt.Errorf("no search server was asked")
	}
	return nil
}

func (teammates) propose(ctx context.Context, s *search) error {
	answer, err := s.elsewhere.asked.Candidates(ctx)
	if err != nil {
		noteTeam(ctx, s, err)
		return nil
	}
	addRemote(s, answer)
	return nil
}

// addRemote adds what a server found, and leaves of all what one index with everything in it would have proposed.
func addRemote(s *search, answer *shared.Answer) {
	names := map[string][]string{}
	for _, r := range answer.Repositories {
		names[r.Name] = r.Names
	}
	e := &s.elsewhere
	e.byFile, e.shown = map[*index.File]*remoteFile{}, map[index.Ref]*shared.Candidate{}
	files := map[string]*index.File{}
	sameSpace := answer.Embedder != "" && answer.Embedder == cmp.Or(s.embedder, s.snap.Embedder())
	e.apart = !sameSpace
	slices.SortStableFunc(answer.Candidates, func(a, b shared.Candidate) int {
		return cmp.Or(cmp.Compare(a.Repository, b.Repository), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Index, b.Index))
	})
	for i := range answer.Candidates {
		c := &answer.Candidates[i]
		key := c.Repository + "\x00" + c.Path
		file := files[key]
		if file == nil {
			file = makeRemoteFile(s, c, names[c.Repository])
			files[key] = file
		}
		if file == nil || e.byFile[file].place.Gone {
			continue
		}
		if !s.filter.acceptPath(file.Path) {
			continue
		}
		ref := addRemoteChunk(file, c)
		found := rank.Found{
			Matched: c.Matched, BM25: c.BM25, Tier: rank.Tier(c.Name.Tier), Name: c.Name.Name, Why: c.Name.Why, Closeness: c.Name.Closeness,
			Certain: c.Name.Certain, By: append([]string{}, c.By...),
		}
		if sameSpace {
			found.Cosine = c.Cosine
		}
		if c.Name.Symbol > 0 {
			found.Symbol = &chunk.Symbol{Kind: chunk.SymbolKind(c.Name.Symbol - 1)}
		}
		candidate := rank.NewFound(ref, found)
		s.byChunk[ref] = candidate
		s.candidates = append(s.candidates, candidate)
		s.proposed(candidate, max(c.BM25, c.Cosine))
		e.shown[ref] = c
	}
	s.total += answer.Total
	s.candidates = s.ranking.KeepBest(s.candidates, "full_text", s.poolSize(), rank.Words)
	if sameSpace {
		s.candidates = s.ranking.KeepBest(s.candidates, "semantic", maxSemantic, rank.Meaning)
	}
	for _, note := range answer.Notes {
		s.note("search server: " + note)
	}
}

// makeRemoteFile makes the file that candidates of a server are in.
func makeRemoteFile(s *search, c *shared.Candidate, names []string) *index.File {
	r := &remoteFile{of: c, activity: c.Activity, nearness: c.Nearness}
	r.place, r.local = s.searcher.team.PlaceOf(c, names)
	file := &index.File{
		Folder: "shared:" + c.Repository, Path: c.Path, Abs: "shared:" + c.Repository + "/" + c.Path, File: &chunk.File{Language: c.Language, Generated: c.Generated},
	}
	if r.local {
		file.Path = r.place.Path
		if _, has := s.snap.Entry(filepath.Join(r.place.Folder, filepath.FromSlash(r.place.Path))); has {
			r.place.Gone = true // what is here counts
		}
	}
	s.elsewhere.byFile[file] = r
	return file
}

// addRemoteChunk puts the chunk of a candidate behind those of its file that stand before it.
func addRemoteChunk(file *index.File, c *shared.Candidate) index.Ref {
	k := &c.Chunk
	file.Chunks = append(file.Chunks, chunk.Chunk{
		Type: chunk.Type(k.Type), Kind: chunk.Kind(k.Kind), Name: k.Name, Container: k.Container, Hash: k.Hash,
		Span: chunk.Span{End: k.Bytes}, Signature: chunk.Span{End: k.Bytes - k.Behind}, LineRange: chunk.LineRange{StartLine: k.StartLine, EndLine: k.EndLine},
		Ordinal: k.Ordinal,
	})
	return index.Ref{File: file, Index: len(file.Chunks) - 1}
}

// has reports whether a chunk is of a server.
func (e *elsewhere) has(ref index.Ref) bool { return e.byFile[ref.File] != nil }

// activityOf is how active a file of a server is.
func (e *elsewhere) activityOf(file *index.File) (rank.Activation, bool) {
	r := e.byFile[file]
	if r == nil {
		return rank.Activation{}, false
	}
	return rank.Activation{Base: r.activity}, true
}

// nearness is how near all of a file is to what was asked, whether it is here or of a server. local is that of files that are here. nil means
// that files can't be compared so.
func (e *elsewhere) nearness(local func(*index.File) float64) func(*index.File) float64 {
	switch {
	case local == nil || len(e.byFile) == 0:
		return local
	case e.apart:
		return nil
	}
	return func(f *index.File) float64 {
		if r := e.byFile[f]; r != nil {
			return r.nearness
		}
		return local(f)
	}
}

// hit shows a candidate of a server: as a place in this workspace when the file is here as the server has it, else by the text that
// the server sent.
func (e *elsewhere) hit(ref index.Ref) (hit snippet.Hit, ok bool) {
	c, r := e.shown[ref], e.byFile[ref.File]
	if c == nil || c.Hit == nil {
		return hit, false
	}
	h := c.Hit
	hit = snippet.Hit{
		ID: "shared:" + c.Repository + ":" + strings.TrimPrefix(ref.ID(), "code:"), Type: h.Type, Source: "shared", Origin: h.Origin,
		Symbol:   snippet.Symbol{Kind: h.Kind, Name: h.Name, Container: h.Container, Language: c.Language, Signature: h.Signature, Doc: h.Doc},
		Location: snippet.Location{Path: c.Path, Range: &h.Range, NameRange: h.NameRange, Above: h.Above, Repository: c.Repository, URL: c.URL},
		Content:  snippet.Content{Text: h.Text, Snippet: wording.HeadLines(h.Text, snippet.MaxLines), Tokens: snippet.EstimateTokens(h.Text)},
	}
	if !r.local {
		return hit, true
	}
	switch here(r.place, c.FileHash) {
	case missing:
		return hit, true // of a part of the repository that is not checked out: what git tells as deleted was left out before
	case other:
		return hit, false
	}
	hit.ID, hit.Source, hit.Path, hit.Repository, hit.URL = ref.ID(), "disk", r.place.Path, "", ""
	hit.Abs = filepath.Join(r.place.Folder, filepath.FromSlash(r.place.Path))
	return hit, true
}

// The states of a file of a server in this workspace.
const (
	missing = iota
	other
	same
)

// maxComparedBytes is how many bytes of a file are compared with what a server has.
const maxComparedBytes = 8 << 20

// here compares a file of the workspace with what a server has. No link leads out of the workspace.
func here(p shared.Place, hash string) int {
	root, err := os.OpenRoot(p.Folder)
	if err != nil {
		return missing
	}
	defer root.Close()
	name := filepath.FromSlash(p.Path)
	info, err := root.Stat(name)
	switch {
	case os.IsNotExist(err):
		return missing
	case err != nil, !info.Mode().IsRegular(), info.Size() > maxComparedBytes:
		return other
	}
	f, err := root.Open(name)
	if err != nil {
		return other
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, io.LimitReader(f, maxComparedBytes)); err != nil || hex.EncodeToString(sum.Sum(nil)) != hash {
		return other
	}
	return same
}
