package setup

import (
	"context"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/llm"
)

func TestKeyOfAnyProvider(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "")
	t.Setenv(keyVariableOfAny, "the general one")
	if got := keyOf("openai", ""); got != "the general one" {
		t.Errorf("key %q", got)
	}
	t.Setenv("OPENAI_API_KEY", "its own")
	if got := keyOf("openai", ""); got != "its own" {
		t.Errorf("key %q", got)
	}
}

// A recorder keeps what it was asked last.
type recorder struct {
	llm.Generator
	last llm.Request
}

func (h *recorder) Complete(_ context.Context, r llm.Request) (*llm.Response, error) {
	h.last = r
	return &llm.Response{}, nil
}

func TestAdjustedModels(t *testing.T) {
	h := &recorder{}
	if adjust(h, 0.7, usualTemperature, 0) != llm.Generator(h) {
		t.Error("the usual settings are wrapped")
	}
	if _, err := adjust(h, 0.2, usualTemperature, 8192).Complete(t.Context(), llm.Request{MaxTokens: 4096, Temperature: 0.7}); err != nil {
		t.Fatal(err)
	}
	if h.last.Temperature != 0.2 || h.last.MaxTokens != 8192 {
		t.Errorf("asked %+v", h.last)
	}
}
