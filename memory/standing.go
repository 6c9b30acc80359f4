package memory

import (
	"fmt"
	"strings"
	"time"
)

// The types of links that say something against the record they lead to. Of another project's records they say nothing.
const (
	Contradicts = "contradicts" // from a record to one that says the opposite, and is doubted by it
	Supersedes  = "supersedes"  // from a record to the one whose place it takes, which no answer shows any more
)

// RatingsKept is how many of a record's latest ratings count.
const RatingsKept = 5

// What is left of the score of a record that is doubted.
const (
	ratedBadly   = 0.4 // when all ratings are as bad as can be; in between for better ones
	contradicted = 0.5
	fading       = 0.7 // when a lifespan policy lets it fade
)

// A Standing is what people, other records and policies say for and against a record.
type Standing struct {
	Rating       float64   // -1..1, the mean of the latest RatingsKept ratings since a person accepted it, rejections included; 0 without any
	Ratings      int       // how many of them there are
	Accepted     time.Time // when a person last took it for right; zero for never
	Contradicted []string  // ids of records that contradict it
	Superseded   []string  // ids of records that took its place
	Supersedes   []string  // ids of records whose place it took
	Fades        bool      // a lifespan policy lets it fade; filled in by those who know the policies
}

// Share is what is left of the record's score, 0..1: 1 when nothing speaks against it.
func (s *Standing) Share() float64 {
	share := 1.0
	if s.Rating < 0 {
		share += s.Rating * (1 - ratedBadly)
	}
	if len(s.Contradicted) > 0 {
		share *= contradicted
	}
	if s.Fades {
		share *= fading
	}
	return share
}

// IsSuperseded reports whether another record took the place of this one.
func (s *Standing) IsSuperseded() bool { return len(s.Superseded) > 0 }

// Remarks are what a reader of the record is told of its standing, a sentence each.
func (s *Standing) Remarks() []string {
	var remarks []string
	if s.Rating < 0 {
		remarks = append(remarks, fmt.Sprintf("rated badly: %.1f of -1 to 1, over the last %d", s.Rating, s.Ratings))
	}
	for _, claim := range []struct {
		verb string
		ids  []string
	}{{"contradicted by ", s.Contradicted}, {"superseded by ", s.Superseded}, {"supersedes ", s.Supersedes}} {
		if len(claim.ids) > 0 {
			remarks = append(remarks, claim.verb+strings.Join(claim.ids, ", "))
		}
	}
	return remarks
}
