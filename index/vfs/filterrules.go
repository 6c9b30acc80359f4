package vfs

import (
	"context"
	"fmt"
	"log/slog"
	"path"
	"strings"
)

// refusal is the verdict on what lies outside of the scope.
func (s *scope) refusal() Verdict {
	if s.err != nil {
		return refused(OutsideWatch, s.err.Error())
	}
	return refused(OutsideWatch, "not below a watch path: "+strings.Join(s.paths, ", "))
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
		case folder && outputFolders[name] && !f.holdsTracked(ctx, rel[:end]) && !f.git.ignoresOutput(name) && !f.asked(rel[:end], rel, isDir):
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
	return f.scope.named(dir) || f.links.leadTo(dir, rel, isDir)
}

func (r *ignoreRules) holdsTracked(ctx context.Context, rel string) bool {
	return r.git != nil && r.git.holdsTracked(ctx, rel)
}

// checkPatterns applies the patterns of the settings, and those of the project that rel belongs to.
func (f *Filter) checkPatterns(rel string, isDir bool) Verdict {
	if len(f.extra) > 0 {
		if p := lastOnWay(f.extra, rel, isDir); p != nil {
			return refused(IgnorePattern, "ignore pattern: "+p.text)
		}
	}
	if p := projectOf(f.projects, rel); p != nil && len(p.ignore) > 0 {
		if by := lastOnWay(p.ignore, rel, isDir); by != nil {
			return refused(IgnorePattern, "ignore pattern of project "+p.name+": "+by.text)
		}
	}
	return accepted
}

// checkIgnoreFiles asks git, or the .gitignore files without it, and our own ignore files.
func (f *Filter) checkIgnoreFiles(ctx context.Context, rel string, isDir bool) Verdict {
	if f.git != nil {
		if place := f.git.closedAround(rel); place != "" && !isDir {
			return refused(Gitignored, "git: "+place+" is a repository of its own that can't be opened")
		}
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

// checkOwnIgnoreFiles reads .contextignore.
func (r *ignoreRules) checkOwnIgnoreFiles(rel string, isDir bool) Verdict {
	if p := r.context.match(rel, isDir); p != nil {
		return refused(Contextignored, p.rule("context"))
	}
	return accepted
}

// checkOwnEntry is checkOwnIgnoreFiles for an entry whose folders were accepted before.
func (r *ignoreRules) checkOwnEntry(rel string, isDir bool) Verdict {
	if p := r.context.matchEntry(rel, isDir); p != nil {
		return refused(Contextignored, p.rule("context"))
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
	case len(f.allow) == 0 && binaryExtensions[extension]:
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

// logged writes every refusal to the log.
func (f *Filter) logged(ctx context.Context, rel string, v Verdict) Verdict {
	if !v.Indexed && f.log.Enabled(ctx, slog.LevelDebug) {
		f.log.DebugContext(ctx, "not indexed", "path", rel, "rule", v.Rule)
	}
	return v
}
