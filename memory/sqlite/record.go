package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/sqlite/replica"
)

// recordColumns are what scanRecord reads, of a table called r.
const recordColumns = `r.id, r.type, r.title, r.content, r.source_type, r.source_ref, r.workspace, r.tags, r.importance,
	r.goal_id, r.agent_name, r.token_count, r.content_hash, r.created_at_ms, r.updated_at_ms,
	r.is_pattern, r.success_score, r.confidence, r.semantic_role, r.domain, r.keywords, r.chunk,
	r.author, EXISTS (SELECT 1 FROM team_records t WHERE t.record = r.id)`

// scanRecord reads recordColumns into r, and what follows them into more.
func scanRecord(scan func(...any) error, r *memory.Record, more ...any) error {
	var tags, keywords, chunk string
	var created, updated int64
	err := scan(append([]any{&r.ID, &r.Type, &r.Title, &r.Content, &r.SourceType, &r.SourceRef, &r.Workspace, &tags,
		&r.Importance, &r.GoalID, &r.AgentName, &r.TokenCount, &r.ContentHash, &created, &updated,
		&r.Pattern, &r.SuccessScore, &r.Confidence, &r.SemanticRole, &r.Domain, &keywords, &chunk, &r.By, &r.Team}, more...)...)
	if err != nil {
		return err
	}
	r.CreatedAt, r.UpdatedAt = fromMs(created), fromMs(updated)
	if chunk != "" {
		r.Chunk = []byte(chunk)
	}
	return errors.Join(json.Unmarshal([]byte(tags), &r.Tags), json.Unmarshal([]byte(keywords), &r.Keywords))
}

// fields are the columns that insert and rewrite write, in the order of values.
const fields = `type, title, content, source_type, source_ref, workspace, tags, importance, goal_id, agent_name, token_count,
	content_hash, created_at_ms, updated_at_ms, is_pattern, success_score, confidence, semantic_role, domain, keywords, chunk`

func values(r memory.Record) []any {
	return []any{
		r.Type, r.Title, r.Content, r.SourceType, r.SourceRef, r.Workspace, jsonList(r.Tags), r.Importance, r.GoalID,
		r.AgentName, r.TokenCount, r.ContentHash, toMs(r.CreatedAt), toMs(r.UpdatedAt), r.Pattern, r.SuccessScore, r.Confidence,
		r.SemanticRole, r.Domain, jsonList(r.Keywords), string(r.Chunk),
	}
}

// A row is a record with what only the store knows of it.
type row struct {
	memory.Record
	seq       int64
	forgotten bool
}

// records are what was remembered.
type records struct {
	*database
	activation activation
	standings  standings
}

// Remember implements memory.Store. A record that was forgotten comes back as a new one. What is remembered again
// keeps its id and title, and gains the new tags; but a record that is named by its id becomes what is given, citations
// included unless they are nil, and its former text is kept as a version.
func (rs records) Remember(ctx context.Context, r memory.Record) (memory.Record, bool, error) {
	r, err := memory.Prepare(r)
	if err != nil {
		return memory.Record{}, false, fmt.Errorf("remember: %w", err)
	}
	var created bool
	err = rs.write(ctx, func(tx tx) error {
		r, created, err = remember(ctx, tx, r)
		return err
	})
	if err != nil {
		return memory.Record{}, false, fmt.Errorf("remember: %w", err)
	}
	return r, created, nil
}

func remember(ctx context.Context, tx tx, r memory.Record) (memory.Record, bool, error) {
	r.UpdatedAt = fromMs(toMs(tx.now))
	known, err := findSame(ctx, tx, r)
	if errors.Is(err, sql.ErrNoRows) && r.ID != "" {
		known, err = findRow(ctx, tx, `id = ?`, r.ID)
	}
	switch {
	case errors.Is(err, sql.ErrNoRows):
		r.CreatedAt = r.UpdatedAt
		known = row{Record: r}
		known.seq, known.ID, err = insert(ctx, tx, r)
		if err != nil {
			return memory.Record{}, false, err
		}
		known.forgotten = true // as good as new
	case err != nil:
		return memory.Record{}, false, err
	default:
		if err := keepVersion(ctx, tx, known, r); err != nil {
			return memory.Record{}, false, err
		}
		known.Record = update(known, r)
		if err := rewrite(ctx, tx, known); err != nil {
			return memory.Record{}, false, err
		}
	}
	if err := indexTokens(ctx, tx, known.seq, known.Record); err != nil {
		return memory.Record{}, false, err
	}
	if r.Team {
		if err := replica.Share(ctx, tx.Tx, known.Record); err != nil {
			return memory.Record{}, false, err
		}
	}
	if r.GoalID != "" {
		if err := setGoal(ctx, tx, memory.Goal{ID: r.GoalID}); err != nil {
			return memory.Record{}, false, err
		}
	}
	if r.ID == known.ID && r.Citations != nil {
		if _, err := tx.ExecContext(ctx, `DELETE FROM citations WHERE record = ?`, known.ID); err != nil {
			return memory.Record{}, false, err
		}
	}
	if err := addCitations(ctx, tx, known.ID, r.Citations); err != nil {
		return memory.Record{}, false, err
	}
	created := pendingUse{subject: known.ID, action: memory.Created, weight: 1, at: tx.now}
	if err := recordUse(ctx, tx, created); err != nil {
		return memory.Record{}, false, err
	}
	return known.Record, known.forgotten, nil
}

// update returns the known record as remembering r changes it.
func update(known row, r memory.Record) memory.Record {
	named := r.ID == known.ID // an id in the request replaces all of the record
	r.ID = known.ID
	r.Team, r.By = r.Team || known.Team, known.By
	if known.forgotten {
		r.CreatedAt = r.UpdatedAt
		return r
	}
	r.CreatedAt = known.CreatedAt
	if r.Content == known.Content && !named {
		r.Title = known.Title
	}
	r.SourceType = orKnown(r.SourceType, known.SourceType)
	r.SourceRef = orKnown(r.SourceRef, known.SourceRef)
	r.GoalID = orKnown(r.GoalID, known.GoalID)
	r.AgentName = orKnown(r.AgentName, known.AgentName)
	r.Pattern = r.Pattern || known.Pattern
	if r.SuccessScore == nil {
		r.SuccessScore = known.SuccessScore
	}
	if r.Confidence == nil {
		r.Confidence = known.Confidence
	}
	if len(r.Chunk) == 0 {
		r.Chunk = known.Chunk
	}
	if named {
		return r
	}
	r.AgentName = known.AgentName // who repeats it has not made it
	r.Tags = union(known.Tags, r.Tags)
	return r
}

func orKnown(given, known string) string {
	if given == "" {
		return known
	}
	return given
}

func union(a, b []string) []string {
	all := slices.Clone(a)
	for _, tag := range b {
		if !slices.ContainsFunc(all, func(t string) bool { return strings.EqualFold(t, tag) }) {
			all = append(all, tag)
		}
	}
	return all
}

// findSame returns the record that says the same in the same workspace, or sql.ErrNoRows. The hashes of earlier versions
// leave the workspace out.
func findSame(ctx context.Context, tx tx, r memory.Record) (row, error) {
	known, err := findRow(ctx, tx, `content_hash = ?`, r.ContentHash)
	if !errors.Is(err, sql.ErrNoRows) {
		return known, err
	}
	return findRow(ctx, tx, `content_hash = ? AND workspace = ?`, memory.ContentHash(r.Type, r.Content, ""), r.Workspace)
}

// findRow returns the one record for which condition holds, or sql.ErrNoRows.
func findRow(ctx context.Context, tx tx, condition string, args ...any) (row, error) {
	var found row
	query := `SELECT ` + recordColumns + `, r.seq, r.deleted_at_ms IS NOT NULL FROM records r WHERE ` + condition
	err := scanRecord(tx.QueryRowContext(ctx, query, args...).Scan, &found.Record, &found.seq, &found.forgotten)
	return found, err
}

// insert adds r, under an id of its own when it has none.
func insert(ctx context.Context, tx tx, r memory.Record) (seq int64, id string, err error) {
	ids := []string{r.ID}
	if r.ID == "" {
		ids = []string{memory.NewID(r, 8), memory.NewID(r, 16), memory.NewID(r, 64)}
	}
	for _, id := range ids {
		result, err := tx.ExecContext(ctx, `INSERT INTO records (id, `+fields+`)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
			append([]any{id}, values(r)...)...)
		if err != nil {
			return 0, "", err
		}
		if n, err := result.RowsAffected(); err != nil || n == 1 {
			seq, _ := result.LastInsertId() // never fails in this driver
			return seq, id, err
		}
	}
	return 0, "", fmt.Errorf("no free id for %s", memory.NewID(r, 64))
}

// rewrite stores a record in its known place and takes back that it was forgotten.
func rewrite(ctx context.Context, tx tx, r row) error {
	_, err := tx.ExecContext(ctx, `UPDATE records SET (`+fields+`, deleted_at_ms) =
		(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL) WHERE seq = ?`, append(values(r.Record), r.seq)...)
	return err
}

// jsonList is a list as SQLite's json_each takes it.
func jsonList[T ~string | []string](list []T) string {
	if len(list) == 0 {
		return "[]"
	}
	b, err := json.Marshal(list)
	if err != nil { // strings always encode
		return "[]"
	}
	return string(b)
}

// Get returns the record with the id, or an error that wraps memory.ErrNotFound.
func (rs records) Get(ctx context.Context, id string) (memory.Hit, error) {
	var hit memory.Hit
	row := rs.db.QueryRowContext(ctx, `SELECT `+recordColumns+` FROM records r WHERE id = ? AND deleted_at_ms IS NULL`, id)
	err := scanRecord(row.Scan, &hit.Record)
	if errors.Is(err, sql.ErrNoRows) {
		return memory.Hit{}, fmt.Errorf("%w: %s", memory.ErrNotFound, id)
	}
	if err != nil {
		return memory.Hit{}, fmt.Errorf("get memory record %s: %w", id, err)
	}
	hits := []memory.Hit{hit}
	if err := errors.Join(rs.activation.addActivation(ctx, hits, memory.Query{}, nil), rs.standings.addStanding(ctx, hits, nil), fillCitations(ctx, rs.database, hits)); err != nil {
		return memory.Hit{}, fmt.Errorf("get memory record %s: %w", id, err)
	}
	return hits[0], nil
}

// eachRow calls f for those of the ids that are records and forgotten, or not.
func eachRow(ctx context.Context, tx tx, ids []string, forgotten bool, f func(row) error) error {
	for _, id := range ids {
		r, err := findRow(ctx, tx, `id = ?`, id)
		if errors.Is(err, sql.ErrNoRows) || err == nil && r.forgotten != forgotten {
			continue
		}
		if err != nil {
			return err
		}
		if err := f(r); err != nil {
			return err
		}
	}
	return nil
}

// Restore implements memory.Store.
func (rs records) Restore(ctx context.Context, ids []string) ([]string, error) {
	var restored []string
	err := rs.write(ctx, func(tx tx) error {
		restored = nil
		return eachRow(ctx, tx, ids, true, func(r row) error {
			restored = append(restored, r.ID)
			if _, err := tx.ExecContext(ctx, `UPDATE records SET deleted_at_ms = NULL WHERE seq = ?`, r.seq); err != nil {
				return err
			}
			return indexTokens(ctx, tx, r.seq, r.Record)
		})
	})
	if err != nil {
		return nil, fmt.Errorf("restore: %w", err)
	}
	return restored, nil
}

// Forgotten implements memory.Store.
func (rs records) Forgotten(ctx context.Context) ([]memory.Forgotten, error) {
	rows, err := rs.db.QueryContext(ctx, `SELECT `+recordColumns+`, r.deleted_at_ms FROM records r
		WHERE deleted_at_ms IS NOT NULL ORDER BY deleted_at_ms DESC, seq DESC`)
	if err != nil {
		return nil, fmt.Errorf("list forgotten records: %w", err)
	}
	var list []memory.Forgotten
	err = each(rows, func() error {
		var f memory.Forgotten
		var at int64
		err := scanRecord(rows.Scan, &f.Record, &at)
		f.At = fromMs(at)
		list = append(list, f)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list forgotten records: %w", err)
	}
	return list, nil
}

// Forget implements memory.Store. Remembering the same content within 30 days brings a record back.
func (rs records) Forget(ctx context.Context, ids []string) ([]string, error) {
	var forgotten []string
	err := rs.write(ctx, func(tx tx) error {
		forgotten = nil
		return eachRow(ctx, tx, ids, false, func(r row) error {
			forgotten = append(forgotten, r.ID)
			return hide(ctx, tx, r.seq)
		})
	})
	if err != nil {
		return nil, fmt.Errorf("forget: %w", err)
	}
	return forgotten, nil
}

func hide(ctx context.Context, tx tx, seq int64) error {
	if _, err := tx.ExecContext(ctx, `UPDATE records SET deleted_at_ms = ? WHERE seq = ?`, toMs(tx.now), seq); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `DELETE FROM records_fts WHERE rowid = ?`, seq)
	return err
}

// purgeExpired deletes for good what was forgotten long ago.
func purgeExpired(ctx context.Context, tx tx) error {
	before := toMs(tx.now.Add(-memory.KeepForgotten))
	const expired = `FROM records WHERE deleted_at_ms < ?1`
	var due bool
	if err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 `+expired+`)`, before).Scan(&due); err != nil || !due {
		return err
	}
	for _, statement := range []string{
		`DELETE FROM access_events WHERE subject IN (SELECT id ` + expired + `)`,
		`DELETE FROM activations WHERE subject IN (SELECT id ` + expired + `)`,
		`DELETE FROM citations WHERE record IN (SELECT id ` + expired + `)`,
		`DELETE FROM record_versions WHERE record IN (SELECT id ` + expired + `)`,
		`DELETE FROM relationships WHERE from_id IN (SELECT id ` + expired + `) OR to_id IN (SELECT id ` + expired + `)`,
		`DELETE FROM team_records WHERE changes = sent AND record IN (SELECT id ` + expired + `)`,
		`DELETE ` + expired,
	} {
		if _, err := tx.ExecContext(ctx, statement, before); err != nil {
			return err
		}
	}
	return nil
}

// page is how many records are read at once.
const page = 500

// Records implements memory.Store. Records that change meanwhile are seen before or after the change.
func (rs records) Records(ctx context.Context, f func(memory.Hit) error, types ...memory.Type) error {
	for after := int64(0); ; {
		hits, last, err := rs.recordsAfter(ctx, after, types)
		if err != nil {
			return fmt.Errorf("list memory records: %w", err)
		}
		for _, hit := range hits {
			if err := f(hit); err != nil {
				return err
			}
		}
		if len(hits) < page {
			return nil
		}
		after = last
	}
}

func (rs records) recordsAfter(ctx context.Context, after int64, types []memory.Type) (hits []memory.Hit, last int64, err error) {
	rows, err := rs.db.QueryContext(ctx, `SELECT `+recordColumns+`, r.seq FROM records r
		WHERE r.seq > ?1 AND deleted_at_ms IS NULL AND (?2 = '[]' OR type IN (SELECT value FROM json_each(?2))) ORDER BY r.seq LIMIT ?3`, after, jsonList(types), page)
	if err != nil {
		return nil, 0, err
	}
	err = each(rows, func() error {
		var hit memory.Hit
		err := scanRecord(rows.Scan, &hit.Record, &last)
		hits = append(hits, hit)
		return err
	})
	if err != nil {
		return nil, 0, err
	}
	return hits, last, errors.Join(rs.activation.addUsage(ctx, hits), rs.standings.addStanding(ctx, hits, nil), fillCitations(ctx, rs.database, hits))
}
