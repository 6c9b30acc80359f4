package index

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/index/snapshot"
	"github.com/aurora-sidecar/aurora/index/syntax"
	"github.com/aurora-sidecar/aurora/index/vfs"
)

// scanLocked starts a scan of the folder, or asks the running one for another round.
func (x *Index) scanLocked(f *folder, r scanRequest) {
	if f.refused != "" || f.removed || x.closed || !x.awake || f.ctx == nil {
		return
	}
	f.scan.next = f.scan.next.and(r)
	if f.scan.running {
		f.scan.again = true
		return
	}
	f.scan.running = true
	x.scans++
	x.start(func() { x.scan(f) })
}

// scan lists the folder's files and queues those that are not in the snapshot as they are on disk.
func (x *Index) scan(f *folder) {
	defer x.send(&batch{}) // publishes the new state even when there was nothing to do
	var first scanRequest
	loaded := false
	if f.filter == nil {
		first, loaded = x.prepare(f)
		x.follow(f)
	} else {
		x.mu.Lock()
		x.cacheEmpty = false // the scan before has filled it
		x.mu.Unlock()
	}
	for again := true; again; {
		x.mu.Lock()
		r := f.scan.next
		f.scan.next, f.scan.again = scanRequest{}, false
		x.mu.Unlock()
		r, first = r.and(first), scanRequest{}
		if r.rules {
			x.renewRules(f)
		}

		x.scanOnce(f, r)

		x.mu.Lock()
		if again = f.scan.again && !f.removed && !x.closed; !again {
			f.scan.running = false
			x.scans--
			x.changed.Broadcast()
		}
		removed := f.removed
		x.mu.Unlock()
		if removed {
			x.release(f)
		}
	}
	if loaded && !x.opts.NoWatch {
		x.start(releaseMemory) // reading the snapshot and listing the folder have left as much behind again
	}
}

// follow starts watching the folder. It comes before the scan, so that no change falls between the two.
func (x *Index) follow(f *folder) {
	if x.watch == nil {
		return
	}
	if err := x.watch.Add(f.path); err != nil && f.ctx.Err() == nil {
		x.warn("watch "+f.path, "file events of "+f.path+" can't be followed: "+err.Error())
	}
	x.watchLimited() // said at once, not when the folders are looked through next
}

// prepare does what a folder needs once, before its first task. It returns what the first scan has to do, and whether much
// of the folder was there already.
func (x *Index) prepare(f *folder) (r scanRequest, loaded bool) {
	// The folder may have been followed before, and its store be open still.
	_ = x.wait(f.ctx, func() bool {
		return !slices.ContainsFunc(x.leaving, func(l *folder) bool { return l.path == f.path })
	})
	for _, warning := range f.root.Warnings {
		x.log.Warn(warning, "folder", f.path)
	}
	x.openCache()
	rules := x.openFilter(f)
	x.listEarly(f)
	x.openStore(f)
	changed, r := x.compareRules(f, rules)
	return r, x.loadSnapshot(f, len(changed) > 0) >= releaseAfter
}

// openFilter makes the rules of a folder count, and returns them.
func (x *Index) openFilter(f *folder) Rules {
	x.mu.Lock()
	rules := f.rules
	x.mu.Unlock()
	filter := vfs.NewFilter(f.ctx, f.root, rules.Files, x.log)
	for _, warning := range filter.Warnings() {
		x.log.Warn(warning, "folder", f.path)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if f.filter != nil {
		f.retired = append(f.retired, f.filter) // a worker may be asking it
	}
	f.filter, f.problem = filter, ""
	if err := filter.Err(); err != nil {
		f.problem = err.Error()
	}
	x.warnLocked("rules "+f.path, strings.Join(filter.ScopeWarnings(), "; "))
	return rules
}

// renewRules makes other rules count.
func (x *Index) renewRules(f *folder) {
	for _, filter := range f.retired { // of two changes ago
		filter.Close()
	}
	f.retired = nil
	rules := x.openFilter(f)
	if changed, _ := x.compareRules(f, rules); len(changed) > 0 {
		x.mu.Lock()
		f.unwanted = nil
		f.unsaved += resave
		x.mu.Unlock()
	}
	if x.watch != nil {
		_ = x.watch.Remove(f.path) // fails only when the watcher is closed
		x.follow(f)
	}
}

// resave is a number of changed files that has the snapshot of any folder saved.
const resave = 1 << 24

func (x *Index) scanOnce(f *folder, r scanRequest) {
	l := x.listing(f, r)
	entries, report := l.entries, l.report
	switch {
	case f.ctx.Err() != nil:
		return
	case l.err != nil:
		x.warn("scan "+f.path, l.err.Error())
		return
	case len(report.Problems) > 0:
		first := report.Problems[0]
		x.warn("scan "+f.path, fmt.Sprintf("%d places in %s could not be listed; the first is %s: %v",
			len(report.Problems), f.path, first.Path, first.Err))
	default:
		x.warn("scan "+f.path, "")
	}
	x.warnOfSize(f, len(entries), report)
	x.mu.Lock()
	rules := f.rules
	x.mu.Unlock()
	if rules.Files.FollowSymlinks {
		x.follow(f) // the scan has found out what links lead to
	}
	known, complete := x.queueScan(f, entries, r)
	if !complete {
		x.forgetMissing(f, entries)
	}
	if !complete || x.storedOthers(f, known) {
		x.pruneStore(f, entries)
	}
}

// inTurn sorts files in the order in which a scan reads them.
func inTurn(entries []vfs.Entry, rules *Rules) {
	slices.SortStableFunc(entries, func(a, b vfs.Entry) int {
		return cmp.Or(cmp.Compare(scanClass(a), scanClass(b)), cmp.Compare(rules.priority(a.Path), rules.priority(b.Path)))
	})
}

// scanClass is the order in which a first scan reads files: small source files, other source, documents, configuration
// and the rest, large files.
func scanClass(e vfs.Entry) int {
	const small, large = 10 << 10, 1 << 20
	lang := syntax.ByPath(e.Path)
	switch {
	case e.Size >= large:
		return 4
	case lang == nil:
		return 3
	case lang.Name == "markdown":
		return 2
	case slices.Contains(configLanguages, lang.Name):
		return 3
	case e.Size < small:
		return 0
	}
	return 1
}

// configLanguages are those that configuration and data are written in.
var configLanguages = []string{"yaml", "toml", "json", "hcl"}

// queueScan queues the files that are not known as they are. It returns how many files of the folder are known, and
// whether the scan has found all of them.
func (x *Index) queueScan(f *folder, entries []vfs.Entry, r scanRequest) (all int, complete bool) {
	pic := x.published.Load()
	x.mu.Lock()
	defer x.mu.Unlock()
	f.files = len(entries)
	known := 0
	var due []vfs.Entry
	unwanted := map[string]snapshot.Stamp{} // without those that are gone
	for _, e := range entries {
		old, ok := pic.Entry(e.Abs)
		if ok {
			known++
		}
		still := ok && isStill(old, e, f)
		if s, out := f.unwanted[e.Path]; out && !ok {
			unwanted[e.Path], still = s, s == snapshot.StampOf(e)
		}
		if !still || r.force || r.check {
			due = append(due, e)
		}
	}
	f.unwanted = unwanted
	all = pic.FilesOf(f.path)
	complete = known == all
	inTurn(due, &f.rules)
	left := 0
	for _, e := range due {
		if f.removed || x.closed {
			return all, complete
		}
		_, ok := pic.Entry(e.Abs)
		switch {
		case !ok && f.rules.NoFirstScan && !r.asked:
			continue
		case !ok && f.rules.MaxFiles > 0 && known >= f.rules.MaxFiles:
			left++
			continue
		case !ok:
			known++
		}
		x.queueLocked(f, e.Abs, true, r.force)
		if t := x.tasks[e.Abs]; t != nil {
			t.seen = snapshot.StampOf(e)
		}
	}
	message := ""
	if left > 0 {
		message = fmt.Sprintf("%d files of %s are not indexed: index.bootstrap.max_initial_files is %d", left, f.path, f.rules.MaxFiles)
	}
	x.warnLocked("limit "+f.path, message)
	return all, complete
}

// isStill reports whether what is known of a file is what a scan met, under the rules of its folder.
func isStill(k snapshot.Entry, e vfs.Entry, in *folder) bool {
	return !k.File.Overlay && k.File.Size == e.Size && k.ModTime.Equal(e.ModTime) && k.File.Secrets == in.secrets &&
		k.File.Cut == in.rules.Chunks.Tag(k.File.Language)
}

// manyFiles is from where on a project is worth a warning (IDX-038).
const manyFiles = 100_000

// warnOfSize tells of a folder that has very many files, or none that the rules take in.
func (x *Index) warnOfSize(f *folder, files int, report vfs.Report) {
	if files > manyFiles {
		x.log.Warn("a very large project; index.ignore_patterns and index.watch_paths can make it smaller", "folder", f.path, "files", files)
	}
	skipped := 0
	for _, n := range report.Skipped {
		skipped += n
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	switch {
	case f.filter.Err() != nil:
		return // f.problem says so
	case files > 0 || skipped == 0:
		f.problem = ""
		x.warnLocked("empty "+f.path, "")
		return
	}
	f.problem = "the rules leave out all there is; aurora index list --skipped tells by which"
	x.warnLocked("empty "+f.path, "nothing in "+f.path+" is indexed: "+f.problem)
}

// priority is where a file stands among its equals: by the extensions that come first.
func (r *Rules) priority(rel string) int {
	extension := strings.ToLower(path.Ext(rel))
	for i, first := range r.Priority {
		if strings.TrimPrefix(strings.ToLower(first), ".") == strings.TrimPrefix(extension, ".") && extension != "" {
			return i
		}
	}
	return len(r.Priority)
}

// forgetMissing drops files of the snapshot that the scan did not find.
func (x *Index) forgetMissing(f *folder, entries []vfs.Entry) {
	found := make(map[string]bool, len(entries))
	for _, e := range entries {
		found[e.Abs] = true
	}
	x.mu.Lock()
	for abs, e := range x.published.Load().Entries() {
		if e.File.Folder == f.path && !found[abs] {
			x.queueLocked(f, abs, true, false) // part of the scan, which is not over before it is gone
			if t := x.tasks[abs]; t != nil {
				t.missing = true
			}
		}
	}
	x.mu.Unlock()
}

// queueLocked asks for a look at one file. A file that is queued already is looked at once; one that is in work is
// looked at again.
func (x *Index) queueLocked(f *folder, abs string, bulk, force bool) {
	if f.filter == nil {
		return // the first scan of the folder, which is still to come, finds whatever this is about
	}
	if t := x.tasks[abs]; t != nil {
		t.force = t.force || force
		t.again = t.again || t.working
		return
	}
	t := &task{folder: f, abs: abs, rel: relative(f.path, abs), bulk: bulk, force: force}
	x.tasks[abs] = t
	x.countLocked(1, 0)
	files, _ := x.published.Load().Counts()
	x.pace.begin(x.bulkTotal == 0 && bulk, files)
	if bulk {
		x.bulk = append(x.bulk, t)
		x.bulkTotal++
	} else {
		x.urgent = append(x.urgent, t)
	}
	x.changed.Broadcast()
}
