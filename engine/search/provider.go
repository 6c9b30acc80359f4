package search

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/search/rank"
	"github.com/aurora-sidecar/aurora/internal/obs"
)

// A ProviderType is what a provider looks at.
type ProviderType string

// The types.
const (
	FullTextProvider   ProviderType = "FULL_TEXT"
	SymbolProvider     ProviderType = "SYMBOL"
	SemanticProvider   ProviderType = "SEMANTIC"
	GitHistoryProvider ProviderType = "GIT_HISTORY"
	DependencyProvider ProviderType = "DEPENDENCY"
	MemoryProvider     ProviderType = "MEMORY"
	SharedProvider     ProviderType = "SHARED"
)

// A provider proposes candidates for a search. Who adds one implements this, enters it in newProviders and gives it its
// settings; nothing else changes.
type provider interface {
	// about says who it is. The id is a key of the settings and of the wire.
	about() (id, name string, of ProviderType)
	// available returns why it can't be asked, nil when it can.
	available(*search) error
	// propose adds candidates to the search, each by s.proposed. It may look at those of the providers before it. An
	// error costs what it did not add.
	propose(context.Context, *search) error
}

// An early provider has work that takes long and needs nothing of other providers, as asking an endpoint or git.
type early interface {
	provider
	// early returns that work, which runs beside other providers and must not touch the search; nil for none. What the work
	// returns is done in place of propose when it is the provider's turn.
	early(*search) func(context.Context) later
}

// later adds to a search what was found out early.
type later func(context.Context, *search) error

// ProviderSettings are those of one provider.
type ProviderSettings struct {
	Enabled bool
	Weight  float64       // in every fusion but that by rules; 0..1
	Timeout time.Duration // 0 means none but the search's own
}

// DefaultProviders apply where nothing is set. What has not earned its place by a
// measurement (docs/search.md) is off.
func DefaultProviders() map[string]ProviderSettings {
	return map[string]ProviderSettings{
		"full_text":   {Enabled: true, Weight: rank.Weights["full_text"]},
		"symbol":      {Enabled: true, Weight: rank.Weights["symbol"]},
		"semantic":    {Enabled: true, Weight: rank.Weights["semantic"], Timeout: 5 * time.Second},
		teamID:        {Enabled: true, Weight: rank.OwnWeight},
		"memory":      {Enabled: true, Weight: rank.Weights["memory"]},
		"git_history": {Weight: rank.Weights["git_history"], Timeout: 2 * time.Second},
		"dependency":  {Weight: rank.Weights["dependency"], Timeout: time.Second},
	}
}

// A registry knows the providers, in the order in which they are asked.
type registry struct {
	list     []*registered
	settings map[string]ProviderSettings
}

// A registered provider has an account of its calls.
type registered struct {
	provider
	id, name string
	of       ProviderType

	calls, failures, timeouts, proposals atomic.Uint64
	latency                              obs.Latency
}

func newRegistry(settings map[string]ProviderSettings) *registry {
	r := &registry{settings: DefaultProviders()}
	for id, s := range settings {
		r.settings[id] = s
	}
	for _, p := range newProviders() {
		entry := &registered{provider: p}
		entry.id, entry.name, entry.of = p.about()
		r.list = append(r.list, entry)
	}
	return r
}

// newProviders are all providers, each before those that look at its candidates.
func newProviders() []provider {
	return []provider{fullText{}, symbols{}, meanings{}, teammates{}, &gitHistory{}, dependencies{}, records{}}
}

func (r *registry) ids() []string {
	ids := make([]string, len(r.list))
	for i, p := range r.list {
		ids[i] = p.id
	}
	return ids
}

// weights are those of all providers, in the order in which they are asked.
func (r *registry) weights() []rank.Weighted {
	list := make([]rank.Weighted, len(r.list))
	for i, p := range r.list {
		list[i] = rank.Weighted{ID: p.id, Weight: r.settings[p.id].Weight}
	}
	return list
}

// check refuses providers and fusions that do not exist.
func (r *registry) check(request Request) error {
	for _, id := range request.Providers {
		if !slices.Contains(r.ids(), id) {
			return &fault.Error{
				Kind: fault.Invalid, Message: fmt.Sprintf("unknown provider %q", id), Detail: "providers", Remedy: "Use " + strings.Join(r.ids(), ", ") + ".",
			}
		}
	}
	if request.Fusion != "" && !slices.Contains(rank.Fusions, request.Fusion) {
		return &fault.Error{
			Kind: fault.Invalid, Message: fmt.Sprintf("unknown fusion %q", request.Fusion), Detail: "fusion", Remedy: "Use " + strings.Join(rank.Fusions, ", ") + ".",
		}
	}
	return nil
}

// wanted reports whether a search asks the provider: the request's list wins over the settings.
func (r *registry) wanted(p *registered, request Request) bool {
	if len(request.Providers) > 0 {
		return slices.Contains(request.Providers, p.id)
	}
	return r.settings[p.id].Enabled
}

// asks reports whether a search asks the provider with this id.
func (r *registry) asks(id string, request Request) bool {
	i := slices.Index(r.ids(), id)
	return i >= 0 && r.wanted(r.list[i], request)
}

// ask has every provider propose that is wanted and available: what takes long at once and beside each other, what looks at
// candidates one after the other. One that fails, panics or takes too long is named in the notes, and the others answer.
func (r *registry) ask(ctx context.Context, s *search) {
	var calls []*call
	for _, p := range r.list {
		if !r.wanted(p, s.request) {
			continue
		}
		if err := p.available(s); err != nil {
			if len(s.request.Providers) > 0 {
				s.note(fmt.Sprintf("provider %s was not asked: %v", p.id, err))
			}
			continue
		}
		c := p.start(ctx, s, r.settings[p.id].Timeout)
		defer c.cancel()
		calls = append(calls, c)
	}
	for _, c := range calls {
		if ctx.Err() != nil {
			return
		}
		if err := c.finish(s); err != nil && ctx.Err() == nil {
			s.note(fmt.Sprintf("provider %s failed: %v", c.id, err))
			s.searcher.log.Warn("provider failed", "provider", c.id, "err", err)
		}
	}
}

// A ProviderStatus is a moment's account of one provider.
type ProviderStatus struct {
	ID       string
	Name     string
	Type     ProviderType
	Enabled  bool
	Weight   float64
	Calls    uint64
	Failures uint64 // of the calls; timeouts are failures, too
	Timeouts uint64
	Proposed uint64 // candidates, of all calls together
	P50, P95 time.Duration
}

// Providers tells of all providers, in the order in which they are asked.
func (e *Searcher) Providers() []ProviderStatus {
	list := make([]ProviderStatus, 0, len(e.providers.list))
	for _, p := range e.providers.list {
		set, latency := e.providers.settings[p.id], p.latency.Summary()
		list = append(list, ProviderStatus{
			ID: p.id, Name: p.name, Type: p.of, Enabled: set.Enabled, Weight: set.Weight, Calls: p.calls.Load(), Failures: p.failures.Load(),
			Timeouts: p.timeouts.Load(), Proposed: p.proposals.Load(), P50: latency.P50, P95: latency.P95,
		})
	}
	return list
}
