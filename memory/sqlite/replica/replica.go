package replica

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/memory"
)

// A Row is a record with what only the store knows of it.
type Row struct {
	memory.Record
	Seq       int64
	Forgotten bool
}

// A Tx is an open transaction.
type Tx interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
}

// Records are what the store does with one record.
type Records interface {
	// Find returns a record, a forgotten one, too, or sql.ErrNoRows.
	Find(ctx context.Context, tx Tx, id string) (Row, error)
	// Read is Find outside of a transaction, with citations.
	Read(ctx context.Context, id string) (memory.Record, error)
	// Insert adds a record, under an id of its own when it has none, and returns the id.
	Insert(ctx context.Context, tx Tx, r memory.Record) (id string, err error)
	// Rewrite writes a record over a known one, whose text is kept as a version.
	Rewrite(ctx context.Context, tx Tx, known Row, r memory.Record) error
	Hide(ctx context.Context, tx Tx, seq int64) error
	// Delete deletes records for good, with all that is kept of them.
	Delete(ctx context.Context, tx Tx, ids []string) error
	Link(ctx context.Context, tx Tx, l memory.Link) error
}

// A Replica is a store as the copy of a team's records. Triggers of the database count what is changed here, by which way ever.
type Replica struct {
	db      *sql.DB
	write   func(ctx context.Context, f func(Tx) error) error
	records Records
}

// New returns the replica over a database; write runs a transaction.
func New(db *sql.DB, write func(ctx context.Context, f func(Tx) error) error, records Records) *Replica {
	return &Replica{db, write, records}
}

// Share makes a record one of the team; it waits to be sent then.
func Share(ctx context.Context, tx Tx, r memory.Record) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO team_records (record, repository, remote, version, own, changes, sent) VALUES (?1, ?2, ?1, 0, 1, 1, 0)
		ON CONFLICT (record) DO NOTHING`, r.ID, r.Workspace)
	return err
}

// TeamChanges returns changes of a repository that the server has not confirmed, the records in order of their ids, those that it refused
// aside.
func (t *Replica) TeamChanges(ctx context.Context, repository string, limit int) ([]memory.TeamChange, error) {
	var changes []memory.TeamChange
	rows, err := t.db.QueryContext(ctx, `SELECT s.remote, s.record, s.version, s.changes, r.id IS NULL, r.deleted_at_ms IS NOT NULL
		FROM team_records s LEFT JOIN records r ON r.id = s.record
		WHERE s.repository = ?1 AND s.changes > s.sent AND s.refused = '' ORDER BY s.record LIMIT ?2`, repository, limit)
	if err == nil {
		err = each(rows, func() error {
			var c memory.TeamChange
			err := rows.Scan(&c.ID, &c.Record.ID, &c.Base, &c.Seen, &c.Purged, &c.Deleted)
			changes = append(changes, c)
			return err
		})
	}
	for i := range changes {
		if err == nil && !changes[i].Purged {
			changes[i].Record, err = t.records.Read(ctx, changes[i].Record.ID)
		}
		if err == nil && !changes[i].Purged {
			changes[i].Links, err = t.links(ctx, repository, changes[i])
		}
		if errors.Is(err, sql.ErrNoRows) {
			changes[i].Purged, err = true, nil
		}
	}
	if err != nil {
		return nil, fmt.Errorf("list what a team was not sent: %w", err)
	}
	return changes, nil
}

// TeamAnswered notes what the server said of changes to records of a repository. What was changed meanwhile waits on; of a conflict the
// change that must be taken first is fetched again.
func (t *Replica) TeamAnswered(ctx context.Context, repository string, answers []memory.TeamAnswer) error {
	err := t.write(ctx, func(tx Tx) error {
		for _, a := range answers {
			if err := answered(ctx, tx, repository, a); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("note what a team has: %w", err)
	}
	return nil
}

func answered(ctx context.Context, tx Tx, repository string, a memory.TeamAnswer) error {
	if a.Seq > 0 {
		_, err := tx.ExecContext(ctx, `UPDATE team_cursors SET seq = min(seq, ?) WHERE repository = ?`, a.Seq-1, repository)
		return err
	}
	var id string
	err := tx.QueryRowContext(ctx, `SELECT record FROM team_records WHERE repository = ? AND remote = ?`, repository, a.ID).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil // the team was left meanwhile
	}
	if err != nil {
		return err
	}
	if a.Refused != "" {
		_, err := tx.ExecContext(ctx, `UPDATE team_records SET refused = ? WHERE record = ? AND changes = ?`, a.Refused, id, a.Seen)
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE team_records SET version = max(version, ?), sent = max(sent, ?) WHERE record = ?`, a.Version, a.Seen, id); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM team_records WHERE record = ?1 AND changes = sent AND NOT EXISTS (SELECT 1 FROM records WHERE id = ?1)`, id); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE records SET author = ? WHERE id = ? AND author = ''`, a.Author, id)
	return err
}

// TeamCursor tells how far the changes of a repository were followed.
func (t *Replica) TeamCursor(ctx context.Context, repository string) (memory.TeamCursor, error) {
	var c memory.TeamCursor
	err := t.db.QueryRowContext(ctx, `SELECT epoch, seq FROM team_cursors WHERE repository = ?`, repository).Scan(&c.Epoch, &c.Seq)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return c, fmt.Errorf("read how far a team was followed: %w", err)
	}
	return c, nil
}

// TeamRestart follows a repository from the beginning, because the server's records are others than they were. What is here is compared
// with what is there, and sent where it is missing.
// It fails with memory.ErrLeft when the replica is no longer that one.
func (t *Replica) TeamRestart(ctx context.Context, repository, epoch, replica string) error {
	err := t.write(ctx, func(tx Tx) error {
		var present bool
		if err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM properties WHERE name = 'team.replica' AND value = ?)`, replica).Scan(&present); err != nil {
			return err
		}
		if !present {
			return memory.ErrLeft
		}
		if _, err := tx.ExecContext(ctx, `UPDATE team_records SET version = 0, changes = changes + 1, refused = '' WHERE repository = ?
			AND EXISTS (SELECT 1 FROM team_cursors WHERE repository = team_records.repository)`, repository); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO team_cursors VALUES (?, ?, 0) ON CONFLICT (repository) DO UPDATE SET epoch = excluded.epoch, seq = 0`, repository, epoch)
		return err
	})
	if err != nil {
		return fmt.Errorf("follow a team from the beginning: %w", err)
	}
	return nil
}

// TeamApply takes the rows of the server between two places in its feed, all or nothing; when the cursor is no longer at the first, nothing. me is who the person here is to the
// server. A text that was changed here meanwhile is kept as a record of its own, marked as a conflict.
func (t *Replica) TeamApply(ctx context.Context, repository, me string, rows []memory.TeamRow, from, to memory.TeamCursor) (memory.TeamApplied, error) {
	var done memory.TeamApplied
	err := t.write(ctx, func(tx Tx) error {
		done = memory.TeamApplied{}
		var present memory.TeamCursor
		err := tx.QueryRowContext(ctx, `SELECT epoch, seq FROM team_cursors WHERE repository = ?`, repository).Scan(&present.Epoch, &present.Seq)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if present != from {
			return nil // another process was faster
		}
		for _, row := range rows {
			if err := t.applyRow(ctx, tx, repository, me, row, &done); err != nil {
				return fmt.Errorf("%s: %w", row.ID, err)
			}
		}
		_, err = tx.ExecContext(ctx, `UPDATE team_cursors SET seq = ? WHERE repository = ?`, to.Seq, repository)
		return err
	})
	if err != nil {
		return done, fmt.Errorf("take records of the team: %w", err)
	}
	return done, nil
}

// applyRow makes a record what the server says.
func (t *Replica) applyRow(ctx context.Context, tx Tx, repository, me string, row memory.TeamRow, done *memory.TeamApplied) error {
	at, err := findShared(ctx, tx, t.records, repository, row.ID)
	if err != nil || at.shared && at.version >= row.Version {
		return err // the latter is what was sent from here
	}
	pending := false
	switch {
	case row.Purged:
		if at.there {
			if err := t.records.Delete(ctx, tx, []string{at.id}); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM team_records WHERE record = ?`, at.id)
		return err
	case row.Deleted:
		if !at.there || !at.shared {
			return nil
		}
		if pending = at.changed && !at.Forgotten; !pending && !at.Forgotten { // a text that was changed here since is sent again
			if err := t.records.Hide(ctx, tx, at.Seq); err != nil {
				return err
			}
		}
	default:
		if pending, err = merge(ctx, tx, t.records, &at, repository, row, done); err != nil {
			return err
		}
	}
	done.Taken++
	left := 0
	if pending {
		left = 1
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO team_records (record, repository, remote, version, own, changes, sent) VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0)
		ON CONFLICT (record) DO UPDATE SET version = excluded.version, own = excluded.own, changes = changes + ?6, sent = changes, refused = ''`,
		at.id, repository, row.ID, row.Version, row.Author == me, left)
	return err
}

// A sharedRow is what is known here of a row of the server.
type sharedRow struct {
	Row
	id      string // here; "" when it is to be made
	there   bool   // a record has the id
	shared  bool   // the record is one of the team
	changed bool   // here, and the server does not have that
	version int64
}

func findShared(ctx context.Context, tx Tx, records Records, repository, remote string) (sharedRow, error) {
	at := sharedRow{id: remote}
	err := tx.QueryRowContext(ctx, `SELECT record, version, changes > sent FROM team_records WHERE repository = ? AND remote = ?`, repository, remote).
		Scan(&at.id, &at.version, &at.changed)
	at.shared = err == nil
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return at, err
	}
	at.Row, err = records.Find(ctx, tx, at.id)
	at.there = err == nil
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return at, err
	}
	if at.there && !at.shared && (at.Workspace != repository || at.Type != memory.Knowledge || at.Team) {
		return sharedRow{}, nil // the id is taken here by something else
	}
	return at, nil
}

// merge writes the text of a row over that of the record here, and keeps what was changed here meanwhile: tags with those of the server, a text
// as a record of its own. pending tells whether something is left to be sent.
func merge(ctx context.Context, tx Tx, records Records, at *sharedRow, repository string, r memory.TeamRow, done *memory.TeamApplied) (pending bool, err error) {
	if at.there && !at.Forgotten && (at.changed || !at.shared) {
		if at.Content == r.Record.Content {
			tags := union(r.Record.Tags, at.Tags)
			pending = at.shared && len(tags) > len(r.Record.Tags)
			if at.shared {
				r.Record.Tags = tags
			}
		} else {
			earlier := false // it is what this record said, and was sent as, before it was changed here
			if err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM record_versions WHERE record = ? AND content = ?)`, at.id, r.Record.Content).Scan(&earlier); err != nil {
				return false, err
			}
			if earlier && at.shared {
				if _, err := tx.ExecContext(ctx, `UPDATE records SET author = ? WHERE seq = ?`, r.By(), at.Seq); err != nil {
					return true, err
				}
				_, err := takeLinks(ctx, tx, records, at, repository, r)
				return true, err
			}
			if err := keepBoth(ctx, tx, records, at.Row, at.shared, done); err != nil {
				return false, err
			}
		}
	}
	r.Record.ID = at.id
	if at.id, err = takeRow(ctx, tx, records, at.Row, at.there, r); err != nil {
		return pending, err
	}
	more, err := takeLinks(ctx, tx, records, at, repository, r)
	return pending || more, err
}

// takeRow writes a row of the server over what is known of the record, and returns its id here.
func takeRow(ctx context.Context, tx Tx, records Records, known Row, there bool, r memory.TeamRow) (id string, err error) {
	record := r.Record
	record.CreatedAt, record.UpdatedAt, record.By = r.At, r.At, r.By()
	var others int // records of the same text under another id
	if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM records WHERE content_hash = ? AND id <> ?`, record.ContentHash, record.ID).Scan(&others); err != nil {
		return "", err
	}
	if others > 0 {
		record.ContentHash = memory.ContentHash(record.Type, record.Content, record.Workspace+"\x00"+record.ID)
	}
	if there {
		record.CreatedAt, record.GoalID, record.Chunk = known.CreatedAt, known.GoalID, known.Chunk
		err = records.Rewrite(ctx, tx, known, record)
	} else {
		record.ID, err = records.Insert(ctx, tx, record)
	}
	return record.ID, err
}

// keepBoth makes a record of its own of the text that a record has here, before the server's takes its place. One of the team is marked as a
// conflict, and sent; one that was private stays private.
func keepBoth(ctx context.Context, tx Tx, records Records, known Row, shared bool, done *memory.TeamApplied) error {
	mine := known.Record
	mine.ID, mine.By = "", ""
	if shared {
		mine.Tags = union(mine.Tags, []string{memory.ConflictTag})
	}
	// Its text is a record already, which is about to change; until then no two may have one hash.
	if _, err := tx.ExecContext(ctx, `UPDATE records SET content_hash = 'replaced-' || content_hash WHERE seq = ?`, known.Seq); err != nil {
		return err
	}
	id, err := records.Insert(ctx, tx, mine)
	if err != nil {
		return err
	}
	mine.ID = id
	if _, err := tx.ExecContext(ctx, `INSERT INTO citations (record, folder, path, start_line, end_line, chunk_id, name, signature, text_hash, excerpt, now_path, now_chunk_id)
		SELECT ?, folder, path, start_line, end_line, chunk_id, name, signature, text_hash, excerpt, now_path, now_chunk_id FROM citations WHERE record = ?`, id, known.ID); err != nil {
		return err
	}
	if !shared {
		return nil
	}
	done.Conflicts++
	if err := records.Link(ctx, tx, memory.Link{From: id, To: known.ID, Type: memory.Contradicts, Weight: 1}); err != nil {
		return err
	}
	return Share(ctx, tx, mine)
}

// union returns the tags of both, each once whatever its case.
func union(a, b []string) []string {
	all := slices.Clone(a)
	for _, tag := range b {
		if !slices.ContainsFunc(all, func(t string) bool { return strings.EqualFold(t, tag) }) {
			all = append(all, tag)
		}
	}
	return all
}

// each calls scan for every row and closes the rows.
func each(rows *sql.Rows, scan func() error) error {
	defer rows.Close()
	for rows.Next() {
		if err := scan(); err != nil {
			return err
		}
	}
	return rows.Err()
}

// atOnce is how many records are deleted by one statement.
const atOnce = 500

// TeamSummary counts the records of the team.
func (t *Replica) TeamSummary(ctx context.Context) (memory.TeamSummary, error) {
	var s memory.TeamSummary
	err := t.db.QueryRowContext(ctx, `SELECT count(*), coalesce(sum(s.own), 0), coalesce(sum(s.changes > s.sent AND s.refused = ''), 0), coalesce(sum(s.refused <> ''), 0),
			coalesce(max(s.refused), ''), coalesce(sum(r.tags LIKE '%"`+memory.ConflictTag+`"%' AND r.deleted_at_ms IS NULL AND EXISTS (
				SELECT 1 FROM relationships l JOIN records o ON o.id = l.to_id WHERE l.from_id = r.id AND l.type = 'contradicts' AND l.weight > 0 AND o.deleted_at_ms IS NULL)), 0)
		FROM team_records s LEFT JOIN records r ON r.id = s.record WHERE r.deleted_at_ms IS NULL OR s.changes > s.sent`).
		Scan(&s.Records, &s.Own, &s.Waiting, &s.Refused, &s.Reason, &s.Conflicts)
	if err != nil {
		return s, fmt.Errorf("count the records of the team: %w", err)
	}
	return s, nil
}

// TeamLeave deletes the records of others for good, with all that is kept of them, and makes one's own records of the project only. It
// returns how many there were of each.
func (t *Replica) TeamLeave(ctx context.Context) (deleted, kept int, err error) {
	err = t.write(ctx, func(tx Tx) error {
		var others []string
		deleted, kept = 0, 0
		rows, err := tx.QueryContext(ctx, `SELECT record, own FROM team_records`)
		if err != nil {
			return err
		}
		err = each(rows, func() error {
			var id string
			var own bool
			err := rows.Scan(&id, &own)
			if own {
				kept++
			} else {
				others = append(others, id)
			}
			return err
		})
		if err != nil {
			return err
		}
		deleted = len(others)
		for chunk := range slices.Chunk(others, atOnce) {
			if err := t.records.Delete(ctx, tx, chunk); err != nil {
				return err
			}
		}
		for _, statement := range []string{`DELETE FROM team_records`, `DELETE FROM team_cursors`, `DELETE FROM properties WHERE name LIKE 'team.%'`, `UPDATE records SET author = '' WHERE author <> ''`} {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, 0, fmt.Errorf("leave the team: %w", err)
	}
	return deleted, kept, nil
}

// TeamProperty returns a property of the replica, "" when it has none; SetTeamProperty sets it, unless the team was left.
func (t *Replica) TeamProperty(ctx context.Context, name string) (string, error) {
	var value string
	err := t.db.QueryRowContext(ctx, `SELECT value FROM properties WHERE name = 'team.' || ?`, name).Scan(&value)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("read the state of the team: %w", err)
	}
	return value, nil
}

func (t *Replica) SetTeamProperty(ctx context.Context, name, value string) error {
	err := t.write(ctx, func(tx Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO properties SELECT 'team.' || ?1, ?2 WHERE ?1 = 'replica' OR EXISTS (SELECT 1 FROM properties WHERE name = 'team.replica')
			ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, value)
		return err
	})
	if err != nil {
		return fmt.Errorf("note the state of the team: %w", err)
	}
	return nil
}
