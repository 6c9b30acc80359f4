package parser

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/syntax"
)

// TestMain makes this test the program that a Pool starts.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == Argument {
		if err := Serve(os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func newPool(t *testing.T) *Pool {
	t.Helper()
	command, err := Command()
	if err != nil {
		t.Fatal(err)
	}
	p := NewPool(command, nil)
	t.Cleanup(func() { _ = p.Close() })
	return p
}

// samples are texts of all languages by file.
func samples(t *testing.T) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("../syntax/testdata/outline/*.txt")
	if err != nil || len(files) < 20 {
		t.Fatalf("samples: %d, %v", len(files), err)
	}
	texts := map[string][]byte{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		texts[strings.TrimSuffix(f, ".txt")] = text
	}
	return texts
}

func TestPoolCutsAsLocalDoes(t *testing.T) {
	p := newPool(t)
	var all sync.WaitGroup
	n := 0
	for file, text := range samples(t) {
		lang := syntax.Detect(file, text)
		if lang == nil {
			continue
		}
		n++
		all.Go(func() {
			want, _, wantErr := Local.Analyze(lang, text)
			got, encoded, err := p.Analyze(lang, text)
			if !reflect.DeepEqual(got, want) || !errors.Is(err, wantErr) {
				t.Errorf("%s: the pool cuts it otherwise (%v, %v)", file, err, wantErr)
			}
			if !bytes.Equal(encoded, chunk.Encode(want)) {
				t.Errorf("%s: encoded otherwise", file)
			}
		})
	}
	all.Wait()
	if n < 20 {
		t.Errorf("only %d samples have a grammar", n)
	}
}

func TestBufferEqualsAFreshParse(t *testing.T) {
	p := newPool(t)
	lang := syntax.ByName("go")
	text := []byte("package a\n\nfunc A() { B() }\n\nfunc B() {}\n\ntype T struct{ n int }\n\nfunc (t T) M() { A() }\n")
	b := p.Open(lang, text)
	defer b.Close()
	random := rand.New(rand.NewPCG(1, 2))
	inserts := []string{"x", "\n", "{", "}", "func C() {}\n", "/* ", "*/", "ä", "𝒳", "\"", "`"}
	for round := range 200 {
		var edits []syntax.Edit
		for range 1 + random.IntN(3) {
			start := random.IntN(len(text) + 1)
			end := min(len(text), start+random.IntN(4))
			in := []byte(inserts[random.IntN(len(inserts))])
			text = append(append(append([]byte{}, text[:start]...), in...), text[end:]...)
			edits = append(edits, syntax.Edit{Start: start, OldEnd: end, New: in})
		}
		b.Edit(text, edits)
		if round%3 == 0 {
			continue // two edits are parsed as one
		}
		got, err := b.File()
		want, _ := chunk.Analyze(lang, text)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("round %d: %v\n%s", round, err, text)
		}
	}
}

// hostile makes the C grammar take gigabytes, and Lua's query minutes.
var hostile = map[string]struct {
	text string
	want error
}{
	"c":   {strings.Repeat("a=>", 8500), ErrMemory},
	"lua": {strings.Repeat("a,", 1500), syntax.ErrBudget},
}

func TestATextThatTakesTooMuchIsCutByItsParagraphs(t *testing.T) {
	if testing.Short() || runtime.GOOS != "linux" {
		t.Skip("takes four seconds of processor time, and reads how much memory a child has as Linux tells it")
	}
	p := newPool(t)
	for name, h := range hostile {
		lang := syntax.ByName(name)
		f, encoded, err := p.Analyze(lang, []byte(h.text))
		if !errors.Is(err, h.want) || encoded != nil {
			t.Errorf("%s: error %v, want %v", name, err, h.want)
		}
		if f.Language != name || !f.Errors || len(f.Chunks) == 0 {
			t.Errorf("%s: %+v", name, f)
		}
	}
	f, _, err := p.Analyze(syntax.ByName("go"), []byte("package a\n\nfunc A() {}\n"))
	if err != nil || len(f.Chunks) == 0 || f.Errors {
		t.Errorf("after it: %v, %+v", err, f)
	}
}

// A check may have begun when its text is done. Once it went on watching then, and ended the child in the middle of a
// later text, which was cut by its paragraphs for nothing it did.
func TestGuardLeavesLaterTextsAlone(t *testing.T) {
	g := newGuard(func(code int) { t.Errorf("ended with %d", code) })
	g.watch(0)
	g.stop()
	g.time, g.memory = 0, 0 // what the text before was allowed is long used up
	g.check()
	if g.timer.Stop() {
		t.Error("the check has set the timer of a text that is done")
	}
}

func TestGuardEndsTheProcess(t *testing.T) {
	for want, exhaust := range map[int]func(*guard){
		exitBudget: func(g *guard) { g.time = 0 },
		exitMemory: func(g *guard) { g.memory = -1 },
	} {
		code := 0
		g := newGuard(func(c int) { code = c })
		g.watch(0)
		exhaust(g)
		g.check()
		if code != want {
			t.Errorf("ended with %d, want %d", code, want)
		}
		g.stop()
	}
}

func TestOtherBuffersOutliveATextThatTakesTooMuch(t *testing.T) {
	if testing.Short() || runtime.GOOS != "linux" {
		t.Skip("takes two seconds of processor time, and reads how much memory a child has as Linux tells it")
	}
	p := newPool(t)
	good := p.Open(syntax.ByName("go"), []byte("package a\n\nfunc A() {}\n"))
	defer good.Close()
	bad := p.Open(syntax.ByName("c"), []byte("int a;\n"))
	defer bad.Close()
	for _, b := range []Buffer{good, bad} {
		if _, err := b.File(); err != nil {
			t.Fatal(err)
		}
	}
	bad.Edit([]byte(hostile["c"].text), nil)
	if f, err := bad.File(); !errors.Is(err, ErrMemory) || !f.Errors {
		t.Errorf("%v, %+v", err, f)
	}
	after := []byte("package a\n\nfunc AB() {}\n")
	good.Edit(after, []syntax.Edit{{Start: 17, OldEnd: 17, New: []byte("B")}})
	want, _ := chunk.Analyze(syntax.ByName("go"), after)
	if f, err := good.File(); err != nil || !reflect.DeepEqual(f, want) {
		t.Errorf("the other buffer: %v, %+v", err, f)
	}
	bad.Edit([]byte("int b;\n"), nil)
	if _, err := bad.File(); !errors.Is(err, ErrMemory) {
		t.Errorf("at once after it: %v; each key would cost another child", err)
	}
}

func TestWithoutChildrenItIsParsedHere(t *testing.T) {
	text := []byte("package a\n\nfunc A() {}\n")
	lang := syntax.ByName("go")
	want, _ := chunk.Analyze(lang, text)
	for name, command := range map[string][]string{
		"no such program":           {filepath.Join(t.TempDir(), "none"), Argument},
		"a program of another kind": {"/bin/echo", Argument},
	} {
		p := NewPool(command, nil)
		if f, _, err := p.Analyze(lang, text); err != nil || !reflect.DeepEqual(f, want) {
			t.Errorf("%s: %v, %+v", name, err, f)
		}
		b := p.Open(lang, text)
		if f, err := b.File(); err != nil || !reflect.DeepEqual(f, want) {
			t.Errorf("%s, buffer: %v, %+v", name, err, f)
		}
		b.Close()
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestIdleChildrenEnd(t *testing.T) {
	p := newPool(t)
	if _, _, err := p.Analyze(syntax.ByName("go"), []byte("package a\n")); err != nil {
		t.Fatal(err)
	}
	p.mu.Lock()
	if len(p.idle) != 1 {
		t.Fatalf("%d idle children, want 1", len(p.idle))
	}
	child := p.idle[0]
	p.mu.Unlock()
	p.endIdle()
	if state := child.cmd.ProcessState; state == nil || state.ExitCode() != 0 {
		t.Errorf("the child ended with %v", state)
	}
	if _, _, err := p.Analyze(syntax.ByName("go"), []byte("package b\n")); err != nil {
		t.Errorf("after it: %v", err)
	}
}

func TestClosedPoolParsesHere(t *testing.T) {
	p := newPool(t)
	b := p.Open(syntax.ByName("go"), []byte("package a\n"))
	if _, err := b.File(); err != nil {
		t.Fatal(err)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	b.Edit([]byte("package b\n"), nil)
	if f, err := b.File(); err != nil || f == nil {
		t.Errorf("%v, %+v", err, f)
	}
	b.Close()
	if _, _, err := p.Analyze(syntax.ByName("go"), []byte("package a\n")); err != nil {
		t.Error(err)
	}
}

func BenchmarkAnalyze(b *testing.B) {
	text, err := os.ReadFile("../syntax/languages.go")
	if err != nil {
		b.Fatal(err)
	}
	command, err := Command()
	if err != nil {
		b.Fatal(err)
	}
	pool := NewPool(command, nil)
	defer pool.Close()
	for name, p := range map[string]Parser{"local": Local, "pool": pool} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, _, err := p.Analyze(syntax.ByName("go"), text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
