package admin

import (
	"context"
	"fmt"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/internal/setup"
)

// checkSharedCache asks the cache of the team, when the settings name one, for a pack of the project.
func checkSharedCache(ctx context.Context, root string) []Finding {
	const name, meanwhile = "shared cache", "Files are parsed here meanwhile; docs/team.md says what it needs."
	s, _, err := workspace.SettingsFor(root)
	if err != nil || s.Storage.SharedCache.URL == "" {
		return nil
	}
	c, err := setup.SharedCache(s)
	if err != nil {
		return []Finding{{name, levelWarn, "not used: " + err.Error(), meanwhile}}
	}
	detail, err := index.CheckShared(ctx, c, root)
	if err != nil {
		return []Finding{{name, levelWarn, fmt.Sprintf("%s is not used: %s", c.Address(), display.Clean(err.Error())), meanwhile}}
	}
	return []Finding{{Check: name, Level: levelOK, Detail: c.Address() + ": " + detail}}
}
