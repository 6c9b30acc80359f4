// Package tokens counts what a text costs a language model.
//
// It owns the choice of a tokenizer. Counts are exact for models that use OpenAI's cl100k_base vocabulary, which is part
// of the program and needs no network. Other models cut texts a little differently: of source code, o200k_base makes
// about as many tokens (within 1 % of this repository's Go code). It never cuts texts itself; who has a budget does.
package tokens

import (
	"fmt"

	"github.com/aurora-sidecar/aurora/internal/text"
)

// A Counter tells how many tokens a text has. It may be used by many goroutines at once.
type Counter func(s string) int

// The names of the counters.
const (
	Exact = "exact"    // cl100k_base; some 10 MB of text a second
	Fast  = "estimate" // four characters a token, rounded up
)

// New returns the counter called name; "" means Exact.
func New(name string) (Counter, error) {
	switch name {
	case "", Exact:
		return exact, nil
	case Fast:
		return text.EstimateTokens, nil
	}
	return nil, fmt.Errorf("unknown way to count tokens %q: use %s or %s", name, Exact, Fast)
}

// exact counts with cl100k_base. Should the vocabulary be damaged, it estimates.
func exact(s string) int {
	v, err := cl100k()
	if err != nil {
		return text.EstimateTokens(s)
	}
	return v.count(s)
}
