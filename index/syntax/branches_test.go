package syntax

import (
	"bytes"
	"fmt"
	"testing"
)

func TestIsLocal(t *testing.T) {
	tests := []struct {
		query string
		want  bool
	}{
		{`(func name: (id) @name (block (stmt)* @body)) @definition.function`, true},
		{`((call name: (id) @call) (#eq? @call "require"))`, true},
		{`((call (id) @a (id) @b) (#eq? @a "x") (#not-eq? @b ")("))`, true},
		{`[(a) (b)] @comment ; (root) in a comment`, true},
		{`(a ((b) . (c))) @scope`, true},
		{`(root (a) @scope)`, false},
		{`(a) @x (root . (string) @doc)`, false},
		{`((comment) @doc . (func) @name)`, false},
		{`(comment)+ @doc`, false},
		{`((comment)* @doc)`, false},
		{`(_ (id) @name)`, false},
	}
	for _, test := range tests {
		if got := isLocal([]byte(test.query), "root"); got != test.want {
			t.Errorf("isLocal(%s) = %v", test.query, got)
		}
	}
}

// TestEditQueriesOneBranch edits one of many definitions and counts what was asked of the query again.
func TestEditQueriesOneBranch(t *testing.T) {
	for language, definition := range map[string]string{
		"go":     "// F%[1]d does it.\nfunc F%[1]d() { g%[1]d(%[1]d) }\n\n",
		"python": "def f%[1]d():\n    'Does it.'\n    g%[1]d(%[1]d)\n\n",
		"c":      "struct s%[1]d { int n; };\nint f%[1]d(struct s%[1]d *s) { return g%[1]d(s); }\n\n",
		"cpp":    "class C%[1]d : public B { int n; int f() { return g%[1]d(n); } };\n\n",
	} {
		var src []byte
		for i := range 50 {
			src = fmt.Appendf(src, definition, i)
		}
		d := NewDocument(ByName(language), src)
		defer d.Close()
		if _, err := d.Outline(); err != nil {
			t.Fatal(err)
		}
		before := d.branches.known
		at := bytes.Index(src, []byte("g25")) + 1
		e := Edit{Start: at, OldEnd: at, New: []byte("é")}
		src = apply(src, e)
		d.Edit(src, []Edit{e})
		sameAsFresh(t, d, src)
		fresh := 0
		for key, b := range d.branches.known {
			if before[key] != b {
				fresh++
			}
		}
		if fresh != 1 {
			t.Errorf("%s: an edit inside one of 50 functions queried %d children of the root, want 1", language, fresh)
		}
	}
}

// TestQueriesAreLocal fails when a pattern makes every keystroke query the whole file.
func TestQueriesAreLocal(t *testing.T) {
	for _, name := range []string{"go", "typescript", "tsx", "javascript", "rust", "java", "ruby", "lua", "python", "c", "cpp"} {
		rules, err := ByName(name).compiled()
		if err != nil {
			t.Fatal(err)
		}
		if !rules.local {
			t.Errorf("a pattern of %s looks at the root or at neighbours", name)
		}
	}
}
