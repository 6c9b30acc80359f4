package testrun

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/index/git"
	"github.com/aurora-sidecar/aurora/index/vfs"
	"github.com/aurora-sidecar/aurora/internal/sandbox"
)

// limit is how long one command may take.
const limit = 2 * time.Minute

// A Runner runs commands. Nil runs none.
type Runner struct {
	trusts func(folder string) bool
	box    *sandbox.Box
}

// New returns a Runner for the folders that a person trusts, in a sandbox.
func New(trusts func(folder string) bool, box *sandbox.Box) *Runner {
	return &Runner{trusts: trusts, box: box}
}

// May reports why no command is run in a folder, nil where some are. The first call tries the sandbox, which takes some
// hundredths of a second.
func (r *Runner) May(folder string) error {
	switch {
	case r == nil:
		return fmt.Errorf("nothing is run in this process")
	case !r.trusts(folder):
		return fmt.Errorf("nothing is run in %s: it is not trusted", folder)
	}
	if err := r.box.Check(); err != nil {
		return fmt.Errorf("nothing is run, since there is no sandbox: %w", err)
	}
	return nil
}

// Changes are how a workspace would be, by absolute paths.
type Changes struct {
	Texts   map[string]string // of files that would have another text, or be new
	Removed []string          // files that would be gone
}

// Run runs a command in a subfolder of a workspace folder, as that would be with changes. An error says why it was not run, or that ctx ended.
func (r *Runner) Run(ctx context.Context, folder, subfolder, command string, changes Changes) (*Report, error) {
	if err := r.May(folder); err != nil {
		return nil, err
	}
	args, err := Parse(command)
	if err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return nil, err
	}
	result, err := r.box.Run(ctx, sandbox.Command{
		Workspace: real, Dir: filepath.Join(real, filepath.FromSlash(subfolder)), Args: args, Limit: limit, Hidden: Hidden(ctx, real),
		Replaced: below(folder, real, changes.Texts), Removed: slices.Sorted(maps.Keys(below(folder, real, setOf(changes.Removed)))),
	})
	return &Report{command, result}, err
}

// setOf are paths without texts.
func setOf(paths []string) map[string]string {
	set := map[string]string{}
	for _, p := range paths {
		set[p] = ""
	}
	return set
}

// below are texts by the paths without links.
func below(folder, real string, texts map[string]string) map[string]string {
	out := map[string]string{}
	for path, text := range texts {
		if rest, err := filepath.Rel(folder, path); err == nil && filepath.IsLocal(rest) {
			out[filepath.Join(real, rest)] = text
		}
	}
	return out
}

// Hidden tells the files that a command finds empty: those with the name of a secret that git does not track, and git's own
// settings, which may name a password.
func Hidden(ctx context.Context, folder string) func(path string) bool {
	tracked := map[string]bool{}
	if repo, err := git.Open(ctx, folder); err == nil {
		files, _ := repo.Files(ctx) // without the list, all of them are hidden
		for _, f := range files {
			if f.Tracked && vfs.SecretName(f.Path) {
				tracked[filepath.Join(folder, filepath.FromSlash(f.Path))] = true
			}
		}
	}
	return func(path string) bool {
		return strings.HasSuffix(path, "/.git/config") || vfs.SecretName(path) && !tracked[path]
	}
}

// A Report is what became of a command.
type Report struct {
	Command string
	sandbox.Result
}

// Passed reports whether the command ended well.
func (r *Report) Passed() bool { return r.Code == 0 && !r.TimedOut }

// Outcome says in a line how it ended.
func (r *Report) Outcome() string {
	took := r.Took.Round(100 * time.Millisecond)
	switch {
	case r.Exhausted != nil:
		return fmt.Sprintf("ended after %s, since it took %v", took, r.Exhausted)
	case r.TimedOut:
		return fmt.Sprintf("ended by the time limit of %s", limit)
	case r.Code < 0:
		return fmt.Sprintf("ended by a signal after %s", took)
	}
	return fmt.Sprintf("exit code %d after %s", r.Code, took)
}

// String is the report as a model reads it.
func (r *Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", r.Command, r.Outcome())
	if !r.Passed() && strings.Contains(strings.ToLower(r.Output), "read-only file system") {
		b.WriteString("It wanted to write to a place that can only be read in the sandbox, so it may pass outside of it.\n")
	}
	if strings.TrimSpace(r.Output) == "" {
		b.WriteString("It printed nothing.\n")
	}
	return b.String() + r.Output
}
