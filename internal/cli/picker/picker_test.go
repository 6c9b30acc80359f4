package picker

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
)

var escapes = regexp.MustCompile("\x1b\\[[0-9;?]*[A-Za-z]")

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

// A hand presses keys on a picker, and lets it finish what a key begins.
type hand struct {
	*testing.T
	*picker
	quit bool
}

func newHand(t *testing.T, o Options) *hand {
	h := &hand{T: t, picker: newPicker(t.Context(), o)}
	h.finish(h.Init())
	h.send(tea.WindowSizeMsg{Width: 60, Height: 20})
	return h
}

// keys are those that a test names, beside characters.
var keys = map[string]tea.Key{
	"up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight}, "home": {Code: tea.KeyHome},
	"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "backspace": {Code: tea.KeyBackspace}, "delete": {Code: tea.KeyDelete}, "pgdown": {Code: tea.KeyPgDown},
	"alt+x": {Code: 'x', Mod: tea.ModAlt}, "f5": {Code: tea.KeyF5},
}

// press takes names of keys, ctrl+ with a letter, and texts that are typed.
func (h *hand) press(names ...string) {
	h.Helper()
	for _, name := range names {
		if key, ok := keys[name]; ok {
			h.send(tea.KeyPressMsg(key))
		} else if letter, ok := strings.CutPrefix(name, "ctrl+"); ok {
			h.send(tea.KeyPressMsg{Code: rune(letter[0]), Mod: tea.ModCtrl})
		} else {
			var last tea.Cmd
			for _, r := range name { // the person is faster than the search
				_, last = h.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
			}
			h.finish(last)
		}
	}
}

func (h *hand) send(msg tea.Msg) {
	_, cmd := h.Update(msg)
	h.finish(cmd)
}

func (h *hand) finish(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.QuitMsg:
		h.quit = true
	case answer:
		h.send(msg)
	}
}

// see returns the lines of the screen, which must hold a text.
func (h *hand) see(text string) []string {
	h.Helper()
	screen := escapes.ReplaceAllString(h.View().Content, "")
	if !strings.Contains(screen, text) {
		h.Fatalf("no %q on\n%s", text, screen)
	}
	return strings.Split(screen, "\n")
}

func TestSearchWhileTyping(t *testing.T) {
	h := newHand(t, options())
	h.see("Type to search.")
	h.press("alp")
	screen := h.see("1/2")
	if !strings.HasPrefix(screen[2], "> 0.9 word alpha") || !strings.HasSuffix(screen[2], "dir/alpha.go:7") || display.Cells(screen[2]) != 60 {
		t.Errorf("line %q", screen[2])
	}
	h.see("▌ 7     meant alpha")
	h.press("down")
	h.see("> 0.8 word alphabet")
	h.press("ctrl+r")
	h.see("because of alphabet")
	h.press("enter")
	if !h.quit || h.left != nil || h.choice != (Choice{Query: "alp", Index: 1}) {
		t.Errorf("%+v, quit %v", h.leaving, h.quit)
	}
}

func TestEditing(t *testing.T) {
	h := newHand(t, options())
	for _, tt := range []struct {
		keys []string
		want string
	}{
		{[]string{"beta"}, "> beta"},
		{[]string{"bta", "ctrl+a", "right", "e"}, "> beta"},
		{[]string{"alpha bet", "ctrl+w"}, "> alpha\n"},
		{[]string{"日本x", "backspace", "left", "delete"}, "> 日\n"},
		{[]string{"a", "alt+x", "f5", "b"}, "> ab"},
		{[]string{"fail"}, "Error: the index is gone"},
		{[]string{"zzz", "enter"}, "Nothing found."},
		{[]string{"a", "down", "down", "down", "ctrl+y"}, ""},
		{[]string{strings.Repeat("y", 2*maxQuery)}, "yyyy"},
	} {
		h.press(tt.keys...)
		h.see(tt.want)
		if len([]rune(h.input.Value())) > maxQuery {
			t.Errorf("a query of %d characters", len(h.input.Value()))
		}
		if h.quit != (tt.want == "") {
			t.Fatalf("%q: quit %v", tt.keys, h.quit)
		}
		h.quit = false
		h.press("ctrl+e", "ctrl+u") // which deletes what stands before the cursor
		h.see("Type to search.")
	}
	if !h.choice.Print {
		t.Errorf("Ctrl-Y: %+v", h.choice)
	}
	h.send(tea.PasteMsg{Content: "one\ntwo\x1b[31m\r"})
	h.see("> one two")
}

// TestOvertaken has a search answered that nobody waits for any more.
func TestOvertaken(t *testing.T) {
	h := newHand(t, options())
	_, first := h.Update(tea.KeyPressMsg{Code: 'a', Text: "a"})
	h.press("l")
	h.finish(first)
	h.send(answer{query: "a", found: Found{Notes: []string{"late"}}})
	if h.foundFor != "al" || len(h.found.Items) != 2 {
		t.Errorf("%q is shown: %+v", h.foundFor, h.found)
	}
}

// TestSizes draws on terminals of every size: no line is wider, and there are not more of them.
func TestSizes(t *testing.T) {
	for _, color := range []bool{false, true} {
		for width := 1; width <= 50; width++ {
			for height := 1; height <= 14; height++ {
				o := options()
				o.Color = color
				o.Query = "日本語の検索 alpha"
				p := newPicker(t.Context(), o)
				p.width, p.height, p.foundFor, p.selected = width, height, "*", 4
				p.input.SetCursor(9)
				p.found, _ = o.Search(t.Context(), "*")
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
					if cursor := p.View().Cursor; cursor == nil || cursor.X >= width {
						t.Errorf("%dx%d: cursor at %+v", width, height, cursor)
					}
				}
			}
		}
	}
}

func TestResize(t *testing.T) {
	h := newHand(t, options())
	h.press("alp")
	_, cmd := h.Update(tea.WindowSizeMsg{Width: 60, Height: 20}) // as before: what the terminal shows may be cut all the same
	if cmd == nil || fmt.Sprintf("%T", cmd()) != fmt.Sprintf("%T", tea.ClearScreen()) {
		t.Error("the screen is not drawn again")
	}
	h.send(tea.WindowSizeMsg{Width: 20, Height: 6})
	h.see("> 0.9 alpha")
	for _, line := range h.see("1/2  Enter print") {
		if display.Cells(line) > 20 {
			t.Errorf("line %q", line)
		}
	}
}

func TestLeaving(t *testing.T) {
	for key, want := range map[string]error{"ctrl+c": ErrInterrupted, "ctrl+g": ErrLeft, "esc": ErrLeft} {
		h := newHand(t, options())
		h.press(key)
		if !h.quit || !errors.Is(h.left, want) {
			t.Errorf("%s: %v, quit %v", key, h.left, h.quit)
		}
	}
}

// TestManyItems goes through more than a screen holds.
func TestManyItems(t *testing.T) {
	o := options()
	o.Search = func(context.Context, string) (Found, error) {
		return Found{Items: make([]Item, 10_000)}, nil
	}
	o.Preview = func(string, int) Preview { return Preview{} }
	h := newHand(t, o)
	h.press("x")
	for range 20_000 {
		h.press("pgdown")
		if h.selected == len(h.found.Items)-1 {
			break
		}
	}
	h.see("10000/10000")
	h.press("up")
	h.see("9999/10000")
}
