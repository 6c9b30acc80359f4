package index

import (
	"maps"
	"path/filepath"
	"runtime/debug"
	"slices"

	"github.com/aurora-sidecar/aurora/index/snapshot"
	"github.com/aurora-sidecar/aurora/index/syntax"
	"github.com/aurora-sidecar/aurora/internal/atomicfile"
)

// saveAfter is how many files must have changed, as a share of all, for a snapshot to be saved again.
const saveAfter = 0.02

// chooseSaveLocked returns a folder that changed a good deal since its snapshot was saved, when nothing else is to do.
// The caller must then call saveSnapshot.
func (w *writer) chooseSaveLocked() *folder {
	if w.saving || w.x.life.closed || !w.x.idleLocked() {
		return nil
	}
	f := w.unsavedLocked()
	if f == nil {
		return nil
	}
	w.saving, w.afterScan, f.unsaved = true, f.unsaved >= releaseAfter, 0
	return f
}

// unsavedLocked returns a folder that changed a good deal since its snapshot was saved, nil when there is none.
func (w *writer) unsavedLocked() *folder {
	i := slices.IndexFunc(w.x.folders.all, func(f *folder) bool {
		return f.store != nil && f.store.Writer() && float64(f.unsaved) > saveAfter*float64(f.files)
	})
	if i < 0 {
		return nil
	}
	return w.x.folders.all[i]
}

// saveSnapshot writes the snapshot of a folder, and goes on with the next one that is due.
func (w *writer) saveSnapshot(f *folder) {
	path := filepath.Join(f.dir, snapshot.SavedName)
	w.x.mu.Lock()
	unwanted := maps.Clone(f.unwanted)
	w.x.mu.Unlock()
	data, m, err := snapshot.Encode(w.x.published.Load(), f.path, unwanted)
	size := int64(len(data))
	if err == nil {
		err = atomicfile.Write(path, data, atomicfile.Private)
	}
	data = nil
	if err != nil {
		w.x.log.Warn("index not saved; the next start will take longer", "path", path, "err", err)
	}
	w.x.mu.Lock()
	afterScan := w.afterScan
	w.x.mu.Unlock()
	if err == nil && afterScan && m.MapVectors(path, size) {
		w.settle(m)
	}
	w.x.mu.Lock()
	defer w.x.mu.Unlock()
	if w.afterScan {
		w.x.life.start(releaseMemory)
	}
	if !w.x.life.closed {
		w.x.life.start(w.x.cache.shrink)
	}
	w.saving, w.afterScan = false, false
	if next := w.chooseSaveLocked(); next != nil {
		w.x.life.start(func() { w.saveSnapshot(next) })
	}
	w.x.changed.Broadcast()
}

// settle puts what was saved in the place of the parts that it was made of, so that a process holds after a scan what it would
// hold after a start: one segment, and vectors that stay in their file.
func (w *writer) settle(m *snapshot.Merge) {
	w.x.mu.Lock()
	ctx, busy := w.x.life.ctx, w.merging || w.x.life.closed
	w.merging = w.merging || !busy
	w.x.mu.Unlock()
	if busy {
		return
	}
	w.send(&batch{merge: m})
	_ = w.x.life.wait(ctx, func() bool { return !w.merging }) // memory is given back next
}

// releaseAfter is how many files must have been indexed for it to be worth while to give memory back.
const releaseAfter = 500

// releaseMemory gives back what much indexing has left behind, in Go's heap and in C's: a sidecar that waits for a
// keystroke should not hold what a scan needed.
func releaseMemory() {
	syntax.Trim()
	debug.FreeOSMemory()
}
