package chunk

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/aurora-sidecar/aurora/index/syntax"
)

// A flow tells, in one file, what the receivers of calls are: by the types and values that names are given. It writes them as
// paths, see Call.On.
type flow struct {
	language *flowLanguage
	name     string // of the language
	src      []byte
	chunks   []Chunk
	names    map[string][]*binding // in the order of the text
	all      []*binding            // the same
	returned []*binding            // what functions return

	parametersOf map[*Chunk]map[string]string // bounds of type parameters
	typedValues  map[int]Span                 // the written types of variables, by where their values begin
}

// A binding is one name that gets a type or a value.
type binding struct {
	name  string // with "self." before it for a field
	at    int
	known Span
	typed Span // {} when it is not written
	value Span
	steps string // from the value to the name
	root  string // the path that takes the place of the value, "" for none
	calls bool   // typed is what calling it returns
	scope Span   // where the name is known, as the syntax says; {} without one

	path   string
	asked  bool
	inside int // the innermost chunk, -1 without one
}

// newFlow returns nil for a language in which values are not followed.
func newFlow(f *File, src []byte, bindings []syntax.Binding) *flow {
	language := flowLanguages[f.Language]
	if language == nil {
		return nil
	}
	fl := &flow{language: language, name: f.Language, src: src, chunks: f.Chunks, names: map[string][]*binding{}, parametersOf: map[*Chunk]map[string]string{}, typedValues: map[int]Span{}}
	for _, b := range bindings {
		fl.add(b)
	}
	return fl
}

// add takes in the names of one binding.
func (f *flow) add(b syntax.Binding) {
	names := bytes.TrimSpace(Span(b.Names).In(f.src))
	if len(names) == 0 || len(names) > maxWritten {
		return
	}
	at := b.Names.Start
	one := binding{at: at, typed: Span(b.Type), value: Span(b.Value), calls: b.Returns, scope: Span(b.Scope)}
	if b.Each {
		one.steps = "*"
	}
	if word := string(names); word == "return" || word == "=>" {
		returns{f}.add(one)
		return
	}
	if f.language == ecmaFlow {
		if isRequired(one.value.In(f.src)) {
			return // an import
		}
		names = f.addContext(&one, names)
	}
	if f.name == "rust" && !(isUpper(string(names)) && !b.Type.Empty()) {
		f.addPattern(one, names, b.Scope, maxNested)
		return
	}
	if len(flowName(names)) == len(names) {
		if b.Each && f.name == "go" {
			one.steps = "^"
		}
		f.put(one, string(names), b.Scope)
		return
	}
	if own, ok := f.ownMember(names); ok {
		f.put(one, "self."+own, b.Scope)
		return
	}
	if names[0] == '{' {
		f.addMembers(one, names, b.Scope)
		return
	}
	if (names[0] == '(' || names[0] == '[') && closing(names) == len(names)-1 {
		names = names[1 : len(names)-1]
	}
	f.addList(one, names, b.Scope)
}

// isRequired reports whether a value of JavaScript is a module: require("x").
func isRequired(value []byte) bool {
	rest, ok := bytes.CutPrefix(value, []byte("require("))
	return ok && len(rest) > 1 && (rest[0] == '\'' || rest[0] == '"') && quotedLength(rest)+1 == len(rest)
}

// ownMember is the x of self.x.
func (f *flow) ownMember(names []byte) (string, bool) {
	object, member, ok := bytes.Cut(names, []byte("."))
	return string(member), ok && slices.Contains(selfWords, string(object)) && len(flowName(member)) == len(member)
}

// addMembers takes in what an object is taken apart into.
func (f *flow) addMembers(one binding, pattern []byte, scope syntax.Span) {
	if closing(pattern) != len(pattern)-1 {
		return
	}
	steps := one.steps
	for _, p := range split(pattern[1:len(pattern)-1], ',') {
		member, local, renamed := bytes.Cut(p, []byte(":"))
		if !renamed {
			local = member
		}
		member, local = flowName(bytes.TrimSpace(member)), flowName(bytes.TrimSpace(local))
		if len(member) > 0 && len(local) > 0 {
			one.steps = steps + "." + string(member)
			f.put(one, string(local), scope)
		}
	}
}

// addList takes in several names: of several values, or of one that is several.
func (f *flow) addList(one binding, names []byte, scope syntax.Span) {
	list := split(names, ',')
	values := split(one.value.In(f.src), ',')
	steps, value := one.steps, one.value
	for i, n := range list {
		if len(flowName(n)) != len(n) {
			continue
		}
		one.value, one.steps = value, steps
		switch {
		case steps == "*" && f.name == "go" && i == 0:
			one.steps = "^"
		case steps == "*" && f.name == "go":
		case steps == "" && len(values) == len(list) && len(list) > 1:
			start := value.Start + (cap(value.In(f.src)) - cap(values[i]))
			one.value = Span{start, start + len(values[i])}
		case len(list) > 1:
			one.steps = steps + "@" + strconv.Itoa(i)
		}
		f.put(one, string(n), scope)
	}
}

// put files a name with where it is known.
func (f *flow) put(b binding, name string, scope syntax.Span) {
	b.name = name
	b.inside = f.innermost(b.at)
	around := Span{0, len(f.src)}
	if i := f.function(b.inside); i >= 0 {
		around = f.chunks[i].Span
	}
	from := max(b.at, b.value.End)
	switch {
	case !scope.Empty():
		b.known = Span(scope)
		if b.value.Start > b.at && b.known.Contains(b.value.End) {
			b.known.Start = b.value.End
		}
	case f.language.blocks:
		b.known = Span{from, min(around.End, f.indentedUntil(from, f.indent(b.at)))}
	default:
		b.known = Span{from, around.End}
	}
	f.names[name] = append(f.names[name], &b)
	f.all = append(f.all, &b)
}

// innermost is the innermost chunk at an offset, -1 without one. A chunk may have what stands before its definition, too.
func (f *flow) innermost(at int) int {
	i, _ := slices.BinarySearchFunc(f.chunks, at+1, func(c Chunk, at int) int { return cmp.Compare(c.Span.Start, at) })
	for i--; i >= 0; i-- {
		if c := &f.chunks[i]; c.Span.Contains(at) && at >= c.Signature.Start {
			return i
		}
	}
	return -1
}

// function returns the chunk when it is a function, -1 else.
func (f *flow) function(i int) int {
	if i >= 0 && f.chunks[i].Kind == KindFunction {
		return i
	}
	return -1
}

// indentedUntil is the end of the last line below an offset before one that is indented less than that.
func (f *flow) indentedUntil(at, indent int) int {
	for line := f.lineEnd(at); line < len(f.src); {
		next := line + 1
		end := f.lineEnd(next)
		text := f.src[next:end]
		if rest := bytes.TrimLeft(text, " \t"); len(bytes.TrimSpace(rest)) > 0 && len(text)-len(rest) < indent {
			return next
		}
		line = end
	}
	return len(f.src)
}

func (f *flow) lineEnd(at int) int {
	if at >= len(f.src) {
		return len(f.src)
	}
	if i := bytes.IndexByte(f.src[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(f.src)
}

// indent counts the white space that begins the line of an offset.
func (f *flow) indent(at int) int {
	start := bytes.LastIndexByte(f.src[:at], '\n') + 1
	line := f.src[start:at]
	return len(line) - len(bytes.TrimLeft(line, " \t"))
}

// lookup finds the last binding of a name that counts at an offset.
func (f *flow) lookup(name string, at int) *binding {
	list := f.names[name]
	for i := len(list) - 1; i >= 0; i-- {
		if b := list[i]; b.at < at && b.known.Contains(at) && !f.isField(b) {
			return b
		}
	}
	return nil
}

// isField reports whether a binding stands in a type and in no function.
func (f *flow) isField(b *binding) bool { return b.inside >= 0 && f.chunks[b.inside].Type == Class }

// on is the receiver of a call as a path, "" when its qualifier says as much, and that qualifier: in place of a variable the name
// of its type, if that is written.
func (f *flow) on(call syntax.Call, qualifier string, inside *Chunk) (path, better string) {
	if f == nil || call.On.Empty() {
		return "", qualifier
	}
	path = cmp.Or(f.path(Span(call.On), inside, maxNested), Unknown)
	if path == qualifier {
		return "", qualifier
	}
	if t, ok := plainType(path); ok && isUpper(t) {
		return path, t
	}
	return path, qualifier
}

// elsewhere is the path of what no definition of the workspace is: a string.
const elsewhere = "'"

// isParameter reports whether a call is of a parameter of a function around it, which hides what has its name outside, or in
// JavaScript of what that takes out of a list: const [count, setCount] = useState(0).
func isParameter(f *flow, call syntax.Call) bool {
	if f == nil || call.Qualifier != "" || f.name == "java" || f.name == "rust" {
		return false
	}
	b := f.lookup(call.Name, call.Span.Start)
	return b != nil && (!b.scope.Empty() || f.language == ecmaFlow && strings.Contains(b.steps, "@") && f.function(b.inside) >= 0)
}

// plainType is the last name of the type that a path is, without arguments.
func plainType(path string) (string, bool) {
	t, ok := strings.CutPrefix(path, ";")
	if !ok || strings.Count(t, ";") != 1 || !strings.HasSuffix(t, ";") || strings.ContainsAny(t, "[{(") {
		return "", false
	}
	t = outermost(strings.TrimSuffix(t, ";"))
	return t[strings.LastIndexByte(t, '.')+1:], true
}

// of is what a binding is worth, as a path.
func (f *flow) of(b *binding, depth int) string {
	if b.asked {
		return b.path
	}
	b.asked = true // what leads back to itself ends here
	var inside *Chunk
	if b.inside >= 0 {
		inside = &f.chunks[b.inside]
	}
	if b.root != "" {
		b.path = b.root + b.steps
	} else if t := f.typeOf(b); t != "" {
		b.path = ";" + t + ";"
		if t == "Self" && f.name == "rust" {
			b.path = Self
		}
		if strings.HasPrefix(b.steps, ".") || f.name == "rust" && b.steps != "*" {
			b.path += b.steps
		}
	} else if !b.value.Empty() && b.typed.Empty() {
		if p := f.path(b.value, inside, depth-1); p != "" {
			b.path = p + b.steps
			if f.name == "python" && bytes.HasSuffix(bytes.TrimRight(f.src[:b.at], " \t\r\n"), []byte(" as")) {
				b.path = p + "%"
			}
		}
	}
	if len(b.path) > maxPath {
		b.path = ""
	}
	return b.path
}

// typeOf is the written type of a binding.
func (f *flow) typeOf(b *binding) string {
	text := b.typed.In(f.src)
	if len(text) == 0 || f.name == "java" && string(text) == "var" {
		b.typed = Span{}
		return ""
	}
	if bytes.HasPrefix(b.known.In(f.src), []byte("case ")) && bytes.HasPrefix(bytes.TrimLeft(f.src[b.typed.End:], " \t\r\n"), []byte(",")) {
		return "" // one of several
	}
	t := f.language.written(text)
	if t != "" && bytes.HasSuffix(bytes.TrimRight(f.src[:b.typed.Start], " "), []byte("...")) {
		t = "[]<" + t + ">"
	}
	if b.inside >= 0 {
		t = f.bounded(t, &f.chunks[b.inside])
	}
	return t
}

// path reads an expression: "" when it can't be followed.
func (f *flow) path(s Span, inside *Chunk, depth int) string {
	if depth <= 0 || s.End-s.Start > maxValue {
		return ""
	}
	e := expression{flow: f, text: s.In(f.src), at: s.Start, inside: inside, depth: depth}
	p := e.read()
	if len(p) > maxPath {
		return ""
	}
	return p
}

// arguments are the types of what a call is given, see Call.Args.
func (f *flow) arguments(call syntax.Call, inside *Chunk) string {
	if f == nil || !f.language.overloads {
		return ""
	}
	at := call.Span.End
	rest := bytes.TrimLeft(f.src[at:min(len(f.src), at+10*maxWritten)], " \t\r\n")
	if len(rest) == 0 || rest[0] != '(' {
		return ""
	}
	end := closing(rest)
	if end < 0 {
		return ""
	}
	var types []string
	for _, a := range split(rest[1:end], ',') {
		start := cap(f.src) - cap(a)
		types = append(types, orUnknown(f.argumentType(a, Span{start, start + len(a)}, inside)))
	}
	return "(" + strings.Join(types, ",") + ")"
}

// argumentType is the type of one argument where its text shows it.
func (f *flow) argumentType(text []byte, at Span, inside *Chunk) string {
	switch c := text[0]; {
	case c == '"' && quotedLength(text) == len(text):
		return "String"
	case c == '\'' && quotedLength(text) == len(text):
		return "char"
	case c >= '0' && c <= '9':
		return "int"
	case string(text) == "true" || string(text) == "false":
		return "boolean"
	case string(text) == "null":
		return "null"
	case bytes.HasSuffix(text, []byte(".class")):
		return "Class"
	}
	p := f.path(at, inside, maxNested)
	if t, ok := strings.CutPrefix(p, ";"); ok && strings.Count(t, ";") == 1 && strings.HasSuffix(t, ";") {
		return outermost(strings.TrimSuffix(t, ";"))
	}
	return ""
}

// outermost is a type without its arguments.
func outermost(t string) string {
	if i := strings.IndexAny(t, "<("); i > 0 {
		return t[:i]
	}
	return t
}

// parameters adds the types of the parameters of functions that share their name, by their ordinals.
func (f *flow) parameters(put func(key, t string)) {
	if !f.language.overloads {
		return
	}
	types := map[int][]string{}
	for _, b := range f.all {
		if b.inside < 0 || b.typed.Empty() || !f.chunks[b.inside].Signature.Contains(b.at) || f.chunks[b.inside].Kind != KindFunction {
			continue
		}
		t := orUnknown(outermost(f.typeOf(b)))
		if bytes.HasSuffix(bytes.TrimRight(f.src[:b.at], " "), []byte("...")) {
			t += "..."
		}
		types[b.inside] = append(types[b.inside], t)
	}
	many := map[string]bool{}
	for i := range f.chunks {
		many[f.chunks[i].QualifiedName()] = many[f.chunks[i].QualifiedName()] || f.chunks[i].Ordinal > 0
	}
	for i := range f.chunks {
		if c := &f.chunks[i]; c.Kind == KindFunction && many[c.QualifiedName()] {
			put(c.QualifiedName()+"#"+strconv.Itoa(c.Ordinal), "("+strings.Join(types[i], ",")+")")
		}
	}
}
