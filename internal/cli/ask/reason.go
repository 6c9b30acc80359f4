package ask

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/show"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/mcp"
	"github.com/spf13/cobra"
)

// maxWork is the most bytes read of a plan or an answer that is to be reviewed.
const maxWork = 4 << 20

// ReasonCommands are single steps of a question, each the tool of the same name that agents have.
func ReasonCommands(c *app.App) []*cobra.Command {
	return []*cobra.Command{assessCommand(c), decomposeCommand(c), verifyCommand(c)}
}

// step calls a tool and prints its data: as it is with --json, else by print.
func step(ctx context.Context, c *app.App, timeout time.Duration, tool string, arguments map[string]any, data any, print func()) error {
	project, err := workspace.OpenAnswers(ctx, c, timeout)
	if err != nil {
		return err
	}
	defer project.Close()
	w := &mcp.Workspace{Backend: project.Backend, Root: project.Root}
	invoker, err := mcp.NewInvoker(timeout, nil)
	if err != nil {
		return err
	}
	if !c.JSON {
		invoker.Phases = show.PhaseSink(c)
	}
	encoded, err := json.Marshal(arguments)
	if err != nil {
		return fmt.Errorf("encode the arguments: %w", err)
	}
	answer, err := invoker.Invoke(ctx, w, "cli", tool, encoded)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(answer, data); err != nil {
		return fmt.Errorf("read what %s says: %w", tool, err)
	}
	if c.JSON {
		return c.PrintJSON(json.RawMessage(answer))
	}
	print()
	return nil
}

func assessCommand(c *app.App) *cobra.Command {
	var timeout time.Duration
	cmd := &cobra.Command{
		Use:     "assess <question>",
		Short:   "Rate how hard a question is, by its words",
		Long:    "Rate how hard a question is, by its words, and whether it would be answered at once or worked on in phases. No model is asked.",
		Example: `  aurora dev assess "design a cache for the search"`,
		Args:    app.UsageArgs(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			var a struct {
				Complexity, Route string
				Confidence        float64
				Keywords          []string
			}
			return step(cmd.Context(), c, timeout, "aurora_assess", map[string]any{"query": strings.Join(args, " ")}, &a, func() {
				how := "is answered in one step"
				if a.Route == "phases" {
					how = "is worked on in phases"
				}
				fmt.Fprintf(c.Out, "%s (confidence %.2f): it %s\n", a.Complexity, a.Confidence, how)
				if len(a.Keywords) > 0 {
					c.Wrapped("", display.Clean("Told by: "+strings.Join(a.Keywords, ", ")))
				}
			})
		},
	}
	app.AddTimeout(cmd, &timeout)
	return cmd
}

func decomposeCommand(c *app.App) *cobra.Command {
	var timeout time.Duration
	var known string
	cmd := &cobra.Command{
		Use:   "decompose <question>",
		Short: "Break a question into subgoals, and review that plan; needs a model",
		Long: `Break a question, or a change, into subgoals with dependencies, and have that plan reviewed. Nothing is carried out.
It needs a model and costs what its calls cost, within the budget.`,
		Example: `  aurora dev decompose "design a cache for the search"
  aurora dev decompose "design a cache for the search" --json | aurora dev verify "design a cache for the search" --plan -`,
		Args: app.UsageArgs(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			var d struct {
				Decomposition soar.Plan
				Verification  *soar.Review
			}
			arguments := map[string]any{"query": strings.Join(args, " "), "context": known}
			return step(cmd.Context(), c, timeout, "aurora_decompose", arguments, &d, func() {
				for _, s := range d.Decomposition.Subgoals {
					after := ""
					if len(s.DependsOn) > 0 {
						after = " (after " + strings.Join(s.DependsOn, ", ") + ")"
					}
					c.Wrapped("", display.Clean(fmt.Sprintf("%s  %s%s, by %s", s.ID, s.Description, after, s.Agent)))
				}
				if r := d.Verification; r != nil {
					fmt.Fprintf(c.Out, "\nReview: ")
					printReview(c, string(r.Verdict), r.Overall, r.Issues())
				}
			})
		},
	}
	cmd.Flags().StringVar(&known, "context", "", "`text`: what is known already, at most 4000 bytes")
	app.AddTimeout(cmd, &timeout)
	return cmd
}

func verifyCommand(c *app.App) *cobra.Command {
	var timeout time.Duration
	var plan, output, verification string
	cmd := &cobra.Command{
		Use:   "verify <question> --output FILE | --plan FILE",
		Short: "Review an answer or a plan, by code and, when there is one, by a model",
		Long: `Review an answer to a question, or a plan for it. Code checks the places (path:line) and names (in backticks) that an
answer tells, and the order and references of a plan; a model, when there is one, judges the rest.

The exit code is 0 when it passes, and 1 when it does not.`,
		Example: `  aurora dev verify "who calls Retry?" --output answer.md
  aurora dev decompose "cache the search" --json | aurora dev verify "cache the search" --plan -`,
		Args: app.UsageArgs(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			arguments := map[string]any{"query": strings.Join(args, " "), "verification": verification}
			if err := addWork(c, arguments, output, plan); err != nil {
				return err
			}
			var v struct {
				Score   float64
				Verdict string
				Issues  []string
				ByModel bool
			}
			err := step(cmd.Context(), c, timeout, "aurora_verify", arguments, &v, func() {
				printReview(c, v.Verdict, v.Score, v.Issues)
				if !v.ByModel {
					c.Wrapped("", "Checked by code alone: order, references, places and names. What it says is not judged.")
				}
			})
			if err == nil && !strings.EqualFold(v.Verdict, string(soar.Pass)) {
				return &app.Exit{Code: app.ExitFailed}
			}
			return err
		},
	}
	cmd.Flags().StringVar(&output, "output", "", "`file` of the answer; - for standard input")
	cmd.Flags().StringVar(&plan, "plan", "", "`file` of the plan, as aurora dev decompose --json writes it; - for standard input")
	cmd.Flags().StringVar(&verification, "verification", "auto", "a `kind`: "+strings.Join(verifications, ", "))
	_ = cmd.RegisterFlagCompletionFunc("verification", cobra.FixedCompletions(verifications, cobra.ShellCompDirectiveNoFileComp))
	app.AddTimeout(cmd, &timeout)
	return cmd
}

// addWork reads what is to be reviewed.
func addWork(c *app.App, arguments map[string]any, output, plan string) error {
	switch {
	case (output == "") == (plan == ""):
		return app.UsageError("Such as: --output answer.md, or - for standard input", "give one of --output and --plan")
	case output != "":
		text, err := readWork(c, output)
		arguments["output"] = string(text)
		return err
	}
	text, err := readWork(c, plan)
	if err != nil {
		return err
	}
	var whole struct{ Decomposition json.RawMessage }
	if json.Unmarshal(text, &whole) == nil && len(whole.Decomposition) > 0 { // as "decompose --json" writes it
		text = whole.Decomposition
	}
	var object map[string]any
	if err := json.Unmarshal(text, &object); err != nil {
		return app.Failure("Give what aurora dev decompose --json writes.", fmt.Errorf("%s is not a plan: %w", plan, err))
	}
	arguments["decomposition"] = object
	return nil
}

func readWork(c *app.App, name string) ([]byte, error) {
	in := c.In
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, app.Failure("Name a file that can be read, or - for standard input.", err)
		}
		defer file.Close()
		in = file
	}
	text, err := io.ReadAll(io.LimitReader(in, maxWork+1))
	if err == nil && len(text) > maxWork {
		err = fmt.Errorf("it has more than %d MiB", maxWork>>20)
	}
	if err == nil && len(bytes.TrimSpace(text)) == 0 {
		err = errors.New("it is empty")
	}
	if err != nil {
		return nil, app.Failure("", fmt.Errorf("read %s: %w", name, err))
	}
	return text, nil
}

func printReview(c *app.App, verdict string, score float64, issues []string) {
	fmt.Fprintf(c.Out, "%s, score %.2f\n", strings.ToUpper(verdict), score)
	for _, issue := range issues {
		c.Wrapped("  ", display.Clean("- "+issue))
	}
}
