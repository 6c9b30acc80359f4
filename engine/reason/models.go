package reason

import (
	"context"
	"fmt"
	"time"

	"github.com/aurora-sidecar/aurora/engine/budget"
	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/reason/adaptive"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/prompts"
)

// Models are the language models that questions go to.
type Models struct {
	Name      string        // as people know it
	Reasoning llm.Generator // plans, reviews, writes
	Solving   llm.Generator // works on subgoals; nil means Reasoning
	Tiers     soar.Models
	Free      bool            // calls cost nothing: no budget is checked
	Prices    llm.Prices      // of the tiers; nil when they are not known
	Budget    *budget.Tracker // nil sets no limits
	Examples  prompts.Examples
	soar.Sizes
	PII string // redact, reject, off
	// Window is how many tokens the smallest of the models reads at once, 0 when that is not known; nil knows nothing.
	Window func(ctx context.Context) int

	Adaptive     adaptive.Options // of questions that are worked on in several passes
	AlwaysPasses bool             // every question that is planned is worked on in as many passes as it takes

	lender llm.Generator // of LentModels
}

// LentModels are the models of a client that lends its own: an editor, or the host of an agent. name is who lends, for
// people. Requests to g name a tier (fast, reasoning, best) in place of a model.
func LentModels(name string, g llm.Generator) (*Models, error) {
	examples, err := prompts.LoadExamples()
	if err != nil {
		return nil, fmt.Errorf("lend models: %w", err)
	}
	tiers := soar.Models{Fast: "fast", Reasoning: "reasoning", Best: "best"}
	free := llm.Prices{name: {}, tiers.Fast: {}, tiers.Reasoning: {}, tiers.Best: {}}
	return &Models{
		Name: name, Free: true, Tiers: tiers, Examples: examples, PII: "redact", lender: g,
		Reasoning: llm.Around(g, llm.Options{
			Endpoint: llm.Endpoint{Model: name, Prices: free}, Meter: llm.Unlimited{}, Timeout: lentTimeout, Cache: lentCache,
		}),
	}, nil
}

// replied names the model that replied last, "" when none did.
func replied(calls []llm.Call) string {
	for i := len(calls) - 1; i >= 0; i-- {
		if calls[i].Replied != "" {
			return calls[i].Replied
		}
	}
	return ""
}

const (
	lentTimeout = time.Minute
	lentCache   = 64
)

// Lender is who lends these models, nil for those of the settings.
func (m *Models) Lender() llm.Generator { return m.lender }

// window is how much the models read at once.
func (m *Models) window(ctx context.Context) int {
	if m.Window == nil {
		return 0
	}
	return m.Window(ctx)
}
