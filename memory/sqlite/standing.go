package sqlite

import (
	"context"
	"slices"
	"time"

	"github.com/aurora-sidecar/aurora/memory"
)

// standings are what people and other records say of records.
type standings struct {
	*database
	uses *uses
}

// addStanding fills in what people and the records of some projects say of the hits. Without any projects, all records have a
// say.
func (st standings) addStanding(ctx context.Context, hits []memory.Hit, projects []string) error {
	at := make(map[string]*memory.Standing, len(hits))
	ids := make([]string, len(hits))
	for i := range hits {
		ids[i], at[hits[i].ID] = hits[i].ID, &hits[i].Standing
	}
	if len(hits) == 0 {
		return nil
	}
	if err := st.addClaims(ctx, at, ids, projects); err != nil {
		return err
	}
	return st.addRatings(ctx, at, ids)
}

// addClaims fills in what other records claim.
func (st standings) addClaims(ctx context.Context, at map[string]*memory.Standing, ids, projects []string) error {
	const against = `l.weight > 0 AND l.type IN ('contradicts', 'supersedes') AND o.deleted_at_ms IS NULL AND l.from_id <> l.to_id AND
		(?2 = '[]' OR o.workspace = '' OR o.workspace IN (SELECT value FROM json_each(?2)))`
	rows, err := st.db.QueryContext(ctx, `SELECT w.value, l.type, l.from_id, 0, l.seq FROM json_each(?1) w CROSS JOIN relationships l
			JOIN records o ON o.id = l.from_id WHERE l.to_id = w.value AND `+against+`
		UNION ALL SELECT w.value, l.type, l.to_id, 1, l.seq FROM json_each(?1) w CROSS JOIN relationships l
			JOIN records o ON o.id = l.to_id WHERE l.from_id = w.value AND l.type = 'supersedes' AND `+against+`
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
func (st standings) addRatings(ctx context.Context, at map[string]*memory.Standing, ids []string) error {
	for {
		waiting, flushes := st.uses.of(ids)
		written, err := st.ratings(ctx, ids)
		if err != nil {
			return err
		}
		if st.uses.flushed(flushes) { // what waited may be in both
			continue
		}
		for _, use := range slices.Backward(waiting) {
			if use.action != memory.Rated && use.action != memory.Rejected && use.action != memory.Accepted {
				continue
			}
			rate(at[use.subject], rating{action: use.action, weight: use.weight, at: use.at})
		}
		for _, r := range written {
			rate(at[r.id], r)
		}
		return nil
	}
}

// rate adds what a use tells to what later ones tell. Of ratings, the latest few count.
func rate(s *memory.Standing, r rating) {
	if !s.Accepted.IsZero() { // which outweighs what came before
		return
	}
	if r.action == memory.Accepted {
		s.Accepted = r.at
		return
	}
	if s.Ratings == memory.RatingsKept {
		return
	}
	s.Rating = (s.Rating*float64(s.Ratings) + memory.RatingOf(r.weight)) / float64(s.Ratings+1)
	s.Ratings++
}

// A rating is a use that says whether a record is right.
type rating struct {
	id     string
	action memory.Use
	weight float64
	at     time.Time
}

// ratings returns the written ratings of the records, the latest first.
func (st standings) ratings(ctx context.Context, ids []string) ([]rating, error) {
	rows, err := st.db.QueryContext(ctx, `SELECT e.subject, e.action, e.weight, e.at_ms FROM json_each(?) w CROSS JOIN access_events e
		WHERE e.subject = w.value AND e.action IN ('rated', 'rejected', 'accepted') ORDER BY e.seq DESC`, jsonList(ids))
	if err != nil {
		return nil, err
	}
	var list []rating
	err = each(rows, func() error {
		var r rating
		var at int64
		err := rows.Scan(&r.id, &r.action, &r.weight, &at)
		r.at = fromMs(at)
		list = append(list, r)
		return err
	})
	return list, err
}
