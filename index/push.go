package index

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"

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
func Push(ctx context.Context, x *Index, w *remotecache.Writer) ([]Pushed, error) {
	var all []Pushed
	for _, f := range x.folders.live() {
		p, err := push(ctx, x, f, w)
		if err != nil {
			return all, fmt.Errorf("push the index of %s: %w", f.path, err)
		}
		all = append(all, p)
	}
	return all, nil
}

func push(ctx context.Context, x *Index, f *folder, w *remotecache.Writer) (Pushed, error) {
	repo, err := git.Open(ctx, f.path)
	if err != nil {
		return Pushed{}, err
	}
	defer repo.Close()
	trees, err := git.Trees(ctx, repo, packCommits)
	if err != nil {
		return Pushed{}, err
	}
	if len(trees) == 0 {
		return Pushed{}, errors.New("there is no commit that has the folder")
	}
	s := x.Snapshot()
	texts, without := shareable(ctx, x, s, f)
	clean, err := git.Unchanged(ctx, repo) // after the files were read, so that no text counts that was not looked at
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
func shareable(ctx context.Context, x *Index, s *Snapshot, f *folder) (files map[string]*File, without int) {
	x.mu.Lock()
	filter, secrets := f.filter, Rules{SecretPatterns: f.rules.SecretPatterns}
	x.mu.Unlock()
	set := secrets.secretSet() // also where the index keeps them
	var all []*File
	for _, e := range s.Entries() {
		if e.File.Folder == f.path && !e.File.Overlay && e.File.Len() > 0 {
			all = append(all, e.File)
		}
	}
	shared := make([]bool, len(all))
	each(ctx, len(all), x.opts.Workers, func(i int) {
		content, err := filter.Read(all[i].Abs)
		shared[i] = err == nil && content.Hash == all[i].Hash && !all[i].Errors && !content.Minified && !hasSecrets(set, content.Text)
	})
	files = map[string]*File{}
	for i, file := range all {
		if shared[i] {
			files[file.Path] = file
		}
	}
	return files, len(all) - len(files)
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
	paths, err := git.Differing(ctx, repo, trees[at].Tree, trees[0].Tree)
	return paths, false, err
}

// pushEntries stores the chunks of the larger ones of files, of those that changed; nil means all of them.
func pushEntries(ctx context.Context, w *remotecache.Writer, files map[string]*File, changed map[string]bool) (stored int, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var due []*File
	for path, file := range files {
		if file.Size >= leastShared && (changed == nil || changed[path]) {
			due = append(due, file)
		}
	}
	var done atomic.Int64
	each(ctx, len(due), pushers, func(i int) {
		packed := store.PackWell(chunk.Encode(due[i].Loaded().File))
		if len(packed) > remotecache.MaxEntry {
			return
		}
		if err := w.Store(ctx, entryKey(store.ContentKey(due[i].Hash, due[i].Language, chunk.Version)), packed); err != nil {
			cancel(errors.New(remotecache.Explain(err)))
			return
		}
		done.Add(1)
	})
	return int(done.Load()), context.Cause(ctx)
}

// each calls f for 0..n-1 in some goroutines, until the context ends.
func each(ctx context.Context, n, workers int, f func(int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	all.Wait()
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
