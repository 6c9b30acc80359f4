package syntax

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var kindNames = map[Kind]string{Function: "function", Method: "method", Class: "class", Section: "section", Block: "block"}

var symbolNames = map[SymbolKind]string{
	Constant: "constant", Variable: "variable", Field: "field", Property: "property", EnumMember: "enum member", Macro: "macro",
	Member: "member", Type: "type", Namespace: "namespace", Table: "table", Column: "column", Selector: "selector", Key: "key",
	Test: "test", Route: "route", Inner: "inner",
}

// describe writes an outline as lines that a person can compare.
func describe(src string, out *Outline) string {
	var b strings.Builder
	for _, d := range out.Definitions {
		fmt.Fprintf(&b, "%s %s", kindNames[d.Kind], d.Name)
		if d.Container != "" {
			fmt.Fprintf(&b, " in %s", d.Container)
		}
		fmt.Fprintf(&b, " | %s | %s", edges(src, d.Span), src[d.Signature.Start:d.Signature.End])
		if !d.Doc.Empty() {
			fmt.Fprintf(&b, " | %q", src[d.Doc.Start:d.Doc.End])
		}
		b.WriteByte('\n')
	}
	for _, s := range out.Symbols {
		fmt.Fprintf(&b, "%s %s", symbolNames[s.Kind], s.Name)
		if s.Container != "" {
			fmt.Fprintf(&b, " in %s", s.Container)
		}
		fmt.Fprintf(&b, " | %s\n", edges(src, s.Span))
	}
	for _, h := range out.Inherits {
		fmt.Fprintf(&b, "inherits %s: %s\n", h.Subtype, dotted(h.Qualifier, h.Supertype))
	}
	for _, imp := range out.Imports {
		fmt.Fprintf(&b, "import %s %s\n", imp.Path, imp.Name)
	}
	if len(out.Calls) > 0 {
		b.WriteString("calls")
		for _, c := range out.Calls {
			b.WriteString(" " + dotted(c.Qualifier, c.Name))
		}
		b.WriteByte('\n')
	}
	if !out.Doc.Empty() {
		fmt.Fprintf(&b, "doc %q\n", src[out.Doc.Start:out.Doc.End])
	}
	for _, s := range out.Blocks {
		fmt.Fprintf(&b, "block %s\n", edges(src, s))
	}
	if out.HasError {
		b.WriteString("error\n")
	}
	return b.String()
}

// dotted puts the qualifier, if there is one, before a name.
func dotted(qualifier, name string) string {
	if qualifier == "" {
		return name
	}
	return qualifier + "." + name
}

// edges shows where a span begins and ends.
func edges(src string, s Span) string {
	text := src[s.Start:s.End]
	if len(text) <= 24 {
		return fmt.Sprintf("%q", text)
	}
	return fmt.Sprintf("%q..%q", text[:12], text[len(text)-8:])
}

// TestOutline compares the outline of every testdata/outline/<name>.txt with <name>.outline beside it. AURORA_UPDATE=1 rewrites those.
func TestOutline(t *testing.T) {
	files, err := filepath.Glob("testdata/outline/*")
	if err != nil || len(files) == 0 {
		t.Fatal("no test data:", err)
	}
	for _, file := range files {
		file, isSource := strings.CutSuffix(file, ".txt")
		if !isSource {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			src, err := os.ReadFile(file + ".txt")
			if err != nil {
				t.Fatal(err)
			}
			got := describe(string(src), mustParse(t, ByPath(file), src))
			golden := file + ".outline"
			if os.Getenv("AURORA_UPDATE") != "" {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("outline differs from %s:\n%s", golden, got)
			}
		})
	}
}

func mustParse(t testing.TB, lang *Language, src []byte) *Outline {
	t.Helper()
	out, err := Parse(lang, src)
	if err != nil {
		t.Fatal(err)
	}
	if problem := invalid(out, src); problem != "" {
		t.Fatal(problem)
	}
	return out
}

// invalid says which promise of an outline is broken, or "".
func invalid(out *Outline, src []byte) string {
	for i, d := range out.Definitions {
		for _, s := range []Span{d.Span, d.NameSpan, d.Signature, d.Doc} {
			if s.Start < 0 || s.End < s.Start || s.End > len(src) {
				return fmt.Sprintf("definition %d %q has span %v in %d bytes", i, d.Name, s, len(src))
			}
		}
		if !d.Span.Covers(d.NameSpan) || !d.Span.Covers(d.Signature) || !d.Doc.Empty() && !d.Span.Covers(d.Doc) {
			return fmt.Sprintf("definition %d does not hold its parts: %+v", i, d)
		}
		if d.Parent >= i || d.Parent < -1 {
			return fmt.Sprintf("definition %d has parent %d", i, d.Parent)
		}
		if d.Parent >= 0 && !out.Definitions[d.Parent].Span.Covers(d.Span) {
			return fmt.Sprintf("definition %d is not inside its parent", i)
		}
		if i > 0 && compareSpans(out.Definitions[i-1].Span, d.Span) > 0 {
			return fmt.Sprintf("definition %d is out of order", i)
		}
		for _, o := range out.Definitions[:i] {
			if d.Span.Start < o.Span.End && d.Span.End > o.Span.End {
				return fmt.Sprintf("definitions overlap: %+v, %+v", o, d)
			}
		}
	}
	for i, s := range out.Symbols {
		if s.Name != string(src[s.NameSpan.Start:s.NameSpan.End]) || !s.Span.Covers(s.NameSpan) || symbolNames[s.Kind] == "" {
			return fmt.Sprintf("symbol %+v", s)
		}
		if i > 0 && out.Symbols[i-1].NameSpan.Start >= s.NameSpan.Start {
			return fmt.Sprintf("symbol %+v is out of order", s)
		}
	}
	for _, c := range out.Calls {
		if c.Name != string(src[c.Span.Start:c.Span.End]) {
			return fmt.Sprintf("call %+v", c)
		}
	}
	if !slices.IsSortedFunc(out.Calls, func(a, b Call) int { return compareSpans(a.Span, b.Span) }) {
		return "calls are out of order"
	}
	return ""
}
