package engine

import "testing"

// Without a published address a repository is known by its first commit. Who amends that, or begins the history anew, keeps
// what is remembered.
func TestRecordsOutlastARewrittenHistory(t *testing.T) {
	w := newWorkspace(t, shop)
	w.git("init", "-q", "-b", "main")
	w.git("add", ".")
	w.git("commit", "-qm", "Open the shop")
	w.open()
	id := w.remember(RememberRequest{Content: "Rates come from the bank."})
	was := w.engine.records.Project(w.dir)
	for _, rewrite := range [][]string{
		{"commit", "-q", "--amend", "-m", "Open the store"},
		{"checkout", "-q", "--orphan", "anew"},
		{"commit", "-qm", "Once more"},
		{"branch", "-q", "-D", "main"},
	} {
		w.git(rewrite...)
	}
	w.rewire(func(*Options) {}) // as the next start does
	now := w.engine.records.Project(w.dir)
	if now == was {
		t.Fatalf("%s is still the name", was)
	}
	w.recall("rates bank")
	if hit, err := w.engine.opts.Memory.Get(t.Context(), id); err != nil || hit.Workspace != now {
		t.Errorf("the record belongs to %q, %v; want %q", hit.Workspace, err, now)
	}
}
