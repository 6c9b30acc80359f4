package sqlite

import (
	"context"
	"errors"

	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/sqlite/replica"
)

// newReplica returns the store as the copy of a team's records.
func newReplica(d *database) *replica.Replica {
	write := func(ctx context.Context, f func(replica.Tx) error) error {
		return d.write(ctx, func(tx tx) error { return f(replica.Prepared(tx.Tx)) })
	}
	return replica.New(d.db, write, replicated{d})
}

// replicated implements replica.Records.
type replicated struct{ *database }

func (d replicated) Find(ctx context.Context, t replica.Tx, id string) (replica.Row, error) {
	r, err := findRow(ctx, tx{t, d.opts.Now()}, `id = ?`, id)
	return replica.Row{Record: r.Record, Seq: r.seq, Forgotten: r.forgotten}, err
}

func (d replicated) Read(ctx context.Context, id string) (memory.Record, error) {
	hits := make([]memory.Hit, 1)
	err := scanRecord(d.db.QueryRowContext(ctx, `SELECT `+recordColumns+` FROM records r WHERE id = ?`, id).Scan, &hits[0].Record)
	if err == nil {
		err = fillCitations(ctx, d.database, hits)
	}
	return hits[0].Record, err
}

func (d replicated) Insert(ctx context.Context, t replica.Tx, r memory.Record) (string, error) {
	seq, id, err := insert(ctx, tx{t, d.opts.Now()}, r)
	r.ID = id
	if err != nil {
		return "", err
	}
	return id, d.finish(ctx, tx{t, d.opts.Now()}, seq, r)
}

func (d replicated) Rewrite(ctx context.Context, t replica.Tx, known replica.Row, r memory.Record) error {
	tx := tx{t, d.opts.Now()}
	at := row{Record: known.Record, seq: known.Seq, forgotten: known.Forgotten}
	_, err := tx.ExecContext(ctx, `DELETE FROM citations WHERE record = ?`, r.ID)
	if err = errors.Join(err, keepVersion(ctx, tx, at, r), rewrite(ctx, tx, row{Record: r, seq: known.Seq})); err != nil {
		return err
	}
	return d.finish(ctx, tx, known.Seq, r)
}

// finish writes what hangs on a record.
func (d replicated) finish(ctx context.Context, tx tx, seq int64, r memory.Record) error {
	_, err := tx.ExecContext(ctx, `UPDATE records SET author = ? WHERE seq = ?`, r.By, seq)
	return errors.Join(err, indexTokens(ctx, tx, seq, r), addCitations(ctx, tx, r.ID, r.Citations))
}

func (d replicated) Hide(ctx context.Context, t replica.Tx, seq int64) error {
	return hide(ctx, tx{t, d.opts.Now()}, seq)
}

func (d replicated) Delete(ctx context.Context, t replica.Tx, ids []string) error {
	return deleteRecords(ctx, tx{t, d.opts.Now()}, ids)
}

func (d replicated) Link(ctx context.Context, t replica.Tx, l memory.Link) error {
	return addLink(ctx, tx{t, d.opts.Now()}, l)
}
