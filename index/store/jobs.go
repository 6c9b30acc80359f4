package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
)

// A JobRow is what the store knows of one rebuild.
type JobRow struct {
	ID            string
	Status        string
	Paths         []string // none for everything
	Total, Done   int      // files
	StartedAtMS   int64
	CompletedAtMS int64 // 0 while it runs
	Error         string
}

// The types of jobs, as the table has them.
const (
	jobFull    = "rebuild_full"
	jobPartial = "rebuild_partial"
)

// maxJobs is how many jobs are kept.
const maxJobs = 100

// SaveJob inserts or replaces a job, and drops the oldest above 100.
func (s *Store) SaveJob(ctx context.Context, j JobRow) error {
	if !s.writer {
		return wrap("save job", ErrNotWriter)
	}
	kind, scope := jobFull, []byte("all")
	if len(j.Paths) > 0 {
		var err error
		if scope, err = json.Marshal(j.Paths); err != nil {
			return wrap("save job", err)
		}
		kind = jobPartial
	}
	s.applyMu.Lock()
	defer s.applyMu.Unlock()
	return wrap("save job", s.with(func(db *sql.DB) error {
		_, err := db.ExecContext(ctx, `INSERT OR REPLACE INTO jobs
			(job_id, job_type, status, scope, files_total, files_processed, started_at_ms, completed_at_ms, error_message)
			VALUES (?, ?, ?, ?, ?, ?, ?, nullif(?, 0), ?)`,
			j.ID, kind, j.Status, string(scope), j.Total, j.Done, j.StartedAtMS, j.CompletedAtMS, j.Error)
		if err == nil {
			_, err = db.ExecContext(ctx, `DELETE FROM jobs WHERE job_id NOT IN
				(SELECT job_id FROM jobs ORDER BY started_at_ms DESC LIMIT ?)`, maxJobs)
		}
		return err
	}))
}

// Jobs returns the jobs, newest first.
func (s *Store) Jobs(ctx context.Context) ([]JobRow, error) {
	var jobs []JobRow
	err := s.with(func(db *sql.DB) error {
		rows, err := db.QueryContext(ctx, `SELECT job_id, status, scope, files_total, files_processed, started_at_ms,
			coalesce(completed_at_ms, 0), error_message FROM jobs ORDER BY started_at_ms DESC, job_id DESC`)
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			var j JobRow
			var scope string
			if err := rows.Scan(&j.ID, &j.Status, &scope, &j.Total, &j.Done, &j.StartedAtMS, &j.CompletedAtMS, &j.Error); err != nil {
				return err
			}
			if scope != "all" {
				if err := json.Unmarshal([]byte(scope), &j.Paths); err != nil {
					return fmt.Errorf("scope of %s: %w: %w", j.ID, ErrDamaged, err)
				}
			}
			jobs = append(jobs, j)
		}
		return rows.Err()
	})
	return jobs, wrap("load jobs", err)
}
