package index

import (
	"errors"
	"maps"
	"slices"
	"sync/atomic"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/parser"
	"github.com/aurora-sidecar/aurora/index/snapshot"
	"github.com/aurora-sidecar/aurora/index/store"
	"github.com/aurora-sidecar/aurora/index/syntax"
	"github.com/aurora-sidecar/aurora/index/vfs"
	"github.com/aurora-sidecar/aurora/index/watch"
	"github.com/aurora-sidecar/aurora/internal/scrub"
)

// A taskQueue holds the files on disk that are to be looked at, and the workers that do.
type taskQueue struct {
	x      *Index
	urgent []*task          // changed files
	bulk   []*task          // files found by a scan
	tasks  map[string]*task // every task that is queued or in work, by absolute path
	parses atomic.Int64     // texts of files that were parsed, not taken from the cache; needs no lock
}

// A task is one file on disk to look at.
type task struct {
	folder  *folder
	abs     string
	rel     string
	bulk    bool
	missing bool           // a scan did not find it
	force   bool           // parse even when nothing changed
	working bool           // a worker has taken it
	again   bool           // the file changed while the task was in work
	seen    snapshot.Stamp // what a scan saw; zero for other tasks
}

// work reads, parses and tokenises files. What it made goes to the writer when a batch is full, or when there is
// nothing more to do.
func (q *taskQueue) work() {
	b := q.x.newBatcher()
	for {
		t, ok := q.next(b.empty())
		if !ok {
			return
		}
		if t != nil {
			r, text := q.build(t)
			q.noteSecrets(t.abs, b.add(r, text, q.x.published.Load().Lender(t.abs)))
			q.warnOfLarge(t, &r)
		}
		if t == nil || b.full(q.x.opts.BatchFiles) {
			q.x.writer.send(b.take())
		}
		if t == nil {
			b.restart()
		}
	}
}

// next takes the next task, changed files before those of a scan. With wait it blocks until there is one;
// otherwise t is nil when there is none. ok is false when the index shuts down.
func (q *taskQueue) next(wait bool) (t *task, ok bool) {
	q.x.mu.Lock()
	defer q.x.mu.Unlock()
	for {
		switch {
		case q.x.life.closed, !q.x.life.awake:
			return nil, false
		case len(q.urgent) > 0:
			t, q.urgent = q.urgent[0], q.urgent[1:]
		case len(q.bulk) > 0:
			t, q.bulk = q.bulk[0], q.bulk[1:]
		case !wait:
			return nil, true
		default:
			q.x.changed.Wait()
			continue
		}
		t.working = true
		return t, true
	}
}

// build looks at one file.
func (q *taskQueue) build(t *task) (built, []byte) {
	q.x.mu.Lock()
	filter, force, listed, secrets := t.folder.filter, t.force, t.bulk && !t.missing, t.folder.secrets
	stored := !(t.bulk && q.x.cache.empty)
	t.force = false
	q.x.mu.Unlock()
	r := built{task: t}
	if t.folder.ctx.Err() != nil {
		r.same = true
		return r, nil
	}
	if !listed && !filter.Explain(t.folder.ctx, t.abs).Indexed {
		r.gone = true
		return r, nil
	}
	content, err := filter.Read(t.abs)
	switch {
	case errors.Is(err, vfs.ErrVanished), errors.Is(err, vfs.ErrBinary), errors.Is(err, vfs.ErrTooLarge), errors.Is(err, vfs.ErrNotRegular):
		r.gone, r.unwanted = true, !errors.Is(err, vfs.ErrVanished)
		return r, nil
	case err != nil:
		r.gone, r.fail = true, err.Error()
		q.x.log.Warn("file not indexed", "path", t.abs, "err", err)
		return r, nil
	}
	known, ok := q.x.published.Load().Entry(t.abs)
	ok = ok && !force && !known.File.Overlay && known.File.Hash == content.Hash
	if ok && known.File.Secrets == secrets && known.File.Size == content.Size {
		r.same = true
		if !known.ModTime.Equal(content.ModTime) || known.Node != content.Node {
			touched := *known.File
			touched.ModTime, touched.Node = content.ModTime, content.Node
			r.touched = &touched
		}
		return r, nil
	}
	r.file = &File{
		Folder: t.folder.path, Path: t.rel, Abs: t.abs, Hash: content.Hash, Size: content.Size, ModTime: content.ModTime, Node: content.Node, Secrets: secrets,
	}
	if ok { // only its words are made again
		r.file.File = known.File.Loaded().File
		return r, content.Text
	}
	r.file.File, r.blob = q.chunks(t, content, stored && !force, listed && !force)
	return r, content.Text
}

// largeFile is the size in bytes above which an indexed file is worth a warning.
const largeFile = 2 << 20

// warnOfLarge tells of a file that is indexed although it is large.
func (q *taskQueue) warnOfLarge(t *task, r *built) {
	if r.file == nil {
		return
	}
	if r.file.Size > largeFile {
		q.x.log.Warn("a large file is indexed", "path", t.abs, "bytes", r.file.Size, "above", largeFile)
	}
}

// noteSecrets leaves a trace of what was kept out of the index: which kinds of secrets, never the secrets.
func (q *taskQueue) noteSecrets(abs string, found []scrub.Finding) {
	if len(found) == 0 {
		return
	}
	kinds := map[string]bool{}
	for _, f := range found {
		kinds[f.Kind] = true
	}
	q.x.log.Info("secrets left out of the index", "path", abs, "count", len(found), "kinds", slices.Sorted(maps.Keys(kinds)))
}

// chunks cuts a text into chunks, or takes them from the cache when the same text was cut before. blob is what to
// keep, nil when it is there already. Without stored the cache is not asked, without shared that of the
// team is not: nobody who saves a file waits for it.
func (q *taskQueue) chunks(t *task, content vfs.Content, stored, shared bool) (f *chunk.File, blob []byte) {
	lang := syntax.Detect(t.abs, content.Text)
	key := store.ContentKey(content.Hash, languageName(lang), chunk.Version)
	if stored {
		if f := q.x.cache.get(t.folder.ctx, key); f != nil {
			return f, nil
		}
	}
	if shared {
		if f, blob := q.sharedChunks(t, lang, content, key); f != nil {
			return f, blob
		}
	}
	q.parses.Add(1)
	f, blob, err := q.x.analyze(lang, content)
	if q.x.logUnparsed(t.abs, err) {
		// On a quieter machine, or in the next version, the text may have more to it: not worth keeping.
		return f, nil
	}
	if blob == nil {
		blob = chunk.Encode(f)
	}
	return f, blob
}

// logUnparsed reports whether a text was cut by its paragraphs for a reason that is not in the text alone, and logs it.
func (x *Index) logUnparsed(abs string, err error) bool {
	switch {
	case errors.Is(err, chunk.ErrPanic), errors.Is(err, parser.ErrCrashed):
		x.log.Error("file cut as text", "path", abs, "err", err)
	case errors.Is(err, syntax.ErrBudget), errors.Is(err, parser.ErrMemory):
		x.log.Warn("file cut as text", "path", abs, "err", err)
	default:
		return false
	}
	return true
}

// analyze parses what has a grammar and is worth parsing; minified text is searchable, but has no structure that a
// person would look for. The file is right even with an error, which says why it was not parsed. blob is what
// chunk.Encode makes of it, when that is known.
func (x *Index) analyze(lang *syntax.Language, content vfs.Content) (f *chunk.File, blob []byte, err error) {
	if lang == nil || content.Minified {
		return chunk.BuildText(content.Text), nil, nil
	}
	return x.opts.Parser.Analyze(lang, content.Text)
}

func languageName(lang *syntax.Language) string {
	if lang == nil {
		return "text"
	}
	return lang.Name
}

// addBelowLocked looks again at every known file below a folder that came or went.
func (q *taskQueue) addBelowLocked(dir string) {
	f := q.x.folders.ofLocked(dir)
	if f == nil {
		return
	}
	for abs := range q.x.published.Load().Entries() {
		if within(dir, abs) {
			q.addLocked(f, abs, false, false)
		}
	}
}

// changedRulesLocked has the folders scanned whose rules a batch changes, or in which events were lost.
func (es *eventSource) changedRulesLocked(b *watch.Batch) {
	for _, f := range es.x.folders.all {
		if f.filter == nil {
			continue // before its first scan
		}
		var c vfs.Change
		if len(b.Dirs) > 0 {
			f.filter.Moved()
		}
		if b.Rescan {
			f.filter.Moved()
			c = vfs.IgnoreRules
		}
		for _, abs := range b.Changed {
			c = max(c, f.filter.Changed(abs))
		}
		if c != vfs.NoRule {
			es.x.scans.startLocked(f, scanRequest{changed: c})
		}
	}
}

// follow queues what the watcher reports.
func (es *eventSource) follow() {
	for b := range es.watcher.Batches() {
		es.take(&b)
	}
}

func (es *eventSource) take(b *watch.Batch) {
	es.x.mu.Lock()
	defer es.x.mu.Unlock()
	es.changedRulesLocked(b)
	for _, dir := range b.Dirs {
		es.x.queue.addBelowLocked(dir)
	}
	for _, abs := range b.Changed {
		if f := es.x.folders.ofLocked(abs); f != nil {
			es.x.queue.addLocked(f, abs, false, false)
		}
	}
}
