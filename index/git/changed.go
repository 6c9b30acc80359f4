package git

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"
)

// changedCommitLimit bounds the history that ChangedFiles reads.
const changedCommitLimit = 1000

// A ChangedFile sums up what happened to one file.
type ChangedFile struct {
	Path         string     // relative to the folder
	Kind         ChangeKind // of the latest change
	Commits      int        // that touched it
	LastModified time.Time  // commit time of the latest of them; zero when only the work tree differs
	LastAuthor   string
	LastSubject  string
	Uncommitted  bool // the work tree differs from HEAD
}

// ChangedFiles returns the files that commits after since or the work tree changed: uncommitted ones first, then by
// age, then by path. It reads at most the newest thousand commits, and reads them again when HEAD has moved or since is
// another one than the time before.
func (r *Repo) ChangedFiles(ctx context.Context, since time.Time) ([]ChangedFile, error) {
	commits, err := r.commitsSince(ctx, since)
	if err != nil {
		return nil, fmt.Errorf("changed files: %w", err)
	}
	status, err := r.Status(ctx)
	if err != nil {
		return nil, fmt.Errorf("changed files: %w", err)
	}
	return sumUp(commits, status), nil
}

// A commitRange is what was logged last, and of what.
type commitRange struct {
	head    string // commit
	since   time.Time
	commits []Commit
}

func (r *Repo) commitsSince(ctx context.Context, since time.Time) ([]Commit, error) {
	head, err := r.Head(ctx) // before the log, so that a move in between only costs another read
	if err != nil {
		return nil, err
	}
	r.recentMu.Lock()
	last := r.recent
	r.recentMu.Unlock()
	if !head.Unborn() && last.head == head.Commit && last.since.Equal(since) {
		return last.commits, nil
	}
	commits, err := r.Log(ctx, LogOptions{Since: since, Limit: changedCommitLimit})
	if err != nil {
		return nil, err
	}
	r.recentMu.Lock()
	r.recent = commitRange{head.Commit, since, commits}
	r.recentMu.Unlock()
	return commits, nil
}

// sumUp merges commits, newest first, and the work tree by path.
func sumUp(commits []Commit, status []FileStatus) []ChangedFile {
	byPath := make(map[string]*ChangedFile)
	for _, c := range commits {
		for _, f := range c.Files {
			file := byPath[f.Path]
			if file == nil {
				file = &ChangedFile{Path: f.Path, Kind: f.Kind, LastModified: c.Time, LastAuthor: c.Author, LastSubject: c.Subject}
				byPath[f.Path] = file
			}
			file.Commits++
		}
	}
	for _, s := range status {
		file := byPath[s.Path]
		if file == nil {
			file = &ChangedFile{Path: s.Path}
			byPath[s.Path] = file
		}
		file.Kind, file.Uncommitted = s.Kind, true
	}
	files := make([]ChangedFile, 0, len(byPath))
	for _, f := range byPath {
		files = append(files, *f)
	}
	slices.SortFunc(files, compareChanged)
	return files
}

func compareChanged(a, b ChangedFile) int {
	if a.Uncommitted != b.Uncommitted {
		if a.Uncommitted {
			return -1
		}
		return 1
	}
	return cmp.Or(b.LastModified.Compare(a.LastModified), cmp.Compare(a.Path, b.Path))
}
