package replica

import (
	"context"
	"database/sql"
	"errors"

	"github.com/aurora-sidecar/aurora/memory"
)

// Changed notes that something of a record was changed here, if it is one of the team; it waits to be sent then.
func Changed(ctx context.Context, tx Tx, record string) error {
	_, err := tx.ExecContext(ctx, `UPDATE team_records SET changes = changes + 1, refused = '' WHERE record = ?`, record)
	return err
}

// links are what a record says of others of the team, by their ids on the server. One of a record that is here and not the team's stays here.
func (t *Replica) links(ctx context.Context, repository string, c memory.TeamChange) ([]memory.Link, error) {
	rows, err := t.db.QueryContext(ctx, `SELECT coalesce(o.remote, l.to_id) AS remote, l.type, l.weight FROM relationships l
			LEFT JOIN team_records o ON o.record = l.to_id AND o.repository = ?2
		WHERE l.from_id = ?1 AND l.type IN (?3, ?4) AND l.weight > 0 AND l.to_id LIKE 'know:%' AND l.to_id <> ?1
			AND (o.record IS NOT NULL OR NOT EXISTS (SELECT 1 FROM records r WHERE r.id = l.to_id)) ORDER BY 2, 1`,
		c.Record.ID, repository, memory.Contradicts, memory.Supersedes)
	if err != nil {
		return nil, err
	}
	var list []memory.Link
	return list, each(rows, func() error {
		l := memory.Link{From: c.ID}
		err := rows.Scan(&l.To, &l.Type, &l.Weight)
		list = append(list, l)
		return err
	})
}

// takeLinks makes the links of a record those of a row of the server. Those that were made here meanwhile stay with them: more tells
// that there are any, to be sent.
func takeLinks(ctx context.Context, tx Tx, records Records, at *sharedRow, repository string, r memory.TeamRow) (more bool, err error) {
	taken := map[memory.Link]bool{}
	for _, l := range r.Links {
		l.From = at.id
		err := tx.QueryRowContext(ctx, `SELECT record FROM team_records WHERE repository = ? AND remote = ?`, repository, l.To).Scan(&l.To)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return false, err
		}
		if l.To == l.From {
			continue
		}
		taken[memory.Link{From: l.From, To: l.To, Type: l.Type}] = true
		if err := openCircle(ctx, tx, records, l); err != nil {
			return false, err
		}
		if err := records.Link(ctx, tx, l); err != nil {
			return false, err
		}
	}
	if !at.there {
		return false, nil
	}
	rows, err := tx.QueryContext(ctx, `SELECT l.to_id, l.type FROM relationships l WHERE l.from_id = ?1 AND l.type IN (?2, ?3) AND l.weight > 0
		AND (EXISTS (SELECT 1 FROM team_records o WHERE o.record = l.to_id) OR NOT EXISTS (SELECT 1 FROM records o WHERE o.id = l.to_id))`,
		at.id, memory.Contradicts, memory.Supersedes)
	if err != nil {
		return false, err
	}
	var gone []memory.Link
	err = each(rows, func() error {
		l := memory.Link{From: at.id}
		err := rows.Scan(&l.To, &l.Type)
		if !taken[l] {
			gone = append(gone, l)
		}
		return err
	})
	if at.changed {
		return len(gone) > 0, err
	}
	for _, l := range gone {
		if err == nil {
			err = records.Link(ctx, tx, l) // without weight it is none
		}
	}
	return false, err
}

// openCircle takes back what stands against a link by which one record is to supersede another: two people can have said the contrary without
// knowing of each other, and then neither record were shown. The later change in the feed stands, for everyone.
func openCircle(ctx context.Context, tx Tx, records Records, l memory.Link) error {
	if l.Type != memory.Supersedes {
		return nil
	}
	rows, err := tx.QueryContext(ctx, `WITH RECURSIVE older(first, id) AS (
			SELECT to_id, to_id FROM relationships WHERE from_id = ?1 AND type = ?3 AND weight > 0
			UNION SELECT o.first, r.to_id FROM older o CROSS JOIN relationships r WHERE r.from_id = o.id AND r.type = ?3 AND r.weight > 0)
		SELECT DISTINCT first FROM older WHERE id = ?2`, l.To, l.From, memory.Supersedes)
	if err != nil {
		return err
	}
	var against []string
	err = each(rows, func() error {
		var id string
		err := rows.Scan(&id)
		against = append(against, id)
		return err
	})
	for _, id := range against {
		if err == nil {
			err = records.Link(ctx, tx, memory.Link{From: l.To, To: id, Type: memory.Supersedes})
		}
	}
	return err
}
