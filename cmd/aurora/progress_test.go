package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/cmd/aurora/internal/display"
	"github.com/aurora-sidecar/aurora/index"
)

func TestBarFits(t *testing.T) {
	for _, width := range []int{10, 20, 40, 80, 200} {
		for _, p := range []index.Progress{{}, {Done: 1, Total: 3}, {Done: 3, Total: 3}, {Done: 5, Total: 3}, {Done: 123456, Total: 1234567}} {
			if got := bar(p, max(width, 20)); display.Cells(got) >= max(width, 20) {
				t.Errorf("width %d, %+v: %q is too wide", width, p, got)
			}
		}
	}
	if got, want := bar(index.Progress{Done: 1, Total: 4}, 60), "Indexing 25% [████████░░░░░░░░░░░░░░░░░░░░░░░░] 1/4"; !strings.HasPrefix(got, "Indexing 25% [") || !strings.HasSuffix(got, "] 1/4") {
		t.Errorf("got %q, want something like %q", got, want)
	}
}

func TestTenths(t *testing.T) {
	var out bytes.Buffer
	m := &meter{out: &out}
	tenth := 0
	for done := range 101 {
		tenth = m.printTenth(index.Progress{Done: done, Total: 100}, tenth)
	}
	if got := strings.Count(out.String(), "\n"); got != 10 {
		t.Errorf("%d lines, want 10:\n%s", got, out.String())
	}
	if !strings.HasPrefix(out.String(), "Indexing: 10 of 100 files (10%)\n") {
		t.Errorf("first line: %q", out.String())
	}
	if m.printTenth(index.Progress{}, 3) != 3 {
		t.Error("an unknown total counts as progress")
	}
}

// The index hands over its progress from its own goroutine: update must return whether or not anybody draws.
func TestMeterNeverBlocks(t *testing.T) {
	block := make(chan struct{})
	m := newMeter(writerFunc(func(p []byte) (int, error) { <-block; return len(p), nil }), false, 80)
	for done := range 1000 {
		m.update(index.Progress{Done: done, Total: 100})
	}
	close(block)
	m.close()
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
