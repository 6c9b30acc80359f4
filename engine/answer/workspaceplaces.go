package answer

import (
	"context"
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/index/git"
)

// Locate returns the file or folder that a person means by a path, a part of one, or a package name.
// A place is the relative or absolute path of a file or folder, the name of one, or
// a file's name without extension as long as no definition has that name. Of several, the shortest path is meant.
func (l *Workspace) Locate(place string) (string, bool) {
	place = l.relative(strings.Trim(filepath.ToSlash(place), "`'\" "))
	switch strings.ToLower(place) {
	case "", ".", "workspace", "project", "repo", "repository", "codebase", "here":
		return "", true
	}
	best, rank := "", 0
	consider := func(candidate string, r int) {
		if r > rank || r == rank && rank > 0 && (len(candidate) < len(best) || len(candidate) == len(best) && candidate < best) {
			best, rank = candidate, r
		}
	}
	seen := map[string]bool{}
	for f := range l.Snap.Listed() {
		consider(f.Path, placeRank(f.Path, place))
		for dir := codebase.DirName(f.Path); dir != "" && !seen[dir]; dir = codebase.DirName(dir) {
			seen[dir] = true
			consider(dir, placeRank(dir, place))
		}
	}
	if rank > 0 {
		return best, true
	}
	if at, ok := l.locateStem(place); ok {
		return at, true
	}
	return l.locateModule(place)
}

// locateModule finds the file or folder of a module that is written with dots or colons, as a.b of Python and a::b of Rust.
func (l *Workspace) locateModule(place string) (string, bool) {
	spelled := strings.ReplaceAll(strings.ReplaceAll(place, "::", "/"), ".", "/")
	if spelled == place || strings.Contains(place, "/") || strings.ContainsAny(place, " \t") || len(l.Snap.Named(codebase.LastName(place), true)) > 0 {
		return "", false
	}
	return l.shortest(func(file string) bool {
		stem := strings.TrimSuffix(file, path.Ext(file))
		return slices.ContainsFunc([]string{stem, strings.TrimSuffix(stem, "/__init__"), strings.TrimSuffix(stem, "/mod")}, func(candidate string) bool {
			return candidate == spelled || strings.HasSuffix(candidate, "/"+spelled)
		})
	})
}

// shortest is the shortest path of a file that fits.
func (l *Workspace) shortest(fits func(file string) bool) (best string, ok bool) {
	for f := range l.Snap.Listed() {
		if fits(f.Path) && (best == "" || len(f.Path) < len(best)) {
			best = f.Path
		}
	}
	return best, best != ""
}

// placeRank says how well a path is what was named: the whole of it, its end, or its last part in any letter case.
func placeRank(candidate, place string) int {
	switch {
	case candidate == place:
		return 3
	case strings.HasSuffix(candidate, "/"+place):
		return 2
	case strings.EqualFold(path.Base(candidate), place):
		return 1
	}
	return 0
}

func (l *Workspace) locateStem(place string) (string, bool) {
	if len(l.Snap.Named(place, true)) > 0 {
		return "", false
	}
	return l.shortest(func(file string) bool {
		base := path.Base(file)
		return strings.EqualFold(strings.TrimSuffix(base, path.Ext(base)), place)
	})
}

// relative cuts the workspace folder off an absolute path.
func (l *Workspace) relative(place string) string {
	for _, folder := range l.parts.Index.Folders() {
		if rest, ok := strings.CutPrefix(place, filepath.ToSlash(folder)); ok && (rest == "" || rest[0] == '/') {
			return strings.Trim(rest, "/")
		}
	}
	return strings.TrimSuffix(strings.TrimPrefix(place, "./"), "/")
}

// eachRepo asks the repository of every workspace folder. It fails when none of them answers, with the first error.
func (l *Workspace) eachRepo(ctx context.Context, ask func(*git.Repo) error) error {
	var first error
	answered := false
	for _, folder := range l.parts.Index.Folders() {
		repo, err := l.parts.Intel.Repo(ctx, folder)
		if err == nil {
			err = ask(repo)
		}
		answered = answered || err == nil
		if first == nil {
			first = err
		}
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case answered:
		return nil
	case first == nil:
		return errors.New("no workspace folder is open")
	}
	return first
}

// Commits returns the commits of all workspace folders, the newest first. Like everything that asks git, it fails when there
// is no repository.
func (l *Workspace) Commits(ctx context.Context, s git.LogOptions) ([]git.Commit, error) {
	var out []git.Commit
	err := l.eachRepo(ctx, func(repo *git.Repo) error {
		commits, err := repo.Log(ctx, s)
		out = append(out, commits...)
		return err
	})
	slices.SortStableFunc(out, func(a, b git.Commit) int { return b.Time.Compare(a.Time) })
	if s.Limit > 0 {
		out = out[:min(s.Limit, len(out))]
	}
	return out, err
}

// Together returns files that changed in the same commits as a file, the most frequent first, at most limit.
func (l *Workspace) Together(ctx context.Context, place string, limit int) ([]Companion, error) {
	files := l.filesAt(place)
	if len(files) == 0 {
		return nil, ctx.Err()
	}
	repo, err := l.parts.Intel.Repo(ctx, files[0].Folder)
	if err != nil {
		return nil, err
	}
	changes, err := repo.CoChanged(ctx, files[0].Path)
	if err != nil {
		return nil, err
	}
	var out []Companion
	for _, c := range changes {
		if p, ok := l.File(ctx, c.Path); ok && len(out) < limit {
			out = append(out, Companion{Citation: p, Shared: c.Together, Of: c.Commits})
		}
	}
	return out, ctx.Err()
}

// Changes returns the files at a path that differ from the last commit.
func (l *Workspace) Changes(ctx context.Context, place string) ([]git.FileStatus, error) {
	var out []git.FileStatus
	err := l.eachRepo(ctx, func(repo *git.Repo) error {
		files, err := repo.Status(ctx)
		for _, f := range files {
			if inPlace(f.Path, place) {
				out = append(out, f)
			}
		}
		return err
	})
	return out, err
}

// Revision finds a commit by its name; ok is false when none has it, and newest are names of tags that exist.
func (l *Workspace) Revision(ctx context.Context, name string) (r git.Revision, newest []string, ok bool, err error) {
	err = l.eachRepo(ctx, func(repo *git.Repo) error {
		if ok {
			return nil
		}
		found, err := repo.Resolve(ctx, name)
		if errors.Is(err, git.ErrNoRevision) {
			tags, err := repo.Tags(ctx, 5)
			newest = append(newest, tags...)
			return err
		}
		if err == nil {
			r, ok = found, true
		}
		return err
	})
	return r, newest, ok, err
}

// Origins returns the commits that the lines of a citation come from, the oldest first.
func (l *Workspace) Origins(ctx context.Context, p Citation) ([]git.LineOrigin, error) {
	h, ok := l.Hits[p.ID]
	if !ok || h.Range == nil {
		return nil, errors.New("it is not in a file")
	}
	doc, ok := l.Docs.At(l.Snap, h.Abs)
	if !ok {
		return nil, errors.New("its file is gone")
	}
	repo, err := l.parts.Intel.Repo(ctx, doc.File.Folder)
	if err != nil {
		return nil, err
	}
	var buffer []byte
	if doc.File.Overlay {
		buffer = doc.Text
	}
	return repo.Origins(ctx, doc.File.Path, buffer, h.Range.Start.Line, h.Range.End.Line)
}
