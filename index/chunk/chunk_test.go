package chunk

import (
	"errors"
	"go/build"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/index/syntax"
)

func analyze(t testing.TB, language, src string) *File {
	t.Helper()
	lang := syntax.ByName(language)
	if lang == nil {
		t.Fatalf("no language %q", language)
	}
	f, err := Analyze(lang, []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

const goSource = `// Package p is an example.
package p

import (
	"fmt"
	str "strings"
)

const limit = 10

// A Reader reads.
type Reader struct {
	buf []byte
}

// Read reads a line.
func (r *Reader) Read() string {
	helper := func() { fmt.Println() }
	helper()
	return str.TrimSpace(string(r.buf))
}

func init() {}

func init() { fmt.Print(limit) }
`

func TestBuildGo(t *testing.T) {
	f := analyze(t, "go", goSource)
	var got []string
	for i := range f.Chunks {
		c := &f.Chunks[i]
		got = append(got, string(c.Type)+" "+c.ID("p.go"))
	}
	want := []string{
		"code code:p.go:remainder", "class code:p.go:Reader", "method code:p.go:Reader.Read",
		"function code:p.go:init", "function code:p.go:init~1",
	}
	if !slices.Equal(got, want) {
		t.Fatalf("chunks:\n%s", strings.Join(got, "\n"))
	}
	read := f.Chunks[2]
	for what, s := range map[string]Span{"// Read reads a line.": read.Doc, "func (r *Reader) Read() string": read.Signature, "Read": read.NameSpan} {
		if got := strings.TrimSpace(string(s.In([]byte(goSource)))); got != what {
			t.Errorf("got %q, want %q", got, what)
		}
	}
	calls := []Call{{Name: "Println", Qualifier: "fmt"}, {Name: "helper"}, {Name: "TrimSpace", Qualifier: "str"}}
	if got := slices.DeleteFunc(slices.Clone(read.Calls), func(c Call) bool { return c.Name == "string" }); !slices.Equal(calls, got) {
		t.Errorf("calls %v", read.Calls)
	}
	if read.StartLine != 15 || read.EndLine != 20 {
		t.Errorf("lines %d-%d", read.StartLine, read.EndLine)
	}
	if len(f.Imports) != 2 || f.Imports[1].Path != "strings" || f.Imports[1].Name != "str" || f.Imports[1].Line != 5 {
		t.Errorf("imports %+v", f.Imports)
	}
}

func TestOwnSpansOfNestedChunks(t *testing.T) {
	src := "class A:\n    x = 1\n    def f(self):\n        def inner():\n            pass\n    y = 2\n    def g(self):\n        pass\n"
	f := analyze(t, "python", src)
	if len(f.Chunks) != 3 || f.Chunks[0].Name != "A" {
		t.Fatalf("%+v", f.Chunks)
	}
	var own strings.Builder
	for _, s := range OwnSpans(f, 0) {
		own.Write(s.In([]byte(src)))
	}
	if got := own.String(); !strings.Contains(got, "x = 1") || !strings.Contains(got, "y = 2") || strings.Contains(got, "def") {
		t.Errorf("own text of A: %q", got)
	}
}

// checkFile holds what is promised of every file, whatever its text.
func checkFile(t *testing.T, name string, f *File, src []byte) {
	t.Helper()
	covered := make([]bool, len(src))
	ids := map[string]bool{}
	for i := range f.Chunks {
		c := &f.Chunks[i]
		if c.Span.Empty() || c.Span.End > len(src) {
			t.Fatalf("%s: chunk %d has the span %v of %d", name, i, c.Span, len(src))
		}
		if i > 0 && f.Chunks[i-1].Span.Start > c.Span.Start {
			t.Fatalf("%s: chunk %d comes before the one before it", name, i)
		}
		for j := c.Span.Start; j < c.Span.End; j++ {
			covered[j] = true
		}
		if id := c.ID("f"); ids[id] {
			t.Fatalf("%s: %s twice", name, id)
		} else {
			ids[id] = true
		}
		checkParts(t, name, c, src)
		for _, s := range []Span{c.NameSpan, c.Signature, c.Doc} {
			if !s.Empty() && !c.Span.Covers(s) {
				t.Fatalf("%s: %v outside %v of %s", name, s, c.Span, c.Name)
			}
		}
	}
	for i, b := range src {
		if !covered[i] && !isSpace(b) {
			t.Fatalf("%s: byte %d (%q) belongs to no chunk", name, i, src[max(0, i-20):min(len(src), i+20)])
		}
	}
	checkOwn(t, name, f, src)
	back, err := Decode(Encode(f))
	if err != nil || !reflect.DeepEqual(back, f) {
		t.Fatalf("%s: decoded %v: %+v, want %+v", name, err, back, f)
	}
}

func checkOwn(t *testing.T, name string, f *File, src []byte) {
	t.Helper()
	times := make([]byte, len(src))
	for i := range f.Chunks {
		for _, s := range OwnSpans(f, i) {
			for j := s.Start; j < s.End; j++ {
				times[j]++
			}
		}
	}
	if i := slices.IndexFunc(times, func(n byte) bool { return n > 1 }); i >= 0 {
		t.Fatalf("%s: byte %d is owned %d times", name, i, times[i])
	}
}

func TestPromisesOnRealFiles(t *testing.T) {
	root := filepath.Join(build.Default.GOROOT, "src")
	files, _ := filepath.Glob(filepath.Join(root, "net", "http", "*.go"))
	more, _ := filepath.Glob(filepath.Join(root, "cmd", "internal", "obj", "x86", "*.go"))
	files = append(files[:min(len(files), 12)], more[:min(len(more), 3)]...)
	if len(files) == 0 {
		t.Skip("the Go sources are not installed")
	}
	if testing.Short() {
		files = files[:4]
	}
	for _, path := range files {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		checkFile(t, path, analyze(t, "go", string(src)), src)
	}
}

func TestPromisesOnOddFiles(t *testing.T) {
	odd := map[string]string{
		"empty": "", "blank": " \n\t\r\n ", "crlf": strings.ReplaceAll(goSource, "\n", "\r\n"), "cr": strings.ReplaceAll(goSource, "\n", "\r"),
		"broken": "package p\n\nfunc Good() {}\n\nfunc Bad( {\n\nfunc After() {}\n", "nul": "package p\x00\n", "one line": strings.Repeat("f(1);", 1000),
		"no newline": "x", "wide": "package p\n// 😀 größe\nfunc Größe() {}", "invalid": "package p\n\n// caf\xe9\nfunc F() {}\n",
		"paragraphs": strings.Repeat("words and words\nmore words\n\n", 500), "semicolons": "class A { f() {} };\n;;\n",
	}
	for name, src := range odd {
		for _, language := range []string{"go", "python", "typescript", "tsx", "javascript", "markdown"} {
			f, _ := Analyze(syntax.ByName(language), []byte(src))
			checkFile(t, language+" "+name, f, []byte(src))
		}
		checkFile(t, "text "+name, BuildText([]byte(src)), []byte(src))
	}
}

func TestLongTextIsCutAtParagraphs(t *testing.T) {
	src := strings.Repeat(strings.Repeat("a line of words\n", 20)+"\n", 20)
	f := BuildText([]byte(src))
	if len(f.Chunks) < 3 {
		t.Fatalf("%d chunks", len(f.Chunks))
	}
	for i := range f.Chunks {
		c := &f.Chunks[i]
		if n := c.Span.End - c.Span.Start; n > maxBytes {
			t.Errorf("chunk %d has %d bytes", i, n)
		}
		if c.Kind != KindParagraph || (c.StartLine%21 != 0) {
			t.Errorf("chunk %d is %s and begins on line %d", i, c.Kind, c.StartLine)
		}
	}
}

func FuzzDecode(f *testing.F) {
	file, _ := Analyze(syntax.ByName("go"), []byte(goSource))
	f.Add(Encode(file))
	f.Add([]byte{})
	f.Add([]byte{Version, 0xff, 0xff, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := Decode(data)
		if err != nil {
			return
		}
		if again, err := Decode(Encode(got)); err != nil || again == nil {
			t.Errorf("what was decoded can't be encoded: %v", err)
		}
	})
}

func BenchmarkAnalyze(b *testing.B) {
	src, err := os.ReadFile(filepath.Join(build.Default.GOROOT, "src/net/http/server.go"))
	if err != nil {
		b.Skip("the Go sources are not installed")
	}
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		if _, err := Analyze(syntax.ByName("go"), src); err != nil {
			b.Fatal(err)
		}
	}
}

func TestAPanicStaysInItsFile(t *testing.T) {
	src := []byte("one\n\ntwo\n")
	f, err := Contain("go", src, func() (*File, error) { panic("unthought of") })
	if !errors.Is(err, ErrPanic) || !strings.Contains(err.Error(), "unthought of") || f == nil || f.Language != "go" || !f.Errors || len(f.Chunks) == 0 {
		t.Errorf("Contain = %+v, %v", f, err)
	}
}
