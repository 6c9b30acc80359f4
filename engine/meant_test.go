package engine

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// TestHoverWhereANameStands has names that are methods, functions and classes in one place and ordinary words, variables or
// other things in another.
func TestHoverWhereANameStands(t *testing.T) {
	w := openWorkspace(t, map[string]string{
		"go/make.go": "package p\n\ntype change struct{}\n\n// make makes of a change what Retry wants; see old_name and other().\nfunc (c *change) make() { c.make() }\n\n" +
			"func use() {\n\tmake := 1\n\tprintln(make, \"of make Retry old_name\")\n}\n\nfunc echo() { echo() }\n\nfunc other() {}\n",
		"go/retry.go": "package p\n\n// Retry tries.\nfunc Retry() {}\n\nfunc old_name() { Retry(); old_name() }\n",
		"far/far.go":  "package far\n\n// The Retry of p, and a `Retry`.\nfunc wants() { wants() }\n",
		"Makefile":    "all: ## what wants to be echoed\n\techo make\n\told_name\n",
		"run.sh":      "echo hello # of old_name\n",
		"j/Node.java": "// A copyright (C) of value\nclass Node {\n  Node() {}\n  Node(int value) { use(value); new Node(); }\n  int value() { return this.value(); }\n}\n",
		"j/C.java":    "class C { C() {} }\n",
		"c/a.c":       "static int twice(int x);\nint main(void) { return twice(2); }\nstatic int twice(int x) { return 2 * x; }\n",
		"js/a.js":     "'use strict'\nclass Bus { use(f) { return f }\n  trim() {} }\nconst trim = (s) => s\nexport function a(x) { String(x).trim(); trim(x); bus.use(1) }\n",
		"py/a.py":     "class A:\n    def get(self): return self.get()\n\ndef run(get):\n    \"\"\"to get it\"\"\"\n    return f\"{run(get)}\"\n",
		"rs/a.rs":     "struct S;\nimpl S { fn len<'a>(&'a self) -> usize { let len = 'x'; self.len() } }\n",
		"lua/a.lua":   "local A = {}\nfunction A:init() end\nfunction A.new() A:init() end\n",
		"doc.md":      "# Doc\n\n```echo\nx\n```\n",
	})
	for _, tt := range []struct{ file, marked, want string }{ // want "" for no card
		{"go/make.go", "(c *change) ma|ke", "go/make.go:6"},
		{"go/make.go", "c.ma|ke()", "go/make.go:6"},
		{"go/make.go", "// ma|ke makes", ""},
		{"go/make.go", "ma|ke := 1", ""},
		{"go/make.go", "println(ma|ke,", "go/make.go:9"},
		{"go/make.go", "\"of ma|ke", ""},
		{"go/make.go", "what Re|try wants", "go/retry.go:4"},
		{"go/make.go", "Retry wa|nts;", ""},
		{"go/make.go", "see old_|name", "go/retry.go:6"},
		{"go/make.go", "make Retry old_|name", "go/retry.go:6"},
		{"go/make.go", "oth|er().", "go/make.go:15"},
		{"far/far.go", "The Re|try", ""},
		{"far/far.go", "`Re|try`", "go/retry.go:4"},
		{"Makefile", "ec|ho make", ""},
		{"Makefile", "old_|name", "go/retry.go:6"},
		{"run.sh", "ec|ho hello", ""},
		{"run.sh", "of old_|name", "go/retry.go:6"},
		{"j/Node.java", "(C|)", ""},
		{"j/Node.java", "use(val|ue)", "j/Node.java:4"},
		{"j/Node.java", "this.val|ue()", "j/Node.java:5"},
		{"j/Node.java", "new No|de()", "j/Node.java:2"},
		{"c/a.c", "int twi|ce(int x);", "c/a.c:3"},
		{"c/a.c", "return twi|ce(", "c/a.c:3"},
		{"js/a.js", "'us|e strict'", ""},
		{"js/a.js", "String(x).tr|im()", ""},
		{"js/a.js", "; tr|im(x)", "js/a.js:4"},
		{"js/a.js", "bus.us|e(1)", ""},
		{"py/a.py", "def run(g|et)", ""},
		{"py/a.py", "to ge|t it", ""},
		{"py/a.py", "self.ge|t()", "py/a.py:2"},
		{"py/a.py", "{ru|n(get)}", "py/a.py:4"},
		{"rs/a.rs", "self.le|n()", "rs/a.rs:2"},
		{"rs/a.rs", "let le|n =", ""},
		{"lua/a.lua", "A:in|it() end", "lua/a.lua:2"},
		{"doc.md", "```ec|ho", ""},
	} {
		h := w.hover(tt.file, tt.marked)
		switch {
		case tt.want == "" && h != nil:
			t.Errorf("%s %q: %s", tt.file, tt.marked, h.Markdown)
		case tt.want != "" && (h == nil || !strings.Contains(h.Markdown, "d in ["+tt.want+"]")):
			t.Errorf("%s %q: want %s, have %+v", tt.file, tt.marked, tt.want, h)
		}
	}
}

// TestHoverCountsTheCallersOfWhatIsMeant has calls of a builtin, of another language and of another package with the name.
func TestHoverCountsTheCallersOfWhatIsMeant(t *testing.T) {
	w := openWorkspace(t, map[string]string{
		"a/a.go": "package a\n\ntype change struct{}\n\nfunc (c *change) make() {}\n\nfunc (c *change) both() { c.make() }\n\nfunc one() { _ = make([]int, 1) }\n",
		"b/b.go": "package b\n\nfunc two() { _ = make([]int, 1) }\n",
		"c.sh":   "run() { make all; }\n",
	})
	h := w.hover("a/a.go", "(c *change) ma|ke")
	if h == nil || !strings.Contains(h.Markdown, "Called by [change.both]") {
		t.Errorf("card %+v", h)
	}
}

// The card of a type says which files import it, by its own name, by another one and through files that pass it on.
func TestHoverTellsWhoImportsAType(t *testing.T) {
	files := map[string]string{
		"web/store.ts":          "export class Store {\n  size = 1\n}\n\nexport class Alone {\n  size = 1\n}\n\nexport const limit = 1\n",
		"web/other.ts":          "export class Store {\n  other = 1\n}\n",
		"web/barrel.ts":         "export { Store } from './store'\n",
		"web/a.ts":              "import { limit } from './store'\nimport type { Store } from './barrel'\n\nexport let held: Store\n",
		"web/b.ts":              "import { Store as Shop } from './store'\n\nexport let held: Shop\n",
		"web/c.ts":              "import { Store } from './other'\n\nexport let held: Store\n",
		"web/d.ts":              "import { limit } from './store'\n\nexport const Store = limit\n",
		"web/a.test.ts":         "import { Store } from './store'\n\nexport let held: Store\n",
		"py/model.py":           "class Row:\n    size = 1\n",
		"py/use.py":             "from .model import Row\n\n\ndef read(row: Row):\n    return row.size\n",
		"rs/Cargo.toml":         "[package]\nname = \"rs\"\n",
		"rs/src/lib.rs":         "pub mod model;\npub mod read;\n",
		"rs/src/model.rs":       "pub struct Cell {\n    pub size: u8,\n}\n",
		"rs/src/read.rs":        "use crate::model::Cell;\n\npub fn read(cell: &Cell) -> u8 {\n    cell.size\n}\n",
		"jv/app/model/Box.java": "package app.model;\n\npublic class Box {\n  int size;\n}\n",
		"jv/app/Use.java":       "package app;\n\nimport app.model.Box;\n\nclass Use {\n  int read(Box box) { return 1; }\n}\n",
		"go/a.go":               "package a\n\ntype Pair struct{}\n",
		"go/b.go":               "package a\n\nvar held Pair\n",
	}
	for i := range 310 {
		files[fmt.Sprintf("web/many%03d.ts", i)] = "import { Wide } from './wide'\n\nexport let held: Wide\n"
	}
	files["web/wide.ts"] = "export class Wide {\n  size = 1\n}\n"
	w := openWorkspace(t, files)
	for _, tt := range []struct{ file, marked, want string }{ // want "" for no such line
		{"web/store.ts", "class Sto|re", "Imported by 3 files: [a.ts], [b.ts], [a.test.ts]"},
		{"web/b.ts", "held: Sho|p", "Imported by 3 files: [b.ts], [a.ts], [a.test.ts]"},
		{"web/c.ts", "held: Sto|re", "Imported by 1 file: [c.ts]"},
		{"web/store.ts", "class Alo|ne", ""},
		{"py/use.py", "row: Ro|w", "Imported by 1 file: [use.py]"},
		{"rs/src/read.rs", "&Ce|ll", "Imported by 1 file: [read.rs]"},
		{"jv/app/model/Box.java", "class Bo|x", "Imported by 1 file: [Use.java]"},
		{"go/a.go", "type Pa|ir", ""},
		{"web/wide.ts", "class Wi|de", "Imported by 300 or more files: [many000.ts], [many001.ts], [many002.ts], [many003.ts], [many004.ts], …"},
	} {
		h := w.hover(tt.file, tt.marked)
		if h == nil {
			t.Errorf("%s %s: no card", tt.file, tt.marked)
			continue
		}
		got := ""
		for line := range strings.SplitSeq(h.Markdown, "\n") {
			if strings.HasPrefix(line, "Imported by") {
				got = linkTarget.ReplaceAllString(line, "")
			}
		}
		if got != tt.want {
			t.Errorf("%s %s: %q, want %q in %q", tt.file, tt.marked, got, tt.want, h.Markdown)
		}
	}
}

var linkTarget = regexp.MustCompile(`\(file:[^)]*\)`)
