package chunk

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aurora-sidecar/aurora/index/syntax"
)

// The qualifiers of a Call that are no names.
const (
	Unknown = syntax.Unknown // the result of an expression
	Self    = "self"         // the object or class that the calling method belongs to, however the language writes it
	Super   = "super"        // what that one inherits from
)

// selfWords and superWords are how languages write Self and Super.
var (
	selfWords  = []string{"self", "this", "Self", "cls", "static"}
	superWords = []string{"super", "parent", "base"}
)

// isSelfWord reports whether a word names the own object or class; in Rust "this" and the others are names like any.
func isSelfWord(word, language string) bool {
	return slices.Contains(selfWords, word) && (language != "rust" || word == "self" || word == "Self")
}

// receivers finds out, for the calls of one chunk after the other, what their qualifiers stand for.
type receivers struct {
	src      []byte
	language string
	chunks   []Chunk         // of the file, in order
	imported map[string]bool // local names of imports: they are no variables

	chunk *Chunk
	known map[string]string // of the present chunk
}

func newReceivers(f *File, src []byte, imports []syntax.Import) *receivers {
	r := &receivers{src: src, language: f.Language, chunks: f.Chunks, imported: map[string]bool{}, known: map[string]string{}}
	for _, imp := range imports {
		r.imported[localName(imp.Path, imp.Name)] = true
	}
	return r
}

// localName is the name under which a file knows an import.
func localName(imported, name string) string {
	if name != "" {
		return name
	}
	return path.Base(strings.ReplaceAll(imported, ".", "/"))
}

// enter makes c the chunk whose calls follow.
func (r *receivers) enter(c *Chunk) {
	r.chunk = c
	clear(r.known)
	if r.language == "go" && c.Type == Method {
		if name := goReceiver(c.Signature.In(r.src)); name != "" {
			r.known[name] = Self
		}
	}
}

// qualifier is the qualifier of a call in other words: Self, Super, or the type of a variable where the chunk tells
// it; else it stays as it is written.
func (r *receivers) qualifier(written string) string {
	if written == "" || written == Unknown {
		return written
	}
	if known, ok := r.known[written]; ok {
		return known
	}
	resolved := r.resolve(written)
	r.known[written] = resolved
	return resolved
}

func (r *receivers) resolve(written string) string {
	if r.chunk.Container != "" && r.language != "go" {
		if isSelfWord(written, r.language) {
			return Self
		}
		if slices.Contains(superWords, written) {
			return Super
		}
	}
	first, _ := utf8.DecodeRuneInString(written)
	if r.imported[written] || unicode.IsUpper(first) || flowLanguages[r.language] != nil { // which follow it, see Call.On
		return written
	}
	own := Span{max(r.chunk.Span.Start, r.chunk.Signature.Start), r.chunk.Span.End}
	if t := r.typeIn(own, r.chunk.Signature.End, written); t != "" {
		return t
	}
	for _, fields := range r.fields() {
		if t := r.typeIn(fields, fields.End, written); t != "" {
			return t
		}
	}
	return written
}

// constructors are the methods whose parameters may be fields at once, as in PHP and TypeScript.
var constructors = map[string]bool{"__construct": true, "constructor": true}

// fields are the stretches of the file where the chunk's type declares fields, if the file defines it: what of it is in no method, its
// own parameters included, and the parameters of its constructor.
func (r *receivers) fields() []Span {
	own := r.chunk.Container[strings.LastIndexByte(r.chunk.Container, '.')+1:]
	if own == "" {
		return nil
	}
	at := slices.IndexFunc(r.chunks, func(c Chunk) bool { return c.Type == Class && c.Name == own })
	if at < 0 {
		return nil
	}
	class := &r.chunks[at]
	spans := []Span{class.Signature}
	from := class.Signature.End
	for i := at + 1; i < len(r.chunks) && class.Span.Contains(r.chunks[i].Span.Start); i++ {
		inner := &r.chunks[i]
		if constructors[inner.Name] {
			spans = append(spans, inner.Signature)
		}
		if inner.Span.Start > from {
			spans = append(spans, Span{from, inner.Span.Start})
		}
		from = max(from, inner.Span.End)
	}
	return append(spans, Span{from, max(from, class.Span.End)})
}

// goReceiver is the name in "func (s *Store) ...".
func goReceiver(signature []byte) string {
	_, rest, ok := bytes.Cut(signature, []byte("("))
	if !ok {
		return ""
	}
	name := identifier(rest)
	if after := rest[len(name):]; len(after) == 0 || after[0] != ' ' {
		return ""
	}
	return string(name)
}

// How often a variable is looked at, and how often its letters are.
const (
	maxOccurrences = 6
	maxLooks       = 200
)

// typeIn looks for the declaration of a variable among its first occurrences in a stretch of the file: a parameter or
// field with a type, which may stand before declarations, or a variable that begins as a new object.
func (r *receivers) typeIn(stretch Span, declarations int, variable string) string {
	text := stretch.In(r.src)
	at, seen := 0, 0
	for range maxLooks {
		i := bytes.Index(text[at:], []byte(variable))
		if i < 0 {
			return ""
		}
		start := at + i
		at = start + len(variable)
		if isWordEnd(text[:start]) || isWordStart(text[at:]) {
			continue
		}
		if t := r.declared(text[:start], text[at:], stretch.Start+start < declarations); t != "" {
			return t
		}
		if seen++; seen == maxOccurrences {
			break
		}
	}
	return ""
}

// declared returns the type that the text around one occurrence of a variable gives it.
func (r *receivers) declared(before, after []byte, parameter bool) string {
	before = bytes.TrimRight(before, " \t")
	rest := bytes.TrimLeft(after, " \t")
	word := lastWord(before)
	switch {
	case bytes.HasPrefix(rest, []byte(":=")):
		return r.constructed(rest[2:])
	case bytes.HasPrefix(rest, []byte("=")) && !bytes.HasPrefix(rest, []byte("==")) && !bytes.HasPrefix(rest, []byte("=>")):
		if t := r.constructed(rest[1:]); t != "" {
			return t
		}
	case r.language == "go":
		if parameter || string(word) == "var" {
			return typeName(rest, false)
		}
		return ""
	case bytes.HasPrefix(rest, []byte(":")) && (parameter || declarators[string(word)]):
		return typeName(rest[1:], true)
	}
	if typeFirst[r.language] && len(rest) > 0 && bytes.IndexByte([]byte("=;,):({"), rest[0]) >= 0 {
		return precedingType(before)
	}
	return ""
}

// declarators stand before a new variable.
var declarators = map[string]bool{"let": true, "const": true, "var": true, "val": true, "mut": true}

// typeFirst are the languages that write a type before its variable.
var typeFirst = map[string]bool{"java": true, "csharp": true, "cpp": true, "c": true, "php": true}

// constructed returns the type of "new T(", "T(", "T{", "&T{", "T::new(" and, in Go, "NewT(".
func (r *receivers) constructed(after []byte) string {
	for _, skip := range []string{" ", "await ", "new ", "&", "try "} {
		after = bytes.TrimPrefix(after, []byte(skip))
	}
	parts, rest := dottedPath(after)
	rest = skipGenerics(rest)
	if len(parts) == 0 || len(rest) == 0 || rest[0] != '(' && rest[0] != '{' {
		return ""
	}
	last := parts[len(parts)-1]
	if r.language == "go" {
		if rest[0] == '{' {
			return last
		}
		made := strings.TrimPrefix(strings.TrimPrefix(last, "New"), "new")
		if made != last && isUpper(made) {
			return made
		}
		return ""
	}
	if isUpper(last) {
		return last
	}
	if n := len(parts); n > 1 && isUpper(parts[n-2]) && slices.Contains([]string{"new", "default", "create", "getInstance", "from"}, last) {
		return parts[n-2]
	}
	return ""
}

// typeName reads the name of a type: "*pkg.T", "&mut T", "T[]", "Optional[T]". With upper it must begin with a capital
// letter.
func typeName(text []byte, upper bool) string {
	text = bytes.TrimLeft(text, " \t*&?.[]'")
	for _, skip := range []string{"mut ", "const ", "dyn ", "readonly "} {
		text = bytes.TrimPrefix(text, []byte(skip))
	}
	parts, _ := dottedPath(text)
	if len(parts) == 0 || upper && !isUpper(parts[len(parts)-1]) {
		return ""
	}
	switch last := parts[len(parts)-1]; last {
	case "map", "chan", "func", "interface", "struct", "int", "string", "bool", "error", "byte", "any", "range", "in":
		return ""
	default:
		return last
	}
}

// pointers are the templates of C++ that stand for what they hold.
var pointers = map[string]bool{"unique_ptr": true, "shared_ptr": true, "weak_ptr": true}

// precedingType is the T of "T ", "T* ", "const T& ", "List<T> ", "unique_ptr<T> ", "T $", "T|null $".
func precedingType(before []byte) string {
	before = bytes.TrimSuffix(bytes.TrimRight(before, " \t*&$"), []byte("|null"))
	if n := len(before); n > 0 && before[n-1] == '>' {
		open := bytes.LastIndexByte(before, '<')
		if open < 0 {
			return ""
		}
		if pointers[string(lastWord(before[:open]))] {
			return typeName(before[open+1:], true)
		}
		before = before[:open]
	}
	if word := string(lastWord(before)); isUpper(word) {
		return word
	}
	return ""
}

// dottedPath reads "a.b::C" off the front.
func dottedPath(text []byte) (parts []string, rest []byte) {
	for {
		word := identifier(text)
		if len(word) == 0 {
			return parts, text
		}
		parts = append(parts, string(word))
		text = text[len(word):]
		switch {
		case bytes.HasPrefix(text, []byte("::")):
			text = text[2:]
		case bytes.HasPrefix(text, []byte(".")) || bytes.HasPrefix(text, []byte(`\`)):
			text = text[1:]
		default:
			return parts, text
		}
	}
}

// skipGenerics skips "<...>" and "[...]" on the line.
func skipGenerics(text []byte) []byte {
	if len(text) == 0 || text[0] != '<' && text[0] != '[' {
		return text
	}
	end := bytes.IndexAny(text, "({;\n")
	if end < 0 {
		return nil
	}
	return text[end:]
}

func identifier(text []byte) []byte {
	n := 0
	for n < len(text) {
		r, size := utf8.DecodeRune(text[n:])
		if !isWordRune(r) {
			break
		}
		n += size
	}
	return text[:n]
}

func lastWord(text []byte) []byte {
	start := len(text)
	for start > 0 {
		r, size := utf8.DecodeLastRune(text[:start])
		if !isWordRune(r) {
			break
		}
		start -= size
	}
	return text[start:]
}

func isWordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

func isWordEnd(text []byte) bool {
	r, _ := utf8.DecodeLastRune(text)
	return len(text) > 0 && (isWordRune(r) || r == '.')
}

func isWordStart(text []byte) bool {
	r, _ := utf8.DecodeRune(text)
	return len(text) > 0 && isWordRune(r)
}

func isUpper(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}
