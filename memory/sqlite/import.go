package sqlite

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/chunkschema"
)

// maxLine is the most bytes that a line of an import may have: a record's content, escaped, and all else of it.
const maxLine = 8 << 20

var readOnly = &sql.TxOptions{ReadOnly: true}

// known counts the rows of an import that the store has already.
const known = "known already"

// Import implements memory.Store. It is all or nothing: an error names the line at fault, and nothing was added. What
// the store has already is left as it is, so that importing twice changes nothing.
func (s *Store) Import(ctx context.Context, r io.Reader) (memory.Counts, error) {
	if err := s.uses.flush(ctx); err != nil {
		return nil, fmt.Errorf("import memory: %w", err)
	}
	var counts memory.Counts
	err := s.write(ctx, func(tx tx) error {
		i := &importer{tx: tx, counts: memory.Counts{}, ids: map[string]string{}, columns: map[string][]string{}, copies: map[string]int{}}
		counts = i.counts
		if err := i.begin(ctx); err != nil {
			return err
		}
		if err := i.lines(ctx, r); err != nil {
			return err
		}
		return rebuildUses(ctx, tx)
	})
	if err != nil {
		return nil, fmt.Errorf("import memory: %w", err)
	}
	return counts, nil
}

// An importer adds lines to a store in one transaction.
type importer struct {
	tx      tx
	counts  memory.Counts
	ids     map[string]string   // of records that the store has under another id
	columns map[string][]string // of the tables, without seq
	fresh   bool                // the store had no events
	copies  map[string]int      // by event: how many the store had, less those met so far
}

func (i *importer) begin(ctx context.Context) error {
	for _, table := range exportedTables {
		i.columns[table] = slices.DeleteFunc(columnsOf(ctx, i.tx, table), func(name string) bool { return name == "seq" })
	}
	return i.tx.QueryRowContext(ctx, `SELECT NOT EXISTS (SELECT 1 FROM access_events)`).Scan(&i.fresh)
}

func (i *importer) lines(ctx context.Context, r io.Reader) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	number := 0
	for lines.Scan() {
		number++
		if err := ctx.Err(); err != nil {
			return err
		}
		text := bytes.TrimSpace(lines.Bytes())
		if len(text) == 0 {
			continue
		}
		if err := i.line(ctx, text); err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("line %d: %w: it has more than %d bytes", number+1, memory.ErrInvalid, maxLine)
	}
	return lines.Err()
}

// line adds one line: a row of an export or a chunk.
func (i *importer) line(ctx context.Context, text []byte) error {
	var l line
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&l); err != nil {
		return fmt.Errorf("%w: no JSON object (%v)", memory.ErrInvalid, err)
	}
	switch {
	case l.Aurora != "" && l.Format > exportVersion:
		return fmt.Errorf("%w: format %d is from a newer AURORA; this one knows formats up to %d", memory.ErrInvalid, l.Format, exportVersion)
	case l.Aurora != "":
		return nil
	case l.Table == "":
		r, err := chunkschema.Record(text)
		if errors.Is(err, chunkschema.ErrNotKept) {
			i.counts["scored too low"]++
			return nil
		}
		if err != nil {
			return err
		}
		return i.record(ctx, r, nil)
	case l.Table == "records":
		r, deleted, err := recordOf(l.Row)
		if err != nil {
			return err
		}
		return i.record(ctx, r, deleted)
	case !slices.Contains(exportedTables, l.Table):
		return fmt.Errorf("%w: there is no table %q", memory.ErrInvalid, l.Table)
	}
	return i.row(ctx, l.Table, l.Row)
}

// record adds a record as it is, with its id and times.
func (i *importer) record(ctx context.Context, r memory.Record, deleted *int64) error {
	r, err := memory.Prepare(r)
	if err != nil {
		return err
	}
	if r.CreatedAt.IsZero() {
		r.CreatedAt = i.tx.now
	}
	if r.UpdatedAt.IsZero() {
		r.UpdatedAt = r.CreatedAt
	}
	same, err := findSame(ctx, i.tx, r)
	if err == nil {
		i.ids[cmp.Or(r.ID, same.ID)] = same.ID
		i.counts[known]++
		return nil
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	given := r.ID
	if _, err := findRow(ctx, i.tx, `id = ?`, given); err == nil { // another text by that name
		r.ID = ""
	}
	seq, id, err := insert(ctx, i.tx, r)
	if err != nil {
		return err
	}
	i.ids[given] = id
	i.counts["records"]++
	if deleted != nil {
		_, err := i.tx.ExecContext(ctx, `UPDATE records SET deleted_at_ms = ? WHERE seq = ?`, *deleted, seq)
		return err
	}
	if err := addCitations(ctx, i.tx, id, r.Citations); err != nil {
		return err
	}
	return indexTokens(ctx, i.tx, seq, r)
}

// recordOf reads a row of the table of records. Unknown columns, of a newer AURORA, are left out.
func recordOf(row map[string]any) (r memory.Record, deleted *int64, err error) {
	text := func(name string) string { s, _ := row[name].(string); return s }
	number := func(name string) *float64 {
		n, ok := row[name].(json.Number)
		if f, err := n.Float64(); ok && err == nil {
			return &f
		}
		return nil
	}
	moment := func(name string) *int64 {
		n, ok := row[name].(json.Number)
		if ms, err := n.Int64(); ok && err == nil {
			return &ms
		}
		return nil
	}
	r = memory.Record{
		ID: text("id"), Type: memory.Type(text("type")), Title: text("title"), Content: text("content"),
		SourceType: text("source_type"), SourceRef: text("source_ref"), Workspace: text("workspace"), Author: memory.Author{GoalID: text("goal_id"), AgentName: text("agent_name")},
		Quality: memory.Quality{SuccessScore: number("success_score"), Confidence: number("confidence")},
		Subject: memory.Subject{SemanticRole: text("semantic_role"), Domain: text("domain")}, Chunk: []byte(text("chunk")),
	}
	if n := number("importance"); n != nil {
		r.Importance = *n
	}
	if n := number("is_pattern"); n != nil {
		r.Pattern = *n != 0
	}
	created, updated := moment("created_at_ms"), moment("updated_at_ms")
	if created == nil || updated == nil {
		return r, nil, fmt.Errorf("%w: a record needs created_at_ms and updated_at_ms, in milliseconds since 1970", memory.ErrInvalid)
	}
	r.CreatedAt, r.UpdatedAt = fromMs(*created), fromMs(*updated)
	for name, list := range map[string]*[]string{"tags": &r.Tags, "keywords": &r.Keywords} {
		if s := text(name); s != "" {
			if err := json.Unmarshal([]byte(s), list); err != nil {
				return r, nil, fmt.Errorf("%w: %s is no list of strings", memory.ErrInvalid, name)
			}
		}
	}
	return r, moment("deleted_at_ms"), nil
}

// renamed are the columns that hold ids of records.
var renamed = []string{"subject", "record", "from_id", "to_id"}

// row adds a row of any other table.
func (i *importer) row(ctx context.Context, table string, row map[string]any) error {
	var columns []string
	var values []any
	for _, name := range i.columns[table] {
		value, given := row[name]
		if !given {
			continue
		}
		if n, ok := value.(json.Number); ok {
			value = n.String() // a STRICT table turns it into its column's type, or refuses it
		}
		if id, ok := value.(string); ok && slices.Contains(renamed, name) {
			value = cmp.Or(i.ids[id], id)
		}
		columns, values = append(columns, name), append(values, value)
	}
	if len(columns) == 0 {
		return fmt.Errorf("%w: the row has none of the columns of %s", memory.ErrInvalid, table)
	}
	if has, err := i.has(ctx, table, columns, values); err != nil || has {
		i.counts[known]++
		return err
	}
	insert := fmt.Sprintf(`INSERT OR IGNORE INTO %s (%s) VALUES (?%s)`, tableFor(table), list(columns), strings.Repeat(", ?", len(columns)-1))
	result, err := i.tx.ExecContext(ctx, insert, values...)
	if blamesRow(err) {
		return fmt.Errorf("%w: %w", memory.ErrInvalid, err)
	}
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return fmt.Errorf("%w: the row is incomplete, or another one has its key", errors.Join(memory.ErrInvalid, err))
	}
	i.counts[table]++
	return nil
}

// has reports whether the store has the row already. Of events, which have no key, as many are added as there are more
// of in the import.
func (i *importer) has(ctx context.Context, table string, columns []string, values []any) (bool, error) {
	if table == "access_events" && i.fresh {
		return false, nil
	}
	key := table + fmt.Sprint(values)
	left, asked := i.copies[key]
	if !asked {
		query := `SELECT count(*) FROM ` + table + ` WHERE ` + strings.Join(columns, ` IS ? AND `) + ` IS ?`
		if table != "access_events" {
			query = `SELECT count(*) FROM ` + table + ` WHERE ` + identity(table, columns)
			values = identityOf(table, columns, values)
		}
		if err := i.tx.QueryRowContext(ctx, query, values...).Scan(&left); err != nil {
			return false, err
		}
	}
	i.copies[key] = max(0, left-1)
	return left > 0, nil
}

// identities are the columns by which rows of a table are the same; tables that are not here compare all.
var identities = map[string][]string{
	"citations":         {"record", "path", "start_line", "chunk_id"},
	"relationships":     {"from_id", "to_id", "type"},
	"goals":             {"id"},
	"difficult_queries": {"signature"},
}

func identity(table string, columns []string) string {
	return strings.Join(identityColumns(table, columns), ` IS ? AND `) + ` IS ?`
}

func identityColumns(table string, columns []string) []string {
	if key := identities[table]; key != nil {
		return common(columns, key)
	}
	return columns
}

func identityOf(table string, columns []string, values []any) []any {
	var key []any
	for _, name := range identityColumns(table, columns) {
		key = append(key, values[slices.Index(columns, name)])
	}
	return key
}

func list(columns []string) string { return strings.Join(columns, ", ") }
