package vfs

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/gitignore"
)

// FilterOptions adjust which files are indexed. The zero value is the default.
type FilterOptions struct {
	MaxSize         int64    // bytes; 0 means DefaultMaxSize
	Ignore          []string // further patterns in gitignore syntax, whatever the case of letters (IDX-009)
	Extensions      []string // only these (".go"), unless empty (IDX-013)
	BlockExtensions []string // never these (IDX-014)
	NoGitignore     bool     // do not ask git, nor read .gitignore
	NoContextignore bool     // do not read .contextignore
	Log             *slog.Logger
}

// A Reason is the kind of rule behind a Verdict.
type Reason string

// The reasons, in the order in which they are tried.
const (
	OutsideFolder    Reason = "outside"
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
	folder  Folder
	options FilterOptions
	log     *slog.Logger
	home    string // the home folder relative to the folder, "" when it is not inside
	extra   []ignorePattern
	allow   map[string]bool
	block   map[string]bool

	git     *gitRules   // nil when git is not asked
	ignore  *ignoreTree // .gitignore without git; nil when not wanted
	context *ignoreTree // .contextignore; nil when not wanted

	warnings []string
}

// NewFilter prepares the rules of folder. Git is asked where it can be; otherwise .gitignore files are read here, and
// Warnings says so.
func NewFilter(ctx context.Context, folder Folder, o FilterOptions) *Filter {
	if o.MaxSize <= 0 {
		o.MaxSize = DefaultMaxSize
	}
	f := &Filter{
		folder: folder, options: o, log: o.Log,
		allow: extensionSet(o.Extensions), block: extensionSet(o.BlockExtensions),
	}
	if f.log == nil {
		f.log = slog.New(slog.DiscardHandler)
	}
	if rel, inside := folder.relCanonical(homeFolder()); inside {
		f.home = rel
	}
	for i, text := range o.Ignore {
		lower := strings.ToLower(text)
		f.extra = append(f.extra, ignorePattern{newPattern(lower, nil), text, "settings", i + 1})
	}
	if !o.NoContextignore {
		f.context = newIgnoreTree(folder.Path, ".contextignore", nil)
	}
	if !o.NoGitignore {
		f.ignore = newIgnoreTree(folder.Path, ".gitignore", gitPatternsOutsideTree(folder.Path))
		var warning string
		if f.git, warning = openGitRules(ctx, folder); warning != "" {
			f.warnings = append(f.warnings, warning)
		}
	}
	return f
}

// extensionSet reads extensions with or without their dot.
func extensionSet(extensions []string) map[string]bool {
	m := make(map[string]bool, len(extensions))
	for _, e := range extensions {
		m["."+strings.ToLower(strings.TrimPrefix(e, "."))] = true
	}
	return m
}

// Warnings returns what a person should know about the rules, such as a git that does not trust the folder.
func (f *Filter) Warnings() []string { return f.warnings }

// UsesGit reports whether git itself decides about .gitignore.
func (f *Filter) UsesGit() bool { return f.git != nil }

// Close ends the processes behind the filter.
func (f *Filter) Close() {
	if f.git != nil {
		f.git.close()
	}
}

// Changed must be told of paths that changed on disk. It reports whether one of them is a rule of this filter, so that
// the folder has to be scanned again; the old rules are forgotten.
func (f *Filter) Changed(rel string) bool {
	name := path.Base(rel)
	if name != ".gitignore" && name != ".contextignore" && rel != ".git/info/exclude" {
		return false
	}
	if f.ignore != nil {
		f.ignore.reset()
	}
	if f.context != nil {
		f.context.reset()
	}
	if f.git != nil {
		f.git.reset()
	}
	return true
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
	return f.checkSize(size)
}

// checkListed is check for a path that git has just listed, and so does not ignore.
func (f *Filter) checkListed(ctx context.Context, rel string, size int64, mode fs.FileMode) Verdict {
	if v := f.checkKnown(ctx, rel, mode); !v.Indexed {
		return v
	}
	if v := f.checkContextignore(rel, false); !v.Indexed {
		return v
	}
	return f.checkSize(size)
}

// checkWalked is check, or CheckDir, for an entry whose folders were accepted before: only the entry itself is judged,
// by the ignore files read here, not by git.
func (f *Filter) checkWalked(ctx context.Context, rel string, parts []string, size int64, mode fs.FileMode) Verdict {
	isDir := mode.IsDir()
	known := f.checkKnown
	if isDir {
		known = f.checkKnownDir
	}
	if v := known(ctx, rel, mode); !v.Indexed {
		return v
	}
	if f.ignore != nil {
		if p, excluded := f.ignore.matchEntry(parts, isDir); excluded {
			return refused(Gitignored, p.rule("git"))
		}
	}
	if f.context != nil {
		if p, excluded := f.context.matchEntry(parts, isDir); excluded {
			return refused(Contextignored, p.rule("context"))
		}
	}
	if isDir {
		return accepted
	}
	return f.checkSize(size)
}

// Explain decides about an absolute path and looks at the disk for it.
func (f *Filter) Explain(ctx context.Context, abs string) Verdict {
	info, err := os.Lstat(abs)
	if err != nil {
		return refused(NotAFile, fmt.Sprintf("cannot be read: %v", err))
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return refused(NotAFile, "symbolic link, not followed")
	}
	rel, inside := f.folder.Rel(abs)
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
		return f.checkContextignore(rel, true)
	}
	return f.checkIgnoreFiles(ctx, rel, true)
}

// SkipDir reports whether a watcher need not look into the folder at an absolute path.
func (f *Filter) SkipDir(abs string) bool {
	rel, inside := f.folder.relCanonical(abs)
	return !inside || !f.CheckDir(context.Background(), rel).Indexed
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
	if v := f.checkPlace(ctx, rel, true); !v.Indexed {
		return v
	}
	return f.checkPatterns(rel, true)
}

// validUTF8 stands in for a name in another encoding, where only the shape of the path matters.
func validUTF8(rel string) string { return strings.ToValidUTF8(rel, "?") }

// checkPlace looks at the folders that rel lies in, and at rel itself when it is one.
func (f *Filter) checkPlace(ctx context.Context, rel string, isDir bool) Verdict {
	if f.home != "" && (rel == f.home || strings.HasPrefix(rel, f.home+"/")) {
		return refused(IgnoredFolder, "ignored folder: your home folder")
	}
	for start := 0; ; {
		end := strings.IndexByte(rel[start:], '/')
		last := end < 0
		if last {
			end = len(rel) - start
		}
		end += start
		name := strings.ToLower(rel[start:end])
		folder := !last || isDir
		switch {
		case ignoredFolders[name] && folder, name == ".git": // in a linked work tree .git is a file
			return refused(IgnoredFolder, "ignored folder: "+rel[start:end])
		case folder && outputFolders[name] && (f.git == nil || !f.git.holdsTracked(ctx, rel[:end])):
			return refused(IgnoredFolder, "ignored folder: "+rel[start:end])
		case last:
			return accepted
		}
		start = end + 1
	}
}

// checkPatterns applies the patterns of the settings.
func (f *Filter) checkPatterns(rel string, isDir bool) Verdict {
	if len(f.extra) == 0 {
		return accepted
	}
	parts := strings.Split(strings.ToLower(rel), "/")
	for n := 1; n <= len(parts); n++ {
		p, result := lastMatch(f.extra, parts[:n], isDir || n < len(parts))
		if result == gitignore.Exclude {
			return refused(IgnorePattern, "ignore pattern: "+p.text)
		}
	}
	return accepted
}

// checkIgnoreFiles asks git, or the .gitignore files without it, and .contextignore.
func (f *Filter) checkIgnoreFiles(ctx context.Context, rel string, isDir bool) Verdict {
	if f.git != nil {
		match, err := f.git.check(ctx, rel)
		switch {
		case err == nil && match.Ignored():
			return refused(Gitignored, fmt.Sprintf("git: %s in %s:%d", match.Pattern, match.Source, match.Line))
		case err == nil:
			return f.checkContextignore(rel, isDir)
		}
		f.log.DebugContext(ctx, "git did not answer, reading .gitignore instead", "path", rel, "error", err)
	}
	if f.ignore != nil {
		if p, excluded := f.ignore.match(rel, isDir); excluded {
			return refused(Gitignored, p.rule("git"))
		}
	}
	return f.checkContextignore(rel, isDir)
}

func (f *Filter) checkContextignore(rel string, isDir bool) Verdict {
	if f.context != nil {
		if p, excluded := f.context.match(rel, isDir); excluded {
			return refused(Contextignored, p.rule("context"))
		}
	}
	return accepted
}

func (f *Filter) checkExtension(rel string) Verdict {
	extension := strings.ToLower(path.Ext(rel))
	switch {
	case f.block[extension]:
		return refused(BlockedExtension, "blocked extension: "+extension)
	case len(f.allow) > 0 && !f.allow[extension]:
		return refused(BlockedExtension, "extension is not in the allowed list: "+path.Base(rel))
	case binaryExtensions[extension] && !f.allow[extension]:
		return refused(BlockedExtension, "binary file: "+extension)
	}
	return accepted
}

func (f *Filter) checkSize(size int64) Verdict {
	if size > f.options.MaxSize {
		return refused(TooLarge, "larger than "+sizeInWords(f.options.MaxSize))
	}
	return accepted
}

// logged writes every refusal to the log (IDX-040).
func (f *Filter) logged(ctx context.Context, rel string, v Verdict) Verdict {
	if !v.Indexed && f.log.Enabled(ctx, slog.LevelDebug) {
		f.log.DebugContext(ctx, "not indexed", "path", rel, "rule", v.Rule)
	}
	return v
}
