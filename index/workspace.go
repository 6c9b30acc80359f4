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
	"time"

	"github.com/aurora-sidecar/aurora/index/moves"
	"github.com/aurora-sidecar/aurora/index/snapshot"
	"github.com/aurora-sidecar/aurora/index/store"
	"github.com/aurora-sidecar/aurora/index/watch"
	"github.com/aurora-sidecar/aurora/internal/scrub"
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
	opts    Options
	log     *slog.Logger
	watch   *watch.Watcher
	polling bool // no watcher could be had: folders are looked through instead

	// The cache is opened before the first task of any folder, and closed when nothing works any more.
	cacheMu sync.Mutex                  // held while it is opened
	cache   atomic.Pointer[store.Cache] // nil without one

	published atomic.Pointer[snapshot.Snapshot]
	batches   chan *batch
	base      context.Context
	wg        sync.WaitGroup
	parses    atomic.Int64 // texts of files that were parsed, not taken from the cache
	lifeMu    sync.Mutex   // held by Configure and Shutdown; before mu

	mu sync.Mutex // guards all below
	// changed is signalled whenever something below may let a waiter go on.
	changed    *sync.Cond
	closed     bool
	awake      bool            // the goroutines run
	resting    bool            // they are ending
	wakeAfter  bool            // they are needed again when they have ended
	ctx        context.Context // of the goroutines
	cancel     context.CancelFunc
	cacheEmpty bool // when it was opened: a first scan need not ask it for anything
	folders    []*folder
	leaving    []*folder // no longer followed, but not closed yet
	outside    Rules     // of what lies in no folder
	// outsideSecrets are those of outside.
	outsideSecrets *scrub.Set
	overlays       map[string]*overlay // open buffers by absolute path
	dirty          []*overlay          // those whose newest text is not in the snapshot, oldest first
	urgent         []*task             // changed files
	bulk           []*task             // files found by a scan
	tasks          map[string]*task    // every task that is queued or in work, by absolute path
	scans          int                 // folders being scanned
	merging        bool
	saving         bool
	afterScan      bool // what is being saved was much work
	bulkDone       int  // files of the present round of scans
	bulkTotal      int
	pace           pace
	failures       map[string]string // absolute path -> what went wrong
	warnings       map[string]string // by topic
	lastIndexed    time.Time
	listeners      []func(Progress)
	movers         []func([]Move)
	observers      []func()
	observed       observation
	moves          moves.Tracker
	jobs           int
	rebuilds       []*Job // oldest first
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

var _ API = (*Index)(nil)

// Open starts following opts.Folders. It returns at once; scanning runs behind it. A store that can't be opened is
// no error: the index works from memory and says so in Status.
func Open(ctx context.Context, opts Options) (*Index, error) {
	if opts.Workers <= 0 {
		opts.Workers = runtime.GOMAXPROCS(0)
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
	x := &Index{
		opts: opts, log: opts.Log,
		batches:  make(chan *batch, opts.Workers),
		overlays: map[string]*overlay{}, tasks: map[string]*task{},
		failures: map[string]string{}, warnings: map[string]string{},
	}
	x.base = context.WithoutCancel(ctx)
	x.published.Store(snapshot.Empty(0, opts.Embedder))
	x.ctx, x.cancel = context.WithCancel(x.base)
	x.changed = sync.NewCond(&x.mu)
	x.outside = x.rulesOf("")
	x.outsideSecrets = x.outside.secretSet()
	for _, path := range opts.Folders {
		x.AddFolder(path)
	}
	return x, nil
}

// start runs f in a goroutine that Shutdown waits for.
func (x *Index) start(f func()) {
	x.wg.Add(1)
	go func() {
		defer x.wg.Done()
		f()
	}()
}

// Shutdown stops every goroutine, closes the store and releases the trees of open buffers. What was published
// before can still be read.
func (x *Index) Shutdown() error {
	x.lifeMu.Lock()
	defer x.lifeMu.Unlock()
	x.mu.Lock()
	closed := x.closed
	x.closed = true
	x.mu.Unlock()
	if closed {
		return nil
	}
	errs := []error{x.rest(false)}
	for _, f := range x.folders {
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
	if len(x.dirty) == 0 && len(x.urgent) == 0 && len(x.tasks) == len(x.bulk) {
		return nil
	}
	paths := map[string]bool{}
	for _, o := range x.dirty {
		paths[o.rel] = true
	}
	if len(x.tasks) > len(x.bulk) {
		for _, t := range x.tasks {
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
	case x.waitingLocked():
		return Starting
	case x.scans > 0 || x.bulkDone < x.bulkTotal:
		if len(x.folders) > 0 && x.published.Load().Number() == 0 {
			return Starting
		}
		return Indexing
	case len(x.warnings) > 0:
		return Degraded
	}
	return Ready
}

// waitingLocked reports whether the indexing of a folder has still to begin.
func (x *Index) waitingLocked() bool {
	return slices.ContainsFunc(x.folders, func(f *folder) bool { return f.refused == "" && f.ctx == nil })
}

// idleLocked reports whether everything that was asked for is in the snapshot.
func (x *Index) idleLocked() bool {
	return !x.waitingLocked() && x.scans == 0 && len(x.tasks) == 0 && len(x.dirty) == 0
}

// Flush waits until everything asked for so far is in the snapshot, and saved when there is much of it.
func (x *Index) Flush(ctx context.Context) error {
	x.saveRest()
	return x.wait(ctx, func() bool { return x.idleLocked() && !x.saving && x.unsavedLocked() == nil })
}

// WaitReady waits until the first scan of every folder has ended and its files are in the snapshot.
func (x *Index) WaitReady(ctx context.Context) error {
	return x.wait(ctx, func() bool { return !x.waitingLocked() && x.scans == 0 && x.bulkDone >= x.bulkTotal })
}

// wait blocks until ok, called with mu held, is true.
func (x *Index) wait(ctx context.Context, ok func() bool) error {
	stop := context.AfterFunc(ctx, func() {
		x.mu.Lock()
		defer x.mu.Unlock()
		x.changed.Broadcast()
	})
	defer stop()
	x.mu.Lock()
	defer x.mu.Unlock()
	for !ok() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if x.closed {
			return errors.New("the index was shut down")
		}
		x.changed.Wait()
	}
	return nil
}

// Status tells how the index is.
func (x *Index) Status() Status {
	x.mu.Lock()
	defer x.mu.Unlock()
	now := x.published.Load()
	files, chunks := now.Counts()
	s := Status{
		State: x.stateLocked(), Indexed: files, Chunks: chunks, Snapshot: now.Number(),
		Total: files + x.bulkTotal - x.bulkDone, Failed: len(x.failures), LastIndexed: x.lastIndexed,
		Pending: x.pendingLocked(), Languages: maps.Clone(now.Languages()), Watcher: x.watcherMode(), Writer: x.writerLocked(),
		Jobs: x.jobsLocked(), Embedder: snapshot.SpaceOf(x.opts.Embedder),
	}
	for _, f := range x.folders {
		s.Folders = append(s.Folders, FolderStatus{Path: f.path, Files: f.files, Refused: cmp.Or(f.refused, f.problem)})
		s.SizeBytes += f.sizeOnDisk()
	}
	for _, topic := range slices.Sorted(maps.Keys(x.warnings)) {
		s.Warnings = append(s.Warnings, x.warnings[topic])
	}
	return s
}

// Failures returns what could not be read or parsed: absolute path to reason.
func (x *Index) Failures() map[string]string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return maps.Clone(x.failures)
}

// warn keeps one warning per topic for Status; "" withdraws it.
func (x *Index) warn(topic, message string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.warnLocked(topic, message)
}

func (x *Index) warnLocked(topic, message string) {
	if message == "" {
		delete(x.warnings, topic)
		return
	}
	if x.warnings[topic] != message {
		x.log.Warn(message, "topic", topic)
	}
	x.warnings[topic] = message
}

// OnProgress registers f; it is called while no lock is held, from the index's own goroutine, and must not block.
func (x *Index) OnProgress(f func(Progress)) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.listeners = append(x.listeners, f)
}

// OnChange registers f; it is called while no lock is held, from the index's own goroutine, and must not block.
func (x *Index) OnChange(f func()) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.observers = append(x.observers, f)
}

// An observation is what observers are told about when it changes.
type observation struct {
	state                   State
	files, chunks, failures int
	languages               int
}

// observersLocked returns whom to tell of a newly published snapshot, nobody when it looks like the one before.
func (x *Index) observersLocked() []func() {
	files, chunks := x.published.Load().Counts()
	now := observation{
		state: x.stateLocked(), files: files, chunks: chunks, failures: len(x.failures), languages: len(x.published.Load().Languages()),
	}
	if now == x.observed {
		return nil
	}
	x.observed = now
	return x.observers
}

// OnMove registers f; it is called while no lock is held, from the index's own goroutine, and must not block.
func (x *Index) OnMove(f func([]Move)) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.movers = append(x.movers, f)
}
