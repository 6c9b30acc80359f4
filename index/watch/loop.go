package watch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

// loop is the only goroutine that touches the tree and the events gathered.
func (w *Watcher) loop() {
	defer w.timer.Stop()
	var ready Batch          // waits for a reader
	var deliver chan<- Batch // nil while there is nothing to deliver
	for {
		select {
		case event, open := <-w.notify.Events:
			if !open {
				return
			}
			w.handle(event)
		case <-w.overflow:
			w.pending.rescan = true
			w.schedule()
		case command := <-w.commands:
			command()
		case <-w.timer.C:
			ready = merge(ready, w.flush())
			if !ready.empty() {
				deliver = w.batches
			}
		case deliver <- ready:
			ready, deliver = Batch{}, nil
		case <-w.stop:
			return
		}
	}
}

// drainErrors has a goroutine of its own: fsnotify may report an error while it holds the lock that adding a folder
// needs, so the one who adds folders must not be the one to read errors.
func (w *Watcher) drainErrors() {
	for err := range w.notify.Errors {
		if errors.Is(err, fsnotify.ErrEventOverflow) {
			select {
			case w.overflow <- struct{}{}:
			default: // already known
			}
			continue
		}
		if !errors.Is(err, syscall.EINVAL) { // the folder was gone before its watch was taken away
			w.warn(err)
		}
	}
}

// handle notes one event.
func (w *Watcher) handle(event fsnotify.Event) {
	path := event.Name
	if path == "" || event.Op == fsnotify.Chmod {
		return
	}
	afterRename := w.renamed
	w.renamed = event.Has(fsnotify.Rename)
	gone := event.Has(fsnotify.Remove) || event.Has(fsnotify.Rename)
	if w.handleSingle(path, gone) {
		return
	}
	switch {
	case gone && w.tree.has(path):
		w.dropDir(path)
		w.pending.dirLeft(path, w.renamed)
	case gone && w.pending.left[path]:
		return // the folder itself tells what its parent told before
	case event.Has(fsnotify.Create) && isDir(path):
		if w.options.Skip(path) {
			w.pending.changedInside(path)
			break
		}
		w.pending.dirCame(path)
		w.addTree(path, w.pending.changedInside)
	case isNoise(filepath.Base(path)):
		return
	default:
		// A rename may put a new file in the place of an old one; what else creates a file finds none.
		w.pending.fileEvent(path, event.Has(fsnotify.Create) && !afterRename)
	}
	w.schedule()
}

// schedule sets the timer: after a pause, but not later than maxDelayFactor pauses after the first event.
func (w *Watcher) schedule() {
	now := time.Now()
	if w.pending.since.IsZero() {
		w.pending.since = now
	}
	latest := w.pending.since.Add(maxDelayFactor * w.options.Debounce)
	w.timer.Reset(min(w.options.Debounce, max(latest.Sub(now), 0)))
}

// flush ends the gathering and makes a batch of it.
func (w *Watcher) flush() Batch {
	p := w.pending
	w.pending = newGathering()
	if p.rescan {
		w.renew()
		return Batch{Rescan: true}
	}
	// A folder that moved into a new one, before the new one was watched, was listed there while its watch still
	// carried the old name and then lost it. Adding it once more is cheap and sets that right.
	if p.moved {
		for dir := range p.came {
			if isDir(dir) {
				w.addTree(dir, p.changedInside)
			}
		}
	}
	return p.batch()
}

// addRoot watches a root and what is in it.
func (w *Watcher) addRoot(root string) error {
	info, err := os.Stat(root)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return &fs.PathError{Op: "watch", Path: root, Err: syscall.ENOTDIR}
	}
	w.tree.roots[root] = true
	w.addTree(root, func(string) {})
	return nil
}

func (w *Watcher) removeRoot(root string) {
	if !w.tree.roots[root] {
		return
	}
	delete(w.tree.roots, root)
	w.dropDir(root)
	for other := range w.tree.roots {
		if within(root, other) || within(other, root) {
			w.addTree(other, func(string) {})
		}
	}
}

// addTree watches dir and the folders in it, each before it is listed, and hands the files found to found; folders to be
// skipped, too.
func (w *Watcher) addTree(dir string, found func(file string)) {
	if !w.watchDir(dir) {
		return
	}
	listing, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.warn(err)
	}
	for _, entry := range listing {
		child := filepath.Join(dir, entry.Name())
		switch {
		case !entry.IsDir(), w.options.Skip(child):
			found(child)
		default:
			w.addTree(child, found)
		}
	}
}

// watchDir reports whether dir is worth listing: it is watched, or the limit is reached.
func (w *Watcher) watchDir(dir string) bool {
	err := w.addDir(dir)
	switch {
	case err == nil:
		w.tree.add(dir)
		return true
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EMFILE):
		w.limited(err)
		return true
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fsnotify.ErrClosed), errors.Is(err, syscall.ENOTDIR):
		return false
	}
	w.warn(&fs.PathError{Op: "watch", Path: dir, Err: err})
	return false
}

// dropDir takes the watches of dir and the folders in it away. After a move they would go on under the old name.
func (w *Watcher) dropDir(dir string) {
	for _, d := range w.tree.drop(dir) {
		_ = w.notify.Remove(d) // an error means that the system was faster
	}
}

// renew sets every watch again, after events were lost and nothing is sure any more.
func (w *Watcher) renew() {
	for root := range w.tree.roots {
		w.dropDir(root)
	}
	for root := range w.tree.roots {
		w.addTree(root, func(string) {})
	}
}

func isDir(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}
