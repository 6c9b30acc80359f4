package vfs

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"strings"
	"sync"
)

// FilterOptions adjust which files are indexed. The zero value is the default. They are plain data, so that they can be
// stored and compared.
type FilterOptions struct {
	// WatchPaths are what is looked into: relative to the folder, or absolute inside of it. None, or Auto alone, is
	// everything but hidden folders in which git tracks nothing.
	WatchPaths []string `json:",omitempty"`
	// Ignore are further patterns in gitignore syntax, whatever the case of letters (IDX-009) unless CaseSensitive.
	Ignore          []string           `json:",omitempty"`
	CaseSensitive   bool               `json:",omitempty"`
	NoGitignore     bool               `json:",omitempty"` // do not ask git, nor read .gitignore
	NoContextignore bool               `json:",omitempty"` // do not read .contextignore
	Dockerignore    bool               `json:",omitempty"` // read .dockerignore
	Extensions      []string           `json:",omitempty"` // only these (".go"), unless empty (IDX-013)
	BlockExtensions []string           `json:",omitempty"` // never these (IDX-014)
	MaxSize         int64              `json:",omitempty"` // bytes; 0 means DefaultMaxSize
	SizeExceptions  []string           `json:",omitempty"` // patterns of files that may have ExceptionSize
	Binary          BinaryDetection    `json:",omitempty"` // "" means BinaryByAll
	BinaryPercent   int                `json:",omitempty"` // more bytes than this that belong to no text are binary; 0 means 30
	FollowSymlinks  bool               `json:",omitempty"`
	MaxSymlinks     int                `json:",omitempty"` // links in links; 0 means 3
	Projects        map[string]Project `json:",omitempty"`
}

// A Project is a part of the workspace with a name of its own.
type Project struct {
	WatchPaths []string `json:",omitempty"` // as those of FilterOptions; what does not lie in the folder is no error
	Ignore     []string `json:",omitempty"` // what of it is not indexed
}

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
	Dockerignored    Reason = "dockerignore"
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

	git     *gitRules    // nil when git is not asked
	ignore  *ignoreTree  // .gitignore without git; nil when not wanted
	context *ignoreTree  // .contextignore; nil when not wanted
	docker  *dockerRules // .dockerignore; nil when not wanted

	leadsMu sync.Mutex
	leads   map[string]bool // folders that followed links lead to

	warnings []string
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
		extra: settingsPatterns(o.Ignore, !o.CaseSensitive), large: settingsPatterns(o.SizeExceptions, false),
	}
	f.warnings = f.scope.warnings
	if rel, inside := folder.relCanonical(homeFolder()); inside {
		f.home = rel
	}
	f.addProjects(folder)
	f.openIgnoreFiles(ctx)
	return f
}

// WithDefaults returns the options with what is not set as it counts.
func (o FilterOptions) WithDefaults() FilterOptions {
	if o.MaxSize <= 0 {
		o.MaxSize = DefaultMaxSize
	}
	if o.Binary == "" {
		o.Binary = BinaryByAll
	}
	if o.BinaryPercent <= 0 {
		o.BinaryPercent = binaryPercent
	}
	if o.MaxSymlinks <= 0 {
		o.MaxSymlinks = maxSymlinks
	}
	return o
}

// openIgnoreFiles prepares the rules that stand in files.
func (f *Filter) openIgnoreFiles(ctx context.Context) {
	if !f.options.NoContextignore {
		f.context = newIgnoreTree(f.folder.Path, ".contextignore", nil)
	}
	if f.options.Dockerignore {
		f.docker = &dockerRules{root: f.folder.Path}
	}
	if f.options.NoGitignore {
		return
	}
	f.ignore = newIgnoreTree(f.folder.Path, ".gitignore", gitPatternsOutsideTree(f.folder.Path))
	var warning string
	if f.git, warning = openGitRules(ctx, f.folder); warning != "" {
		f.warnings = append(f.warnings, warning)
	}
}

func settingsPatterns(texts []string, fold bool) []pattern {
	var patterns []pattern
	for _, text := range texts {
		patterns = append(patterns, newPattern(text, "", fold))
	}
	return patterns
}

// extensionSet reads extensions with or without their dot.
func extensionSet(extensions []string) map[string]bool {
	m := make(map[string]bool, len(extensions))
	for _, e := range extensions {
		m["."+strings.ToLower(strings.TrimPrefix(e, "."))] = true
	}
	return m
}

// Err says why nothing at all of the folder can be indexed, nil when something can. It wraps ErrRefused.
func (f *Filter) Err() error { return f.scope.err }

// ScopeWarnings returns what is wrong with the watch paths.
func (f *Filter) ScopeWarnings() []string { return f.scope.warnings }

// Auto reports whether no watch paths are set.
func (f *Filter) Auto() bool { return f.scope.auto }

// Options returns the options in force.
func (f *Filter) Options() FilterOptions { return f.options }

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
	if name != ".gitignore" && name != ".contextignore" && rel != ".git/info/exclude" && (f.docker == nil || rel != dockerignore) {
		return false
	}
	if f.docker != nil {
		f.docker.reset()
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
	if !f.inScope(rel, false) {
		return f.outsideWatch()
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
	if !f.inScope(rel, true) {
		return f.outsideWatch()
	}
	if v := f.checkPlace(ctx, rel, true); !v.Indexed {
		return v
	}
	return f.checkPatterns(rel, true)
}

func (f *Filter) outsideWatch() Verdict {
	if f.scope.err != nil {
		return refused(OutsideWatch, f.scope.err.Error())
	}
	return refused(OutsideWatch, "not below a watch path: "+strings.Join(f.scope.paths, ", "))
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
		case folder && outputFolders[name] && !f.holdsTracked(ctx, rel[:end]) && !f.asked(rel[:end], rel, isDir):
			return refused(IgnoredFolder, "ignored folder: "+rel[start:end])
		case folder && name[0] == '.' && f.hides(ctx, name, rel[:end]) && !f.asked(rel[:end], rel, isDir):
			return refused(IgnoredFolder, "hidden folder: "+rel[start:end]+" (git tracks nothing in it; index.watch_paths may name it)")
		case last:
			return accepted
		}
		start = end + 1
	}
}

// hides reports whether auto leaves a hidden folder out: it is none that projects usually have, and git tracks
// nothing in it.
func (f *Filter) hides(ctx context.Context, name, rel string) bool {
	return f.scope.auto && !projectFolders[name] && !f.holdsTracked(ctx, rel)
}

// asked reports whether a watch path or a link names the folder dir, or something in it, that rel belongs to: then the
// name of dir does not keep rel out.
func (f *Filter) asked(dir, rel string, isDir bool) bool {
	return f.scope.named(dir) || f.ledTo(dir, rel, isDir)
}

func (f *Filter) holdsTracked(ctx context.Context, rel string) bool {
	return f.git != nil && f.git.holdsTracked(ctx, rel)
}

// checkPatterns applies the patterns of the settings, and those of the project that rel belongs to.
func (f *Filter) checkPatterns(rel string, isDir bool) Verdict {
	if len(f.extra) > 0 {
		if p := lastOnWay(f.extra, rel, isDir); p != nil {
			return refused(IgnorePattern, "ignore pattern: "+p.text)
		}
	}
	if p := f.projectOf(rel); p != nil && len(p.ignore) > 0 {
		if by := lastOnWay(p.ignore, rel, isDir); by != nil {
			return refused(IgnorePattern, "ignore pattern of project "+p.name+": "+by.text)
		}
	}
	return accepted
}

// checkIgnoreFiles asks git, or the .gitignore files without it, and our own ignore files.
func (f *Filter) checkIgnoreFiles(ctx context.Context, rel string, isDir bool) Verdict {
	if f.git != nil {
		match, err := f.git.check(ctx, rel)
		switch {
		case err == nil && match.Ignored():
			return refused(Gitignored, fmt.Sprintf("git: %s in %s:%d", match.Pattern, match.Source, match.Line))
		case err == nil:
			return f.checkOwnIgnoreFiles(rel, isDir)
		}
		f.log.DebugContext(ctx, "git did not answer, reading .gitignore instead", "path", rel, "error", err)
	}
	if f.ignore != nil {
		if p := f.ignore.match(rel, isDir); p != nil {
			return refused(Gitignored, p.rule("git"))
		}
	}
	return f.checkOwnIgnoreFiles(rel, isDir)
}

// checkOwnIgnoreFiles reads .contextignore and .dockerignore.
func (f *Filter) checkOwnIgnoreFiles(rel string, isDir bool) Verdict {
	if f.context != nil {
		if p := f.context.match(rel, isDir); p != nil {
			return refused(Contextignored, p.rule("context"))
		}
	}
	return f.checkDocker(rel, isDir)
}

// checkOwnEntry is checkOwnIgnoreFiles for an entry whose folders were accepted before.
func (f *Filter) checkOwnEntry(rel string, isDir bool) Verdict {
	if f.context != nil {
		if p := f.context.matchEntry(rel, isDir); p != nil {
			return refused(Contextignored, p.rule("context"))
		}
	}
	return f.checkDocker(rel, isDir)
}

func (f *Filter) checkDocker(rel string, isDir bool) Verdict {
	if f.docker != nil {
		if p := f.docker.match(rel, isDir); p != nil {
			return refused(Dockerignored, p.rule("docker"))
		}
	}
	return accepted
}

func (f *Filter) checkExtension(rel string) Verdict {
	allowed := len(f.allow) == 0
	for extension := range func(yield func(string) bool) { extensionsOf(rel, yield) } {
		if f.block[extension] {
			return refused(BlockedExtension, "blocked extension: "+extension)
		}
		allowed = allowed || f.allow[extension]
	}
	extension := strings.ToLower(path.Ext(rel))
	switch {
	case !allowed:
		return refused(BlockedExtension, "extension is not in the allowed list: "+path.Base(rel))
	case len(f.allow) == 0 && binaryExtensions[extension] && f.options.Binary.byName():
		return refused(BlockedExtension, "binary file: "+extension)
	}
	return accepted
}

func (f *Filter) checkSize(rel string, size int64) Verdict {
	if limit := f.limit(rel); size > limit {
		return refused(TooLarge, "larger than "+sizeInWords(limit))
	}
	return accepted
}

// ExceptionSize is the size in bytes up to which files are indexed that are exceptions from the usual limit.
const ExceptionSize int64 = 256 << 20

// limit is how many bytes the file at rel may have.
func (f *Filter) limit(rel string) int64 {
	if len(f.large) > 0 && lastOnWay(f.large, rel, false) != nil {
		return max(ExceptionSize, f.options.MaxSize)
	}
	return f.options.MaxSize
}

// logged writes every refusal to the log (IDX-040).
func (f *Filter) logged(ctx context.Context, rel string, v Verdict) Verdict {
	if !v.Indexed && f.log.Enabled(ctx, slog.LevelDebug) {
		f.log.DebugContext(ctx, "not indexed", "path", rel, "rule", v.Rule)
	}
	return v
}
