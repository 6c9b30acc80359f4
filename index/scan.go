package index

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/aurora-sidecar/aurora/index/store"
	"github.com/aurora-sidecar/aurora/index/syntax"
	"github.com/aurora-sidecar/aurora/index/vfs"
)

// scanLocked starts a scan of the folder, or asks the running one for another round.
func (x *Index) scanLocked(f *folder, r scanRequest) {
	if f.refused != "" || f.removed || x.closed {
		return
	}
	f.scan.next = f.scan.next.and(r)
	if f.scan.running {
		f.scan.again = true
		return
	}
	f.scan.running = true
	x.scans++
	x.start(func() { x.scan(f) })
}

// scan lists the folder's files and queues those that are not in the picture as they are on disk.
func (x *Index) scan(f *folder) {
	defer x.send(&batch{}) // publishes the new state even when there was nothing to do
	if f.filter == nil {
		x.prepare(f)
		x.follow(f)
	}
	for again := true; again; {
		x.mu.Lock()
		r := f.scan.next
		f.scan.next, f.scan.again = scanRequest{}, false
		x.mu.Unlock()

		x.scanOnce(f, r)

		x.mu.Lock()
		if again = f.scan.again && !f.removed && !x.closed; !again {
			f.scan.running = false
			x.scans--
			x.changed.Broadcast()
		}
		removed := f.removed
		x.mu.Unlock()
		if removed {
			x.release(f)
		}
	}
}

// follow starts watching the folder. It comes before the scan, so that no change falls between the two.
func (x *Index) follow(f *folder) {
	if x.watch == nil {
		return
	}
	if err := x.watch.Add(f.path); err != nil && f.ctx.Err() == nil {
		x.warn("watch "+f.path, "file events of "+f.path+" can't be followed: "+err.Error())
	}
}

// prepare does what a folder needs once, before its first task.
func (x *Index) prepare(f *folder) {
	filter := vfs.NewFilter(f.ctx, f.root, vfs.FilterOptions{MaxSize: x.opts.MaxFile, Ignore: x.opts.Ignore, Log: x.log})
	x.mu.Lock()
	f.filter = filter
	x.mu.Unlock()
	for _, warning := range slices.Concat(filter.Warnings(), f.root.Warnings) {
		x.log.Warn(warning, "folder", f.path)
	}
	x.openCache()
	x.openStore(f)
	x.loadPicture(f)
}

func (x *Index) scanOnce(f *folder, r scanRequest) {
	var entries []vfs.Entry
	report, err := vfs.Scan(f.ctx, f.root, f.filter, func(e vfs.Entry) bool {
		entries = append(entries, e)
		return true
	})
	switch {
	case f.ctx.Err() != nil:
		return
	case err != nil:
		x.warn("scan "+f.path, err.Error())
		return
	case len(report.Problems) > 0:
		first := report.Problems[0]
		x.warn("scan "+f.path, fmt.Sprintf("%d places in %s could not be listed; the first is %s: %v",
			len(report.Problems), f.path, first.Path, first.Err))
	default:
		x.warn("scan "+f.path, "")
	}
	slices.SortStableFunc(entries, func(a, b vfs.Entry) int { return cmp.Compare(scanClass(a), scanClass(b)) })
	x.queueScan(f, entries, r)
	x.forgetMissing(f, entries)
}

// scanClass is the order in which a first scan reads files: small source files, other source, documents, configuration
// and the rest, large files.
func scanClass(e vfs.Entry) int {
	const small, large = 10 << 10, 1 << 20
	lang := syntax.ByPath(e.Path)
	switch {
	case e.Size >= large:
		return 4
	case lang == nil:
		return 3
	case lang.Name == "markdown":
		return 2
	case slices.Contains(configLanguages, lang.Name):
		return 3
	case e.Size < small:
		return 0
	}
	return 1
}

// configLanguages are those that configuration and data are written in.
var configLanguages = []string{"yaml", "toml", "json", "hcl"}

func (x *Index) queueScan(f *folder, entries []vfs.Entry, r scanRequest) {
	pic := x.published.Load()
	x.mu.Lock()
	defer x.mu.Unlock()
	f.files = len(entries)
	for _, e := range entries {
		if f.removed || x.closed {
			return
		}
		known, ok := pic.files.get(e.Abs)
		if ok && !r.force && !r.check && !known.file.Overlay && known.file.Size == e.Size && known.modTime.Equal(e.ModTime) {
			continue
		}
		x.queueLocked(f, e.Abs, true, r.force)
	}
}

// forgetMissing drops files of the picture that the scan did not find.
func (x *Index) forgetMissing(f *folder, entries []vfs.Entry) {
	found := make(map[string]bool, len(entries))
	for _, e := range entries {
		found[e.Abs] = true
	}
	x.mu.Lock()
	for abs, e := range x.published.Load().files.all() {
		if e.file.Folder == f.path && !found[abs] {
			x.queueLocked(f, abs, false, false)
		}
	}
	x.mu.Unlock()
	x.pruneStore(f, found)
}

// pruneStore deletes the rows of files that went while nobody looked.
func (x *Index) pruneStore(f *folder, found map[string]bool) {
	if f.store == nil || !f.store.Writer() {
		return
	}
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
		x.log.Warn("prune index store", "err", err)
	}
}

// queueLocked asks for a look at one file. A file that is queued already is looked at once; one that is in work is
// looked at again.
func (x *Index) queueLocked(f *folder, abs string, bulk, force bool) {
	if t := x.tasks[abs]; t != nil {
		t.force = t.force || force
		t.again = t.again || t.working
		return
	}
	t := &task{folder: f, abs: abs, rel: relative(f.path, abs), bulk: bulk, force: force}
	x.tasks[abs] = t
	x.countLocked(1, 0)
	if bulk {
		x.bulk = append(x.bulk, t)
		x.bulkTotal++
	} else {
		x.urgent = append(x.urgent, t)
	}
	x.changed.Broadcast()
}
