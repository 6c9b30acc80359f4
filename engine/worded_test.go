package engine

import (
	"context"
	"testing"
)

// TestWordsFindConstants: a constant is no chunk, and its words find it where no definition's name holds all of them.
func TestWordsFindConstants(t *testing.T) {
	w := openWorkspace(t, map[string]string{
		"net/options.go": "package net\n\n// Options of a client.\ntype Options struct{ Timeout int }\n\nconst DEFAULT_TIMEOUT_CONFIG = 30\n\nvar maxIdleSockets = 2\n",
		"net/dial.go":    "package net\n\n// dial waits for the default timeout of the configuration.\nfunc dial(o Options) { _ = o.Timeout }\n",
		"net/retry.go":   "package net\n\n// retryBudget counts attempts.\nfunc retryBudget() int { return retry_budget_limit }\n\nvar retry_budget_limit = 5\n",
		"net/codes.go":   "package net\n\nconst (\n\tcodeErrFlowControl = 1\n)\n",
		"net/x_test.go":  "package net\n\nconst parcel_weight_limit = 1\n",
	})
	for query, want := range map[string]string{
		"default timeout":          "DEFAULT_TIMEOUT_CONFIG",
		"maximum of idle sockets":  "maxIdleSockets", // in its short form
		"max idle sockets":         "maxIdleSockets",
		"retry budget":             "retryBudget", // a definition's name holds all of it, too
		"parcel weight":            "",            // only a test has it
		"timeout of other servers": "",
		"flow control":             "", // an error of it is not what is asked for
	} {
		result, err := w.engine.Search(context.Background(), SearchRequest{Query: query})
		if err != nil {
			t.Fatal(err)
		}
		lifted := len(result.Hits) > 0 && result.Hits[0].Score >= 0.75
		if got := result.Hits; want == "" && lifted || want != "" && (len(got) == 0 || got[0].Name != want) {
			t.Errorf("%q: want %q first, have %v", query, want, names(got))
		}
	}
}
