package rank

import (
	"testing"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/memory"
)

// TestActivateRecords holds that records on what changes with the open file come earlier, and that code stays where it is.
func TestActivateRecords(t *testing.T) {
	list := []*Candidate{testCandidate("a.go", "f", 0)}
	list[0].Final = 0.55
	for id, final := range map[string]float64{"beside": 0.5, "elsewhere": 0.6, "nothing": 0} {
		c := recordCandidate(id)
		c.Record.ID, c.Final = id, final
		list = append(list, c)
	}
	(&Ranking{}).ActivateRecords(list, func(h *memory.Hit) float64 { return map[string]float64{"beside": 1, "nothing": 1}[h.ID] })
	// 0.5/0.6 + 0.2 = 1.033; 0.6/0.6 = 1; the best of them keeps the best score.
	want := map[string]float64{"beside": 0.6, "elsewhere": 0.6 / (0.5/0.6 + 0.2), "": 0.55, "nothing": 0}
	for _, c := range list {
		id := ""
		if c.Record != nil {
			id = c.Record.ID
		}
		if !near(c.Final, want[id]) {
			t.Errorf("%q has %v, want %v", id, c.Final, want[id])
		}
	}
	if list[0].Record == nil || list[0].Record.ID != "beside" {
		t.Errorf("first comes %+v", list[0])
	}
}

// TestActivate holds the sum that orders matches by words, and that names and records stay where they are.
func TestActivate(t *testing.T) {
	of := map[string]Activation{"busy.go": {Base: 1}, "beside.go": {Base: 0.5, Near: 1}, "named.go": {}}
	ranked := func(work bool) []*Candidate {
		list := []*Candidate{testCandidate("named.go", "f", 0), testCandidate("quiet.go", "f", 0), testCandidate("busy.go", "f", 0), testCandidate("beside.go", "f", 0)}
		list[0].Tier, list[0].Final = Exact, 0.95
		list[1].Final, list[2].Final, list[3].Final = 0.6, 0.57, 0.42
		record := recordCandidate("r")
		record.Final = 0.5
		list = append(list, record)
		(&Ranking{}).Activate(list, work, func(f *index.File) Activation { return of[f.Path] })
		return list
	}
	// 0.6/0.6 = 1; 0.57/0.6 + 0.1 = 1.05; 0.42/0.6 + 0.05 + 0.1 = 0.85; the best of them keeps the best score.
	searched := ranked(false)
	if got := paths(searched); got != "named.go busy.go quiet.go  beside.go" {
		t.Errorf("a search: %q", got)
	}
	for path, want := range map[string]float64{"named.go": 0.95, "busy.go": 0.6, "quiet.go": 0.6 / 1.05, "": 0.5, "beside.go": 0.6 * 0.85 / 1.05} {
		for _, c := range searched {
			if c.path() == path && !near(c.Final, want) {
				t.Errorf("%s has %v, want %v", path, c.Final, want)
			}
		}
	}
	// 0.7 + 0.1 + 0.5 = 1.3; 0.95 + 0.2 = 1.15; 1
	if got := paths(ranked(true)); got != "named.go beside.go busy.go  quiet.go" {
		t.Errorf("for work on a file: %q", got)
	}
}
