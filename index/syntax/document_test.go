package syntax

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
)

// sameAsFresh checks that a document's outline is that of a fresh parse.
func sameAsFresh(t *testing.T, d *Document, text []byte) bool {
	t.Helper()
	got, err := d.Outline()
	if err != nil {
		t.Fatal(err)
	}
	want := mustParse(t, d.Language(), text)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("after an edit the outline is\n%s\nbut a fresh parse gives\n%s\nof %q",
			describe(string(text), got), describe(string(text), want), text)
		return false
	}
	return true
}

func apply(text []byte, e Edit) []byte {
	next := append([]byte{}, text[:e.Start]...)
	next = append(next, e.New...)
	return append(next, text[e.OldEnd:]...)
}

func corpus(t testing.TB) map[string][]byte {
	t.Helper()
	texts := map[string][]byte{}
	files, _ := filepath.Glob("testdata/outline/*.txt")
	for _, file := range files {
		if src, err := os.ReadFile(file); err == nil {
			texts[strings.TrimSuffix(file, ".txt")] = src
		}
	}
	if len(texts) == 0 {
		t.Fatal("no test data")
	}
	return texts
}

// pieces are what random edits insert: what people type, and what breaks parsers.
var pieces = []string{
	"x", "foo", "\n", "\r\n", "\r", "\t", "    ", "{", "}", "(", ")", "\"", "'", "`", "/*", "*/", "//", "# ", "```\n", "===\n",
	"func f() {}\n", "def g():\n    pass\n", "class A {\n m() {}\n}\n", "// größe 漢字 😀\n", "é", "😀", "\x00", "\xff",
	"import x\n", "\n\n", ";", "=>", "type T struct{}\n", "- a\n", "> q\n", "@d\n", "", "", "", "",
}

func randomEdit(r *rand.Rand, text []byte) Edit {
	start := r.IntN(len(text) + 1)
	end := min(len(text), start+r.IntN(12)*r.IntN(2))
	return Edit{start, end, []byte(pieces[r.IntN(len(pieces))])}
}

// TestEditEqualsFreshParse makes random edits, some of them several at once, and takes half of them back, so that
// texts are whole as often as they are broken.
func TestEditEqualsFreshParse(t *testing.T) {
	rounds := 30
	if testing.Short() {
		rounds = 3
	}
	for file, src := range corpus(t) {
		if ByPath(file).patience > 0 {
			continue // broken texts would cost the whole of it, and have no outline
		}
		for _, crlf := range []bool{false, true} {
			if crlf {
				src = []byte(strings.ReplaceAll(string(src), "\n", "\r\n"))
			}
			r := rand.New(rand.NewPCG(1, uint64(len(file))))
			d := NewDocument(ByPath(file), src)
			text := src
			for range rounds {
				before := text
				var edits []Edit
				for range 1 + r.IntN(3) {
					e := randomEdit(r, text)
					edits, text = append(edits, e), apply(text, e)
				}
				d.Edit(text, edits)
				if !sameAsFresh(t, d, text) {
					t.Fatalf("%s: edits %v", file, edits)
				}
				if r.IntN(2) == 0 {
					d.Edit(before, []Edit{{0, len(text), before}})
					text = before
				}
			}
			d.Close()
		}
	}
}

func FuzzEdit(f *testing.F) {
	f.Add("a.go", "package a\nfunc f() {}\n", 10, 3, "g\r\n")
	f.Add("a.py", "def f():\n  pass\n# é\ndef g(): pass\n", 18, 1, "  ")
	f.Add("a.md", "# A\n\ntext\n\n## B\n```\n# c\n```\n", 20, 0, "`")
	f.Add("a.ts", "class A { m() {} }\nfunction f() {}", 17, 1, "/*")
	f.Add("a.jsx", "const A = () => <B c='d'/>\n", 16, 2, "{}")
	f.Fuzz(func(t *testing.T, file, src string, start, length int, insert string) {
		lang := ByPath(file)
		if lang == nil || len(src)+len(insert) > 4096 {
			t.Skip()
		}
		start = max(0, min(start, len(src)))
		e := Edit{start, start + max(0, min(length, len(src)-start)), []byte(insert)}
		d := NewDocument(lang, []byte(src))
		defer d.Close()
		text := apply([]byte(src), e)
		d.Edit(text, []Edit{e})
		sameAsFresh(t, d, text)
	})
}

func TestEditThatDoesNotFit(t *testing.T) {
	text := []byte("package a\n\nfunc F() {}\n")
	next := []byte("package a\n\nfunc G() { F() }\n")
	for name, edits := range map[string][]Edit{
		"none":            nil,
		"before the text": {{-1, 3, nil}},
		"past the text":   {{0, 999, nil}},
		"backwards":       {{5, 2, []byte("x")}},
		"another result":  {{0, 3, []byte("zzz")}},
		"too many":        make([]Edit, maxEdits+1),
	} {
		t.Run(name, func(t *testing.T) {
			d := NewDocument(ByName("go"), text)
			defer d.Close()
			d.Edit(next, edits)
			sameAsFresh(t, d, next)
		})
	}
}

func TestDocumentClosed(t *testing.T) {
	before := Live()
	d := NewDocument(ByName("go"), []byte("package a"))
	if Live() != before+1 {
		t.Errorf("an open document keeps %d trees, want 1", Live()-before)
	}
	d.Close()
	d.Close()
	d.Edit([]byte("package b"), nil)
	if _, err := d.Outline(); !errors.Is(err, ErrClosed) {
		t.Errorf("outline of a closed document: %v, want ErrClosed", err)
	}
	if Live() != before {
		t.Errorf("%d trees are left", Live()-before)
	}
}

// TestDocumentRecovers checks that a document whose text could not be parsed goes on once it can.
func TestDocumentRecovers(t *testing.T) {
	deep := []byte(strings.Repeat("(", maxDepth+1))
	d := NewDocument(ByName("go"), deep)
	defer d.Close()
	if _, err := d.Outline(); !errors.Is(err, ErrTooDeep) {
		t.Errorf("outline: %v, want ErrTooDeep", err)
	}
	text := []byte("package a\nfunc F() {}\n")
	d.Edit(text, []Edit{{0, len(deep), text}})
	sameAsFresh(t, d, text)
	d.Edit(deep, []Edit{{0, len(text), deep}})
	if _, err := d.Outline(); !errors.Is(err, ErrTooDeep) {
		t.Errorf("outline: %v, want ErrTooDeep", err)
	}
}

func TestDocumentIsSafeForConcurrentUse(t *testing.T) {
	text := []byte("package a\nfunc F() {}\n")
	d := NewDocument(ByName("go"), text)
	defer d.Close()
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			for n := range 25 {
				if i%2 == 0 {
					d.Edit(append(text[:len(text):len(text)], strings.Repeat("var x = f()\n", n)...), nil)
				} else if _, err := d.Outline(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
}
