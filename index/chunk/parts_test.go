package chunk

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/index/syntax"
)

// checkParts holds what is promised of the parts of a chunk and of overlaps.
func checkParts(t *testing.T, name string, c *Chunk, src []byte) {
	t.Helper()
	if c.Tokens != tokens(c.Span) || c.Overlap.End > c.Span.Start {
		t.Fatalf("%s: %s has %d tokens and the overlap %v at %v", name, c.QualifiedName(), c.Tokens, c.Overlap, c.Span)
	}
	at := c.Span.Start
	for i, p := range c.Parts {
		if gap := (Span{at, p.Span.Start}); p.Span.Start < at || len(strings.TrimSpace(string(gap.In(src)))) > 0 {
			t.Fatalf("%s: part %d of %s leaves a gap %v", name, i, c.QualifiedName(), gap)
		}
		if p.Span.Empty() || p.Overlap.End > p.Span.Start || i == 0 && !p.Overlap.Empty() || p.Tokens != tokens(p.Span) {
			t.Fatalf("%s: part %d of %s is %+v", name, i, c.QualifiedName(), p)
		}
		at = p.Span.End
	}
	if len(c.Parts) > 0 && at != c.Span.End || len(c.Parts) == 1 {
		t.Fatalf("%s: %d parts of %s end at %d of %v", name, len(c.Parts), c.QualifiedName(), at, c.Span)
	}
}

// longFunction is a Go function of n if statements.
func longFunction(n int) string {
	var b strings.Builder
	b.WriteString("package p\n\n// Long does much.\nfunc Long(x int) int {\n")
	for i := range n {
		fmt.Fprintf(&b, "\tif x == %d {\n\t\tx += compute(%d)\n\t\tlog.Print(x)\n\t}\n", i, i)
	}
	return b.String() + "\treturn x\n}\n\nfunc After() {}\n"
}

func TestLongFunctionsHaveParts(t *testing.T) {
	src := longFunction(150)
	f := analyze(t, "go", src)
	checkFile(t, "long", f, []byte(src))
	long := &f.Chunks[1]
	if long.ID("p.go") != "code:p.go:Long" || len(long.Parts) < 3 {
		t.Fatalf("%s has %d parts", long.ID("p.go"), len(long.Parts))
	}
	for i, p := range long.Parts {
		text := string(p.Span.In([]byte(src)))
		if p.Tokens > 600 {
			t.Errorf("part %d has %d tokens", i, p.Tokens)
		}
		if i == 0 {
			continue
		}
		if !strings.HasPrefix(text, "\tif x ==") {
			t.Errorf("part %d begins inside of a statement: %.40q", i, text)
		}
		before := long.Parts[i-1].Span
		share := 100 * (p.Overlap.End - p.Overlap.Start) / (before.End - before.Start)
		if share < 10 || share > 15 || p.Overlap.End != before.End {
			t.Errorf("part %d repeats %d %% of the one before: %v of %v", i, share, p.Overlap, before)
		}
	}
	if after := &f.Chunks[2]; after.Name != "After" || after.Parts != nil {
		t.Errorf("a short function has parts: %+v", after)
	}
}

func TestPiecesOverlap(t *testing.T) {
	src := strings.Repeat("words and more words\n", 600)
	f := BuildText([]byte(src))
	for i := 1; i < len(f.Chunks); i++ {
		before, c := f.Chunks[i-1].Span, f.Chunks[i]
		share := 100 * (c.Overlap.End - c.Overlap.Start) / (before.End - before.Start)
		if c.Overlap.End != before.End || share < 10 || share > 15 {
			t.Errorf("chunk %d repeats %d %%: %v of %v", i, share, c.Overlap, before)
		}
	}
	if len(f.Chunks) < 3 || !f.Chunks[0].Overlap.Empty() {
		t.Errorf("%d chunks, the first repeats %v", len(f.Chunks), f.Chunks[0].Overlap)
	}
}

// kinds writes every chunk as its kind and its qualified name.
func kinds(f *File) string {
	var list []string
	for i := range f.Chunks {
		list = append(list, string(f.Chunks[i].Kind)+" "+f.Chunks[i].QualifiedName())
	}
	return strings.Join(list, ", ")
}

func TestKinds(t *testing.T) {
	for _, tc := range []struct{ language, src, want string }{
		{"markdown", "# Setup\n\nRun:\n\n```sh\nmake\n```\n\n## Test\n\nx\n", "MARKDOWN_SECTION Setup, CODE_BLOCK Setup.sh, MARKDOWN_SECTION Setup.Test"},
		{"python", "#!/usr/bin/python\n'''Loads users.'''\nimport os\n\nclass A:\n    '''An A.'''\n    def f(self): pass\n\ndef g(): pass\n",
			"COMMENT remainder, DOCSTRING remainder, CODE_BLOCK remainder, CODE_CLASS A, CODE_FUNCTION A.f, CODE_FUNCTION g"},
		{"typescript", "import { z } from 'zod';\n\n/** A user. */\nexport interface User { id: string }\n\n/** Loads one. */\nexport function load(): User { return z(); }\n",
			"CODE_BLOCK remainder, CODE_CLASS User, CODE_FUNCTION load"},
		{"yaml", "# Ports.\nversion: 3\n\nservices:\n  database:\n    image: x\n    ports: 1\n  web:\n    image: y\n", "CODE_BLOCK remainder, YAML_BLOCK services, YAML_BLOCK services.database, YAML_BLOCK services.web"},
		{"sql", "-- Who buys.\ncreate table users (email text);\n\n-- Fast.\nCREATE INDEX i ON users (email);\n", "SQL_STATEMENT CREATE users, SQL_STATEMENT INDEX users.email"},
		{"json", `{"a": {"b": {"c": 1}, "d": 2}, "e": [1]}`, "CODE_BLOCK remainder, CODE_BLOCK a, CODE_BLOCK a.b, CODE_BLOCK e"},
		{"dockerfile", "FROM a AS one\nRUN x\nFROM b\nRUN y\n", "CODE_BLOCK one, CODE_BLOCK b"},
		{"go", "// Copyright.\n//\n// All rights.\n\nfunc F() {}\n", "COMMENT remainder, CODE_FUNCTION F"},
	} {
		f := analyze(t, tc.language, tc.src)
		if got := kinds(f); got != tc.want {
			t.Errorf("%s: %s\nwant %s", tc.language, got, tc.want)
		}
		checkFile(t, tc.language, f, []byte(tc.src))
	}
}

// TestWhatBelongsTogetherStaysTogether: a class has its docstring and none of its methods, a method its own text, an export the
// comment above it.
func TestWhatBelongsTogetherStaysTogether(t *testing.T) {
	cart := "class Cart(Base):\n    '''Holds wishes.'''\n    size = 3\n\n    def __init__(self):\n        self.items = []\n\n" +
		"    def add(self, x):\n        self.items.append(x)\n"
	users := "import { z } from 'zod';\n\n/**\n * Loads one user.\n */\nexport function load() { return z(); }\n\n" +
		"/** Stores it. */\nexport const store = (u) => { put(u); };\n"
	for _, tc := range []struct {
		language, src, name string
		has                 []string
		lacks               string
	}{
		{"python", cart, "Cart", []string{"class Cart(Base):", "Holds wishes.", "size = 3"}, "append"},
		{"python", cart, "Cart.__init__", []string{"self.items = []"}, "append"},
		{"python", cart, "Cart.add", []string{"def add", "self.items.append"}, "wishes"},
		{"typescript", users, "load", []string{"Loads one user.", "export function load"}, "Stores"},
		{"javascript", users, "store", []string{"/** Stores it. */", "export const store", "put(u)"}, "Loads"},
	} {
		f := analyze(t, tc.language, tc.src)
		i := slices.IndexFunc(f.Chunks, func(c Chunk) bool { return c.QualifiedName() == tc.name })
		if i < 0 {
			t.Errorf("%s: no %s among %s", tc.language, tc.name, kinds(f))
			continue
		}
		var own strings.Builder
		for _, s := range OwnSpans(f, i) {
			own.Write(s.In([]byte(tc.src)))
		}
		for _, part := range tc.has {
			if !strings.Contains(own.String(), part) {
				t.Errorf("%s: %s lacks %q: %q", tc.language, tc.name, part, own.String())
			}
		}
		if strings.Contains(own.String(), tc.lacks) {
			t.Errorf("%s: %s has %q: %q", tc.language, tc.name, tc.lacks, own.String())
		}
	}
}

func TestLongYAMLStringsAreCutByLines(t *testing.T) {
	src := "script: |\n" + strings.Repeat("  run a long command\n", 400) + "next:\n  - a\n"
	f := analyze(t, "yaml", src)
	checkFile(t, "yaml", f, []byte(src))
	pieces := 0
	for i := range f.Chunks {
		if c := &f.Chunks[i]; c.Name == "script" {
			pieces++
			if c.Tokens > 600 || c.Kind != KindYAML {
				t.Errorf("piece %d is a %s of %d tokens", i, c.Kind, c.Tokens)
			}
		}
	}
	if pieces < 3 {
		t.Errorf("%d pieces: %s", pieces, kinds(f))
	}
}

func TestNotebook(t *testing.T) {
	src := `{"cells": [{"cell_type": "markdown", "source": ["# Load\n", "words"]},
		{"cell_type": "code", "outputs": [{"text": ["secret output"]}], "source": ["def f():\n", "    return g()\n"]}], "metadata": {}}`
	f := analyze(t, "notebook", src)
	if got, want := kinds(f), "MARKDOWN_SECTION Load, CODE_BLOCK cell 2, CODE_FUNCTION f"; got != want {
		t.Fatalf("%s, want %s", got, want)
	}
	for i := range f.Chunks {
		if text := string(f.Chunks[i].Span.In([]byte(src))); strings.Contains(text, "secret") {
			t.Errorf("an output is in chunk %d: %s", i, text)
		}
	}
	if fn := f.Chunks[2]; string(fn.NameSpan.In([]byte(src))) != "f" || len(fn.Calls) != 1 || fn.Calls[0].Name != "g" {
		t.Errorf("the function is %+v", fn)
	}
}

func TestGenerated(t *testing.T) {
	for src, want := range map[string]bool{
		"// Code generated by x. DO NOT EDIT.\n\npackage p\n": true, "# This file is automatically @generated by Cargo.\n": true,
		"/**\n * @generated\n */\n": true, "{\n  \"name\": \"x\",\n  \"lockfileVersion\": 3\n}": true, "# yarn lockfile v1\n": true,
		"package p\n\nconst s = \"Code generated by x. DO NOT EDIT.\"\n": false, "words about @generated files\n": false, "": false,
		strings.Repeat("x\n", 4000) + "// @generated\n": false,
	} {
		if got := BuildText([]byte(src)).Generated; got != want {
			t.Errorf("%.60q: %v, want %v", src, got, want)
		}
	}
	for name, want := range map[string]bool{
		"a/go.sum": true, `a\package-lock.json`: true, "x.pb.go": true, "app.min.js": true, "main.go": false, "min.js": false,
	} {
		if got := GeneratedName(name); got != want {
			t.Errorf("GeneratedName(%q) = %v", name, got)
		}
	}
}

// TestBrokenCodeKeepsItsNeighbours checks that what stands around an error is found.
func TestBrokenCodeKeepsItsNeighbours(t *testing.T) {
	for _, tc := range []struct{ language, src string }{
		{"go", "package p\n\nfunc Before() {}\n\nfunc Broken( {\n\tx := ]\n}\n\nfunc After() {}\n"},
		{"typescript", "function Before() {}\n\nclass Broken<in out T> { accessor x = @@; }\n\nexport function After() {}\n"},
		{"python", "def Before():\n    pass\n\ndef Broken(a):\n    x = = 1 ]\n\ndef After():\n    pass\n"},
		{"rust", "fn Before() {}\n\nfn Broken(x: ) -> { let = ; }\n\nfn After() {}\n"},
		{"java", "class A {\n  void Before() {}\n\n  void Broken( { int = ; }\n\n  void After() {}\n}\n"},
		{"ruby", "def Before\n  1\nend\n\ndef Broken(\n  x = = 1\nend\n\ndef After\n  2\nend\n"},
		{"php", "<?php\nfunction Before() {}\n\nfunction Broken() { $x = = ; ] }\n\nfunction After() {}\n"},
		{"c", "int Before(void) { return 1; }\n\nint Broken(int { x = ; }\n\nint After(void) { return 2; }\n"},
	} {
		f := analyze(t, tc.language, tc.src)
		checkFile(t, tc.language, f, []byte(tc.src))
		if got := kinds(f); !f.Errors || !strings.Contains(got, "Before") || !strings.Contains(got, "After") {
			t.Errorf("%s: errors %v in %s", tc.language, f.Errors, got)
		}
	}
}

// TestPromisesInEveryLanguage checks the promises on the test data of package syntax, whole and cut off anywhere.
func TestPromisesInEveryLanguage(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles the queries of every language, and cuts a text in each")
	}
	files, err := filepath.Glob("../syntax/testdata/outline/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no test data:", err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lang := syntax.ByPath(strings.TrimSuffix(file, ".txt"))
		if lang.Name == "notebook" {
			continue // its outputs are in no chunk
		}
		for _, end := range []int{len(src), len(src) / 2, len(src) / 3} {
			f, err := Analyze(lang, src[:end])
			if err != nil && !errors.Is(err, syntax.ErrBudget) { // cut off, Groovy takes for ever
				t.Fatal(file, err)
			}
			checkFile(t, file, f, src[:end])
		}
	}
}
