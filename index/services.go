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
	"github.com/aurora-sidecar/aurora/index/watch"
)

// writerPatience is how long an index that stays waits for a command that writes at the moment and is about to end. Without,
// the changes of a whole session would not be saved.
const writerPatience = time.Second

// An eventSource follows file events, or looks through the folders where there are none.
type eventSource struct {
	x       *Index
	watcher *watch.Watcher // nil without one
	polling bool           // no watcher could be had: folders are looked through instead
}

// openStore opens the disposable store of a folder. Without one the index works from memory and says so. It runs
// before the folder's first task, so that workers may use f.store without the lock.
func (fs *folderSet) openStore(f *folder) {
	if fs.x.opts.StoreDir == "" {
		return
	}
	dir := filepath.Join(fs.x.opts.StoreDir, storeName(f.path))
	var opts store.Options
	if !fs.x.opts.NoWatch {
		opts.Patience = writerPatience
	}
	s, err := store.Open(fs.x.life.ctx, dir, opts)
	switch {
	case err != nil && fs.x.life.ctx.Err() != nil:
		return // the index shuts down
	case err != nil:
		fs.x.notices.warn("store "+f.path, "the index of "+f.path+" can't be saved in "+dir+" ("+err.Error()+"); it works from memory")
		return
	}
	if note := s.Recovered(); note != "" {
		fs.x.log.Warn("index store was rebuilt", "folder", f.path, "why", note)
	}
	fs.x.mu.Lock()
	f.dir, f.store = dir, s
	fs.x.mu.Unlock()
	fs.x.jobs.load(f)
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
func (fs *folderSet) release(f *folder) {
	if err := f.close(); err != nil {
		fs.x.log.Warn("close index store", "folder", f.path, "err", err)
	}
	fs.x.mu.Lock()
	defer fs.x.mu.Unlock()
	fs.leaving = slices.DeleteFunc(fs.leaving, func(l *folder) bool { return l == f })
	fs.x.changed.Broadcast()
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

// openLocked starts following file events, unless that is switched off.
func (es *eventSource) openLocked() {
	if es.x.opts.NoWatch {
		return
	}
	w, err := watch.New(watch.Options{Debounce: es.x.opts.Debounce, Log: es.x.log, Skip: es.skipDir})
	if err != nil {
		es.x.notices.warnLocked("watch", fmt.Sprintf("file events can't be followed (%v); folders are looked through every %s", err, es.x.opts.PollEvery))
		es.polling = true
		es.x.life.start(func() { es.sweep(func() bool { return true }) })
		return
	}
	es.watcher = w
	es.x.life.start(es.follow)
	es.x.life.start(func() { es.sweep(es.limited) })
}

// skipDir tells the watcher which folders hold nothing to index.
func (es *eventSource) skipDir(dir string) bool {
	_, filter := es.x.folders.of(dir)
	return filter != nil && filter.SkipDir(dir)
}

// limited reports whether some folders are not watched, and says so in Status.
func (es *eventSource) limited() bool {
	if es.watcher.Mode() == watch.ModeFull {
		return false
	}
	why := "some folders can't be watched"
	if err := es.watcher.Err(); err != nil {
		why += " (" + err.Error() + ")"
	}
	es.x.notices.warn("watch", why+fmt.Sprintf("; they are looked through every %s", es.x.opts.PollEvery))
	return true
}

func (es *eventSource) mode() string {
	switch {
	case es.polling || es.watcher != nil && es.watcher.Mode() == watch.ModeLimited:
		return "polling"
	case es.watcher == nil:
		return "off"
	}
	return string(es.watcher.Mode())
}

// writerLocked tells whether this process keeps the stores, or another one that was there first.
func (fs *folderSet) writerLocked() string {
	for _, f := range fs.all {
		if f.store != nil && !f.store.Writer() {
			return "other"
		}
	}
	return "this"
}
