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
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/show"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/spf13/cobra"
)

// maxWork is the most bytes read of a plan or an answer that is to be reviewed.
const maxWork = 4 << 20

// ReasonCommands are single steps of a question.
func ReasonCommands(c *app.App) []*cobra.Command {
	return []*cobra.Command{assessCommand(c), decomposeCommand(c), verifyCommand(c)}
}

// step calls an operation and prints its result: as JSON, or by print.
func step[P, R any](ctx context.Context, c *app.App, timeout time.Duration, o api.Op[P, R], params *P, print func(*R) error) error {
	project, err := workspace.OpenAnswers(ctx, c, timeout)
	if err != nil {
		return err
	}
	defer project.Close()
	if !c.JSON {
		project.Progress = show.PhaseSink(c)
	}
	result, err := o.Call(ctx, project.Client, params)
	if err != nil {
		return err
	}
	return print(result)
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
			return step(cmd.Context(), c, timeout, api.Assess, &api.AssessParams{Query: strings.Join(args, " ")}, func(a *api.AssessResult) error {
				if c.JSON {
					return c.PrintJSON(a)
				}
				printAssessment(c, a)
				return nil
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
			params := &api.DecomposeParams{Query: strings.Join(args, " "), Context: known}
			return step(cmd.Context(), c, timeout, api.Decompose, params, func(r *api.DecomposeResult) error {
				d := decomposed{Cost: r.Cost}
				if err := errors.Join(json.Unmarshal(r.Decomposition, &d.Decomposition), api.Decode(r.Verification, &d.Verification)); err != nil {
					return fmt.Errorf("read the plan: %w", err)
				}
				if c.JSON {
					return c.PrintJSON(d)
				}
				printDecomposed(c, &d)
				return nil
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
			params := &api.VerifyParams{Query: strings.Join(args, " "), Option: verification}
			if err := addWork(c, params, output, plan); err != nil {
				return err
			}
			return step(cmd.Context(), c, timeout, api.Verify, params, func(r *api.VerifyResult) error { return printVerified(c, r) })
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
func addWork(c *app.App, params *api.VerifyParams, output, plan string) error {
	switch {
	case (output == "") == (plan == ""):
		return app.UsageError("Such as: --output answer.md, or - for standard input", "give one of --output and --plan")
	case output != "":
		text, err := readWork(c, output)
		params.Output = string(text)
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
	params.Decomposition = text
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

// A decomposed question is the result of dev decompose. The plan has the keys of the prompts, for dev verify to read again.
type decomposed struct {
	Decomposition *soar.Plan   `json:"decomposition"`
	Verification  *soar.Review `json:"verification,omitempty"`
	Cost          api.Cost     `json:"cost"`
}

// KeepKeys implements app.Keyed.
func (decomposed) KeepKeys() {}

// A verified answer or plan is the result of dev verify.
type verified struct {
	Score   float64               `json:"score"`   // 0..1
	Verdict soar.Verdict          `json:"verdict"` // PASS, RETRY, FAIL
	Issues  []string              `json:"issues"`
	ByModel bool                  `json:"byModel"` // a model judged, besides the checks by code
	Checks  map[string]soar.Check `json:"checks"`
	Cost    api.Cost              `json:"cost"`
}

// ways says of each route how a question is answered.
var ways = map[string]string{
	"direct": "it is answered in one step", "soar": "it is worked on in phases", "index": "it is answered from the index, without a model",
}

func printAssessment(c *app.App, a *api.AssessResult) {
	fmt.Fprintf(c.Out, "%s (confidence %.2f): %s\n", a.Complexity, a.Confidence, ways[a.Route])
	if len(a.Indicators) > 0 {
		c.Wrapped("", display.Clean("Told by: "+strings.Join(a.Indicators, ", ")))
	}
}

func printDecomposed(c *app.App, d *decomposed) {
	for _, s := range d.Decomposition.Subgoals {
		after := ""
		if len(s.DependsOn) > 0 {
			after = " (after " + strings.Join(s.DependsOn, ", ") + ")"
		}
		c.Wrapped("", display.Clean(fmt.Sprintf("%s  %s%s, by %s", s.ID, s.Description, after, s.Agent)))
	}
	if r := d.Verification; r != nil {
		fmt.Fprintf(c.Out, "\nReview: ")
		printReview(c, r.Verdict, r.Overall, r.Issues())
	}
}

// printVerified prints a review. Work that does not pass is a failure.
func printVerified(c *app.App, r *api.VerifyResult) error {
	var review soar.Review
	if err := json.Unmarshal(r.Verification, &review); err != nil {
		return fmt.Errorf("read the review: %w", err)
	}
	v := verified{review.Overall, review.Verdict, r.Issues, r.ByModel, review.Checks, r.Cost}
	if c.JSON {
		if err := c.PrintJSON(v); err != nil {
			return err
		}
	} else {
		printReview(c, v.Verdict, v.Score, v.Issues)
		if !v.ByModel {
			c.Wrapped("", "Checked by code alone: order, references, places and names. What it says is not judged.")
		}
	}
	if !strings.EqualFold(string(v.Verdict), string(soar.Pass)) {
		return &app.Exit{Code: app.ExitFailed}
	}
	return nil
}

func printReview(c *app.App, verdict soar.Verdict, score float64, issues []string) {
	fmt.Fprintf(c.Out, "%s, score %.2f\n", strings.ToUpper(string(verdict)), score)
	for _, issue := range issues {
		c.Wrapped("  ", display.Clean("- "+issue))
	}
}
