package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"time"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/search/rank"
	"github.com/aurora-sidecar/aurora/index"
)

// OwnProvider is the type of providers that the program around the engine adds.
const OwnProvider ProviderType = "OWN"

const (
	maxOwnProposals = 200 // that are looked at, of one answer of a ContextProvider
	ownTimeout      = 2 * time.Second
)

// A ContextProvider is what a program that embeds the engine knows of a workspace and the engine does not: which
// functions failed in production, what a test covered, who owns a folder. See examples/custom-provider.
type ContextProvider interface {
	// ID is its name in settings, notes and statistics: lower case letters, digits and underscores.
	ID() string
	// Propose returns what deserves a look for a query, at most 200 of them count. It is called by several goroutines, has
	// two seconds unless Options.Providers says otherwise, and should return when ctx ends. An error, or a panic, is named in
	// the notes of the search, which goes on without it.
	Propose(ctx context.Context, query string) ([]Proposal, error)
}

// A Proposal is a line of a file that a ContextProvider proposes.
type Proposal struct {
	Path  string  // absolute; what is not in the index is left out
	Line  int     // one-based; 0 is the file's first definition
	Score float64 // above 0, up to 1: how sure the provider is
}

// own is a ContextProvider among the engine's providers.
type own struct{ ContextProvider }

func (o own) about() (string, string, ProviderType) { return o.ID(), o.ID(), OwnProvider }
func (own) available(s *search) error               { return s.codeOnly() }

func (o own) propose(ctx context.Context, s *search) error { return o.early(s)(ctx)(ctx, s) }

// early asks the program, which may take its time.
func (o own) early(s *search) func(context.Context) later {
	words := s.query.Words
	return func(ctx context.Context) later {
		proposals, err := o.Propose(ctx, words)
		return func(_ context.Context, s *search) error {
			if err != nil {
				return err
			}
			return o.take(s, proposals)
		}
	}
}

// take adds what an own provider proposes.
func (own) take(s *search, proposals []Proposal) error {
	if len(proposals) > maxOwnProposals {
		proposals = proposals[:maxOwnProposals]
	}
	var wrong error
	weight := s.searcher.providers.settings[s.asking].Weight
	for _, p := range proposals {
		if !(p.Score > 0) || p.Score > 1 || math.IsNaN(p.Score) {
			wrong = fmt.Errorf("the score of %s must be above 0 and at most 1, got %v", p.Path, p.Score)
			continue
		}
		file, ok := s.snap.File(filepath.Clean(p.Path))
		if !ok || len(file.Chunks) == 0 {
			continue
		}
		if ref := (index.Ref{File: file, Index: codebase.ChunkAtLine(file, p.Line)}); s.filter.accept(ref) {
			c := s.candidate(ref)
			c.ProviderScore = max(c.ProviderScore, weight*p.Score)
			s.proposed(c, p.Score)
		}
	}
	return wrong
}

// checkOwn refuses providers whose names are missing, taken or no names.
func (r *registry) checkOwn(p ContextProvider) error {
	if p == nil {
		return errors.New("a context provider is nil")
	}
	id := p.ID()
	if id == "" {
		return errors.New("a context provider has no id")
	}
	for _, c := range id {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' {
			return fmt.Errorf("the id of context provider %q may hold lower case letters, digits and underscores only", id)
		}
	}
	for _, known := range r.list {
		if known.id == id {
			return fmt.Errorf("there are two providers called %s", id)
		}
	}
	return nil
}

// addOwn registers what the program brought. What can't be registered is logged and left out.
func (e *Searcher) addOwn(list []ContextProvider) {
	for _, p := range list {
		if err := e.providers.checkOwn(p); err != nil {
			e.log.Error("context provider left out", "err", err)
			continue
		}
		id := p.ID()
		e.providers.list = append(e.providers.list, &registered{provider: own{p}, id: id, name: id, of: OwnProvider})
		if _, set := e.providers.settings[id]; !set {
			e.providers.settings[id] = ProviderSettings{Enabled: true, Weight: rank.OwnWeight, Timeout: ownTimeout}
		}
	}
}
