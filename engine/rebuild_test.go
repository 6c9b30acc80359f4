package engine

import (
	"errors"
	"testing"
)

func TestRebuildMustBeConfirmed(t *testing.T) {
	f := openWorkspace(t, map[string]string{"a.go": "package a\n\nfunc A() {}\n", "b/b.py": "x = 1\n"})
	_, err := f.engine.Indexing().Rebuild(t.Context(), RebuildRequest{})
	var e *Error
	if !errors.As(err, &e) || e.Kind != Confirmation {
		t.Errorf("without confirmation: %v", err)
	}
	dry, err := f.engine.Indexing().Rebuild(t.Context(), RebuildRequest{Validate: true})
	if err != nil || dry.Job.ID != "" || dry.Files != 2 || dry.Dirs != 2 ||
		dry.Message != "Dry-run: Would re-index 2 files across 2 directories. Estimated 1 second. No changes made." {
		t.Errorf("dry run: %+v, %v", dry, err)
	}
	if _, err := f.engine.Indexing().Rebuild(t.Context(), RebuildRequest{Confirm: true, Paths: []string{"/nowhere"}}); !errors.As(err, &e) || e.Kind != NotIndexed {
		t.Errorf("outside: %v", err)
	}
	full, err := f.engine.Indexing().Rebuild(t.Context(), RebuildRequest{Confirm: true})
	if err != nil || full.Message != "Full rebuild queued. This will re-index all 2 files (~1 second)." {
		t.Fatalf("full: %+v, %v", full, err)
	}
	if job, err := f.engine.Indexing().Job(full.Job.ID); err != nil || job.ID != full.Job.ID {
		t.Errorf("Job = %+v, %v", job, err)
	}
	if _, err := f.engine.Indexing().Job("nonsense"); !errors.As(err, &e) || e.Kind != Invalid {
		t.Errorf("an unknown job: %v", err)
	}
}
