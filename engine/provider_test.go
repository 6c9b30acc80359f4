package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/index"
)

// A testProvider does what a test says.
type testProvider struct {
	id string
	do func(context.Context, *search) error
}

func (p testProvider) about() (string, string, ProviderType)        { return p.id, p.id, DependencyProvider }
func (p testProvider) available(*search) error                      { return nil }
func (p testProvider) propose(ctx context.Context, s *search) error { return p.do(ctx, s) }
func (w *testWorkspace) register(set ProviderSettings, p testProvider) {
	w.engine.providers.list = append(w.engine.providers.list, &registered{provider: p, id: p.id, name: p.id, of: DependencyProvider})
	w.engine.providers.settings[p.id] = set
}

func (w *testWorkspace) provider(id string) ProviderStatus {
	list := w.engine.Providers()
	i := slices.IndexFunc(list, func(p ProviderStatus) bool { return p.ID == id })
	if i < 0 {
		w.Fatalf("no provider %s", id)
	}
	return list[i]
}

func TestFailingProvidersAreNamedAndTheRestAnswers(t *testing.T) {
	w := openWorkspace(t, shop)
	on := ProviderSettings{Enabled: true, Weight: 1}
	w.register(on, testProvider{"refusing", func(context.Context, *search) error { return errors.New("out of order") }})
	w.register(on, testProvider{"panicking", func(context.Context, *search) error { panic("oh") }})
	slow := on
	slow.Timeout = time.Millisecond
	w.register(slow, testProvider{"slow", func(ctx context.Context, _ *search) error { <-ctx.Done(); return ctx.Err() }})
	result, err := w.engine.Search(context.Background(), SearchRequest{Query: "add the tax to a price"})
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
	w := openWorkspace(t, shop)
	on := ProviderSettings{Enabled: true, Weight: 1}
	add := func(id string, set ProviderSettings, work func(context.Context) later) {
		p := earlyProvider{testProvider{id, nil}, work}
		w.engine.providers.list = append(w.engine.providers.list, &registered{provider: p, id: id, name: id, of: DependencyProvider})
		w.engine.providers.settings[id] = set
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
	result, err := w.engine.Search(context.Background(), SearchRequest{Query: "add the tax to a price"})
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
	w := openWorkspace(t, shop)
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
	for _, fusion := range Fusions {
		r := SearchRequest{Query: "zebra crossing", Providers: []string{"oracle"}, Fusion: fusion, Unjudged: true}
		result, err := w.engine.Search(context.Background(), r)
		if err != nil || len(result.Hits) != 1 || result.Hits[0].Name != "WithTax" {
			t.Errorf("%s: %v, %v", fusion, result, err)
		}
		r.Providers = nil // it is off
		if result, err = w.engine.Search(context.Background(), r); err != nil || len(result.Hits) != 0 {
			t.Errorf("%s: a provider that is off answered", fusion)
		}
	}
}

func TestFusions(t *testing.T) {
	w := openWorkspace(t, shop)
	for _, fusion := range Fusions {
		result, err := w.engine.Search(context.Background(), SearchRequest{Query: "WithTax", Fusion: fusion})
		if err != nil || len(result.Hits) == 0 || result.Hits[0].Name != "WithTax" || result.Hits[0].Score <= 0 || result.Hits[0].Score > 1 {
			t.Errorf("%s: %v, %v", fusion, names(result.Hits), err)
		}
		for i := 1; i < len(result.Hits); i++ {
			if result.Hits[i].Score > result.Hits[i-1].Score {
				t.Errorf("%s: hit %d is better than the one before it", fusion, i)
			}
		}
	}
}

// TestReciprocalRanks compares with sums worked out by hand: weights 1 and 1, k 60.
func TestReciprocalRanks(t *testing.T) {
	w := openWorkspace(t, shop)
	for id, s := range w.engine.providers.settings {
		s.Weight = 1
		w.engine.providers.settings[id] = s
	}
	s, err := w.engine.newSearch(SearchRequest{Query: "x y"})
	if err != nil {
		t.Fatal(err)
	}
	var refs []index.Ref
	for f := range s.snap.Files() {
		for i := range f.Chunks {
			refs = append(refs, index.Ref{File: f, Index: i})
		}
	}
	a, b, c := &candidate{ref: refs[0]}, &candidate{ref: refs[1]}, &candidate{ref: refs[2]}
	s.candidates = []*candidate{a, b, c}
	for id, scores := range map[string][]float64{"full_text": {9, 8, 0}, "semantic": {0, 0.8, 0.9}} {
		s.asking = id
		for i, score := range scores {
			if score > 0 {
				s.proposed(s.candidates[i], score)
			}
		}
	}
	s.fuse(byRanks)
	if s.candidates[0] != b {
		t.Fatalf("what both providers have is not first")
	}
	both, one := tierSpan[byText]*(61./62+61./62)/2, tierSpan[byText]*0.5
	if !near(b.final, both) || !near(a.final, one) || !near(c.final, one) {
		t.Errorf("got %v, %v, %v, want %v and %v", b.final, a.final, c.final, both, one)
	}
}

func near(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 }

func TestGitAndDependencyProviders(t *testing.T) {
	w := openWorkspace(t, shop)
	result, err := w.engine.Search(context.Background(), SearchRequest{Query: "open the shop", Providers: []string{"git_history"}, Unjudged: true})
	if err != nil {
		t.Fatal(err)
	}
	if p := w.provider("git_history"); p.Calls != 1 || p.Failures != 0 {
		t.Errorf("%+v, notes %q, hits %v", p, result.Notes, names(result.Hits))
	}
	result, err = w.engine.Search(context.Background(), SearchRequest{Query: "TotalPrice", Providers: []string{"symbol", "dependency"}})
	if err != nil || !strings.Contains(strings.Join(names(result.Hits), " "), "WithTax") {
		t.Errorf("what TotalPrice calls is not there: %v, %v", names(result.Hits), err)
	}
}

func TestUnknownProvidersAreRefused(t *testing.T) {
	w := openWorkspace(t, shop)
	for detail, r := range map[string]SearchRequest{
		"providers": {Query: "x", Providers: []string{"crystal_ball"}}, "fusion": {Query: "x", Fusion: "magic"},
	} {
		_, err := w.engine.Search(context.Background(), r)
		var refused *Error
		if !errors.As(err, &refused) || refused.Detail != detail || refused.Remedy == "" {
			t.Errorf("%s: %v", detail, err)
		}
	}
}
