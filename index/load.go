package index

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/aurora-sidecar/aurora/index/snapshot"
)

// loadSnapshot puts the saved snapshot of a folder, if there is one, into the present snapshot. It returns the number of its
// files.
func (sc *scanner) loadSnapshot(f *folder, rulesChanged bool) (files int) {
	if f.dir == "" {
		return sc.fetch(f)
	}
	if sc.x.opts.Remote != nil {
		f.loadFetched()
	}
	path := filepath.Join(f.dir, snapshot.SavedName)
	b, err := sc.readSnapshot(path, f.path)
	if errors.Is(err, fs.ErrNotExist) {
		if !sc.adopt(f) {
			return sc.fetch(f)
		}
		return 0
	}
	if err != nil {
		sc.x.log.Warn("saved index not used; it will be built again", "path", path, "err", err)
		return 0
	}
	sc.admit(f, b, rulesChanged)
	if !rulesChanged {
		sc.x.mu.Lock()
		f.unwanted = b.unwanted
		sc.x.mu.Unlock()
	}
	sc.x.writer.apply(b) // the running scan keeps it from choosing anything to save
	return len(b.built)
}

// readSnapshot reads a saved snapshot as one of the folder. One whose vectors are not those of the present model is as
// good as none: the words are counted again, too, but no text is parsed that was parsed before.
func (sc *scanner) readSnapshot(path, folder string) (*batch, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	saved, err := snapshot.Decode(file, info.Size(), folder, sc.lostSnapshot(folder))
	if err != nil || runtime.GOOS == "windows" {
		_ = file.Close() // else it is open for as long as somebody may read more of it
	}
	if err != nil {
		return nil, err
	}
	if own := snapshot.SpaceOf(sc.x.opts.Embedder); saved.Part != nil && saved.Part.Space() != own {
		return nil, fmt.Errorf("its vectors are of %s, not of %s", cmp.Or(saved.Part.Space(), "no model"), cmp.Or(own, "no model"))
	}
	b := &batch{loaded: true, part: saved.Part, unwanted: saved.Unwanted, built: make([]built, len(saved.Files))}
	for i, f := range saved.Files {
		b.built[i] = built{file: f, first: saved.First[i]}
	}
	return b, nil
}

// lostSnapshot returns what is told when the saved snapshot of a folder can't be read any more: somebody has written into the
// file, or the disk failed. All of the folder is read again, once.
func (sc *scanner) lostSnapshot(path string) func(error) {
	var once sync.Once
	return func(err error) {
		once.Do(func() {
			sc.x.log.Warn("the saved index can't be read any more; the folder is read again", "folder", path, "err", err)
			go sc.readAgain(path) // the caller may hold the lock
		})
	}
}

func (sc *scanner) readAgain(path string) {
	sc.x.mu.Lock()
	defer sc.x.mu.Unlock()
	for _, f := range sc.x.folders.all {
		if f.path == path {
			sc.startLocked(f, scanRequest{force: true})
		}
	}
}
