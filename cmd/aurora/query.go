package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/cmd/aurora/internal/display"
	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/history"
	"github.com/spf13/cobra"
)

// queryModes are the values of --mode.
var queryModes = []string{"auto", "direct", "soar"}

// verifications are the values of --verification.
var verifications = []string{"auto", "none", "self", "adversarial", "debate"}

// queryCommand answers a question.
func (c *cli) queryCommand() *cobra.Command {
	f := &searchFlags{}
	r := engine.QueryRequest{}
	played := ""
	cmd := &cobra.Command{
		Use:   "query <question>",
		Short: "Answer a question about the project, with sources",
		Long: `Answer a question about the project. Without a model the answer comes from the index alone: where something
is defined, who uses it, what changed, what is related. With one (see docs/engine.md) simple questions are answered by
one call, harder ones are planned, worked on and verified. Every source is printed as path:line.

-v shows the phases as they pass; --json prints one object for each phase and the result in the last one.`,
		Example: `  aurora query "where is parseConfig defined?"
  aurora query "who calls Tokenize" -v
  aurora query "what changed this week" --json
  aurora query "design a cache for sessions" --verification adversarial --budget-usd 0.50
  aurora query "design a cache for sessions" --adaptive -v`,
		Args: func(cmd *cobra.Command, args []string) error {
			if played != "" {
				return usageArgs(cobra.NoArgs)(cmd, args)
			}
			return usageArgs(cobra.MinimumNArgs(1))(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if played != "" {
				return c.onHistory(func(cmd *cobra.Command, s *history.Store, _ []string) error {
					return c.replay(cmd.Context(), s, played)
				})(cmd, args)
			}
			r.Query = strings.Join(args, " ")
			return c.query(cmd, r, f)
		},
	}
	cmd.Flags().StringVar(&r.Mode, "mode", "auto", "auto; direct: one step; soar: all phases, needs a model")
	cmd.Flags().BoolVar(&r.Force, "force", false, "ask the model again, and past the budget where the settings allow that")
	cmd.Flags().StringVar(&r.Verification, "verification", "auto", "auto, none, self, adversarial or debate: how plans are verified")
	cmd.Flags().Float64Var(&r.BudgetUSD, "budget-usd", 0, "most US dollars that this question may cost; 0 for no limit of its own")
	cmd.Flags().StringVar(&r.Assess, "assess", "auto", "auto, keyword or llm: who tells how hard the question is")
	_ = cmd.RegisterFlagCompletionFunc("assess", cobra.FixedCompletions([]string{"auto", "keyword", "llm"}, cobra.ShellCompDirectiveNoFileComp))
	cmd.Flags().BoolVar(&r.Adaptive, "adaptive", false, "work in several passes, as many as the question is worth, until the answer has converged")
	cmd.Flags().StringVar(&played, "replay", "", "play the question with this id again, see aurora history")
	addTimeout(cmd, &f.timeout)
	_ = cmd.RegisterFlagCompletionFunc("verification", cobra.FixedCompletions(verifications, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("mode", cobra.FixedCompletions(queryModes, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (c *cli) query(cmd *cobra.Command, r engine.QueryRequest, f *searchFlags) error {
	if strings.TrimSpace(r.Query) == "" {
		return usageError(`Ask something, such as: aurora query "where is main defined?"`, "the question is empty")
	}
	if !slices.Contains(verifications, strings.ToLower(r.Verification)) {
		return usageError("", "--verification must be one of %s (got %q)", strings.Join(verifications, ", "), r.Verification)
	}
	if !(r.BudgetUSD >= 0) {
		return usageError("", "--budget-usd must not be negative (got %v)", r.BudgetUSD)
	}
	ctx := cmd.Context()
	project, err := c.openAnswers(ctx, f.timeout)
	if err != nil {
		return err
	}
	defer project.close()
	stream := c.newStream()
	if r.AskBudget = c.asksPerson(); r.AskBudget {
		ctx = engine.WithAsker(ctx, func(ctx context.Context, q engine.Question) (string, bool, error) {
			defer stream.now.hold()()
			return c.askPerson(ctx, q)
		})
	}
	result, err := project.Query(ctx, r, stream.sink(c.phaseSink()))
	stream.now.clear()
	var refused *engine.Error
	if errors.As(err, &refused) && refused.Detail == engine.ConfirmBudget && c.confirmBudget(ctx, refused) {
		r.BudgetAccepted = true
		result, err = project.Query(ctx, r, stream.sink(c.phaseSink()))
	}
	stream.end()
	if err != nil {
		return err
	}
	if c.json {
		return c.printAnswerJSON(result)
	}
	return c.printAnswer(result, stream.shown)
}

// confirmBudget asks at the budget's soft limit; the default is no (BUD-009).
func (c *cli) confirmBudget(ctx context.Context, refused *engine.Error) bool {
	fmt.Fprintf(c.err, "%s\nProceed with query? [y/N] ", display.CleanLines(refused.Remedy))
	line, _, _ := c.readLine(ctx) // without an answer it is a no
	answer := strings.ToLower(line)
	return answer == "y" || answer == "yes"
}

// printAnswer prints the answer, unless it was streamed, with its sources; what else there is to say goes to stderr.
func (c *cli) printAnswer(q *engine.QueryResult, streamed bool) error {
	if !streamed {
		fmt.Fprintln(c.out, strings.TrimRight(display.CleanLines(q.Answer), "\n"))
	}
	c.printSources(q.Citations)
	for _, w := range q.Warnings {
		c.warn(display.Clean(w))
	}
	if c.verbose > 0 {
		fmt.Fprintln(c.err, doneLine(q))
	}
	if answeredNothing(q) {
		return errNothing
	}
	return nil
}

// printSources lists the citations under the numbers that the answer uses.
func (c *cli) printSources(hits []engine.Hit) {
	if len(hits) == 0 {
		return
	}
	fmt.Fprintln(c.out, "\nSources:")
	for i := range hits {
		h := &hits[i]
		label := fmt.Sprintf("  [%d] ", i+1)
		c.hanging(label+location(h)+" "+display.Clean(h.Name), len(label))
	}
}
