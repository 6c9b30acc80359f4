package text

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

func TestLinesStarts(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       []int
	}{
		{"empty", "", []int{0}},
		{"no newline", "abc", []int{0}},
		{"trailing newline", "abc\n", []int{0, 4}},
		{"two lines", "a\nb", []int{0, 2}},
		{"crlf", "a\r\nb\r\n", []int{0, 3, 6}},
		{"old mac", "a\rb\rc", []int{0, 2, 4}},
		{"mixed", "a\r\n\rb\n\r\nc\r", []int{0, 3, 4, 6, 8, 10}},
		{"cr at the very end", "\r", []int{0, 1}},
		{"cr cr lf", "a\r\r\nb", []int{0, 2, 4}},
		{"other separators do not count", "a\u2028b\vc\fd\u0085e", []int{0}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := NewLines([]byte(tc.text))
			if got := fmt.Sprint(l.starts); got != fmt.Sprint(tc.want) {
				t.Errorf("starts of %q = %s, want %v", tc.text, got, tc.want)
			}
			if l.Count() != len(tc.want) {
				t.Errorf("Count = %d, want %d", l.Count(), len(tc.want))
			}
		})
	}
}

func TestLinesStartEndLine(t *testing.T) {
	l := NewLines([]byte("ab\r\ncd\n\ref"))
	for line, want := range [][2]int{{0, 2}, {4, 6}, {7, 7}, {8, 10}} {
		if start, end := l.Start(line), l.End(line); start != want[0] || end != want[1] {
			t.Errorf("line %d = [%d,%d), want %v", line, start, end, want)
		}
	}
	if l.Start(-1) != 0 || l.Start(99) != 10 {
		t.Errorf("lines outside the text: %d, %d, want 0, 10", l.Start(-1), l.Start(99))
	}
	for offset, want := range map[int]int{-5: 0, 0: 0, 2: 0, 3: 0, 4: 1, 6: 1, 7: 2, 8: 3, 10: 3, 999: 3} {
		if got := l.Line(offset); got != want {
			t.Errorf("Line(%d) = %d, want %d", offset, got, want)
		}
	}
}

func TestLinesPosition(t *testing.T) {
	// a=1 byte, é=2 bytes/1 unit, 漢=3/1, 😀=4/2
	l := NewLines([]byte("aé漢😀z\r\nq"))
	for offset, want := range map[int]Position{
		0:  {0, 0, 0},
		1:  {0, 1, 1},
		2:  {0, 1, 1}, // inside é
		3:  {0, 3, 2},
		6:  {0, 6, 3},
		8:  {0, 6, 3}, // inside 😀
		10: {0, 10, 5},
		11: {0, 11, 6},
		12: {0, 11, 6}, // between \r and \n
		13: {1, 0, 0},
		99: {1, 1, 1},
		-1: {0, 0, 0},
	} {
		if got := l.Position(offset); got != want {
			t.Errorf("Position(%d) = %+v, want %+v", offset, got, want)
		}
	}
}

func TestLinesOffset(t *testing.T) {
	l := NewLines([]byte("aé漢😀z\r\nq\xffr"))
	for _, tc := range []struct {
		line, col int
		enc       Encoding
		want      int
		ok        bool
	}{
		{0, 0, UTF16, 0, true},
		{0, 2, UTF16, 3, true},
		{0, 3, UTF16, 6, true},
		{0, 4, UTF16, 6, true}, // the middle of a surrogate pair
		{0, 5, UTF16, 10, true},
		{0, 6, UTF16, 11, true},
		{0, 7, UTF16, 11, true}, // past the end
		{0, 1 << 30, UTF16, 11, true},
		{0, 2, UTF8, 1, true}, // inside é
		{0, 9, UTF8, 6, true}, // inside 😀
		{0, 11, UTF8, 11, true},
		{0, 12, UTF8, 11, true},
		{1, 2, UTF16, 15, true}, // the invalid byte is one unit
		{1, 3, UTF16, 16, true},
		{1, 2, UTF8, 15, true},
		{1, 1 << 62, UTF8, 16, true},
		{2, 0, UTF16, 0, false},
		{-1, 0, UTF16, 0, false},
		{0, -1, UTF8, 0, false},
	} {
		got, ok := l.Offset(tc.line, tc.col, tc.enc)
		if got != tc.want || ok != tc.ok {
			t.Errorf("Offset(%d, %d, %d) = %d, %v, want %d, %v", tc.line, tc.col, tc.enc, got, ok, tc.want, tc.ok)
		}
	}
}

// FuzzLines checks that every position leads back to where it came from and that lines tile the text.
func FuzzLines(f *testing.F) {
	for _, s := range []string{"", "a\r\nb\rc\n", "aé漢😀z", "\xff\xfe\n\xf0\x9f", "\xe2\x82\r\n\x80", "\r\r\n\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		l := NewLines(text)
		for line := range l.Count() {
			start, end, next := l.Start(line), l.End(line), l.Start(line+1)
			if end < start || next < end || bytes.ContainsAny(text[start:end], "\r\n") {
				t.Fatalf("line %d = [%d,%d) before %d in %q", line, start, end, next, text)
			}
			if line+1 < l.Count() && next == end {
				t.Fatalf("line %d of %q has no terminator", line, text)
			}
		}
		for offset := 0; offset <= len(text); offset++ {
			p := l.Position(offset)
			for enc, col := range map[Encoding]int{UTF8: p.Byte, UTF16: p.UTF16} {
				back, ok := l.Offset(p.Line, col, enc)
				if !ok || back > offset || offset-back > 3 {
					t.Fatalf("%q: offset %d -> %+v -> %d, %v", text, offset, p, back, ok)
				}
				if l.Position(back) != p {
					t.Fatalf("%q: offset %d and %d share %+v but not %+v", text, offset, back, p, l.Position(back))
				}
			}
		}
	})
}

func BenchmarkNewLines(b *testing.B) {
	for _, eol := range []string{"\n", "\r\n"} {
		src := []byte(strings.Repeat("\tvalue := compute(argument)  // x"+eol, 10_000))
		b.Run(fmt.Sprintf("%q", eol), func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				NewLines(src)
			}
		})
	}
}
