package api

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/internal/text"
)

func ptr[T any](v T) *T { return &v }

func TestHitOnTheWire(t *testing.T) {
	hit := engine.Hit{
		ID: "code:a.go:F", Type: "function",
		Symbol: snippet.Symbol{Kind: "CODE_FUNCTION", Name: "F", Language: "go"},
		Location: snippet.Location{Path: "a b.go",
			Abs: "/w/a b.go", Range: &text.Range{Start: text.Position{Line: 1, Byte: 4, UTF16: 3}, End: text.Position{Line: 2}}},
		Content:   snippet.Content{Snippet: "func F() {}", Tokens: 7},
		Relevance: snippet.Relevance{Score: 0.5, Scores: engine.Scores{BM25: ptr(1.5), Semantic: ptr(math.NaN()), Final: 0.5}},
		Git:       &engine.GitInfo{Commits: 3, LastModified: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), State: "tracked"},
		Source:    "overlay",
	}
	want := `{"id":"code:a.go:F","type":"function","kind":"CODE_FUNCTION","name":"F","language":"go",` +
		`"uri":"file:///w/a%20b.go","path":"a b.go","range":{"start":{"line":1,"character":CHAR},"end":{"line":2,"character":0}},` +
		`"snippet":"func F() {}","score":0.5,"scores":{"bm25":1.5,"semantic":0,"final":0.5},"explanation":"","provenance":"",` +
		`"git":{"commits":3,"lastModified":"2026-01-02T03:04:05Z","state":"tracked"},"tokens":7,"source":"overlay"}`
	for enc, char := range map[text.Encoding]string{text.UTF8: "4", text.UTF16: "3"} {
		got, err := json.Marshal(FromHit(hit, enc))
		if err != nil {
			t.Fatal(err)
		}
		if want := strings.ReplaceAll(want, "CHAR", char); string(got) != want {
			t.Errorf("%s:\n got %s\nwant %s", EncodingName(enc), got, want)
		}
	}
}

// TestEmptyResults pins that lists are never null and nothing required is missing.
func TestEmptyResults(t *testing.T) {
	tests := []struct {
		value any
		want  string
	}{
		{FromSearchResult(&engine.SearchResult{Mode: "keyword", Elapsed: 1500 * time.Microsecond, Index: engine.IndexState{State: index.Ready}}, 0),
			`{"hits":[],"total":0,"mode":"keyword","confidence":0,"notes":[],"elapsedMs":1.5,` +
				`"index":{"state":"ready","files":0,"chunks":0,"snapshot":0,"pending":[]}}`},
		{FromContextResult(&engine.ContextResult{}, 0),
			`{"text":"","snippets":[],"excerpts":0,"tokens":{"goal":0,"snippets":0,"graph":0,"memory":0,"overhead":0,"total":0},` +
				`"budgetTokens":0,"omitted":0,"sent":0,"notes":[]}`},
		{FromQueryResult(&engine.QueryResult{Course: engine.Course{Phases: []engine.Phase{{Name: "ASSESS", Status: "ok"}}}}, 0),
			`{"queryId":"","answer":"","format":"markdown","confidence":0,"verified":false,"complexity":"","citations":[],` +
				`"warnings":[],"phases":[{"phase":"ASSESS","status":"ok","durationMs":0,"percentage":0}],` +
				`"cost":{"usd":0,"promptTokens":0,"completionTokens":0,"calls":0},"cached":false,"totalDurationMs":0}`},
		{FromRelatedResult(&engine.RelatedResult{}, 0), `{"edges":[],"notes":[]}`},
		{FromProgress(engine.Progress{QueryID: "q", Stage: "ASSESS", Status: "complete", Done: -1}),
			`{"queryId":"q","stage":"ASSESS","status":"complete","detail":""}`},
		{FromProgress(engine.Progress{Done: 0}), `{"queryId":"","stage":"","status":"","detail":"","progress":0}`},
		{RememberResult{}, `{"id":"","created":false}`},
		{FromRemoval(engine.Removal{}), `{"deleted":0,"ids":[]}`},
		{RestoreResult{IDs: []string{}, Forgotten: FromForgotten(nil)}, `{"restored":0,"ids":[]}`},
		{RefreshResult{}, `{"jobId":"","filesQueued":0}`},
		{FromRebuild(&engine.RebuildResult{Full: true, Files: 3, Job: index.Job{ID: "rebuild-1"}}),
			`{"jobId":"rebuild-1","status":"queued","scope":"full","estimatedFiles":3,"estimatedSeconds":0,"message":""}`},
		{FromRebuild(&engine.RebuildResult{Bytes: 2e9, StoreSize: 1.5e6}),
			`{"status":"completed","scope":"partial","estimatedFiles":0,"estimatedSeconds":0,"message":"",` +
				`"details":{"byLanguage":null,"totalSizeGB":2,"currentIndexSize":"1.5 MB","sourceBytes":2000000000,"indexBytes":1500000}}`},
		{FromJob(index.Job{ID: "j", Status: index.JobRunning, Done: 1, Total: 4, Started: time.Unix(0, 0)}, time.Unix(10, 0)),
			`{"jobId":"j","status":"in_progress","progress":{"filesProcessed":1,"filesTotal":4,"percentComplete":25,` +
				`"startedAt":"1970-01-01T00:00:00Z","estimatedCompletion":"1970-01-01T00:00:40Z"}}`},
	}
	for _, test := range tests {
		got, err := json.Marshal(test.value)
		if err != nil || string(got) != test.want {
			t.Errorf("%T, %v:\n got %s\nwant %s", test.value, err, got, test.want)
		}
	}
}

func TestStatusHasEveryField(t *testing.T) {
	raw, err := json.Marshal(FromStatus(&engine.Status{Index: index.Status{State: index.Indexing}, Version: "v"}))
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Fields("state folders files chunks embeddings sizeBytes watcher writer llm embedder " +
		"performance languages providers jobs warnings version") {
		if value, ok := fields[name]; !ok || string(value) == "null" {
			t.Errorf("field %s is %s", name, value)
		}
	}
}

func TestDecodeNamesTheField(t *testing.T) {
	tests := []struct {
		params string
		into   any
		field  string // "" when it is fine
	}{
		{``, &SearchParams{}, ""},
		{`null`, &SearchParams{}, ""},
		{`{"query":"a","unknown":1,"scope":null}`, &SearchParams{}, ""},
		{`{"query":5}`, &SearchParams{}, "query"},
		{`{"limit":"ten"}`, &SearchParams{}, "limit"},
		{`{"limit":1.5}`, &SearchParams{}, "limit"},
		{`{"scope":{"paths":"a"}}`, &SearchParams{}, "scope.paths"},
		{`[]`, &SearchParams{}, "params"},
		{`"text"`, &SearchParams{}, "params"},
		{`{"position":{"line":"x"}}`, &RelatedParams{}, "position.line"},
	}
	for _, test := range tests {
		err := Decode(json.RawMessage(test.params), test.into)
		if test.field == "" {
			if err != nil {
				t.Errorf("%s: %v", test.params, err)
			}
			continue
		}
		var refused *engine.Error
		if !errors.As(err, &refused) || refused.Kind != engine.Invalid || refused.Detail != test.field || !strings.HasPrefix(refused.Message, test.field+":") {
			t.Errorf("%s: error %v, want an invalid %s", test.params, err, test.field)
		}
	}
}

func TestOffsets(t *testing.T) {
	lines := text.NewLines([]byte("añ𐐀b\r\nsecond\n"))
	tests := []struct {
		at     Position
		enc    text.Encoding
		offset int
		ok     bool
	}{
		{Position{0, 2}, text.UTF16, 3, true},
		{Position{0, 4}, text.UTF16, 7, true},
		{Position{0, 3}, text.UTF8, 3, true},
		{Position{0, 99}, text.UTF16, 8, true},       // past the end of the line
		{Position{1, 6}, text.UTF8, 16, true},        // before the terminator
		{Position{2, 0}, text.UTF8, 17, true},        // after the last terminator
		{Position{3, 5}, text.UTF8, 17, true},        // past the end
		{Position{1 << 31, 0}, text.UTF16, 17, true}, // far past the end
		{Position{-1, 0}, text.UTF8, 0, false},
		{Position{0, -1}, text.UTF16, 0, false},
	}
	for _, test := range tests {
		if got, ok := ToOffset(lines, test.at, test.enc); got != test.offset || ok != test.ok {
			t.Errorf("%+v in %s: %d %v, want %d %v", test.at, EncodingName(test.enc), got, ok, test.offset, test.ok)
		}
	}
	if _, _, ok := ToOffsets(lines, Range{Start: Position{1, 3}, End: Position{1, 1}}, text.UTF8); ok {
		t.Error("a reversed range passed")
	}
}

// FuzzOffsets: whatever the text and the place, the offset lies in the text and converting back and forth is stable.
func FuzzOffsets(f *testing.F) {
	f.Add("a\r\nb𐐀\n", 1, 2)
	f.Add("\xff\xfe\r", 0, 1)
	f.Fuzz(func(t *testing.T, content string, line, character int) {
		lines := text.NewLines([]byte(content))
		for _, enc := range []text.Encoding{text.UTF8, text.UTF16} {
			offset, ok := ToOffset(lines, Position{line, character}, enc)
			if ok != (line >= 0 && character >= 0) {
				t.Fatalf("ok is %v for %d:%d", ok, line, character)
			}
			if offset < 0 || offset > len(content) {
				t.Fatalf("offset %d outside %d bytes", offset, len(content))
			}
			at := FromPosition(lines.Position(offset), enc)
			if again, ok := ToOffset(lines, at, enc); !ok || FromPosition(lines.Position(again), enc) != at {
				t.Fatalf("%+v goes to %d and back to %+v", at, again, FromPosition(lines.Position(again), enc))
			}
		}
	})
}
