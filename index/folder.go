package index

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/index/snapshot"
	"github.com/aurora-sidecar/aurora/index/store"
	"github.com/aurora-sidecar/aurora/index/vfs"
	"github.com/aurora-sidecar/aurora/internal/scrub"
)

// A folderSet holds the workspace folders.
type folderSet struct {
	x       *Index
	all     []*folder
	leaving []*folder // no longer followed, but not closed yet
}

// A folder is one workspace folder. Its fields are guarded by Index.mu but for path and root, which never change.
type folder struct {
	path   string // canonical; as given when it is refused
	given  string
	root   vfs.Folder
	ctx    context.Context // nil until it begins
	cancel context.CancelFunc
	folderRules
	folderStore
	removed  bool
	files    int
	unwanted map[string]snapshot.Stamp // files that are left out once they are read, by path
	early    chan listing              // what was listed while the saved snapshot was read; nil for none. Only the scan uses it
	fetched  Fetched                   // what came of the shared cache
	scan     scanState
}

// folderRules say what of a folder is indexed.
type folderRules struct {
	rules   Rules
	secrets *scrub.Set // of rules
	filter  *vfs.Filter
	retired []*vfs.Filter // were replaced, but may be in use
	refused string        // why nothing is indexed, "" when it is
	problem string        // why the rules leave nothing to index
}

// folderStore is what is kept of a folder on disk.
type folderStore struct {
	dir     string       // of the store, "" without one
	store   *store.Store // nil without one
	stale   bool         // what is stored has words that are secrets now
	unsaved int          // files that changed since the snapshot was saved
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
	rules bool // other rules are effective
	// changed says that files changed which say what git tracks and what is left out.
	changed vfs.Change
}

func (r scanRequest) and(other scanRequest) scanRequest {
	return scanRequest{
		check: r.check || other.check, force: r.force || other.force, asked: r.asked || other.asked, rules: r.rules || other.rules,
		changed: max(r.changed, other.changed),
	}
}

// AddFolder starts following a folder. A folder that can't or must not be indexed is kept with the reason.
func (x *Index) AddFolder(path string) {
	root, err := vfs.CheckFolder(path)
	var rules Rules
	if err == nil {
		rules = x.folders.rulesOf(root.Path)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.life.closed || slices.ContainsFunc(x.folders.all, func(f *folder) bool { return f.given == path || err == nil && f.path == root.Path }) {
		return
	}
	switch {
	case err != nil:
		x.folders.all = append(x.folders.all, &folder{path: path, given: path, folderRules: folderRules{refused: err.Error()}})
		x.notices.warnLocked("folder "+path, "not indexed: "+err.Error())
	case rules.Off != "":
		x.folders.all = append(x.folders.all, &folder{path: root.Path, given: path, root: root, folderRules: folderRules{rules: rules, refused: rules.Off}})
	default:
		f := newFolder(path, root, rules)
		x.folders.all = append(x.folders.all, f)
		x.life.wakeLocked()
		x.folders.beginLocked(f)
	}
}

// newFolder returns a folder that is to be indexed.
func newFolder(given string, root vfs.Folder, rules Rules) *folder {
	return &folder{path: root.Path, given: given, root: root, folderRules: folderRules{rules: rules, secrets: rules.secretSet()}}
}

// RemoveFolder stops following a folder and drops its files from the snapshot; open buffers stay.
func (x *Index) RemoveFolder(path string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	i := slices.IndexFunc(x.folders.all, func(f *folder) bool { return f.given == path || f.path == vfs.Canonical(path) })
	if i < 0 || x.life.closed {
		return
	}
	f := x.folders.all[i]
	x.folders.all = slices.Delete(x.folders.all, i, i+1)
	x.notices.warnLocked("folder "+f.given, "")
	if f.refused == "" {
		x.folders.leaveLocked(f)
	}
}

// leaveLocked ends what runs for a folder and drops its files from the snapshot.
func (fs *folderSet) leaveLocked(f *folder) {
	f.removed = true
	if f.ctx == nil {
		return // it had not begun
	}
	f.cancel()
	for _, topic := range []string{"scan ", "rules ", "store ", "watch ", "empty ", "limit "} {
		fs.x.notices.warnLocked(topic+f.path, "")
	}
	fs.leaving = append(fs.leaving, f)
	fs.x.life.start(func() { fs.drop(f) })
}

// drop forgets what a removed folder left behind.
func (fs *folderSet) drop(f *folder) {
	if fs.x.events.watcher != nil {
		_ = fs.x.events.watcher.Remove(f.path) // fails only when the watcher is closed
	}
	var forget []string
	for abs, e := range fs.x.published.Load().Entries() {
		if e.File.Folder == f.path {
			forget = append(forget, abs)
		}
	}
	fs.x.writer.send(&batch{forget: forget})
	fs.x.mu.Lock()
	scanning := f.scan.running // then the scan closes the store
	fs.x.mu.Unlock()
	if !scanning {
		fs.release(f)
	}
}

// Folders returns the canonical paths of the workspace folders that are indexed.
func (x *Index) Folders() []string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.folders.rootsLocked()
}

func (fs *folderSet) rootsLocked() []string {
	var roots []string
	for _, f := range fs.all {
		if f.refused == "" {
			roots = append(roots, f.path)
		}
	}
	return roots
}

// of returns the innermost workspace folder that holds abs, and what it leaves out; nil when no folder does, and before the
// first scan.
func (fs *folderSet) of(abs string) (*folder, *vfs.Filter) {
	fs.x.mu.Lock()
	defer fs.x.mu.Unlock()
	f := fs.ofLocked(abs)
	if f == nil {
		return nil, nil
	}
	return f, f.filter
}

// ofLocked returns the innermost workspace folder that holds abs, nil when none does.
func (fs *folderSet) ofLocked(abs string) *folder {
	var best *folder
	for _, f := range fs.all {
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
