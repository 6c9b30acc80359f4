package text

import (
	"strings"
	"testing"
)

func TestFence(t *testing.T) {
	for content, want := range map[string]string{
		"":                      "```",
		"one ` and `` two":      "```",
		"```go\nfmt\n```":       "````",
		"a row of ``````":       "```````",
		strings.Repeat("`", 50): strings.Repeat("`", 51),
	} {
		if got := Fence(content); got != want {
			t.Errorf("Fence(%q) = %q, want %q", content, got, want)
		}
	}
}

func TestEstimateTokens(t *testing.T) {
	for s, want := range map[string]int{"": 0, "a": 1, "abcd": 1, "abcde": 2, "äöüß": 1} {
		if got := EstimateTokens(s); got != want {
			t.Errorf("EstimateTokens(%q) = %d, want %d", s, got, want)
		}
	}
}
