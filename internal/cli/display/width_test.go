package display

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCells(t *testing.T) {
	for _, tt := range []struct {
		text string
		want int
	}{
		{"", 0}, {"abc", 3}, {"naïve", 5}, {"e\u0301", 1}, {"日本語", 6}, {"한글", 4}, {"⭐", 2}, {"─│┌…", 4},
		{"🚀x", 3}, {"a\u200bb", 2}, {"Ａ", 2}, {"מה", 2}, {"𠀀", 2},
	} {
		if got := Cells(tt.text); got != tt.want {
			t.Errorf("Cells(%q) = %d, want %d", tt.text, got, tt.want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, tt := range []struct {
		text        string
		width       int
		right, left string
	}{
		{"authenticate", 12, "authenticate", "authenticate"},
		{"authenticate", 5, "auth…", "…cate"},
		{"authenticate", 1, "…", "…"},
		{"authenticate", 0, "", ""},
		{"日本語テキスト", 6, "日本…", "…スト"},
		{"e\u0301e\u0301e\u0301", 2, "e\u0301…", "…e\u0301"},
	} {
		if got := Cut(tt.text, tt.width); got != tt.right {
			t.Errorf("Cut(%q, %d) = %q, want %q", tt.text, tt.width, got, tt.right)
		}
		if got := CutLeft(tt.text, tt.width); got != tt.left {
			t.Errorf("CutLeft(%q, %d) = %q, want %q", tt.text, tt.width, got, tt.left)
		}
	}
}

func TestClean(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"plain", "plain"},
		{"two\nlines\tand a tab", "two lines and a tab"},
		{"\x1b[31mred\x1b[0m", "\ufffd[31mred\ufffd[0m"},
		{"evil\u202etxt.exe", "evil\ufffdtxt.exe"},
		{"bad\xff", "bad\ufffd"},
		{"日本 🚀", "日本 🚀"},
	} {
		if got := Clean(tt.text); got != tt.want {
			t.Errorf("Clean(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
	if got, want := CleanLines("a\r\n\tb\x07"), "a\n\tb\ufffd"; got != want {
		t.Errorf("CleanLines = %q, want %q", got, want)
	}
}

func TestWrap(t *testing.T) {
	for _, tt := range []struct {
		text  string
		width int
		want  string
	}{
		{"", 10, ""},
		{"one two three", 7, "one two|three"},
		{"abcdefghij", 4, "abcd|efgh|ij"},
		{"日本語", 4, "日本|語"},
		{"日本語", 1, "日|本|語"},
	} {
		if got := strings.Join(Wrap(tt.text, tt.width), "|"); got != tt.want {
			t.Errorf("Wrap(%q, %d) = %q, want %q", tt.text, tt.width, got, tt.want)
		}
	}
}

// Whatever a file's name holds, nothing that is laid out is wider than asked for, and nothing is cut inside a rune.
func FuzzLayout(f *testing.F) {
	for _, seed := range []string{"", "plain words", "日本語 🚀🚀", "e\u0301\u0301", "\x1b[2J\xff\x00", strings.Repeat("x", 200)} {
		f.Add(seed, 7)
	}
	f.Fuzz(func(t *testing.T, text string, width int) {
		width = 12 + (width&0x7fffffff)%150
		clean := Clean(text)
		if strings.ContainsFunc(clean, unsafeRune) || !utf8.ValidString(clean) {
			t.Fatalf("Clean(%q) = %q", text, clean)
		}
		for _, cut := range []string{Cut(clean, width), CutLeft(clean, width)} {
			if Cells(cut) > width || !utf8.ValidString(cut) {
				t.Fatalf("cut %q to %d cells: %q", clean, width, cut)
			}
		}
		for _, line := range Wrap(clean, width) {
			if Cells(line) > width {
				t.Fatalf("wrapped %q to %d cells: %q", clean, width, line)
			}
		}
		want := min(width, MaxBoxWidth)
		for _, line := range Box(clean, []BoxLine{{Text: "   " + clean, Hang: 5}}, width) {
			if Cells(line) != want {
				t.Fatalf("box of %d cells has a line of %d: %q", want, Cells(line), line)
			}
		}
		table := Table{Columns: []Column{{Title: "File", Min: 4, Left: true}, {Title: "Name", Min: 4, Keep: 1}, {Title: "Score", Keep: 2}},
			Rows: [][]string{{clean, clean, "0.5"}}}
		lines, _ := table.Lines(width)
		for _, line := range lines {
			if Cells(line) > width {
				t.Fatalf("table of %d cells has a line of %d: %q", width, Cells(line), line)
			}
		}
	})
}
