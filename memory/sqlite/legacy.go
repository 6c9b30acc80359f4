package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/sqlite/cryptvfs"
)

// legacyTable is where versions before this one kept everything, in columns that nobody wrote down: they are told by
// their names.
const legacyTable = "vector_store_data"

// legacyNames are the names under which a value may be kept, as a column or in the JSON of a column, the likeliest
// first.
var legacyNames = map[string][]string{
	"id":         {"id", "record_id", "chunk_id", "key"},
	"content":    {"content", "text", "document", "chunk", "value", "payload"},
	"type":       {"type", "kind"},
	"title":      {"title", "name"},
	"source":     {"source_ref", "source", "path", "file", "file_path", "ref"},
	"sourceType": {"source_type"},
	"tags":       {"tags", "labels"},
	"importance": {"importance", "weight"},
	"goal":       {"goal_id", "goal"},
	"agent":      {"agent_name", "agent"},
	"created":    {"created_at", "created", "timestamp", "ts", "time"},
	"updated":    {"updated_at", "updated", "modified"},
}

// legacyMeta are the columns whose JSON holds further values.
var legacyMeta = []string{"metadata", "meta", "extra", "attributes"}

// isLegacy reports whether the database at path is an old flat one, which the present schema would not fit into.
func isLegacy(ctx context.Context, path string) bool {
	if state, err := cryptvfs.Inspect(path); err != nil || state != cryptvfs.Plain {
		return false
	}
	db, err := sql.Open("sqlite", dsn(path, "mode=ro", pragma("busy_timeout(%d)", busyTimeout.Milliseconds())))
	if err != nil {
		return false
	}
	defer db.Close()
	var old, ours int
	err = db.QueryRowContext(ctx, `SELECT count(*) FILTER (WHERE name = ?), count(*) FILTER (WHERE name = 'migrations')
		FROM sqlite_schema WHERE type = 'table'`, legacyTable).Scan(&old, &ours)
	return err == nil && old == 1 && ours == 0
}

// openLegacy makes a store of an old flat one at path, which is kept beside it.
func openLegacy(ctx context.Context, path string, opts Options) (*Store, error) {
	unfinished := path + ".salvaging"
	for _, suffix := range companions {
		if err := os.Remove(unfinished + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
	}
	s, err := openFile(ctx, unfinished, opts)
	if err != nil {
		return nil, err
	}
	counts, err := s.ImportLegacy(ctx, path)
	if err := errors.Join(err, s.Close()); err != nil {
		return nil, fmt.Errorf("import the old memory %s: %w", path, err)
	}
	if err := os.Rename(unfinished, replacement(path)); err != nil {
		return nil, err
	}
	aside, err := moveAside(path, path+".old-"+opts.Now().UTC().Format("20060102-150405"))
	if err != nil {
		return nil, fmt.Errorf("move the old memory %s aside: %w", path, err)
	}
	if err := finishSalvage(path); err != nil {
		return nil, err
	}
	opts.Log.Info("imported an old memory", "counts", counts, "kept", aside)
	return openFile(ctx, path, opts)
}

// ImportLegacy adds the records of an old flat database, which is only read. Rows without content are counted and left.
func (s *Store) ImportLegacy(ctx context.Context, path string) (memory.Counts, error) {
	from, err := sql.Open("sqlite", dsn(path, "mode=ro", pragma("busy_timeout(%d)", busyTimeout.Milliseconds())))
	if err != nil {
		return nil, err
	}
	defer from.Close()
	counts := memory.Counts{}
	err = s.write(ctx, func(tx tx) error {
		clear(counts)
		i := &importer{tx: tx, counts: counts, ids: map[string]string{}}
		rows, err := from.QueryContext(ctx, `SELECT * FROM `+legacyTable)
		if err != nil {
			return fmt.Errorf("read %s: %w", legacyTable, err)
		}
		columns, err := rows.Columns()
		if err != nil {
			return errors.Join(err, rows.Close())
		}
		values, places := make([]any, len(columns)), make([]any, len(columns))
		for c := range values {
			places[c] = &values[c]
		}
		err = each(rows, func() error {
			if err := rows.Scan(places...); err != nil {
				return err
			}
			err := i.record(ctx, legacyRecord(columns, values), nil)
			if errors.Is(err, memory.ErrInvalid) {
				counts["without usable content"]++
				return nil
			}
			return err
		})
		if err != nil {
			return err
		}
		return rebuildUses(ctx, tx)
	})
	if err != nil {
		return nil, fmt.Errorf("import %s: %w", path, err)
	}
	return counts, nil
}

// legacyRecord maps the columns of an old row by their names.
func legacyRecord(columns []string, values []any) memory.Record {
	row := map[string]any{}
	for i, name := range columns {
		name = strings.ToLower(name)
		if bytes, ok := values[i].([]byte); ok && !slices.Contains(legacyNames["content"], name) {
			values[i] = string(bytes)
		} else if ok {
			values[i] = strings.ToValidUTF8(string(bytes), "")
		}
		row[name] = values[i]
	}
	for _, name := range legacyMeta {
		text, _ := row[name].(string)
		var more map[string]any
		if json.Unmarshal([]byte(text), &more) != nil {
			continue
		}
		for key, value := range more {
			if key = strings.ToLower(key); row[key] == nil {
				row[key] = value
			}
		}
	}
	value := func(what string) any {
		for _, name := range legacyNames[what] {
			if v := row[name]; v != nil && v != "" {
				return v
			}
		}
		return nil
	}
	text := func(what string) string { s, _ := value(what).(string); return s }
	r := memory.Record{
		Type: legacyType(text("type")), Title: text("title"), Content: text("content"), SourceType: text("sourceType"),
		SourceRef: text("source"), Tags: legacyTags(value("tags")), Author: memory.Author{GoalID: text("goal"), AgentName: text("agent")},
		Stamp: memory.Stamp{CreatedAt: legacyTime(value("created")), UpdatedAt: legacyTime(value("updated"))},
	}
	if f, ok := value("importance").(float64); ok && f > 0 && f <= 1 {
		r.Importance = f
	}
	if id := text("id"); id != "" {
		r.ID = id
	} else if n, ok := value("id").(int64); ok {
		r.ID = fmt.Sprintf("know:%s-%d", legacyTable, n)
	}
	r.SourceType = cmp.Or(r.SourceType, "memory")
	return r
}

func legacyType(name string) memory.Type {
	if strings.HasPrefix(strings.ToLower(name), "reas") {
		return memory.Reasoning
	}
	return memory.Knowledge
}

// legacyTags reads a list, a list as JSON, or words between commas.
func legacyTags(value any) []string {
	var tags []string
	switch v := value.(type) {
	case []any:
		for _, tag := range v {
			if s, ok := tag.(string); ok {
				tags = append(tags, s)
			}
		}
	case string:
		if json.Unmarshal([]byte(v), &tags) != nil {
			tags = strings.Split(v, ",")
		}
	}
	return tags
}

// legacyTime reads seconds or milliseconds since 1970, or a date; of anything else it makes the zero time.
func legacyTime(value any) time.Time {
	const year5000 = 95_617_584_000 // in seconds; larger numbers are milliseconds
	switch v := value.(type) {
	case int64:
		return legacyTime(float64(v))
	case float64:
		if v > year5000 {
			return time.UnixMilli(int64(v)).UTC()
		}
		return time.UnixMilli(int64(v * 1000)).UTC()
	case time.Time:
		return v.UTC()
	case string:
		for _, layout := range []string{time.RFC3339Nano, "2006-01-02 15:04:05.999999999", "2006-01-02T15:04:05", "2006-01-02"} {
			if t, err := time.Parse(layout, v); err == nil {
				return t.UTC()
			}
		}
	}
	return time.Time{}
}
