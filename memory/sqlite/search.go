package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/internal/text"
	"github.com/aurora-sidecar/aurora/memory"
)

const (
	usualLimit = 10
	maxLimit   = 1000

	// mostActive is how many of the last used records compete when a query names nothing: the activation of
	// whatever was last used before them is lower than theirs but for rare histories.
	mostActive = 200

	// finalists is how many of them are read whole. They are those of the highest base level by the closed form, which
	// needs no list of uses.
	finalists = 50

	// commonFrom is the number of records from which on a word is not worth what it costs: to rank a
	// match, FTS5 visits every record that has it.
	commonFrom = 2000

	// frequentFrom is the number of records from which on a word that a longer query has beside others is not enough by itself.
	frequentFrom = 500
)

// search finds records.
type search struct {
	*database
	activation activation
	standings  standings
}

// Search implements memory.Store. Records that cite one of q.Refs come first, then those that match q.Text by score;
// equals are ordered by activation.
func (s search) Search(ctx context.Context, q memory.Query) ([]memory.Hit, error) {
	hits, err := s.find(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("search memory: %w", err)
	}
	return hits, nil
}

func (s search) find(ctx context.Context, q memory.Query) ([]memory.Hit, error) {
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
		others, err = s.matching(ctx, stems(query), keep, limit)
	case strings.TrimSpace(q.Text) == "" && len(q.Refs) == 0 && len(q.IDs) == 0:
		others, err = s.lastUsed(ctx, keep, limit)
	}
	if err != nil {
		return nil, err
	}
	named, err := s.named(ctx, q.IDs, keep)
	if err != nil {
		return nil, err
	}
	hits := join(join(cited, others), without(named, others))
	if err := s.activation.addActivation(ctx, hits, q, query); err != nil {
		return nil, err
	}
	rank(hits, len(cited), byAge(q.RecencyBias, s.opts.Now()))
	hits = hits[:min(len(hits), limit)]
	forms := text.NewForms(query)
	for i := range hits {
		hits[i].Matched = matched(forms, hits[i].Record)
	}
	return hits, errors.Join(s.standings.addStanding(ctx, hits, q.Workspaces), fillCitations(ctx, s.database, hits))
}

// byAge returns the score that counts when ages do: with a bias of 1, half of it goes in 30 days.
func byAge(bias float64, now time.Time) func(memory.Hit) float64 {
	const halfLife = 30 * 24 * time.Hour
	return func(h memory.Hit) float64 {
		if !(bias > 0) || h.Score == 0 {
			return h.Score
		}
		age := max(0, now.Sub(h.UpdatedAt))
		return h.Score * (1 - min(1, bias)*(1-math.Exp2(-float64(age)/float64(halfLife))))
	}
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

// without returns those of hits that are not among others, whose scores count.
func without(hits, others []memory.Hit) []memory.Hit {
	return slices.DeleteFunc(hits, func(h memory.Hit) bool {
		return slices.ContainsFunc(others, func(o memory.Hit) bool { return o.ID == h.ID })
	})
}

// rank orders the first hits, which are cited, and the others among themselves.
func rank(hits []memory.Hit, cited int, score func(memory.Hit) float64) {
	better := func(a, b memory.Hit) int {
		return cmp.Or(
			cmp.Compare(score(b), score(a)),
			cmp.Compare(b.Activation, a.Activation),
			b.CreatedAt.Compare(a.CreatedAt),
			cmp.Compare(a.ID, b.ID),
		)
	}
	slices.SortFunc(hits[:cited], better)
	slices.SortFunc(hits[cited:], better)
}

// notForgotten is the condition that every record has to pass.
const notForgotten = `r.deleted_at_ms IS NULL`

// A filter is a condition on a record r, with its arguments.
type filter struct {
	sql  string
	args []any
}

func filterFor(q memory.Query) filter {
	f := filter{sql: notForgotten}
	and := func(condition string, args ...any) {
		f.sql += ` AND ` + condition
		f.args = append(f.args, args...)
	}
	if len(q.Types) > 0 {
		and(`r.type IN (SELECT value FROM json_each(?))`, jsonList(q.Types))
	}
	for _, tag := range q.Tags {
		and(`EXISTS (SELECT 1 FROM json_each(r.tags) WHERE value = ? COLLATE NOCASE)`, tag)
	}
	if len(q.Workspaces) > 0 {
		and(`(r.workspace = '' OR r.workspace IN (SELECT value FROM json_each(?)))`, jsonList(q.Workspaces))
	}
	if q.GoalID != "" {
		and(`r.goal_id = ?`, q.GoalID)
	}
	if q.Source != "" {
		and(`r.source_type = ?`, q.Source)
	}
	if q.Domain != "" {
		and(`r.domain = ? COLLATE NOCASE`, q.Domain)
	}
	if q.SemanticRole != "" {
		and(`instr(r.semantic_role, lower(?)) > 0`, q.SemanticRole)
	}
	if q.Keyword != "" {
		and(`EXISTS (SELECT 1 FROM json_each(r.keywords) WHERE value = ? COLLATE NOCASE)`, q.Keyword)
	}
	if q.Field != "" {
		and(`r.chunk <> '' AND EXISTS (SELECT 1 FROM json_tree(r.chunk) WHERE atom = ? COLLATE NOCASE)`, q.Field)
	}
	if q.MinImportance > 0 {
		and(`r.importance >= ?`, q.MinImportance)
	}
	return f
}

// matching returns the best matches for any of the tokens. FTS5's bm25 is negative, the better the lower; a match in
// the title or a tag says more than one in the text. Words that very many records have only count when the query has no
// others.
func (s search) matching(ctx context.Context, tokens []string, keep filter, limit int) ([]memory.Hit, error) {
	words, err := s.sortOut(ctx, tokens)
	switch {
	case err != nil:
		return nil, err
	case len(words.telling) == 0 && len(words.frequent) == 0:
		return s.commonest(ctx, words.common, keep, limit)
	case len(words.frequent) >= 3:
		if hits, err := s.ranked(ctx, words.strict(), keep, limit); err != nil || len(hits) == limit {
			return hits, err
		}
	}
	return s.ranked(ctx, matchAny(append(words.telling, words.frequent...)), keep, limit)
}

// ranked returns the best matches of an expression.
func (s search) ranked(ctx context.Context, expression string, keep filter, limit int) ([]memory.Hit, error) {
	// Records are read from the best on, until enough of them pass: to look each one up first would cost more than to rank them.
	query := `SELECT ` + recordColumns + `, -records_fts.rank FROM records_fts CROSS JOIN records r ON r.seq = records_fts.rowid
		WHERE records_fts MATCH ? AND rank MATCH 'bm25(3.0, 1.0, 2.0, 1.0)' AND ` + keep.sql + ` ORDER BY records_fts.rank LIMIT ?`
	args := append([]any{expression}, keep.args...)
	return s.hits(ctx, query, append(args, limit)...)
}

// queryWords are the tokens of a query by how many records have them: few, many, and so many that they tell nothing beside others.
type queryWords struct{ telling, frequent, common []string }

// strict is an expression for the records that have a telling word or two of the frequent ones, a word of each half of them. Most of
// those that it leaves out have one frequent word and nothing else, and to rank them takes the most time.
func (w queryWords) strict() string {
	half := (len(w.frequent) + 1) / 2
	two := "(" + matchAny(w.frequent[:half]) + ") AND (" + matchAny(w.frequent[half:]) + ")"
	if len(w.telling) == 0 {
		return two
	}
	return matchAny(w.telling) + " OR (" + two + ")"
}

// sortOut tells the tokens apart. What no record has is none of them.
func (s search) sortOut(ctx context.Context, tokens []string) (words queryWords, err error) {
	var most int64
	if err := s.db.QueryRowContext(ctx, `SELECT coalesce(max(seq), 0) FROM records`).Scan(&most); err != nil || most < commonFrom {
		return queryWords{telling: tokens}, err
	}
	for _, token := range tokens {
		var count int
		err := s.db.QueryRowContext(ctx, `SELECT count(*) FROM (SELECT 1 FROM records_fts WHERE records_fts MATCH ? LIMIT ?)`,
			matchAny([]string{token}), commonFrom).Scan(&count)
		switch {
		case err != nil:
			return queryWords{}, err
		case count >= commonFrom:
			words.common = append(words.common, token)
		case count >= frequentFrom:
			words.frequent = append(words.frequent, token)
		case count > 0:
			words.telling = append(words.telling, token)
		}
	}
	return words, nil
}

// byLevel orders rows m, each with the id of what was used, by the closed form of the base level (Petrov 2006): of n uses
// with the weight w, the last one t_n and the first one t_1 ago, 1/sqrt(t_n) + 2(w-1)/(sqrt(t_1)+sqrt(t_n)). What was
// never used comes last, among equals the latest record comes first. ? is now in milliseconds.
const byLevel = `LEFT JOIN activations a ON a.subject = m.id CROSS JOIN (SELECT ? AS now)
	ORDER BY 1 / sqrt(max(1, now - a.last_access_ms)) +
		2 * (a.weight - 1) / (sqrt(max(1, now - a.first_access_ms)) + sqrt(max(1, now - a.last_access_ms))) DESC, m.seq DESC LIMIT ?`

// commonest answers a query of common words only: the most active of the latest records that have all of them, or else
// any. They are all about equally good matches, so the score is the share of the query.
func (s search) commonest(ctx context.Context, tokens []string, keep filter, limit int) ([]memory.Hit, error) {
	if len(tokens) == 0 {
		return nil, nil
	}
	for _, expression := range []string{matchAll(tokens), matchAny(tokens)} {
		query := `SELECT ` + recordColumns + `, 1 FROM (SELECT m.seq FROM (
				SELECT records_fts.rowid AS seq, r.id AS id FROM records_fts CROSS JOIN records r ON r.seq = records_fts.rowid
				WHERE records_fts MATCH ? AND ` + keep.sql + ` ORDER BY records_fts.rowid DESC LIMIT ?) m ` + byLevel + `
			) best CROSS JOIN records r ON r.seq = best.seq`
		args := append(append([]any{expression}, keep.args...), max(limit, mostActive), toMs(s.opts.Now()), max(limit, finalists))
		hits, err := s.hits(ctx, query, args...)
		if err != nil || len(hits) > 0 {
			return hits, err
		}
	}
	return nil, nil
}

// lastUsed returns the most active of the records that were used last.
func (s search) lastUsed(ctx context.Context, keep filter, limit int) ([]memory.Hit, error) {
	query := `SELECT ` + recordColumns + `, 0 FROM (SELECT m.seq FROM (
			SELECT r.seq AS seq, r.id AS id FROM activations u CROSS JOIN records r ON r.id = u.subject
			WHERE ` + keep.sql + ` ORDER BY u.last_access_ms DESC LIMIT ?) m ` + byLevel + `
		) best CROSS JOIN records r ON r.seq = best.seq`
	args := append(slices.Clone(keep.args), max(limit, mostActive), toMs(s.opts.Now()), max(limit, finalists))
	return s.hits(ctx, query, args...)
}

// citing returns the records whose source is one of refs or lies in it, newest first.
func (s search) citing(ctx context.Context, refs []string, keep filter, limit int) ([]memory.Hit, error) {
	var spans [][]string
	for _, ref := range refs {
		for _, span := range spansOf(ref) {
			spans = append(spans, []string{span.from, span.to})
		}
	}
	if len(spans) == 0 {
		return nil, nil
	}
	// CROSS JOIN keeps SQLite from reading whole indexes instead of the spans.
	query := `SELECT ` + recordColumns + `, 0 FROM records r WHERE r.seq IN (
			SELECT c.seq FROM json_each(?1) span CROSS JOIN records c
			WHERE c.source_ref <> '' AND c.source_ref >= span.value ->> 0 AND c.source_ref < span.value ->> 1
			UNION SELECT c.seq FROM json_each(?2) ref CROSS JOIN citations t CROSS JOIN records c
			WHERE t.now_path = ref.value ->> 0 AND (ref.value ->> 1 = '' OR t.now_chunk_id = ref.value ->> 1) AND c.id = t.record)
		AND ` + keep.sql + ` ORDER BY r.updated_at_ms DESC, r.seq DESC LIMIT ?`
	args := append([]any{jsonList(spans), jsonList(citedPlaces(refs))}, keep.args...)
	return s.hits(ctx, query, append(args, limit)...)
}

// citedPlaces are the paths that refs name, each with the chunk's id when it names one.
func citedPlaces(refs []string) [][]string {
	var places [][]string
	for _, ref := range refs {
		rest, isChunk := strings.CutPrefix(ref, "code:")
		switch i := strings.LastIndexByte(rest, ':'); {
		case ref == "":
		case isChunk && i > 0:
			places = append(places, []string{rest[:i], ref})
		case !isChunk:
			places = append(places, []string{ref, ""})
		}
	}
	return places
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

// named returns the records with these ids that pass the filter.
func (s search) named(ctx context.Context, ids []string, keep filter) ([]memory.Hit, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return s.hits(ctx, `SELECT `+recordColumns+`, 0 FROM records r WHERE r.id IN (SELECT value FROM json_each(?)) AND `+keep.sql,
		append([]any{jsonList(ids)}, keep.args...)...)
}

// hits runs a query for recordColumns and a score.
func (s search) hits(ctx context.Context, query string, args ...any) ([]memory.Hit, error) {
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
