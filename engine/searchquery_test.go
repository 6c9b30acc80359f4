package engine

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParseQuery(t *testing.T) {
	tests := []struct {
		query string
		want  searchQuery
	}{
		{"", searchQuery{}},
		{"  \t\n", searchQuery{}},
		{"parse config", searchQuery{words: "parse config"}},
		{"type:function,method lang:go parse", searchQuery{words: "parse", types: []string{"function", "method"}, languages: []string{"go"}}},
		{"TYPE:Class Lang:TS", searchQuery{types: []string{"Class"}, languages: []string{"TS"}}},
		{"path:internal/ path:cmd x", searchQuery{words: "x", paths: []string{"internal/", "cmd"}}},
		{`path:"my dir/a" x`, searchQuery{words: "x", paths: []string{"my dir/a"}}},
		{"tag:decision,db", searchQuery{tags: []string{"decision", "db"}}},
		{`"open  store" quickly`, searchQuery{words: "open store quickly", phrases: []string{"open store"}}},
		{`say "hi`, searchQuery{words: `say "hi`}},
		{`fmt.Println("a b")`, searchQuery{words: `fmt.Println("a b")`}},
		{`""`, searchQuery{}},
		{"type: function", searchQuery{words: "type: function"}},
		{"std::vector http://x", searchQuery{words: "std::vector http://x"}},
		{"a\x00b\u0007c", searchQuery{words: "a b c"}},
		{"'; DROP TABLE records; -- .*(", searchQuery{words: "'; DROP TABLE records; -- .*("}},
		{`cart -test -"old price" -path:web/`, searchQuery{words: "cart", without: []string{"test", "old price"}, notPaths: []string{"web/"}}},
		{"tail -f --follow -1 a-b -", searchQuery{words: "tail -f --follow -1 a-b -"}},
		{"-verbose", searchQuery{words: "verbose"}},
		{"-path:web/", searchQuery{notPaths: []string{"web/"}}},
		{"🙂 שלום مرحبا", searchQuery{words: "🙂 שלום مرحبا"}},
	}
	for _, tt := range tests {
		if got := parseQuery(tt.query); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("parseQuery(%q)\n got %+v\nwant %+v", tt.query, got, tt.want)
		}
	}
}

func TestParseQueryShortensPastedText(t *testing.T) {
	var b strings.Builder
	for b.Len() < 10_000 {
		b.WriteString("word")
		b.WriteByte(byte('a' + b.Len()%26))
		b.WriteByte(byte('a' + b.Len()/26%26))
		b.WriteString(" ")
	}
	q := parseQuery(b.String())
	if !q.shortened || len(strings.Fields(q.words)) > maxQueryTerms {
		t.Fatalf("shortened %v, %d words", q.shortened, len(strings.Fields(q.words)))
	}
	if q := parseQuery(strings.Repeat("größe ", 10<<20/7)); !q.shortened || len(q.words) > maxQueryBytes || !utf8.ValidString(q.words) {
		t.Errorf("of 10 MB %d bytes are left, shortened %v", len(q.words), q.shortened)
	}
	if q := parseQuery(strings.Repeat("same words again ", 600)); q.shortened {
		t.Error("a long query of few terms was shortened")
	}
}

func FuzzParseQuery(f *testing.F) {
	for _, s := range []string{"", `type:"a b" "c`, `path:"`, `"x" lang:`, "a:b:c", "\xff\xfe\"", `tag:,,,`, `"`, `""""`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		q := parseQuery(s)
		if utf8.ValidString(s) && !utf8.ValidString(q.words) {
			t.Fatalf("%q became invalid UTF-8 %q", s, q.words)
		}
		_ = identifiers(q.words)
	})
}

func TestIdentifiers(t *testing.T) {
	tests := []struct {
		words string
		want  []string
	}{
		{"Search", []string{"Search"}},
		{"Search()", []string{"Search"}},
		{"(*Engine).Search", []string{"Engine.Search"}},
		{"Engine::search", []string{"Engine.search"}},
		{"where is parseConfig used", []string{"parseConfig"}},
		{"the get_user_data function", []string{"get_user_data"}},
		{"open store", []string{"openstore", "open_store"}},
		{"how do we open the store again", nil},
		{"what is index.Open?", []string{"index.Open"}},
		{"HTTPServer errors here now please", []string{"HTTPServer"}},
		{"README HTTP docs are very old", nil},
		{"", nil},
		{"...", nil},
	}
	for _, tt := range tests {
		if got := identifiers(tt.words); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("identifiers(%q) = %q, want %q", tt.words, got, tt.want)
		}
	}
}
