package sqlite

import (
	"context"
	"fmt"

	"github.com/aurora-sidecar/aurora/memory"
)

// keepVersion keeps what a known record says when another text takes its place; of each record the latest few.
func keepVersion(ctx context.Context, tx tx, known row, next memory.Record) error {
	if known.forgotten || known.Content == next.Content {
		return nil
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO record_versions (record, title, content, until_at_ms) VALUES (?, ?, ?, ?)`,
		known.ID, known.Title, known.Content, toMs(tx.now)); err != nil {
		return fmt.Errorf("keep the former text: %w", err)
	}
	_, err := tx.ExecContext(ctx, `DELETE FROM record_versions WHERE record = ?1 AND seq NOT IN
		(SELECT seq FROM record_versions WHERE record = ?1 ORDER BY seq DESC LIMIT ?2)`, known.ID, memory.VersionsKept)
	return err
}

// Versions implements memory.Store.
func (rs records) Versions(ctx context.Context, id string) ([]memory.Version, error) {
	rows, err := rs.db.QueryContext(ctx, `SELECT title, content, until_at_ms FROM record_versions WHERE record = ? ORDER BY seq DESC`, id)
	if err != nil {
		return nil, fmt.Errorf("read the versions of a record: %w", err)
	}
	var list []memory.Version
	err = each(rows, func() error {
		var v memory.Version
		var until int64
		err := rows.Scan(&v.Title, &v.Content, &until)
		v.Until = fromMs(until)
		list = append(list, v)
		return err
	})
	return list, err
}
