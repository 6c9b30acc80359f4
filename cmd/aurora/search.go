package main

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// maxLimit is the most hits that one search may ask for.
const maxLimit = 1000

// searchProviders are the values of --provider.
var searchProviders = []string{"full_text", "symbol", "semantic", "git_history", "dependency", "memory"}

// searchFlags are the flags of everything that lists hits.
type searchFlags struct {
	types   []string
	limit   int // 0 leaves it to the setting search.limit
	noGit   bool
	timeout time.Duration
	in      []string     // projects
	scope   engine.Scope // what only memory records have
	explain bool         // not a flag of its own

	providers []string
	fusion    string

	given *pflag.FlagSet
}

func (f *searchFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	f.given = flags
	flags.StringSliceVarP(&f.types, "type", "t", nil, "only these types, separated by commas: "+strings.Join(hitTypes, ", "))
	flags.IntVarP(&f.limit, "limit", "n", 0, "most results, 1 to 1000 (default: the setting search.limit, 10)")
	flags.BoolVar(&f.noGit, "no-git", false, "leave out what git knows: faster")
	flags.StringSliceVar(&f.in, "in", nil, "only these projects of the setting index.projects; * is all (default: the one around the current folder)")
	flags.StringSliceVar(&f.providers, "provider", nil, "only what these propose: "+strings.Join(searchProviders, ", ")+" (default: the settings search.providers)")
	flags.StringVar(&f.fusion, "fusion", "", "how one list is made of what they propose: "+strings.Join(engine.Fusions, ", ")+" (default: the setting search.fusion)")
	addTimeout(cmd, &f.timeout)
	f.addRecordFlags(flags)
	_ = cmd.RegisterFlagCompletionFunc("fusion", cobra.FixedCompletions(engine.Fusions, cobra.ShellCompDirectiveNoFileComp))
	completeList(cmd, "type", hitTypes...)
	completeList(cmd, "provider", searchProviders...)
}

// addRecordFlags adds the filters that only memory records can pass.
func (f *searchFlags) addRecordFlags(flags *pflag.FlagSet) {
	flags.StringSliceVar(&f.scope.Tags, "tag", nil, "only memory with all of these tags")
	flags.StringVar(&f.scope.GoalID, "goal", "", "only memory of this goal")
	flags.StringVar(&f.scope.SourceType, "source-type", "", "only memory made from this: "+strings.Join(engine.SourceTypes, ", "))
	flags.StringVar(&f.scope.Domain, "domain", "", "only memory of this domain, such as security")
	flags.StringVar(&f.scope.Field, "field", "", "only memory made from a chunk that holds this word, such as a tool")
	flags.Float64Var(&f.scope.MinImportance, "min-importance", 0, "only memory of at least this importance, 0 to 1")
	flags.StringSliceVar(&f.scope.Near, "near", nil, "ids of what you work on; memory linked with them comes first")
	flags.Float64Var(&f.scope.RecencyBias, "recency-bias", 0, "how much age counts against memory, and against code the age of its last commit, 0 to 1")
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
	for name, share := range map[string]float64{"min-importance": f.scope.MinImportance, "recency-bias": f.scope.RecencyBias} {
		if !(share >= 0 && share <= 1) {
			return usageError("", "--%s must be between 0 and 1 (got %v)", name, share)
		}
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
	r, err := f.request(query, project.settings)
	if err != nil {
		return nil, err
	}
	r.Git = git && !f.noGit
	return project.Search(ctx, r)
}

// request is the search that the flags ask for.
func (f *searchFlags) request(query string, s *config.Settings) (engine.SearchRequest, error) {
	here, err := canonical(".")
	if err != nil {
		return engine.SearchRequest{}, err
	}
	scope := f.scope
	scope.Types, scope.Projects = f.types, f.in
	return engine.SearchRequest{
		Query: query, Limit: cmp.Or(f.limit, s.Search.Limit), Scope: scope, From: here, Explain: f.explain, Providers: f.providers, Fusion: f.fusion,
	}, nil
}
