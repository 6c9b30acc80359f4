package codebase

import (
	"bytes"

	"github.com/aurora-sidecar/aurora/index/graph"
)

// A lettering says how a language writes what is no code. Strings into which expressions can be put are not among them.
type lettering struct {
	lines  []string    // begin a comment that ends with the line
	blocks [][2]string // begin and end one
	quotes []string    // begin and end a string: one character ends with its line at the latest, except "`"
	chars  bool        // ' encloses one character, and means something else, too
}

var slashes = lettering{lines: []string{"//"}, blocks: [][2]string{{"/*", "*/"}}}

func (l lettering) with(quotes ...string) lettering {
	l.quotes, l.chars = quotes, true
	return l
}

// letterings are by family of languages.
var letterings = map[string]lettering{
	"go":         slashes.with(`"`, "`"),
	"c":          slashes.with(`"`),
	"jvm":        slashes.with(),
	"java":       slashes.with(`"""`, `"`),
	"rust":       slashes.with(),
	"csharp":     slashes.with(),
	"swift":      slashes.with(),
	"protobuf":   slashes.with(`"`),
	"javascript": {lines: slashes.lines, blocks: slashes.blocks, quotes: []string{`"`, `'`}},
	"php":        {lines: []string{"//", "#"}, blocks: slashes.blocks, quotes: []string{`'`}},
	"python":     {lines: []string{"#"}, quotes: []string{`"""`, `'''`, `"`, `'`}},
	"ruby":       {lines: []string{"#"}, quotes: []string{`'`}},
	"elixir":     {lines: []string{"#"}},
	"lua":        {lines: []string{"--"}, blocks: [][2]string{{"--[[", "]]"}}, quotes: []string{`"`, `'`}},
	"sql":        {lines: []string{"--"}, blocks: slashes.blocks},
	"elm":        {lines: []string{"--"}, blocks: [][2]string{{"{-", "-}"}}, quotes: []string{`"`}, chars: true},
	"ocaml":      {blocks: [][2]string{{"(*", "*)"}}, quotes: []string{`"`}, chars: true},
	"haskell":    {lines: []string{"--"}, blocks: [][2]string{{"{-", "-}"}}, quotes: []string{`"`}, chars: true},
	"powershell": {lines: []string{"#"}, blocks: [][2]string{{"<#", "#>"}}, quotes: []string{`"`, `'`}},
	"zig":        {lines: slashes.lines, quotes: []string{`"`}, chars: true},
	"dart":       {lines: slashes.lines, blocks: slashes.blocks},
	"r":          {lines: []string{"#"}, quotes: []string{`"`, `'`}},
	"html":       {blocks: [][2]string{{"<!--", "-->"}}},
	"css":        {blocks: slashes.blocks},
}

// maxScanned is how far into a file is looked for the beginning of comments, in bytes: a few milliseconds.
const maxScanned = 1 << 20

// IsProse reports whether the offset is in a comment or in a string, as far as that can be told without a grammar; a
// language of which nothing is known has none.
func IsProse(text []byte, language string, offset int) bool {
	l, ok := letterings[language]
	if !ok {
		if l, ok = letterings[graph.Family(language)]; !ok {
			return false
		}
	}
	if offset > maxScanned {
		return false
	}
	for i := 0; i < offset; {
		end := l.skip(text, i)
		if end > offset {
			return true
		}
		i = max(end, i+1)
	}
	return false
}

// skip returns the end of the comment or the string that begins at i, i when none does.
func (l *lettering) skip(text []byte, i int) int {
	rest := text[i:]
	for _, b := range l.blocks {
		if bytes.HasPrefix(rest, []byte(b[0])) {
			return i + until(rest, len(b[0]), b[1])
		}
	}
	for _, line := range l.lines {
		if bytes.HasPrefix(rest, []byte(line)) {
			return i + lineEnd(rest)
		}
	}
	for _, q := range l.quotes {
		if bytes.HasPrefix(rest, []byte(q)) && !takesExpressions(text, i) {
			return i + stringEnd(rest, q)
		}
	}
	if l.chars && rest[0] == '\'' {
		return i + charEnd(rest)
	}
	return i
}

// until is the index after the first end in text from a byte on, else the length of text.
func until(text []byte, from int, end string) int {
	if at := bytes.Index(text[from:], []byte(end)); at >= 0 {
		return from + at + len(end)
	}
	return len(text)
}

func lineEnd(text []byte) int {
	if at := bytes.IndexByte(text, '\n'); at >= 0 {
		return at
	}
	return len(text)
}

// stringEnd is the index after the string that text begins with.
func stringEnd(text []byte, quote string) int {
	if len(quote) > 1 || quote == "`" {
		return until(text, len(quote), quote)
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '\n':
			return i
		case quote[0]:
			return i + 1
		}
	}
	return len(text)
}

// charEnd is the index after the character that text begins with, 0 when the quotation mark means something else, such as
// a lifetime.
func charEnd(text []byte) int {
	for i := 1; i < len(text) && i < 12; i++ {
		switch {
		case text[i] == '\n':
			return 0
		case text[i] == '\\':
			i++
		case text[i] == '\'' && i > 1:
			return i + 1
		}
	}
	return 0
}

// takesExpressions reports whether the letters before a quotation mark make names inside the string code, as Python's f.
func takesExpressions(text []byte, quote int) bool {
	for i := quote - 1; i >= max(0, quote-2); i-- {
		switch text[i] {
		case 'f', 'F', '$':
			return true
		case 'r', 'R', 'b', 'B':
		default:
			return false
		}
	}
	return false
}

// FirstCode is where the text of a script begins behind its first comments.
func FirstCode(text []byte) int {
	comments := lettering{lines: slashes.lines, blocks: slashes.blocks}
	at := 0
	for {
		at += len(text[at:]) - len(bytes.TrimLeft(text[at:], " \t\r\n"))
		end := comments.skip(text, at)
		if end <= at || end >= len(text) {
			return at
		}
		at = end
	}
}
