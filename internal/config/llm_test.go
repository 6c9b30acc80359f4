package config

import (
	"strings"
	"testing"
)

// TestModelsAreTheUsersOwn holds that a project's file can neither send questions elsewhere nor spend money.
func TestModelsAreTheUsersOwn(t *testing.T) {
	for name, k := range keys {
		for _, prefix := range []string{"llm.", "cost_budgets.", "guardrails."} {
			if strings.HasPrefix(name, prefix) && name != "guardrails.max_query_length" && !k.userOnly() {
				t.Errorf("a project may set %s", name)
			}
		}
	}
	w := newWorld(t)
	const file = `{"llm": {"base_url": "http://evil.example/v1", "model": "m", "headers": {"X": "y"}, "solving_llm": {"base_url": "http://evil.example/v1"}}, "cost_budgets": {"hard_limit_usd": 1e6}}`
	w.write(w.project, "config.json", file)
	s, warnings := w.load(w.options())
	if s.ModelConfigured() || s.LLM.BaseURL+s.LLM.Solving.BaseURL != "" || len(s.LLM.Headers) > 0 || s.CostBudgets.HardLimitUSD != 500 || len(warnings) != 5 {
		t.Errorf("%+v, warnings %v", s.LLM, warnings)
	}
	o := w.options()
	o.Trusted = true
	if s, _ := w.load(o); !s.ModelConfigured() || s.LLM.Headers["X"] != "y" {
		t.Errorf("trusted: %+v", s.LLM)
	}
}

func TestModelConfigured(t *testing.T) {
	for file, want := range map[string]bool{
		`{}`:                      false,
		`{"llm": {"model": "m"}}`: true,
		`{"llm": {"model": "m", "mode": "none"}}`: false,
		`{"llm": {"mode": "standalone"}}`:         true,
	} {
		w := newWorld(t)
		w.write(w.home, "config.json", file)
		if s, _ := w.load(w.options()); s.ModelConfigured() != want {
			t.Errorf("%s: %v", file, !want)
		}
	}
}

func TestModelsOfAProvider(t *testing.T) {
	for file, want := range map[string]string{
		`{"llm": {"provider": "anthropic"}}`: "claude-sonnet-4-5 claude-haiku-4-5 claude-sonnet-4-5 claude-opus-4-5-20251101",
		`{"llm": {"provider": "anthropic", "preference_routing": {"tiers": {"best": {"model": "b"}}}}}`:               "claude-sonnet-4-5 claude-haiku-4-5 claude-sonnet-4-5 b",
		`{"llm": {"provider": "anthropic", "model": "m"}}`:                                                            "m   ",
		`{"llm": {"provider": "anthropic", "model": "m", "preference_routing": {"tiers": {"fast": {"model": "f"}}}}}`: "m f  ",
		`{"llm": {"provider": "ollama"}}`:                                                                             "   ",
		`{"llm": {"provider": "openai", "base_url": "https://proxy/v1"}}`:                                             "   ",
	} {
		w := newWorld(t)
		w.write(w.home, "config.json", file)
		s, _ := w.load(w.options())
		tiers := s.LLM.Routing.Tiers
		if got := strings.Join([]string{s.LLM.Model, tiers.Fast.Model, tiers.Reasoning.Model, tiers.Best.Model}, " "); got != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
		if s.ModelConfigured() != (s.LLM.Model != "") {
			t.Errorf("%s: configured %v", file, s.ModelConfigured())
		}
	}
}

func TestTables(t *testing.T) {
	w := newWorld(t)
	s, _ := w.load(w.options("AURORA_LLM_PRICES=a=1/2, b = 3/4"))
	if s.LLM.Prices["a"] != "1/2" || s.LLM.Prices["b"] != "3/4" {
		t.Errorf("%v", s.LLM.Prices)
	}
	s, _ = w.load(w.options(`AURORA_LLM_PRICES={"a": "1/2"}`, `AURORA_INDEX_PROJECTS={"web": {"watch_paths": ["src"]}}`, `AURORA_SECURITY_SECRET_PATTERNS=["x{1,2}"]`))
	if s.LLM.Prices["a"] != "1/2" || len(s.Index.Projects["web"].WatchPaths) != 1 || len(s.Security.SecretPatterns) != 1 {
		t.Errorf("%v, %v, %v", s.LLM.Prices, s.Index.Projects, s.Security.SecretPatterns)
	}
	for _, bad := range []string{`["a"]`, `{"a": 1}`, `"a"`, `{"": "x"}`, `{"X": "a\r\nY: b"}`} {
		w := newWorld(t)
		w.write(w.home, "config.json", `{"llm": {"headers": `+bad+`}}`)
		if _, _, err := Load(w.options()); err == nil || !strings.Contains(err.Error(), "llm.headers") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
