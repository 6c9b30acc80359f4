package sqlite

import (
	"context"
	"fmt"
	"math"

	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/actr"
	"github.com/aurora-sidecar/aurora/memory/sqlite/replica"
)

// links are what leads from one record or chunk to another.
type links struct{ *database }

// maxLinks is how many of its strongest links a record spreads activation along.
const maxLinks = 32

// Relate implements memory.Store.
func (ls links) Relate(ctx context.Context, links []memory.Link) error {
	for _, l := range links {
		switch {
		case l.From == "" || l.To == "" || l.Type == "":
			return fmt.Errorf("relate: %w: a link has two ends and a type (got %+v)", memory.ErrInvalid, l)
		case math.IsNaN(l.Weight) || l.Weight < 0 || l.Weight > 1:
			return fmt.Errorf("relate: %w: the weight of a link lies between 0 and 1 (got %v)", memory.ErrInvalid, l.Weight)
		}
	}
	err := ls.write(ctx, func(tx tx) error {
		for _, l := range links {
			if err := refuseCircle(ctx, tx, l); err != nil {
				return err
			}
			if err := addLink(ctx, tx, l); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("relate: %w", err)
	}
	return nil
}

// refuseCircle fails with ErrInvalid when a record would supersede itself, in a round of several: none of them would be shown.
func refuseCircle(ctx context.Context, tx tx, l memory.Link) error {
	if l.Type != memory.Supersedes || l.Weight == 0 {
		return nil
	}
	var circle bool
	err := tx.QueryRowContext(ctx, `WITH RECURSIVE older(id) AS (SELECT ?1 UNION
			SELECT r.to_id FROM older CROSS JOIN relationships r WHERE r.from_id = older.id AND r.type = 'supersedes' AND r.weight > 0)
		SELECT EXISTS (SELECT 1 FROM older WHERE id = ?2)`, l.To, l.From).Scan(&circle)
	switch {
	case err == nil && l.From == l.To:
		err = fmt.Errorf("%w: %s can't supersede itself", memory.ErrInvalid, l.From)
	case err == nil && circle:
		err = fmt.Errorf("%w: %s can't supersede %s, which supersedes it already; --weight 0 takes a link back", memory.ErrInvalid, l.From, l.To)
	}
	return err
}

func addLink(ctx context.Context, tx tx, l memory.Link) error {
	from := withoutSecrets(l.From)
	result, err := tx.ExecContext(ctx, `INSERT INTO relationships (from_id, to_id, type, weight, created_at_ms) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (from_id, to_id, type) DO UPDATE SET weight = excluded.weight WHERE weight <> excluded.weight`,
		from, withoutSecrets(l.To), withoutSecrets(l.Type), l.Weight, toMs(tx.now))
	if err != nil || !memory.IsTeamLink(l.Type) {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return err
	}
	return replica.Changed(ctx, tx, from)
}

// Related implements memory.Store. A citation links both ways: code activates what was decided about it.
func (ls links) Related(ctx context.Context, ids []string) (map[string][]memory.Link, error) {
	rows, err := ls.db.QueryContext(ctx, `WITH wanted AS (SELECT value AS id FROM json_each(?1)), found AS (
			SELECT r.from_id, r.to_id, r.type, r.weight FROM wanted CROSS JOIN relationships r WHERE r.from_id = wanted.id
			UNION ALL SELECT c.record, c.now_chunk_id, 'cites', 1 FROM wanted CROSS JOIN citations c
				WHERE c.record = wanted.id AND c.now_chunk_id <> ''
			UNION ALL SELECT c.now_chunk_id, c.record, 'cited by', 1 FROM json_each(?2) place CROSS JOIN citations c
				WHERE c.now_path = place.value ->> 0 AND c.now_chunk_id = place.value ->> 1)
		SELECT from_id, to_id, type, weight FROM (
			SELECT *, row_number() OVER (PARTITION BY from_id ORDER BY weight DESC, to_id) AS place FROM found) WHERE place <= ?3
		ORDER BY from_id, weight DESC, to_id, type`, jsonList(ids), jsonList(citedPlaces(chunkIDs(ids))), maxLinks)
	if err != nil {
		return nil, fmt.Errorf("read links: %w", err)
	}
	found := map[string][]memory.Link{}
	err = each(rows, func() error {
		var l memory.Link
		err := rows.Scan(&l.From, &l.To, &l.Type, &l.Weight)
		found[l.From] = append(found[l.From], l)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read links: %w", err)
	}
	return found, nil
}

func chunkIDs(ids []string) []string {
	var chunks []string
	for _, id := range ids {
		if len(id) > 5 && id[:5] == "code:" {
			chunks = append(chunks, id)
		}
	}
	return chunks
}

// addActivation fills in all parts of the hits' activation: words are those of the query.
func (a activation) addActivation(ctx context.Context, hits []memory.Hit, q memory.Query, words []string) error {
	if err := a.addUsage(ctx, hits); err != nil {
		return err
	}
	near, err := a.spread(ctx, q.Active)
	if err != nil {
		return err
	}
	now := a.opts.Now()
	for i := range hits {
		h := &hits[i]
		h.Parts.Spreading = near[h.ID]
		h.Parts.Context = actr.ContextBoost(words, queryTokens(keywordsOf(h.Record)))
		if !h.LastUsed.IsZero() {
			h.Parts.Decay = actr.DecayPenalty(now.Sub(h.LastUsed), a.opts.Decay(*h))
		}
		h.Activation = h.Parts.Activation()
	}
	return nil
}

func keywordsOf(r memory.Record) string {
	all := r.Title
	for _, word := range r.Keywords {
		all += " " + word
	}
	return all
}

// spread returns the activation that what is in use gives to others.
func (a activation) spread(ctx context.Context, active []string) (map[string]float64, error) {
	if len(active) == 0 {
		return nil, nil
	}
	sources := make(map[string]float64, len(active))
	for _, id := range active {
		sources[id] = 1
	}
	return actr.Spread(sources, func(ids []string) (map[string][]actr.Link, error) {
		links, err := a.links.Related(ctx, ids)
		if err != nil {
			return nil, err
		}
		onward := make(map[string][]actr.Link, len(links))
		for id, list := range links {
			for _, l := range list {
				onward[id] = append(onward[id], actr.Link{To: l.To, Weight: l.Weight})
			}
		}
		return onward, nil
	})
}
