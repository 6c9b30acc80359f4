package git

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// A Repo answers questions about the repository around one folder. It is safe for concurrent use and must be closed.
type Repo struct {
	dir      string   // the folder; all paths of the API are relative to it
	root     string   // of the work tree; dir or above it
	prefix   string   // of dir below root, with '/', "" or ending in '/'
	gitDir   string   // of this work tree
	common   string   // shared by all linked work trees
	settings []string // "key=value", neutralise the filters that the repository defines

	headMu    sync.Mutex
	head      Head
	headStamp refStamp

	recentMu sync.Mutex
	recent   commitRange

	origin  originCache
	blames  *blameCache
	signals *signals
}

// Open finds the repository around dir. It fails with ErrNoGit, ErrNotRepo or ErrUntrusted, each with its cause.
func Open(ctx context.Context, dir string) (*Repo, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open repository: %w", err)
	}
	if abs, err = filepath.EvalSymlinks(abs); err != nil {
		return nil, fmt.Errorf("open repository: %w", err)
	}
	if _, err := exec.LookPath("git"); err == nil && !inRepo(abs) {
		return nil, fmt.Errorf("open repository %s: %w", abs, ErrNotRepo)
	}
	r := &Repo{dir: abs}
	if err := r.locate(ctx); err != nil {
		return nil, fmt.Errorf("open repository %s: %w", abs, err)
	}
	if r.settings, err = disabledFilters(ctx, abs); err != nil {
		return nil, fmt.Errorf("open repository %s: %w", abs, err)
	}
	r.blames, r.signals = newBlameCache(blameCacheFiles), newSignals(signalBytes)
	return r, nil
}

// inRepo reports whether a folder from dir upwards has a .git. Where none has, git would find no work tree either: what
// could point it elsewhere is not in its environment.
func inRepo(dir string) bool {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil || !errors.Is(err, fs.ErrNotExist) {
			return true // or git knows better why it can't be told
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return false
		}
		dir = parent
	}
}

// locate asks git where things are: all at once, and one by one when a path holds a newline.
func (r *Repo) locate(ctx context.Context) error {
	flags := []string{"--show-toplevel", "--show-prefix", "--absolute-git-dir", "--git-common-dir"}
	to := []*string{&r.root, &r.prefix, &r.gitDir, &r.common}
	out, err := run(ctx, r.dir, nil, nil, append([]string{"rev-parse"}, flags...)...)
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	for i, flag := range flags {
		if len(lines) == len(flags) {
			*to[i] = lines[i]
			continue
		}
		out, err := run(ctx, r.dir, nil, nil, "rev-parse", flag)
		if err != nil {
			return err
		}
		*to[i] = strings.TrimSuffix(string(out), "\n")
	}
	r.root = filepath.FromSlash(r.root)
	if !filepath.IsAbs(r.common) {
		r.common = filepath.Join(r.dir, r.common)
	}
	return nil
}

// disabledFilters returns the settings that empty every filter driver in sight. Blame, status and diff pass work tree
// files through such programs, and a repository can define them in its own settings.
func disabledFilters(ctx context.Context, dir string) ([]string, error) {
	out, err := run(ctx, dir, nil, nil, "config", "--null", "--name-only", "--get-regexp", `^filter\.`)
	var failed *CommandError
	if errors.As(err, &failed) && failed.Stderr == "" {
		return nil, nil // exit status 1: no such setting
	}
	if err != nil {
		return nil, err
	}
	var settings []string
	seen := make(map[string]bool)
	for _, key := range fields(out) {
		i := strings.LastIndexByte(key, '.')
		driver := key[:max(i, 0)]
		if len(driver) <= len("filter.") || seen[driver] {
			continue
		}
		if strings.Contains(driver, "=") {
			return nil, fmt.Errorf("%w: the name of %q hides it from being switched off", ErrUntrusted, driver)
		}
		seen[driver] = true
		settings = append(settings, driver+".clean=", driver+".smudge=", driver+".process=", driver+".required=false")
	}
	return settings, nil
}

// Dir returns the canonical folder that the repository was opened for.
func (r *Repo) Dir() string { return r.dir }

// Root returns the top folder of the work tree.
func (r *Repo) Root() string { return r.root }

// IndexFile is the file that git writes when something is staged, committed or checked out.
func IndexFile(r *Repo) string { return filepath.Join(r.gitDir, "index") }

// Shallow reports whether history ends early because the clone was made with --depth.
func (r *Repo) Shallow() bool {
	_, err := os.Lstat(filepath.Join(r.common, "shallow"))
	return err == nil
}

// Close ends the blames that still run and waits for them.
func (r *Repo) Close() error {
	r.blames.close()
	return nil
}

// run runs git in the repository's folder.
func (r *Repo) run(ctx context.Context, stdin io.Reader, args ...string) ([]byte, error) {
	return run(ctx, r.dir, r.settings, stdin, args...)
}

// relative turns a path from the root of the work tree into one from the folder; ok is false for paths elsewhere.
func (r *Repo) relative(fromRoot string) (rel string, ok bool) {
	return strings.CutPrefix(fromRoot, r.prefix)
}

// fields splits NUL-terminated output.
func fields(out []byte) []string {
	if len(out) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}
