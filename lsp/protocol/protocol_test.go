package protocol

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/internal/text"
	"go.lsp.dev/jsonrpc2"
	lsp "go.lsp.dev/protocol"
)

func ptr[T any](v T) *T { return &v }

func TestHitOnTheWire(t *testing.T) {
	hit := engine.Hit{
		ID: "code:a.go:F", Type: "function", Kind: "CODE_FUNCTION", Name: "F", Language: "go", Path: "a b.go",
		Abs: "/w/a b.go", Range: &text.Range{Start: text.Position{Line: 1, Byte: 4, UTF16: 3}, End: text.Position{Line: 2}},
		Snippet: "func F() {}", Score: 0.5, Scores: engine.Scores{BM25: ptr(1.5), Semantic: ptr(math.NaN()), Final: 0.5},
		Git:    &engine.GitInfo{Commits: 3, LastModified: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), State: "tracked"},
		Source: "overlay", Tokens: 7,
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
		{FromQueryResult(&engine.QueryResult{Phases: []engine.Phase{{Name: "ASSESS", Status: "ok"}}}, 0),
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
				`"details":{"byLanguage":null,"totalSizeGB":2,"currentIndexSize":"1.5 MB"}}`},
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

func TestFromError(t *testing.T) {
	err := fmt.Errorf("search: %w", &engine.Error{
		Kind: engine.NotIndexed, Message: "a.go is not indexed", Detail: ".gitignore:3", Remedy: "remove the rule",
		Err: errors.New("cause"),
	})
	wire := FromError(err)
	if wire == nil || wire.Code != 1004 || wire.Message != "a.go is not indexed" {
		t.Fatalf("got %+v", wire)
	}
	if want := `{"kind":"notIndexed","detail":".gitignore:3: cause","remedy":"remove the rule"}`; string(wire.Data) != want {
		t.Errorf("data %s, want %s", wire.Data, want)
	}
	if wire := FromError(errors.New("plain")); wire != nil {
		t.Errorf("a plain error became %v", wire)
	}
	for kind, code := range map[engine.Kind]jsonrpc2.Code{
		engine.Invalid: -32602, engine.Guardrail: 1001, engine.Budget: 1002, engine.LLMUnavailable: 1003,
		engine.NotIndexed: 1004, engine.JobConflict: 1005, engine.ConfigInvalid: 1006, engine.Embedding: 1007,
		engine.Storage: 1008, engine.Agent: 1009, engine.Confirmation: 1010, "unheard of": -32603,
	} {
		if wire := FromError(&engine.Error{Kind: kind}); wire.Code != code {
			t.Errorf("%s has code %d, want %d", kind, wire.Code, code)
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
		{`{"textDocument":{"uri":5},"position":{"line":1,"character":2}}`, &lsp.HoverParams{}, "textDocument.uri"},
		{`{"textDocument":{"uri":"file:///a"},"position":{"line":-1,"character":2}}`, &lsp.HoverParams{}, "position.line"},
		{`{"textDocument":{"uri":"file:///a"},"position":{"line":1,"character":true}}`, &lsp.HoverParams{}, "position.character"},
		{`{"textDocument":[],"position":{}}`, &lsp.HoverParams{}, "textDocument"},
		{`[1]`, &lsp.HoverParams{}, "params"},
		{`{"command":5}`, &lsp.ExecuteCommandParams{}, "command"},
		{`null`, &lsp.HoverParams{}, ""},
	}
	for _, test := range tests {
		decode := Decode
		switch test.into.(type) {
		case *lsp.HoverParams, *lsp.ExecuteCommandParams:
			decode = DecodeLSP
		}
		err := decode(json.RawMessage(test.params), test.into)
		if test.field == "" {
			if err != nil {
				t.Errorf("%s: %v", test.params, err)
			}
			continue
		}
		var wire *jsonrpc2.Error
		if !errors.As(err, &wire) || wire.Code != jsonrpc2.InvalidParams || !strings.HasPrefix(wire.Message, test.field+":") {
			t.Errorf("%s: error %v, want -32602 naming %s", test.params, err, test.field)
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

// FuzzDecodeLSP: no parameters make the decoders or the search for the field panic.
func FuzzDecodeLSP(f *testing.F) {
	f.Add(`{"textDocument":{"uri":5},"position":{"line":1,"character":2}}`)
	f.Add(`{"range":{"start":{"line":-1}},"context":{"only":[5]}}`)
	f.Fuzz(func(_ *testing.T, params string) {
		if !json.Valid([]byte(params)) {
			return // package rpc lets nothing else through
		}
		_ = DecodeLSP(json.RawMessage(params), new(lsp.HoverParams))
		_ = DecodeLSP(json.RawMessage(params), new(lsp.CodeActionParams))
		_ = Decode(json.RawMessage(params), new(SearchParams))
		_ = Decode(json.RawMessage(params), new(DidChangeParams))
	})
}
