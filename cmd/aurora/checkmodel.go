package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"time"

	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/internal/setup"
)

// checkModel says what works without a model, and what one would add. With call it asks the model one question.
func (c *cli) checkModel(ctx context.Context, root string, call bool) []finding {
	const name = "model"
	s, _, _ := settingsFor(root)
	if !s.ModelConfigured() {
		if call {
			return []finding{{name, levelFail, "none is configured, so none can be called", "Set llm.provider and llm.model in ~/.aurora/config.json."}}
		}
		return []finding{{Check: name, Level: levelOK, Detail: "none configured, none needed: search, hover and structural answers work without one"}}
	}
	where := cmp.Or(s.LLM.BaseURL, llm.Presets[s.LLM.Provider].BaseURL)
	what := fmt.Sprintf("%s at %s", s.LLM.Model, where)
	if _, _, err := setup.Models(s, setup.Budget(s, c.now), 0); err != nil {
		return []finding{{name, levelFail, what + ": " + err.Error(), "Correct the settings below llm."}}
	}
	findings := []finding{checkModelKey(s, what)}
	if u, err := url.Parse(where); err == nil && u.Scheme == "http" && !llm.IsLoopback(u.Hostname()) {
		findings = append(findings, finding{name, levelWarn, where + " is not encrypted: questions, code and the key can be read on the way", "Use https."})
	}
	if call {
		findings = append(findings, c.callModel(ctx, s, what))
	}
	return findings
}

func checkModelKey(s *config.Settings, what string) finding {
	const name = "model"
	if variable := setup.KeyVariable(s.LLM.Provider, s.LLM.APIKeyEnv); variable != "" && os.Getenv(variable) == "" {
		return finding{name, levelWarn, fmt.Sprintf("%s, but %s is not set", what, variable), "Export " + variable + " where the editor is started."}
	}
	return finding{Check: name, Level: levelOK, Detail: what}
}

// callModel makes one real call that has to be answered with JSON, and explains what failed.
func (c *cli) callModel(ctx context.Context, s *config.Settings, what string) finding {
	const name = "model call"
	prices, err := llm.ParsePrices(s.LLM.Prices)
	if err != nil {
		return finding{name, levelFail, err.Error(), "Correct llm.prices."}
	}
	o := setup.ReasoningOptions(s, prices, setup.Budget(s, c.now))
	o.Cache, o.Retry.Attempts = 0, 1
	g, err := llm.New(o)
	if err != nil {
		return finding{name, levelFail, err.Error(), "Correct the settings below llm."}
	}
	schema, err := llm.NewSchema("ready", []byte(`{"type":"object","properties":{"ready":{"type":"boolean"}},"required":["ready"],"additionalProperties":false}`))
	if err != nil {
		return finding{name, levelFail, err.Error(), ""}
	}
	account := &llm.Account{}
	start := time.Now()
	var reply struct {
		Ready bool `json:"ready"`
	}
	_, err = llm.JSON(llm.WithAccount(ctx, account), g, llm.Request{
		Purpose: "doctor", MaxTokens: 100, Schema: schema,
		Messages: []llm.Message{{Role: "user", Content: `Reply with this JSON object and nothing else: {"ready": true}`}},
	}, &reply)
	total := account.Total()
	if err == nil {
		detail := fmt.Sprintf("%s answered in %d ms with %d tokens, $%.6f", what, time.Since(start).Milliseconds(), total.Prompt+total.Completion, total.USD)
		if total.Unpriced != "" {
			return finding{name, levelWarn, detail + "; its price is not known", `Set llm.prices, such as {"` + total.Unpriced + `": "2.50/10"}.`}
		}
		return finding{Check: name, Level: levelOK, Detail: detail}
	}
	var failure *llm.Error
	if errors.As(err, &failure) {
		return finding{name, levelFail, failure.Error(), failure.Remedy()}
	}
	return finding{name, levelFail, err.Error(), ""}
}
