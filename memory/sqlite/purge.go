package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/internal/filelock"
	"github.com/aurora-sidecar/aurora/memory"
)

// Purge implements memory.Store.
func (s *Store) Purge(ctx context.Context, p memory.Purge) (memory.Purged, error) {
	if err := s.uses.flush(ctx); err != nil {
		return memory.Purged{}, fmt.Errorf("purge: %w", err)
	}
	var purged memory.Purged
	err := s.write(ctx, func(tx tx) (err error) {
		if purged, err = doomed(ctx, tx, p); err != nil {
			return err
		}
		if err := deleteRecords(ctx, tx, purged.IDs); err != nil {
			return err
		}
		return deleteText(ctx, tx, p.Text)
	})
	if err != nil {
		return memory.Purged{}, fmt.Errorf("purge: %w", err)
	}
	return purged, nil
}

// doomed returns the records that a purge names, with their texts.
func doomed(ctx context.Context, tx tx, p memory.Purge) (memory.Purged, error) {
	const holds = `instr(r.id || char(0) || r.title || char(0) || r.content || char(0) || r.tags || char(0) || r.keywords || char(0) ||
		r.chunk || char(0) || r.source_ref || char(0) || r.goal_id || char(0) || r.agent_name, ?2) > 0`
	rows, err := tx.QueryContext(ctx, `WITH found AS (SELECT r.id, r.title, r.content FROM records r
			WHERE r.id IN (SELECT value FROM json_each(?1)) OR ?2 <> '' AND `+holds+`)
		SELECT * FROM found UNION ALL SELECT v.record, v.title, v.content FROM record_versions v WHERE v.record IN (SELECT id FROM found)`,
		jsonList(p.IDs), p.Text)
	if err != nil {
		return memory.Purged{}, err
	}
	var purged memory.Purged
	err = each(rows, func() error {
		var id, title, content string
		err := rows.Scan(&id, &title, &content)
		if !slices.Contains(purged.IDs, id) {
			purged.IDs = append(purged.IDs, id)
		}
		purged.Texts = append(purged.Texts, title, content)
		return err
	})
	return purged, err
}

// deleteRecords deletes records with all that is kept of them, and the detail of the questions that they come from.
func deleteRecords(ctx context.Context, tx tx, ids []string) error {
	const these = `(SELECT value FROM json_each(?1))`
	for _, statement := range []string{
		`DELETE FROM records_fts WHERE rowid IN (SELECT seq FROM records WHERE deleted_at_ms IS NULL AND id IN ` + these + `)`,
		`DELETE FROM access_events WHERE subject IN ` + these,
		`DELETE FROM activations WHERE subject IN ` + these,
		`DELETE FROM citations WHERE record IN ` + these,
		`DELETE FROM record_versions WHERE record IN ` + these,
		`DELETE FROM relationships WHERE from_id IN ` + these + ` OR to_id IN ` + these,
		`UPDATE journal SET detail = NULL, learned = NULL, record = '' WHERE record IN ` + these,
		`DELETE FROM records WHERE id IN ` + these,
	} {
		if _, err := tx.ExecContext(ctx, statement, jsonList(ids)); err != nil {
			return err
		}
	}
	return nil
}

// deleteText deletes what else holds a text.
func deleteText(ctx context.Context, tx tx, text string) error {
	if text == "" {
		return nil
	}
	for _, statement := range []string{
		`DELETE FROM record_versions WHERE instr(title || char(0) || content, ?1) > 0`,
		`DELETE FROM citations WHERE instr(excerpt || char(0) || signature || char(0) || name || char(0) || path, ?1) > 0`,
		`DELETE FROM relationships WHERE instr(from_id || char(0) || to_id || char(0) || type, ?1) > 0`,
		`DELETE FROM access_events WHERE instr(subject, ?1) > 0`,
		`DELETE FROM activations WHERE instr(subject, ?1) > 0`,
		`UPDATE goals SET title = '' WHERE instr(title, ?1) > 0`,
		`DELETE FROM difficult_queries WHERE instr(query, ?1) > 0`,
		`DELETE FROM log_index WHERE file IN (SELECT file FROM log_files WHERE instr(topic || char(0) || query || char(0) || file, ?1) > 0)
			OR instr(keyword || char(0) || section, lower(?1)) > 0`,
		`DELETE FROM log_files WHERE instr(topic || char(0) || query || char(0) || file, ?1) > 0`,
		`UPDATE journal SET detail = NULL, learned = NULL, notes = '' WHERE instr(notes || char(0) || coalesce(learned, ''), ?1) > 0`,
	} {
		if _, err := tx.ExecContext(ctx, statement, text); err != nil {
			return err
		}
	}
	return nil
}

// Erase implements memory.Journal.
func (j journal) Erase(ctx context.Context, ids, files []string) error {
	err := j.write(ctx, func(tx tx) error {
		for _, file := range files { // two words of the question are its name
			if err := unindex(ctx, tx, file); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, `UPDATE journal SET detail = NULL, learned = NULL WHERE query_id IN (SELECT value FROM json_each(?))`, jsonList(ids))
		_, other := tx.ExecContext(ctx, `UPDATE journal SET notes = '' WHERE op = ? AND (query_id IN (SELECT value FROM json_each(?)) OR notes IN (SELECT value FROM json_each(?)))`,
			memory.OpLogged, jsonList(ids), jsonList(files))
		return errors.Join(err, other)
	})
	if err != nil {
		return fmt.Errorf("erase questions: %w", err)
	}
	return nil
}

// purgePatience is how long a purge waits for a backup that is being made: it may hold what was deleted.
const purgePatience = 30 * time.Second

// Leftovers implements memory.Store. Backups are deleted whole: what they hold of questions is compressed, so that nothing can
// look for a text in them.
func (s *Store) Leftovers(ctx context.Context) ([]string, error) {
	if s.path == "" {
		return nil, nil
	}
	waiting, cancel := context.WithTimeout(ctx, purgePatience)
	defer cancel()
	unlock, err := filelock.Wait(waiting, backupLock(s.path))
	if err == nil {
		defer unlock() // nothing was written to it
	}
	backups, left := Copies(s.path)
	errs := []error{err}
	for _, backup := range backups {
		for _, companion := range companions {
			if err := os.Remove(backup + companion); err != nil && !errors.Is(err, fs.ErrNotExist) {
				errs = append(errs, err)
				left = append(left, backup+companion)
			}
		}
	}
	for _, ending := range companions {
		if info, err := os.Stat(s.path + ending); err == nil && strings.HasSuffix(ending, "wal") && info.Size() > 0 {
			left = append(left, s.path+ending) // somebody reads an earlier state of it
		}
	}
	return left, errors.Join(errs...)
}
