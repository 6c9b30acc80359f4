package uninstall

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/serve"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/lsp/daemon"
	"github.com/spf13/cobra"
)

// MemoryPhrase has to be typed before memory is deleted.
const MemoryPhrase = "delete my memory"

// uninstallFlags say what goes beside the program, and whether it goes.
type uninstallFlags struct {
	dryRun, yes                   bool
	index, logs, settings, memory bool
}

func UninstallCommand(c *app.App) *cobra.Command {
	f := &uninstallFlags{}
	cmd := &cobra.Command{
		Use:   "uninstall",
		Short: "Remove AURORA from this machine, and list what stays",
		Long: `Remove this program, its short name, manual pages and shell completions, the link of the Neovim plugin, and what
"aurora setup" wrote; stop the daemons. What would be removed and what stays is shown first. A terminal then asks;
without one, nothing is removed unless you add --yes.

Your data stays unless a flag names it. Memory is the only copy of what you told AURORA, and holds the history and costs of
questions: with --memory you have to type
"` + MemoryPhrase + `", whatever other flags say. "aurora memory export" makes a copy before.

What a package manager installed is left to it; the command for that is printed.`,
		Example: "  aurora uninstall                  # shows, then asks\n  aurora uninstall --yes --index    # for scripts; memory, settings and logs stay\n  aurora uninstall --index --logs --settings --memory",
		Args:    app.UsageArgs(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return uninstall(cmd.Context(), c, f) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.dryRun, "dry-run", false, "only show what would be removed")
	flags.BoolVar(&f.yes, "yes", false, "do not ask; about memory it is asked all the same")
	flags.BoolVar(&f.index, "index", false, "remove the index, too; it can be built again from your files")
	flags.BoolVar(&f.logs, "logs", false, "remove logs, conversations, reports, and history files of an earlier version, too")
	flags.BoolVar(&f.settings, "settings", false, "remove settings, tokens and trust, too")
	flags.BoolVar(&f.memory, "memory", false, "delete memory, too, with the history and costs of questions; asks for a typed confirmation")
	cmd.MarkFlagsMutuallyExclusive("dry-run", "yes")
	return cmd
}

// A Removal is one thing that goes.
type Removal struct {
	Sort  string `json:"sort"` // program, manual, completion, editor, client, daemon, index, logs, settings, memory
	Path  string `json:"path"`
	Bytes int64  `json:"bytes,omitempty"`
	Error string `json:"error,omitempty"` // why it is still there

	Do func(context.Context) error `json:"-"`
}

// A keeping is one thing that stays, and what to do about it.
type keeping struct {
	Path   string `json:"path"`
	What   string `json:"what"`
	Remedy string `json:"remedy,omitempty"` // how it goes: a flag, or a command
}

// An UninstallPlan is what goes, in this order, and what stays.
type UninstallPlan struct {
	Remove []Removal `json:"remove"`
	Keep   []keeping `json:"keep"`
	Done   bool      `json:"done"` // it was carried out

	empty []string // folders that go when nothing is left in them, the inner ones first
}

func (p *UninstallPlan) Add(sort, path string) {
	p.Remove = append(p.Remove, Removal{Sort: sort, Path: path, Bytes: sizeOf(path),
		Do: func(context.Context) error { return os.RemoveAll(path) }})
}

func (p *UninstallPlan) keep(path, what, remedy string) {
	p.Keep = append(p.Keep, keeping{path, what, remedy})
}

// uninstall shows the plan, asks, and carries it out.
func uninstall(ctx context.Context, c *app.App, f *uninstallFlags) error {
	plan, err := planUninstall(ctx, c, f)
	if err != nil {
		return err
	}
	asks := !f.yes && !f.dryRun && c.AsksPerson()
	if asks && !f.index && plan.keeps("index") {
		printPlan(c, plan)
		if f.index, err = agrees(ctx, c, "Remove the index, too? It can be built again."); err != nil {
			return err
		}
		if f.index {
			if plan, err = planUninstall(ctx, c, f); err != nil {
				return err
			}
		}
	} else if !c.JSON {
		printPlan(c, plan)
	}
	if !f.yes && !asks {
		if c.JSON {
			return c.PrintJSON(plan)
		}
		c.Wrapped("", "Nothing was removed. To remove, add --yes.")
		return nil
	}
	if f.memory {
		if err := confirmMemory(ctx, c); err != nil {
			return err
		}
	}
	if asks {
		if ok, err := agrees(ctx, c, "Remove all of it?"); err != nil || !ok {
			c.Wrapped("", "Nothing was removed.")
			return cmp.Or(err, error(&app.Exit{Code: app.ExitFailed}))
		}
	}
	return CarryOut(ctx, c, plan)
}

func (p *UninstallPlan) keeps(what string) bool {
	for _, k := range p.Keep {
		if k.Remedy == "--"+what {
			return true
		}
	}
	return false
}

// agrees asks a question whose default is no.
func agrees(ctx context.Context, c *app.App, question string) (bool, error) {
	fmt.Fprintf(c.Err, "%s [y/N] ", question)
	answer, _, err := c.ReadLine(ctx)
	answer = strings.ToLower(answer)
	return answer == "y" || answer == "yes", err
}

func confirmMemory(ctx context.Context, c *app.App) error {
	fmt.Fprintf(c.Err, "Memory is the only copy of what you told AURORA. To delete it, type: %s\n", MemoryPhrase)
	typed, _, err := c.ReadLine(ctx)
	if err != nil {
		return err
	}
	if typed != MemoryPhrase {
		return app.Failure("Nothing was removed. Leave out --memory to keep memory.", fmt.Errorf("deleting memory must be confirmed by typing: %s", MemoryPhrase))
	}
	return nil
}

// planUninstall looks for everything, and changes nothing.
func planUninstall(ctx context.Context, c *app.App, f *uninstallFlags) (*UninstallPlan, error) {
	plan := &UninstallPlan{Remove: []Removal{}, Keep: []keeping{}}
	own, err := os.Executable()
	if err != nil {
		return nil, app.Failure("", fmt.Errorf("find this program: %w", err))
	}
	if resolved, err := filepath.EvalSymlinks(own); err == nil {
		own = resolved
	}
	if err := plan.addDaemons(ctx); err != nil {
		return nil, err
	}
	if err := plan.addClients(c); err != nil {
		return nil, err
	}
	plan.addEditors()
	plan.addData(f)
	plan.addPrograms(own) // the last: when something goes wrong before, the command can be given again
	return plan, nil
}

// addDaemons stops the processes of every project, and removes their sockets.
func (p *UninstallPlan) addDaemons(ctx context.Context) error {
	home, err := config.Home()
	if err != nil {
		return nil // without a home there are no daemons
	}
	running, _, err := serve.RunningDaemons(ctx)
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	for _, d := range running {
		p.Remove = append(p.Remove, Removal{Sort: "daemon", Path: fmt.Sprintf("process %d, of %s", d.PID, d.Root),
			Do: func(ctx context.Context) error {
				if _, err := daemon.Stop(ctx, d.Place); err != nil {
					return fmt.Errorf("%w; end it by force: kill -9 %d", err, d.PID)
				}
				return nil
			}})
	}
	if dir := filepath.Join(home, "daemon"); !ownsTooMuch(home) && Exists(dir) {
		p.Add("daemon", dir)
	}
	return nil
}

// CarryOut goes on when something can't be removed, and fails at the end.
func CarryOut(ctx context.Context, c *app.App, plan *UninstallPlan) error {
	failed := 0
	for i := range plan.Remove {
		r := &plan.Remove[i]
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.Do(ctx); err != nil && !errors.Is(err, fs.ErrNotExist) {
			r.Error = err.Error()
			failed++
		}
	}
	for _, dir := range plan.empty {
		_ = os.Remove(dir)
	}
	plan.Done = true
	if c.JSON {
		if err := c.PrintJSON(plan); err != nil {
			return err
		}
	}
	for _, r := range plan.Remove {
		if r.Error != "" {
			c.Warn(display.Clean(r.Path) + " is still there: " + display.Clean(r.Error))
		}
	}
	if failed > 0 {
		return app.Failure("Remove it by hand, or as a user who may.", fmt.Errorf("%s could not be removed", display.Count(failed, "thing")))
	}
	if !c.JSON {
		c.Wrapped("", "AURORA is uninstalled.")
	}
	return nil
}

func printPlan(c *app.App, plan *UninstallPlan) {
	if c.JSON {
		return
	}
	fmt.Fprintln(c.Out, "To be removed:")
	if len(plan.Remove) == 0 {
		fmt.Fprintln(c.Out, "  nothing")
	}
	for rest := plan.Remove; len(rest) > 0; {
		n, bytes, what := alike(rest), int64(0), rest[0].Path
		for _, r := range rest[:n] {
			bytes += r.Bytes
		}
		if n > 1 {
			what = fmt.Sprintf("%s (%d files)", filepath.Dir(what), n)
		}
		if bytes > 0 {
			what += ", " + display.Bytes(bytes)
		}
		c.Hanging(fmt.Sprintf("  %-10s %s", rest[0].Sort, display.Clean(config.Tilde(what))), 13)
		rest = rest[n:]
	}
	if len(plan.Keep) == 0 {
		return
	}
	fmt.Fprintln(c.Out, "\nStays:")
	for _, k := range plan.Keep {
		remedy := ""
		if k.Remedy != "" {
			remedy = "; to remove: " + k.Remedy
		}
		c.Hanging("  "+display.Clean(config.Tilde(k.Path))+": "+display.Clean(k.What+remedy), 4)
	}
	fmt.Fprintln(c.Out)
}

// alike is how many of the first removals are printed as one: many of a sort in the same folder.
func alike(list []Removal) int {
	n := 1
	for n < len(list) && list[n].Sort == list[0].Sort && filepath.Dir(list[n].Path) == filepath.Dir(list[0].Path) {
		n++
	}
	if n <= 3 {
		return 1
	}
	return n
}

func Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// sizeOf is what a file or folder occupies, in bytes; links are not followed.
func sizeOf(path string) int64 {
	var sum int64
	_ = filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			sum += info.Size()
		}
		return nil
	})
	return sum
}
