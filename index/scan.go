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

// startLocked starts a scan of the folder, or asks the running one for another round.
func (sc *scanner) startLocked(f *folder, r scanRequest) {
	if f.refused != "" || f.removed || sc.x.life.closed || !sc.x.life.awake || f.ctx == nil {
		return
	}
	f.scan.next = f.scan.next.and(r)
	if f.scan.running {
		f.scan.again = true
		return
	}
	f.scan.running = true
	sc.running++
	sc.x.life.start(func() { sc.scan(f) })
}

// A scanner lists folders and queues what is new or changed.
type scanner struct {
	x       *Index
	running int // folders being scanned
	done    int // files of the present round of scans
	total   int
	pace    pace
}

// scan lists the folder's files and queues those that are not in the snapshot as they are on disk.
func (sc *scanner) scan(f *folder) {
	defer sc.x.writer.send(&batch{}) // publishes the new state even when there was nothing to do
	var first scanRequest
	loaded := false
	if f.filter == nil {
		first, loaded = sc.prepare(f)
		sc.x.events.add(f)
	} else {
		sc.x.mu.Lock()
		sc.x.cache.empty = false // the scan before has filled it
		sc.x.mu.Unlock()
	}
	for again := true; again; {
		sc.x.mu.Lock()
		r := f.scan.next
		f.scan.next, f.scan.again = scanRequest{}, false
		sc.x.mu.Unlock()
		r, first = r.and(first), scanRequest{}
		if sc.refreshRules(f, r) {
			sc.once(f, r)
			sc.x.events.addRuleFiles(f)
		}

		sc.x.mu.Lock()
		if again = f.scan.again && !f.removed && !sc.x.life.closed; !again {
			f.scan.running = false
			sc.running--
			sc.x.changed.Broadcast()
		}
		removed := f.removed
		sc.x.mu.Unlock()
		if removed {
			sc.x.folders.release(f)
		}
	}
	if loaded && !sc.x.opts.NoWatch {
		sc.x.life.start(releaseMemory) // reading the snapshot and listing the folder have left as much behind again
	}
}

// refreshRules makes changed rules count. It reports whether there is anything to look for.
func (sc *scanner) refreshRules(f *folder, r scanRequest) bool {
	switch {
	case r.rules, r.changed == vfs.Repository:
		sc.renewRules(f)
	case r.changed == vfs.NoRule:
	case f.filter.Refresh(f.ctx, r.changed):
		sc.x.events.add(f) // there may be folders that were skipped before
	default:
		return r != scanRequest{changed: r.changed}
	}
	return true
}

// addRuleFiles follows the files that say what git tracks and ignores. What changed before it knew of them is looked for.
func (es *eventSource) addRuleFiles(f *folder) {
	if es.watcher == nil {
		return
	}
	fresh := false
	for _, file := range f.filter.RuleFiles(f.ctx) {
		is, err := es.watcher.AddFile(file)
		fresh = fresh || is && err == nil
	}
	if fresh {
		es.x.mu.Lock()
		defer es.x.mu.Unlock()
		es.x.scans.startLocked(f, scanRequest{changed: vfs.TrackedFiles})
	}
}

// add starts watching the folder. It comes before the scan, so that no change falls between the two.
func (es *eventSource) add(f *folder) {
	if es.watcher == nil {
		return
	}
	if err := es.watcher.Add(f.path); err != nil && f.ctx.Err() == nil {
		es.x.notices.warn("watch "+f.path, "file events of "+f.path+" can't be followed: "+err.Error())
	}
	es.limited() // said at once, not when the folders are looked through next
}

// prepare does what a folder needs once, before its first task. It returns what the first scan has to do, and whether much
// of the folder was there already.
func (sc *scanner) prepare(f *folder) (r scanRequest, loaded bool) {
	// The folder may have been followed before, and its store be open still.
	_ = sc.x.life.wait(f.ctx, func() bool {
		return !slices.ContainsFunc(sc.x.folders.leaving, func(l *folder) bool { return l.path == f.path })
	})
	for _, warning := range f.root.Warnings {
		sc.x.log.Warn(warning, "folder", f.path)
	}
	sc.x.cache.open()
	rules := sc.openFilter(f)
	sc.listEarly(f)
	sc.x.folders.openStore(f)
	changed, r := sc.compareRules(f, rules)
	return r, sc.loadSnapshot(f, len(changed) > 0) >= releaseAfter
}

// openFilter makes the rules of a folder count, and returns them.
func (sc *scanner) openFilter(f *folder) Rules {
	sc.x.mu.Lock()
	rules := f.rules
	sc.x.mu.Unlock()
	filter := vfs.NewFilter(f.ctx, f.root, rules.Files, sc.x.log)
	for _, warning := range filter.Warnings() {
		sc.x.log.Warn(warning, "folder", f.path)
	}
	sc.x.mu.Lock()
	defer sc.x.mu.Unlock()
	if f.filter != nil {
		f.retired = append(f.retired, f.filter) // a worker may be asking it
	}
	f.filter, f.problem = filter, ""
	if err := filter.Err(); err != nil {
		f.problem = err.Error()
	}
	sc.x.notices.warnLocked("rules "+f.path, strings.Join(filter.ScopeWarnings(), "; "))
	return rules
}

// renewRules makes other rules count.
func (sc *scanner) renewRules(f *folder) {
	for _, filter := range f.retired { // of two changes ago
		filter.Close()
	}
	f.retired = nil
	rules := sc.openFilter(f)
	if changed, _ := sc.compareRules(f, rules); len(changed) > 0 {
		sc.x.mu.Lock()
		f.unwanted = nil
		f.unsaved += resave
		sc.x.mu.Unlock()
	}
	if sc.x.events.watcher != nil {
		_ = sc.x.events.watcher.Remove(f.path) // fails only when the watcher is closed
		sc.x.events.add(f)
	}
}

// resave is a number of changed files that has the snapshot of any folder saved.
const resave = 1 << 24

func (sc *scanner) once(f *folder, r scanRequest) {
	l := sc.listing(f, r)
	entries, report := l.entries, l.report
	switch {
	case f.ctx.Err() != nil:
		return
	case l.err != nil:
		sc.x.notices.warn("scan "+f.path, l.err.Error())
		return
	case len(report.Problems) > 0:
		first := report.Problems[0]
		sc.x.notices.warn("scan "+f.path, fmt.Sprintf("%d places in %s could not be listed; the first is %s: %v",
			len(report.Problems), f.path, first.Path, first.Err))
	default:
		sc.x.notices.warn("scan "+f.path, "")
	}
	sc.warnOfSize(f, len(entries), report)
	sc.x.mu.Lock()
	rules := f.rules
	sc.x.mu.Unlock()
	if rules.Files.FollowSymlinks {
		sc.x.events.add(f) // the scan has found out what links lead to
	}
	known, complete := sc.queue(f, entries, r)
	if !complete {
		sc.forgetMissing(f, entries)
	}
	if !complete || sc.storedOthers(f, known) {
		sc.pruneStore(f, entries)
	}
}

// inTurn sorts files in the order in which a scan reads them.
func inTurn(entries []vfs.Entry) {
	slices.SortStableFunc(entries, func(a, b vfs.Entry) int {
		return cmp.Or(cmp.Compare(scanClass(a), scanClass(b)), cmp.Compare(priority(a.Path), priority(b.Path)))
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
	case syntax.IsProse(lang.Name):
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

// queue queues the files that are not known as they are. It returns how many files of the folder are known, and
// whether the scan has found all of them.
func (sc *scanner) queue(f *folder, entries []vfs.Entry, r scanRequest) (all int, complete bool) {
	pic := sc.x.published.Load()
	sc.x.mu.Lock()
	defer sc.x.mu.Unlock()
	f.files = len(entries)
	sc.x.queue.doubtLocked(f, entries)
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
	inTurn(due)
	for _, e := range due {
		if f.removed || sc.x.life.closed {
			return all, complete
		}
		_, ok := pic.Entry(e.Abs)
		switch {
		case !ok && f.rules.NoFirstScan && !r.asked:
			continue
		case !ok:
			known++
		}
		sc.x.queue.addLocked(f, e.Abs, true, r.force)
		if t := sc.x.queue.tasks[e.Abs]; t != nil {
			t.seen = snapshot.StampOf(e)
		}
	}
	return all, complete
}

// doubtLocked has the files that are being looked at judged by the rules again, where a scan did not find them: an earlier scan
// may have, under other rules.
func (q *taskQueue) doubtLocked(f *folder, entries []vfs.Entry) {
	if len(q.tasks) == 0 {
		return
	}
	found := pathsOf(entries)
	for abs, t := range q.tasks {
		if t.folder == f && !found[abs] {
			t.missing, t.again = true, t.again || t.working
		}
	}
}

func pathsOf(entries []vfs.Entry) map[string]bool {
	paths := make(map[string]bool, len(entries))
	for _, e := range entries {
		paths[e.Abs] = true
	}
	return paths
}

// isStill reports whether what is known of a file is what a scan met, under the rules of its folder.
func isStill(k snapshot.Entry, e vfs.Entry, in *folder) bool {
	return !k.File.Overlay && k.File.Size == e.Size && k.ModTime.Equal(e.ModTime) && k.Node == e.Node && k.File.Secrets == in.secrets
}

// manyFiles is from where on a project is worth a warning.
const manyFiles = 100_000

// warnOfSize tells of a folder that has very many files, or none that the rules take in.
func (sc *scanner) warnOfSize(f *folder, files int, report vfs.Report) {
	if files > manyFiles {
		sc.x.log.Warn("a very large project; index.ignore_patterns and index.watch_paths can make it smaller", "folder", f.path, "files", files)
	}
	skipped := 0
	for _, n := range report.Skipped {
		skipped += n
	}
	sc.x.mu.Lock()
	defer sc.x.mu.Unlock()
	switch {
	case f.filter.Err() != nil:
		return // f.problem says so
	case files > 0 || skipped == 0:
		f.problem = ""
		sc.x.notices.warnLocked("empty "+f.path, "")
		return
	}
	f.problem = "the rules leave out all there is; aurora index list --skipped tells by which"
	sc.x.notices.warnLocked("empty "+f.path, "nothing in "+f.path+" is indexed: "+f.problem)
}

// firstExtensions are those of files that a scan reads before their equals, in this order.
var firstExtensions = []string{".kt", ".py", ".ts", ".java", ".md"}

// priority is where a file stands among its equals: by the extensions that come first.
func priority(rel string) int {
	if i := slices.Index(firstExtensions, strings.ToLower(path.Ext(rel))); i >= 0 {
		return i
	}
	return len(firstExtensions)
}

// forgetMissing drops files of the snapshot that the scan did not find.
func (sc *scanner) forgetMissing(f *folder, entries []vfs.Entry) {
	found := pathsOf(entries)
	sc.x.mu.Lock()
	defer sc.x.mu.Unlock()
	for abs, e := range sc.x.published.Load().Entries() {
		if e.File.Folder == f.path && !found[abs] {
			sc.x.queue.addLocked(f, abs, true, false) // part of the scan, which is not over before it is gone
			if t := sc.x.queue.tasks[abs]; t != nil {
				t.missing = true
			}
		}
	}
}

// addLocked asks for a look at one file. A file that is queued already is looked at once; one that is in work is
// looked at again.
func (q *taskQueue) addLocked(f *folder, abs string, bulk, force bool) {
	if f.filter == nil {
		return // the first scan of the folder, which is still to come, finds whatever this is about
	}
	if t := q.tasks[abs]; t != nil {
		t.force = t.force || force
		t.again = t.again || t.working
		return
	}
	t := &task{folder: f, abs: abs, rel: relative(f.path, abs), bulk: bulk, force: force}
	q.tasks[abs] = t
	q.x.jobs.countLocked(1, 0)
	files, _ := q.x.published.Load().Counts()
	q.x.scans.pace.begin(q.x.scans.total == 0 && bulk, files)
	if bulk {
		q.bulk = append(q.bulk, t)
		q.x.scans.total++
	} else {
		q.urgent = append(q.urgent, t)
	}
	q.x.changed.Broadcast()
}
