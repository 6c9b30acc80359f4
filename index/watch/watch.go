package watch

import (
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	// DefaultDebounce is how long it must be quiet before a batch: longer than the steps of one save, shorter than
	// anyone notices.
	DefaultDebounce = 100 * time.Millisecond
	// maxDelayFactor times the debounce is how long events of a stream that never pauses are held back.
	maxDelayFactor = 10
)

// ErrClosed is returned by a Watcher after Close.
var ErrClosed = errors.New("watcher is closed")

// Mode says how much a Watcher sees.
type Mode string

// The modes.
const (
	ModeFull    Mode = "fsnotify"
	ModeLimited Mode = "limited" // some folders are not watched; Err says why
)

// Options adjust a Watcher. The zero value is usable.
type Options struct {
	Debounce time.Duration            // 0 means DefaultDebounce
	Log      *slog.Logger             // nil discards
	Skip     func(absDir string) bool // folders not to look into; never asked about a root; nil skips none
}

// A Batch is what happened since the one before.
type Batch struct {
	// Changed are files that were created, written or removed, sorted; look at the disk to see which. The files of a
	// folder that appeared are all among them, and so are folders to be skipped that appeared.
	Changed []string
	// Dirs are folders that appeared, went away or both, sorted: what is known below them and is not there any more
	// is gone, without being named in Changed.
	Dirs []string
	// Rescan says that events were lost: everything has to be looked at. It comes after the watches were renewed.
	Rescan bool
}

func (b Batch) empty() bool { return len(b.Changed) == 0 && len(b.Dirs) == 0 && !b.Rescan }

// A Watcher follows folders and all folders in them. Paths are used as given: hand in canonical ones.
type Watcher struct {
	options  Options
	notify   *fsnotify.Watcher
	commands chan func()
	batches  chan Batch
	stop     chan struct{}
	closing  sync.Once
	running  sync.WaitGroup

	overflow chan struct{} // holds a token when events were lost

	stateMu sync.Mutex
	mode    Mode
	errs    []error

	loopState
}

// loopState belongs to the goroutine of loop.
type loopState struct {
	tree    *dirTree
	pending *gathering
	timer   *time.Timer
	renamed bool // the event before was a rename: what is created next may be its other half
	single  singles
	addDir  func(string) error // notify.Add
}

// New starts a Watcher without roots. It fails when the system grants no more watchers, with what to do about it.
func New(o Options) (*Watcher, error) {
	if o.Debounce <= 0 {
		o.Debounce = DefaultDebounce
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Skip == nil {
		o.Skip = func(string) bool { return false }
	}
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("start file watcher: %w", withHint(err))
	}
	w := &Watcher{
		options: o, notify: notify, mode: ModeFull,
		commands: make(chan func()), batches: make(chan Batch), stop: make(chan struct{}), overflow: make(chan struct{}, 1),
		loopState: loopState{tree: newDirTree(), pending: newGathering(), timer: time.NewTimer(time.Hour), addDir: notify.Add, single: newSingles()},
	}
	w.timer.Stop()
	w.running.Go(w.loop)
	w.running.Go(w.drainErrors)
	return w, nil
}

// Add follows root and the folders in it. Files that are there already are not reported. On ModeLimited it succeeds.
func (w *Watcher) Add(root string) error {
	var err error
	if stopped := w.do(func() { err = w.addRoot(filepath.Clean(root)) }); stopped != nil {
		return stopped
	}
	return err
}

// AddFile follows one file, wherever it is and whether it is there or not. It reports whether that is new.
func (w *Watcher) AddFile(path string) (fresh bool, err error) {
	err = w.do(func() { fresh = w.addSingle(filepath.Clean(path)) })
	return fresh, err
}

// Remove stops following root; folders that another root covers stay.
func (w *Watcher) Remove(root string) error {
	return w.do(func() { w.removeRoot(filepath.Clean(root)) })
}

// Batches delivers what happened; it is closed by Close. While nobody reads, batches merge.
func (w *Watcher) Batches() <-chan Batch { return w.batches }

// Mode says whether every folder is watched.
func (w *Watcher) Mode() Mode {
	w.stateMu.Lock()
	defer w.stateMu.Unlock()
	return w.mode
}

// Err returns what went wrong so far, nil when nothing did; each cause is named once.
func (w *Watcher) Err() error {
	w.stateMu.Lock()
	defer w.stateMu.Unlock()
	return errors.Join(w.errs...)
}

// Close stops everything and waits for it. It may be called again.
func (w *Watcher) Close() error {
	var err error
	w.closing.Do(func() {
		close(w.stop)
		err = w.notify.Close()
		w.running.Wait()
		close(w.batches)
	})
	if err != nil {
		return fmt.Errorf("close file watcher: %w", err)
	}
	return nil
}

// do runs f in the goroutine of loop.
func (w *Watcher) do(f func()) error {
	done := make(chan struct{})
	select {
	case w.commands <- func() { f(); close(done) }:
		<-done
		return nil
	case <-w.stop:
		return ErrClosed
	}
}

// maxErrors bounds what Err keeps.
const maxErrors = 20

// warn keeps err for Err, unless its text is there already.
func (w *Watcher) warn(err error) {
	w.stateMu.Lock()
	defer w.stateMu.Unlock()
	for _, known := range w.errs {
		if known.Error() == err.Error() {
			return
		}
	}
	if len(w.errs) < maxErrors {
		w.errs = append(w.errs, err)
		w.options.Log.Warn("file watcher", "error", err)
	}
}

func (w *Watcher) limited(err error) {
	w.stateMu.Lock()
	w.mode = ModeLimited
	w.stateMu.Unlock()
	w.warn(fmt.Errorf("watch folders: %w", withHint(err)))
}

// withHint adds the way out to the limits of inotify.
func withHint(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("%w: the limit of watched folders is reached; raise it: sudo sysctl fs.inotify.max_user_watches=524288", err)
	case errors.Is(err, syscall.EMFILE):
		return fmt.Errorf("%w: the limit of watchers is reached; raise it: sudo sysctl fs.inotify.max_user_instances=1024", err)
	}
	return err
}
