package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Reasons why there is nothing to ask.
var (
	ErrNoGit     = errors.New("git is not installed (or not in PATH)")
	ErrNotRepo   = errors.New("not inside a git work tree")
	ErrUntrusted = errors.New("git does not trust this repository")
	ErrClosed    = errors.New("repository is closed")
)

const (
	// commandTimeout ends a git that hangs, on a dead network drive for instance.
	commandTimeout = 30 * time.Second
	// pipeGrace is how long output is still read after git ended: long, because it only counts when something that
	// git started keeps the pipe open, or when the machine is very busy.
	pipeGrace = 5 * time.Second
)

// A CommandError is a git that ran and failed.
type CommandError struct {
	Command string // "blame", "log", ...
	Stderr  string // what git said, trimmed
	Err     error  // exit status or signal
}

func (e *CommandError) Error() string {
	if e.Stderr == "" {
		return fmt.Sprintf("git %s: %v", e.Command, e.Err)
	}
	return fmt.Sprintf("git %s: %s", e.Command, e.Stderr)
}

func (e *CommandError) Unwrap() error { return e.Err }

// hardening holds the settings that outrank those of the repository. A repository may have been unpacked from an
// archive, so its settings are as foreign as its files: each line closes a way to run a program, to write, to reach
// the network, or to bend the formats that are parsed here.
var hardening = []string{
	"core.fsmonitor=false",
	"core.hooksPath=" + os.DevNull,
	"core.askPass=",
	"credential.helper=",
	"diff.external=",
	"log.showSignature=false",
	"protocol.allow=never", // a partial clone must not fetch what it lacks
	"submodule.recurse=false",
	"status.submoduleSummary=false",
	"diff.ignoreSubmodules=dirty", // anything more runs git inside submodules, under their settings
	"gc.auto=0",
	"maintenance.auto=false",
	"diff.autoRefreshIndex=false",
	"diff.relative=false",
	"status.relativePaths=false",
	"log.follow=false",
	"blame.blankBoundary=false",
	"core.quotePath=false",
	"color.ui=false",
	"i18n.logOutputEncoding=UTF-8",
}

// keptVariables are the GIT_* variables that say where the person's own settings are. All others, such as GIT_DIR
// when the sidecar was started from a hook, would point git at another repository.
var keptVariables = map[string]bool{
	"GIT_CONFIG_GLOBAL": true, "GIT_CONFIG_SYSTEM": true, "GIT_CONFIG_NOSYSTEM": true,
	"GIT_CEILING_DIRECTORIES": true, "GIT_EXEC_PATH": true, "GIT_DISCOVERY_ACROSS_FILESYSTEM": true,
}

// environment returns the environment of every git that is run here.
func environment() []string {
	var env []string
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if strings.HasPrefix(name, "GIT_") && !keptVariables[name] {
			continue
		}
		env = append(env, v)
	}
	return append(env,
		"LC_ALL=C", "LANGUAGE=",
		"GIT_OPTIONAL_LOCKS=0",    // never refresh the index on disk
		"GIT_TERMINAL_PROMPT=0",   // never wait for a person
		"GIT_ALLOW_PROTOCOL=none", // no transport has this name
		"GIT_NO_LAZY_FETCH=1",
		"GIT_PAGER=cat",
	)
}

// command prepares a hardened git in dir; settings are further "key=value" pairs that outrank the repository's. Paths
// among args are literal, never patterns, except for subcommands that refuse that (literal false).
func command(ctx context.Context, dir string, settings []string, literal bool, args ...string) (*exec.Cmd, error) {
	path, err := exec.LookPath("git")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoGit, err)
	}
	all := []string{"--no-pager"}
	if literal {
		all = append(all, "--literal-pathspecs")
	}
	for _, list := range [][]string{hardening, settings} {
		for _, s := range list {
			all = append(all, "-c", s)
		}
	}
	cmd := exec.CommandContext(ctx, path, append(all, args...)...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, environment(), pipeGrace
	ownGroup(cmd)
	return cmd, nil
}

// run runs git in dir to its end and returns its standard output. The error is the context's when that ended the
// run, one of this package's Err values, or a *CommandError.
func run(ctx context.Context, dir string, settings []string, stdin io.Reader, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, commandTimeout,
		fmt.Errorf("git %s: no answer in %v", args[0], commandTimeout))
	defer cancel()
	cmd, err := command(ctx, dir, settings, true, args...)
	if err != nil {
		return nil, err
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("git %s: %w", args[0], context.Cause(ctx))
		}
		return nil, commandError(dir, args[0], stderr.String(), err)
	}
	return stdout.Bytes(), nil
}

// commandError tells the failures apart that callers treat differently. Git has no codes for them, only the words of
// the C locale.
func commandError(dir, name, stderr string, err error) error {
	stderr = strings.TrimSpace(stderr)
	switch {
	case strings.Contains(stderr, "dubious ownership"), strings.Contains(stderr, "unsafe repository"):
		return fmt.Errorf("%w: it belongs to another user; if you trust it: git config --global --add safe.directory %s",
			ErrUntrusted, dir)
	case strings.Contains(stderr, "not a git repository"), strings.Contains(stderr, "must be run in a work tree"):
		return ErrNotRepo
	}
	return &CommandError{Command: name, Stderr: stderr, Err: err}
}
