package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/aurora-sidecar/aurora/cmd/aurora/internal/display"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/lsp/daemon"
	"github.com/spf13/cobra"
)

// memoryPhrase has to be typed before memory is deleted.
const memoryPhrase = "delete my memory"

// uninstallFlags say what goes beside the program, and whether it goes.
type uninstallFlags struct {
	dryRun, yes                   bool
	index, logs, settings, memory bool
}

func (c *cli) uninstallCommand() *cobra.Command {
	f := &uninstallFlags{}
	cmd := &cobra.Command{
		Use:   "uninstall",
		Short: "Remove AURORA from this machine, and say what stays",
		Long: `Remove this program, its short name, manual pages and shell completions, the link of the Neovim plugin, and what
"aurora mcp install" wrote; stop the daemons. What would be removed and what stays is shown first. A terminal then asks;
without one, nothing is removed unless you add --yes.

Your data stays unless a flag names it. Memory is the only copy of what you told AURORA: with --memory you have to type
"` + memoryPhrase + `", whatever other flags say. "aurora memory export" makes a copy before.

What a package manager installed is left to it; the command for that is printed.`,
		Example: "  aurora uninstall                  # shows, then asks\n  aurora uninstall --yes --index    # for scripts; memory, settings and logs stay\n  aurora uninstall --index --logs --settings --memory",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return c.uninstall(cmd.Context(), f) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.dryRun, "dry-run", false, "only show what would be removed")
	flags.BoolVar(&f.yes, "yes", false, "do not ask; about memory it is asked all the same")
	flags.BoolVar(&f.index, "index", false, "remove the index, too; it can be built again from your files")
	flags.BoolVar(&f.logs, "logs", false, "remove logs, conversations, history and reports, too")
	flags.BoolVar(&f.settings, "settings", false, "remove settings, tokens, trust and the account of costs, too")
	flags.BoolVar(&f.memory, "memory", false, "delete memory, too; asks for a typed confirmation")
	cmd.MarkFlagsMutuallyExclusive("dry-run", "yes")
	return cmd
}

// A removal is one thing that goes.
type removal struct {
	Sort  string `json:"sort"` // program, manual, completion, editor, client, daemon, index, logs, settings, memory
	Path  string `json:"path"`
	Bytes int64  `json:"bytes,omitempty"`
	Error string `json:"error,omitempty"` // why it is still there

	do func(context.Context) error
}

// A keeping is one thing that stays, and what to do about it.
type keeping struct {
	Path   string `json:"path"`
	What   string `json:"what"`
	Remedy string `json:"remedy,omitempty"` // how it goes: a flag, or a command
}

// An uninstallPlan is what goes, in this order, and what stays.
type uninstallPlan struct {
	Remove []removal `json:"remove"`
	Keep   []keeping `json:"keep"`
	Done   bool      `json:"done"` // it was carried out

	empty []string // folders that go when nothing is left in them, the inner ones first
}

func (p *uninstallPlan) remove(sort, path string) {
	p.Remove = append(p.Remove, removal{Sort: sort, Path: path, Bytes: sizeOf(path),
		do: func(context.Context) error { return os.RemoveAll(path) }})
}

func (p *uninstallPlan) keep(path, what, remedy string) {
	p.Keep = append(p.Keep, keeping{path, what, remedy})
}

// uninstall shows the plan, asks, and carries it out.
func (c *cli) uninstall(ctx context.Context, f *uninstallFlags) error {
	plan, err := c.planUninstall(ctx, f)
	if err != nil {
		return err
	}
	asks := !f.yes && !f.dryRun && c.asksPerson()
	if asks && !f.index && plan.keeps("index") {
		c.printPlan(plan)
		if f.index, err = c.agrees(ctx, "Remove the index, too? It can be built again."); err != nil {
			return err
		}
		if f.index {
			if plan, err = c.planUninstall(ctx, f); err != nil {
				return err
			}
		}
	} else if !c.json {
		c.printPlan(plan)
	}
	if !f.yes && !asks {
		if c.json {
			return c.printJSON(plan)
		}
		c.wrapped("", "Nothing was removed. To remove, add --yes.")
		return nil
	}
	if f.memory {
		if err := c.confirmMemory(ctx); err != nil {
			return err
		}
	}
	if asks {
		if ok, err := c.agrees(ctx, "Remove all of it?"); err != nil || !ok {
			c.wrapped("", "Nothing was removed.")
			return err
		}
	}
	return c.carryOut(ctx, plan)
}

func (p *uninstallPlan) keeps(what string) bool {
	for _, k := range p.Keep {
		if k.Remedy == "--"+what {
			return true
		}
	}
	return false
}

// agrees asks a question whose default is no.
func (c *cli) agrees(ctx context.Context, question string) (bool, error) {
	fmt.Fprintf(c.err, "%s [y/N] ", question)
	answer, _, err := c.readLine(ctx)
	answer = strings.ToLower(answer)
	return answer == "y" || answer == "yes", err
}

func (c *cli) confirmMemory(ctx context.Context) error {
	fmt.Fprintf(c.err, "Memory is the only copy of what you told AURORA. To delete it, type: %s\n", memoryPhrase)
	typed, _, err := c.readLine(ctx)
	if err != nil {
		return err
	}
	if typed != memoryPhrase {
		return failure("Nothing was removed. Leave out --memory to keep memory.", fmt.Errorf("deleting memory must be confirmed by typing: %s", memoryPhrase))
	}
	return nil
}

// planUninstall looks for everything, and changes nothing.
func (c *cli) planUninstall(ctx context.Context, f *uninstallFlags) (*uninstallPlan, error) {
	plan := &uninstallPlan{Remove: []removal{}, Keep: []keeping{}}
	own, err := os.Executable()
	if err != nil {
		return nil, failure("", fmt.Errorf("find this program: %w", err))
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
func (p *uninstallPlan) addDaemons(ctx context.Context) error {
	home, err := config.Home()
	if err != nil {
		return nil // without a home there are no daemons
	}
	running, _, err := runningDaemons(ctx)
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	for _, d := range running {
		p.Remove = append(p.Remove, removal{Sort: "daemon", Path: fmt.Sprintf("process %d, of %s", d.PID, d.Root),
			do: func(ctx context.Context) error {
				if _, err := daemon.Stop(ctx, d.place); err != nil {
					return fmt.Errorf("%w; end it by force: kill -9 %d", err, d.PID)
				}
				return nil
			}})
	}
	if dir := filepath.Join(home, "daemon"); !ownsTooMuch(home) && exists(dir) {
		p.remove("daemon", dir)
	}
	return nil
}

// carryOut goes on when something can't be removed, and fails at the end.
func (c *cli) carryOut(ctx context.Context, plan *uninstallPlan) error {
	failed := 0
	for i := range plan.Remove {
		r := &plan.Remove[i]
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.do(ctx); err != nil && !errors.Is(err, fs.ErrNotExist) {
			r.Error = err.Error()
			failed++
		}
	}
	for _, dir := range plan.empty {
		_ = os.Remove(dir)
	}
	plan.Done = true
	if c.json {
		if err := c.printJSON(plan); err != nil {
			return err
		}
	}
	for _, r := range plan.Remove {
		if r.Error != "" {
			c.warn(display.Clean(r.Path) + " is still there: " + display.Clean(r.Error))
		}
	}
	if failed > 0 {
		return failure("Remove it by hand, or as a user who may.", fmt.Errorf("%s could not be removed", display.Count(failed, "thing")))
	}
	if !c.json {
		c.wrapped("", "AURORA is uninstalled.")
	}
	return nil
}

func (c *cli) printPlan(plan *uninstallPlan) {
	if c.json {
		return
	}
	fmt.Fprintln(c.out, "To be removed:")
	if len(plan.Remove) == 0 {
		fmt.Fprintln(c.out, "  nothing")
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
		c.hanging(fmt.Sprintf("  %-10s %s", rest[0].Sort, display.Clean(config.Tilde(what))), 13)
		rest = rest[n:]
	}
	if len(plan.Keep) == 0 {
		return
	}
	fmt.Fprintln(c.out, "\nStays:")
	for _, k := range plan.Keep {
		remedy := ""
		if k.Remedy != "" {
			remedy = "; to remove: " + k.Remedy
		}
		c.hanging("  "+display.Clean(config.Tilde(k.Path))+": "+display.Clean(k.What+remedy), 4)
	}
	fmt.Fprintln(c.out)
}

// alike is how many of the first removals are printed as one: many of a sort in the same folder.
func alike(list []removal) int {
	n := 1
	for n < len(list) && list[n].Sort == list[0].Sort && filepath.Dir(list[n].Path) == filepath.Dir(list[0].Path) {
		n++
	}
	if n <= 3 {
		return 1
	}
	return n
}

func exists(path string) bool {
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
