package headless

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aurora-sidecar/aurora/index/git"
)

// An Operation is one change that a step asks for.
type Operation struct {
	Op      string   `json:"op"`   // read, write, replace, git
	Path    string   `json:"path"` // relative to the repository
	Find    string   `json:"find"` // replace: a text that occurs once
	Content string   `json:"content"`
	Args    []string `json:"args"` // git
}

// A File is a snippet of a file.
type File struct {
	Path, Text string
	Line       int // first line, one-based; 0 means 1
}

// A Guard carries out operations, those that the rules allow.
type Guard struct {
	Root      string   // of the repository, absolute
	Branch    string   // that commits are made on
	Protected []string // absolute paths that stay as they are: the prompt, the notes

	root *os.Root
}

const (
	maxContent = 1 << 20  // bytes of a file that is written
	maxShown   = 24 << 10 // bytes of a file that is read
	maxPatched = 4 << 20  // bytes of a file in which a text is replaced
	maxMessage = 5000     // bytes of a commit's message
)

// A Refusal says that the rules forbid an operation.
type Refusal struct{ Reason string }

func (r *Refusal) Error() string { return "refused: " + r.Reason }

func refuse(format string, args ...any) error { return &Refusal{fmt.Sprintf(format, args...)} }

// mainBranches are never worked on.
var mainBranches = []string{"main", "master"}

// Check fails when the branch that is checked out may not be worked on.
func (g *Guard) Check(ctx context.Context) error {
	branch, err := git.Branch(ctx, g.Root)
	if err != nil {
		return err
	}
	if branch == g.Branch && !slices.Contains(mainBranches, branch) {
		return nil
	}
	return &BranchError{Branch: branch, Required: g.Branch}
}

// A BranchError says that another branch is checked out.
type BranchError struct{ Branch, Required string }

func (e *BranchError) Error() string {
	return fmt.Sprintf("Headless mode requires '%s' branch. Run: git checkout -b %s", e.Required, e.Required)
}

// Do carries out an operation and says what came of it. What is forbidden is a *Refusal and changes nothing.
func (g *Guard) Do(ctx context.Context, op Operation) (done string, read *File, changed string, err error) {
	if g.root == nil {
		if g.root, err = os.OpenRoot(g.Root); err != nil {
			return "", nil, "", err
		}
	}
	if op.Op == "read" {
		read, err = g.read(op.Path)
		if err != nil {
			return "", nil, "", err
		}
		return "read " + op.Path, read, "", nil
	}
	if err := g.Check(ctx); err != nil { // another process may have changed it since
		return "", nil, "", err
	}
	switch op.Op {
	case "write":
		done, err = g.write(op)
		return done, nil, op.Path, err
	case "replace":
		done, err = g.replace(op)
		return done, nil, op.Path, err
	case "git":
		done, err = g.git(ctx, op.Args)
		return done, nil, "", err
	}
	return "", nil, "", refuse("%q is none of read, write, replace and git; no other program is run and nothing is deleted", op.Op)
}

// Close releases the folder.
func (g *Guard) Close() {
	if g.root != nil {
		g.root.Close()
	}
}

// place checks a path: inside of the repository, not in .git, not through a symbolic link.
func (g *Guard) place(path string) (string, error) {
	local := filepath.Clean(filepath.FromSlash(path))
	if path == "" || !filepath.IsLocal(local) {
		return "", refuse("%q is no path inside of the repository", path)
	}
	names := strings.Split(local, string(filepath.Separator))
	if slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(strings.TrimRight(name, ". "), ".git") }) {
		return "", refuse("%s belongs to git", path)
	}
	at := ""
	for _, name := range names {
		at = filepath.Join(at, name)
		info, err := g.root.Lstat(at)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return local, nil
		case err != nil:
			return "", refuse("%s can't be used: %v", path, err)
		case info.Mode()&fs.ModeSymlink != 0:
			return "", refuse("%s is, or lies behind, a symbolic link", path)
		}
	}
	return local, nil
}

// writable is place for what is changed.
func (g *Guard) writable(path string) (string, error) {
	local, err := g.place(path)
	if err != nil {
		return "", err
	}
	abs := filepath.Join(g.Root, local)
	if slices.Contains(g.Protected, abs) {
		return "", refuse("%s is not changed by the work that it guides", path)
	}
	if first, _, _ := strings.Cut(filepath.ToSlash(local), "/"); strings.EqualFold(first, ".aurora") {
		return "", refuse("%s holds AURORA's own settings", path)
	}
	if info, err := g.root.Stat(local); err == nil && !info.Mode().IsRegular() {
		return "", refuse("%s is no file", path)
	}
	return local, nil
}

func (g *Guard) read(path string) (*File, error) {
	local, err := g.place(path)
	if err != nil {
		return nil, err
	}
	text, err := g.load(local, maxShown)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return &File{Path: filepath.ToSlash(local), Text: text}, nil
}

// load reads at most limit bytes of a file of text.
func (g *Guard) load(local string, limit int64) (string, error) {
	info, err := g.root.Stat(local)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", errors.New("it is no file")
	}
	f, err := g.root.Open(local)
	if err != nil {
		return "", err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit))
	if err != nil {
		return "", err
	}
	text := strings.ToValidUTF8(string(data), "")
	if strings.ContainsRune(text, 0) {
		return "", errors.New("it is no text")
	}
	return text, nil
}

func (g *Guard) write(op Operation) (string, error) {
	local, err := g.writable(op.Path)
	if err != nil {
		return "", err
	}
	if len(op.Content) > maxContent || !utf8.ValidString(op.Content) {
		return "", refuse("%s would have %d bytes, or no text; the limit is 1 MiB of UTF-8", op.Path, len(op.Content))
	}
	if err := g.root.MkdirAll(filepath.Dir(local), 0o755); err != nil {
		return "", fmt.Errorf("write %s: %w", op.Path, err)
	}
	mode := fs.FileMode(0o644)
	if info, err := g.root.Stat(local); err == nil {
		mode = info.Mode().Perm()
	}
	if err := g.root.WriteFile(local, []byte(op.Content), mode); err != nil {
		return "", fmt.Errorf("write %s: %w", op.Path, err)
	}
	return fmt.Sprintf("wrote %s (%d lines)", op.Path, strings.Count(op.Content, "\n")), nil
}

func (g *Guard) replace(op Operation) (string, error) {
	local, err := g.writable(op.Path)
	if err != nil {
		return "", err
	}
	text, err := g.load(local, maxPatched)
	if err != nil {
		return "", fmt.Errorf("change %s: %w", op.Path, err)
	}
	if len(text) == maxPatched {
		return "", refuse("%s is too large to be changed", op.Path)
	}
	if n := strings.Count(text, op.Find); op.Find == "" || n != 1 {
		return "", fmt.Errorf("change %s: the text to be replaced occurs %d times, it must occur once", op.Path, n)
	}
	op.Content = strings.Replace(text, op.Find, op.Content, 1)
	if _, err := g.write(op); err != nil {
		return "", err
	}
	return "changed " + op.Path, nil
}

// git runs add and commit, in the forms that can do nothing else.
func (g *Guard) git(ctx context.Context, args []string) (string, error) {
	branch, err := git.Branch(ctx, g.Root)
	if err != nil {
		return "", err
	}
	if branch != g.Branch || slices.Contains(mainBranches, branch) {
		return "", refuse("git is used on the branch %s only", g.Branch)
	}
	if len(args) == 0 {
		return "", refuse("git without arguments")
	}
	switch rest := args[1:]; args[0] {
	case "add":
		return g.add(ctx, rest)
	case "commit":
		return g.commit(ctx, rest)
	}
	return "", refuse("git %s is forbidden; only git add and git commit are allowed", args[0])
}

func (g *Guard) add(ctx context.Context, args []string) (string, error) {
	var paths []string
	for _, a := range args {
		switch {
		case a == "--":
		case a == "." || a == "-A" || a == "--all":
			paths = append(paths, ".")
		case strings.HasPrefix(a, "-"):
			return "", refuse("git add %s: only paths are allowed", a)
		default:
			local, err := g.place(a)
			if err != nil {
				return "", err
			}
			paths = append(paths, local)
		}
	}
	if len(paths) == 0 {
		return "", refuse("git add without a path")
	}
	if err := git.Stage(ctx, g.Root, paths); err != nil {
		return "", err
	}
	return "git add " + strings.Join(paths, " "), nil
}

func (g *Guard) commit(ctx context.Context, args []string) (string, error) {
	if len(args) != 2 || args[0] != "-m" && args[0] != "--message" {
		return "", refuse("git commit is allowed as commit -m message, and in no other form")
	}
	message := strings.TrimSpace(args[1])
	if message == "" || len(message) > maxMessage {
		return "", refuse("the message of a commit has 1 to %d bytes", maxMessage)
	}
	hash, err := git.CommitStaged(ctx, g.Root, message)
	if err != nil {
		return "", err
	}
	return "committed " + hash, nil
}
