package sqlite

import (
	"slices"

	"github.com/aurora-sidecar/aurora/memory"
)

func (s *suite) renames() {
	for range 3 {
		s.mustUse("code:a.go:F", memory.Edited)
	}
	s.mustUse("code:b.go:G", memory.Edited)
	if err := s.store.Relate(s.ctx, []memory.Link{{From: "code:a.go:F", To: "code:b.go:G", Type: "calls", Weight: 1}}); err != nil {
		s.Fatal(err)
	}
	before := s.levels("code:a.go:F", "code:b.go:G")
	rename := func(ids map[string]string) {
		s.Helper()
		if err := s.store.Rename(s.ctx, ids); err != nil {
			s.Fatal(err)
		}
	}
	rename(map[string]string{"code:a.go:F": "code:c.go:F", "code:never.go:X": "code:c.go:X"})
	after := s.levels("code:a.go:F", "code:c.go:F", "code:c.go:X")
	if _, ok := after["code:a.go:F"]; ok || len(after) != 1 || after["code:c.go:F"] < before["code:a.go:F"]-1 {
		s.Errorf("before %v, after a rename %v", before, after)
	}
	links, err := s.store.Related(s.ctx, []string{"code:c.go:F"})
	if err != nil || !slices.ContainsFunc(links["code:c.go:F"], func(l memory.Link) bool { return l.To == "code:b.go:G" }) {
		s.Errorf("links %v, %v", links, err)
	}
	rename(map[string]string{"code:c.go:F": "code:b.go:G", "code:b.go:G": "code:c.go:F"}) // they change places
	swapped := s.levels("code:b.go:G", "code:c.go:F")
	if len(swapped) != 2 || swapped["code:b.go:G"] <= swapped["code:c.go:F"] {
		s.Errorf("after they changed places: %v", swapped)
	}
	rename(map[string]string{"code:c.go:F": "code:b.go:G"}) // two become one
	if both := s.levels("code:b.go:G", "code:c.go:F"); len(both) != 1 || both["code:b.go:G"] < swapped["code:b.go:G"] {
		s.Errorf("after two became one: %v, before %v", both, swapped)
	}
}

func (s *suite) mustUse(id string, what memory.Use) {
	s.Helper()
	if err := s.store.Use(s.ctx, []string{id}, what, 0); err != nil {
		s.Fatal(err)
	}
}

func (s *suite) levels(ids ...string) map[string]float64 {
	s.Helper()
	levels, err := s.store.Activation(s.ctx, ids)
	if err != nil {
		s.Fatal(err)
	}
	return levels
}
