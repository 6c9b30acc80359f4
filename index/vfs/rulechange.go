package vfs

import (
	"context"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A Change says what the change of a file means for the rules of a folder.
type Change int

// The changes, what matters more last.
const (
	NoRule       Change = iota
	TrackedFiles        // git may track other files than before
	IgnoreRules         // other files may be left out
	Repository          // the repository of the folder itself came, went or was replaced: another Filter is needed
)

// Changed must be told of paths that changed, in the folder or among RuleFiles. It says what that means, and forgets the old
// rules; Refresh then reads those that are needed before the next scan.
func (f *Filter) Changed(abs string) Change {
	c := f.meaning(abs)
	if c != NoRule {
		f.forget()
	}
	return c
}

func (f *Filter) meaning(abs string) Change {
	rel, inside := f.folder.relCanonical(abs)
	name := filepath.Base(abs)
	switch {
	case inside && name == ".contextignore", inside && name == ".gitignore":
		return IgnoreRules
	case f.options.NoGitignore:
		return NoRule
	case inside && rel == ".git":
		return Repository
	case inside && name == ".git":
		f.git.bear(path.Dir(rel))
		return IgnoreRules
	case f.git == nil && inside && path.Dir(rel) == ".git":
		return Repository // it is complete now, perhaps
	}
	return f.git.change(abs)
}

// Moved must be told when folders came or went: the ignore files in them did, too.
func (f *Filter) Moved() { f.forget() }

// forget has all ignore files read again.
func (f *Filter) forget() {
	if f.ignore != nil {
		f.ignore.reset()
	}
	f.context.reset()
	if f.git != nil {
		f.git.reset()
	}
}

// Refresh finds out what a change has brought, so that folders can be judged before the next scan. It reports whether anything
// may be different: git's index changes often without that.
func (f *Filter) Refresh(ctx context.Context, c Change) bool {
	if f.git == nil {
		return c != TrackedFiles
	}
	if c == TrackedFiles && !f.git.tracksOthers(ctx) {
		return false
	}
	_, _, _ = f.git.list(ctx) // the scan that follows tells what goes wrong
	return true
}

// RuleFiles returns the files outside of what is indexed, there or not, that must be followed for Changed.
func (f *Filter) RuleFiles(ctx context.Context) []string {
	if f.options.NoGitignore {
		return nil
	}
	if f.git == nil {
		return []string{f.folder.Abs(".git/HEAD")}
	}
	return f.git.ruleFiles(ctx)
}

// tracksOthers reports whether git tracks other files than at the last listing.
func (g *gitRules) tracksOthers(ctx context.Context) bool {
	others := false
	for _, r := range g.all() {
		sum, err := r.repo.TrackedSum(ctx)
		g.mu.Lock()
		others = others || err != nil || sum != r.sum
		g.mu.Unlock()
	}
	return others
}

// ruleFiles asks each repository once for its files, until reset.
func (g *gitRules) ruleFiles(ctx context.Context) []string {
	rules := map[string]Change{}
	for _, r := range g.all() {
		g.mu.Lock()
		files := r.files
		g.mu.Unlock()
		if files == nil {
			files = r.repo.RuleFiles(ctx)
		}
		g.mu.Lock()
		r.files = files
		g.mu.Unlock()
		for i, file := range files {
			rules[file] = IgnoreRules
			if i == 0 {
				rules[file] = TrackedFiles
			}
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, place := range g.born {
		rules[g.folder.Abs(place+"/.git/HEAD")] = IgnoreRules
	}
	g.rules = rules
	return slices.Sorted(maps.Keys(rules))
}

// bear notes that a repository has come; it is nil-safe.
func (g *gitRules) bear(place string) {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if !slices.Contains(g.born, place) {
		g.born = append(g.born, place)
	}
}

// change says what the change of a file outside of the tree means; it is nil-safe.
func (g *gitRules) change(abs string) Change {
	if g == nil {
		return NoRule
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.rules[abs]
}

// ignoresOutput reports whether the folder's .gitignore speaks of output folders of this name. Then git knows which of them
// hold what was built, and the name alone says nothing.
func (g *gitRules) ignoresOutput(name string) bool {
	if g == nil {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.outputs[name]
}

// ignoredOutputs reads which output folders the .gitignore of a folder speaks of.
func ignoredOutputs(root string) map[string]bool {
	names := map[string]bool{}
	for _, p := range readIgnoreFile(filepath.Join(root, ".gitignore"), ".gitignore", "") {
		for part := range strings.SplitSeq(strings.ToLower(p.text), "/") {
			if outputFolders[part] {
				names[part] = true
			}
		}
	}
	return names
}
