package syntax

import (
	"bytes"
	"strings"
	"testing"
)

// TestPlainGroovy: what is parsed in place of a text has its length and lines, and is that text where the grammar knows it.
func TestPlainGroovy(t *testing.T) {
	for src, want := range map[string]string{
		"class A extends B {\n  void f() { a.b }\n}\n": "class A extends B {\n  void f() { a.b }\n}\n",
		"def \"a ü b\"() {\n}\n":                       "def _a____b_() {\n}\n",
		"class A implements B {\n  A(x) {\n  }\n}\n":   "class A              {\nT A(x) {\n  }\n}\n",
		"trait A {\n  static f(x) {}\n}\n":             "class A {\n  def    f(x) {}\n}\n",
		"def f(Object... a, Class<?> b) {}\n":          "def f(Object    a, Class<T> b) {}\n",
		"@X(a = 1)\n@b.Y class A {}\n":                 "@X(      \n   ) class A {}\n",
		"x = \"a(/b\" + ' / '\n":                       "x = \"a(/b\" + ' / '\n",
		"abstract T f()\nabstract class A {}\n":        "public   T f()\npublic   class A {}\n",
	} {
		if got := string(asPlainGroovy([]byte(src), nil)); got != want {
			t.Errorf("%q becomes %q, not %q", src, got, want)
		}
	}
	for _, src := range []string{"", "@", "@a(", "/**", "class", "enum A {", "def \"", "<", "@interface A {", "\t@X("} {
		if got := asPlainGroovy([]byte(src), nil); len(got) != len(src) {
			t.Errorf("%q becomes %q", src, got)
		}
	}
}

// TestPlainGroovyOfMany: what repeats what begins a head without end is read in a time that its length bounds.
func TestPlainGroovyOfMany(t *testing.T) {
	for _, part := range []string{
		"@a(", "@a(\n", "@X('\n", "def f(\n", "class A extends\n", "private static final\n", "enum A { X,\n", "def \"a\n", "A(a,\n", "<T\n", "@A\n",
		"a(@B(", "public <T,\n", "x = /a\n", "<?,", "class A<\n", "enum A {\n", "A\n", "static f(a = (b) + (c), \n",
	} {
		src := []byte(strings.Repeat(part, 200_000/len(part)))
		if got := asPlainGroovy(src, nil); len(got) != len(src) || bytes.Count(got, newline) != bytes.Count(src, newline) {
			t.Errorf("%q: lines or offsets have moved", part)
		}
	}
}

func FuzzPlainGroovy(f *testing.F) {
	f.Add("@X(a = 1)\nabstract class A<T> implements B {\n  A(x...) { this.x = /a/ }\n  def \"a b\"() {}\n}\nenum B { C, D; }\n")
	f.Fuzz(func(t *testing.T, src string) {
		got := asPlainGroovy([]byte(src), nil)
		if len(got) != len(src) || strings.Count(string(got), "\n") != strings.Count(src, "\n") {
			t.Errorf("%q becomes %q", src, got)
		}
	})
}
