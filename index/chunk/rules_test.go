package chunk

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/index/syntax"
)

// outlineOf writes a file's chunks as lines: type, qualified name, first and last line of the text.
func outlineOf(f *File, src string) []string {
	var lines []string
	for i := range f.Chunks {
		c := &f.Chunks[i]
		text := strings.Split(string(c.Span.In([]byte(src))), "\n")
		lines = append(lines, fmt.Sprintf("%s %s | %s | %s", c.Type, c.QualifiedName(),
			strings.TrimSpace(text[0]), strings.TrimSpace(text[len(text)-1])))
	}
	return lines
}

func TestRules(t *testing.T) {
	for _, tc := range []struct {
		name, language, src string
		want                []string
	}{
		{"sections hold their own text only", "markdown", "intro\n\n# A\n\na\n\n## B\n\nb\n\n# C\n", []string{
			"code remainder | intro | intro", "code A | # A | a", "code A.B | ## B | b", "code C | # C | # C"}},
		{"classes in functions are found, functions are not", "python",
			"def make():\n    def helper(): pass\n    class Local:\n        def run(self): pass\n    return Local\n", []string{
				"function make | def make(): | return Local", "class make.Local | class Local: | def run(self): pass",
				"method make.Local.run | def run(self): pass | def run(self): pass"}},
		{"a group's brackets belong to its ends", "go", "package p\n\ntype Z int\n\ntype (\n\tA int\n\tB struct{}\n)\n", []string{
			"code remainder | package p | package p", "class Z | type Z int | type Z int", "class A | type ( | A int", "class B | B struct{} | )"}},
		{"a short clause goes with what follows at once", "go", "package p\nfunc F() {}\n", []string{"function F | package p | func F() {}"}},
		{"a clause of its own stays", "go", "package p\n\nfunc F() {}\n", []string{"code remainder | package p | package p", "function F | func F() {} | func F() {}"}},
		{"semicolons are nobody's chunk", "javascript", "class A { m() {} }\n;\n", []string{
			"class A | class A { m() {} } | ;", "method A.m | m() {} | m() {}"}},
		{"white space is no chunk", "go", " \n\t\n", nil},
		{"statements between definitions", "python", "import os\nimport sys\n\nx = os.getcwd() + sys.path[0]\n\ndef f():\n    pass\n\nprint(f() or x or os or sys)\n", []string{
			"code remainder | import os | x = os.getcwd() + sys.path[0]", "function f | def f(): | pass",
			"code remainder | print(f() or x or os or sys) | print(f() or x or os or sys)"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := analyze(t, tc.language, tc.src)
			if got := outlineOf(f, tc.src); !slices.Equal(got, tc.want) {
				t.Errorf("chunks:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(tc.want, "\n"))
			}
		})
	}
}

func TestLongSectionsAreCutButFencesAreNot(t *testing.T) {
	paragraph := strings.Repeat("a line of words\n", 30) + "\n"
	fence := "```go\n" + strings.Repeat("x := 1\n\n", 300) + "```\n"
	src := "# Guide\n\n" + paragraph + paragraph + fence + "\n" + strings.Repeat(paragraph, 4)
	f := analyze(t, "markdown", src)
	if len(f.Chunks) < 4 {
		t.Fatalf("%d chunks: %q", len(f.Chunks), outlineOf(f, src))
	}
	start := strings.Index(src, fence)
	whole := Span{start, start + len(fence) - 1}
	pieces := 0
	for i := range f.Chunks {
		c := &f.Chunks[i]
		if c.Kind == KindBlock {
			if c.ID("x") != "code:x:Guide.go" || c.Span != whole {
				t.Errorf("the fence is %s at %v, want %v", c.ID("x"), c.Span, whole)
			}
			continue
		}
		if c.Name != "Guide" || c.Ordinal != pieces {
			t.Errorf("chunk %d is %s", i, c.ID("x"))
		}
		pieces++
		if overlaps := c.Span.Start < whole.End && whole.Start < c.Span.End; overlaps && !c.Span.Covers(whole) {
			t.Errorf("chunk %d cuts the fence: %v of %v", i, c.Span, whole)
		} else if n := c.Span.End - c.Span.Start; !overlaps && n > maxSection {
			t.Errorf("chunk %d has %d bytes", i, n)
		}
		if c.NameSpan.Empty() != (i > 0) || c.Signature.Empty() != (i > 0) {
			t.Errorf("chunk %d has name %v and signature %v", i, c.NameSpan, c.Signature)
		}
	}
}

func TestCallsBelongToTheInnermostChunk(t *testing.T) {
	f := analyze(t, "python", "class A:\n    x = make()\n    def f(self):\n        g(); g(); h()\n    y = make() or last()\n\nmain(1, 2, 3, 4, 5, 6, 7, 8)\n")
	got := map[string]string{}
	for i := range f.Chunks {
		got[f.Chunks[i].QualifiedName()] = callsOf(&f.Chunks[i])
	}
	for name, want := range map[string]string{"A": "make last", "A.f": "g h", "remainder": "main"} {
		if got[name] != want {
			t.Errorf("%s calls %q, want %q", name, got[name], want)
		}
	}
}

func TestAnalyzeFallsBackToText(t *testing.T) {
	src := []byte(strings.Repeat("(", 5000))
	f, err := Analyze(syntax.ByName("go"), src)
	if err == nil || f == nil || !f.Errors || f.Language != "go" || len(f.Chunks) == 0 {
		t.Errorf("file %+v, error %v", f, err)
	}
	if f, err := Analyze(nil, []byte("words\n")); err != nil || f.Language != Text || len(f.Chunks) != 1 {
		t.Errorf("without a language: %+v, %v", f, err)
	}
}

// TestIdentitySurvivesEditsAbove checks that neither ids nor hashes of the chunks below an edit change.
func TestIdentitySurvivesEditsAbove(t *testing.T) {
	before := analyze(t, "go", goSource)
	after := analyze(t, "go", strings.Replace(goSource, "const limit = 10", "const limit = 10\n\n// More.\nconst more = 11", 1))
	for i := 1; i < len(before.Chunks); i++ {
		b, a := &before.Chunks[i], &after.Chunks[i]
		if b.ID("p") != a.ID("p") || b.Hash != a.Hash || b.StartLine == a.StartLine {
			t.Errorf("%s %x on line %d became %s %x on line %d", b.ID("p"), b.Hash, b.StartLine, a.ID("p"), a.Hash, a.StartLine)
		}
	}
}

// FuzzAnalyze checks the promises of every file on any bytes in any language.
func FuzzAnalyze(f *testing.F) {
	f.Add(goSource)
	f.Add("# A\n\n```\n# b\n```\n\nC\n===\n- d\n")
	f.Add("class A {\n  m() {}\n};\nexport const f = () => 1, g = 2;\n")
	f.Add("impl<'a, T: B + 'a> A<'a> where T: C {\n fn f(&self, (a, S { b: &c, .. }): (X, Y)) -> Result<Self, E> {\n  let v = match a { En::V(p) | En::W { p } => p.g()?, _ => if x { y } else { z } };\n" +
		"  if let Some(ref q @ Ok(_)) = v::<T>::new(r#\"}\"#).await { q.iter().map(|(i, w)| w.h(i)) }\n }\n}\ncfg_a! {\n use a::{b::{self, c as d}, e::*};\n}\n")
	f.Add("@d\nclass A:\n    '''x'''\n    def f(self): g()\n\xff\x00\r\n\r")
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 1<<13 {
			t.Skip()
		}
		for _, lang := range syntax.Languages() {
			file, _ := Analyze(lang, []byte(src))
			if lang.Name != "notebook" { // its outputs are in no chunk
				checkFile(t, lang.Name, file, []byte(src))
			}
		}
		checkFile(t, Text, BuildText([]byte(src)), []byte(src))
	})
}
