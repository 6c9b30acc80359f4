package index

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/git"
	"github.com/aurora-sidecar/aurora/index/remotecache"
	"github.com/aurora-sidecar/aurora/index/snapshot"
	"github.com/aurora-sidecar/aurora/index/store"
	"github.com/aurora-sidecar/aurora/index/vfs"
)

// A Pushed tells what was put into the shared cache for one folder.
type Pushed struct {
	Folder  string
	Commit  string // HEAD
	Files   int    // in the pack
	Bytes   int64  // of the pack; 0 when one was there
	Entries int    // of single files
	Without int    // files of HEAD that were left out: changed, with secrets, or not parsed in whole
}

// Push puts what was made of the files of HEAD into the shared cache: one pack for the tree of each folder, unless it is there, and
// an entry for each larger file that changed since the last commit that has a pack. Only files count that git tracks, that are as they
// are in HEAD, in which nothing looks like a secret, and that were parsed in whole. The index must be ready.
func (x *Index) Push(ctx context.Context, w *remotecache.Writer) ([]Pushed, error) {
	var all []Pushed
	for _, f := range x.folders.live() {
		p, err := x.push(ctx, f, w)
		if err != nil {
			return all, fmt.Errorf("push the index of %s: %w", f.path, err)
		}
		all = append(all, p)
	}
	return all, nil
}

func (x *Index) push(ctx context.Context, f *folder, w *remotecache.Writer) (Pushed, error) {
	repo, err := git.Open(ctx, f.path)
	if err != nil {
		return Pushed{}, err
	}
	defer repo.Close()
	trees, err := repo.Trees(ctx, packCommits)
	if err != nil {
		return Pushed{}, err
	}
	if len(trees) == 0 {
		return Pushed{}, errors.New("there is no commit that has the folder")
	}
	s := x.Snapshot()
	texts, without := x.shareable(ctx, s, f)
	clean, err := repo.Unchanged(ctx) // after the files were read, so that no text counts that was not looked at
	if err != nil {
		return Pushed{}, err
	}
	p := Pushed{Folder: f.path, Commit: trees[0].Commit, Without: without}
	for path := range texts {
		if !clean[path] {
			delete(texts, path)
			p.Without++
		}
	}
	changed, there, err := changedSincePack(ctx, w.Cache(), repo, trees)
	if err != nil {
		return p, err
	}
	if !there {
		data, files, err := snapshot.EncodePack(s, f.path, func(file *File) bool { return texts[file.Path] != nil })
		if err != nil {
			return p, err
		}
		if files > 0 {
			if err := w.StorePack(ctx, packKey(trees[0].Tree), data); err != nil {
				return p, errors.New(remotecache.Explain(err))
			}
		}
		p.Files, p.Bytes = files, int64(len(data))
	} else {
		p.Files = len(texts)
		return p, nil // its entries came with it
	}
	p.Entries, err = pushEntries(ctx, w, texts, changed)
	return p, err
}

// shareable returns the files of a folder that are on disk as the snapshot has them, have no secrets, and were parsed in
// whole, by their paths; and how many are not.
func (x *Index) shareable(ctx context.Context, s *Snapshot, f *folder) (files map[string]*File, without int) {
	x.mu.Lock()
	filter, secrets := f.filter, Rules{SecretPatterns: f.rules.SecretPatterns}
	x.mu.Unlock()
	set := secrets.secretSet() // also where the index keeps them
	var mu sync.Mutex
	var all sync.WaitGroup
	files = map[string]*File{}
	queue := make(chan *File)
	for range x.opts.Workers {
		all.Go(func() {
			for file := range queue {
				content, err := filter.Read(file.Abs)
				ok := err == nil && content.Hash == file.Hash && !file.Errors && !content.Minified && !hasSecrets(set, content.Text)
				mu.Lock()
				if ok {
					files[file.Path] = file
				} else {
					without++
				}
				mu.Unlock()
			}
		})
	}
	for _, e := range s.Entries() {
		if e.File.Folder == f.path && !e.File.Overlay && e.File.Len() > 0 && ctx.Err() == nil {
			queue <- e.File
		}
	}
	close(queue)
	all.Wait()
	return files, without
}

// changedSincePack returns the paths that differ between HEAD and the last commit before it that has a pack, nil for all of them
// when none has; there reports whether HEAD has one itself.
func changedSincePack(ctx context.Context, c *remotecache.Cache, repo *git.Repo, trees []git.Tree) (changed map[string]bool, there bool, err error) {
	keys := make([]remotecache.Key, len(trees))
	for i, t := range trees {
		keys[i] = packKey(t.Tree)
	}
	at, _, err := c.FindPack(ctx, keys)
	switch err := c.Err(); {
	case err != nil:
		return nil, false, errors.New(remotecache.Explain(err))
	case ctx.Err() != nil:
		return nil, false, ctx.Err()
	}
	if err != nil { // none, or one that does not count and is replaced
		return nil, false, nil
	}
	if at == 0 {
		return nil, true, nil
	}
	paths, err := repo.Differing(ctx, trees[at].Tree, trees[0].Tree)
	return paths, false, err
}

// pushEntries stores the chunks of the larger ones of files, of those that changed; nil means all of them.
func pushEntries(ctx context.Context, w *remotecache.Writer, files map[string]*File, changed map[string]bool) (stored int, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	queue := make(chan *File)
	var all sync.WaitGroup
	var mu sync.Mutex
	for range pushers {
		all.Go(func() {
			for file := range queue {
				packed := store.PackWell(chunk.Encode(file.Loaded().File))
				if len(packed) > remotecache.MaxEntry || ctx.Err() != nil {
					continue
				}
				if err := w.Store(ctx, entryKey(store.ContentKey(file.Hash, file.Language, chunk.Version)), packed); err != nil {
					cancel(errors.New(remotecache.Explain(err)))
					continue
				}
				mu.Lock()
				stored++
				mu.Unlock()
			}
		})
	}
	for path, file := range files {
		if file.Size >= leastShared && (changed == nil || changed[path]) && ctx.Err() == nil {
			queue <- file
		}
	}
	close(queue)
	all.Wait()
	return stored, context.Cause(ctx)
}

// pushers is how many entries are stored at a time.
const pushers = 8

// CheckShared asks the shared cache whether it answers, and whether it has a pack that a first scan of the folder would begin with.
func CheckShared(ctx context.Context, c *remotecache.Cache, dir string) (detail string, err error) {
	f := &folder{path: vfs.Canonical(filepath.Clean(dir)), ctx: ctx}
	trees, err := treesOf(f)
	if err != nil || len(trees) == 0 {
		trees = []git.Tree{{}} // no repository: the place can be asked all the same
	}
	keys := make([]remotecache.Key, len(trees))
	for i, t := range trees {
		keys[i] = packKey(t.Tree)
	}
	at, found, err := c.FindPack(ctx, keys)
	switch {
	case errors.Is(err, remotecache.ErrNone):
		return fmt.Sprintf("it answers; no pack for the last %d commits", packCommits), nil
	case err != nil:
		return "", errors.New(remotecache.Explain(err))
	}
	return fmt.Sprintf("a pack of %.1f MB for commit %.10s", float64(found.Size())/1e6, trees[at].Commit), nil
}
