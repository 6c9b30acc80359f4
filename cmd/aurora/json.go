package main

import (
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/text"
	"github.com/aurora-sidecar/aurora/lsp/daemon"
)

// wireEncoding is the unit of columns in --json: what LSP uses when nothing else was agreed.
const wireEncoding = text.UTF16

// printResult prints the result of aurora/search. Nothing found is told by the exit code, too.
func (c *cli) printResult(r *engine.SearchResult) error {
	if err := c.printJSON(api.FromSearchResult(r, wireEncoding)); err != nil {
		return err
	}
	if len(r.Hits) == 0 {
		return errNothing
	}
	return nil
}

// printStatusJSON prints the result of aurora/status, and the daemon that told it.
func (c *cli) printStatusJSON(s *engine.Status, by *daemon.Info) error {
	return c.printJSON(struct {
		*api.Status
		Daemon *daemon.Info `json:"daemon,omitempty"`
	}{api.FromStatus(s), by})
}

// printAnswerJSON prints the last line of query --json: the result of aurora/query.
func (c *cli) printAnswerJSON(q *engine.QueryResult) error {
	if err := c.printLine(stageLine{
		Stage: "done", Status: "complete", Detail: strings.ToLower(q.Complexity), FinalScore: &q.Confidence, Cached: &q.Cached,
		Result: api.FromQueryResult(q, wireEncoding),
	}); err != nil {
		return err
	}
	if answeredNothing(q) {
		return errNothing
	}
	return nil
}

// answeredNothing reports whether the answer is that there is none. Conversations that it points at are no answer.
func answeredNothing(q *engine.QueryResult) bool {
	return q.Confidence == 0 && !slices.ContainsFunc(q.Citations, func(h engine.Hit) bool { return h.Origin != engine.OriginLog })
}
