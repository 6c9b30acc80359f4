package index

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/snapshot"
	"github.com/aurora-sidecar/aurora/index/store"
	"github.com/aurora-sidecar/aurora/index/vfs"
	"github.com/aurora-sidecar/aurora/internal/scrub"
)

// A folder is one workspace folder. Its fields are guarded by Index.mu but for path and root, which never change.
type folder struct {
	path     string // canonical; as given when it is refused
	given    string
	root     vfs.Folder
	ctx      context.Context // nil until it begins
	cancel   context.CancelFunc
	filter   *vfs.Filter
	refused  string
	problem  string // why the rules leave nothing to index
	removed  bool
	rules    Rules
	secrets  *scrub.Set    // of rules
	retired  []*vfs.Filter // were replaced, but may be in use
	savedCut chunk.Rules   // under which what is stored was cut
	stale    bool          // what is stored has words that are secrets now
	files    int
	unsaved  int                       // files that changed since the snapshot was saved
	unwanted map[string]snapshot.Stamp // files that are left out once they are read, by path
	early    chan listing              // what was listed while the snapshot was read; nil for none. Only the scan uses it
	scan     scanState
	dir      string       // of the store, "" without one
	store    *store.Store // nil without one
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
	asked bool // by a person, so that also a folder is indexed that is not by itself
	rules bool // other rules are in force
}

func (r scanRequest) and(other scanRequest) scanRequest {
	return scanRequest{
		check: r.check || other.check, force: r.force || other.force, asked: r.asked || other.asked, rules: r.rules || other.rules,
	}
}

// AddFolder starts following a folder. A folder that can't or must not be indexed is kept with the reason.
func (x *Index) AddFolder(path string) {
	root, err := vfs.CheckFolder(path)
	var rules Rules
	if err == nil {
		rules = x.rulesOf(root.Path)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.closed || slices.ContainsFunc(x.folders, func(f *folder) bool { return f.given == path || err == nil && f.path == root.Path }) {
		return
	}
	switch {
	case err != nil:
		x.folders = append(x.folders, &folder{path: path, given: path, refused: err.Error()})
		x.warnLocked("folder "+path, "not indexed: "+err.Error())
	case rules.Off != "":
		x.folders = append(x.folders, &folder{path: root.Path, given: path, root: root, rules: rules, refused: rules.Off})
	default:
		f := newFolder(path, root, rules)
		x.folders = append(x.folders, f)
		x.wakeLocked()
		x.beginLocked(f)
	}
}

// newFolder returns a folder that is to be indexed.
func newFolder(given string, root vfs.Folder, rules Rules) *folder {
	return &folder{path: root.Path, given: given, root: root, rules: rules, secrets: rules.secretSet()}
}

// RemoveFolder stops following a folder and drops its files from the snapshot; open buffers stay.
func (x *Index) RemoveFolder(path string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	i := slices.IndexFunc(x.folders, func(f *folder) bool { return f.given == path || f.path == vfs.Canonical(path) })
	if i < 0 || x.closed {
		return
	}
	f := x.folders[i]
	x.folders = slices.Delete(x.folders, i, i+1)
	x.warnLocked("folder "+f.given, "")
	if f.refused == "" {
		x.leaveLocked(f)
	}
}

// leaveLocked ends what runs for a folder and drops its files from the snapshot.
func (x *Index) leaveLocked(f *folder) {
	f.removed = true
	if f.ctx == nil {
		return // it had not begun
	}
	f.cancel()
	for _, topic := range []string{"scan ", "rules ", "store ", "watch ", "empty ", "limit "} {
		x.warnLocked(topic+f.path, "")
	}
	x.leaving = append(x.leaving, f)
	x.start(func() { x.dropFolder(f) })
}

// dropFolder forgets what a removed folder left behind.
func (x *Index) dropFolder(f *folder) {
	if x.watch != nil {
		_ = x.watch.Remove(f.path) // fails only when the watcher is closed
	}
	var forget []string
	for abs, e := range x.published.Load().Entries() {
		if e.File.Folder == f.path {
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
