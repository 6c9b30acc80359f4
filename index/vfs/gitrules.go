package vfs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/aurora-sidecar/aurora/index/git"
)

// nestedDepth is how deep repositories inside repositories are followed.
const nestedDepth = 8

// gitRules asks git about one folder and the repositories nested in it. Safe for concurrent use.
type gitRules struct {
	folder Folder

	mu      sync.Mutex
	repos   []*gitRepo          // longest place first; the folder's own repository is the last
	tracked map[string]struct{} // folders that hold tracked files; nil before the first listing
	outputs map[string]bool     // output folders that the folder's own .gitignore speaks of, as of the last listing
	closed  []string            // places where git has repositories that can't be opened, such as a submodule that is not checked out
	born    []string            // places of repositories that came, and may not be complete yet
	rules   map[string]Change   // files that say what git tracks and ignores, by absolute path
}

type gitRepo struct {
	place   string      // relative to the folder, "" is the folder itself
	mark    os.FileInfo // of its .git, nil for the folder's own
	repo    *git.Repo
	checker *git.IgnoreChecker
	sum     [32]byte // of what is tracked; guarded by gitRules.mu
	files   []string // RuleFiles of repo; nil before they are needed; guarded by gitRules.mu
}

// openGitRules returns nil where git cannot decide, with a warning unless that is normal.
func openGitRules(ctx context.Context, folder Folder) (*gitRules, string) {
	repo, err := git.Open(ctx, folder.Path)
	switch {
	case errors.Is(err, git.ErrNotRepo), ctx.Err() != nil:
		return nil, ""
	case errors.Is(err, git.ErrNoGit):
		if _, err := os.Lstat(filepath.Join(folder.Path, ".git")); err != nil {
			return nil, ""
		}
		return nil, "git is not installed: .gitignore is read without it, history is not available"
	case err != nil:
		return nil, fmt.Sprintf("git cannot be used here, .gitignore is read without it: %v", err)
	}
	g := &gitRules{folder: folder, repos: []*gitRepo{newGitRepo("", repo)}}
	if g.folderIsIgnored(ctx, repo) {
		g.close()
		return nil, ""
	}
	return g, ""
}

func newGitRepo(place string, repo *git.Repo) *gitRepo {
	return &gitRepo{place: place, repo: repo, checker: repo.NewIgnoreChecker()}
}

// folderIsIgnored reports whether a repository further up ignores the whole folder. Anyone who opens it all the same
// means what is in it, so that repository has no say.
func (g *gitRules) folderIsIgnored(ctx context.Context, repo *git.Repo) bool {
	if repo.Root() == repo.Dir() {
		return false
	}
	outer, err := git.Open(ctx, repo.Root())
	if err != nil {
		return false
	}
	defer outer.Close()
	checker := outer.NewIgnoreChecker()
	defer checker.Close()
	rel, err := filepath.Rel(outer.Dir(), repo.Dir())
	if err != nil {
		return false
	}
	match, err := checker.Check(ctx, filepath.ToSlash(rel))
	return err == nil && match.Ignored()
}

func (g *gitRules) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, r := range g.repos {
		r.checker.Close()
		_ = r.repo.Close()
	}
}

// reset has everything read again that git was asked.
func (g *gitRules) reset() {
	for _, r := range g.all() {
		r.checker.Reset()
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, r := range g.repos {
		r.files = nil
	}
}

func (g *gitRules) all() []*gitRepo {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.repos)
}

// check asks the innermost repository around rel.
func (g *gitRules) check(ctx context.Context, rel string) (git.IgnoreMatch, error) {
	for _, r := range g.all() {
		if inside, ok := below(rel, r.place); ok {
			return r.checker.Check(ctx, inside)
		}
	}
	return git.IgnoreMatch{}, git.ErrNotRepo
}

// closedAround returns the place of a repository that can't be opened and that a file lies in, "" for none: a listing has nothing
// of it.
func (g *gitRules) closedAround(rel string) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, place := range g.closed {
		if strings.HasPrefix(rel, place+"/") {
			return place
		}
	}
	return ""
}

// below makes rel relative to place; ok is false when it lies elsewhere.
func below(rel, place string) (string, bool) {
	if place == "" {
		return rel, true
	}
	return strings.CutPrefix(rel, place+"/")
}

// holdsTracked reports whether git tracks a file below the folder rel. The answer is as old as the last listing.
func (g *gitRules) holdsTracked(ctx context.Context, rel string) bool {
	g.mu.Lock()
	known := g.tracked != nil
	g.mu.Unlock()
	if !known {
		if _, _, err := g.list(ctx); err != nil {
			return false
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	_, ok := g.tracked[rel]
	return ok
}

// list returns everything in the folder that git does not ignore, nested repositories included, sorted.
func (g *gitRules) list(ctx context.Context) ([]string, []Problem, error) {
	l := &gitListing{rules: g, tracked: make(map[string]struct{}), seen: map[*gitRepo]bool{}}
	if err := l.repository(ctx, "", 0); err != nil {
		return nil, nil, err
	}
	slices.Sort(l.paths)
	outputs := ignoredOutputs(g.folder.Path)
	g.mu.Lock()
	g.tracked, g.outputs, g.closed = l.tracked, outputs, l.closed
	g.mu.Unlock()
	for _, r := range g.dropOthers(l.seen) {
		r.checker.Close()
		_ = r.repo.Close()
	}
	return l.paths, l.problems, nil
}

// dropOthers forgets the repositories that are no more, and returns them.
func (g *gitRules) dropOthers(seen map[*gitRepo]bool) (gone []*gitRepo) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.repos = slices.DeleteFunc(g.repos, func(r *gitRepo) bool {
		if !seen[r] {
			gone = append(gone, r)
		}
		return !seen[r]
	})
	return gone
}

// repoAt returns the repository whose top is place, opened now if it is new.
func (g *gitRules) repoAt(ctx context.Context, place string) (*gitRepo, error) {
	abs := g.folder.Abs(place)
	mark, _ := os.Lstat(filepath.Join(abs, ".git")) // without it git says what is wrong
	for _, r := range g.all() {
		if r.place == place && (place == "" || mark != nil && os.SameFile(r.mark, mark)) {
			return r, nil
		}
	}
	repo, err := git.Open(ctx, abs)
	if err != nil {
		return nil, err
	}
	if repo.Root() != abs { // an empty submodule: the repository is the outer one
		_ = repo.Close()
		return nil, git.ErrNotRepo
	}
	r := newGitRepo(place, repo)
	r.mark = mark
	g.mu.Lock()
	defer g.mu.Unlock()
	g.repos = append(g.repos, r)
	slices.SortStableFunc(g.repos, func(a, b *gitRepo) int { return len(b.place) - len(a.place) })
	return r, nil
}

// A gitListing gathers the paths of a repository and of those inside it.
type gitListing struct {
	rules    *gitRules
	paths    []string
	problems []Problem // nested repositories that could not be listed
	tracked  map[string]struct{}
	seen     map[*gitRepo]bool
	closed   []string
}

func (l *gitListing) repository(ctx context.Context, place string, depth int) error {
	repo, err := l.rules.repoAt(ctx, place)
	if err != nil {
		return err
	}
	l.seen[repo] = true
	files, err := repo.repo.Files(ctx)
	if err != nil {
		return err
	}
	sum := git.SumTracked(files)
	l.rules.mu.Lock()
	repo.sum = sum
	l.rules.mu.Unlock()
	for _, file := range files {
		rel := path.Join(place, file.Path)
		if file.Tracked {
			l.markTracked(rel, place)
			if file.Nested {
				l.tracked[rel] = struct{}{}
			}
		}
		if !file.Nested {
			l.paths = append(l.paths, rel)
			continue
		}
		if depth < nestedDepth && isRealDir(l.rules.folder.Abs(rel)) {
			if err := l.repository(ctx, rel, depth+1); err != nil {
				l.problems = append(l.problems, Problem{Path: rel, Err: err})
				l.closed = append(l.closed, rel)
			}
		}
	}
	return nil
}

// markTracked notes every folder above a tracked path, up to the top of its repository: that a repository lies in a folder
// doesn't mean that anybody tracks the folder.
func (l *gitListing) markTracked(rel, place string) {
	for dir := path.Dir(rel); dir != "." && dir != place; dir = path.Dir(dir) {
		if _, known := l.tracked[dir]; known {
			return
		}
		l.tracked[dir] = struct{}{}
	}
}
