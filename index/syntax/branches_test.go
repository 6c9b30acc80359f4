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

// TestEditQueriesOneBranch edits one of many definitions and counts what was asked of the query anew.
func TestEditQueriesOneBranch(t *testing.T) {
	var src []byte
	for i := range 50 {
		src = fmt.Appendf(src, "// F%d does it.\nfunc F%d() { g%d(%d) }\n\n", i, i, i, i)
	}
	d := NewDocument(ByName("go"), src)
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
		t.Errorf("an edit inside one of 50 functions queried %d children of the root, want 1", fresh)
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
