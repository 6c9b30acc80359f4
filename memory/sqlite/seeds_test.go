package sqlite

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/aurora-sidecar/aurora/memory"
)

// TestSeeds asks a store of known records known questions. Ids with any number of parts are taken as they are.
func TestSeeds(t *testing.T) {
	var seeds struct {
		Records []memory.Record
		Queries []struct {
			memory.Query
			First string // id of the first hit; "" for none
		}
	}
	text, err := os.ReadFile("testdata/fixtures/memory_seeds.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &seeds); err != nil {
		t.Fatal(err)
	}
	s := openMemory(t, Options{Now: newClock().Now})
	for _, r := range seeds.Records {
		if saved, created, err := s.Remember(t.Context(), r); err != nil || !created || saved.ID != r.ID {
			t.Fatalf("%s was remembered as %s, %v, %v", r.ID, saved.ID, created, err)
		}
	}
	for _, q := range seeds.Queries {
		first := ""
		if hits := mustSearch(t, s, q.Query); len(hits) > 0 {
			first = hits[0].ID
		}
		if first != q.First {
			t.Errorf("%+v found %q first, want %q", q.Query, first, q.First)
		}
	}
}

// TestSizeGrowsWithRecords holds that twice the records take about twice the space.
func TestSizeGrowsWithRecords(t *testing.T) {
	s := openMemory(t, Options{})
	size := func(from, to int) float64 {
		t.Helper()
		err := s.write(t.Context(), func(tx tx) error {
			for i := from; i < to; i++ {
				r, err := memory.Prepare(memory.Record{Content: fmt.Sprintf("decision %d about gadget%d, gizmo%d and the rest of them", i, i%97, i%89)})
				if err != nil {
					return err
				}
				if _, _, err := remember(t.Context(), tx, r); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		stats, err := s.Stats(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return float64(stats.SizeBytes)
	}
	empty := size(0, 0)
	once, twice := size(0, 750)-empty, size(750, 1500)-empty
	if twice < 1.6*once || twice > 2.4*once {
		t.Errorf("750 records take %.0f bytes, 1,500 take %.0f", once, twice)
	}
}
