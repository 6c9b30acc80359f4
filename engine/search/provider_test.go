package search

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine/enginetest"
	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/search/rank"
	"github.com/aurora-sidecar/aurora/engine/semantic"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/git"
)

// A searchWorld is a searcher over a small workspace, without memory and vectors.
type searchWorld struct {
	*testing.T
	*enginetest.Workspace
	searcher *Searcher
}

func openSearchWorld(t *testing.T, files map[string]string) *searchWorld {
	t.Helper()
	w := enginetest.Open(t, files)
	log := slog.New(slog.DiscardHandler)
	return &searchWorld{t, w, New(Options{
		Index: w.Index, Log: log, Now: time.Now, Git: plainGit{t}, Vectors: semantic.New(semantic.Options{Index: w.Index, Log: log, Now: time.Now}),
	})}
}

// plainGit opens repositories again and again.
type plainGit struct{ t *testing.T }

func (g plainGit) Repo(ctx context.Context, folder string) (*git.Repo, error) {
	repo, err := git.Open(ctx, folder)
	if err == nil {
		g.t.Cleanup(func() { repo.Close() })
	}
	return repo, err
}

func (plainGit) AddGit(context.Context, []snippet.Hit) {}

func namesOf(hits []snippet.Hit) []string {
	var out []string
	for _, h := range hits {
		out = append(out, h.Path+":"+h.Name)
	}
	return out
}

// A testProvider does what a test says.
type testProvider struct {
	id string
	do func(context.Context, *search) error
}

func (p testProvider) about() (string, string, ProviderType)        { return p.id, p.id, DependencyProvider }
func (p testProvider) available(*search) error                      { return nil }
func (p testProvider) propose(ctx context.Context, s *search) error { return p.do(ctx, s) }
func (w *searchWorld) register(set ProviderSettings, p testProvider) {
	w.searcher.providers.list = append(w.searcher.providers.list, &registered{provider: p, id: p.id, name: p.id, of: DependencyProvider})
	w.searcher.providers.settings[p.id] = set
}

func (w *searchWorld) provider(id string) ProviderStatus {
	list := w.searcher.Providers()
	i := slices.IndexFunc(list, func(p ProviderStatus) bool { return p.ID == id })
	if i < 0 {
		w.Fatalf("no provider %s", id)
	}
	return list[i]
}

func TestFailingProvidersAreNamedAndTheRestAnswers(t *testing.T) {
	w := openSearchWorld(t, enginetest.Shop)
	on := ProviderSettings{Enabled: true, Weight: 1}
	w.register(on, testProvider{"refusing", func(context.Context, *search) error { return errors.New("out of order") }})
	w.register(on, testProvider{"panicking", func(context.Context, *search) error { panic("oh") }})
	slow := on
	slow.Timeout = time.Millisecond
	w.register(slow, testProvider{"slow", func(ctx context.Context, _ *search) error { <-ctx.Done(); return ctx.Err() }})
	result, err := w.searcher.Search(context.Background(), Request{Query: "add the tax to a price"})
	if err != nil || len(result.Hits) == 0 {
		t.Fatalf("%v, %v", result, err)
	}
	notes := strings.Join(result.Notes, "\n")
	for _, want := range []string{"provider refusing failed: out of order", "provider panicking failed: panic: oh", "provider slow failed: it took longer than 1ms"} {
		if !strings.Contains(notes, want) {
			t.Errorf("no note %q in %q", want, result.Notes)
		}
	}
	if p := w.provider("slow"); p.Calls != 1 || p.Failures != 1 || p.Timeouts != 1 {
		t.Errorf("%+v", p)
	}
	if p := w.provider("full_text"); p.Calls != 1 || p.Failures != 0 || p.Proposed == 0 || p.P95 == 0 {
		t.Errorf("%+v", p)
	}
}

// An earlyProvider meets another one before either goes on.
type earlyProvider struct {
	testProvider
	work func(context.Context) later
}

func (p earlyProvider) early(*search) func(context.Context) later { return p.work }

// TestEarlyWorkIsDoneSideBySide has two providers wait for each other, one panic and one that heeds no deadline.
func TestEarlyWorkIsDoneSideBySide(t *testing.T) {
	w := openSearchWorld(t, enginetest.Shop)
	on := ProviderSettings{Enabled: true, Weight: 1}
	add := func(id string, set ProviderSettings, work func(context.Context) later) {
		p := earlyProvider{testProvider{id, nil}, work}
		w.searcher.providers.list = append(w.searcher.providers.list, &registered{provider: p, id: id, name: id, of: DependencyProvider})
		w.searcher.providers.settings[id] = set
	}
	ping, pong, proposed := make(chan bool), make(chan bool), 0
	done := func(context.Context, *search) error { proposed++; return nil }
	add("one", on, func(context.Context) later { ping <- true; <-pong; return done })
	add("two", on, func(context.Context) later { <-ping; pong <- true; return done })
	add("panicking", on, func(context.Context) later { panic("oh") })
	release := make(chan bool)
	hasty := on
	hasty.Timeout = time.Millisecond
	add("deaf", hasty, func(context.Context) later { <-release; return done })
	result, err := w.searcher.Search(context.Background(), Request{Query: "add the tax to a price"})
	close(release)
	if err != nil || len(result.Hits) == 0 || proposed != 2 {
		t.Fatalf("%v, %d proposed, %v", result, proposed, err)
	}
	notes := strings.Join(result.Notes, "\n")
	for _, want := range []string{"provider panicking failed: panic: oh", "provider deaf failed: it took longer than 1ms"} {
		if !strings.Contains(notes, want) {
			t.Errorf("no note %q in %q", want, result.Notes)
		}
	}
	if p := w.provider("deaf"); p.Calls != 1 || p.Timeouts != 1 {
		t.Errorf("%+v", p)
	}
}

// TestAProviderNeedsNoMore shows that what a new provider proposes is found by it alone.
func TestAProviderNeedsNoMore(t *testing.T) {
	w := openSearchWorld(t, enginetest.Shop)
	w.register(ProviderSettings{Weight: 1}, testProvider{"oracle", func(_ context.Context, s *search) error {
		for f := range s.snap.Files() {
			for i := range f.Chunks {
				if f.Chunks[i].Name == "WithTax" {
					s.proposed(s.candidate(index.Ref{File: f, Index: i}), 1)
				}
			}
		}
		return nil
	}})
	for _, fusion := range rank.Fusions {
		r := Request{Query: "zebra crossing", Providers: []string{"oracle"}, Fusion: fusion, Unjudged: true}
		result, err := w.searcher.Search(context.Background(), r)
		if err != nil || len(result.Hits) != 1 || result.Hits[0].Name != "WithTax" {
			t.Errorf("%s: %v, %v", fusion, result, err)
		}
		r.Providers = nil // it is off
		if result, err = w.searcher.Search(context.Background(), r); err != nil || len(result.Hits) != 0 {
			t.Errorf("%s: a provider that is off answered", fusion)
		}
	}
}

func TestFusions(t *testing.T) {
	w := openSearchWorld(t, enginetest.Shop)
	for _, fusion := range rank.Fusions {
		result, err := w.searcher.Search(context.Background(), Request{Query: "WithTax", Fusion: fusion})
		if err != nil || len(result.Hits) == 0 || result.Hits[0].Name != "WithTax" || result.Hits[0].Score <= 0 || result.Hits[0].Score > 1 {
			t.Errorf("%s: %v, %v", fusion, namesOf(result.Hits), err)
		}
		for i := 1; i < len(result.Hits); i++ {
			if result.Hits[i].Score > result.Hits[i-1].Score {
				t.Errorf("%s: hit %d is better than the one before it", fusion, i)
			}
		}
	}
}

func TestGitAndDependencyProviders(t *testing.T) {
	w := openSearchWorld(t, enginetest.Shop)
	result, err := w.searcher.Search(context.Background(), Request{Query: "open the shop", Providers: []string{"git_history"}, Unjudged: true})
	if err != nil {
		t.Fatal(err)
	}
	if p := w.provider("git_history"); p.Calls != 1 || p.Failures != 0 {
		t.Errorf("%+v, notes %q, hits %v", p, result.Notes, namesOf(result.Hits))
	}
	result, err = w.searcher.Search(context.Background(), Request{Query: "TotalPrice", Providers: []string{"symbol", "dependency"}})
	if err != nil || !strings.Contains(strings.Join(namesOf(result.Hits), " "), "WithTax") {
		t.Errorf("what TotalPrice calls is not there: %v, %v", namesOf(result.Hits), err)
	}
}

func TestUnknownProvidersAreRefused(t *testing.T) {
	w := openSearchWorld(t, enginetest.Shop)
	for detail, r := range map[string]Request{
		"providers": {Query: "x", Providers: []string{"crystal_ball"}}, "fusion": {Query: "x", Fusion: "magic"},
	} {
		_, err := w.searcher.Search(context.Background(), r)
		var refused *fault.Error
		if !errors.As(err, &refused) || refused.Detail != detail || refused.Remedy == "" {
			t.Errorf("%s: %v", detail, err)
		}
	}
}

// TestWhyNoSemanticScore: a hit that has no likeness of meaning says why.
func TestWhyNoSemanticScoreOfASearch(t *testing.T) {
	w := openSearchWorld(t, enginetest.Shop)
	for want, s := range map[string]*search{
		"embedding missing":        {snap: w.Index.Snapshot(), likeness: likeness{meaning: true}},
		"search by meaning is off": {snap: w.Index.Snapshot()}, // these tests have no model
	} {
		if got := s.whyNoSemantic(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
