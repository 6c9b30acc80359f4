package tokens

import (
	"unicode"
	"unicode/utf8"
)

// A class is what the pattern of cl100k_base tells characters apart by.
type class uint8

const (
	other class = iota
	letter
	number
	space
	newline // \r or \n, which are spaces, too
)

// classOf returns the class of the first character of s and its length in bytes; s is not empty.
func classOf(s string) (class, int) {
	r, n := rune(s[0]), 1
	if r >= utf8.RuneSelf {
		r, n = utf8.DecodeRuneInString(s)
	}
	switch {
	case 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z':
		return letter, n
	case r == '\n' || r == '\r':
		return newline, n
	case unicode.IsSpace(r):
		return space, n
	case unicode.IsLetter(r):
		return letter, n
	case unicode.IsNumber(r):
		return number, n
	}
	return other, n
}

// run returns how many bytes at the start of s are characters of the class, at most most of them.
func run(s string, of class, most int) int {
	at := 0
	for ; at < len(s) && most > 0; most-- {
		c, n := classOf(s[at:])
		if c != of {
			break
		}
		at += n
	}
	return at
}

// piece returns the length of the first piece of s, which is not empty. Pieces are what this pattern matches; its branches
// are tried in this order:
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)  |  [^\r\n\p{L}\p{N}]?\p{L}+  |  \p{N}{1,3}  |   ?[^\s\p{L}\p{N}]+[\r\n]*
//	|  \s*[\r\n]+  |  \s+(?!\S)  |  \s+
func piece(s string) int {
	if n := contraction(s); n > 0 {
		return n
	}
	first, n := classOf(s)
	switch first {
	case letter:
		return run(s, letter, len(s))
	case number:
		return run(s, number, 3)
	case newline:
		return spaces(s)
	}
	if letters := run(s[n:], letter, len(s)); letters > 0 {
		return n + letters
	}
	from := 0
	if s[0] == ' ' {
		from = 1
	}
	if others := run(s[from:], other, len(s)); others > 0 {
		n = from + others
		return n + run(s[n:], newline, len(s))
	}
	return spaces(s)
}

// contraction returns the length of an English ending such as 're at the start of s, in any letter case.
func contraction(s string) int {
	if len(s) < 2 || s[0] != '\'' {
		return 0
	}
	switch s[1] | 0x20 {
	case 's', 't', 'm', 'd':
		return 2
	}
	if len(s) < 3 {
		return 0
	}
	switch string([]byte{s[1] | 0x20, s[2] | 0x20}) {
	case "re", "ve", "ll":
		return 3
	}
	return 0
}

// spaces returns the length of the piece that s, which begins with white space, begins with: up to the last line break, else
// all but the last character, which belongs to what follows.
func spaces(s string) int {
	end, lastBreak, last := 0, 0, 0
	for end < len(s) {
		c, n := classOf(s[end:])
		if c != space && c != newline {
			break
		}
		last, end = end, end+n
		if c == newline {
			lastBreak = end
		}
	}
	switch {
	case lastBreak > 0:
		return lastBreak
	case end == len(s) || last == 0:
		return end
	}
	return last
}
