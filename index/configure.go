package index

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/aurora-sidecar/aurora/index/snapshot"
	"github.com/aurora-sidecar/aurora/index/syntax"
	"github.com/aurora-sidecar/aurora/index/vfs"
	"github.com/aurora-sidecar/aurora/index/watch"
)

// A lifecycle starts and ends what works in an index.
type lifecycle struct {
	x    *Index
	base context.Context
	wg   sync.WaitGroup
	mu   sync.Mutex // held by Configure and Shutdown; before Index.mu

	closed    bool
	awake     bool            // the goroutines run
	resting   bool            // they are ending
	wakeAfter bool            // they are needed again when they have ended
	ctx       context.Context // of the goroutines
	cancel    context.CancelFunc
}

// ErrOff says that indexing is switched off.
var ErrOff = errors.New("indexing is off")

// Configure makes other rules effective. Files that are left out now leave the index, files that are taken in now enter
// it; nothing else is parsed. What is switched off ends at once, with everything that ran for it; what is switched on
// begins. It returns before the folders have been looked through again: Flush waits for that.
func (x *Index) Configure(rules func(folder string) Rules) {
	x.life.mu.Lock()
	defer x.life.mu.Unlock()
	x.mu.Lock()
	x.opts.Rules = rules
	folders := slices.Clone(x.folders.all)
	x.mu.Unlock()
	now := map[*folder]Rules{}
	for _, f := range folders {
		now[f] = x.folders.rulesOf(f.path)
	}
	outside := x.folders.rulesOf("")
	if wanted := x.life.rule(folders, now, outside); wanted {
		return
	}
	if err := x.life.rest(true); err != nil {
		x.log.Warn("switch indexing off", "err", err)
	}
}

// rule makes rules effective and reports whether there is anything left to index; if not, all that works begins to end.
func (l *lifecycle) rule(folders []*folder, now map[*folder]Rules, outside Rules) (wanted bool) {
	l.x.mu.Lock()
	defer l.x.mu.Unlock()
	if !outside.sameSecrets(&l.x.buffers.outside) {
		l.x.buffers.outsideSecrets = outside.secretSet()
	}
	l.x.buffers.outside = outside
	for _, f := range folders {
		if slices.Contains(l.x.folders.all, f) {
			l.x.folders.ruleLocked(f, now[f])
		}
	}
	l.x.buffers.ruleLocked()
	if l.wantedLocked() {
		l.wakeLocked()
		return true
	}
	l.endLocked() // in the same breath: a folder that is added now waits for the end of the rest
	return false
}

// ruleLocked makes rules effective for one folder.
func (fs *folderSet) ruleLocked(f *folder, now Rules) {
	old := f.rules
	f.rules = now
	switch {
	case reflect.DeepEqual(old, now), fs.x.life.closed, f.removed, f.refused != "" && old.Off == "":
		return
	case now.Off != "" && old.Off != "":
		f.refused = now.Off
	case now.Off != "":
		fs.leaveLocked(f)
		fs.replaceLocked(f, &folder{path: f.path, given: f.given, root: f.root, folderRules: folderRules{rules: now, refused: now.Off}})
	case old.Off != "":
		next := newFolder(f.given, f.root, now)
		fs.replaceLocked(f, next)
		fs.x.life.wakeLocked()
		fs.beginLocked(next)
	default:
		if !now.sameSecrets(&old) {
			f.secrets = now.secretSet()
		}
		fs.x.log.Info("the rules of a folder have changed", "folder", f.path, "keys", changedKeys(old, now))
		fs.x.scans.startLocked(f, scanRequest{rules: true})
	}
}

func (fs *folderSet) replaceLocked(old, next *folder) {
	fs.all[slices.Index(fs.all, old)] = next
}

// ruleLocked decides again which buffers count, and has those that do parsed again where secrets in them or
// their folder count differently now.
func (bs *buffers) ruleLocked() {
	for abs, o := range maps.Clone(bs.open) {
		next := bs.newLocked(abs, o.lang)
		if next.off == o.off && next.folder == o.folder && next.secrets == o.secrets {
			continue
		}
		bs.undirtyLocked(o)
		bs.open[abs] = next
		bs.dirtyLocked(next, o.version, o.text, nil)
	}
}

// newLocked returns a buffer over the file at abs, still without a text.
func (bs *buffers) newLocked(abs string, lang *syntax.Language) *overlay {
	bs.opened++
	o := &overlay{abs: abs, lang: lang, rel: strings.TrimPrefix(filepath.ToSlash(abs), "/"), off: bs.x.folders.offLocked(abs), unread: bs.opened}
	o.secrets = bs.outsideSecrets
	if f := bs.x.folders.ofLocked(abs); f != nil {
		o.folder, o.rel, o.secrets = f.path, relative(f.path, abs), f.secrets
	}
	return o
}

// offLocked reports whether indexing is off where abs lies.
func (fs *folderSet) offLocked(abs string) bool {
	var best *folder
	for _, f := range fs.all {
		if within(f.path, abs) && (best == nil || len(f.path) > len(best.path)) {
			best = f
		}
	}
	if best != nil {
		return best.rules.Off != ""
	}
	return fs.x.buffers.outside.Off != ""
}

// Off reports whether indexing is switched off for a workspace folder.
func (x *Index) Off(path string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.ContainsFunc(x.folders.all, func(f *folder) bool { return f.path == path && f.rules.Off != "" })
}

// wantedLocked reports whether there is anything to do at all.
func (l *lifecycle) wantedLocked() bool {
	for _, f := range l.x.folders.all {
		if f.refused == "" {
			return true
		}
	}
	for _, o := range l.x.buffers.open {
		if !o.off {
			return true
		}
	}
	return false
}

// wakeLocked starts what works in the index, unless it works already. While what worked before is still ending, it
// starts after that: who adds a folder must not wait for it.
func (l *lifecycle) wakeLocked() {
	if l.awake || l.closed {
		return
	}
	if l.resting {
		l.wakeAfter = true
		return
	}
	l.awake, l.wakeAfter = true, false
	l.ctx, l.cancel = context.WithCancel(l.base)
	l.x.events.openLocked()
	l.start(l.x.writer.write)
	l.start(l.x.buffers.edit)
	for range l.x.opts.Workers {
		l.start(l.x.queue.work)
	}
	for _, f := range l.x.folders.all {
		l.x.folders.beginLocked(f)
	}
}

// beginLocked starts indexing a folder, once something works.
func (fs *folderSet) beginLocked(f *folder) {
	if f.refused != "" || f.ctx != nil || !fs.x.life.awake {
		return
	}
	f.ctx, f.cancel = context.WithCancel(fs.x.life.ctx)
	fs.x.scans.startLocked(f, scanRequest{})
}

// end tells everything that works in the index to end, and returns the watcher, nil for none.
func (l *lifecycle) end() *watch.Watcher {
	l.x.mu.Lock()
	defer l.x.mu.Unlock()
	l.endLocked()
	return l.x.events.watcher
}

// endLocked tells everything that works in the index to end.
func (l *lifecycle) endLocked() {
	l.awake, l.resting = false, true
	l.cancel()
	l.x.changed.Broadcast()
}

// rest ends everything that works in the index, and waits for it. With forget the snapshot becomes empty, and the index
// can be woken again. lifeMu is held.
func (l *lifecycle) rest(forget bool) error {
	var errs []error
	if watcher := l.end(); watcher != nil {
		errs = append(errs, watcher.Close())
	}
	l.wg.Wait()
	errs = append(errs, l.x.cache.close())
	if !forget {
		return errors.Join(errs...)
	}
	l.x.mu.Lock()
	defer l.x.mu.Unlock()
	for len(l.x.writer.batches) > 0 {
		<-l.x.writer.batches
	}
	l.x.events.watcher, l.x.events.polling = nil, false
	l.x.queue.urgent, l.x.queue.bulk, l.x.writer.forgotten = nil, nil, nil // buffers that are dirty were opened since
	clear(l.x.queue.tasks)
	l.x.scans.running, l.x.scans.done, l.x.scans.total, l.x.writer.merging, l.x.writer.saving = 0, 0, 0, false, false
	clear(l.x.notices.failures)
	clear(l.x.notices.warnings)
	l.x.published.Store(snapshot.Empty(l.x.published.Load().Number()+1, l.x.opts.Embedder))
	l.resting = false
	if l.wakeAfter {
		l.wakeLocked()
	}
	l.x.changed.Broadcast()
	return errors.Join(errs...)
}

// read reads a file as the rules of its folder have it.
func (fs *folderSet) read(abs string) (vfs.Content, error) {
	_, filter := fs.of(abs)
	if filter == nil {
		return vfs.Read(abs, 0)
	}
	return filter.Read(abs)
}

// Project returns the name of the project that a file at an absolute path belongs to, "" when it belongs to none.
func (x *Index) Project(abs string) string {
	f, filter := x.folders.of(abs)
	if filter == nil {
		return "" // also for a workspace folder itself
	}
	return filter.Project(relative(f.path, abs))
}

// ProjectOf returns what Project tells, for the files of a snapshot.
func (x *Index) ProjectOf() func(*File) string {
	x.mu.Lock()
	defer x.mu.Unlock()
	filters := map[string]*vfs.Filter{}
	for _, f := range x.folders.all {
		if f.filter != nil {
			filters[f.path] = f.filter
		}
	}
	return func(f *File) string {
		if filter := filters[f.Folder]; filter != nil {
			return filter.Project(f.Path)
		}
		return ""
	}
}

// Projects returns the names of all projects, sorted.
func (x *Index) Projects() []string {
	x.mu.Lock()
	defer x.mu.Unlock()
	names := map[string]bool{}
	for _, f := range x.folders.all {
		if f.refused == "" {
			for name := range f.rules.Files.Projects {
				names[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}
