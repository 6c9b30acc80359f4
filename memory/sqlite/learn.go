package sqlite

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/aurora-sidecar/aurora/memory"
)

// outcomes are how queries went.
type outcomes struct{ *database }

// Learn implements memory.Store.
func (oc outcomes) Learn(ctx context.Context, o memory.Outcome) (memory.Learned, error) {
	var result memory.Learned
	err := oc.write(ctx, func(tx tx) (err error) {
		result, err = learn(ctx, tx, o)
		return err
	})
	if err != nil {
		return memory.Learned{}, fmt.Errorf("learn: %w", err)
	}
	return result, nil
}

func learn(ctx context.Context, tx tx, o memory.Outcome) (memory.Learned, error) {
	result, changes, err := memory.Judge(o)
	if err != nil {
		return memory.Learned{}, err
	}
	for _, id := range slices.Sorted(maps.Keys(changes)) {
		if err := recordBonus(ctx, tx, id, changes[id]); err != nil {
			return memory.Learned{}, err
		}
	}
	if result.Difficult {
		err = markDifficult(ctx, tx, o)
	}
	return result, err
}

func markDifficult(ctx context.Context, tx tx, o memory.Outcome) error {
	signature := memory.QuerySignature(o.Query)
	if signature == "" {
		return nil
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO difficult_queries (signature, query, failures, last_score, last_at_ms)
		VALUES (?, ?, 1, ?, ?) ON CONFLICT (signature) DO UPDATE SET
		failures = failures + 1, last_score = excluded.last_score, last_at_ms = excluded.last_at_ms`,
		signature, withoutSecrets(o.Query), o.Score, toMs(tx.now))
	return err
}

// Difficult implements memory.Store.
func (oc outcomes) Difficult(ctx context.Context) ([]memory.Difficult, error) {
	rows, err := oc.db.QueryContext(ctx, `SELECT query, failures, last_score, last_at_ms FROM difficult_queries
		ORDER BY failures DESC, last_at_ms DESC, seq`)
	if err != nil {
		return nil, fmt.Errorf("list difficult queries: %w", err)
	}
	var list []memory.Difficult
	err = each(rows, func() error {
		var d memory.Difficult
		var at int64
		err := rows.Scan(&d.Query, &d.Failures, &d.Score, &at)
		d.At = fromMs(at)
		list = append(list, d)
		return err
	})
	return list, err
}
