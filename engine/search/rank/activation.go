package rank

import (
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/memory"
)

// An Activation is what the history of a repository says of a file, as shares of what it says of the file of which it says most.
type Activation struct {
	Base float64 // 0..1: how often and how lately it changed
	Near float64 // 0..1: how much the open file activates it, along what changed together; 0 without one
}

// activationRules are shares of the best score that a full activation adds. docs/memory-measured.md has what each of them is worth.
var activationRules = struct {
	base, near         float64 // of a search, which may be about something else than what is open
	workBase, workNear float64 // of a context for work on the open file
	recordNear         float64 // of records, by the code that they cite
}{base: 0.1, near: 0.1, workBase: 0.2, workNear: 0.5, recordNear: 0.2}

// Activate orders the matches by words again, by
//
//	score / best score + base · Activation.Base + near · Activation.Near
//
// The best of them gets the best score, and none gets into another tier. Records are left where they are. work tells that the
// search is for work on the open file.
func (r *Ranking) Activate(candidates []*Candidate, work bool, of func(*index.File) Activation) {
	base, near := activationRules.base, activationRules.near
	if work {
		base, near = activationRules.workBase, activationRules.workNear
	}
	var matches []*Candidate
	top := 0.0
	for _, c := range candidates {
		if c.Record == nil && c.Tier == ByText {
			matches, top = append(matches, c), max(top, c.Final)
		}
	}
	if top == 0 {
		return
	}
	sums, best := make([]float64, len(matches)), 0.0
	for i, c := range matches {
		c.active = of(c.Ref.File)
		sums[i] = c.Final/top + base*c.active.Base + near*c.active.Near
		best = max(best, sums[i])
	}
	for i, c := range matches {
		c.Final = top * sums[i] / best
	}
	sortCandidates(candidates)
}

// ActivateRecords is Activate for records: near is how much the open file activates the files that one cites.
func (r *Ranking) ActivateRecords(candidates []*Candidate, near func(*memory.Hit) float64) {
	var records []*Candidate
	top, best := 0.0, 0.0
	for _, c := range candidates {
		if c.Record != nil && c.Final > 0 {
			records, top = append(records, c), max(top, c.Final)
		}
	}
	sums := make([]float64, len(records))
	for i, c := range records {
		c.active.Near = near(c.Record)
		sums[i] = c.Final/top + activationRules.recordNear*c.active.Near
		best = max(best, sums[i])
	}
	for i, c := range records {
		c.Final = top * sums[i] / best
	}
	if best > 0 {
		sortCandidates(candidates)
	}
}
