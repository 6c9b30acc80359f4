package index

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/aurora-sidecar/aurora/index/snapshot"
	"github.com/aurora-sidecar/aurora/index/store"
	"github.com/aurora-sidecar/aurora/index/vfs"
	"github.com/aurora-sidecar/aurora/index/watch"
)

// writerPatience is how long an index that stays waits for a command that writes at the moment and is about to end. Without,
// the changes of a whole session would not be saved.
const writerPatience = time.Second

// openStore opens the disposable store of a folder. Without one the index works from memory and says so. It runs
// before the folder's first task, so that workers may use f.store without the lock.
func (x *Index) openStore(f *folder) {
	if x.opts.StoreDir == "" {
		return
	}
	dir := filepath.Join(x.opts.StoreDir, storeName(f.path))
	var opts store.Options
	if !x.opts.NoWatch {
		opts.Patience = writerPatience
	}
	s, err := store.Open(x.ctx, dir, opts)
	switch {
	case err != nil && x.ctx.Err() != nil:
		return // the index shuts down
	case err != nil:
		x.warn("store "+f.path, "the index of "+f.path+" can't be saved in "+dir+" ("+err.Error()+"); it works from memory")
		return
	}
	if note := s.Recovered(); note != "" {
		x.log.Warn("index store was rebuilt", "folder", f.path, "why", note)
	}
	x.mu.Lock()
	f.dir, f.store = dir, s
	x.mu.Unlock()
	x.loadJobs(f)
}

// storeName is a folder name that people recognise and that no other workspace has.
func storeName(path string) string {
	sum := sha256.Sum256([]byte(path))
	base := strings.Map(func(r rune) rune {
		if r == '-' || r == '.' || r == '_' || r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '_'
	}, filepath.Base(path))
	return base[:min(len(base), 40)] + "-" + hex.EncodeToString(sum[:6])
}

// close ends the folder's processes and its store. Workers that still ask the store get an error and parse instead.
func (f *folder) close() error {
	for _, filter := range append(f.retired, f.filter) {
		if filter != nil {
			filter.Close()
		}
	}
	if f.store == nil {
		return nil
	}
	return f.store.Close()
}

// release ends what a removed folder holds.
func (x *Index) release(f *folder) {
	if err := f.close(); err != nil {
		x.log.Warn("close index store", "folder", f.path, "err", err)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.leaving = slices.DeleteFunc(x.leaving, func(l *folder) bool { return l == f })
	x.changed.Broadcast()
}

func (f *folder) sizeOnDisk() int64 {
	if f.store == nil {
		return 0
	}
	size := f.store.SizeBytes()
	for _, name := range []string{snapshot.SavedName, rulesName} {
		if info, err := os.Stat(filepath.Join(f.dir, name)); err == nil {
			size += info.Size()
		}
	}
	return size
}

// openWatcherLocked starts following file events, unless that is switched off.
func (x *Index) openWatcherLocked() {
	if x.opts.NoWatch {
		return
	}
	w, err := watch.New(watch.Options{Debounce: x.opts.Debounce, Log: x.log, Skip: x.skipDir})
	if err != nil {
		x.warnLocked("watch", fmt.Sprintf("file events can't be followed (%v); folders are looked through every %s", err, x.opts.PollEvery))
		x.polling = true
		x.start(func() { x.sweep(func() bool { return true }) })
		return
	}
	x.watch = w
	x.start(x.watchBatches)
	x.start(func() { x.sweep(x.watchLimited) })
}

// skipDir tells the watcher which folders hold nothing to index.
func (x *Index) skipDir(dir string) bool {
	x.mu.Lock()
	f := x.folderOfLocked(dir)
	var filter *vfs.Filter
	if f != nil {
		filter = f.filter
	}
	x.mu.Unlock()
	return filter != nil && filter.SkipDir(dir)
}

// watchLimited reports whether some folders are not watched, and says so in Status.
func (x *Index) watchLimited() bool {
	if x.watch.Mode() == watch.ModeFull {
		return false
	}
	why := "some folders can't be watched"
	if err := x.watch.Err(); err != nil {
		why += " (" + err.Error() + ")"
	}
	x.warn("watch", why+fmt.Sprintf("; they are looked through every %s", x.opts.PollEvery))
	return true
}

func (x *Index) watcherMode() string {
	switch {
	case x.polling || x.watch != nil && x.watch.Mode() == watch.ModeLimited:
		return "polling"
	case x.watch == nil:
		return "off"
	}
	return string(x.watch.Mode())
}

// writerLocked tells whether this process keeps the stores, or another one that was there first.
func (x *Index) writerLocked() string {
	for _, f := range x.folders {
		if f.store != nil && !f.store.Writer() {
			return "other"
		}
	}
	return "this"
}
