package index

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/index/snapshot"
	"github.com/aurora-sidecar/aurora/index/syntax"
	"github.com/aurora-sidecar/aurora/index/vfs"
)

// ErrOff says that indexing is switched off.
var ErrOff = errors.New("indexing is off")

// Configure puts other rules in force. Files that are left out now leave the index, files that are taken in now enter
// it; nothing else is parsed. What is switched off ends at once, with everything that ran for it; what is switched on
// begins. It returns before the folders have been looked through again: Flush waits for that.
func (x *Index) Configure(rules func(folder string) Rules) {
	x.lifeMu.Lock()
	defer x.lifeMu.Unlock()
	x.mu.Lock()
	x.opts.Rules = rules
	folders := slices.Clone(x.folders)
	x.mu.Unlock()
	now := map[*folder]Rules{}
	for _, f := range folders {
		now[f] = x.rulesOf(f.path)
	}
	outside := x.rulesOf("")

	x.mu.Lock()
	if !outside.sameSecrets(&x.outside) {
		x.outsideSecrets = outside.secretSet()
	}
	x.outside = outside
	for _, f := range folders {
		if slices.Contains(x.folders, f) {
			x.ruleLocked(f, now[f])
		}
	}
	x.ruleBuffersLocked()
	if x.wantedLocked() {
		x.wakeLocked()
		x.mu.Unlock()
		return
	}
	x.tireLocked() // in the same breath: a folder that is added now waits for the end of the rest
	x.mu.Unlock()
	if err := x.rest(true); err != nil {
		x.log.Warn("switch indexing off", "err", err)
	}
}

// ruleLocked puts rules in force for one folder.
func (x *Index) ruleLocked(f *folder, now Rules) {
	old := f.rules
	f.rules = now
	switch {
	case reflect.DeepEqual(old, now), x.closed, f.removed, f.refused != "" && old.Off == "":
		return
	case now.Off != "" && old.Off != "":
		f.refused = now.Off
	case now.Off != "":
		x.leaveLocked(f)
		x.replaceLocked(f, &folder{path: f.path, given: f.given, root: f.root, rules: now, refused: now.Off})
	case old.Off != "":
		next := newFolder(f.given, f.root, now)
		x.replaceLocked(f, next)
		x.wakeLocked()
		x.beginLocked(next)
	default:
		if !now.sameSecrets(&old) {
			f.secrets = now.secretSet()
		}
		x.log.Info("the rules of a folder have changed", "folder", f.path, "keys", changedKeys(old, now))
		x.scanLocked(f, scanRequest{rules: true, check: !now.sameBinary(&old)})
	}
}

func (x *Index) replaceLocked(old, next *folder) {
	x.folders[slices.Index(x.folders, old)] = next
}

// ruleBuffersLocked decides anew which buffers count, and has those that do parsed again where secrets in them or
// their folder count differently now.
func (x *Index) ruleBuffersLocked() {
	for abs, o := range maps.Clone(x.overlays) {
		next := x.newOverlayLocked(abs, o.lang)
		if next.off == o.off && next.folder == o.folder && next.secrets == o.secrets && reflect.DeepEqual(next.chunks, o.chunks) {
			continue
		}
		x.undirtyLocked(o)
		x.overlays[abs] = next
		x.dirtyLocked(next, o.version, o.text, nil)
	}
}

// newOverlayLocked returns a buffer over the file at abs, still without a text.
func (x *Index) newOverlayLocked(abs string, lang *syntax.Language) *overlay {
	o := &overlay{abs: abs, lang: lang, rel: strings.TrimPrefix(filepath.ToSlash(abs), "/"), off: x.offLocked(abs)}
	o.secrets, o.chunks = x.outsideSecrets, x.outside.Chunks
	if f := x.folderOfLocked(abs); f != nil {
		o.folder, o.rel, o.secrets, o.chunks = f.path, relative(f.path, abs), f.secrets, f.rules.Chunks
	}
	return o
}

// offLocked reports whether indexing is off where abs lies.
func (x *Index) offLocked(abs string) bool {
	var best *folder
	for _, f := range x.folders {
		if within(f.path, abs) && (best == nil || len(f.path) > len(best.path)) {
			best = f
		}
	}
	if best != nil {
		return best.rules.Off != ""
	}
	return x.outside.Off != ""
}

// Off reports whether indexing is switched off for a workspace folder.
func (x *Index) Off(path string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.ContainsFunc(x.folders, func(f *folder) bool { return f.path == path && f.rules.Off != "" })
}

// wantedLocked reports whether there is anything to do at all.
func (x *Index) wantedLocked() bool {
	for _, f := range x.folders {
		if f.refused == "" {
			return true
		}
	}
	for _, o := range x.overlays {
		if !o.off {
			return true
		}
	}
	return false
}

// wakeLocked starts what works in the index, unless it works already. While what worked before is still ending, it
// starts after that: whoever adds a folder must not wait for it.
func (x *Index) wakeLocked() {
	if x.awake || x.closed {
		return
	}
	if x.resting {
		x.wakeAfter = true
		return
	}
	x.awake, x.wakeAfter = true, false
	x.ctx, x.cancel = context.WithCancel(x.base)
	x.openWatcherLocked()
	x.start(x.write)
	x.start(x.edit)
	for range x.opts.Workers {
		x.start(x.work)
	}
	for _, f := range x.folders {
		x.beginLocked(f)
	}
}

// beginLocked starts indexing a folder, once something works.
func (x *Index) beginLocked(f *folder) {
	if f.refused != "" || f.ctx != nil || !x.awake {
		return
	}
	f.ctx, f.cancel = context.WithCancel(x.ctx)
	x.scanLocked(f, scanRequest{})
}

// tireLocked tells everything that works in the index to end.
func (x *Index) tireLocked() {
	x.awake, x.resting = false, true
	x.cancel()
	x.changed.Broadcast()
}

// rest ends everything that works in the index, and waits for it. With forget the snapshot becomes empty, and the index
// can be woken again. lifeMu is held.
func (x *Index) rest(forget bool) error {
	x.mu.Lock()
	x.tireLocked()
	watcher := x.watch
	x.mu.Unlock()

	var errs []error
	if watcher != nil {
		errs = append(errs, watcher.Close())
	}
	x.wg.Wait()
	errs = append(errs, x.closeCache())
	if !forget {
		return errors.Join(errs...)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for len(x.batches) > 0 {
		<-x.batches
	}
	x.watch, x.polling = nil, false
	x.dirty, x.urgent, x.bulk = nil, nil, nil
	clear(x.tasks)
	x.scans, x.bulkDone, x.bulkTotal, x.merging, x.saving = 0, 0, 0, false, false
	clear(x.failures)
	clear(x.warnings)
	x.published.Store(snapshot.Empty(x.published.Load().Number()+1, x.opts.Embedder))
	x.resting = false
	if x.wakeAfter {
		x.wakeLocked()
	}
	x.changed.Broadcast()
	return errors.Join(errs...)
}

// read reads a file as the rules of its folder have it.
func (x *Index) read(abs string) (vfs.Content, error) {
	x.mu.Lock()
	f := x.folderOfLocked(abs)
	var filter *vfs.Filter
	if f != nil {
		filter = f.filter
	}
	x.mu.Unlock()
	if filter == nil {
		return vfs.Read(abs, 0)
	}
	return filter.Read(abs)
}

// Project returns the name of the project that a file at an absolute path belongs to, "" when it belongs to none.
func (x *Index) Project(abs string) string {
	x.mu.Lock()
	f := x.folderOfLocked(abs)
	if f == nil || f.filter == nil {
		x.mu.Unlock()
		return "" // also for a workspace folder itself
	}
	filter, rel := f.filter, relative(f.path, abs)
	x.mu.Unlock()
	return filter.Project(rel)
}

// ProjectOf returns what Project tells, for the files of a snapshot.
func (x *Index) ProjectOf() func(*File) string {
	x.mu.Lock()
	defer x.mu.Unlock()
	filters := map[string]*vfs.Filter{}
	for _, f := range x.folders {
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
	for _, f := range x.folders {
		if f.refused == "" {
			for name := range f.rules.Files.Projects {
				names[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}
