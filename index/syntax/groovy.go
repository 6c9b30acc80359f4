package syntax

import (
	"bytes"
	"unicode/utf8"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// The parts of what begins a definition of Groovy.
const (
	groovyModifiers  = `(?:(?:public|private|protected|static|final|abstract|synchronized|strictfp|sealed|native)[ \t]+)*`
	groovyType       = `(?:def|void|boolean|byte|char|short|int|long|float|double|[A-Z][\w.]*(?:<[^(){}=;"'\n]*>)?)(?:\[\])*`
	groovyQuoted     = `"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`
	groovyParameters = `[ \t]*\((?:[^(){};]|\([^(){};\n]*\))*\)(?:\s*throws[ \t]+[\w., \t]+)?\s*\{`
)

// What the grammar of Groovy does not know of the heads of types and methods. Annotations are blank where these are looked for.
var (
	groovyTypeHead = lazyregexp.New(`\A[ \t]*(` + groovyModifiers + `)(class|interface|trait|enum)[ \t]+(\w+)` +
		`([ \t]*(?:<[^(){}=;"'\n]*>)?(?:\s*\b(?:extends|implements)\b[\w.<>?,&\s]*)?)\s*\{`)
	groovyPlainSuper  = lazyregexp.New(`\A(?:\s*extends\s+\w+)?\s*\z`)
	groovyQuotedName  = lazyregexp.New(`\A[ \t]*` + groovyModifiers + `(?:` + groovyType + `[ \t]+)?(` + groovyQuoted + `)` + groovyParameters)
	groovyUntyped     = lazyregexp.New(`\A[ \t]*` + groovyModifiers + `(public|private|protected|static|final|synchronized)[ \t]+(?:\w+|` + groovyQuoted + `)` + groovyParameters)
	groovyConstructor = lazyregexp.New(`\A([ \t]+)([A-Z]\w*)` + groovyParameters)
	groovyAbstract    = lazyregexp.New(`\A[ \t]*((?:(?:public|protected|static|final)[ \t]+)*)(abstract)[ \t]+` + groovyType + `[ \t]+\w+[ \t]*\(`)
	groovyTypeParams  = lazyregexp.New(`\A[ \t]*` + groovyModifiers + `(def[ \t]+)?(<[^(){}=;"'\n]*?>)[ \t]*(` + groovyType + `[ \t]+)?\w+[ \t]*\(`)
)

// What the grammar does not know inside of them.
var (
	groovyWildcard  = lazyregexp.New(`[<,][ \t]*(\?)[ \t]*[,>]`)
	groovyBound     = lazyregexp.New(`[<,][ \t]*(\?[ \t]*(?:extends|super)[ \t]+)\w`)
	groovyVarargs   = lazyregexp.New(`[\w\]>](\.\.\.)[ \t]*\w`)
	groovyNote      = lazyregexp.New(`[(,][ \t]*(@[A-Z]\w*(?:\((?:[^()"'\n]|'[^'\n]*'|"[^"\n]*")*\))?)[ \t]+\w`) // an annotation of a parameter
	groovyNoteStart = lazyregexp.New(`(?m)^[ \t]*(@)[A-Za-z_]`)
	groovyThis      = lazyregexp.New(`\bthis\.\w`)
	groovyArrayCast = lazyregexp.New(`\bas[ \t]+\w+((?:\[\])+)`)
	groovyDivision  = lazyregexp.New(`[\w)\]}][ \t]+(/)[ \t]`)
	groovyPattern   = lazyregexp.New(`~[ \t]*(/(?:[^/\\\n*]|\\.)(?:[^/\\\n]|\\.)*/)|(?:[=(,:\[+?|&]|\breturn)[ \t]*(/(?:[^/\\\n*"']|\\.)(?:[^/\\\n"']|\\.)*/)`)
	groovyConstants = lazyregexp.New(`\A\s*[A-Z]\w*(?:\s*,\s*[A-Z]\w*)*\s*,?\s*(?:;|\z)`)
)

// maxGroovyHead is how much of a text is looked at for the head that begins with a line.
const maxGroovyHead = 600

// groovyHeads are the words in small letters that a head can begin with.
var groovyHeads = map[string]bool{
	"def": true, "void": true, "boolean": true, "byte": true, "char": true, "short": true, "int": true, "long": true, "float": true,
	"double": true, "class": true, "interface": true, "trait": true, "enum": true, "public": true, "private": true, "protected": true,
	"static": true, "final": true, "abstract": true, "synchronized": true, "strictfp": true, "sealed": true, "native": true,
}

// asPlainGroovy turns what the grammar does not know at the beginning of types and methods into what it does: what a type implements,
// traits, methods whose name is a string or which have no type, constructors, abstract methods, parameters of types, several annotations.
func asPlainGroovy(src []byte, _ func([]byte) bool) []byte {
	g := groovyText{out: bytes.Clone(src), types: map[string]bool{}}
	g.heads = joinNotes(g.out)
	g.plainTypes()
	var constructors [][]int
	for line := 0; line < len(src); line = lineEnd(src, line) + 1 {
		start := line
		for start < len(src) && (src[start] == ' ' || src[start] == '\t') {
			start++
		}
		start += len(g.heads[start:lineEnd(src, start)]) - len(bytes.TrimLeft(g.heads[start:lineEnd(src, start)], " \t"))
		word := start
		for word < len(src) && isWordByte(src[word]) {
			word++
		}
		if start == len(src) || src[start] != '<' && (word == start || src[start] >= 'a' && !groovyHeads[string(src[start:word])]) {
			continue
		}
		g.head(line)
		if at := groovyConstructor.FindSubmatchIndex(g.window(line)); at != nil && at[3]-at[2] >= 2 {
			constructors = append(constructors, []int{line, line + at[4], line + at[5]})
		}
	}
	for _, at := range constructors {
		if g.types[string(src[at[1]:at[2]])] {
			g.out[at[0]] = 'T'
		}
	}
	return g.out
}

// groovyText is what becomes of a text of Groovy.
type groovyText struct {
	out   []byte
	heads []byte          // without annotations
	types map[string]bool // the names of its types
}

func (g *groovyText) window(line int) []byte {
	return g.heads[line:min(len(g.heads), line+maxGroovyHead)]
}

// plainTypes makes names of the marks in what is a type, and of this.
func (g *groovyText) plainTypes() {
	if bytes.IndexByte(g.heads, '?') >= 0 {
		for _, at := range groovyWildcard.FindAllSubmatchIndex(g.heads, -1) {
			g.out[at[2]], g.heads[at[2]] = 'T', 'T'
		}
		for _, at := range groovyBound.FindAllSubmatchIndex(g.heads, -1) {
			g.blank(at[2], at[3])
		}
	}
	if bytes.Contains(g.heads, []byte("...")) {
		for _, at := range groovyVarargs.FindAllSubmatchIndex(g.heads, -1) {
			g.blank(at[2], at[3])
		}
	}
	if bytes.IndexByte(g.heads, '/') >= 0 {
		g.plainSlashes()
	}
	for _, at := range groovyArrayCast.FindAllSubmatchIndex(g.heads, -1) {
		g.blank(at[2], at[3])
	}
	for _, at := range groovyThis.FindAllSubmatchIndex(g.heads, -1) {
		copy(g.out[at[0]:], "self")
	}
}

// plainSlashes makes names of what stands between slashes, products of quotients, and plain comments of those for documentation, which the
// grammar knows in some places only.
func (g *groovyText) plainSlashes() {
	for _, at := range groovyPattern.FindAllSubmatchIndex(g.heads, -1) {
		start, end := max(at[2], at[4]), max(at[3], at[5])
		for i := start; i < end; i++ {
			g.out[i], g.heads[i] = '_', '_'
		}
	}
	for _, at := range groovyDivision.FindAllSubmatchIndex(g.heads, -1) {
		g.out[at[2]] = '*'
	}
	for at := 0; ; at += len("/**") {
		i := bytes.Index(g.out[at:], []byte("/**"))
		if i < 0 {
			return
		}
		at += i
		if at+3 < len(g.out) && g.out[at+3] != '/' {
			g.out[at+2] = ' '
		}
	}
}

func (g *groovyText) blank(start, end int) {
	if start >= 0 {
		blank(g.out[start:end])
		blank(g.heads[start:end])
	}
}

// head makes the head that begins with a line, if one does, one that the grammar knows.
func (g *groovyText) head(line int) {
	if at := groovyTypeHead.FindSubmatchIndex(g.window(line)); at != nil {
		g.types[string(g.heads[line+at[6]:line+at[7]])] = true
		if i := bytes.Index(g.heads[line+at[2]:line+at[3]], []byte("abstract")); i >= 0 {
			copy(g.out[line+at[2]+i:], "        ")
			if i == 0 {
				copy(g.out[line+at[2]:], "public")
			}
		}
		if string(g.heads[line+at[4]:line+at[5]]) == "trait" {
			copy(g.out[line+at[4]:], "class")
		}
		if body := line + at[1]; string(g.heads[line+at[4]:line+at[5]]) == "enum" {
			end := body + max(0, bytes.IndexAny(g.heads[body:min(len(g.heads), body+maxGroovyHead)], ";}"))
			if end < len(g.heads) && g.heads[end] == ';' {
				end++
			}
			if groovyConstants.Match(g.heads[body:end]) {
				g.blank(body, end)
			}
		}
		if !groovyPlainSuper.Match(g.heads[line+at[8] : line+at[9]]) {
			blank(g.out[line+at[8] : line+at[9]])
		}
		return
	}
	if at := groovyTypeParams.FindSubmatchIndex(g.window(line)); at != nil {
		g.blank(line+at[4], line+at[5])
		if at[6] >= 0 && at[2] >= 0 {
			g.blank(line+at[2], line+at[3])
		}
	}
	if at := groovyAbstract.FindSubmatchIndex(g.window(line)); at != nil {
		blank(g.out[line+at[4] : line+at[5]])
		if at[2] == at[3] {
			copy(g.out[line+at[4]:], "public")
		}
		return
	}
	if at := groovyUntyped.FindSubmatchIndex(g.window(line)); at != nil {
		blank(g.out[line+at[2] : line+at[3]])
		copy(g.out[line+at[2]:], "def")
	}
	if at := groovyQuotedName.FindSubmatchIndex(g.window(line)); at != nil {
		for i := line + at[2]; i < line+at[3]; i++ {
			if c := g.out[i]; !isWordByte(c) || c == '$' || c >= utf8.RuneSelf {
				g.out[i] = '_'
			}
		}
	}
}

// joinNotes makes one annotation, with nothing in its parentheses, of those that follow each other, and blanks those of parameters. It
// returns the text without any.
func joinNotes(out []byte) []byte {
	heads := bytes.Clone(out)
	left := 2 * len(out) // how much is read in parentheses, which may not end
	done := 0
	for _, at := range groovyNoteStart.FindAllSubmatchIndex(heads, -1) {
		start := at[2]
		if start < done {
			continue
		}
		name, end := 0, start
		for next := start; next < len(out) && out[next] == '@' && !bytes.HasPrefix(out[next:], []byte("@interface")); {
			i := next + 1
			for i < len(out) && isWordByte(out[i]) {
				i++
			}
			if name == 0 {
				name = i
			}
			for i < len(out) && (isWordByte(out[i]) || out[i] == '.') {
				i++
			}
			if i < len(out) && out[i] == '(' {
				close := closingParenthesis(out[i:min(len(out), i+left)])
				if close < 0 {
					left = max(0, left-len(out)/8)
					break
				}
				left -= close
				i += close + 1
			}
			end = i
			next = i + len(out[i:]) - len(bytes.TrimLeft(out[i:], " \t\r\n"))
		}
		if end == start {
			continue
		}
		done = end
		blank(heads[start:end])
		for name < end && (out[name] == '\n' || out[name] == '\r') {
			name++
		}
		if name+2 <= end {
			blank(out[name:end])
			out[name], out[end-1] = '(', ')'
		}
	}
	for _, at := range groovyNote.FindAllSubmatchIndex(heads, -1) {
		blank(out[at[2]:at[3]])
		blank(heads[at[2]:at[3]])
	}
	return heads
}

// closingParenthesis returns the offset of the parenthesis that closes the first byte, without those in strings; -1 without one.
func closingParenthesis(src []byte) int {
	depth := 0
	for i := 0; i < len(src); i++ {
		switch c := src[i]; c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		case '"', '\'':
			if bytes.HasPrefix(src[i:], []byte{c, c, c}) {
				i = past(src, i+3, string([]byte{c, c, c}))
				continue
			}
			for i++; i < len(src) && src[i] != c; i++ {
				if src[i] == '\\' {
					i++
				} else if src[i] == '\n' {
					return -1
				}
			}
		}
	}
	return -1
}
