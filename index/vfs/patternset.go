package vfs

import (
	"fmt"
	"strings"
)

// A byteSet is what a bracket expression such as [a-z_] matches.
type byteSet [256]bool

// namedSets are the classes that may stand inside of a bracket expression, such as [[:digit:]].
var namedSets = map[string]func(c byte) bool{
	"alnum":  func(c byte) bool { return isLetter(c) || isDigit(c) },
	"alpha":  isLetter,
	"blank":  func(c byte) bool { return c == ' ' || c == '\t' },
	"cntrl":  func(c byte) bool { return c < 0x20 || c == 0x7f },
	"digit":  isDigit,
	"graph":  func(c byte) bool { return c > 0x20 && c < 0x7f },
	"lower":  func(c byte) bool { return 'a' <= c && c <= 'z' },
	"print":  func(c byte) bool { return c >= 0x20 && c < 0x7f },
	"punct":  func(c byte) bool { return c > 0x20 && c < 0x7f && !isLetter(c) && !isDigit(c) },
	"space":  func(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' },
	"upper":  func(c byte) bool { return 'A' <= c && c <= 'Z' },
	"xdigit": func(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' },
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// parseSet reads a bracket expression at the start of s as an expression for regexp, and returns how many bytes of s it
// takes; 0 when it is broken. A set never matches a slash.
func parseSet(s string) (expression string, length int) {
	i := 1
	negated := i < len(s) && (s[i] == '!' || s[i] == '^')
	if negated {
		i++
	}
	var set byteSet
	previous := -1 // the byte that a range may begin with
	for first := true; ; first = false {
		switch {
		case i >= len(s):
			return "", 0
		case s[i] == ']' && !first:
			return set.expression(negated), i + 1
		case s[i] == '-' && previous >= 0 && i+1 < len(s) && s[i+1] != ']':
			high, n := member(s[i+1:])
			if n == 0 {
				return "", 0
			}
			for c := previous; c <= int(high); c++ {
				set[c] = true
			}
			i += 1 + n
			previous = -1
		case strings.HasPrefix(s[i:], "[:"):
			n := set.addNamed(s[i:])
			if n < 0 {
				return "", 0
			}
			if n == 0 { // an ordinary bracket
				set['['] = true
				previous, n = '[', 1
			} else {
				previous = -1
			}
			i += n
		default:
			c, n := member(s[i:])
			if n == 0 {
				return "", 0
			}
			set[c] = true
			previous = int(c)
			i += n
		}
	}
}

// member reads one byte of a set, which a backslash may stand before; n is 0 at the end of s.
func member(s string) (c byte, n int) {
	switch {
	case s[0] != '\\':
		return s[0], 1
	case len(s) > 1:
		return s[1], 2
	}
	return 0, 0
}

// addNamed adds a class such as [:digit:] at the start of s and returns its length; 0 when there is none, -1 when there
// is no class of that name.
func (set *byteSet) addNamed(s string) int {
	end := strings.IndexByte(s[2:], ']')
	if end < 0 {
		return -1
	}
	name, closed := strings.CutSuffix(s[2:2+end], ":")
	if !closed {
		return 0
	}
	holds := namedSets[name]
	if holds == nil {
		return -1
	}
	for c := range set {
		set[c] = set[c] || holds(byte(c))
	}
	return 2 + end + 1
}

func (set *byteSet) expression(negated bool) string {
	var b strings.Builder
	for c, holds := range set {
		if holds != negated && c != '/' && c != 0 {
			fmt.Fprintf(&b, `\x{%02x}`, c)
		}
	}
	if b.Len() == 0 {
		return `[^\x{00}-\x{10ffff}]` // nothing
	}
	return "[" + b.String() + "]"
}
