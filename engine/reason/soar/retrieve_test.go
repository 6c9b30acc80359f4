package soar

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"
)

// A countingLibrary notes how many snippets it was asked for.
type countingLibrary struct {
	shelfLibrary

	mu     sync.Mutex
	limits []int
}

func (l *countingLibrary) Retrieve(ctx context.Context, query string, size Size) ([]Source, error) {
	l.mu.Lock()
	l.limits = append(l.limits, size.Hits)
	l.mu.Unlock()
	return l.shelfLibrary.Retrieve(ctx, query, size)
}

// A question gets as many snippets as the budget counts, and a subgoal six tenths of them.
func TestSnippetsAreCounted(t *testing.T) {
	for budget, want := range map[int][]int{0: {10, 6, 6, 6}, 10: {10, 6, 6, 6}, 25: {25, 15, 15, 15}, 1: {1, 1, 1, 1}} {
		b := newBench(t, 10*time.Second)
		library := &countingLibrary{shelfLibrary: snippets}
		b.opts.Library, b.opts.Snippets = library, budget
		if o := b.ask(context.Background(), planned); o.err != nil {
			t.Fatal(o.err)
		}
		if !slices.Equal(library.limits, want) {
			t.Errorf("budget %d: asked for %v snippets, want %v", budget, library.limits, want)
		}
	}
}
