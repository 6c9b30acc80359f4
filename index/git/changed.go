package git

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// changedCommitLimit bounds the history that ChangedFiles reads.
const changedCommitLimit = 1000

// A ChangedFile is a file that was changed lately.
type ChangedFile struct {
	LastModified time.Time // commit time of the latest change; zero when only the work tree differs
	Uncommitted  bool      // the work tree differs from HEAD
}

// ChangedFiles returns the files that commits after since or the work tree changed, by their paths relative to the folder. It
// reads at most the newest thousand commits, and reads them again when HEAD has moved or since is another one than the time
// before.
func (r *Repo) ChangedFiles(ctx context.Context, since time.Time) (map[string]ChangedFile, error) {
	commits, err := r.commitsSince(ctx, since)
	if err != nil {
		return nil, fmt.Errorf("changed files: %w", err)
	}
	status, err := r.Status(ctx)
	if err != nil {
		return nil, fmt.Errorf("changed files: %w", err)
	}
	files := map[string]ChangedFile{}
	for _, c := range slices.Backward(commits) { // the newest comes last, and stays
		for _, f := range c.Files {
			files[f.Path] = ChangedFile{LastModified: c.Time}
		}
	}
	for _, s := range status {
		files[s.Path] = ChangedFile{LastModified: files[s.Path].LastModified, Uncommitted: true}
	}
	return files, nil
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
