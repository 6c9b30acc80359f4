package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/aurora-sidecar/aurora/memory"
)

var _ memory.Journal = (*Store)(nil)

// journal appends what was asked and answered, and keeps the details of questions.
type journal struct{ *database }

// Append implements memory.Journal.
func (j journal) Append(ctx context.Context, entries []memory.JournalEntry, keep int) (learned memory.Learned, err error) {
	err = j.write(ctx, func(tx tx) error {
		for i := range entries {
			if err := appendEntry(ctx, tx, &entries[i], &learned); err != nil {
				return err
			}
		}
		return trimJournal(ctx, tx, keep)
	})
	if err != nil {
		return memory.Learned{}, fmt.Errorf("write the journal: %w", err)
	}
	return learned, nil
}

func appendEntry(ctx context.Context, tx tx, e *memory.JournalEntry, learned *memory.Learned) error {
	if err := checkMetric(&e.Metric); err != nil {
		return err
	}
	if e.Remember != nil {
		var known bool
		if err := tx.QueryRowContext(ctx, isKnown, e.Once).Scan(&known); err != nil || known {
			return err
		}
		record, err := memory.Prepare(*e.Remember)
		if err == nil {
			record, _, err = remember(ctx, tx, record)
		}
		if err != nil {
			return fmt.Errorf("remember the answer: %w", err)
		}
		e.Record, learned.Record = record.ID, record.ID
	}
	seq, err := insertEntry(ctx, tx, e, 0)
	if err == nil && e.Op == memory.OpLogged && e.Detail == nil { // the text is in the file now
		_, err = tx.ExecContext(ctx, `UPDATE journal SET detail = NULL WHERE query_id = ? AND op = 'logged' AND detail IS NOT NULL`, e.QueryID)
	}
	if err != nil || seq == 0 || e.Learned == nil {
		return err
	}
	record := learned.Record
	*learned, err = learn(ctx, tx, *e.Learned)
	learned.Record = record
	return err
}

// insertEntry returns the number of the new line, 0 when what it says is written already.
func insertEntry(ctx context.Context, tx tx, e *memory.JournalEntry, settles int64) (int64, error) {
	values, err := metricValues(&e.Metric)
	if err != nil {
		return 0, err
	}
	var learned any
	if e.Learned != nil {
		kept := *e.Learned
		kept.Query = "" // text is in the detail, which is dropped in time
		text, err := json.Marshal(kept)
		if err != nil {
			return 0, err
		}
		learned = string(text)
	}
	var charged any
	if !e.Charge.At.IsZero() {
		charged = toMs(e.Charge.At)
	}
	values = append(values, orNull(e.Once), e.Detail, learned, charged, e.Charge.USD, e.Charge.LimitUSD, orNull(settles))
	result, err := tx.ExecContext(ctx, `INSERT INTO journal (`+metricColumns+`, once, detail, learned, charge_at_ms, charge_usd, limit_usd, settles) VALUES
		(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`, values...)
	if err != nil {
		return 0, err
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return 0, err
	}
	return result.LastInsertId()
}

// orNull is v, or NULL for its zero value.
func orNull[T comparable](v T) any {
	var zero T
	if v == zero {
		return nil
	}
	return v
}

// trimJournal drops the figures of old searches and contexts, and the detail of all but the newest questions.
func trimJournal(ctx context.Context, tx tx, keep int) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM journal WHERE op IN (?, ?) AND day < ?`,
		memory.OpSearch, memory.OpContext, tx.now.Add(-keepLookups).Format(time.DateOnly))
	if err != nil || keep <= 0 {
		return err
	}
	for _, kind := range []string{isQuestion, isToLog} { // files that could not be written for long are not kept for ever, either
		_, err = tx.ExecContext(ctx, `UPDATE journal SET detail = NULL WHERE `+kind+` AND seq NOT IN
			(SELECT seq FROM journal WHERE `+kind+` ORDER BY at_ms DESC, seq DESC LIMIT ?)`, keep)
		if err != nil {
			return err
		}
	}
	return nil
}

// What the details of lines are.
const (
	isQuestion = `detail IS NOT NULL AND op <> 'logged'`
	isToLog    = `detail IS NOT NULL AND op = 'logged'`
)

// QuestionIDs implements memory.Journal.
func (j journal) QuestionIDs(ctx context.Context) ([]string, error) {
	return j.journalIDs(ctx, `SELECT query_id FROM journal WHERE `+isQuestion+` ORDER BY at_ms DESC, seq DESC`)
}

// Unlogged implements memory.Journal.
func (j journal) Unlogged(ctx context.Context) ([]string, error) {
	return j.journalIDs(ctx, `SELECT query_id FROM journal WHERE `+isToLog+` ORDER BY at_ms, seq`)
}

func (j journal) journalIDs(ctx context.Context, query string) ([]string, error) {
	rows, err := j.db.QueryContext(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("read the journal: %w", err)
	}
	return collect(rows, "read the journal", func(id *string) []any { return []any{id} })
}

// Question implements memory.Journal.
func (j journal) Question(ctx context.Context, id string) ([]byte, error) {
	return j.detail(ctx, id, isQuestion)
}

// ToLog implements memory.Journal.
func (j journal) ToLog(ctx context.Context, id string) ([]byte, error) {
	return j.detail(ctx, id, isToLog)
}

func (j journal) detail(ctx context.Context, id, kind string) ([]byte, error) {
	var detail []byte
	err := j.db.QueryRowContext(ctx, `SELECT detail FROM journal WHERE query_id = ? AND `+kind, id).Scan(&detail)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, memory.ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("read the journal: %w", err)
	}
	return detail, nil
}

const isKnown = `SELECT EXISTS (SELECT 1 FROM journal WHERE once = ?)`

// Known implements memory.Journal.
func (j journal) Known(ctx context.Context, once string) (known bool, err error) {
	err = j.db.QueryRowContext(ctx, isKnown, once).Scan(&known)
	return known, err
}
