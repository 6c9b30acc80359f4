package syntax

import (
	"bytes"
	"regexp"
	"strconv"
	"testing"
)

// TestScopes follows names to their declarations. In each text, a use is written name@n, where n numbers the line that
// declares it from 1, or 0 when the text does not.
func TestScopes(t *testing.T) {
	for language, text := range map[string]string{
		"go": `package a
func f(err error, n int) (out string) {
	if err := g(); err@3 != nil {
		n@4, m := 1, n@2
		use(m@4, err@3, out@2, g@0)
	}
	for i, n := range list@0 { use(i@7, n@7) }
	x := n@2
	{ x := x@8; use(x@9) }
	use(err@2, x@8, limit@14)
	switch v := x@8.(type) { case int: use(v@11) }
	go func(n string) { use(n@12, x@8) }(n@2)
}
const limit = 1
type t struct { limit int }
func (r *t) m() { use(r@16, f@2) }
`,
		"python": `import os
limit = 1
def f(a, *rest, key=None):
    total = limit@2 + a@3
    for i in rest@3:
        total@4 = i@5
    def inner(a):
        nonlocal total
        total@4 = a@7
        return a@7 + total@4 + os@1
    return [x@11 + i@5 for x in key@3], inner@7
class C:
    limit = 3
    own = limit@13
    def m(self, value: C):
        with open(value@15) as file:
            return self@15, limit@2, file@16, C@12
total = 1
`,
		"javascript": `import { join, sep as s } from 'path'
const limit = 1
function f(a, { b, c: d, ...rest }, [e] = []) {
  if (a@3) { let a = b@3; var late = a@4 }
  use(a@3, d@3, rest@3, e@3, late@4, join@1, s@1, c@0)
  const g = (x) => x@6 + limit@2
  try { g@6() } catch (error) { use(error@7) }
  for (const item of a@3) use(item@8)
  class L { m() { return L@9 } }
}
f@3()
`,
		"typescript": `import type { T } from './t'
type Limit = number
function f<K>(a: T, b?: Limit): K {
  const x: K = a@3, y: Limit = b@3
  return (z: Limit) => x@4 + z@5
}
interface I { limit: Limit }
`,
		"java": `class A {
  private int limit;
  int f(int a, String... rest) {
    int x = a@3 + limit@2;
    for (int i = 0; i@5 < x@4; i@5++) { int y = i@5; use(y@5, rest@3); }
    for (String s : rest@3) use(s@6);
    try (R r = open()) { r@7.x(); } catch (E e) { use(e@7); }
    return map(v -> v@8 + x@4, y@0);
  }
}
`,
		"c": `#define LIMIT 1
struct s { int x; };
static int total;
int f(struct s *p, int n, char *argv[]) {
  int i = n@4, *q = &i@5;
  for (int i = 0; i@6 < LIMIT@1; i@6++) { int n = i@6; use(n@6, p@4); }
  return i@5 + *q@5 + total@3 + argv@4 + g@0;
}
`,
		"cpp": `class A {
  int limit;
  int f(const B& b, int n = 1) {
    for (auto& x : b@3) { use(x@4, limit@2); }
    auto g = [&](int y) { return y@5 + n@3; };
    return g@5(1);
  }
};
`,
		"rust": `const LIMIT: u8 = 1;
struct S { x: u8 }
fn f(a: u8, mut b: S) -> u8 {
    let a = a@3 + LIMIT@1;
    let a = a@4;
    if let Some(c) = g(a@5) { use(c@6, b@3); }
    match b@3 { Some(d) => d@7, _ => a@5 };
    let h = |y| y@8 + a@5;
    for i in h@8 { use(i@9); }
}
`,
		"csharp": `class A {
  private int limit;
  int F(int a, string b) {
    var x = a@3 + limit@2;
    foo(v => v@5 + x@4, out var y);
    if (o is T t) use(t@6, b@3);
    try { } catch (E e) { use(e@7); }
  }
}
`,
		"ruby": `LIMIT = 1
def f(a, b = 2, *rest, key: 3, &block)
  x = a@2 + LIMIT@1
  rest@2.each { |i| use(i@4, x@3) }
  items.each do |a, (c, d)| use(a@5, c@5, block@2) end
  use(a@2, key@2, y@0)
end
`,
		"php": `<?php
function f($a, T ...$rest) {
  $x = $a@2;
  foreach ($rest@2 as $k => $v) { use1($k@4, $v@4); }
  $g = function ($y) use ($x) { return $y@5; };
  try {} catch (E $e) { use1($e@6, $x@3); }
  return fn($z) => $z@7;
}
`,
	} {
		checkLookups(t, language, text)
	}
}

var markedUse = regexp.MustCompile(`([$\w]+)@(\d+)`)

func checkLookups(t *testing.T, language, marked string) {
	t.Helper()
	var text bytes.Buffer
	type use struct {
		name   string
		offset int
		want   string
	}
	var uses []use
	for {
		at := markedUse.FindStringSubmatchIndex(marked)
		if at == nil {
			text.WriteString(marked)
			break
		}
		text.WriteString(marked[:at[0]])
		uses = append(uses, use{marked[at[2]:at[3]], text.Len(), marked[at[4]:at[5]]})
		text.WriteString(marked[at[2]:at[3]])
		marked = marked[at[1]:]
	}
	src := text.Bytes()
	scopes, err := FindScopes(ByName(language), src)
	if err != nil || scopes == nil {
		t.Fatalf("%s: %v", language, err)
	}
	for _, u := range uses {
		got := "0"
		if d, ok := scopes.Lookup(u.name, u.offset); ok {
			got = lineText(src, d.Name.Start)
		}
		if got != u.want {
			t.Errorf("%s line %s: %s is declared in line %s, want %s", language, lineText(src, u.offset), u.name, got, u.want)
		}
	}
}

func lineText(src []byte, offset int) string {
	return strconv.Itoa(bytes.Count(src[:offset], newline) + 1)
}

func TestMembersAndKeys(t *testing.T) {
	src := []byte("package a\ntype t struct { limit int; next *t }\nvar x = t{limit: 1}\n")
	scopes, err := FindScopes(ByName("go"), src)
	if err != nil {
		t.Fatal(err)
	}
	found := scopes.Members("t", bytes.Index(src, []byte("t struct")), "next")
	if len(found) != 1 || scopes.Text(found[0].Type) != "t" || found[0].Owner != "t" {
		t.Errorf("next: %+v", found)
	}
	if _, ok := scopes.Lookup("limit", 20); ok {
		t.Error("a field is known by its plain name")
	}
	key, ok := scopes.Key(bytes.Index(src, []byte("limit: 1")))
	if !ok || scopes.Text(key.Type) != "t" {
		t.Errorf("key of %q, %v", scopes.Text(key.Type), ok)
	}
	if scopes, err := FindScopes(ByName("toml"), src); scopes != nil || err != nil {
		t.Errorf("a language without rules: %v, %v", scopes, err)
	}
}
