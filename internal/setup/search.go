package setup

import (
	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/search"
	"github.com/aurora-sidecar/aurora/index/embed"
	"github.com/aurora-sidecar/aurora/internal/config"
)

// Tuning are the settings of searches and contexts that count at once.
func Tuning(s *config.Settings) engine.Tuning {
	return engine.Tuning{Limit: s.Search.Limit, MinScore: s.Search.MinScore, ContextTokens: s.Search.ContextTokens}
}

// Providers are the sources of results by id, with those switched that settings switch.
func Providers(s *config.Settings) map[string]engine.ProviderSettings {
	p, set := &s.Search.Providers, search.DefaultProviders()
	for id, provider := range map[string]config.Provider{"git_history": p.GitHistory, "dependency": p.Dependency, "memory": p.Memory} {
		o := set[id]
		o.Enabled = provider.Enabled
		set[id] = o
	}
	return set
}

// BuiltInModel returns the model that makes vectors, nil when it is switched off or can't be used.
func BuiltInModel(s *config.Settings) (*embed.Static, error) {
	if !s.Search.Semantic {
		return nil, nil
	}
	return embed.Default()
}
