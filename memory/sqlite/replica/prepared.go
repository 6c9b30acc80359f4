package replica

import (
	"context"
	"database/sql"
)

// Prepared is a transaction that parses each statement once: of a batch of rows each takes the same dozen, and parsing them is half of the
// work. The statements end with the transaction.
func Prepared(tx Tx) Tx { return &prepared{tx, map[string]*sql.Stmt{}} }

type prepared struct {
	Tx
	statements map[string]*sql.Stmt
}

func (p *prepared) statement(ctx context.Context, query string) (*sql.Stmt, error) {
	if s, ok := p.statements[query]; ok {
		return s, nil
	}
	s, err := p.Tx.PrepareContext(ctx, query)
	if err == nil {
		p.statements[query] = s
	}
	return s, err
}

func (p *prepared) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	s, err := p.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.ExecContext(ctx, args...)
}

func (p *prepared) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	s, err := p.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(ctx, args...)
}

func (p *prepared) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	s, err := p.statement(ctx, query)
	if err != nil {
		return p.Tx.QueryRowContext(ctx, query, args...) // which says what is wrong
	}
	return s.QueryRowContext(ctx, args...)
}
