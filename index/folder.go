package index

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/index/store"
	"github.com/aurora-sidecar/aurora/index/vfs"
)

// A folder is one workspace folder. Its fields are guarded by Index.mu but for path and root, which never change.
type folder struct {
	path    string // canonical; as given when it is refused
	given   string
	root    vfs.Folder
	ctx     context.Context
	cancel  context.CancelFunc
	filter  *vfs.Filter
	refused string
	removed bool
	files   int
	unsaved int // files that changed since the picture was saved
	scan    scanState
	dir     string       // of the store, "" without one
	store   *store.Store // nil without one
}

// scanState tells whether a scan of the folder runs, and whether another one must follow it.
type scanState struct {
	running, again bool
	next           scanRequest
}

// A scanRequest says what a scan does beyond looking for files whose size or time has changed.
type scanRequest struct {
	check bool // read every file and compare its hash
	force bool // parse every file
}

func (r scanRequest) and(other scanRequest) scanRequest {
	return scanRequest{check: r.check || other.check, force: r.force || other.force}
}

// AddFolder starts following a folder. A folder that can't or must not be indexed is kept with the reason.
func (x *Index) AddFolder(path string) {
	root, err := vfs.CheckFolder(path)
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.closed || slices.ContainsFunc(x.folders, func(f *folder) bool { return f.given == path || err == nil && f.path == root.Path }) {
		return
	}
	f := &folder{path: path, given: path, root: root}
	f.ctx, f.cancel = context.WithCancel(x.ctx)
	x.folders = append(x.folders, f)
	if err != nil {
		f.refused = err.Error()
		x.warnLocked("folder "+path, "not indexed: "+err.Error())
		return
	}
	f.path = root.Path
	x.scanLocked(f, scanRequest{})
}

// RemoveFolder stops following a folder and drops its files from the picture; open buffers stay.
func (x *Index) RemoveFolder(path string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	i := slices.IndexFunc(x.folders, func(f *folder) bool { return f.given == path || f.path == vfs.Canonical(path) })
	if i < 0 || x.closed {
		return
	}
	f := x.folders[i]
	x.folders = slices.Delete(x.folders, i, i+1)
	f.removed = true
	f.cancel()
	x.warnLocked("folder "+f.given, "")
	x.start(func() { x.dropFolder(f) })
}

// dropFolder forgets what a removed folder left behind.
func (x *Index) dropFolder(f *folder) {
	if x.watch != nil && f.refused == "" {
		x.watch.Remove(f.path)
	}
	var forget []string
	for abs, e := range x.published.Load().files.all() {
		if e.file.Folder == f.path {
			forget = append(forget, abs)
		}
	}
	x.send(&batch{forget: forget})
	x.mu.Lock()
	scanning := f.scan.running // then the scan closes the store
	x.mu.Unlock()
	if !scanning {
		x.release(f)
	}
}

// Folders returns the canonical paths of the workspace folders that are indexed.
func (x *Index) Folders() []string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.rootsLocked()
}

func (x *Index) rootsLocked() []string {
	var roots []string
	for _, f := range x.folders {
		if f.refused == "" {
			roots = append(roots, f.path)
		}
	}
	return roots
}

// folderOfLocked returns the innermost workspace folder that holds abs, nil when none does.
func (x *Index) folderOfLocked(abs string) *folder {
	var best *folder
	for _, f := range x.folders {
		if f.refused == "" && within(f.path, abs) && (best == nil || len(f.path) > len(best.path)) {
			best = f
		}
	}
	return best
}

func within(root, abs string) bool {
	return len(abs) > len(root) && strings.HasPrefix(abs, root) && os.IsPathSeparator(abs[len(root)])
}

func relative(root, abs string) string { return filepath.ToSlash(abs[len(root)+1:]) }

func (f *folder) abs(rel string) string { return filepath.Join(f.path, filepath.FromSlash(rel)) }
