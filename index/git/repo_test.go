package git

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A workTree is a real repository in a temporary folder.
type workTree struct {
	t   testing.TB
	dir string
}

// isolate keeps the settings of anyone who runs the tests away from git.
func isolate(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(home, ".gitconfig"))
}

func newWorkTree(t testing.TB) *workTree {
	t.Helper()
	isolate(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &workTree{t, dir}
	w.git("init", "-q", "-b", "main")
	return w
}

// git runs git as a person would, one hour after the last time, so that ages are known.
func (w *workTree) git(args ...string) string {
	w.t.Helper()
	return w.gitAt(time.Unix(1_700_000_000, 0), "Ada", args...)
}

func (w *workTree) gitAt(when time.Time, author string, args ...string) string {
	w.t.Helper()
	date := when.UTC().Format(time.RFC3339)
	cmd := exec.Command("git", args...)
	cmd.Dir = w.dir
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME="+author, "GIT_AUTHOR_EMAIL=a@example.org", "GIT_AUTHOR_DATE="+date,
		"GIT_COMMITTER_NAME="+author, "GIT_COMMITTER_EMAIL=a@example.org", "GIT_COMMITTER_DATE="+date)
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (w *workTree) write(rel, text string) {
	w.t.Helper()
	path := filepath.Join(w.dir, rel)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

// commit adds everything and commits it, hours after the epoch of the tests.
func (w *workTree) commit(hours int, author, subject string) {
	w.t.Helper()
	w.git("add", "-A")
	w.gitAt(at(hours), author, "commit", "-q", "-m", subject)
}

func at(hours int) time.Time {
	return time.Unix(1_700_000_000, 0).Add(time.Duration(hours) * time.Hour)
}

func (w *workTree) open() *Repo { return w.openAt("") }

func (w *workTree) openAt(rel string) *Repo {
	w.t.Helper()
	r, err := Open(context.Background(), filepath.Join(w.dir, rel))
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = r.Close() })
	return r
}

func TestOpenTellsReasonsApart(t *testing.T) {
	isolate(t)
	ctx := context.Background()
	if _, err := Open(ctx, t.TempDir()); !errors.Is(err, ErrNotRepo) {
		t.Errorf("outside a repository: %v, want ErrNotRepo", err)
	}
	if _, err := Open(ctx, filepath.Join(t.TempDir(), "missing")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing folder: %v, want ErrNotExist", err)
	}
	w := newWorkTree(t)
	if _, err := Open(ctx, filepath.Join(w.dir, ".git")); !errors.Is(err, ErrNotRepo) {
		t.Errorf("inside .git: %v, want ErrNotRepo", err)
	}
	bare := t.TempDir()
	w.git("init", "-q", "--bare", bare)
	if _, err := Open(ctx, bare); !errors.Is(err, ErrNotRepo) {
		t.Errorf("bare repository: %v, want ErrNotRepo", err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := Open(ctx, w.dir); !errors.Is(err, ErrNoGit) {
		t.Errorf("without git: %v, want ErrNoGit", err)
	}
}

func TestOpenRefusesForeignRepository(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give a folder away")
	}
	w := newWorkTree(t)
	if err := os.Chown(w.dir, 4242, 4242); err != nil {
		t.Skip(err)
	}
	if err := os.Chown(filepath.Join(w.dir, ".git"), 4242, 4242); err != nil {
		t.Skip(err)
	}
	_, err := Open(context.Background(), w.dir)
	if !errors.Is(err, ErrUntrusted) || !strings.Contains(err.Error(), "safe.directory") {
		t.Errorf("got %v, want ErrUntrusted and the way out", err)
	}
}

func TestOpenIgnoresInheritedGitDir(t *testing.T) {
	other := newWorkTree(t)
	w := newWorkTree(t)
	t.Setenv("GIT_DIR", filepath.Join(other.dir, ".git"))
	t.Setenv("GIT_WORK_TREE", other.dir)
	r, err := Open(context.Background(), w.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if r.Root() != w.dir {
		t.Errorf("root %q, want %q", r.Root(), w.dir)
	}
}

func TestHeadFollowsEveryMove(t *testing.T) {
	w := newWorkTree(t)
	r := w.open()
	ctx := context.Background()
	head := func() Head {
		t.Helper()
		h, err := r.Head(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	if h := head(); !h.Unborn() || h.Branch != "main" {
		t.Errorf("before the first commit: %+v", h)
	}
	w.write("a", "1")
	w.commit(0, "Ada", "one")
	first := head()
	if first.Commit != w.git("rev-parse", "HEAD") {
		t.Errorf("after a commit: %+v", first)
	}
	w.git("checkout", "-q", "-b", "feature/x")
	if h := head(); h.Branch != "feature/x" || h.Commit != first.Commit {
		t.Errorf("on a new branch: %+v", h)
	}
	w.git("pack-refs", "--all")
	w.write("a", "2")
	w.commit(1, "Ada", "two")
	if h := head(); h.Commit == first.Commit || h.Commit != w.git("rev-parse", "HEAD") {
		t.Errorf("after packing and a commit: %+v", h)
	}
	w.git("checkout", "-q", first.Commit)
	if h := head(); h.Branch != "" || h.Commit != first.Commit {
		t.Errorf("detached: %+v", h)
	}
}

func TestCancelledCommandEnds(t *testing.T) {
	w := newWorkTree(t)
	r := w.open()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := r.Files(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want Canceled", err)
	}
}

// A repository whose settings name programs must not get any of them run.
func TestRepositorySettingsRunNothing(t *testing.T) {
	w := newWorkTree(t)
	w.write("a.go", "package a\n")
	w.write("b c.go", "package b\n")
	w.commit(0, "Ada", "one")

	trap := filepath.Join(t.TempDir(), "trap.sh")
	sprung := trap + ".sprung"
	if err := os.WriteFile(trap, []byte("#!/bin/sh\necho \"$0 $*\" >> '"+sprung+"'\ncat\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, setting := range []string{
		"core.fsmonitor", "filter.trap.clean", "filter.trap.smudge", "filter.trap.process", "filter.a.b.clean",
		"diff.trap.textconv", "diff.trap.command", "diff.external", "gpg.program", "core.pager", "pager.log",
		"pager.blame", "core.askPass", "core.sshCommand", "core.editor", "credential.helper", "alias.blame", "alias.log",
	} {
		w.git("config", setting, trap)
	}
	w.git("config", "filter.trap.required", "true")
	w.git("config", "log.showSignature", "true")
	hooks := filepath.Join(w.dir, ".git", "hooks")
	for _, hook := range []string{"post-index-change", "post-checkout", "pre-auto-gc", "fsmonitor-watchman"} {
		if err := os.MkdirAll(hooks, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(hooks, hook), []byte("#!/bin/sh\necho hook >> '"+sprung+"'\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	w.write(".gitattributes", "a.go filter=trap diff=trap\n*.go filter=a.b diff=trap\n")
	w.write("a.go", "package a\n\nvar X int\n")

	r := w.open()
	ctx := context.Background()
	if _, err := r.History(ctx, "a.go", 0, 2); err != nil {
		t.Error(err)
	}
	if _, err := r.HistoryText(ctx, "b c.go", []byte("package c\n"), 0, 0); err != nil {
		t.Error(err)
	}
	if _, err := r.Status(ctx); err != nil {
		t.Error(err)
	}
	if _, err := r.ChangedFiles(ctx, time.Time{}); err != nil {
		t.Error(err)
	}
	if _, err := r.Log(ctx, LogOptions{Path: "a.go"}); err != nil {
		t.Error(err)
	}
	if _, err := r.Files(ctx); err != nil {
		t.Error(err)
	}
	c := r.NewIgnoreChecker()
	defer c.Close()
	if _, err := c.Check(ctx, "a.go"); err != nil {
		t.Error(err)
	}
	if said, err := os.ReadFile(sprung); err == nil {
		t.Errorf("git ran programs of the repository's choice:\n%s", said)
	}
}

func TestFilterNameThatCannotBeDisabled(t *testing.T) {
	w := newWorkTree(t)
	w.git("config", "filter.a=b.clean", "cat")
	if _, err := Open(context.Background(), w.dir); !errors.Is(err, ErrUntrusted) {
		t.Errorf("got %v, want ErrUntrusted", err)
	}
}

// What the repository says is done to files on their way into a commit would run a program; what the person says is theirs.
func TestStageRunsNoProgramOfTheRepository(t *testing.T) {
	w := newWorkTree(t)
	w.write("a.txt", "one\n")
	w.commit(0, "Ada", "one")
	w.write(".gitattributes", "* filter=trap\n")
	trap, ran := filepath.Join(t.TempDir(), "trap.sh"), filepath.Join(t.TempDir(), "ran")
	if err := os.WriteFile(trap, []byte("#!/bin/sh\necho ran > '"+ran+"'\ncat\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	w.git("config", "filter.trap.clean", trap)
	w.write("a.txt", "two\n")
	if err := Stage(t.Context(), w.dir, []string{"a.txt"}); !errors.Is(err, ErrUntrusted) || !strings.Contains(err.Error(), "filter.trap.clean") {
		t.Errorf("staged: %v", err)
	}
	if _, err := CommitStaged(t.Context(), w.dir, "two"); !errors.Is(err, ErrUntrusted) {
		t.Errorf("committed: %v", err)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("the repository's program ran")
	}
	w.git("config", "--unset", "filter.trap.clean")
	settings := filepath.Join(t.TempDir(), "gitconfig")
	if err := os.WriteFile(settings, []byte("[filter \"trap\"]\n\tclean = "+trap+"\n[user]\n\tname = Ada\n\temail = ada@example.com\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GIT_CONFIG_GLOBAL", settings)
	if err := Stage(t.Context(), w.dir, []string{"a.txt"}); err != nil {
		t.Error(err)
	}
	if _, err := CommitStaged(t.Context(), w.dir, "two"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(ran); err != nil {
		t.Errorf("the person's own filter did not run: %v", err)
	}
}
