package sqlite

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/memory"
)

const (
	usualLimit = 10
	maxLimit   = 1000

	// mostActive is how many of the last used records compete when a query names nothing: the activation of
	// whatever was last used before them is lower than theirs but for rare histories.
	mostActive = 500
)

// Search implements memory.Store. Records that cite one of q.Refs come first, then those that match q.Text by score;
// equals are ordered by activation.
func (s *Store) Search(ctx context.Context, q memory.Query) ([]memory.Hit, error) {
	hits, err := s.search(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("search memory: %w", err)
	}
	return hits, nil
}

func (s *Store) search(ctx context.Context, q memory.Query) ([]memory.Hit, error) {
	limit := min(cmp.Or(max(q.Limit, 0), usualLimit), maxLimit)
	keep := filterFor(q)
	cited, err := s.citing(ctx, q.Refs, keep, limit)
	if err != nil {
		return nil, err
	}
	var others []memory.Hit
	query := queryTokens(q.Text)
	switch {
	case len(query) > 0:
		others, err = s.matching(ctx, query, keep, limit)
	case strings.TrimSpace(q.Text) == "" && len(q.Refs) == 0:
		others, err = s.lastUsed(ctx, keep, max(mostActive, limit))
	}
	if err != nil {
		return nil, err
	}
	hits := join(cited, others)
	if err := s.addUsage(ctx, hits); err != nil {
		return nil, err
	}
	rank(hits, len(cited))
	hits = hits[:min(len(hits), limit)]
	for i := range hits {
		hits[i].Matched = matched(query, hits[i].Record)
	}
	return hits, nil
}

// join appends to cited those of others that are not in it; a record in both keeps its score.
func join(cited, others []memory.Hit) []memory.Hit {
	at := make(map[string]int, len(cited))
	for i, hit := range cited {
		at[hit.ID] = i
	}
	for _, hit := range others {
		if i, ok := at[hit.ID]; ok {
			cited[i].Score = hit.Score
			continue
		}
		cited = append(cited, hit)
	}
	return cited
}

// rank orders the first hits, which are cited, and the others among themselves.
func rank(hits []memory.Hit, cited int) {
	better := func(a, b memory.Hit) int {
		return cmp.Or(
			cmp.Compare(b.Score, a.Score),
			cmp.Compare(b.Activation, a.Activation),
			b.CreatedAt.Compare(a.CreatedAt),
			cmp.Compare(a.ID, b.ID),
		)
	}
	slices.SortFunc(hits[:cited], better)
	slices.SortFunc(hits[cited:], better)
}

// A filter is a condition on a record r, with its arguments.
type filter struct {
	sql  string
	args []any
}

func filterFor(q memory.Query) filter {
	f := filter{sql: `r.deleted_at_ms IS NULL`}
	and := func(condition string, args ...any) {
		f.sql += ` AND ` + condition
		f.args = append(f.args, args...)
	}
	if len(q.Types) > 0 {
		types := make([]string, len(q.Types))
		for i, t := range q.Types {
			types[i] = string(t)
		}
		and(`r.type IN (SELECT value FROM json_each(?))`, jsonList(types))
	}
	for _, tag := range q.Tags {
		and(`EXISTS (SELECT 1 FROM json_each(r.tags) WHERE value = ? COLLATE NOCASE)`, tag)
	}
	if q.Workspace != "" {
		and(`r.workspace IN ('', ?)`, q.Workspace)
	}
	if q.GoalID != "" {
		and(`r.goal_id = ?`, q.GoalID)
	}
	return f
}

// matching returns the best matches for any of the tokens. FTS5's bm25 is negative, the better the lower; a match in
// the title or a tag says more than one in the text.
func (s *Store) matching(ctx context.Context, tokens []string, keep filter, limit int) ([]memory.Hit, error) {
	// The records are read after the cut: sorting whole rows would cost many times more than ranking them.
	query := `SELECT ` + recordColumns + `, best.score FROM (
			SELECT records_fts.rowid AS seq, -bm25(records_fts, 3, 1, 2, 1) AS score
			FROM records_fts JOIN records r ON r.seq = records_fts.rowid
			WHERE records_fts MATCH ? AND ` + keep.sql + ` ORDER BY score DESC, records_fts.rowid DESC LIMIT ?
		) best JOIN records r ON r.seq = best.seq`
	args := append([]any{matchAny(tokens)}, keep.args...)
	return s.hits(ctx, query, append(args, limit)...)
}

// lastUsed returns the records that were used last.
func (s *Store) lastUsed(ctx context.Context, keep filter, limit int) ([]memory.Hit, error) {
	query := `SELECT ` + recordColumns + `, 0 FROM activations a JOIN records r ON r.id = a.subject
		WHERE ` + keep.sql + ` ORDER BY a.last_access_ms DESC LIMIT ?`
	return s.hits(ctx, query, append(slices.Clone(keep.args), limit)...)
}

// citing returns the records whose source is one of refs or lies in it, newest first.
func (s *Store) citing(ctx context.Context, refs []string, keep filter, limit int) ([]memory.Hit, error) {
	var spans [][]string
	for _, ref := range refs {
		for _, span := range spansOf(ref) {
			spans = append(spans, []string{span.from, span.to})
		}
	}
	if len(spans) == 0 {
		return nil, nil
	}
	// CROSS JOIN keeps SQLite from reading the whole index instead of the spans.
	query := `SELECT DISTINCT ` + recordColumns + `, 0 FROM json_each(?) span CROSS JOIN records r
		WHERE r.source_ref <> '' AND r.source_ref >= span.value ->> 0 AND r.source_ref < span.value ->> 1
		AND ` + keep.sql + ` ORDER BY r.updated_at_ms DESC, r.seq DESC LIMIT ?`
	return s.hits(ctx, query, append(append([]any{jsonList(spans)}, keep.args...), limit)...)
}

// A span is a half-open range of strings in byte order.
type span struct{ from, to string }

// spansOf returns where in the order of sources those lie that ref names:
//
//	a/b.go             a/b.go, a/b.go:12, code:a/b.go:Name
//	a/b.go:12          a/b.go:12
//	code:a/b.go:Name   code:a/b.go:Name, code:a/b.go:Name.member, code:a/b.go:Name~1
func spansOf(ref string) []span {
	const code = "code:"
	if ref == "" {
		return nil
	}
	spans := []span{exactly(ref), below(ref, ':')}
	if strings.HasPrefix(ref, code) {
		return append(spans, below(ref, '.'), below(ref, '~'))
	}
	return append(spans, below(code+ref, ':'))
}

// exactly holds s alone, since no source has NUL bytes.
func exactly(s string) span { return span{s, s + "\x01"} }

// below holds every string that begins with s and the separator.
func below(s string, separator byte) span {
	return span{s + string(rune(separator)), s + string(rune(separator+1))}
}

// hits runs a query for recordColumns and a score.
func (s *Store) hits(ctx context.Context, query string, args ...any) ([]memory.Hit, error) {
	rows, err := s.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	var hits []memory.Hit
	err = each(rows, func() error {
		var hit memory.Hit
		err := scanRecord(rows.Scan, &hit.Record, &hit.Score)
		hits = append(hits, hit)
		return err
	})
	return hits, err
}
