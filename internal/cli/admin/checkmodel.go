package admin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"time"

	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/internal/setup"
	"github.com/aurora-sidecar/aurora/memory"
)

// checkModel says what works without a model, and what one would add. With call it asks the model one question.
func checkModel(ctx context.Context, c *app.App, root string, call bool) []Finding {
	const name = "model"
	s, _, _ := workspace.SettingsFor(root)
	if !s.ModelConfigured() {
		if call {
			return []Finding{{name, LevelFail, "none is configured, so none can be called", "Set llm.provider and llm.model in ~/.aurora/config.json."}}
		}
		return []Finding{{Check: name, Level: levelOK, Detail: "none configured, none needed: search, hover and structural answers work without one"}}
	}
	where := cmp.Or(s.LLM.BaseURL, llm.Presets[s.LLM.Provider].BaseURL)
	what := fmt.Sprintf("%s at %s", s.LLM.Model, where)
	if _, err := setup.Models(s, setup.Budget(s, nil, c.Now), 0); err != nil {
		return []Finding{{name, LevelFail, what + ": " + err.Error(), "Correct the settings below llm."}}
	}
	findings := []Finding{checkModelKey(s, what)}
	if u, err := url.Parse(where); err == nil && u.Scheme == "http" && !llm.IsLoopback(u.Hostname()) {
		findings = append(findings, Finding{name, levelWarn, where + " is not encrypted: questions, code and the key can be read on the way", "Use https."})
	}
	if call {
		err := workspace.OnJournal(ctx, c, func(p *workspace.Parts) error {
			findings = append(findings, callModel(ctx, c, s, p.Store, what))
			return nil
		})
		if err != nil {
			findings = append(findings, Finding{name, LevelFail, "what the call costs can't be noted: " + err.Error(), "aurora doctor checks the database."})
		}
	}
	return findings
}

func checkModelKey(s *config.Settings, what string) Finding {
	const name = "model"
	if variable := setup.KeyVariable(s.LLM.Provider, s.LLM.APIKeyEnv); variable != "" && os.Getenv(variable) == "" {
		return Finding{name, levelWarn, fmt.Sprintf("%s, but %s is not set", what, variable), "Export " + variable + " where the editor is started."}
	}
	return Finding{Check: name, Level: levelOK, Detail: what}
}

// callModel makes one real call that has to be answered with JSON, and explains what failed.
func callModel(ctx context.Context, c *app.App, s *config.Settings, store memory.Journal, what string) Finding {
	const name = "model call"
	prices, err := llm.ParsePrices(s.LLM.Prices)
	if err != nil {
		return Finding{name, LevelFail, err.Error(), "Correct llm.prices."}
	}
	o := setup.ReasoningOptions(s, prices, setup.Budget(s, store, c.Now))
	o.Cache, o.Retry.Attempts = 0, 1
	g, err := llm.New(o)
	if err != nil {
		return Finding{name, LevelFail, err.Error(), "Correct the settings below llm."}
	}
	schema, err := llm.NewSchema("ready", []byte(`{"type":"object","properties":{"ready":{"type":"boolean"}},"required":["ready"],"additionalProperties":false}`))
	if err != nil {
		return Finding{name, LevelFail, err.Error(), ""}
	}
	account := &llm.Account{}
	start := time.Now()
	var reply struct {
		Ready bool `json:"ready"`
	}
	_, err = llm.JSON(ctx, g, llm.Request{
		Purpose: "doctor", MaxTokens: 100, Schema: schema, Account: account,
		Messages: []llm.Message{{Role: "user", Content: `Reply with this JSON object and nothing else: {"ready": true}`}},
	}, &reply)
	total := account.Total()
	if err == nil {
		detail := fmt.Sprintf("%s answered in %d ms with %d tokens, $%.6f", what, time.Since(start).Milliseconds(), total.Prompt+total.Completion, total.USD)
		if total.Unpriced != "" {
			return Finding{name, levelWarn, detail + "; its price is not known", `Set llm.prices, such as {"` + total.Unpriced + `": "2.50/10"}.`}
		}
		return Finding{Check: name, Level: levelOK, Detail: detail}
	}
	var failure *llm.Error
	if errors.As(err, &failure) {
		return Finding{name, LevelFail, failure.Error(), failure.Remedy()}
	}
	return Finding{name, LevelFail, err.Error(), ""}
}
