package rank

import (
	"math"
	"time"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/git"
)

const (
	// newnessHalfLife is the age at which half of what being new is worth is gone; records have the same.
	newnessHalfLife = 30 * 24 * time.Hour

	// newnessHorizon is how far back commits are looked at: what is older is not new at all.
	NewnessHorizon = 6 * newnessHalfLife
)

// PreferRecent lets age count against code. What is left of a candidate's score within its tier is
//
//	score · (1 - bias/2 · (1 - newness))
//
// so that old code loses half of it at most. newness tells how new a file is, 0..1, and whether that is known.
func (r *Ranking) PreferRecent(candidates []*Candidate, bias float64, newness func(*index.File) (float64, bool)) {
	bias = min(1, bias)
	if !(bias > 0) {
		return
	}
	for _, c := range candidates {
		if c.Record != nil {
			continue
		}
		if n, known := newness(c.Ref.File); known {
			floor := tierFloor[c.Tier]
			c.aged = 1 - bias/2*(1-n)
			c.Final = floor + (c.Final-floor)*c.aged
		}
	}
	sortCandidates(candidates)
}

// NewnessOf is 1 for what changed just now, towards 0 with age: 2^(-age/30 days).
func NewnessOf(f git.ChangedFile, now time.Time) float64 {
	if f.Uncommitted {
		return 1
	}
	return math.Exp2(-float64(max(0, now.Sub(f.LastModified))) / float64(newnessHalfLife))
}
