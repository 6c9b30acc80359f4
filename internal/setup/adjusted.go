package setup

import (
	"context"

	"github.com/aurora-sidecar/aurora/engine/llm"
)

// usualTemperature is that of calls which work on subgoals.
const usualTemperature = 0.7

// adjusted asks a model with settings of its own.
type adjusted struct {
	llm.Generator
	temperature float64
	maxTokens   int // at least, of requests that have a limit; 0 leaves them
}

// adjust returns g with a temperature other than the usual one, or a longer reply; g itself when neither is asked for.
func adjust(g llm.Generator, temperature, usual float64, maxTokens int) llm.Generator {
	if temperature == usual && maxTokens == 0 {
		return g
	}
	return &adjusted{g, temperature, maxTokens}
}

func (a *adjusted) of(r llm.Request) llm.Request {
	r.Temperature = a.temperature
	if r.MaxTokens > 0 {
		r.MaxTokens = max(r.MaxTokens, a.maxTokens)
	}
	return r
}

// Complete implements llm.Generator.
func (a *adjusted) Complete(ctx context.Context, r llm.Request) (*llm.Response, error) {
	return a.Generator.Complete(ctx, a.of(r))
}

// Stream implements llm.Generator.
func (a *adjusted) Stream(ctx context.Context, r llm.Request, sink func(llm.Delta)) (*llm.Response, error) {
	return a.Generator.Stream(ctx, a.of(r), sink)
}
