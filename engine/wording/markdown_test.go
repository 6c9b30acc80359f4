package wording

import (
	"strings"
	"testing"
	"time"
)

func TestEscapeMarkdown(t *testing.T) {
	tests := []struct{ in, want string }{
		{"plain words, snake_case and a.b", "plain words, snake_case and a.b"},
		{"[x](http://evil)", `\[x\](http://evil)`},
		{"<img src=x onerror=y>", `\<img src=x onerror=y\>`},
		{"# not a heading", `\# not a heading`},
		{"1. not a list", `1\. not a list`},
		{"version 1.2", "version 1.2"},
		{"```go", "\\`\\`\\`go"},
		{"_emphasis_ *too*", `_emphasis\_ \*too\*`},
		{"__no__.", "`__no__`."},
		{"_a_, b__", `_a\_, b\_\_`},
		{"Client._send, #7", "Client._send, #7"},
		{"#7", "#7"},
		{"a\x1b[31m", `a \[31m`},
		{"שלום 🙂", "שלום 🙂"},
		{"uv__close and __init__ and _x", "uv__close and `__init__` and _x"},
		{"any `#[a](b) <i>` here", "any `#[a](b) <i>` here"},
		{"(except ``cls``). As an :class:`Option` for the :attr:`C.params` list", "(except `cls`). As an :class:`Option` for the :attr:`C.params` list"},
		{"``a `b` [c](d)`` and `` ` ``", "``a `b` [c](d)`` and `` ` ``"},
		{"``never `closed`", "\\`\\`never `closed`"},
		{"`never [closed](x)", "\\`never \\[closed\\](x)"},
	}
	for _, tt := range tests {
		if got := EscapeMarkdown(tt.in); got != tt.want {
			t.Errorf("escapeMarkdown(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestFencedOutlastsFencesInside(t *testing.T) {
	text := "a\n````\nb"
	got := Fenced("go", text)
	if !strings.HasPrefix(got, "`````go\n") || !strings.HasSuffix(got, "\n`````") {
		t.Errorf("got %q", got)
	}
	if got := InlineCode("a`b``c"); got != "```a`b``c```" {
		t.Errorf("got %q", got)
	}
}

func TestFileURI(t *testing.T) {
	tests := []struct {
		path string
		line int
		want string
	}{
		{"/w/a.go", 3, "file:///w/a.go#L3"},
		{"/w/a b(1)#x.go", 0, "file:///w/a%20b%281%29%23x.go"},
		{"/w/größe.go", 1, "file:///w/gr%C3%B6%C3%9Fe.go#L1"},
	}
	for _, tt := range tests {
		if got := fileURI(tt.path, tt.line); got != tt.want {
			t.Errorf("fileURI(%q) = %q, want %q", tt.path, got, tt.want)
		}
	}
}

func TestAgo(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	tests := []struct {
		before time.Duration
		want   string
	}{
		{-time.Hour, "just now"}, // a clock that went backwards
		{10 * time.Second, "just now"},
		{time.Minute, "1 minute ago"},
		{3 * time.Hour, "3 hours ago"},
		{49 * time.Hour, "2 days ago"},
		{21 * 24 * time.Hour, "3 weeks ago"},
		{100 * 24 * time.Hour, "3 months ago"},
		{800 * 24 * time.Hour, "2 years ago"},
	}
	for _, tt := range tests {
		if got := Ago(now, now.Add(-tt.before)); got != tt.want {
			t.Errorf("ago(%v) = %q, want %q", tt.before, got, tt.want)
		}
	}
}

// Code, in a fence or in a line, is what it was: brackets are no links there, and nothing is escaped.
func TestPlainKeepsCode(t *testing.T) {
	for _, code := range []string{"func G[T any]() **T", `a[i](x) \* "~"`, "a`b``c", "`x`", "type S struct{}\n\n\tx := `y`"} {
		if got := Plain(Fenced("go", code) + "\n\nx"); got != code+"\n\nx" {
			t.Errorf("in a fence: %q, want %q", got, code)
		}
		if got, want := Plain("by "+InlineCode(code)+", "+EscapeMarkdown("*then*")), "by "+OneLine(code)+", *then*"; got != want {
			t.Errorf("in a line: %q, want %q", got, want)
		}
	}
	for _, text := range []string{"`never closed", "``", "a [b] c", `C:\dir\*`, "# no heading", "größer `als`", "1. first"} {
		want := strings.ReplaceAll(text, "`als`", "als")
		if got := Plain(EscapeMarkdown(text)); got != want {
			t.Errorf("text: %q, want %q", got, want)
		}
	}
}

func TestWithoutFileLinks(t *testing.T) {
	code := Fenced("md", "[a](file:///b)")
	md := code + "\n\n**By** " + Link("größer[T] (a_b/c.go:3)", "/w/a (b)/c.go", 3) + ", " + InlineCode("[a](file:///b)") + " \\[a](file:///b) [#7](https://x.org/7)\n"
	want := code + "\n\n**By** " + EscapeMarkdown("größer[T] (a_b/c.go:3)") + ", " + InlineCode("[a](file:///b)") + " \\[a](file:///b) [#7](https://x.org/7)\n"
	if got := WithoutFileLinks(md); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, odd := range []string{"", "[", "\\", "`", "[a](file:///b", "```\n[a](file:///b)"} {
		if got := WithoutFileLinks(odd); got != odd {
			t.Errorf("%q became %q", odd, got)
		}
	}
}

func TestPlain(t *testing.T) {
	md := Fenced("go", "func F()") + "\n\nDefined in " + Link("a_b/c.go:3", "/w/a_b/c.go", 3) + ", see " + EscapeMarkdown("*x* __init__ [y](z)") + "\n\n**a** " + InlineCode("b")
	if got, want := Plain(md), "func F()\n\nDefined in a_b/c.go:3, see *x* __init__ [y](z)\n\na b"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
