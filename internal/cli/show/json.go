package show

import (
	"strings"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/text"
	"github.com/aurora-sidecar/aurora/lsp/daemon"
)

// WireEncoding is the unit of columns in --json: what LSP uses when nothing else was agreed.
const WireEncoding = text.UTF16

// PrintResult prints the result of aurora/search. Nothing found is told by the exit code, too.
func PrintResult(c *app.App, r *api.SearchResult) error {
	if err := c.PrintJSON(r); err != nil {
		return err
	}
	if len(r.Hits) == 0 {
		return app.ErrNothing
	}
	return nil
}

// A StatusResult is the result of status.
type StatusResult struct {
	*api.Status
	Daemon *daemon.Info `json:"daemon,omitempty"`
}

// PrintStatusJSON prints the result of aurora/status, and the daemon that told it.
func PrintStatusJSON(c *app.App, s *api.Status, by *daemon.Info) error {
	return c.PrintJSON(StatusResult{s, by})
}

// PrintAnswerJSON prints the last line of query --json: the result of aurora/query.
func PrintAnswerJSON(c *app.App, q *api.QueryResult) error {
	if err := PrintLine(c, stageLine{
		Stage: "done", Status: "complete", Detail: strings.ToLower(q.Complexity), FinalScore: &q.Confidence, Cached: &q.Cached,
		Result: q,
	}); err != nil {
		return err
	}
	return Ended(q)
}
