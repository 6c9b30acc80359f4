package admin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/aurora-sidecar/aurora/engine/search/shared"
	"github.com/aurora-sidecar/aurora/index/git"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/internal/setup"
)

// searchServerTime is how long the search server may take to say what it searches.
const searchServerTime = 5 * time.Second

// checkSearchServer asks the search server of the team, when the settings name one, what it searches.
func checkSearchServer(ctx context.Context, root string) []Finding {
	const name, meanwhile = "search server", "Searches find what is here meanwhile; docs/team.md says what it needs."
	s, _, err := workspace.SettingsFor(root)
	if err != nil || s.Search.Shared.URL == "" {
		return nil
	}
	c, err := setup.SearchClient(s)
	if err != nil {
		return []Finding{{name, levelWarn, "not asked: " + err.Error(), meanwhile}}
	}
	asking, cancel := context.WithTimeout(ctx, searchServerTime)
	defer cancel()
	list, err := c.List(asking)
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("no answer within %s", searchServerTime)
	}
	if err != nil {
		return []Finding{{name, levelWarn, fmt.Sprintf("%s: %s", c.Address(), display.Clean(err.Error())), meanwhile}}
	}
	findings := []Finding{{Check: name, Level: levelOK, Detail: fmt.Sprintf("%s: %d repositories%s", c.Address(), len(list.Repositories), ofProject(ctx, root, list))}}
	for _, f := range list.Failures[:min(len(list.Failures), 20)] {
		findings = append(findings, Finding{name, levelWarn, "a part of it does not answer: " + display.Clean(f), "Tell who runs it; the others are searched."})
	}
	return findings
}

// ofProject says how the project stands to what the server searches, "" when it does not have it.
func ofProject(ctx context.Context, root string, list *shared.Listing) string {
	if root == "" {
		return ""
	}
	r, err := git.Open(ctx, root)
	if err != nil {
		return ""
	}
	defer r.Close()
	names, err := r.Identity(ctx, func() bool { return false })
	if err != nil {
		return ""
	}
	for _, repo := range list.Repositories {
		if !slices.ContainsFunc(repo.Names, func(n string) bool { return slices.Contains(shared.Repositories(names), n) }) {
			continue
		}
		paths, err := git.Differs(ctx, r, repo.Commit)
		switch {
		case errors.Is(err, git.ErrNoCommit):
			return fmt.Sprintf("; of this one commit %.10s, which is not here: run git fetch", display.Clean(repo.Commit))
		case err != nil:
			return ""
		}
		return fmt.Sprintf("; of this one commit %.10s, from which %d files differ here", repo.Commit, len(paths))
	}
	return "; this one is not among them"
}
