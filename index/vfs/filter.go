package vfs

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"strings"
)

// A Reason is the kind of rule behind a Verdict.
type Reason string

// The reasons, in the order in which they are tried.
const (
	OutsideFolder    Reason = "outside"
	OutsideWatch     Reason = "outside the watch paths"
	NotAFile         Reason = "not a regular file"
	IgnoredFolder    Reason = "ignored folder"
	Secret           Reason = "secret"
	IgnorePattern    Reason = "ignore pattern"
	Gitignored       Reason = "gitignore"
	Contextignored   Reason = "contextignore"
	BlockedExtension Reason = "extension"
	TooLarge         Reason = "size"
)

// A Verdict says whether a file is indexed and, when not, by which rule.
type Verdict struct {
	Indexed bool
	Reason  Reason
	Rule    string // in words: "git: *.log in .gitignore:3"; "" when Indexed
}

var accepted = Verdict{Indexed: true}

func refused(reason Reason, rule string) Verdict { return Verdict{Reason: reason, Rule: rule} }

// A Filter decides which files of one folder are indexed. It must be closed. Safe for concurrent use.
type Filter struct {
	folder   Folder
	options  FilterOptions
	log      *slog.Logger
	home     string // the home folder relative to the folder, "" when it is not inside
	scope    scope
	extra    []pattern
	large    []pattern // SizeExceptions
	allow    map[string]bool
	block    map[string]bool
	projects []project
	ignoreRules
	links    linkTargets
	warnings []string
}

// ignoreRules are those that stand in files.
type ignoreRules struct {
	git     *gitRules   // nil when git is not asked
	ignore  *ignoreTree // .gitignore without git; nil when not wanted
	context *ignoreTree // .contextignore
}

// NewFilter prepares the rules of folder; log (nil discards) gets every refusal. Git is asked where it can be; otherwise
// .gitignore files are read here, and Warnings says so.
func NewFilter(ctx context.Context, folder Folder, o FilterOptions, log *slog.Logger) *Filter {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	f := &Filter{
		folder: folder, options: o.WithDefaults(), log: log, scope: newScope(folder, o.WatchPaths),
		allow: extensionSet(o.Extensions), block: extensionSet(o.BlockExtensions),
		extra: settingsPatterns(o.Ignore, true), large: settingsPatterns(o.SizeExceptions, false),
	}
	f.warnings = f.scope.warnings
	if rel, inside := folder.relCanonical(homeFolder()); inside {
		f.home = rel
	}
	f.addProjects(folder)
	f.openIgnoreFiles(ctx)
	return f
}

// openIgnoreFiles prepares the rules that stand in files.
func (f *Filter) openIgnoreFiles(ctx context.Context) {
	f.context = newIgnoreTree(f.folder.Path, ".contextignore", nil)
	if f.options.NoGitignore {
		return
	}
	f.ignore = newIgnoreTree(f.folder.Path, ".gitignore", gitPatternsOutsideTree(f.folder.Path))
	var warning string
	if f.git, warning = openGitRules(ctx, f.folder); warning != "" {
		f.warnings = append(f.warnings, warning)
	}
}

// Err says why nothing at all of the folder can be indexed, nil when something can. It wraps ErrRefused.
func (f *Filter) Err() error { return f.scope.err }

// ScopeWarnings returns what is wrong with the watch paths.
func (f *Filter) ScopeWarnings() []string { return f.scope.warnings }

// Auto reports whether no watch paths are set.
func (f *Filter) Auto() bool { return f.scope.auto }

// Options returns the effective options.
func (f *Filter) Options() FilterOptions { return f.options }

// Warnings returns what a person should know about the rules, such as a git that does not trust the folder.
func (f *Filter) Warnings() []string { return f.warnings }

// Close ends the processes behind the filter.
func (f *Filter) Close() {
	if f.git != nil {
		f.git.close()
	}
}

// Check decides about the file at rel, relative to the folder with '/'.
func (f *Filter) Check(ctx context.Context, rel string, size int64, mode fs.FileMode) Verdict {
	return f.logged(ctx, rel, f.check(ctx, rel, size, mode))
}

func (f *Filter) check(ctx context.Context, rel string, size int64, mode fs.FileMode) Verdict {
	if v := f.checkKnown(ctx, rel, mode); !v.Indexed {
		return v
	}
	if v := f.checkIgnoreFiles(ctx, rel, false); !v.Indexed {
		return v
	}
	return f.checkSize(rel, size)
}

// checkListed is check for a path that git has just listed, and so does not ignore.
func (f *Filter) checkListed(ctx context.Context, rel string, size int64, mode fs.FileMode) Verdict {
	if v := f.checkKnown(ctx, rel, mode); !v.Indexed {
		return v
	}
	if v := f.checkOwnIgnoreFiles(rel, false); !v.Indexed {
		return v
	}
	return f.checkSize(rel, size)
}

// checkWalked is check, or CheckDir, for an entry whose folders were accepted before: only the entry itself is judged,
// by the ignore files read here, not by git.
func (f *Filter) checkWalked(ctx context.Context, rel string, size int64, mode fs.FileMode) Verdict {
	isDir := mode.IsDir()
	known := f.checkKnown
	if isDir {
		known = f.checkKnownDir
	}
	if v := known(ctx, rel, mode); !v.Indexed {
		return v
	}
	if f.ignore != nil {
		if p := f.ignore.matchEntry(rel, isDir); p != nil {
			return refused(Gitignored, p.rule("git"))
		}
	}
	if v := f.checkOwnEntry(rel, isDir); !v.Indexed || isDir {
		return v
	}
	return f.checkSize(rel, size)
}

// listed tells what a walk has found in the folder rel.
func (f *Filter) listed(rel string, listing []fs.DirEntry) {
	if rel == "." {
		rel = ""
	}
	for _, tree := range []*ignoreTree{f.ignore, f.context} {
		if tree != nil {
			tree.listed(rel, listing)
		}
	}
}

// Explain decides about an absolute path and looks at the disk for it.
func (f *Filter) Explain(ctx context.Context, abs string) Verdict {
	info, err := os.Lstat(abs)
	if err != nil {
		return refused(NotAFile, fmt.Sprintf("cannot be read: %v", err))
	}
	rel, inside := f.folder.Rel(abs)
	if info.Mode()&fs.ModeSymlink != 0 {
		return f.explainLink(abs)
	}
	if !inside {
		return refused(OutsideFolder, "outside the workspace folder "+f.folder.Path)
	}
	return f.Check(ctx, rel, info.Size(), info.Mode())
}

// CheckDir decides whether the folder at rel is looked into.
func (f *Filter) CheckDir(ctx context.Context, rel string) Verdict {
	if rel == "." || rel == "" {
		return accepted
	}
	if v := f.checkKnownDir(ctx, rel, fs.ModeDir); !v.Indexed {
		return v
	}
	if f.git != nil && f.git.holdsTracked(ctx, rel) {
		return f.checkOwnIgnoreFiles(rel, true)
	}
	return f.checkIgnoreFiles(ctx, rel, true)
}

// ExplainDir is CheckDir for an absolute path.
func (f *Filter) ExplainDir(abs string) Verdict {
	rel, inside := f.folder.relCanonical(abs)
	if !inside {
		return refused(OutsideFolder, "outside the workspace folder "+f.folder.Path)
	}
	return f.CheckDir(context.Background(), rel)
}

// SkipDir reports whether a watcher need not look into the folder at an absolute path.
func (f *Filter) SkipDir(abs string) bool {
	return !f.ExplainDir(abs).Indexed
}

// checkKnown applies the rules that need no ignore file.
func (f *Filter) checkKnown(ctx context.Context, rel string, mode fs.FileMode) Verdict {
	if !fs.ValidPath(validUTF8(rel)) || rel == "." {
		return refused(OutsideFolder, "not a path inside the workspace folder")
	}
	if mode&fs.ModeSymlink != 0 {
		return refused(NotAFile, "symbolic link, not followed")
	}
	if !mode.IsRegular() {
		return refused(NotAFile, "not a regular file")
	}
	if !f.scope.holds(rel, false) {
		return f.scope.refusal()
	}
	if v := f.checkPlace(ctx, rel, false); !v.Indexed {
		return v
	}
	if pattern := secretPattern(strings.ToLower(path.Base(rel))); pattern != "" {
		return refused(Secret, "secret: "+pattern)
	}
	if v := f.checkPatterns(rel, false); !v.Indexed {
		return v
	}
	return f.checkExtension(rel)
}

// checkKnownDir is checkKnown for a folder.
func (f *Filter) checkKnownDir(ctx context.Context, rel string, _ fs.FileMode) Verdict {
	if !f.scope.holds(rel, true) {
		return f.scope.refusal()
	}
	if v := f.checkPlace(ctx, rel, true); !v.Indexed {
		return v
	}
	return f.checkPatterns(rel, true)
}
