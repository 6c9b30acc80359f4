package index

import (
	"errors"

	"github.com/aurora-sidecar/aurora/index/store"
	"github.com/aurora-sidecar/aurora/index/vfs"
)

// A listing is what there is in a folder.
type listing struct {
	entries []vfs.Entry
	report  vfs.Report
	err     error
}

func list(f *folder, filter *vfs.Filter) (l listing) {
	l.report, l.err = vfs.Scan(f.ctx, f.root, filter, func(e vfs.Entry) bool {
		l.entries = append(l.entries, e)
		return true
	})
	return l
}

// listEarly begins to list a folder while its snapshot is being read. With a watcher that would be too early: what changes
// before the snapshot is there, and after the folder was looked at, would go by unseen.
func (sc *scanner) listEarly(f *folder) {
	if !sc.x.opts.NoWatch {
		return
	}
	early, filter := make(chan listing, 1), f.filter
	f.early = early
	sc.x.life.start(func() { early <- list(f, filter) })
}

// listing returns what there is in a folder under the effective rules.
func (sc *scanner) listing(f *folder, r scanRequest) listing {
	early := f.early
	f.early = nil
	if early == nil || r.rules {
		return list(f, f.filter)
	}
	return <-early
}

// storedOthers reports whether the store has rows of other files than those that are known, as far as their number tells.
func (sc *scanner) storedOthers(f *folder, known int) bool {
	if f.store == nil || !f.store.Writer() {
		return false
	}
	n, err := f.store.CountFiles(f.ctx, f.path)
	return err != nil || n != known
}

// pruneStore deletes the rows of files that went while nobody looked.
func (sc *scanner) pruneStore(f *folder, entries []vfs.Entry) {
	if f.store == nil || !f.store.Writer() {
		return
	}
	found := pathsOf(entries)
	rows, err := f.store.LoadFiles(f.ctx, f.path)
	if err != nil {
		return // persist warns when the store is broken
	}
	var out store.Batch
	for _, row := range rows {
		if !found[f.abs(row.Path)] {
			out.Deletes = append(out.Deletes, store.FileID{Folder: f.path, Path: row.Path})
		}
	}
	if len(out.Deletes) == 0 {
		return
	}
	if err := f.store.Apply(f.ctx, out); err != nil && !errors.Is(err, f.ctx.Err()) {
		sc.x.log.Warn("prune index store", "err", err)
	}
}
