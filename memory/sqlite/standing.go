package sqlite

import (
	"context"
	"slices"

	"github.com/aurora-sidecar/aurora/memory"
)

// addStanding fills in what people and the records of some projects say of the hits. Without any projects, all records have a
// say.
func (a activation) addStanding(ctx context.Context, hits []memory.Hit, projects []string) error {
	at := make(map[string]*memory.Standing, len(hits))
	ids := make([]string, len(hits))
	for i := range hits {
		ids[i], at[hits[i].ID] = hits[i].ID, &hits[i].Standing
	}
	if len(hits) == 0 {
		return nil
	}
	if err := a.addSayings(ctx, at, ids, projects); err != nil {
		return err
	}
	return a.addRatings(ctx, at, ids)
}

// addSayings fills in what other records say.
func (a activation) addSayings(ctx context.Context, at map[string]*memory.Standing, ids, projects []string) error {
	const said = `l.type IN ('contradicts', 'supersedes') AND o.deleted_at_ms IS NULL AND l.from_id <> l.to_id AND
		(?2 = '[]' OR o.workspace = '' OR o.workspace IN (SELECT value FROM json_each(?2)))`
	rows, err := a.db.QueryContext(ctx, `SELECT w.value, l.type, l.from_id, 0, l.seq FROM json_each(?1) w CROSS JOIN relationships l
			JOIN records o ON o.id = l.from_id WHERE l.to_id = w.value AND `+said+`
		UNION ALL SELECT w.value, l.type, l.to_id, 1, l.seq FROM json_each(?1) w CROSS JOIN relationships l
			JOIN records o ON o.id = l.to_id WHERE l.from_id = w.value AND l.type = 'supersedes' AND `+said+`
		ORDER BY 5`, jsonList(ids), jsonList(projects))
	if err != nil {
		return err
	}
	return each(rows, func() error {
		var id, kind, other string
		var leaves bool
		var seq int64
		if err := rows.Scan(&id, &kind, &other, &leaves, &seq); err != nil {
			return err
		}
		s := at[id]
		switch {
		case leaves:
			s.Supersedes = append(s.Supersedes, other)
		case kind == memory.Supersedes:
			s.Superseded = append(s.Superseded, other)
		default:
			s.Contradicted = append(s.Contradicted, other)
		}
		return nil
	})
}

// addRatings fills in the latest ratings, those that are not written yet included.
func (a activation) addRatings(ctx context.Context, at map[string]*memory.Standing, ids []string) error {
	for {
		waiting, flushes := a.uses.of(ids)
		written, err := a.ratings(ctx, ids)
		if err != nil {
			return err
		}
		if a.uses.flushed(flushes) { // what waited may be in both
			continue
		}
		for _, use := range slices.Backward(waiting) {
			if use.action == memory.Rated || use.action == memory.Rejected {
				rate(at[use.subject], use.weight)
			}
		}
		for _, r := range written {
			rate(at[r.id], r.weight)
		}
		return nil
	}
}

// rate adds a rating to those that are later, unless there are enough.
func rate(s *memory.Standing, weight float64) {
	if s.Ratings == memory.RatingsKept {
		return
	}
	s.Rating = (s.Rating*float64(s.Ratings) + memory.RatingOf(weight)) / float64(s.Ratings+1)
	s.Ratings++
}

// A rating is what a rating of a record adds to its uses.
type rating struct {
	id     string
	weight float64
}

// ratings returns the written ratings of the records, the latest first.
func (a activation) ratings(ctx context.Context, ids []string) ([]rating, error) {
	rows, err := a.db.QueryContext(ctx, `SELECT e.subject, e.weight FROM json_each(?) w CROSS JOIN access_events e
		WHERE e.subject = w.value AND e.action IN ('rated', 'rejected') ORDER BY e.seq DESC`, jsonList(ids))
	if err != nil {
		return nil, err
	}
	return collect(rows, "read ratings", func(r *rating) []any { return []any{&r.id, &r.weight} })
}
