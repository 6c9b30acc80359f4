package chunk

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// A flowLanguage is how a language writes types and values, as far as following them takes.
type flowLanguage struct {
	arguments   byte            // the bracket that opens type arguments
	blocks      bool            // a variable is known in its block only, not in all of its function
	casts       bool            // (T)x is an x of type T
	overloads   bool            // functions of one name differ by their parameters
	through     map[string]bool // generic types that are used like their first argument
	lists, maps map[string]bool // generic types that hold values of their first and last argument

	prepare func(text []byte) []byte                                               // rewrites a type before it is read; nil where nothing is to do
	form    func(text []byte, inner func([]byte) string) (written string, ok bool) // reads what only this language writes
}

var ecmaFlow = &flowLanguage{
	arguments: '<', blocks: true,
	through: words("Promise PromiseLike Awaited Readonly Partial Required NonNullable Pick Omit"),
	lists: words(`Array ReadonlyArray Set ReadonlySet Iterable Iterator IterableIterator AsyncIterable AsyncIterator
		AsyncIterableIterator Generator AsyncGenerator`),
	maps: words("Map ReadonlyMap WeakMap Record"),
	form: ecmaType,
}

// flowLanguages are those in which values are followed.
var flowLanguages = map[string]*flowLanguage{
	"go":   {arguments: '[', blocks: true, form: goType},
	"rust": rustFlow,
	"python": {
		arguments: '[',
		through:   words("Optional Awaitable Final ClassVar Annotated Required NotRequired Union"),
		lists: words(`List list Sequence MutableSequence Iterable Iterator Set set FrozenSet frozenset Collection Deque deque
			Generator AsyncIterable AsyncIterator AsyncGenerator ContextManager AsyncContextManager`),
		maps: words("Dict dict Mapping MutableMapping DefaultDict defaultdict OrderedDict"),
	},
	"typescript": ecmaFlow, "tsx": ecmaFlow, "javascript": ecmaFlow,
	"java": {
		arguments: '<', blocks: true, casts: true, overloads: true,
		lists: words(`List ArrayList LinkedList Collection Set HashSet LinkedHashSet SortedSet TreeSet Iterable Iterator Queue Deque
			ArrayDeque Stream Optional ListIterator`),
		maps: words("Map HashMap LinkedHashMap TreeMap SortedMap ConcurrentMap ConcurrentHashMap"),
	},
}

func words(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// The bounds of what is followed, in bytes and in steps.
const (
	maxWritten = 400
	maxNested  = 8
	maxPath    = 160
	maxValue   = 16 << 10 // of a value, most of which are a literal's parts or arguments
)

// written turns a type as a text writes it into the one form that package graph reads: a name with dots and, in angle
// brackets, its arguments. "[]" is the name of what holds values, "{}" of what holds them by a key, "()" of a function by its
// result, behind which its parameters may stand; a list in round brackets is several results. "" when it is none of these.
func (l *flowLanguage) written(text []byte) string {
	if l.prepare != nil && len(text) <= maxWritten {
		text = l.prepare(text)
	}
	return l.writtenIn(text, maxNested)
}

func (l *flowLanguage) writtenIn(text []byte, depth int) string {
	text = trimType(text)
	if depth == 0 || len(text) == 0 || len(text) > maxWritten && !isStruct(text) {
		return ""
	}
	inner := func(t []byte) string { return orUnknown(l.writtenIn(t, depth-1)) }
	if l.form != nil {
		if t, ok := l.form(text, inner); ok {
			return t
		}
	}
	if options := split(text, '|'); len(options) > 1 {
		return l.oneOf(options, depth)
	}
	if options := split(text, '&'); len(options) > 1 {
		return l.writtenIn(options[0], depth-1)
	}
	if text[0] == '(' && closing(text) == len(text)-1 {
		return l.writtenIn(text[1:len(text)-1], depth-1)
	}
	if element, ok := bytes.CutSuffix(text, []byte("[]")); ok {
		return "[]<" + inner(element) + ">"
	}
	parts, rest := dottedNames(text)
	if len(parts) == 0 {
		return ""
	}
	name := strings.Join(parts, ".")
	rest = bytes.TrimSpace(rest)
	if len(rest) == 0 {
		return name
	}
	end := closing(rest)
	if rest[0] != l.arguments || end < 0 {
		return ""
	}
	return l.generic(name, parts[len(parts)-1], split(rest[1:end], ','), inner)
}

// generic is a type with arguments.
func (l *flowLanguage) generic(name, last string, arguments [][]byte, inner func([]byte) string) string {
	switch {
	case len(arguments) == 0:
		return name
	case last == "Union":
		return l.oneOf(arguments, maxNested)
	case last == "Literal":
		return ""
	case l.through[last]:
		return strings.TrimPrefix(inner(arguments[0]), "_")
	case last == "Coroutine":
		return strings.TrimPrefix(inner(arguments[len(arguments)-1]), "_")
	case l.lists[last]:
		return "[]<" + inner(arguments[0]) + ">"
	case l.maps[last]:
		return "{}<" + inner(arguments[0]) + "," + inner(arguments[len(arguments)-1]) + ">"
	case last == "Callable":
		return "()<" + inner(arguments[len(arguments)-1]) + ">"
	case last == "Tuple" || last == "tuple":
		return "(" + joined(arguments, inner) + ")"
	}
	return name + "<" + joined(arguments, inner) + ">"
}

func joined(list [][]byte, inner func([]byte) string) string {
	var out []string
	for _, t := range list {
		out = append(out, inner(t))
	}
	return strings.Join(out, ",")
}

// oneOf is the one of several types that is not nothing; the first of those that are left.
func (l *flowLanguage) oneOf(options [][]byte, depth int) string {
	for _, o := range options {
		switch string(trimType(o)) {
		case "", "None", "null", "undefined", "void", "str", "string", "bytes", "int", "number", "boolean", "bool":
			continue
		}
		if t := l.writtenIn(o, depth-1); t != "" {
			return t
		}
	}
	return ""
}

// goType reads what only Go writes.
func goType(text []byte, inner func([]byte) string) (written string, ok bool) {
	switch {
	case text[0] == '[':
		if end := closing(text); end > 0 {
			return "[]<" + inner(text[end+1:]) + ">", true
		}
	case bytes.HasPrefix(text, []byte("map[")):
		if end := closing(text[3:]); end > 0 {
			return "{}<" + inner(text[4:3+end]) + "," + inner(text[3+end+1:]) + ">", true
		}
	case bytes.HasPrefix(text, []byte("chan")) && len(text) > 4 && (text[4] == ' ' || text[4] == '<'):
		return "[]<" + inner(bytes.TrimPrefix(text[4:], []byte("<-"))) + ">", true
	case bytes.HasPrefix(text, []byte("func(")):
		if end := closing(text[4:]); end > 0 {
			return "()<" + inner(text[4+end+1:]) + ">", true
		}
	case bytes.HasPrefix(text, []byte("interface")):
		return "", true
	case isStruct(text):
		return structType(text, inner), true
	case text[0] == '(' && closing(text) == len(text)-1:
		return "(" + joined(goResults(split(text[1:len(text)-1], ',')), inner) + ")", true
	}
	return "", false
}

// maxStruct bounds, in bytes, the struct types without a name that are read.
const maxStruct = 2000

// isStruct reports whether a type is a struct without a name, or holds such.
func isStruct(text []byte) bool {
	if len(text) > 0 && text[0] == '[' {
		text = bytes.TrimLeft(text[bytes.IndexByte(text, ']')+1:], "*")
	}
	return len(text) < maxStruct && (bytes.HasPrefix(text, []byte("struct {")) || bytes.HasPrefix(text, []byte("struct{")))
}

// structType is "struct" and the fields of a struct without a name, without those of the language's own types.
func structType(text []byte, inner func([]byte) string) string {
	body := text[bytes.IndexByte(text, '{')+1:]
	if end := bytes.LastIndexByte(body, '}'); end >= 0 {
		body = body[:end]
	}
	var fields []string
	for line := range bytes.Lines(bytes.ReplaceAll(body, []byte(";"), []byte("\n"))) {
		line, _, _ = bytes.Cut(line, []byte("//"))
		names, written := fieldNames(bytes.TrimSpace(line))
		written, _, _ = bytes.Cut(written, []byte("`"))
		t := inner(written)
		if t == "_" || predeclared[strings.Trim(t, "[]<>")] {
			continue
		}
		for _, n := range names {
			fields = append(fields, n+"="+t)
		}
	}
	if len(fields) == 0 {
		return ""
	}
	return "struct<" + strings.Join(fields, ",") + ">"
}

// fieldNames reads "a, b" off the front of "a, b T".
func fieldNames(line []byte) (names []string, rest []byte) {
	for {
		name := flowName(line)
		line = bytes.TrimLeft(line[len(name):], " \t")
		if len(name) == 0 {
			return nil, nil
		}
		names = append(names, string(name))
		if len(line) == 0 || line[0] != ',' {
			return names, line
		}
		line = bytes.TrimLeft(line[1:], " \t")
	}
}

// predeclared are the types of Go that have no methods to look for.
var predeclared = words(`bool byte complex64 complex128 float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16
	uint32 uint64 uintptr any`)

// goResults leaves the types of results, which have names or not.
func goResults(list [][]byte) [][]byte {
	named := false
	for _, r := range list {
		name := flowName(r)
		named = named || len(name) > 0 && len(name) < len(r) && r[len(name)] == ' ' && string(name) != "chan"
	}
	if !named {
		return list
	}
	for i := len(list) - 1; i >= 0; i-- {
		if _, t, ok := bytes.Cut(list[i], []byte(" ")); ok {
			list[i] = t
		} else if i+1 < len(list) {
			list[i] = list[i+1]
		}
	}
	return list
}

// trimType takes away what stands before a type or around it and does not change which one it is.
func trimType(text []byte) []byte {
	for {
		before := len(text)
		text = bytes.TrimSpace(text)
		text = bytes.TrimLeft(text, "*&?")
		for _, word := range []string{"readonly ", "final ", "...", "<-", "asserts "} {
			text = bytes.TrimPrefix(text, []byte(word))
		}
		if n := len(text); n > 1 && (text[0] == '"' || text[0] == '\'') && text[n-1] == text[0] {
			text = text[1 : n-1]
		}
		if len(text) == before {
			return text
		}
	}
}

func orUnknown(t string) string {
	if t == "" {
		return "_"
	}
	return t
}

// split cuts a text at a separator outside of brackets and quotes. The parts are trimmed; an empty last one is left out.
func split(text []byte, separator byte) [][]byte {
	var parts [][]byte
	from := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == separator:
			parts = append(parts, bytes.TrimSpace(text[from:i]))
			from = i + 1
		case c == '(' || c == '[' || c == '{' || c == '<' && i > 0 && isNameEnd(text[:i]):
			if end := closing(text[i:]); end > 0 {
				i += end
			}
		case c == '#' && rawLength(text[i:]) > 0:
			i += rawLength(text[i:]) - 1
		case c == '"' || c == '\'' || c == '`':
			i += quotedLength(text[i:]) - 1
		}
	}
	if rest := bytes.TrimSpace(text[from:]); len(rest) > 0 {
		parts = append(parts, rest)
	}
	return parts
}

// closing returns the offset of the bracket that closes the one at the start, -1 without one.
func closing(text []byte) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth <= 0 {
				return i
			}
		case '<':
			if text[0] == '<' {
				depth++
			}
		case '>':
			if text[0] == '<' && (i == 0 || text[i-1] != '=' && text[i-1] != '-') {
				if depth--; depth <= 0 {
					return i
				}
			}
		case '#':
			i += max(rawLength(text[i:])-1, 0)
		case '"', '\'', '`':
			i += quotedLength(text[i:]) - 1
		}
	}
	return -1
}

// rawLength is the length of a string between #" and "#, as Rust and Swift write them, 0 when none begins a text.
func rawLength(text []byte) int {
	hashes := len(text) - len(bytes.TrimLeft(text, "#"))
	if hashes == 0 || hashes == len(text) || text[hashes] != '"' {
		return 0
	}
	end := append([]byte{'"'}, text[:hashes]...)
	if i := bytes.Index(text[hashes+1:], end); i >= 0 {
		return hashes + 1 + i + len(end)
	}
	return 0
}

// quotedLength is the length of the string that begins a text, at least 1.
func quotedLength(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case text[i] == text[0]:
			return i + 1
		case text[i] == '\n' && text[0] != '`':
			return 1
		}
	}
	return 1
}

// flowName reads a name off the front, in which a dollar may stand.
func flowName(text []byte) []byte {
	n := 0
	for n < len(text) {
		r, size := utf8.DecodeRune(text[n:])
		if r != '$' && r != '#' && !isWordRune(r) {
			break
		}
		n += size
	}
	return text[:n]
}

func isNameEnd(text []byte) bool {
	r, _ := utf8.DecodeLastRune(text)
	return r == '$' || isWordRune(r)
}

// dottedNames reads "a.b.C" off the front.
func dottedNames(text []byte) (parts []string, rest []byte) {
	for {
		name := flowName(text)
		if len(name) == 0 {
			return parts, text
		}
		parts = append(parts, string(name))
		text = text[len(name):]
		if !bytes.HasPrefix(text, []byte(".")) {
			return parts, text
		}
		text = text[1:]
	}
}
