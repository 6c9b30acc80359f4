package ask

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/search"
	"github.com/aurora-sidecar/aurora/internal/cli/show"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/spf13/cobra"
)

// queryModes are the values of --mode.
var queryModes = []string{"auto", "direct", "soar"}

// verifications are the values of --verification.
var verifications = []string{"auto", "none", "self", "adversarial", "debate"}

// Command answers a question.
func Command(c *app.App) *cobra.Command {
	f := &search.SearchFlags{}
	r := &api.QueryParams{}
	played := ""
	cmd := &cobra.Command{
		Use:     "ask <question>",
		Aliases: []string{"query"},
		Short:   "Answer a question about the project, with sources",
		Long: `Answer a question about the project. Without a model the answer comes from the index alone: where something
is defined, who uses it, what changed, what is related. With one (see docs/engine.md) simple and medium questions are
answered at once, harder ones are planned, worked on and verified. Every source is printed as path:line.

--diff has the model propose a change of the code, which ends what is printed. In a pipe the patch is all that goes to standard
output, for git apply. No file is written. Where tests may be run (aurora trust), the model runs them with its change in place.

-v shows the phases as they pass; --json prints one object for each phase and the result in the last one.

The exit code is 1 when the models gave no whole answer (fellBack in the JSON): what is printed then is what came of it, what was
found until then, or what the index has. It is 3 when nothing answers the question.`,
		Example: `  aurora ask "where is parseConfig defined?"
  aurora ask "who calls Tokenize" -v
  aurora ask "what changed this week" --json
  aurora ask "design a cache for sessions" --verification adversarial --budget-usd 0.50
  aurora ask "design a cache for sessions" --adaptive -v
  aurora ask --diff "retry the upload three times" | git apply`,
		Args: func(cmd *cobra.Command, args []string) error {
			if played != "" {
				return app.UsageArgs(cobra.NoArgs)(cmd, args)
			}
			return app.Missing("question", `aurora ask "where is main defined?"`)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if played != "" {
				return onHistory(c, func(ctx context.Context, m *workspace.Answers, _ []string) error {
					return playAgain(ctx, c, m, played)
				})(cmd, args)
			}
			question, err := app.TextOf(cmd.Context(), c, args)
			if err != nil {
				return err
			}
			r.Query = question
			return query(c, cmd, r, f)
		},
	}
	cmd.Flags().StringVar(&r.Mode, "mode", "auto", "auto; direct: one step; soar: all phases, needs a model")
	cmd.Flags().BoolVar(&r.Force, "force", false, "ask the model again, and past the budget where the settings allow that")
	cmd.Flags().StringVar(&r.Verification, "verification", "auto", "auto, none, self, adversarial or debate: how plans and answers are verified")
	cmd.Flags().Float64Var(&r.BudgetUSD, "budget-usd", 0, "most US dollars that this question may cost; 0 for no limit of its own")
	cmd.Flags().StringVar(&r.Assess, "assess", "auto", "auto, keyword or llm: how the question's complexity is rated")
	_ = cmd.RegisterFlagCompletionFunc("assess", cobra.FixedCompletions([]string{"auto", "keyword", "llm"}, cobra.ShellCompDirectiveNoFileComp))
	cmd.Flags().BoolVar(&r.Adaptive, "adaptive", false, "work in several passes, as many as the question is worth, until the answer has converged")
	cmd.Flags().BoolVar(&r.Changes, "diff", false, "propose a change of the code, and print it as a patch; needs a model")
	cmd.Flags().StringVar(&played, "replay", "", "play the question with this id again, see aurora history")
	app.AddTimeout(cmd, &f.Timeout)
	_ = cmd.RegisterFlagCompletionFunc("verification", cobra.FixedCompletions(verifications, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("mode", cobra.FixedCompletions(queryModes, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func query(c *app.App, cmd *cobra.Command, r *api.QueryParams, f *search.SearchFlags) error {
	if strings.TrimSpace(r.Query) == "" {
		return app.UsageError(`Try: aurora ask "where is main defined?"`, "missing question")
	}
	if !slices.Contains(verifications, strings.ToLower(r.Verification)) {
		return app.UsageError("", "--verification must be one of %s (got %q)", strings.Join(verifications, ", "), r.Verification)
	}
	if !(r.BudgetUSD >= 0) {
		return app.UsageError("", "--budget-usd must not be negative (got %v)", r.BudgetUSD)
	}
	ctx := cmd.Context()
	project, err := workspace.OpenAnswers(ctx, c, f.Timeout)
	if err != nil {
		return err
	}
	defer project.Close()
	stream := newStream(c)
	if r.AskBudget = c.AsksPerson(); r.AskBudget {
		project.Ask = func(ctx context.Context, q engine.Question) (string, bool, error) {
			defer stream.now.hold()()
			return c.AskPerson(ctx, q)
		}
	}
	project.Progress = stream.sink(show.PhaseSink(c))
	result, err := api.Query.Call(ctx, project.Client, r)
	stream.now.clear()
	var refused *engine.Error
	if errors.As(err, &refused) && refused.Detail == engine.ConfirmBudget && confirmBudget(ctx, c, refused) {
		r.BudgetAccepted = true
		result, err = api.Query.Call(ctx, project.Client, r)
	}
	stream.end()
	if err != nil {
		return err
	}
	if c.JSON {
		return show.PrintAnswerJSON(c, result)
	}
	out := c.Out
	if r.Changes && c.Width == 0 {
		c.Out = c.Err
	}
	ended := printAnswer(c, result, stream.shown)
	c.Out = out
	printPatch(c, result.Changes)
	return ended
}

// confirmBudget asks at the budget's soft limit; the default is no.
func confirmBudget(ctx context.Context, c *app.App, refused *engine.Error) bool {
	fmt.Fprintf(c.Err, "%s\nProceed with query? [y/N] ", display.CleanLines(refused.Remedy))
	line, _, _ := c.ReadLine(ctx) // without an answer it is a no
	answer := strings.ToLower(line)
	return answer == "y" || answer == "yes"
}

// printAnswer prints the answer, unless it was streamed, with its sources; what else there is to say goes to stderr.
func printAnswer(c *app.App, q *api.QueryResult, streamed bool) error {
	if !streamed {
		fmt.Fprintln(c.Out, strings.TrimRight(display.CleanLines(q.Answer), "\n"))
	}
	printSources(c, q.Citations)
	for _, w := range q.Warnings {
		c.Warn(display.Clean(w))
	}
	if c.Verbose > 0 {
		fmt.Fprintln(c.Err, show.DoneLine(q))
	}
	return show.Ended(q)
}

// printPatch prints proposed changes, to a terminal without what would control it.
func printPatch(c *app.App, changes []api.FileChange) {
	for i := range changes {
		patch := changes[i].Patch
		if c.Width > 0 {
			patch = display.CleanLines(patch)
			if i == 0 {
				patch = "\n" + patch
			}
		}
		fmt.Fprint(c.Out, patch)
	}
}

// printSources lists the citations under the numbers that the answer uses.
func printSources(c *app.App, hits []api.Hit) {
	if len(hits) == 0 {
		return
	}
	fmt.Fprintln(c.Out, "\nSources:")
	for i := range hits {
		h := &hits[i]
		source(c, i, show.Location(h), h.Name)
	}
}

// source prints the i-th source.
func source(c *app.App, i int, place, name string) {
	label := fmt.Sprintf("  [%d] ", i+1)
	c.Hanging(label+sourceLine(place, name), len(label))
}

// sourceLine is a source. What has no name of its own is called after its place, which is not said twice.
func sourceLine(place, name string) string {
	if name = display.Clean(name); name == "" || strings.HasSuffix("/"+place, "/"+name) {
		return place
	}
	return place + " " + name
}
