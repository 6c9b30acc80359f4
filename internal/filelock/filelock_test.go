package filelock

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestOneHolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.lock")
	unlock, err := Try(path)
	if err != nil || unlock == nil {
		t.Fatalf("no lock: %v", err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if again, err := Try(path); again != nil || err != nil {
		t.Errorf("taken twice: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := Wait(ctx, path); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("waited: %v", err)
	}
	got := make(chan error, 1)
	go func() {
		next, err := Wait(t.Context(), path)
		if err == nil {
			err = next()
		}
		got <- err
	}()
	if err := unlock(); err != nil {
		t.Error(err)
	}
	if err := <-got; err != nil {
		t.Errorf("after it was freed: %v", err)
	}
}

func TestNoPlaceForALock(t *testing.T) {
	if _, err := Try(filepath.Join(t.TempDir(), "missing", "a.lock")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}
