package codeintel

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/git"
)

// reopenAfter is how long the engine believes that a folder has no repository: somebody may run git init.
const reopenAfter = 30 * time.Second

// repositories opens the git repository of each workspace folder when it is first asked for. Opening runs git a few
// times, so it goes on in the background when those who asked have no time to wait.
type repositories struct {
	log    *slog.Logger
	ctx    context.Context // of the opening goroutines; ended by close
	cancel context.CancelFunc
	opens  sync.WaitGroup

	mu     sync.Mutex
	closed bool
	repos  map[string]*repository // by folder
}

// A repository is opened once; its fields are set when done is closed.
type repository struct {
	done chan struct{}
	at   time.Time
	repo *git.Repo
	err  error
}

func newRepositories(log *slog.Logger) *repositories {
	ctx, cancel := context.WithCancel(context.Background())
	return &repositories{log: log, ctx: ctx, cancel: cancel, repos: map[string]*repository{}}
}

// open returns the repository around a folder. It fails with git's errors, or with ctx's when opening takes longer.
func (r *repositories) open(ctx context.Context, folder string) (*git.Repo, error) {
	entry, err := r.entry(folder)
	if err != nil {
		return nil, err
	}
	select {
	case <-entry.done:
		return entry.repo, entry.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (r *repositories) entry(folder string) (*repository, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, errors.New("open repository: the engine is closed")
	}
	if old := r.repos[folder]; old != nil && !old.expired() {
		return old, nil
	}
	entry := &repository{done: make(chan struct{}), at: time.Now()}
	r.repos[folder] = entry
	r.opens.Go(func() {
		defer close(entry.done)
		if entry.repo, entry.err = git.Open(r.ctx, folder); entry.err != nil {
			r.log.Debug("no git facts", "folder", folder, "err", entry.err)
		}
	})
	return entry, nil
}

// expired reports whether the attempt to open failed so long ago that another one is due.
func (e *repository) expired() bool {
	select {
	case <-e.done:
		return e.err != nil && time.Since(e.at) > reopenAfter
	default:
		return false
	}
}

// close waits for everything that runs.
func (r *repositories) close() error {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.cancel()
	r.opens.Wait()
	var errs []error
	for _, entry := range r.repos {
		if entry.repo != nil {
			errs = append(errs, entry.repo.Close())
		}
	}
	return errors.Join(errs...)
}

// warning is a sentence for Status about a folder's git, "" when all is well or nobody asked for it yet.
func (r *repositories) warning(folder string) string {
	r.mu.Lock()
	entry := r.repos[folder]
	r.mu.Unlock()
	if entry == nil {
		return ""
	}
	select {
	case <-entry.done:
	default:
		return ""
	}
	switch {
	case entry.err == nil || errors.Is(entry.err, git.ErrNotRepo):
		return ""
	case errors.Is(entry.err, git.ErrNoGit):
		return "git is not installed, so ages and histories are missing; install git to see them"
	}
	return fmt.Sprintf("git can't read %s, so ages and histories are missing: %v", folder, entry.err)
}

// HistoryOf asks git about a range of zero-based lines of a document, as it is on screen. The first question about a
// version of a file costs a blame; when ctx runs out of time before it is done, the blame goes on and serves the next
// question.
func (e *Intel) HistoryOf(ctx context.Context, doc *codebase.Document, startLine, endLine int) (git.Info, error) {
	repo, err := e.repos.open(ctx, doc.File.Folder)
	if err != nil {
		return git.Info{State: git.Unavailable}, err
	}
	e.signals.asked(ctx, repo)
	if doc.File.Overlay {
		return repo.HistoryText(ctx, doc.File.Path, doc.Text, startLine, endLine)
	}
	return repo.History(ctx, doc.File.Path, startLine, endLine)
}

// gitOf is historyOf in the terms of a hit.
func (e *Intel) gitOf(ctx context.Context, doc *codebase.Document, startLine, endLine int) (*snippet.GitInfo, error) {
	info, err := e.HistoryOf(ctx, doc, startLine, endLine)
	return gitInfo(info), err
}

func gitInfo(i git.Info) *snippet.GitInfo {
	out := &snippet.GitInfo{Commits: i.Commits, LastModified: i.LastModified, State: string(i.State), AtEdge: i.AtEdge}
	if !i.AtEdge {
		out.Author, out.Subject = i.LastAuthor, i.LastSubject
	}
	return out
}

// AddGit fills in Hit.Git of the hits that come from files. What git can't tell is marked unavailable.
func (e *Intel) AddGit(ctx context.Context, hits []snippet.Hit) {
	docs, snap := codebase.NewDocumentCache(e.Index), e.Index.Snapshot()
	for i := range hits {
		h := &hits[i]
		if h.Path == "" || h.Source == "memory" {
			continue
		}
		h.Git = &snippet.GitInfo{State: string(git.Unavailable)}
		file, ok := snap.File(h.Abs)
		if !ok || len(file.Chunks) == 0 {
			continue
		}
		doc, _, _ := docs.Open(index.Ref{File: file})
		if doc == nil {
			continue
		}
		info, err := e.gitOf(ctx, doc, h.Range.Start.Line, h.Range.End.Line)
		if err != nil && ctx.Err() == nil && !errors.Is(err, git.ErrNotRepo) && !errors.Is(err, git.ErrNoGit) {
			e.Log.Warn(fmt.Sprintf("Git blame failed for %s: %v", h.Path, err))
		}
		h.Git = info
	}
}

// Repo returns the git repository around a folder. It fails with git's errors, or with ctx's when opening takes longer.
func (e *Intel) Repo(ctx context.Context, folder string) (*git.Repo, error) {
	return e.repos.open(ctx, folder)
}

// GitWarning is a sentence about a folder's git, "" when all is well or nobody asked for it yet.
func (e *Intel) GitWarning(folder string) string { return e.repos.warning(folder) }
