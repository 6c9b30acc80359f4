package admin

import (
	"context"

	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/team"
)

// checkTeam asks the team's server, when the person is in a team.
func checkTeam(ctx context.Context, home string) []Finding {
	const name = "team"
	url, joined, err := team.Check(ctx, home)
	switch {
	case !joined:
		return nil
	case err != nil:
		return []Finding{{name, levelWarn, display.Clean(url + ": " + err.Error()), "Records are read and kept here meanwhile; aurora team status says what waits."}}
	}
	return []Finding{{Check: name, Level: levelOK, Detail: display.Clean(url) + " answers"}}
}
