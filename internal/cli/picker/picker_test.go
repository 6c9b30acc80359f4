package picker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/internal/cli/display"
)

// A board is a terminal that a test types on.
type board struct {
	keys chan string

	mu            sync.Mutex
	width, height int
	screen        string // as drawn last
	drawn         *sync.Cond
	resized       chan os.Signal
}

func newBoard(width, height int) *board {
	b := &board{keys: make(chan string), width: width, height: height, resized: make(chan os.Signal)}
	b.drawn = sync.NewCond(&b.mu)
	return b
}

func (b *board) Read(p []byte) (int, error) {
	select {
	case s, open := <-b.keys:
		if !open {
			return 0, errors.New("the terminal is gone")
		}
		return copy(p, s), nil
	case <-time.After(10 * time.Millisecond):
		return 0, nil
	}
}

func (b *board) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.screen = string(p)
	b.drawn.Broadcast()
	return len(p), nil
}

func (b *board) Size() (int, int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.width, b.height
}

func (b *board) resize(width, height int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.width, b.height = width, height
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;?]*[A-Za-z]")

// lines are what is seen.
func (b *board) lines() []string {
	return strings.Split(escapes.ReplaceAllString(b.screen, ""), "\r\n")
}

// waitFor returns the screen once it holds a text.
func (b *board) waitFor(t *testing.T, text string) []string {
	t.Helper()
	timer := time.AfterFunc(10*time.Second, func() { b.mu.Lock(); b.screen += "TIMEOUT"; b.mu.Unlock(); b.drawn.Broadcast() })
	defer timer.Stop()
	b.mu.Lock()
	defer b.mu.Unlock()
	for !strings.Contains(escapes.ReplaceAllString(b.screen, ""), text) {
		if strings.HasSuffix(b.screen, "TIMEOUT") {
			t.Fatalf("no %q on\n%s", text, strings.Join(b.lines(), "\n"))
		}
		b.drawn.Wait()
	}
	return b.lines()
}

// options search a list of words.
func options() Options {
	words := []string{"alpha", "alphabet", "beta", "日本語の名前", "gamma\x1b[31m"}
	matching := func(query string) []string {
		var found []string
		for _, w := range words {
			if strings.Contains(w, query) || query == "*" {
				found = append(found, w)
			}
		}
		return found
	}
	return Options{
		Prompt: "> ", Hint: "print",
		Search: func(_ context.Context, query string) (Found, error) {
			if query == "fail" {
				return Found{}, errors.New("the index is gone")
			}
			var f Found
			for i, w := range matching(query) {
				f.Items = append(f.Items, Item{Score: fmt.Sprintf("0.%d", 9-i), Kind: "word", Name: w, Place: "dir/" + w + ".go:7"})
			}
			return f, nil
		},
		Preview: func(query string, i int) Preview {
			return Preview{Lines: []string{"before", "\tmeant " + matching(query)[i], "after"}, First: 6, From: 1, To: 2}
		},
		Why: func(query string, i int) []string { return []string{"because of " + matching(query)[i]} },
	}
}

type outcome struct {
	choice Choice
	err    error
}

func start(t *testing.T, b *board, o Options) <-chan outcome {
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	done := make(chan outcome, 1)
	go func() {
		choice, err := run(ctx, b, o, b.resized)
		done <- outcome{choice, err}
	}()
	return done
}

func TestSearchWhileTyping(t *testing.T) {
	b := newBoard(60, 20)
	done := start(t, b, options())
	b.waitFor(t, "Type to search.")
	b.keys <- "alp"
	screen := b.waitFor(t, "1/2")
	if !strings.HasPrefix(screen[2], "> 0.9 word alpha") || !strings.HasSuffix(screen[2], "dir/alpha.go:7") || display.Cells(screen[2]) != 60 {
		t.Errorf("line %q", screen[2])
	}
	b.waitFor(t, "▌ 7     meant alpha")
	b.keys <- "\x1b[B"
	b.waitFor(t, "> 0.8 word alphabet")
	b.keys <- "\x12"
	b.waitFor(t, "because of alphabet")
	b.keys <- "\r"
	if got := <-done; got.err != nil || got.choice != (Choice{Query: "alp", Index: 1}) {
		t.Errorf("%+v", got)
	}
}

func TestEditing(t *testing.T) {
	b := newBoard(60, 20)
	done := start(t, b, options())
	for keys, want := range map[string]string{
		"\x15beta":                               "> beta",
		"\x15bta\x01\x1b[Ce":                     "> beta",
		"\x15alpha bet\x17":                      "> alpha ",
		"\x15日本x\x7f\x1b[D\x1b[3~":               "> 日",
		"\x15\x1b[200~one\ntwo\x1b[201~":         "> one two",
		"\x15a\x1b[1;5Cb":                        "> ab",
		"\x15fail":                               "Error: the index is gone",
		"\x15nothing\x1b":                        "", // the end of a read may be the beginning of a key
		"[B\x15zzz":                              "Nothing found.",
		"\x15" + strings.Repeat("y", 2*maxQuery): "yyyy",
	} {
		b.keys <- keys
		if want != "" {
			b.waitFor(t, want)
		}
		select {
		case got := <-done:
			t.Fatalf("%q ended it: %+v", keys, got)
		default:
		}
		b.keys <- "\x05\x15" // ^U deletes what stands before the cursor
	}
	b.keys <- "\x1b"
	if got := <-done; !errors.Is(got.err, ErrLeft) {
		t.Errorf("Esc: %+v", got)
	}
}

// TestSizes draws on terminals of every size: no line is wider, and there are not more of them.
func TestSizes(t *testing.T) {
	for _, color := range []bool{false, true} {
		for width := 1; width <= 50; width++ {
			for height := 1; height <= 14; height++ {
				o := options()
				o.Color = color
				p := &picker{o: o, width: width, height: height, query: []rune("日本語の検索 alpha"), cursor: 9, foundFor: "*", selected: 4}
				p.found, _ = o.Search(context.Background(), "*")
				for _, p.why = range []bool{false, true} {
					frame := p.frame()
					if len(frame) > height {
						t.Fatalf("%dx%d: %d lines", width, height, len(frame))
					}
					for _, line := range frame {
						if !color && strings.Contains(line, "\x1b") {
							t.Errorf("%dx%d: %q has colours", width, height, line)
						}
						if seen := escapes.ReplaceAllString(line, ""); display.Cells(seen) > width && !(p.why && width < 8) {
							t.Errorf("%dx%d: %q has %d cells", width, height, seen, display.Cells(seen))
						}
					}
					if cell := p.cursorCell(); cell >= width {
						t.Errorf("%dx%d: cursor in cell %d", width, height, cell)
					}
				}
			}
		}
	}
}

func TestResize(t *testing.T) {
	b := newBoard(60, 20)
	start(t, b, options())
	b.keys <- "alp"
	b.waitFor(t, "dir/alpha.go:7")
	b.resize(20, 6)
	b.waitFor(t, "> 0.9 alpha")
	for _, line := range b.waitFor(t, "1/2  Enter print") {
		if display.Cells(line) > 20 && !strings.Contains(line, "Esc leave") {
			t.Errorf("line %q", line)
		}
	}
}

func TestLeaving(t *testing.T) {
	for keys, want := range map[string]error{"\x03": ErrInterrupted, "\x07": ErrLeft} {
		b := newBoard(60, 20)
		done := start(t, b, options())
		b.keys <- keys
		if got := <-done; !errors.Is(got.err, want) {
			t.Errorf("%q: %+v", keys, got)
		}
	}
	b := newBoard(60, 20)
	done := start(t, b, options())
	b.keys <- "\r" // nothing to choose
	close(b.keys)
	if got := <-done; got.err == nil || errors.Is(got.err, ErrLeft) {
		t.Errorf("a terminal that is gone: %+v", got)
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{"a", "\x1b[A", "\x1b[200~x\x1b[201~", "\x1b", "日", "\xff", "\x1b[1;5"} {
		f.Add([]byte(seed), true)
	}
	f.Fuzz(func(t *testing.T, data []byte, paused bool) {
		presses, rest := decode(data, paused)
		if paused && len(rest) > 0 {
			t.Errorf("%q is left", rest)
		}
		p := &picker{o: options(), width: 20, height: 5}
		for _, press := range presses {
			if _, done, _ := p.press(press); done {
				break
			}
			p.frame()
		}
	})
}

// TestDrawsAnewAfterBeingResized tells of a size that is as before: what the terminal shows may be cut all the same.
func TestDrawsAnewAfterBeingResized(t *testing.T) {
	b := newBoard(60, 20)
	start(t, b, options())
	b.keys <- "alpha"
	b.waitFor(t, "meant alpha")
	b.mu.Lock()
	b.screen = "cut"
	b.mu.Unlock()
	b.resized <- os.Interrupt
	b.waitFor(t, "meant alpha")
}
