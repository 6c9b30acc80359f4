package store

import (
	"context"
	"errors"
	"testing"
	"time"
)

// TestPatience has a store wait for the writer's end, and read when the writer stays.
func TestPatience(t *testing.T) {
	dir := t.TempDir()
	open := func(patience time.Duration) *Store {
		s, err := Open(t.Context(), dir, Options{Patience: patience})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	first := open(0)
	if s := open(time.Millisecond); s.Writer() || s.Close() != nil {
		t.Error("two write")
	}
	closed := make(chan error, 1)
	go func() { closed <- first.Close() }()
	second := open(time.Minute)
	if err := <-closed; err != nil || !second.Writer() {
		t.Errorf("%v; it waits and is the writer: %v", err, second.Writer())
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if s, err := Open(ctx, dir, Options{Patience: time.Minute}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v, %v", s, err)
	}
	if err := second.Close(); err != nil {
		t.Error(err)
	}
}
