package search

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/show"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/spf13/cobra"
)

// contextFormats are the values of --format.
var contextFormats = []string{"xml", "markdown", "json"}

// contextFlags say what goes into a context.
type contextFlags struct {
	api.ContextParams
	at        string
	task      api.Task
	diversity float64
	estimate  bool
	timeout   time.Duration
}

// ContextCommand prints what a reader needs for a task.
func ContextCommand(c *app.App) *cobra.Command {
	f := &contextFlags{}
	f.Scope = &api.Scope{}
	cmd := &cobra.Command{
		Use:   "context [<task>]",
		Short: "Assemble the code and decisions that matter for a task, within a budget of tokens",
		Long: `Assemble what a model, or a person, needs to know for a task: the code at a place, what a search for the task finds,
callers and callees, and what is remembered. What matters less is shown by its most telling lines. The text never has more
tokens than the budget; they are counted as models with the vocabulary cl100k_base do.

With --conversation, what an earlier context of that name sent is left out, as long as it did not change; a running daemon
keeps the account. --known leaves out what the reader has anyway.`,
		Example: `  aurora context "retry failed uploads"
  aurora context "make it cancellable" --at net/upload.go:40 --budget 8000
  aurora context "session expiry" --format markdown --conversation login | pbcopy
  aurora context "session expiry" --known auth/session.go --known "auth/token.go:1-80" --json`,
		Args: app.UsageArgs(cobra.ArbitraryArgs),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.Query = strings.TrimSpace(strings.Join(args, " "))
			return assembleContext(c, cmd, f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.at, "at", "", "code to start from: path:line or path:from-to")
	flags.StringVar(&f.Goal, "goal", "", "what the context is for, as the reader sees it (default: the task)")
	flags.IntVarP(&f.BudgetTokens, "budget", "b", 0, "most tokens (default 4000)")
	flags.IntVar(&f.task.Complexity, "complexity", 0, "1 to 10: gives the budget of a task, 1500 tokens and more or less, when --budget does not")
	flags.StringVar(&f.task.ID, "task-id", "", "its name in a tracker, for the figures of usage")
	flags.StringVar(&f.task.Type, "task-type", "", "architecture (more), bugfix (less) or another: the same")
	flags.IntVarP(&f.K, "limit", "n", 0, "most snippets, 1 to 100 (default 12, more for a larger budget)")
	flags.StringVarP(&f.Format, "format", "f", "xml", strings.Join(contextFormats, ", "))
	flags.Float64Var(&f.diversity, "diversity", 0.5, "0 to 1: how much saying the same counts against relevance")
	flags.BoolVar(&f.estimate, "estimate", false, "count four characters as a token: faster, and within about 20 %")
	flags.StringVar(&f.Conversation, "conversation", "", "leave out what an earlier context of this name sent")
	flags.StringArrayVar(&f.Known, "known", nil, "leave this out: a path, path:from-to, or the id of a hit; may be given several times")
	flags.StringSliceVarP(&f.Scope.Types, "type", "t", nil, "only these types, separated by commas: "+strings.Join(show.HitTypes, ", "))
	flags.StringSliceVar(&f.Scope.Paths, "path", nil, "only files whose paths match these globs")
	flags.StringSliceVar(&f.Scope.Languages, "lang", nil, "only these languages")
	app.AddTimeout(cmd, &f.timeout)
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(contextFormats, cobra.ShellCompDirectiveNoFileComp))
	app.CompleteList(cmd, "type", show.HitTypes...)
	app.CompleteFlag(cmd, "task-type", "architecture", "bugfix")
	return cmd
}

// check refuses bad values before any work is done; what only the engine knows it refuses itself.
func (f *contextFlags) check(cmd *cobra.Command) error {
	switch {
	case f.Query == "" && f.Goal == "" && f.at == "":
		return app.UsageError(`Say what it is for, such as: aurora context "retry failed uploads"`, "context needs a task, a goal or a place")
	case !slices.Contains(contextFormats, f.Format):
		return app.UsageError("", "--format must be one of %s (got %q)", strings.Join(contextFormats, ", "), f.Format)
	case cmd.Flags().Changed("budget") && f.BudgetTokens < 1:
		return app.UsageError("", "--budget must be at least 1 (got %d)", f.BudgetTokens)
	case cmd.Flags().Changed("limit") && (f.K < 1 || f.K > 100):
		return app.UsageError("", "--limit must be between 1 and 100 (got %d)", f.K)
	case cmd.Flags().Changed("complexity") && (f.task.Complexity < 1 || f.task.Complexity > 10):
		return app.UsageError("", "--complexity must be between 1 and 10 (got %d)", f.task.Complexity)
	case !(f.diversity >= 0 && f.diversity <= 1):
		return app.UsageError("", "--diversity must be between 0 and 1 (got %v)", f.diversity)
	}
	return nil
}

func assembleContext(c *app.App, cmd *cobra.Command, f *contextFlags) error {
	if err := f.check(cmd); err != nil {
		return err
	}
	ctx := cmd.Context()
	project, err := workspace.OpenAnswers(ctx, c, f.timeout)
	if err != nil {
		return err
	}
	defer project.Close()
	r := f.ContextParams
	r.Query, r.Goal = display.CleanLines(r.Query), display.CleanLines(r.Goal) // the text repeats them
	if f.task != (api.Task{}) {
		r.Task = &f.task
	}
	if f.estimate {
		r.Tokens = "estimate"
	}
	if cmd.Flags().Changed("diversity") {
		r.Diversity = &f.diversity
	}
	for i, known := range r.Known {
		r.Known[i] = filepath.ToSlash(strings.TrimPrefix(known, "./"))
	}
	if f.at != "" {
		where, err := locateRequest(f.at)
		if err != nil {
			return err
		}
		location, err := api.Locate.Call(ctx, project.Client, where)
		if err != nil {
			return err
		}
		r.TextDocument, r.Range = &location.TextDocument, &location.Range
	}
	result, err := api.Context.Call(ctx, project.Client, &r)
	if err != nil {
		return err
	}
	return printContext(c, result, r.Query)
}

// locateRequest reads path:line or path:from-to.
func locateRequest(at string) (*api.LocateParams, error) {
	i := strings.LastIndexByte(at, ':')
	var from, to int
	if i > 0 {
		if n, _ := fmt.Sscanf(at[i+1:], "%d-%d", &from, &to); n == 0 {
			i = -1
		}
	}
	if i <= 0 || from < 1 || to != 0 && to < from {
		return nil, app.UsageError("Such as: --at net/upload.go:40, or net/upload.go:40-60", "--at must be path:line or path:from-to (got %q)", at)
	}
	abs, err := filepath.Abs(at[:i])
	if err != nil {
		return nil, fmt.Errorf("find %s: %w", at[:i], err)
	}
	return &api.LocateParams{Path: abs, Line: from, EndLine: to}, nil
}

func printContext(c *app.App, r *api.ContextResult, query string) error {
	if c.JSON {
		if err := c.PrintJSON(r); err != nil {
			return err
		}
	} else if r.Text != "" {
		text := r.Text
		if c.Width > 0 || c.Colored() { // a terminal must not obey what stands in files
			text = show.NewPage(c, show.HitView{}, query, 0).Blocks(display.CleanLines(text))
		}
		fmt.Fprintln(c.Out, text)
	}
	notes := r.Notes
	if !c.JSON && c.Verbose > 0 {
		t := r.Tokens
		notes = append(notes, fmt.Sprintf("%d of %d tokens: goal %d, code %d, graph %d, memory %d, frame %d; %d pieces did not fit",
			t.Total, r.BudgetTokens, t.Goal, t.Snippets, t.Graph, t.Memory, t.Overhead, r.Omitted))
	}
	if !c.JSON { // not among the text, which goes to a model or the clipboard
		for _, note := range notes {
			fmt.Fprintln(c.Err, "Note: "+display.Clean(app.Shortened(note)))
		}
	}
	if len(r.Snippets) == 0 && r.Tokens.Memory == 0 {
		return app.ErrNothing
	}
	return nil
}
