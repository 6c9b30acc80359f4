package querytext

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParseQuery(t *testing.T) {
	tests := []struct {
		query string
		want  Query
	}{
		{"", Query{}},
		{"  \t\n", Query{}},
		{"parse config", Query{Words: "parse config"}},
		{"type:function,method lang:go parse", Query{Words: "parse", Types: []string{"function", "method"}, Languages: []string{"go"}}},
		{"TYPE:Class Lang:TS", Query{Types: []string{"Class"}, Languages: []string{"TS"}}},
		{"path:internal/ path:cmd x", Query{Words: "x", Paths: []string{"internal/", "cmd"}}},
		{`path:"my dir/a" x`, Query{Words: "x", Paths: []string{"my dir/a"}}},
		{"tag:decision,db", Query{Tags: []string{"decision", "db"}}},
		{`"open  store" quickly`, Query{Words: "open store quickly", Phrases: []string{"open store"}}},
		{`say "hi`, Query{Words: `say "hi`}},
		{`fmt.Println("a b")`, Query{Words: `fmt.Println("a b")`}},
		{`""`, Query{}},
		{"bad type:'220'] in lang:=x", Query{Words: "bad type:'220'] in lang:=x"}},
		{"lang:c++,c#,f# x", Query{Words: "x", Languages: []string{"c++", "c#", "f#"}}},
		{"type: function", Query{Words: "type: function"}},
		{"std::vector http://x", Query{Words: "std::vector http://x"}},
		{"a\x00b\u0007c", Query{Words: "a b c"}},
		{"'; DROP TABLE records; -- .*(", Query{Words: "'; DROP TABLE records; -- .*("}},
		{`cart -test -"old price" -path:web/`, Query{Words: "cart", Without: []string{"test", "old price"}, NotPaths: []string{"web/"}}},
		{"tail -f --follow -1 a-b -", Query{Words: "tail -f --follow -1 a-b -"}},
		{"-verbose", Query{Words: "verbose"}},
		{"-path:web/", Query{NotPaths: []string{"web/"}}},
		{"🙂 שלום مرحبا", Query{Words: "🙂 שלום مرحبا"}},
	}
	for _, tt := range tests {
		if got := Parse(tt.query); !reflect.DeepEqual(got, tt.want) {
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
	q := Parse(b.String())
	if !q.Shortened || len(strings.Fields(q.Words)) > MaxTerms {
		t.Fatalf("shortened %v, %d words", q.Shortened, len(strings.Fields(q.Words)))
	}
	if q := Parse(strings.Repeat("größe ", 10<<20/7)); !q.Shortened || len(q.Words) > maxQueryBytes || !utf8.ValidString(q.Words) {
		t.Errorf("of 10 MB %d bytes are left, shortened %v", len(q.Words), q.Shortened)
	}
	if q := Parse(strings.Repeat("same words again ", 600)); q.Shortened {
		t.Error("a long query of few terms was shortened")
	}
}

// A query of 64 KiB of path: filters took 14 seconds: each is compared with each path.
func TestParseBoundsFilters(t *testing.T) {
	for name, query := range map[string]string{
		"paths": "path:*z*q* ", "paths left out": "-path:*z*q* ", "phrases": `"a b" `, "words left out": "-word ",
		"types": "type:function,method ", "languages": "lang:go,c ", "tags": "tag:a,b ", "projects": "project:a,b ",
		"long patterns": "path:" + strings.Repeat("*", 2000) + " ", "long patterns left out": "-path:" + strings.Repeat("*", 2000) + " ",
	} {
		q := Parse("word " + strings.Repeat(query, 100))
		for _, list := range [][]string{q.Phrases, q.Without, q.Types, q.Languages, q.Tags, q.Projects} {
			if len(list) > MaxTerms || !q.Shortened {
				t.Errorf("%s: %d are left, shortened %v", name, len(list), q.Shortened)
			}
		}
		for _, list := range [][]string{q.Paths, q.NotPaths} {
			if len(list) > maxPatterns || len(strings.Join(list, "")) > maxPatternBytes {
				t.Errorf("%s: %d patterns are left", name, len(list))
			}
		}
	}
	if q := Parse("word path:internal/ -path:vendor lang:go,c"); q.Shortened || len(q.Paths)+len(q.NotPaths)+len(q.Languages) != 4 {
		t.Errorf("a short query: %+v", q)
	}
}

func FuzzParseQuery(f *testing.F) {
	for _, s := range []string{"", `type:"a b" "c`, `path:"`, `"x" lang:`, "a:b:c", "\xff\xfe\"", `tag:,,,`, `"`, `""""`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		q := Parse(s)
		if utf8.ValidString(s) && !utf8.ValidString(q.Words) {
			t.Fatalf("%q became invalid UTF-8 %q", s, q.Words)
		}
		_ = Identifiers(q.Words)
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
		{"/users/:id", []string{"/users/:id"}},
		{"/users/{id}", []string{"/users/{id}", "/users/{id"}},
		{"GET /users/{id}", []string{"GET /users/{id}", "/users/{id}"}},
		{"which handler serves '/users/*'?", []string{"/users/*"}},
		{"and / or", nil},
	}
	for _, tt := range tests {
		if got := Identifiers(tt.words); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("identifiers(%q) = %q, want %q", tt.words, got, tt.want)
		}
	}
}
