package sqlite

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/aurora-sidecar/aurora/memory"
)

// A joined store gives to the team all that is remembered.
type joined struct{ *Store }

func (j joined) Remember(ctx context.Context, r memory.Record) (memory.Record, bool, error) {
	r.Team = true
	return j.Store.Remember(ctx, r)
}

// TestConformanceOfATeamsReplica checks that a store does for records of a team what it does for others.
func TestConformanceOfATeamsReplica(t *testing.T) {
	testConformance(t, func() memory.Store {
		s := openAt(t, filepath.Join(t.TempDir(), "memory.db"), Options{})
		if err := s.SetTeamProperty(t.Context(), "replica", "r"); err != nil {
			t.Fatal(err)
		}
		return joined{s}
	})
}
