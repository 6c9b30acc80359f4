package setup

import (
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/index/embed"
	"github.com/aurora-sidecar/aurora/index/lexical"
	"github.com/aurora-sidecar/aurora/internal/config"
)

// Tuning are the settings of searches and contexts that count at once.
func Tuning(s *config.Settings) engine.Tuning {
	h := &s.Search.Hybrid
	return engine.Tuning{
		BM25: BM25(s), Limit: s.Search.Limit, MinScore: s.Search.MinScore, Pool: h.Stage1TopK, ContextTokens: s.Search.ContextTokens, Complete: !s.Search.FallbackEnabled,
		Semantic: h.Stage2Weights.Semantic, Activation: h.Stage2Weights.Activation,
	}
}

// BM25 are the constants of the keyword score as they are set.
func BM25(s *config.Settings) lexical.Params {
	b := s.Search.BM25
	w := b.Weights
	return lexical.Params{K1: b.K1, B: b.B, Weights: [lexical.NumFields]float64{
		lexical.Name: w.Name, lexical.Path: w.Path, lexical.Signature: w.Signature, lexical.Doc: w.Doc, lexical.Body: w.Body,
	}}
}

// Providers are the settings of those who propose results, by id.
func Providers(s *config.Settings) map[string]engine.ProviderSettings {
	p := s.Search.Providers
	set := map[string]engine.ProviderSettings{}
	for id, o := range map[string]config.Provider{
		"full_text": p.FullText, "symbol": p.Symbol, "semantic": p.Semantic, "git_history": p.GitHistory, "dependency": p.Dependency, "memory": p.Memory,
	} {
		set[id] = engine.ProviderSettings{Enabled: o.Enabled, Weight: o.Weight, Timeout: time.Duration(o.TimeoutMs) * time.Millisecond}
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
