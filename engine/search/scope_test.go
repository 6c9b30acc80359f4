package search

import (
	"errors"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/search/querytext"
)

func TestCheckTypes(t *testing.T) {
	if got, err := checkTypes([]string{"Function", " class ", "function"}); err != nil || len(got) != 2 {
		t.Fatalf("checkTypes = %q, %v", got, err)
	}
	_, err := checkTypes([]string{"function", "functon"})
	var e *fault.Error
	if !errors.As(err, &e) || e.Kind != fault.Invalid || e.Detail != "scope.types" {
		t.Fatalf("got %#v", err)
	}
	const want = "Invalid chunk type 'functon'. Valid types: function, method, class, code, reasoning, knowledge"
	if err.Error() != want {
		t.Errorf("message %q, want %q", err, want)
	}
}

func TestPathPatterns(t *testing.T) {
	tests := []struct {
		compile func(string) pathPattern
		pattern string
		match   []string
		not     []string
	}{
		{looseMatch, "internal/", []string{"internal/a.go", "x/Internal/a.go"}, []string{"myinternal/a.go", "a/internal.go"}},
		{looseMatch, "search", []string{"engine/search.go", "search/x.go"}, []string{"engine/research.go"}},
		{looseMatch, "*_test.go", []string{"a_test.go", "x/y/a_test.go"}, []string{"a.go"}},
		{looseMatch, "/cmd", []string{"cmd/main.go"}, []string{"xcmd/main.go"}},
		{globMatch, "internal", []string{"internal", "internal/a/b.go"}, []string{"internals/a.go", "x.go"}},
		{globMatch, "internal/**", []string{"internal/a.go", "internal/a/b.go"}, []string{"x/internal/a.go"}},
		{globMatch, "**/*.go", []string{"a.go", "x/y/a.go"}, []string{"a.py"}},
		{globMatch, "*.{ts,tsx}", []string{"a.ts", "x/a.tsx"}, []string{"a.js"}},
		{globMatch, "a?.go", []string{"ab.go"}, []string{"a.go", "abc.go"}},
		{globMatch, "a[!x].go", []string{"ab.go"}, []string{"ax.go"}},
		{globMatch, "a[.go", []string{"a[.go"}, []string{"a.go"}},
		{globMatch, "a[z-b].go", []string{"a[z-b].go"}, []string{"ac.go"}},
		{globMatch, "(.*)+$", nil, []string{"a.go"}},
		{globMatch, "größe/*.go", []string{"größe/a.go"}, []string{"grösse/a.go"}},
		{globMatch, "src/", []string{"src/a.go"}, []string{"a/src.go"}},
	}
	for _, tt := range tests {
		match := tt.compile(cleanPattern(tt.pattern))
		for _, p := range tt.match {
			if !match(p) {
				t.Errorf("%q does not match %q", tt.pattern, p)
			}
		}
		for _, p := range tt.not {
			if match(p) {
				t.Errorf("%q matches %q", tt.pattern, p)
			}
		}
	}
}

func TestFilterLanes(t *testing.T) {
	tests := []struct {
		query        string
		code, memory bool
	}{
		{"x", true, true},
		{"type:function x", true, false},
		{"type:knowledge x", true, true}, // documents are knowledge, too
		{"type:knowledge,reasoning x", false, true},
		{"type:knowledge", false, true},
		{"type:knowledge,class x", true, true},
		{"lang:go x", true, false},
		{"tag:decision x", false, true},
	}
	for _, tt := range tests {
		f, err := newFilter(querytext.Parse(tt.query), Scope{})
		if err != nil {
			t.Fatal(err)
		}
		if f.wantsCode() != tt.code || f.wantsMemory() != tt.memory {
			t.Errorf("%q: code %v, memory %v", tt.query, f.wantsCode(), f.wantsMemory())
		}
	}
}

func FuzzFilterOfQuery(f *testing.F) {
	for _, s := range []string{"", `type:"a b" "c`, `path:"`, `"x" lang:`, "path:[a", "-path:{", `tag:,,,`, `path:**/*.{go`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		q := querytext.Parse(s)
		if filter, err := newFilter(q, Scope{}); err == nil {
			filter.acceptPath("a/b.go")
		}
	})
}
