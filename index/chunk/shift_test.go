package chunk_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/syntax"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// TestShiftedChunksHoldTheirText replaces random parts of a text: every chunk outside of the difference must hold its
// old words at its new place and line, every chunk around it must begin and end as before.
func TestShiftedChunksHoldTheirText(t *testing.T) {
	var src strings.Builder
	src.WriteString("package p\r\n\n")
	for i := range 30 {
		fmt.Fprintf(&src, "// F%d grüßt 😀.\nfunc F%d(a int) {\n\tg%d(a)\n}\n\n", i, i, i)
	}
	old := []byte(src.String())
	base, err := chunk.Analyze(syntax.ByName("go"), old)
	if err != nil {
		t.Fatal(err)
	}
	inserts := []string{"", "x", "\n\n\n", "// ünï\r\n", "func New() {}\n", "}{"}
	rng := rand.New(rand.NewPCG(3, 4))
	outside, around := 0, 0
	for range 2000 {
		from := rng.IntN(len(old) + 1)
		to := min(len(old), from+rng.IntN(2)*rng.IntN(120))
		now := []byte(string(old[:from]) + inserts[rng.IntN(len(inserts))] + string(old[to:]))
		lines := text.NewLines(now)
		byID := map[string]*chunk.Chunk{}
		for i := range base.Chunks {
			byID[base.Chunks[i].ID("")] = &base.Chunks[i]
		}
		next := chunk.Shift(base, old, now)
		for i := range next.Chunks {
			c := &next.Chunks[i]
			was := byID[c.ID("")]
			got, want := string(c.Span.In(now)), string(was.Span.In(old))
			switch {
			case was.Span.End <= from || was.Span.Start >= to:
				outside++
				if got != want {
					t.Fatalf("[%d,%d) replaced: %s is %q, was %q", from, to, c.ID(""), got, want)
				}
			default:
				around++
			}
			if line := lines.Line(c.Span.Start); c.StartLine != line {
				t.Fatalf("[%d,%d) replaced: %s begins at line %d, not %d", from, to, c.ID(""), line, c.StartLine)
			}
			if strings.HasSuffix(got, "\n") {
				continue // cut off behind a line break, which a parsed chunk never is
			}
			if line := lines.Line(c.Span.End - 1); c.EndLine != line {
				t.Fatalf("[%d,%d) replaced: %s ends at line %d, not %d: was %q, is %q", from, to, c.ID(""), line, c.EndLine, was.Span.In(old), got)
			}
		}
	}
	if outside == 0 || around == 0 {
		t.Errorf("%d chunks outside, %d around a difference", outside, around)
	}
}

// TestMovedSymbolsStayInTheirChunk types before, behind and in a function inside another one.
func TestMovedLocalsStayInTheirChunk(t *testing.T) {
	old := []byte("function a() {}\nfunction b() {\n  function c() {}\n  return c\n}\n")
	base, err := chunk.Analyze(syntax.ByName("javascript"), old)
	if err != nil || len(base.Symbols.List()) != 1 {
		t.Fatal(base.Symbols.List(), err)
	}
	for _, tt := range []struct{ from, to, want string }{
		{"a() {}", "a() { x() }", "function c() {}"},
		{"function a() {}\n", "", "function c() {}"},
		{"return c", "return c()", "function c() {}"},
		{"c() {}", "c() { y() }", "function c() { y() }"},
		{"{}\n  return", "{}\n}\nfunction d() {\n  return", "function c() {}"},
		{"{}\n  return c", "x", ""},
	} {
		now := []byte(strings.Replace(string(old), tt.from, tt.to, 1))
		next := chunk.Shift(base, old, now)
		got := ""
		for _, l := range next.Symbols.List() {
			got = string(l.Span.In(now))
			if around := next.Chunks[l.Chunk]; around.Name != "b" || !around.Span.Covers(l.Span) {
				t.Errorf("%q for %q: %s is said to be in %s", tt.to, tt.from, l.Name, around.Name)
			}
		}
		if got != tt.want {
			t.Errorf("%q for %q: %q, want %q", tt.to, tt.from, got, tt.want)
		}
	}
}
