package setup

import (
	"cmp"
	"context"
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

// CachedReplies is how many replies of a model at temperature 0 are kept for the same question.
const CachedReplies = 256

// solvingSeconds and solvingTokens are what the model that works on subgoals gets at least for an attempt and a reply.
const (
	solvingSeconds = 60
	solvingTokens  = 8192
)

// deadlineFactor is how many attempts' worth of time a call may take with all its retries.
const deadlineFactor = 3

// Models returns the models that the settings name, nil when they name none. cache is how many replies they keep.
func Models(s *config.Settings, tracker *budget.Tracker, cache int) (*engine.Models, error) {
	if !s.ModelConfigured() {
		return nil, nil
	}
	prices, err := llm.ParsePrices(s.LLM.Prices)
	if err != nil {
		return nil, err
	}
	options := ReasoningOptions(s, prices, tracker)
	options.Cache = cache
	reasoning, err := llm.New(options)
	if err != nil {
		return nil, err
	}
	m := &engine.Models{
		Name: s.LLM.Model, Reasoning: reasoning, Budget: tracker, PII: s.Guardrails.PII.Action, Prices: prices,
		Sizes:        soar.Sizes{Parallel: s.LLM.MaxParallel, Snippets: s.LLM.ContextBudget, MaxTokens: s.LLM.MaxTokens},
		AlwaysPasses: s.Adaptive.Enabled,
	}
	m.Adaptive.Limits = adaptive.Limits{TTL: s.Adaptive.TTLLimit, CallsPerMinute: s.Adaptive.CallsPerMinute}
	if s.LLM.Routing.Enabled {
		t := s.LLM.Routing.Tiers
		m.Tiers = soar.Models{Fast: t.Fast.Model, Reasoning: t.Reasoning.Model, Best: t.Best.Model}
	}
	m.Free = isFree(s, prices, m.Tiers)
	solving := solvingOptions(s, options)
	if m.Solving, err = llm.New(solving); err != nil {
		return nil, fmt.Errorf("llm.solving_llm: %w", err)
	}
	m.Free = m.Free && solving.Endpoint.Free()
	m.Reasoning = adjust(m.Reasoning, s.LLM.Temperature, 0, 0)
	m.Solving = adjust(m.Solving, usualTemperature, usualTemperature, solvingTokens)
	if s.LLM.ReplayFile == "" {
		m.Window = smallestWindow(options.Endpoint, solving.Endpoint, m.Tiers)
	}
	m.Examples, err = Examples()
	return m, err
}

// smallestWindow is how much the one of the models reads at once that reads least, 0 when none of them tells.
func smallestWindow(reasoning, solving llm.Endpoint, tiers soar.Models) func(context.Context) int {
	windows := llm.NewWindows(reasoning)
	solvers := windows
	if solving.Preset != reasoning.Preset || solving.BaseURL != reasoning.BaseURL {
		solvers = llm.NewWindows(solving)
	}
	return func(ctx context.Context) int {
		smallest := solvers.Of(ctx, solving.Model)
		for _, model := range []string{tiers.Fast, tiers.Reasoning, tiers.Best} {
			if n := windows.Of(ctx, model); n > 0 && (smallest == 0 || n < smallest) {
				smallest = n
			}
		}
		return smallest
	}
}

// Budget returns the account of costs, which is kept in a journal; without one nothing may be spent.
func Budget(s *config.Settings, store memory.Journal, now func() time.Time) *budget.Tracker {
	b := s.CostBudgets
	return budget.New(store, budget.Limits{
		Enabled: b.Enabled, SoftUSD: b.SoftLimitUSD, HardUSD: b.HardLimitUSD, Period: b.Period, AllowOverride: b.AllowForceOverride,
	}, now)
}

func ReasoningOptions(s *config.Settings, prices llm.Prices, meter llm.Meter) llm.Options {
	timeout := time.Duration(s.LLM.TimeoutSeconds) * time.Second
	return llm.Options{
		Endpoint: llm.Endpoint{
			Preset: s.LLM.Provider, BaseURL: s.LLM.BaseURL, Model: s.LLM.Model, Key: keyOf(s.LLM.Provider, s.LLM.APIKeyEnv),
			Headers: s.LLM.Headers, Format: s.LLM.ResponseFormat, Prices: prices,
		},
		Timeout: timeout, Deadline: deadlineFactor * timeout, Meter: meter,
		Record: s.LLM.RecordFile, Replay: s.LLM.ReplayFile,
	}
}

// solvingOptions are those of the model that works on subgoals, which has more time than the other one. A key goes only
// to the endpoint that it was set for.
func solvingOptions(s *config.Settings, o llm.Options) llm.Options {
	solving := s.LLM.Solving
	o.Timeout = time.Duration(max(solvingSeconds, s.LLM.TimeoutSeconds)) * time.Second
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

// Examples are the calibration examples; a replay needs the same ones as the question had.
func Examples() (prompts.Examples, error) {
	examples, err := prompts.LoadExamples()
	if err != nil {
		return nil, err
	}
	examples.EdgesFirst()
	return examples, nil
}

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
