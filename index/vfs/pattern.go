package vfs

import (
	"fmt"
	"path"
	"regexp"
	"strings"
)

// A pattern is one line of an ignore file, or of the settings, in the syntax of .gitignore.
type pattern struct {
	text string // as written
	file string // where it is written
	line int    // in file, counted from 1

	base     string // the folder that it counts in, relative to the root; "" is the root
	again    bool   // begins with '!': takes in what another pattern leaves out
	dirOnly  bool   // ends with '/'
	anchored bool   // is about the whole path below base, not about a name alone
	fold     bool   // whatever the case of letters
	matches  func(string) bool
}

// A result is what a pattern says of a path.
type result int8

const (
	silent result = iota
	leavesOut
	takesIn
)

// newPattern compiles a pattern that counts below the folder base. What git would never match never matches.
func newPattern(text, base string, fold bool) pattern {
	p := pattern{text: strings.TrimSpace(text), base: base, fold: fold}
	rest := trimSpaces(text)
	if fold {
		rest = strings.ToLower(rest)
	}
	rest, p.again = strings.CutPrefix(rest, "!")
	rest, p.dirOnly = strings.CutSuffix(rest, "/")
	p.anchored = strings.Contains(rest, "/")
	p.matches = compileGlob(strings.TrimPrefix(rest, "/"), p.anchored)
	return p
}

// trimSpaces cuts off spaces at the end, unless a backslash stands before the first one of them.
func trimSpaces(s string) string {
	end := len(strings.TrimRight(s, " "))
	if slashes := end - len(strings.TrimRight(s[:end], `\`)); slashes%2 == 1 && end < len(s) {
		end++
	}
	return s[:end]
}

// judge says what the pattern has to say of the file or folder at rel, without looking at the folders above it.
func (p *pattern) judge(rel string, isDir bool) result {
	if p.dirOnly && !isDir {
		return silent
	}
	name, inside := below(rel, p.base)
	if !inside {
		return silent
	}
	if !p.anchored {
		name = path.Base(name)
	}
	if p.fold {
		name = strings.ToLower(name)
	}
	switch {
	case !p.matches(name):
		return silent
	case p.again:
		return takesIn
	}
	return leavesOut
}

// rule says in words which pattern of whose rules it is.
func (p *pattern) rule(whose string) string {
	return fmt.Sprintf("%s: %s in %s:%d", whose, p.text, p.file, p.line)
}

// last returns what the last pattern says that says anything.
func last(patterns []pattern, rel string, isDir bool) (*pattern, result) {
	for i := len(patterns) - 1; i >= 0; i-- {
		if r := patterns[i].judge(rel, isDir); r != silent {
			return &patterns[i], r
		}
	}
	return nil, silent
}

// lastOnWay judges rel and the folders above it, from the top: what lies in a folder that is left out is not taken
// back. It returns the pattern that leaves rel out, nil when none does.
func lastOnWay(patterns []pattern, rel string, isDir bool) *pattern {
	for end := 0; end < len(rel); end++ {
		if rel[end] == '/' {
			if p, r := last(patterns, rel[:end], true); r == leavesOut {
				return p
			}
		}
	}
	if p, r := last(patterns, rel, isDir); r == leavesOut {
		return p
	}
	return nil
}

// compileGlob makes a matcher of a glob. With paths, only "**" between slashes matches a slash. Bytes count, as in
// git: two of them make an ä.
func compileGlob(glob string, paths bool) func(string) bool {
	if !strings.ContainsAny(glob, `*?[\`) {
		return func(name string) bool { return name == glob && glob != "" }
	}
	if rest, ok := strings.CutPrefix(glob, "*"); ok && !paths && !strings.ContainsAny(rest, `*?[\`) {
		return func(name string) bool { return strings.HasSuffix(name, rest) }
	}
	expression, ok := globExpression(glob, paths)
	if !ok {
		return func(string) bool { return false }
	}
	compiled := regexp.MustCompile(expression)
	return func(name string) bool { return compiled.MatchString(latin(name)) }
}

// latin makes a rune of every byte.
func latin(s string) string {
	for i := range len(s) {
		if s[i] >= 0x80 {
			runes := make([]rune, len(s))
			for i := range len(s) {
				runes[i] = rune(s[i])
			}
			return string(runes)
		}
	}
	return s
}

// globExpression translates a glob into a regular expression over latin texts; ok is false for a broken glob.
func globExpression(glob string, paths bool) (expression string, ok bool) {
	var b strings.Builder
	b.WriteString("(?s)^")
	for i := 0; i < len(glob); {
		switch c := glob[i]; c {
		case '*':
			n := len(glob[i:]) - len(strings.TrimLeft(glob[i:], "*"))
			i += stars(&b, glob, i, n, paths)
		case '?':
			b.WriteString("[^/]")
			i++
		case '[':
			set, length := parseSet(glob[i:])
			if length == 0 {
				return "", false
			}
			b.WriteString(set)
			i += length
		case '\\':
			if i+1 == len(glob) {
				return "", false
			}
			writeByte(&b, glob[i+1])
			i += 2
		default:
			writeByte(&b, c)
			i++
		}
	}
	b.WriteString("$")
	return b.String(), true
}

// stars translates n stars at i and returns how many bytes of the glob that took.
func stars(b *strings.Builder, glob string, i, n int, paths bool) int {
	opens := i == 0 || glob[i-1] == '/'
	rest := glob[i+n:]
	switch {
	case !paths || n == 1 || !opens:
		b.WriteString("[^/]*")
	case rest == "":
		b.WriteString(".*")
	case strings.HasPrefix(rest, "/"):
		b.WriteString("(?:.*/)?")
		return n + 1
	default:
		b.WriteString("[^/]*")
	}
	return n
}

func writeByte(b *strings.Builder, c byte) { fmt.Fprintf(b, `\x{%02x}`, c) }
