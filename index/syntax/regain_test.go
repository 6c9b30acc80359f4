package syntax

import (
	"strings"
	"testing"
)

// halfTyped are texts with something in the middle that is still being typed.
var halfTyped = map[string]string{
	"a.go":     "package a\n\nfunc Before() {}\n\n// Open is.\nfunc Open( {\n\n// After is.\nfunc After() { call() }\n\nconst LIMIT = 1\n\ntype Last struct{ a int }\n",
	"a.ts":     "export function Before() {}\nexport class Open { kept() { return 1 }\n  method( {\nexport function After() { return call() }\nexport const LIMIT = 1\nexport interface Last { a: number }\n",
	"a.js":     "function Before() {}\nconst Open = (a => {\nfunction After() { return call() }\nconst LIMIT = 1\nclass Last { a() {} }\n",
	"a.py":     "def Before(): pass\n\ndef Open(a, (:\n    x = [\n\n# After is.\ndef After():\n    call()\n\nLIMIT = 1\n\nclass Last:\n    a = 1\n",
	"A.java":   "class Around {\n    public void Before() {}\n\n    public void Open( {\n\n    /** After is. */\n    public void After() { call(); }\n\n    static int LIMIT = 1;\n    public static class Last {}\n}\n",
	"a.rs":     "fn Before() {}\n\nfn Open( {\n\n/// After is.\nfn After() { call() }\n\nconst LIMIT: i32 = 1;\nstruct Last { a: i32 }\n",
	"a.cs":     "class Around {\n    public void Before() {}\n\n    public void Open( {\n\n    public void After() { call(); }\n\n    public const int LIMIT = 1;\n    public class Last {}\n}\n",
	"a.kt":     "fun Before() {}\n\nfun Open( {\n\nfun After() { call() }\n\nval LIMIT = 1\nclass Last(val a: Int)\n",
	"a.c":      "void Before(void) {}\n\nint Open(int a, {\n  if (a\n\nstatic int After(void) {\n  return call();\n}\n\nenum { LIMIT = 1 };\nint Last(int a)\n{\n  return a;\n}\n",
	"a.php":    "<?php\nfunction Before() {}\n\nfunction Open( {\n\nfunction After() { call(); }\n\nconst LIMIT = 1;\nclass Last {}\n",
	"a.rb":     "def Before\nend\n\ndef Open(\n\ndef After\n  call()\nend\n\nLIMIT = 1\nclass Last\nend\n",
	"a.lua":    "function Before() end\n\nfunction Open( {\n\nfunction After() return call() end\n\nLIMIT = 1\nlocal function Last() end\n",
	"a.groovy": "class Around {\n    void Before() {}\n\n    void Open( {\n\n    void After() { call() }\n\n    static final LIMIT = 1\n    static class Last {}\n}\n",
}

// TestHalfTyped: what stands before and behind an error is found.
func TestHalfTyped(t *testing.T) {
	for file, src := range halfTyped {
		t.Run(file, func(t *testing.T) {
			out := mustParse(t, ByPath(file), []byte(src))
			known := map[string]bool{}
			for _, d := range out.Definitions {
				known[d.Name] = true
				if d.Name == "After" && strings.Contains(src, "After is.") && d.Doc.Empty() {
					t.Error("After has lost its comment")
				}
			}
			for _, s := range out.Symbols {
				known[s.Name] = true
			}
			for _, c := range out.Calls {
				known[c.Name] = true
			}
			for _, name := range []string{"Before", "After", "LIMIT", "Last", "call"} {
				if !known[name] {
					t.Errorf("%s is not found in\n%s", name, describe(src, out))
				}
			}
			if !out.HasError {
				t.Error("nothing says that there is an error")
			}
			doc := NewDocument(ByPath(file), []byte(src))
			defer doc.Close()
			same, err := doc.Outline()
			if err != nil || describe(src, same) != describe(src, out) {
				t.Errorf("a document differs: %v\n%s", err, describe(src, same))
			}
		})
	}
}
