package lifespan

import (
	"slices"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/actr"
)

func TestPinnedIsKept(t *testing.T) {
	policies, err := New(nil, "")
	if err != nil {
		t.Fatal(err)
	}
	score := 0.9
	h := memory.Hit{Record: memory.Record{Quality: memory.Quality{SuccessScore: &score}, Stamp: memory.Stamp{CreatedAt: time.Unix(0, 0), UpdatedAt: time.Unix(0, 0)}}}
	now := time.Unix(0, 0).AddDate(3, 0, 0)
	if d := policies.Decide(h, now); d.Expires.IsZero() && !d.Inactive {
		t.Fatalf("the record would be kept anyway: %+v", d)
	}
	h.Tags = Pin([]string{"money", "Pinned"}, true)
	if d := policies.Decide(h, now); !d.Expires.IsZero() || d.Inactive || d.Decay != actr.None || d.Policy != Pinned {
		t.Errorf("pinned: %+v", d)
	}
	if got := Pin(h.Tags, false); !slices.Equal(got, []string{"money"}) || IsPinned(got) {
		t.Errorf("unpinned: %q", got)
	}
}
