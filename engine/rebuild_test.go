package engine

import (
	"errors"
	"testing"
	"time"
)

func TestRebuildMustBeConfirmed(t *testing.T) {
	f := openWorkspace(t, map[string]string{"a.go": "package a\n\nfunc A() {}\n", "b/b.py": "x = 1\n"})
	_, err := f.engine.Rebuild(t.Context(), RebuildRequest{})
	var e *Error
	if !errors.As(err, &e) || e.Kind != Confirmation {
		t.Errorf("without confirmation: %v", err)
	}
	dry, err := f.engine.Rebuild(t.Context(), RebuildRequest{Validate: true})
	if err != nil || dry.Job.ID != "" || dry.Files != 2 || dry.Dirs != 2 ||
		dry.Message != "Dry-run: Would re-index 2 files across 2 directories. Estimated 1 second. No changes made." {
		t.Errorf("dry run: %+v, %v", dry, err)
	}
	if _, err := f.engine.Rebuild(t.Context(), RebuildRequest{Confirm: true, Paths: []string{"/nowhere"}}); !errors.As(err, &e) || e.Kind != NotIndexed {
		t.Errorf("outside: %v", err)
	}
	full, err := f.engine.Rebuild(t.Context(), RebuildRequest{Confirm: true})
	if err != nil || full.Message != "Full rebuild queued. This will re-index all 2 files (~1 second)." {
		t.Fatalf("full: %+v, %v", full, err)
	}
	if job, err := f.engine.Job(full.Job.ID); err != nil || job.ID != full.Job.ID {
		t.Errorf("Job = %+v, %v", job, err)
	}
	if _, err := f.engine.Job("nonsense"); !errors.As(err, &e) || e.Kind != Invalid {
		t.Errorf("an unknown job: %v", err)
	}
}

func TestMinutes(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "1 second", time.Second: "1 second", 40 * time.Second: "40 seconds", 680 * time.Second: "11 minutes", time.Hour: "60 minutes",
	} {
		if got := minutes(d); got != want {
			t.Errorf("minutes(%s) = %q, want %q", d, got, want)
		}
	}
	if got := thousands(10247); got != "10,247" {
		t.Errorf("thousands = %q", got)
	}
	if got := thousands(1234567); got != "1,234,567" {
		t.Errorf("thousands = %q", got)
	}
}
