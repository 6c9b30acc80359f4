package search

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/search/querytext"
	"github.com/aurora-sidecar/aurora/engine/search/rank"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/git"
	"github.com/aurora-sidecar/aurora/internal/text"
)

var errNoCode = errors.New("the filters leave no code")

// fullText proposes what holds the words, by BM25.
type fullText struct{}

func (fullText) about() (string, string, ProviderType) { return "full_text", "Words", FullTextProvider }
func (fullText) available(s *search) error             { return s.codeOnly() }

func (p fullText) propose(_ context.Context, s *search) error {
	found := p.find(s)
	if p.correct(s) {
		found = p.find(s)
	}
	s.total += found.Total
	for _, h := range found.Hits {
		c := rank.NewWordCandidate(h)
		s.byChunk[h.Ref] = c
		s.candidates = append(s.candidates, c)
		s.proposed(c, h.BM25)
	}
	return nil
}

// codeOnly is the reason against asking for chunks, if there is one.
func (s *search) codeOnly() error {
	if !s.filter.wantsCode() {
		return errNoCode
	}
	return nil
}

// symbols proposes definitions by their names, exact and near, and files by their paths.
type symbols struct{}

func (symbols) about() (string, string, ProviderType) {
	return "symbol", "Names and paths", SymbolProvider
}
func (symbols) available(s *search) error { return s.codeOnly() }

func (p symbols) propose(_ context.Context, s *search) error {
	p.proposeRules(s)
	for _, name := range querytext.Identifiers(s.query.Words) {
		p.proposeNamed(s, name)
	}
	p.proposeNear(s)
	p.proposeLocals(s)
	p.proposeWorded(s)
	p.proposePlaces(s)
	p.proposeFrames(s)
	return nil
}

// meanings proposes what means the same, by vectors.
type meanings struct{}

func (meanings) about() (string, string, ProviderType) {
	return "semantic", "Meaning", SemanticProvider
}

func (meanings) available(s *search) error {
	if s.snap.Embedder() == "" && !s.searcher.vectors.HasEndpoint() {
		return errors.New("search.semantic is off")
	}
	return s.codeOnly()
}

func (meanings) propose(ctx context.Context, s *search) error { return s.proposeSemantic(ctx) }

// early embeds the question and looks for what is nearest to it while words are looked up: another core may do it, and an endpoint takes
// many times as long as they do.
func (meanings) early(s *search) func(context.Context) later {
	if s.ranking.Kind != rank.ProseQuery {
		return nil
	}
	searcher, snap, words := s.searcher, s.snap, s.query.Words
	narrow := s.filter.fileTest() != nil || s.filter.chunkTest() != nil // filters serve one goroutine
	return func(ctx context.Context) later {
		p := searcher.vectors.Point(ctx, snap, words)
		var near []index.Hit
		if p.Err == nil && !p.Direction.IsZero() && !narrow {
			near = p.Direction.Nearest(index.Query{Limit: maxSemantic})
		}
		return func(ctx context.Context, s *search) error {
			s.pointed, s.near = p, near
			return s.proposeSemantic(ctx)
		}
	}
}

// records proposes what memory holds. The store was asked when the search began.
type records struct{}

func (records) about() (string, string, ProviderType) { return "memory", "Memory", MemoryProvider }

func (records) available(s *search) error {
	switch {
	case s.searcher.memory == nil:
		return errors.New("memory is off")
	case !s.filter.wantsMemory():
		return errors.New("the filters leave no memory")
	}
	return nil
}

// early embeds the question while the store looks up its words.
func (p records) early(s *search) func(context.Context) later {
	if s.ranking.Kind != rank.ProseQuery || s.searcher.vectors.HasEndpoint() || !s.searcher.providers.asks("semantic", s.request) {
		return nil
	}
	vectors, words := s.searcher.vectors, s.query.Words
	return func(context.Context) later {
		vectors.PrepareRecords(words)
		return p.propose
	}
}

func (p records) propose(ctx context.Context, s *search) error {
	select {
	case found := <-s.recalled:
		if err := s.addRecords(found); err != nil {
			return err
		}
		return p.proposeSemantic(ctx, s)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// dependencies proposes what the best definitions so far call, and what calls them.
type dependencies struct{}

const (
	dependencyRoots = 3
	perRoot         = 5 // callees, and callers, of each
)

func (dependencies) about() (string, string, ProviderType) {
	return "dependency", "Callers and callees", DependencyProvider
}
func (dependencies) available(s *search) error { return s.codeOnly() }

func (dependencies) propose(ctx context.Context, s *search) error {
	roots := slices.DeleteFunc(slices.Clone(s.candidates), func(c *rank.Candidate) bool {
		return c.Record != nil || s.elsewhere.has(c.Ref) || !codebase.IsDefinition(c.Ref)
	})
	slices.SortStableFunc(roots, func(a, b *rank.Candidate) int {
		if a.Tier != b.Tier {
			return int(b.Tier) - int(a.Tier)
		}
		if a.BM25 > b.BM25 {
			return -1
		}
		return 1
	})
	for i, root := range roots[:min(dependencyRoots, len(roots))] {
		if err := ctx.Err(); err != nil {
			return err
		}
		near := codebase.CalleesOf(s.snap, root.Ref)
		near = near[:min(perRoot, len(near))]
		callers := codebase.Nearest(s.snap.Callers(root.Ref.Chunk().Name, codebase.MaxCounted), root.Ref.File)
		near = append(near, callers[:min(perRoot, len(callers))]...)
		for _, ref := range near {
			if s.filter.accept(ref) {
				s.proposed(s.candidate(ref), 1/float64(1+i))
			}
		}
	}
	return nil
}

// gitHistory proposes the files of commits whose subjects hold words of the question, the later the better.
type gitHistory struct {
	mu    sync.Mutex
	known map[string]commitList // by folder
}

type commitList struct {
	head    string
	commits []git.Commit
}

const (
	maxCommits     = 100 // that are looked at
	filesPerCommit = 5   // a commit of more files says little about each
)

func (*gitHistory) about() (string, string, ProviderType) {
	return "git_history", "Git history", GitHistoryProvider
}

func (*gitHistory) available(s *search) error {
	if s.ranking.Kind != rank.ProseQuery {
		return errors.New("a name is no subject of a commit")
	}
	return s.codeOnly()
}

func (g *gitHistory) propose(ctx context.Context, s *search) error { return g.early(s)(ctx)(ctx, s) }

// early reads the commits.
func (g *gitHistory) early(s *search) func(context.Context) later {
	searcher := s.searcher
	return func(ctx context.Context) later {
		var errs []error
		read := map[string][]git.Commit{}
		folders := searcher.index.Folders()
		for _, folder := range folders {
			commits, err := g.commits(ctx, searcher.git, folder)
			if err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", folder, err))
			}
			read[folder] = commits
		}
		return func(_ context.Context, s *search) error {
			for _, folder := range folders {
				for i := range read[folder] {
					g.proposeCommit(s, folder, &read[folder][i], 1-float64(i)/(2*maxCommits))
				}
			}
			return errors.Join(errs...)
		}
	}
}

// commits are the latest ones of a folder; they are read once for each HEAD.
func (g *gitHistory) commits(ctx context.Context, history repositoryOf, folder string) ([]git.Commit, error) {
	repo, err := history.Repo(ctx, folder)
	if err != nil {
		return nil, err
	}
	head, err := repo.Head(ctx)
	if err != nil {
		return nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if list, ok := g.known[folder]; ok && list.head == head.Commit {
		return list.commits, nil
	}
	commits, err := repo.Log(ctx, git.LogOptions{Limit: maxCommits})
	if err != nil {
		return nil, err
	}
	if g.known == nil {
		g.known = map[string]commitList{}
	}
	g.known[folder] = commitList{head.Commit, commits}
	return commits, nil
}

func (g *gitHistory) proposeCommit(s *search, folder string, commit *git.Commit, recency float64) {
	matched := 0
	subject := text.Tokenize(commit.Subject)
	for _, term := range s.ranking.Terms {
		if slices.Contains(subject, term) {
			matched++
		}
	}
	if 2*matched <= len(s.ranking.Terms) || len(commit.Files) > filesPerCommit {
		return
	}
	for _, changed := range commit.Files {
		file, ok := s.snap.File(filepath.Join(folder, filepath.FromSlash(changed.Path)))
		if !ok || len(file.Chunks) == 0 {
			continue
		}
		if ref := (index.Ref{File: file, Index: codebase.FirstDefinition(file)}); s.filter.accept(ref) {
			s.proposed(s.candidate(ref), recency*float64(matched)/float64(len(s.ranking.Terms)))
		}
	}
}
