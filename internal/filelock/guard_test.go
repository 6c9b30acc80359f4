package filelock

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// TestGuardLetsOneIn has many take turns: each is alone, and the file is gone in the end.
func TestGuardLetsOneIn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.lock")
	var group sync.WaitGroup
	var inside sync.Mutex
	turns := 0
	for range 30 {
		group.Go(func() {
			unlock, err := Guard(context.Background(), path)
			if err != nil {
				t.Error(err)
				return
			}
			if !inside.TryLock() {
				t.Error("two at once")
				return
			}
			turns++
			inside.Unlock()
			unlock()
		})
	}
	group.Wait()
	if _, err := os.Stat(path); turns != 30 || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%d turns, the file: %v", turns, err)
	}
}

// TestGuardTakesWhatTheDeadLeft: a file that nobody holds is no lock, however young it is.
func TestGuardTakesWhatTheDeadLeft(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.lock")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	unlock, err := Guard(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	gone, stop := context.WithCancel(context.Background())
	stop()
	if _, err := Guard(gone, path); !errors.Is(err, context.Canceled) {
		t.Errorf("while it is held: %v", err)
	}
	unlock()
}
