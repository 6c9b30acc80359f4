package agents

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/headless"
	"github.com/aurora-sidecar/aurora/index/git"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/show"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/spf13/cobra"
)

// HeadlessFlags are the flags of headless mode.
type HeadlessFlags struct {
	On                 bool // of "aurora --headless"
	prompt, scratchpad string
	iterations         int
	budget             float64
}

func (f *HeadlessFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.prompt, "prompt", "", "file with the goal and the safety rules (default headless/prompt.md)")
	flags.StringVar(&f.scratchpad, "scratchpad", "", "file with the notes (default headless/scratchpad.md)")
	flags.IntVar(&f.iterations, "max-iterations", 0, "most iterations of this run (default headless.default_max_iterations)")
	flags.Float64Var(&f.budget, "budget-limit", 0, "most US dollars of the experiment, over all its runs (default BUDGET_LIMIT of the prompt, else headless.default_budget_limit_usd)")
	_ = cmd.MarkFlagFilename("prompt", "md")
	_ = cmd.MarkFlagFilename("scratchpad", "md")
}

// AddToRoot makes "aurora --headless" the same as "aurora headless". Its help is that of the subcommand.
func (f *HeadlessFlags) AddToRoot(root *cobra.Command) {
	root.Flags().BoolVar(&f.On, "headless", false, "work toward the goal of a prompt, see aurora headless")
	f.add(root)
	for _, name := range []string{"headless", "prompt", "scratchpad", "max-iterations", "budget-limit"} {
		_ = root.Flags().MarkHidden(name)
	}
}

// HeadlessCommands work toward a goal with nobody watching.
func HeadlessCommands(c *app.App) *cobra.Command {
	f, goal := &HeadlessFlags{}, ""
	cmd := &cobra.Command{
		Use:   "headless",
		Short: "Work on a goal unattended, on a branch of its own",
		Long: `Work on the goal of a prompt unattended. Each iteration asks a question as "aurora ask" does,
carries out the step that follows, writes down what came of it, and has the goal judged. It needs a model.

It works on the branch "headless" only, never on main or master. It makes and edits files inside of the repository,
and runs git add and git commit; nothing is deleted, no hook runs, and nothing else is run but, in a project that you
trust, tests in a sandbox. To throw everything away: git checkout main && git branch -D headless.

It stops when the goal is reached (exit code 0), for a prompt with a line such as "CHECK: go test ./..." when that passes, after the last iteration, or when the money is spent (exit code 1).
Run again, it goes on from its notes. "aurora --headless" is the same.`,
		Example: `  git checkout -b headless
  aurora headless --init "go test ./... passes with the cache switched on"
  aurora headless --max-iterations 10 --budget-limit 5.00
  until grep -q "GOAL_ACHIEVED" headless/scratchpad.md; do aurora headless || break; done`,
		Args: app.NoSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("init") {
				return headlessInit(c, goal)
			}
			return Headless(c, cmd, f)
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&goal, "init", "", "only write a prompt with the safety rules and this `goal`")
	return cmd
}

func headlessInit(c *app.App, goal string) error {
	root, settings, err := headlessProject(c)
	if err != nil {
		return err
	}
	path := filepath.Join(root, promptPath)
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return app.Failure("Edit it, or remove it first.", fmt.Errorf("%s is there already", path))
	}
	text := headless.Template
	if goal = strings.TrimSpace(goal); goal != "" {
		text = headless.WithGoal(goal)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		return err
	}
	if c.JSON {
		return c.PrintJSON(map[string]string{"prompt": path})
	}
	fmt.Fprintf(c.Out, "Wrote %s. Put one goal into it that can be measured, then: git checkout -b %s && aurora headless\n", display.Clean(path), settings.Headless.RequiredBranch)
	return nil
}

// headlessProject returns the project and its settings.
func headlessProject(c *app.App) (string, *config.Settings, error) {
	root, err := workspace.ProjectRoot(c, ".")
	if err != nil {
		return "", nil, err
	}
	p := &workspace.Parts{}
	if err := workspace.LoadSettings(c, p, workspace.Wiring{Root: root}); err != nil {
		return "", nil, err
	}
	return root, p.Settings, nil
}

// Where a project keeps the goal and the notes of unattended work, and what stands in the notes in the end.
const (
	promptPath   = "headless/prompt.md"
	notesPath    = "headless/scratchpad.md"
	goalSignal   = "GOAL_ACHIEVED"
	budgetSignal = "BUDGET_EXCEEDED"
)

func Headless(c *app.App, cmd *cobra.Command, f *HeadlessFlags) error {
	ctx := cmd.Context()
	if cmd.Flags().Changed("max-iterations") && f.iterations < 1 || !(f.budget >= 0) {
		return app.UsageError("See: aurora headless --help", "--max-iterations must be at least 1 and --budget-limit not negative")
	}
	root, settings, err := headlessProject(c)
	if err != nil {
		return err
	}
	if !settings.Headless.Enabled {
		return app.Failure("Set headless.enabled to true in ~/.aurora/config.json.", errors.New("headless mode is switched off"))
	}
	unlock, err := lockHeadless(ctx, c, root, settings)
	if err != nil {
		return err
	}
	defer unlock()
	o, err := headlessOptions(c, cmd, f, root, settings)
	if err != nil {
		return err
	}
	if err := o.Guard.Check(ctx); err != nil {
		return app.Failure("", err)
	}
	s, err := workspace.OpenProject(ctx, c)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.WaitReady(ctx, workspace.IndexTimeout); err != nil {
		return err
	}
	status, err := s.Parts.Engine.Reasoner().Headless(ctx, *o)
	if status != nil {
		if err := printHeadless(c, status); err != nil {
			return err
		}
	}
	var typed *engine.Error
	if err != nil && (status == nil || errors.As(err, &typed) || ctx.Err() != nil) {
		return err
	}
	if err != nil || status.Word != goalSignal {
		return &app.Exit{Code: app.ExitFailed}
	}
	return nil
}

// lockHeadless keeps a second run out, before the notes are read: it would write over what the first one wrote.
func lockHeadless(ctx context.Context, c *app.App, root string, settings *config.Settings) (unlock func(), err error) {
	if top, err := git.Top(ctx, root); err != nil || !samePlace(top, root) {
		return nil, app.Failure("Run: git init && git checkout -b "+settings.Headless.RequiredBranch, errors.Join(fmt.Errorf("%s is not the top folder of a git repository", root), err))
	}
	unlock, err = headless.Lock(ctx, root)
	if errors.Is(err, headless.ErrRunning) {
		return nil, app.Failure("Wait until it ends, or interrupt it: both would write "+notesPath+" and commit. For work side by side: git worktree add", err)
	}
	return unlock, err
}

// samePlace compares two folders, symbolic links resolved.
func samePlace(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

func headlessOptions(c *app.App, cmd *cobra.Command, f *HeadlessFlags, root string, settings *config.Settings) (*headless.Options, error) {
	h := settings.Headless
	promptFile, notesFile := filepath.Join(root, promptPath), filepath.Join(root, notesPath)
	for _, given := range []struct{ flag, to *string }{{&f.prompt, &promptFile}, {&f.scratchpad, &notesFile}} {
		if *given.flag == "" {
			continue
		}
		abs, err := filepath.Abs(*given.flag)
		if err != nil {
			return nil, err
		}
		*given.to = abs
	}
	prompt, err := headless.ReadPrompt(promptFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, app.Failure("Run: aurora headless --init", err)
	}
	if err != nil {
		return nil, app.Failure("Edit it. What it must hold, aurora headless --init writes where there is none.", err)
	}
	notes, err := headless.OpenScratchpad(notesFile, c.Now(), goalSignal, budgetSignal)
	if err != nil {
		return nil, app.Failure("", err)
	}
	o := &headless.Options{
		Guard:  headless.Guard{Root: root, Branch: h.RequiredBranch, Protected: []string{promptFile, notesFile}},
		Prompt: prompt, Scratchpad: notes, MaxIterations: h.DefaultMaxIterations, LimitUSD: h.DefaultBudgetLimitUSD,
		GoalSignal: goalSignal, BudgetSignal: budgetSignal, Now: c.Now, Tell: func(i headless.Iteration) { tellIteration(c, i) },
	}
	if prompt.Budget != nil {
		o.LimitUSD = *prompt.Budget
	}
	if cmd.Flags().Changed("budget-limit") {
		o.LimitUSD = f.budget
	}
	if cmd.Flags().Changed("max-iterations") {
		o.MaxIterations = f.iterations
	}
	if o.LimitUSD < 0 || o.MaxIterations < 1 {
		return nil, app.UsageError("See: aurora headless --help", "--max-iterations must be at least 1 and --budget-limit not negative")
	}
	return o, nil
}

func tellIteration(c *app.App, i headless.Iteration) {
	if c.JSON {
		_ = show.PrintLine(c, map[string]any{
			"iteration": i.Number, "action": i.Entry.Action, "observation": i.Entry.Observation, "nextStep": i.Entry.Next, "decision": i.Entry.Decision, "usd": i.USD,
		})
		return
	}
	fmt.Fprintf(c.Err, "Iteration %d / %d ($%.4f): %s\n", i.Number, i.Last, i.USD, display.Clean(show.OneLineOf(i.Entry.Action)))
	stderrLine(c, "  ", i.Entry.Observation)
	if i.Entry.Decision != "" {
		stderrLine(c, "  ", i.Entry.Decision)
	}
}

func stderrLine(c *app.App, indent, text string) {
	for _, line := range display.Wrap(display.Clean(show.OneLineOf(text)), app.DefaultWidth-len(indent)) {
		fmt.Fprintln(c.Err, indent+line)
	}
}

func printHeadless(c *app.App, s *headless.Status) error {
	if c.JSON {
		return show.PrintLine(c, map[string]any{"status": s.Word, "reason": s.Reason, "usd": s.USD, "iterations": s.Iterations})
	}
	fmt.Fprintf(c.Out, "%s: %s (%s, $%.4f)\n", s.Word, display.Clean(show.OneLineOf(s.Reason)), display.Count(s.Iterations, "iteration"), s.USD)
	return nil
}
