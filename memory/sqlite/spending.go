package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/aurora-sidecar/aurora/memory"
)

// errVolatile is why nobody may rely on what is written into a store whose file could not be opened.
var errVolatile = errors.New("the journal can't be kept: memory's file could not be opened")

// spending is what the lines of the journal charge.
type spending struct{ *database }

// Reserve implements memory.Journal.
func (s spending) Reserve(ctx context.Context, c memory.Charge, since memory.Since, allow func(memory.Spent) error) (number int64, err error) {
	if s.volatile {
		return 0, errVolatile
	}
	var refusal error
	err = s.write(ctx, func(tx tx) error {
		spent, err := spentSince(ctx, tx, since)
		if err != nil {
			return err
		}
		if refusal = allow(spent); refusal != nil {
			return refusal
		}
		if spent.Latest.After(c.At) {
			c.At = spent.Latest
		}
		number, err = insertEntry(ctx, tx, chargeEntry(memory.OpReserve, c), 0)
		return err
	})
	if refusal != nil {
		return 0, refusal
	}
	if err != nil {
		return 0, fmt.Errorf("write the journal: %w", err)
	}
	return number, nil
}

func chargeEntry(op string, c memory.Charge) *memory.JournalEntry {
	return &memory.JournalEntry{Metric: memory.Metric{At: c.At, Op: op}, Charge: c}
}

// Settle implements memory.Journal. What is settled counts when the reservation did, however the clock went since.
func (s spending) Settle(ctx context.Context, number int64, c memory.Charge) error {
	err := s.write(ctx, func(tx tx) error {
		e := chargeEntry(memory.OpSettle, c)
		if number != 0 {
			var at int64
			if err := tx.QueryRowContext(ctx, `SELECT charge_at_ms FROM journal WHERE seq = ? AND op = ?`, number, memory.OpReserve).Scan(&at); err != nil {
				return fmt.Errorf("reservation %d: %w", number, err)
			}
			e.Charge.At = fromMs(at)
		}
		_, err := insertEntry(ctx, tx, e, number)
		return err
	})
	if err != nil {
		return fmt.Errorf("write the journal: %w", err)
	}
	return nil
}

// Spent implements memory.Journal.
func (s spending) Spent(ctx context.Context, since memory.Since) (memory.Spent, error) {
	if s.volatile {
		return memory.Spent{}, errVolatile
	}
	spent, err := spentSince(ctx, s.db, since)
	if err != nil {
		return memory.Spent{}, fmt.Errorf("read the journal: %w", err)
	}
	return spent, nil
}

func spentSince(ctx context.Context, db rowQueryer, since memory.Since) (spent memory.Spent, err error) {
	var latest sql.NullInt64
	err = db.QueryRowContext(ctx, `SELECT (SELECT max(charge_at_ms) FROM journal WHERE charge_at_ms IS NOT NULL), (SELECT count(*) FROM journal WHERE op = 'reset')`).
		Scan(&latest, &spent.Part)
	if err != nil {
		return spent, err
	}
	if latest.Valid {
		spent.Latest = fromMs(latest.Int64)
	}
	from := int64(0)
	if begin := since(spent.Latest); !begin.IsZero() {
		from = toMs(begin)
	}
	var first sql.NullInt64
	err = db.QueryRowContext(ctx, `WITH present AS (SELECT coalesce(max(seq), 0) AS seq FROM journal WHERE op = 'reset')
		SELECT total(charge_usd), min(charge_at_ms), coalesce(sum(`+countedQueries+`), 0)
		FROM journal WHERE charge_at_ms IS NOT NULL AND charge_at_ms >= ? AND op <> 'closed' AND coalesce(settles, seq) > (SELECT seq FROM present)`, from).
		Scan(&spent.USD, &first, &spent.Queries)
	spent.USD = max(0, spent.USD)
	if first.Valid {
		spent.First = fromMs(first.Int64)
	}
	return spent, err
}

// countedQueries is how many questions a line of the journal counts for.
const countedQueries = `CASE WHEN op IN ('carried', 'closed') THEN calls WHEN op IN ('query', 'asked', 'left') THEN 1 ELSE 0 END`

const (
	// resetsBefore is how many resets came before a line j; a settlement stands where its reservation does.
	resetsBefore = `(SELECT count(*) FROM journal r WHERE r.op = 'reset' AND r.seq < coalesce(j.settles, j.seq))`

	dayMs = `86400000`
)

// keepCalls is how long each call's reservation and settlement are kept: as long as the longest period of a budget and the
// one before it.
const keepCalls = 92 * 24 * time.Hour

// foldExpired folds what was spent long ago.
func foldExpired(ctx context.Context, tx tx) error {
	return foldSpending(ctx, tx, tx.now.Add(-keepCalls))
}

// foldSpending puts one line in the place of all settled reservations of a day, up to the day of a moment. The line has the
// number of the first one, so that it stands between the same resets.
func foldSpending(ctx context.Context, tx tx, before time.Time) error {
	const settled = `FROM journal j WHERE op IN ('reserve', 'settle') AND charge_at_ms < ?1 / ` + dayMs + ` * ` + dayMs + `
		AND (op = 'settle' OR EXISTS (SELECT 1 FROM journal s WHERE s.settles = j.seq))`
	rows, err := tx.QueryContext(ctx, `SELECT min(coalesce(settles, seq)), min(charge_at_ms), total(charge_usd), max(limit_usd), count(*) FILTER (WHERE op = 'reserve')
		`+settled+` GROUP BY `+resetsBefore+`, charge_at_ms / `+dayMs, toMs(before))
	if err != nil {
		return err
	}
	var sums [][]any
	err = each(rows, func() error {
		var seq, at int64
		var usd, limit float64
		var calls int
		err := rows.Scan(&seq, &at, &usd, &limit, &calls)
		sums = append(sums, []any{seq, at, fromMs(at).Format(time.DateOnly), memory.OpFolded, at, usd, limit, calls})
		return err
	})
	if err != nil || len(sums) == 0 {
		return err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM journal WHERE seq IN (SELECT seq `+settled+`)`, toMs(before)); err != nil {
		return err
	}
	for _, sum := range sums {
		_, err := tx.ExecContext(ctx, `INSERT INTO journal (seq, at_ms, day, op, charge_at_ms, charge_usd, limit_usd, calls) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, sum...)
		if err != nil {
			return err
		}
	}
	return nil
}

// Spending implements memory.Journal.
func (s spending) Spending(ctx context.Context) ([]memory.SpentDay, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT CASE op WHEN 'closed' THEN -1 ELSE `+resetsBefore+` END AS part,
			charge_at_ms / `+dayMs+` AS charge_day, total(charge_usd), max(limit_usd), sum(`+countedQueries+`)
		FROM journal j WHERE charge_at_ms IS NOT NULL GROUP BY part, charge_day ORDER BY part, charge_day`)
	if err != nil {
		return nil, fmt.Errorf("read the journal: %w", err)
	}
	var days []memory.SpentDay
	err = each(rows, func() error {
		var d memory.SpentDay
		var day int64
		err := rows.Scan(&d.Part, &day, &d.USD, &d.LimitUSD, &d.Queries)
		d.Day = time.Unix(day*86_400, 0).UTC()
		days = append(days, d)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the journal: %w", err)
	}
	return days, cmp.Or(err, ctx.Err())
}
