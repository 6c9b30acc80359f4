package evidence

import (
	"context"
	"errors"
	"slices"

	"github.com/aurora-sidecar/aurora/index/git"
)

// Past is what git knows of a workspace's files and lines.
type Past struct{ of *Workspace }

// Past asks git about the workspace.
func (l *Workspace) Past() Past { return Past{l} }

// eachRepo asks the repository of every workspace folder. It fails when none of them answers, with the first error.
func (h Past) eachRepo(ctx context.Context, ask func(*git.Repo) error) error {
	var first error
	answered := false
	for _, folder := range h.of.parts.Index.Folders() {
		repo, err := h.of.parts.Intel.Repo(ctx, folder)
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
func (h Past) Commits(ctx context.Context, s git.LogOptions) ([]git.Commit, error) {
	var out []git.Commit
	err := h.eachRepo(ctx, func(repo *git.Repo) error {
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
func (h Past) Together(ctx context.Context, place string, limit int) ([]Companion, error) {
	files := h.of.filesAt(place)
	if len(files) == 0 {
		return nil, ctx.Err()
	}
	repo, err := h.of.parts.Intel.Repo(ctx, files[0].Folder)
	if err != nil {
		return nil, err
	}
	changes, err := repo.CoChanged(ctx, files[0].Path)
	if err != nil {
		return nil, err
	}
	var out []Companion
	for _, c := range changes {
		if p, ok := h.of.File(ctx, c.Path); ok && len(out) < limit {
			out = append(out, Companion{Citation: p, Shared: c.Together, Of: c.Commits})
		}
	}
	return out, ctx.Err()
}

// Changes returns the files at a path that differ from the last commit.
func (h Past) Changes(ctx context.Context, place string) ([]git.FileStatus, error) {
	var out []git.FileStatus
	err := h.eachRepo(ctx, func(repo *git.Repo) error {
		files, err := repo.Status(ctx)
		for _, f := range files {
			if InPlace(f.Path, place) {
				out = append(out, f)
			}
		}
		return err
	})
	return out, err
}

// Revision finds a commit by its name; ok is false when none has it, and newest are names of tags that exist.
func (h Past) Revision(ctx context.Context, name string) (r git.Revision, newest []string, ok bool, err error) {
	err = h.eachRepo(ctx, func(repo *git.Repo) error {
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
func (h Past) Origins(ctx context.Context, p Citation) ([]git.LineOrigin, error) {
	hit, ok := h.of.Hits[p.ID]
	if !ok || hit.Range == nil {
		return nil, errors.New("it is not in a file")
	}
	doc, ok := h.of.Docs.At(h.of.Snap, hit.Abs)
	if !ok {
		return nil, errors.New("its file is gone")
	}
	repo, err := h.of.parts.Intel.Repo(ctx, doc.File.Folder)
	if err != nil {
		return nil, err
	}
	var buffer []byte
	if doc.File.Overlay {
		buffer = doc.Text
	}
	return repo.Origins(ctx, doc.File.Path, buffer, hit.Range.Start.Line, hit.Range.End.Line)
}

// History returns what git knows of a citation's lines.
func (h Past) History(ctx context.Context, p Citation) (git.Info, error) {
	hit, ok := h.of.Hits[p.ID]
	if !ok || hit.Range == nil {
		return git.Info{}, errors.New("it is not in a file")
	}
	doc, ok := h.of.Docs.At(h.of.Snap, hit.Abs)
	if !ok {
		return git.Info{}, errors.New("its file is gone")
	}
	return h.of.parts.Intel.HistoryOf(ctx, doc, hit.Range.Start.Line, hit.Range.End.Line)
}
