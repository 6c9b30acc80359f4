package sqlite

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/text"
	"github.com/aurora-sidecar/aurora/memory"
)

// maxQueryTokens bounds what a pasted page costs.
const maxQueryTokens = 64

// indexTokens makes a record findable by its text, in place of what it was found by before.
func indexTokens(ctx context.Context, tx tx, seq int64, r memory.Record) error {
	if _, err := tx.ExecContext(ctx, `DELETE FROM records_fts WHERE rowid = ?`, seq); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO records_fts (rowid, title, content, tags, source) VALUES (?, ?, ?, ?, ?)`,
		seq, tokens(r.Title), tokens(r.Content), tokens(strings.Join(r.Tags, " ")), tokens(r.SourceRef))
	return err
}

// tokens is s split the way that code wants it and stemmed, in a shape that leaves SQLite's tokenizer nothing to decide.
func tokens(s string) string { return strings.Join(stemmed(text.Tokenize(s)), " ") }

// stemmed replaces each token by its stem.
func stemmed(tokens []string) []string {
	for i, token := range tokens {
		tokens[i] = text.Stem(token)
	}
	return tokens
}

// queryTokens returns the tokens of a query that say something, or all of them when none does, each once.
func queryTokens(query string) []string {
	var all, telling []string
	seen := map[string]bool{}
	for _, token := range text.Tokenize(query) {
		if seen[token] || len(telling) == maxQueryTokens {
			continue
		}
		seen[token] = true
		if !text.IsStopWord(token) {
			telling = append(telling, token)
		}
		all = append(all, token)
	}
	if len(telling) == 0 {
		return all[:min(len(all), maxQueryTokens)]
	}
	return telling
}

// stems are those of tokens, each once.
func stems(tokens []string) []string {
	var unique []string
	for _, stem := range stemmed(slices.Clone(tokens)) {
		if !slices.Contains(unique, stem) {
			unique = append(unique, stem)
		}
	}
	return unique
}

// matchAny is the FTS5 expression for records with any of the tokens. Quoted, no token is taken for an operator.
func matchAny(tokens []string) string { return matchWith(tokens, " OR ") }

// matchAll is the expression for records with all of the tokens.
func matchAll(tokens []string) string { return matchWith(tokens, " AND ") }

func matchWith(tokens []string, operator string) string {
	quoted := make([]string, len(tokens))
	for i, token := range tokens {
		quoted[i] = `"` + strings.ReplaceAll(token, `"`, `""`) + `"`
	}
	return strings.Join(quoted, operator)
}

// matched returns the tokens of a query of which a record has a form.
func matched(forms *text.Forms, r memory.Record) []string {
	return forms.In(r.Title, r.Content, strings.Join(r.Tags, " "), r.SourceRef)
}

// probe has every sort of word that tokenizers disagree on.
const probe = "getUserData user_manager HTTPRequest sha256Sum auth.oauth v2 Größe naïve 数据库 don't a-b x1y2"

// tokensProperty is the property that tells in which way the tokens of the text index were made.
const tokensProperty = "tokens"

// refreshTokens rebuilds the text index when its tokens were made in another way than they are now.
func refreshTokens(ctx context.Context, d *database) error {
	sum := sha256.Sum256([]byte(tokens(probe)))
	current := hex.EncodeToString(sum[:8])
	var stored string
	err := d.db.QueryRowContext(ctx, `SELECT value FROM properties WHERE name = ?`, tokensProperty).Scan(&stored)
	if err != nil && !errors.Is(err, sql.ErrNoRows) || stored == current {
		return err
	}
	return d.inTx(ctx, func(tx tx) error {
		if err := rebuildTokens(ctx, tx); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO properties VALUES (?, ?)
			ON CONFLICT (name) DO UPDATE SET value = excluded.value`, tokensProperty, current)
		return err
	})
}

// rebuildTokens makes the text index again.
func rebuildTokens(ctx context.Context, tx tx) error {
	if _, err := tx.ExecContext(ctx, `INSERT INTO records_fts (records_fts) VALUES ('delete-all')`); err != nil {
		return err
	}
	rows, err := tx.QueryContext(ctx, `SELECT `+recordColumns+`, r.seq FROM records r WHERE deleted_at_ms IS NULL`)
	if err != nil {
		return err
	}
	return each(rows, func() error {
		var r row
		if err := scanRecord(rows.Scan, &r.Record, &r.seq); err != nil {
			return err
		}
		return indexTokens(ctx, tx, r.seq, r.Record)
	})
}
