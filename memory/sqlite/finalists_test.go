package sqlite

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/memory"
)

// TestFinalistsAreTheMostActive gives records histories of many kinds: the cut by the closed form keeps those that are
// the most active by all their uses.
func TestFinalistsAreTheMostActive(t *testing.T) {
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	var clock atomic.Int64 // the store writes uses by itself, too
	set := func(at time.Time) { clock.Store(at.UnixMilli()) }
	s := openAt(t, filepath.Join(t.TempDir(), "memory.db"), Options{Now: func() time.Time { return time.UnixMilli(clock.Load()).UTC() }})
	random := rand.New(rand.NewPCG(1, 2))
	type past struct {
		At int64
		ID string
	}
	var ids []string
	var history []past
	set(now.AddDate(-1, 0, 0))
	rememberAll(t, s, mostActive-10, func(i int) string { return fmt.Sprintf("record number %d", i) })
	for i := range mostActive - 10 {
		id := fmt.Sprint("know:", i)
		ids = append(ids, id)
		for range random.IntN(40) {
			age := time.Duration(random.Float64() * random.Float64() * random.Float64() * float64(300*24*time.Hour))
			history = append(history, past{toMs(now.Add(-age - time.Minute)), id})
		}
	}
	list, err := json.Marshal(history)
	if err != nil {
		t.Fatal(err)
	}
	set(now)
	err = s.write(t.Context(), func(tx tx) error {
		_, err := tx.ExecContext(t.Context(), `INSERT INTO access_events (subject, action, weight, at_ms)
			SELECT value->>'ID', 'opened', 0.5, value->>'At' FROM json_each(?) ORDER BY value->>'At'`, string(list))
		return errors.Join(err, rebuildUses(t.Context(), tx))
	})
	if err != nil {
		t.Fatal(err)
	}
	levels, err := s.Activation(t.Context(), ids)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(ids, func(a, b string) int { return cmp.Compare(levels[b], levels[a]) })
	hits, err := s.Search(t.Context(), memory.Query{Limit: 20})
	if err != nil || len(hits) != 20 {
		t.Fatal(len(hits), err)
	}
	for i, hit := range hits {
		if hit.ID != ids[i] {
			t.Errorf("%d: %s (%.3f), want %s (%.3f)", i, hit.ID, levels[hit.ID], ids[i], levels[ids[i]])
		}
	}
}
