package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/aurora-sidecar/aurora/index/parser"
	"github.com/aurora-sidecar/aurora/index/snapshot"
)

// An Index follows a workspace.
//
// Four kinds of goroutines work in it, from the first folder or buffer that is to be indexed until Shutdown, or until
// Configure switches everything off:
//
//	scan     one per folder being scanned: lists files, queues what is new or changed
//	work     Options.Workers: read, parse, chunk and tokenise files, in batches
//	edit     one: the same for open buffers, with incremental parsing
//	write    one: applies batches to the snapshot and publishes it; persists; starts merges
//	sweep    one, with a watcher: looks now and then for changes that it missed
//
// They meet only in the state below and in the batches channel.
type Index struct {
	opts      Options
	log       *slog.Logger
	published atomic.Pointer[snapshot.Snapshot]

	mu      sync.Mutex // guards the parts below, where they don't say otherwise
	changed *sync.Cond // is signalled whenever something below may let a waiter go on

	life    lifecycle
	folders folderSet
	scans   scanner
	queue   taskQueue
	buffers buffers
	writer  writer
	cache   contentCache
	events  eventSource
	jobs    jobList
	notices notices
}

// Open starts following opts.Folders. It returns at once; scanning runs behind it. A store that can't be opened is
// no error: the index works from memory and says so in Status.
func Open(ctx context.Context, opts Options) (*Index, error) {
	if opts.Workers <= 0 {
		opts.Workers = runtime.GOMAXPROCS(0)
	}
	if opts.Parser == nil {
		opts.Parser = parser.Local
	}
	if opts.BatchFiles <= 0 {
		opts.BatchFiles = 2000
	}
	if opts.PollEvery <= 0 {
		opts.PollEvery = pollEvery
	}
	if opts.CacheBytes <= 0 {
		opts.CacheBytes = DefaultCacheBytes
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	x := &Index{opts: opts, log: opts.Log}
	x.changed = sync.NewCond(&x.mu)
	x.published.Store(snapshot.Empty(0, opts.Embedder))
	x.life = lifecycle{x: x, base: context.WithoutCancel(ctx)}
	x.life.ctx, x.life.cancel = context.WithCancel(x.life.base)
	x.folders, x.scans, x.events, x.jobs, x.cache = folderSet{x: x}, scanner{x: x}, eventSource{x: x}, jobList{x: x}, contentCache{x: x}
	x.queue = taskQueue{x: x, tasks: map[string]*task{}}
	x.writer = writer{x: x, batches: make(chan *batch, opts.Workers), nudge: make(chan struct{}, 1)}
	x.notices = notices{x: x, failures: map[string]string{}, warnings: map[string]string{}}
	outside := x.folders.rulesOf("")
	x.buffers = buffers{x: x, open: map[string]*overlay{}, outside: outside, outsideSecrets: outside.secretSet()}
	for _, path := range opts.Folders {
		x.AddFolder(path)
	}
	return x, nil
}

// start runs f in a goroutine that Shutdown waits for.
func (l *lifecycle) start(f func()) {
	l.wg.Add(1)
	go func() {
		defer l.wg.Done()
		f()
	}()
}

// Shutdown stops every goroutine, closes the store and releases the trees of open buffers. What was published
// before can still be read.
func (x *Index) Shutdown() error {
	x.life.mu.Lock()
	defer x.life.mu.Unlock()
	x.mu.Lock()
	closed := x.life.closed
	x.life.closed = true
	x.mu.Unlock()
	if closed {
		return nil
	}
	errs := []error{x.life.rest(false)}
	for _, f := range x.folders.all {
		errs = append(errs, f.close())
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("shut down index: %w", err)
	}
	return nil
}

// Snapshot returns the present snapshot.
func (x *Index) Snapshot() *Snapshot {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.published.Load().As(x.stateLocked(), x.pendingLocked())
}

// maxPending bounds how many pending paths a snapshot names; a branch switch can make thousands.
const maxPending = 100

func (x *Index) pendingLocked() []string {
	if len(x.buffers.dirty) == 0 && len(x.queue.urgent) == 0 && len(x.queue.tasks) == len(x.queue.bulk) {
		return nil
	}
	paths := map[string]bool{}
	for _, o := range x.buffers.dirty {
		paths[o.rel] = true
	}
	if len(x.queue.tasks) > len(x.queue.bulk) {
		for _, t := range x.queue.tasks {
			if len(paths) >= maxPending {
				break
			}
			if !t.bulk {
				paths[t.rel] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(paths))
}

func (x *Index) stateLocked() State {
	switch {
	case x.folders.waitingLocked():
		return Starting
	case x.scans.running > 0 || x.scans.done < x.scans.total:
		if len(x.folders.all) > 0 && x.published.Load().Number() == 0 {
			return Starting
		}
		return Indexing
	case len(x.notices.warnings) > 0:
		return Degraded
	}
	return Ready
}

// waitingLocked reports whether the indexing of a folder has still to begin.
func (fs *folderSet) waitingLocked() bool {
	return slices.ContainsFunc(fs.all, func(f *folder) bool { return f.refused == "" && f.ctx == nil })
}

// idleLocked reports whether everything that was asked for is in the snapshot.
func (x *Index) idleLocked() bool {
	return !x.folders.waitingLocked() && x.scans.running == 0 && len(x.queue.tasks) == 0 && len(x.buffers.dirty) == 0 &&
		len(x.writer.forgotten) == 0
}

// Flush waits until everything asked for so far is in the snapshot, and saved when there is much of it.
func (x *Index) Flush(ctx context.Context) error {
	x.writer.saveRest()
	return x.life.wait(ctx, func() bool { return x.idleLocked() && !x.writer.saving && x.writer.unsavedLocked() == nil })
}

// WaitReady waits until the first scan of every folder has ended and its files are in the snapshot, with those that were open
// in editors when it ended, or when it is called after that.
func (x *Index) WaitReady(ctx context.Context) error {
	scanned, open := false, uint64(0)
	return x.life.wait(ctx, func() bool {
		if x.folders.waitingLocked() || x.scans.running > 0 || x.scans.done < x.scans.total {
			return false
		}
		if !scanned {
			scanned, open = true, x.buffers.opened
		}
		return x.buffers.readLocked(open)
	})
}

// wait blocks until ok, called with mu held, is true.
func (l *lifecycle) wait(ctx context.Context, ok func() bool) error {
	stop := context.AfterFunc(ctx, func() {
		l.x.mu.Lock()
		defer l.x.mu.Unlock()
		l.x.changed.Broadcast()
	})
	defer stop()
	l.x.mu.Lock()
	defer l.x.mu.Unlock()
	for !ok() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if l.closed {
			return errors.New("the index was shut down")
		}
		l.x.changed.Wait()
	}
	return nil
}

// Status tells how the index is.
func (x *Index) Status() Status {
	shared := x.folders.sharedCache()
	x.mu.Lock()
	defer x.mu.Unlock()
	now := x.published.Load()
	files, chunks := now.Counts()
	s := Status{
		State: x.stateLocked(), Snapshot: now.Number(), LastIndexed: x.writer.lastIndexed,
		Counts: Counts{
			Indexed: files, Total: files + x.scans.total - x.scans.done, Failed: len(x.notices.failures), Chunks: chunks,
		},
		Pending: x.pendingLocked(), Languages: maps.Clone(now.Languages()), Watcher: x.events.mode(), Writer: x.folders.writerLocked(),
		Jobs: x.jobs.runningLocked(), Embedder: snapshot.SpaceOf(x.opts.Embedder), SharedCache: shared,
	}
	for _, f := range x.folders.all {
		s.Folders = append(s.Folders, FolderStatus{Path: f.path, Files: now.FilesOf(f.path), Refused: cmp.Or(f.refused, f.problem)})
		s.SizeBytes += f.sizeOnDisk()
	}
	for _, topic := range slices.Sorted(maps.Keys(x.notices.warnings)) {
		s.Warnings = append(s.Warnings, x.notices.warnings[topic])
	}
	return s
}

// Failures returns what could not be read or parsed: absolute path to reason.
func (x *Index) Failures() map[string]string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return maps.Clone(x.notices.failures)
}

// notices are what is told to those who ask for the status, and to listeners.
type notices struct {
	x         *Index
	failures  map[string]string // absolute path -> what went wrong
	warnings  map[string]string // by topic
	listeners []func(Progress)
	movers    []func([]Move)
	observers []func()
	observed  observation
}

// failure is why a file could not be read or parsed, "" when it could.
func (ns *notices) failure(abs string) string {
	ns.x.mu.Lock()
	defer ns.x.mu.Unlock()
	return ns.failures[abs]
}

// warn keeps one warning per topic for Status; "" withdraws it.
func (ns *notices) warn(topic, message string) {
	ns.x.mu.Lock()
	defer ns.x.mu.Unlock()
	ns.warnLocked(topic, message)
}

func (ns *notices) warnLocked(topic, message string) {
	if message == "" {
		delete(ns.warnings, topic)
		return
	}
	if ns.warnings[topic] != message {
		ns.x.log.Warn(message, "topic", topic)
	}
	ns.warnings[topic] = message
}

// OnProgress registers f; it is called while no lock is held, from the index's own goroutine, and must not block.
func (x *Index) OnProgress(f func(Progress)) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.notices.listeners = append(x.notices.listeners, f)
}

// OnChange registers f; it is called while no lock is held, from the index's own goroutine, and must not block.
func (x *Index) OnChange(f func()) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.notices.observers = append(x.notices.observers, f)
}

// An observation is what observers are told about when it changes.
type observation struct {
	state                   State
	files, chunks, failures int
	languages               int
}

// observersLocked returns whom to tell of a newly published snapshot, nobody when it looks like the one before.
func (ns *notices) observersLocked() []func() {
	files, chunks := ns.x.published.Load().Counts()
	now := observation{
		state: ns.x.stateLocked(), files: files, chunks: chunks, failures: len(ns.failures), languages: len(ns.x.published.Load().Languages()),
	}
	if now == ns.observed {
		return nil
	}
	ns.observed = now
	return ns.observers
}

// OnMove registers f; it is called while no lock is held, from the index's own goroutine, and must not block.
func (x *Index) OnMove(f func([]Move)) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.notices.movers = append(x.notices.movers, f)
}
