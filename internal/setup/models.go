package setup

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/budget"
	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/reason/adaptive"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/internal/atrest"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/prompts"
)

// deadlineFactor is how many attempts' worth of time a call may take with all its retries.
const deadlineFactor = 3

// Models returns the models that the settings name, nil when they name none.
func Models(s *config.Settings, tracker *budget.Tracker) (*engine.Models, []string, error) {
	if !s.ModelConfigured() {
		return nil, nil, nil
	}
	prices, err := llm.ParsePrices(s.LLM.Prices)
	if err != nil {
		return nil, nil, err
	}
	reasoning, err := llm.New(ReasoningOptions(s, prices, tracker))
	if err != nil {
		return nil, nil, err
	}
	m := &engine.Models{
		Name: s.LLM.Model, Reasoning: reasoning, Budget: tracker, PII: personalData(&s.Guardrails), Prices: prices,
		Sizes: soar.Sizes{
			Counts: exampleCounts(s.Scoring.Calibration), Parallel: s.LLM.MaxParallel, Snippets: s.LLM.ContextBudget, MaxTokens: s.LLM.MaxTokens,
		},
	}
	m.Adaptive, m.AlwaysPasses = adaptiveOptions(s.Adaptive), s.Adaptive.Enabled
	k := s.Complexity.Keywords
	m.Keywords = soar.Keywords{Off: !k.Enabled, NoModel: !k.BorderlineLLMVerify, Simple: k.Custom.Simple, Complex: k.Custom.Complex, Lists: map[soar.Level][]string{
		soar.Simple: k.Lists.Simple, soar.Medium: k.Lists.Medium, soar.Complex: k.Lists.Complex, soar.Critical: k.Lists.Critical,
	}}
	if s.LLM.Routing.Enabled {
		t := s.LLM.Routing.Tiers
		m.Tiers = soar.Models{Fast: t.Fast.Model, Reasoning: t.Reasoning.Model, Best: t.Best.Model}
	}
	m.Free = isFree(s, prices, m.Tiers)
	solving := solvingOptions(s, prices, tracker)
	if m.Solving, err = llm.New(solving); err != nil {
		return nil, nil, fmt.Errorf("llm.solving_llm: %w", err)
	}
	m.Free = m.Free && solving.Endpoint.Free()
	m.Reasoning = adjust(m.Reasoning, s.LLM.Temperature, 0, 0)
	m.Solving = adjust(m.Solving, s.LLM.Solving.Temperature, usualTemperature, s.LLM.Solving.MaxTokens)
	examples, warnings, err := prompts.LoadExamples(ExampleOptions(s))
	m.Examples = examples
	return m, warnings, err
}

func adaptiveOptions(a config.Adaptive) adaptive.Options {
	return adaptive.Options{
		Limits:     adaptive.Limits{TTL: a.TTLLimit, CallsPerMinute: a.CallsPerMinute},
		Thresholds: adaptive.Thresholds(a.Convergence),
		Refinement: soar.PassLimits{Nesting: a.Refinement.MaxNesting, PerFragment: a.Refinement.PerFragment, Refinements: a.Refinement.Total},
	}
}

// Budget returns the account of costs, which is kept in a journal; without one nothing may be spent.
func Budget(s *config.Settings, store memory.Journal, now func() time.Time) *budget.Tracker {
	b := s.CostBudgets
	return budget.New(store, budget.Limits{
		Enabled: b.Enabled, SoftUSD: b.SoftLimitUSD, HardUSD: b.HardLimitUSD, Period: b.Period, AutoReset: b.AutoReset,
		WarnAt: b.WarnAtPercent, BlockAt: b.BlockAtPercent, AllowOverride: b.AllowForceOverride,
	}, now)
}

func ReasoningOptions(s *config.Settings, prices llm.Prices, meter llm.Meter) llm.Options {
	timeout := time.Duration(s.LLM.TimeoutSeconds) * time.Second
	return llm.Options{
		Endpoint: llm.Endpoint{
			Preset: s.LLM.Provider, BaseURL: s.LLM.BaseURL, Model: s.LLM.Model, Key: keyOf(s.LLM.Provider, s.LLM.APIKeyEnv),
			Headers: s.LLM.Headers, Format: s.LLM.ResponseFormat, Prices: prices,
		},
		Timeout: timeout, Deadline: deadlineFactor * timeout, Cache: s.LLM.CacheEntries, Meter: meter,
		Record: s.LLM.RecordFile, Replay: s.LLM.ReplayFile,
	}
}

// solvingOptions are those of the model that works on subgoals, which has more time than the other one. A key goes only
// to the endpoint that it was set for.
func solvingOptions(s *config.Settings, prices llm.Prices, meter llm.Meter) llm.Options {
	solving := s.LLM.Solving
	o := ReasoningOptions(s, prices, meter)
	o.Timeout = time.Duration(max(solving.TimeoutSeconds, s.LLM.TimeoutSeconds)) * time.Second
	o.Deadline = deadlineFactor * o.Timeout
	o.Model = cmp.Or(solving.Model, s.LLM.Model)
	if solving.BaseURL != "" || solving.Provider != "" {
		o.Preset, o.BaseURL, o.Headers, o.Format = solving.Provider, solving.BaseURL, solving.Headers, ""
		o.Key = os.Getenv(KeyVariable(solving.Provider, solving.APIKeyEnv))
	}
	return o
}

// keyVariableOfAny holds the key of the endpoint of llm when no other variable does.
const keyVariableOfAny = "AURORA_API_KEY"

// keyOf is the key of the endpoint of llm.
func keyOf(provider, named string) string {
	if variable := KeyVariable(provider, named); variable != "" && os.Getenv(variable) != "" {
		return os.Getenv(variable)
	}
	return os.Getenv(keyVariableOfAny)
}

// personalData is what is done about personal data in a question.
func personalData(g *config.Guardrails) string {
	if !g.Enabled || !g.PII.Enabled {
		return "off"
	}
	return g.PII.Action
}

// KeyVariable is the environment variable that holds the key of an endpoint.
func KeyVariable(provider, named string) string {
	return cmp.Or(named, llm.Presets[provider].KeyEnv)
}

// isFree reports whether none of the models can cost anything.
func isFree(s *config.Settings, prices llm.Prices, tiers soar.Models) bool {
	endpoint := llm.Endpoint{Preset: s.LLM.Provider, BaseURL: s.LLM.BaseURL, Prices: prices}
	for _, model := range []string{s.LLM.Model, tiers.Fast, tiers.Reasoning, tiers.Best} {
		endpoint.Model = cmp.Or(model, s.LLM.Model)
		if !endpoint.Free() {
			return false
		}
	}
	return true
}

// ExampleOptions choose the calibration examples; a replay needs the same ones as the question had.
func ExampleOptions(s *config.Settings) prompts.ExampleOptions {
	c, judged := &s.Scoring.Calibration, Scoring(s)
	return prompts.ExampleOptions{Path: c.ExternalPath, Merge: c.MergeStrategy == "merge", MaxTokens: c.ExampleMaxTokens, Edges: c.FocusOnEdgeCases, Thresholds: judged.Thresholds()}
}

func exampleCounts(c config.Calibration) map[soar.Level]int {
	counts := map[soar.Level]int{soar.Simple: c.Counts.Simple, soar.Medium: c.Counts.Medium, soar.Complex: c.Counts.Complex, soar.Critical: c.Counts.Critical}
	if !c.ScaleByComplexity {
		for level := range counts {
			counts[level] = allExamples
		}
	}
	return counts
}

// allExamples is more than any set has.
const allExamples = 1000

// KeyIdentity is a digest of the keys in the environment: processes that share a daemon must have the same ones.
func KeyIdentity(s *config.Settings) string {
	h := sha256.New()
	for _, name := range []string{
		KeyVariable(s.LLM.Provider, s.LLM.APIKeyEnv), KeyVariable(s.LLM.Solving.Provider, s.LLM.Solving.APIKeyEnv),
		KeyVariable(s.Embeddings.Provider, s.Embeddings.APIKeyEnv), keyVariableOfAny,
	} {
		if name != "" {
			fmt.Fprintf(h, "%s=%s\x00", name, os.Getenv(name))
		}
	}
	if e := &s.Memory.Encryption; e.Enabled && e.KeySource == atrest.FromEnv {
		fmt.Fprintf(h, "%s=%s\x00", e.KeyEnv, os.Getenv(e.KeyEnv))
	}
	return hex.EncodeToString(h.Sum(nil))
}
