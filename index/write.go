package index

import (
	"slices"
	"time"

	"github.com/aurora-sidecar/aurora/index/snapshot"
	"github.com/aurora-sidecar/aurora/index/store"
)

// write is the one goroutine that derives snapshots. It also keeps the store: a batch is stored after it was
// published, so that nobody waits for the disk.
func (x *Index) write() {
	for {
		select {
		case <-x.ctx.Done():
			return
		case b := <-x.batches:
			save := x.apply(b)
			x.persist(b)
			if save != nil {
				x.start(func() {
					x.saveSnapshot(save)
					x.saveRest()
				})
			}
			x.startMerge()
		}
	}
}

// saveRest has the writer save what changed while a snapshot was being saved, if nothing else will.
func (x *Index) saveRest() {
	x.mu.Lock()
	due := x.idleLocked() && !x.saving && x.unsavedLocked() != nil
	x.mu.Unlock()
	if due {
		x.send(&batch{})
	}
}

// send hands a batch to the writer; it gives up when the index shuts down.
func (x *Index) send(b *batch) {
	x.mu.Lock()
	ctx := x.ctx
	x.mu.Unlock()
	select {
	case x.batches <- b:
	case <-ctx.Done():
	}
}

// apply publishes a snapshot with the batch in it. It returns the folder whose snapshot is now to be saved, nil for
// none.
func (x *Index) apply(b *batch) (save *folder) {
	x.mu.Lock()
	d := snapshot.NewBuilder(x.published.Load())
	if b.part != nil {
		d.AddPart(b.part)
	}
	for i := range b.built {
		x.applyBuilt(d, b, &b.built[i])
	}
	for _, abs := range b.forget {
		if o := x.overlays[abs]; (o == nil || o.off) && x.folderOfLocked(abs) == nil {
			d.Drop(abs)
		}
	}
	if b.merge != nil {
		d.Replace(b.merge)
		x.merging = false
	}
	if b.overlay != nil {
		x.cleanLocked(b.overlay, b.rev)
	}
	moves := x.moves.Take(time.Now())
	x.published.Store(d.Publish(x.rootsLocked()))
	x.lastIndexed = time.Now()
	save = x.chooseSaveLocked()
	progress, listeners, movers := x.progressLocked(), x.listeners, x.movers
	observers := x.observersLocked()
	x.changed.Broadcast()
	x.mu.Unlock()
	if len(moves) > 0 {
		for _, f := range movers {
			f(moves)
		}
	}
	if progress != nil {
		for _, f := range listeners {
			f(*progress)
		}
	}
	for _, f := range observers {
		f()
	}
	return save
}

// applyBuilt changes one file in the builder, unless what the worker saw no longer counts: the buffer over the file was
// opened or closed since, or the folder was removed.
func (x *Index) applyBuilt(d *snapshot.Builder, b *batch, r *built) {
	if r.task != nil {
		r.task.folder.noteLocked(r)
		x.failFastLocked(r)
		x.finishLocked(r.task)
	}
	abs, now := r.abs(b), time.Now()
	before, known := d.Get(abs)
	wanted := x.overlays[abs] == b.overlay && !(b.loaded && known) && (r.task == nil || !r.task.folder.removed) && !r.outside
	if !wanted {
		if r.file != nil {
			d.Discard(b.part, r.first, r.file.Len())
		}
		r.file, r.gone, r.touched = nil, false, nil
		return
	}
	if r.fail == "" {
		delete(x.failures, abs)
	} else {
		x.failures[abs] = r.fail
	}
	if r.task != nil && (r.file != nil || r.gone && known || r.touched != nil) {
		r.task.folder.unsaved++
	}
	switch {
	case r.file != nil:
		d.Put(abs, r.file, b.part, r.first)
		if !known && !b.loaded {
			x.moves.Came(r.file, now)
		}
	case r.gone:
		d.Drop(abs)
		if known {
			x.moves.Left(before.File.Loaded(), now)
		}
	case r.touched != nil:
		d.Touch(abs, r.touched.ModTime)
	}
}

func (r *built) abs(b *batch) string {
	switch {
	case r.task != nil:
		return r.task.abs
	case r.file != nil:
		return r.file.Abs
	}
	return b.overlay.abs
}

// failFastLocked ends a scan at its first failure, where the rules want that.
func (x *Index) failFastLocked(r *built) {
	f := r.task.folder
	if r.fail == "" || !r.task.bulk || !f.rules.FailFast {
		return
	}
	x.bulk = slices.DeleteFunc(x.bulk, func(t *task) bool {
		if t.folder != f {
			return false
		}
		delete(x.tasks, t.abs)
		x.countLocked(0, 1)
		x.bulkTotal--
		return true
	})
	x.warnLocked("scan "+f.path, "indexing "+f.path+" ended at its first failure (index.bootstrap.fail_fast): "+r.task.rel+": "+r.fail)
}

// finishLocked takes a task off the books, or puts it back when its file changed meanwhile.
func (x *Index) finishLocked(t *task) {
	if t.bulk {
		x.bulkDone++
		t.bulk = false
	}
	if t.again && !t.folder.removed {
		t.again = false
		x.urgent = append(x.urgent, t)
		return
	}
	delete(x.tasks, t.abs)
	x.countLocked(0, 1)
}

// persist stores what the batch found on disk. Buffers are never stored.
func (x *Index) persist(b *batch) {
	changes := map[*folder]*store.Batch{}
	contents := map[store.Key][]byte{}
	for _, r := range b.built {
		if r.task == nil || r.file == nil && r.touched == nil && !r.gone {
			continue
		}
		if changes[r.task.folder] == nil {
			changes[r.task.folder] = &store.Batch{Failed: map[store.FileID]string{}}
		}
		r.record(changes[r.task.folder])
		if r.blob != nil {
			contents[contentKey(r.file.Hash, r.file.Language, r.file.Cut)] = r.blob
		}
	}
	x.keep(contents)
	for f, out := range changes {
		x.store(f, *out)
	}
}

// record adds the outcome of a task to what is to be stored of its folder.
func (r *built) record(out *store.Batch) {
	id := store.FileID{Folder: r.task.folder.path, Path: r.task.rel}
	switch {
	case r.file != nil:
		out.Upserts = append(out.Upserts, row(r.file))
	case r.touched != nil:
		out.Upserts = append(out.Upserts, row(r.touched))
	default:
		out.Deletes = append(out.Deletes, id)
	}
	if r.fail != "" {
		out.Failed[id] = r.fail
	}
}

func row(f *File) store.FileRow {
	return store.FileRow{
		FileID: store.FileID{Folder: f.Folder, Path: f.Path}, Size: f.Size, MTimeNS: f.ModTime.UnixNano(),
		Hash: f.Hash, Language: f.Language,
	}
}

// store writes one folder's changes.
func (x *Index) store(f *folder, out store.Batch) {
	if f.store == nil || !f.store.Writer() {
		return
	}
	if err := f.store.Apply(x.ctx, out); err != nil && x.ctx.Err() == nil {
		x.warn("store "+f.path, "the index of "+f.path+" is not being saved: "+err.Error()+
			"; it works from memory and will be built anew at the next start")
		return
	}
	x.warn("store "+f.path, "")
}

// startMerge begins a merge beside the writer when there are too many parts.
func (x *Index) startMerge() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.merging || x.closed {
		return
	}
	from := x.published.Load().DueMerge()
	if from == nil {
		return
	}
	x.merging = true
	x.start(func() { x.send(&batch{merge: snapshot.MergeParts(from)}) })
}
