package sqlite

import (
	"context"
	"fmt"

	"github.com/aurora-sidecar/aurora/memory"
)

// addCitations stores what a record cites. What it cites already is renewed: a place that is cited again was seen.
func addCitations(ctx context.Context, tx tx, id string, citations []memory.Citation) error {
	for _, c := range citations {
		_, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO citations (record, folder, path, start_line, end_line, chunk_id,
			name, signature, text_hash, excerpt, now_path, now_chunk_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			id, c.Folder, c.Path, c.StartLine, c.EndLine, c.ChunkID, c.Name, c.Signature, c.TextHash, c.Excerpt,
			c.NowPath, c.NowChunkID)
		if err != nil {
			return fmt.Errorf("store a citation: %w", err)
		}
	}
	return nil
}

// fillCitations fills in what the hits cite.
func fillCitations(ctx context.Context, d *database, hits []memory.Hit) error {
	if len(hits) == 0 {
		return nil
	}
	at := make(map[string]int, len(hits))
	ids := make([]string, len(hits))
	for i, hit := range hits {
		at[hit.ID], ids[i] = i, hit.ID
	}
	rows, err := d.db.QueryContext(ctx, `SELECT record, folder, path, start_line, end_line, chunk_id, name, signature, text_hash,
		excerpt, now_path, now_chunk_id FROM citations WHERE record IN (SELECT value FROM json_each(?)) ORDER BY seq`, jsonList(ids))
	if err != nil {
		return fmt.Errorf("read citations: %w", err)
	}
	return each(rows, func() error {
		var id string
		var c memory.Citation
		err := rows.Scan(&id, &c.Folder, &c.Path, &c.StartLine, &c.EndLine, &c.ChunkID, &c.Name, &c.Signature, &c.TextHash,
			&c.Excerpt, &c.NowPath, &c.NowChunkID)
		if err == nil {
			hits[at[id]].Citations = append(hits[at[id]].Citations, c)
		}
		return err
	})
}

// Follow implements memory.Store.
func (rs records) Follow(ctx context.Context, moves []memory.Move) error {
	if len(moves) == 0 {
		return nil
	}
	err := rs.write(ctx, func(tx tx) error {
		for _, m := range moves {
			if _, err := tx.ExecContext(ctx, `UPDATE citations SET now_path = ?, now_chunk_id = ?
				WHERE record = ? AND path = ? AND start_line = ? AND chunk_id = ?`,
				m.NowPath, m.NowChunkID, m.Record, m.Path, m.StartLine, m.ChunkID); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("follow citations: %w", err)
	}
	return nil
}
