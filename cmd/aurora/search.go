package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// maxLimit is the most hits that one search may ask for.
const maxLimit = 1000

// searchFlags are the flags of everything that lists hits.
type searchFlags struct {
	types   []string
	limit   int // 0 leaves it to the setting search.limit
	noGit   bool
	timeout time.Duration
	explain bool // not a flag of its own

	given *pflag.FlagSet
}

func (f *searchFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	f.given = flags
	flags.StringSliceVarP(&f.types, "type", "t", nil, "only these types, separated by commas: "+strings.Join(hitTypes, ", "))
	flags.IntVarP(&f.limit, "limit", "n", 0, "most results, 1 to 1000 (default: the setting search.limit, 10)")
	flags.BoolVar(&f.noGit, "no-git", false, "leave out what git knows: faster")
	addTimeout(cmd, &f.timeout)
	_ = cmd.RegisterFlagCompletionFunc("type", cobra.FixedCompletions(hitTypes, cobra.ShellCompDirectiveNoFileComp))
}

// addTimeout adds the flag that bounds waiting for the index.
func addTimeout(cmd *cobra.Command, timeout *time.Duration) {
	cmd.Flags().DurationVar(timeout, "timeout", 20*time.Second, "how long to wait for the index before answering from what there is")
}

// check refuses bad values before any work is done.
func (f *searchFlags) check(query string) error {
	if strings.TrimSpace(query) == "" {
		return usageError(`Say what to look for, such as: aurora mem search "parse config"`, "the query is empty")
	}
	if f.given.Changed("limit") && f.limit < 1 || f.limit > maxLimit {
		return usageError("", "--limit must be between 1 and %d (got %d)", maxLimit, f.limit)
	}
	for i, name := range f.types {
		f.types[i] = strings.ToLower(strings.TrimSpace(name))
		if slices.Contains(hitTypes, f.types[i]) {
			continue
		}
		remedy := ""
		if meant := nearest(f.types[i], hitTypes); meant != "" {
			remedy = "Did you mean '" + meant + "'?"
		}
		return usageError(remedy, "Invalid chunk type '%s'. Valid types: %s", name, strings.Join(hitTypes, ", "))
	}
	return nil
}

// search asks the project, see openAnswers.
func (c *cli) search(ctx context.Context, query string, f *searchFlags, git bool) (*engine.SearchResult, error) {
	if err := f.check(query); err != nil {
		return nil, err
	}
	project, err := c.openAnswers(ctx, f.timeout)
	if err != nil {
		return nil, err
	}
	defer project.close()
	limit := f.limit
	if limit == 0 {
		limit = project.settings.Search.Limit
	}
	return project.Search(ctx, engine.SearchRequest{
		Query: query, Limit: limit, Scope: engine.Scope{Types: f.types}, Git: git && !f.noGit, Explain: f.explain,
	})
}
