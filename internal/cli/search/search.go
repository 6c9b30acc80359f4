package search

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/show"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// searchProviders are the values of --provider.
var searchProviders = []string{"full_text", "symbol", "semantic", "git_history", "dependency", "memory"}

// SearchFlags are the flags of everything that lists hits.
type SearchFlags struct {
	types   []string
	limit   int // 0 leaves it to the setting search.limit
	noGit   bool
	Timeout time.Duration
	in      []string  // projects
	scope   api.Scope // what only memory records have
	explain bool      // not a flag of its own
	recall  bool
	at      string // file that is worked on

	providers []string
	fusion    string

	given *pflag.FlagSet
}

// Limit is how many results are asked for, 0 when nobody says.
func (f *SearchFlags) Limit() int { return f.limit }

func (f *SearchFlags) Add(cmd *cobra.Command) {
	flags := cmd.Flags()
	f.given = flags
	flags.StringSliceVarP(&f.types, "type", "t", nil, "only these types, separated by commas: "+strings.Join(show.HitTypes, ", "))
	flags.IntVarP(&f.limit, "limit", "n", 0, "most results, 1 to 1000 (default: the setting search.limit, 10)")
	flags.BoolVar(&f.noGit, "no-git", false, "leave out what git knows: faster")
	flags.StringSliceVar(&f.in, "in", nil, "only these projects of the setting index.projects; * is all (default: the one around the current folder)")
	flags.StringSliceVar(&f.providers, "provider", nil, "only what these propose: "+strings.Join(searchProviders, ", ")+" (default: the settings search.providers)")
	flags.StringVar(&f.fusion, "fusion", "", "how one list is made of what they propose: "+strings.Join(engine.Fusions, ", ")+" (default: rules)")
	app.AddTimeout(cmd, &f.Timeout)
	flags.StringVar(&f.at, "at", "", "file that you work on: what usually changes with it comes earlier")
	flags.BoolVar(&f.recall, "recall", false, "only what is remembered; the nearest three, marked as weak, when nothing fits")
	f.addRecordFlags(flags)
	_ = cmd.RegisterFlagCompletionFunc("fusion", cobra.FixedCompletions(engine.Fusions, cobra.ShellCompDirectiveNoFileComp))
	app.CompleteList(cmd, "type", show.HitTypes...)
	app.CompleteList(cmd, "provider", searchProviders...)
}

// addRecordFlags adds the filters that only memory records can pass.
func (f *SearchFlags) addRecordFlags(flags *pflag.FlagSet) {
	flags.StringSliceVar(&f.scope.Tags, "tag", nil, "only memory with all of these tags")
	flags.StringVar(&f.scope.GoalID, "goal", "", "only memory of this goal")
	flags.StringVar(&f.scope.SourceType, "source-type", "", "only memory made from this: "+strings.Join(engine.SourceTypes, ", "))
	flags.StringVar(&f.scope.Domain, "domain", "", "only memory of this domain, such as security")
	flags.StringVar(&f.scope.Field, "field", "", "only memory made from a chunk that holds this word, such as a tool")
	flags.Float64Var(&f.scope.MinImportance, "min-importance", 0, "only memory of at least this importance, 0 to 1")
	flags.StringSliceVar(&f.scope.Near, "near", nil, "ids of what you work on; memory linked with them comes first")
	flags.Float64Var(&f.scope.RecencyBias, "recency-bias", 0, "how much age counts against memory, and against code the age of its last commit, 0 to 1")
}

// check refuses bad values before any work is done.
func (f *SearchFlags) check(query string) error {
	if strings.TrimSpace(query) == "" {
		return app.UsageError(`Try: aurora search "token expiry"`, "missing query")
	}
	if f.given.Changed("limit") && f.limit < 1 {
		return app.UsageError("", "--limit must be at least 1 (got %d)", f.limit)
	}
	for name, share := range map[string]float64{"min-importance": f.scope.MinImportance, "recency-bias": f.scope.RecencyBias} {
		if !(share >= 0 && share <= 1) {
			return app.UsageError("", "--%s must be between 0 and 1 (got %v)", name, share)
		}
	}
	for i, name := range f.types {
		f.types[i] = strings.ToLower(strings.TrimSpace(name))
		if slices.Contains(show.HitTypes, f.types[i]) {
			continue
		}
		remedy := ""
		if nearest := app.Nearest(f.types[i], show.HitTypes); nearest != "" {
			remedy = "Did you mean: " + nearest
		}
		return app.UsageError(remedy, "Invalid chunk type '%s'. Valid types: %s", name, strings.Join(show.HitTypes, ", "))
	}
	return nil
}

// search asks the project, see openAnswers.
func search(ctx context.Context, c *app.App, query string, f *SearchFlags, git bool) (*api.SearchResult, error) {
	if err := f.check(query); err != nil {
		return nil, err
	}
	project, err := workspace.OpenAnswers(ctx, c, f.Timeout)
	if err != nil {
		return nil, err
	}
	defer project.Close()
	r, err := f.request(query, project.Settings)
	if err != nil {
		return nil, err
	}
	r.Git, r.Text, r.Notes = git && !f.noGit, !c.JSON, true
	return api.Search.Call(ctx, project.Client, r)
}

// from is where the person is: the file of --at, else the current folder.
func (f *SearchFlags) from() (string, error) {
	if f.at == "" {
		return workspace.Canonical(".")
	}
	path, err := filepath.Abs(f.at)
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		return "", app.UsageError("Such as: --at net/upload.go", "--at must be a file that is there (got %q)", f.at)
	}
	return path, nil
}

// request is the search that the flags ask for.
func (f *SearchFlags) request(query string, s *config.Settings) (*api.SearchParams, error) {
	here, err := f.from()
	if err != nil {
		return nil, err
	}
	scope := f.scope
	scope.Types, scope.Projects = f.types, f.in
	atLeast := 0
	if f.recall {
		scope.Types, atLeast = []string{"knowledge", "reasoning"}, api.RecallAtLeast
	}
	return &api.SearchParams{
		Query: query, Limit: cmp.Or(f.limit, s.Search.Limit), Scope: &scope, From: here, Explain: f.explain, Providers: f.providers, Fusion: f.fusion, AtLeast: atLeast,
	}, nil
}
