package eval

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/internal/text"
	_ "modernc.org/sqlite" // the reference is its FTS5
)

// A fullText is the reference: the program's chunks, cut into its words, in SQLite's FTS5 with porter stems. The columns name, path and
// text weigh 8, 2 and 1; tests, examples, documents and vendored code have 0.6 of their score.
type fullText struct {
	db     *sql.DB
	chunks []index.Ref // by row
}

const (
	fullTextTable = `CREATE VIRTUAL TABLE chunks USING fts5(name, path, text, share UNINDEXED, tokenize = "porter unicode61 tokenchars '_'")`
	fullTextQuery = `SELECT rowid FROM chunks WHERE chunks MATCH ? ORDER BY bm25(chunks, 8, 2, 1) * share, rowid LIMIT ?` // bm25 is below 0
	loweredShare  = 0.6
)

func openFullText(ctx context.Context, x *index.Index) (r *fullText, err error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // each connection has a memory of its own
	r = &fullText{db: db}
	if err := r.fill(ctx, x); err != nil {
		return nil, errors.Join(fmt.Errorf("fill the reference: %w", err), db.Close())
	}
	return r, nil
}

func (r *fullText) fill(ctx context.Context, x *index.Index) error {
	if _, err := r.db.ExecContext(ctx, fullTextTable); err != nil {
		return err
	}
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // nothing once it is committed
	insert, err := tx.PrepareContext(ctx, `INSERT INTO chunks(rowid, name, path, text, share) VALUES (?, ?, ?, ?, ?)`)
	if err != nil {
		return err
	}
	for f := range x.Snapshot().Files() {
		src, err := x.Text(f.Abs)
		if err != nil {
			return err
		}
		path, share := cutIntoWords(f.Path), 1.0
		switch codebase.KindOf(f) {
		case codebase.TestCode, codebase.ExampleCode, codebase.DocumentFiles, codebase.VendoredCode:
			share = loweredShare
		}
		for i := range f.Chunks {
			k := &f.Chunks[i]
			r.chunks = append(r.chunks, index.Ref{File: f, Index: i})
			if _, err := insert.ExecContext(ctx, len(r.chunks), cutIntoWords(nameOf(k)), path, cutIntoWords(string(k.Span.In(src))), share); err != nil {
				return err
			}
		}
	}
	return tx.Commit()
}

// nameOf is the qualified name as placeOf has it.
func nameOf(k *chunk.Chunk) string { return strings.TrimPrefix(k.Container+"."+k.Name, ".") }

func cutIntoWords(s string) string { return strings.Join(text.Tokenize(s), " ") }

// askFullText puts the queries to the reference over what is indexed.
func askFullText(ctx context.Context, x *index.Index, queries []Query) ([]Answer, error) {
	r, err := openFullText(ctx, x)
	if err != nil {
		return nil, err
	}
	answers, err := r.ask(ctx, queries)
	return answers, errors.Join(err, r.db.Close())
}

// ask answers the queries that have an answer; the reference always finds something for the others.
func (r *fullText) ask(ctx context.Context, queries []Query) ([]Answer, error) {
	var answers []Answer
	for i := range queries {
		q := &queries[i]
		if len(q.Relevant) == 0 {
			continue
		}
		a := Answer{ID: q.ID, Query: q.Query, Category: q.Category, Language: q.Language, Repo: q.Repo}
		start := time.Now()
		found, err := r.search(ctx, q.Query)
		if err != nil {
			return nil, fmt.Errorf("query %s to the reference: %w", q.ID, err)
		}
		a.Millis = float64(time.Since(start).Microseconds()) / 1000
		for _, ref := range found {
			k := ref.Chunk()
			a.Hits = append(a.Hits, Place{
				Path: q.path(ref.File.Path), Name: nameOf(k), StartLine: k.StartLine + 1, EndLine: k.EndLine + 1, Tokens: k.Tokens,
			})
		}
		a.Metrics = score(a.Hits, q.Relevant)
		answers = append(answers, a)
	}
	return answers, nil
}

// search returns the best chunks that hold any of the words.
func (r *fullText) search(ctx context.Context, query string) ([]index.Ref, error) {
	tokens := text.Tokenize(query)
	if len(tokens) == 0 {
		return nil, nil
	}
	rows, err := r.db.QueryContext(ctx, fullTextQuery, `"`+strings.Join(tokens, `" OR "`)+`"`, depth)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []index.Ref
	for rows.Next() {
		var row int
		if err := rows.Scan(&row); err != nil {
			return nil, err
		}
		found = append(found, r.chunks[row-1])
	}
	return found, rows.Err()
}
