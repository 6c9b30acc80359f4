package flat

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/memory"
)

// Table is where versions before this one kept everything, in columns that nobody wrote down: they are told by
// their names.
const Table = "vector_store_data"

// names are the names under which a value may be kept, as a column or in the JSON of a column, the likeliest
// first.
var names = map[string][]string{
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

// meta are the columns whose JSON holds further values.
var meta = []string{"metadata", "meta", "extra", "attributes"}

// Record maps the columns of an old row by their names.
func Record(columns []string, values []any) memory.Record {
	row := map[string]any{}
	for i, name := range columns {
		name = strings.ToLower(name)
		if bytes, ok := values[i].([]byte); ok && !slices.Contains(names["content"], name) {
			values[i] = string(bytes)
		} else if ok {
			values[i] = strings.ToValidUTF8(string(bytes), "")
		}
		row[name] = values[i]
	}
	for _, name := range meta {
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
		for _, name := range names[what] {
			if v := row[name]; v != nil && v != "" {
				return v
			}
		}
		return nil
	}
	text := func(what string) string { s, _ := value(what).(string); return s }
	r := memory.Record{
		Type: typeOf(text("type")), Title: text("title"), Content: text("content"), SourceType: text("sourceType"),
		SourceRef: text("source"), Tags: tagsOf(value("tags")), Author: memory.Author{GoalID: text("goal"), AgentName: text("agent")},
		Stamp: memory.Stamp{CreatedAt: timeOf(value("created")), UpdatedAt: timeOf(value("updated"))},
	}
	if f, ok := value("importance").(float64); ok && f > 0 && f <= 1 {
		r.Importance = f
	}
	if id := text("id"); id != "" {
		r.ID = id
	} else if n, ok := value("id").(int64); ok {
		r.ID = fmt.Sprintf("know:%s-%d", Table, n)
	}
	r.SourceType = cmp.Or(r.SourceType, "memory")
	return r
}

func typeOf(name string) memory.Type {
	if strings.HasPrefix(strings.ToLower(name), "reas") {
		return memory.Reasoning
	}
	return memory.Knowledge
}

// tagsOf reads a list, a list as JSON, or words between commas.
func tagsOf(value any) []string {
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

// timeOf reads seconds or milliseconds since 1970, or a date; of anything else it makes the zero time.
func timeOf(value any) time.Time {
	const year5000 = 95_617_584_000 // in seconds; larger numbers are milliseconds
	switch v := value.(type) {
	case int64:
		return timeOf(float64(v))
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
