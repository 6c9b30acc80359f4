package index

import (
	"fmt"
	"time"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/moves"
	"github.com/aurora-sidecar/aurora/index/snapshot"
	"github.com/aurora-sidecar/aurora/index/store"
	"github.com/aurora-sidecar/aurora/internal/workload"
)

// A writer derives snapshots from batches, publishes them, and keeps the store.
type writer struct {
	x           *Index
	batches     chan *batch   // needs no lock
	nudge       chan struct{} // needs no lock; holds one when forgotten has grown
	forgotten   []string      // files outside every folder whose buffers were closed, still to be dropped
	merging     bool
	saving      bool
	afterScan   bool // what is being saved was much work
	lastIndexed time.Time
	moves       moves.Tracker
}

// write is the one goroutine that derives snapshots. It also keeps the store: a batch is stored after it was
// published, so that nobody waits for the disk.
func (w *writer) write() {
	for {
		select {
		case <-w.x.life.ctx.Done():
			return
		case b := <-w.batches:
			w.take(b)
		case <-w.nudge:
			w.take(&batch{})
		}
	}
}

// patience is how long publishing and storing a batch may take before it is told of.
const patience = time.Minute

// hangs tells that a batch has been at work for too long.
func (w *writer) hangs() {
	w.x.log.Error("publishing or storing what was indexed hangs", "after", patience, "goroutines", workload.Goroutines())
	w.x.notices.warn("writer", fmt.Sprintf("what was indexed has not been published or stored for %s; the disk may hang", patience))
}

// take publishes and stores a batch, and starts what is due after it.
func (w *writer) take(b *batch) {
	slow := time.AfterFunc(patience, w.hangs)
	defer func() {
		if !slow.Stop() {
			w.x.notices.warn("writer", "")
		}
	}()
	save := w.apply(b)
	w.persist(b)
	if save != nil {
		w.x.life.start(func() {
			w.saveSnapshot(save)
			w.saveRest()
		})
	}
	w.startMerge()
}

// forgetLocked has the writer drop a file that nothing follows. Unlike send it never waits, since editors' notifications
// wait for it.
func (w *writer) forgetLocked(abs string) {
	if !w.x.life.awake {
		return // nothing of it is in the snapshot
	}
	w.forgotten = append(w.forgotten, abs)
	select {
	case w.nudge <- struct{}{}:
	default: // the writer will see this one, too
	}
}

// saveRest has the writer save what changed while a snapshot was being saved, if nothing else will.
func (w *writer) saveRest() {
	if w.due() {
		w.send(&batch{})
	}
}

// due reports whether something is to be saved and nothing else is to do.
func (w *writer) due() bool {
	w.x.mu.Lock()
	defer w.x.mu.Unlock()
	return w.x.idleLocked() && !w.saving && w.unsavedLocked() != nil
}

// send hands a batch to the writer and waits until it takes it; it gives up when the index shuts down. The writer calls
// listeners, so nobody may hold a lock here that a listener takes.
func (w *writer) send(b *batch) {
	w.x.mu.Lock()
	ctx := w.x.life.ctx
	w.x.mu.Unlock()
	select {
	case w.batches <- b:
	case <-ctx.Done():
	}
}

// apply publishes a snapshot with the batch in it. It returns the folder whose snapshot is now to be saved, nil for
// none.
func (w *writer) apply(b *batch) (save *folder) {
	save, news := w.publish(b)
	news.tell()
	return save
}

// publish is apply without telling anybody yet.
func (w *writer) publish(b *batch) (save *folder, _ news) {
	w.x.mu.Lock()
	defer w.x.mu.Unlock()
	d := snapshot.NewBuilder(w.x.published.Load())
	if b.part != nil {
		d.AddPart(b.part)
	}
	for i := range b.built {
		w.applyBuilt(d, b, &b.built[i])
	}
	for _, abs := range append(b.forget, w.forgotten...) {
		if o := w.x.buffers.open[abs]; (o == nil || o.off) && w.x.folders.ofLocked(abs) == nil {
			d.Drop(abs)
		}
	}
	w.forgotten = nil
	if b.merge != nil {
		d.Replace(b.merge)
		w.merging = false
	}
	if b.overlay != nil {
		w.x.buffers.cleanLocked(b.overlay, b.rev)
	}
	moves := w.moves.Take(time.Now())
	w.x.published.Store(d.Publish(w.x.folders.rootsLocked()))
	w.lastIndexed = time.Now()
	save = w.chooseSaveLocked()
	defer w.x.changed.Broadcast()
	return save, news{
		moves: moves, movers: w.x.notices.movers, progress: w.x.scans.progressLocked(), listeners: w.x.notices.listeners,
		observers: w.x.notices.observersLocked(),
	}
}

// news are what a published snapshot has to be said of, and to whom.
type news struct {
	moves     []Move
	movers    []func([]Move)
	progress  *Progress // nil when it is the same
	listeners []func(Progress)
	observers []func()
}

// tell must be called with no lock held.
func (n *news) tell() {
	if len(n.moves) > 0 {
		for _, f := range n.movers {
			f(n.moves)
		}
	}
	if n.progress != nil {
		for _, f := range n.listeners {
			f(*n.progress)
		}
	}
	for _, f := range n.observers {
		f()
	}
}

// applyBuilt changes one file in the builder, unless what the worker saw no longer counts: the buffer over the file was
// opened or closed since, or the folder was removed.
func (w *writer) applyBuilt(d *snapshot.Builder, b *batch, r *built) {
	if r.task != nil {
		r.task.folder.noteLocked(r)
		w.x.queue.finishLocked(r.task)
	}
	abs, now := r.abs(b), time.Now()
	before, known := d.Get(abs)
	wanted := w.x.buffers.open[abs] == b.overlay && !(b.loaded && known) && (r.task == nil || !r.task.folder.removed) && !r.outside
	if !wanted {
		if r.file != nil {
			d.Discard(b.part, r.first, r.file.Len())
		}
		r.file, r.gone, r.touched = nil, false, nil
		return
	}
	if r.fail == "" {
		delete(w.x.notices.failures, abs)
	} else {
		w.x.notices.failures[abs] = r.fail
	}
	// A file that was only looked at again because it had just been written when it was read is no reason to save.
	rewritten := r.touched != nil && !r.touched.ModTime.Equal(before.ModTime)
	if r.task != nil && (r.file != nil || r.gone && known || rewritten) {
		r.task.folder.unsaved++
	}
	switch {
	case r.file != nil:
		d.Put(abs, r.file, b.part, r.first)
		if !known && !b.loaded {
			w.moves.Came(r.file, now)
		}
	case r.gone:
		d.Drop(abs)
		if known {
			w.moves.Left(before.File.Loaded(), now)
		}
	case r.touched != nil:
		d.Touch(abs, r.touched)
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

// finishLocked takes a task off the books, or puts it back when its file changed meanwhile.
func (q *taskQueue) finishLocked(t *task) {
	if t.bulk {
		q.x.scans.done++
		t.bulk = false
	}
	if t.again && !t.folder.removed {
		t.again = false
		q.urgent = append(q.urgent, t)
		return
	}
	delete(q.tasks, t.abs)
	q.x.jobs.countLocked(0, 1)
}

// persist stores what the batch found on disk. Buffers are never stored.
func (w *writer) persist(b *batch) {
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
			contents[store.ContentKey(r.file.Hash, r.file.Language, chunk.Version)] = r.blob
		}
	}
	w.x.cache.keep(contents)
	for f, out := range changes {
		w.store(f, *out)
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
func (w *writer) store(f *folder, out store.Batch) {
	if f.store == nil || !f.store.Writer() {
		return
	}
	if err := f.store.Apply(w.x.life.ctx, out); err != nil && w.x.life.ctx.Err() == nil {
		w.x.notices.warn("store "+f.path, "the index of "+f.path+" is not being saved: "+err.Error()+
			"; it works from memory and will be built again at the next start")
		return
	}
	w.x.notices.warn("store "+f.path, "")
}

// startMerge begins a merge beside the writer when there are too many parts.
func (w *writer) startMerge() {
	w.x.mu.Lock()
	defer w.x.mu.Unlock()
	if w.merging || w.x.life.closed {
		return
	}
	from := w.x.published.Load().DueMerge()
	if from == nil {
		return
	}
	w.merging = true
	w.x.life.start(func() { w.send(&batch{merge: snapshot.MergeParts(from)}) })
}
