package workspace

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
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

// TestLines tells of a long first scan, of a short one that follows, and of one that ends at once.
func TestLines(t *testing.T) {
	var out bytes.Buffer
	told := teller{out: &out, every: 30 * time.Second}
	start := time.Now()
	for done := 0; done < 10_000; done += 617 {
		told.tell(index.Progress{Done: done, Total: 10_000, First: true, Rate: 6.17, Left: time.Duration(10_000-done) * 160 * time.Millisecond}, start.Add(time.Duration(done)*16*time.Millisecond))
	}
	told.tell(index.Progress{Done: 10_000, Total: 10_000, First: true, Finished: true, Files: 10_000, Chunks: 45_678, SizeBytes: 234e6}, start.Add(time.Hour))
	told.tell(index.Progress{Done: 1, Total: 1, Finished: true, Files: 10_000, Chunks: 45_679}, start)
	told.tell(index.Progress{}, start)
	want := `Context system starting initial indexing of 10,000 files...
Basic context available (1,234 files indexed). Continuing in background...
Indexed 2,468 / 10,000 files (24%)... Estimated 20 minutes remaining (6 files/s)
Indexed 4,936 / 10,000 files (49%)... Estimated 14 minutes remaining (6 files/s)
Indexed 7,404 / 10,000 files (74%)... Estimated 7 minutes remaining (6 files/s)
Indexed 9,872 / 10,000 files (98%)... Estimated 21 seconds remaining (6 files/s)
Initial indexing complete. 10,000 files, 45,678 chunks, 234 MB database.
Context system looking at 1 file...
Indexing complete. 10,000 files, 45,679 chunks.
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

// The index hands over its progress from its own goroutine: update must return whether or not anybody draws.
func TestMeterNeverBlocks(t *testing.T) {
	block := make(chan struct{})
	m := newMeter(writerFunc(func(p []byte) (int, error) { <-block; return len(p), nil }), false, 80, time.Second)
	for done := range 1000 {
		m.update(index.Progress{Done: done, Total: 100})
	}
	close(block)
	m.close()
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
