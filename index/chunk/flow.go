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
}

// A binding is one name that gets a type or a value.
type binding struct {
	name  string // with "self." before it for a field
	at    int
	known Span
	typed Span // {} when it is not written
	value Span
	steps string // from the value to the name
	calls bool   // typed is what calling it returns

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
	fl := &flow{language: language, name: f.Language, src: src, chunks: f.Chunks, names: map[string][]*binding{}}
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
	one := binding{at: at, typed: Span(b.Type), value: Span(b.Value), calls: b.Returns}
	if b.Each {
		one.steps = "*"
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
	case f.language.blocks:
		b.known = Span{from, min(around.End, f.indentedUntil(from))}
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

// indentedUntil is the end of the last line below an offset before one that is indented less.
func (f *flow) indentedUntil(at int) int {
	indent := f.indent(at)
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
	if t := f.typeOf(b); t != "" {
		b.path = ";" + t + ";"
		if strings.HasPrefix(b.steps, ".") {
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
	return t
}

// path reads an expression: "" when it can't be followed.
func (f *flow) path(s Span, inside *Chunk, depth int) string {
	if depth <= 0 || s.End-s.Start > 4*maxWritten {
		return ""
	}
	e := expression{flow: f, text: s.In(f.src), at: s.Start, inside: inside, depth: depth}
	p := e.read()
	if len(p) > maxPath {
		return ""
	}
	return p
}

// An expression is read from its start.
type expression struct {
	flow   *flow
	text   []byte
	at     int // of text in the file
	inside *Chunk
	depth  int
}

// skip takes n bytes off the front.
func (e *expression) skip(n int) {
	e.text = e.text[n:]
	e.at += n
	trimmed := bytes.TrimLeft(e.text, " \t\r\n")
	e.at += len(e.text) - len(trimmed)
	e.text = trimmed
}

func (e *expression) has(prefix string) bool { return bytes.HasPrefix(e.text, []byte(prefix)) }

// read returns the path, "" when there is anything in the expression that it can't follow.
func (e *expression) read() string {
	e.skip(0)
	for _, word := range []string{"await ", "&", "*", "yield from "} {
		if e.has(word) {
			e.skip(len(word))
		}
	}
	if e.has("<-") {
		e.skip(2)
		if p := e.read(); p != "" {
			return p + "*"
		}
		return ""
	}
	p := e.primary()
	if p == "" {
		return ""
	}
	return e.rest(p)
}

// primary reads what an expression begins with.
func (e *expression) primary() string {
	switch c := e.first(); {
	case c == '"' || c == '\'' || c == '`':
		e.skip(quotedLength(e.text))
		return "'"
	case c >= '0' && c <= '9':
		return ""
	case c == '(':
		return e.bracketed()
	case e.flow.name == "go" && (c == '[' || e.has("map[")):
		return e.literal()
	}
	word := string(flowName(e.text))
	if word == "" {
		return ""
	}
	switch {
	case word == "new" && e.flow.name != "go" && e.flow.name != "python":
		e.skip(len(word))
		return e.created()
	case keywords[word]:
		return ""
	case (word == "new" || word == "make") && e.flow.name == "go" && len(e.text) > len(word) && e.text[len(word)] == '(':
		return e.typeArgument(len(word))
	case word == "cast" && e.flow.name == "python":
		return e.typeArgument(len(word))
	}
	e.skip(len(word))
	return e.root(word)
}

func (e *expression) first() byte {
	if len(e.text) == 0 {
		return 0
	}
	return e.text[0]
}

// keywords begin expressions that are not followed.
var keywords = words(`func function async class lambda not typeof void delete yield if match switch try import null undefined true false
	nil None True False del print`)

// root is what a plain name is worth.
func (e *expression) root(word string) string {
	f := e.flow
	if e.inside != nil && e.inside.Container != "" {
		if f.name == "go" && e.inside.Type == Method && goReceiver(e.inside.Signature.In(f.src)) == word && f.shadow(word, e.at) == nil {
			return Self
		}
		if f.name != "go" && slices.Contains(selfWords, word) {
			return Self
		}
		if f.name != "go" && slices.Contains(superWords, word) && word != "base" && word != "parent" {
			if e.first() == '(' {
				e.skip(max(closing(e.text)+1, 1))
			}
			return Super
		}
	}
	if b := f.lookup(word, e.at-len(word)); b != nil {
		return f.of(b, e.depth)
	}
	return word
}

// shadow finds a binding of the name of a receiver other than the receiver itself.
func (f *flow) shadow(word string, at int) *binding {
	b := f.lookup(word, at)
	if b != nil && b.inside >= 0 && f.chunks[b.inside].Signature.Contains(b.at) {
		return nil
	}
	return b
}

// bracketed reads (x), with what only brackets show: the type that x is said to have.
func (e *expression) bracketed() string {
	end := closing(e.text)
	if end < 0 {
		return ""
	}
	inner := e.text[1:end]
	at := e.at + 1
	e.skip(end + 1)
	if e.flow.language.casts && len(e.text) > 0 && (len(flowName(e.text)) > 0 || e.text[0] == '(') {
		e.text = nil
		return typed(e.flow.language.written(inner))
	}
	nested := expression{flow: e.flow, text: inner, at: at, inside: e.inside, depth: e.depth - 1}
	if nested.depth <= 0 {
		return ""
	}
	return nested.read()
}

func typed(t string) string {
	if t == "" {
		return ""
	}
	return ";" + t + ";"
}

// literal reads []T{...} and map[K]V{...}.
func (e *expression) literal() string {
	open := bytes.IndexByte(e.text, '{')
	if open < 0 {
		return ""
	}
	t := e.flow.language.written(e.text[:open])
	end := closing(e.text[open:])
	if end < 0 {
		return ""
	}
	e.skip(open + end + 1)
	return typed(t)
}

// created reads what stands behind "new".
func (e *expression) created() string {
	parts, rest := dottedNames(e.text)
	if len(parts) == 0 {
		return ""
	}
	e.skip(len(e.text) - len(rest))
	if e.first() == '<' {
		e.skip(closing(e.text) + 1)
	}
	if e.first() == '(' {
		e.skip(closing(e.text) + 1)
	}
	if e.first() == '{' {
		e.skip(closing(e.text) + 1)
	}
	return typed(strings.Join(parts, "."))
}

// typeArgument reads new(T), make(T, n) and cast(T, x).
func (e *expression) typeArgument(word int) string {
	e.skip(word)
	end := closing(e.text)
	if e.first() != '(' || end < 0 {
		return ""
	}
	arguments := split(e.text[1:end], ',')
	e.skip(end + 1)
	if len(arguments) == 0 {
		return ""
	}
	return typed(e.flow.language.written(arguments[0]))
}

// rest reads what follows a path, up to the end.
func (e *expression) rest(p string) string {
	for len(e.text) > 0 {
		switch c := e.text[0]; {
		case e.has("?."), e.has("!."):
			e.skip(1)
		case c == '!' && !e.has("!="):
			e.skip(1)
		case c == '.':
			e.skip(1)
			if p = e.member(p); p == "" {
				return ""
			}
		case c == '(':
			end := closing(e.text)
			if end < 0 {
				return ""
			}
			arguments := Span{e.at + 1, e.at + end}
			e.skip(end + 1)
			switch steps, ok := passing[e.flow.name][p]; {
			case ok:
				if p = e.argument(arguments); p == "" {
					return ""
				}
				p += steps
			default:
				p += "()"
			}
		case c == '[':
			end := closing(e.text)
			if end < 0 {
				return ""
			}
			if !bytes.Contains(e.text[1:end], []byte(":")) || e.text[1] == '"' || e.text[1] == '\'' {
				p += "[]"
			}
			e.skip(end + 1)
		case c == '<':
			end := closing(e.text)
			if end < 0 || end+1 >= len(e.text) || e.text[end+1] != '(' {
				return ""
			}
			e.skip(end + 1)
		case c == '{' && e.flow.name == "go" && closing(e.text) >= 0:
			e.skip(closing(e.text) + 1)
			p = typed(strings.TrimSuffix(p, "[]"))
		default:
			return e.operator(p)
		}
	}
	return p
}

// passing are functions that return what they are given, by the step from one to the other.
var passing = map[string]map[string]string{
	"python": {"list": "", "tuple": "", "set": "", "sorted": "", "reversed": "", "iter": "", "next": "*", "aiter": "", "anext": "*"},
	"go":     {"append": ""},
}

// argument is the first one of a call.
func (e *expression) argument(all Span) string {
	list := split(all.In(e.flow.src), ',')
	if len(list) == 0 {
		return ""
	}
	start := all.Start + (cap(all.In(e.flow.src)) - cap(list[0]))
	return e.flow.path(Span{start, start + len(list[0])}, e.inside, e.depth-1)
}

// member reads a name behind a dot, or a type in brackets that Go asserts.
func (e *expression) member(p string) string {
	if e.first() == '(' {
		end := closing(e.text)
		if end < 0 {
			return ""
		}
		t := typed(e.flow.language.written(e.text[1:end]))
		e.skip(end + 1)
		return t
	}
	name := flowName(e.text)
	if len(name) == 0 {
		return ""
	}
	e.skip(len(name))
	return p + "." + string(name)
}

// operator reads what follows an operator, if that leaves a type at all.
func (e *expression) operator(p string) string {
	switch {
	case e.has("as "):
		e.skip(3)
		return typed(e.flow.language.written(e.text))
	case e.has("satisfies "), e.has("if "), e.has(";"):
		return p
	case e.has("||"), e.has("??"):
		e.skip(2)
		return cmp.Or(e.read(), p)
	case e.has("or "):
		e.skip(3)
		return cmp.Or(e.read(), p)
	}
	return ""
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

// facts are what other files may want to know: the types of fields and variables, and what functions return.
func (f *flow) facts(definitions []syntax.Definition) TypeTable {
	if f == nil {
		return ""
	}
	table := map[string]string{}
	put := func(key, t string) {
		if _, known := table[key]; !known && t != "" && t != "?" {
			table[key] = t
		}
	}
	results := map[int]syntax.Span{}
	for _, d := range definitions {
		if !d.Result.Empty() {
			results[d.NameSpan.Start] = d.Result
		}
	}
	for i := range f.chunks {
		c := &f.chunks[i]
		if result, ok := results[c.NameSpan.Start]; ok && !c.NameSpan.Empty() {
			put(c.QualifiedName()+"()", f.language.written(Span(result).In(f.src)))
		}
	}
	f.parameters(put)
	for _, b := range f.all {
		if key := f.key(b); key != "" {
			put(key, f.fact(b))
		}
	}
	return newTypeTable(table)
}

// fact is what is told of a binding: its type, or "=" and its path.
func (f *flow) fact(b *binding) string {
	p := f.of(b, maxNested)
	if p == "" {
		return ""
	}
	if t, ok := strings.CutPrefix(p, ";"); ok && strings.HasSuffix(t, ";") && strings.Count(t, ";") == 1 {
		return strings.TrimSuffix(t, ";")
	}
	return "=" + p
}

// key is the name under which others know a binding, "" when they don't.
func (f *flow) key(b *binding) string {
	name, own := strings.CutPrefix(b.name, "self.")
	c := &Chunk{}
	if b.inside >= 0 {
		c = &f.chunks[b.inside]
	}
	switch {
	case c.Type == Class && !own && c.NameSpan.Start == b.at:
		return c.QualifiedName() + "="
	case c.Type == Class && !own && b.calls:
		return c.QualifiedName() + "." + name + "()"
	case c.Type == Class && !own:
		return c.QualifiedName() + "." + name
	case c.Kind == KindFunction && (own || constructors[c.Name] && f.isProperty(b)):
		if c.Container == "" {
			return ""
		}
		return c.Container + "." + name
	case c.Kind != KindFunction && !own && (f.name == "go" || f.indent(b.at) == 0):
		return name
	}
	return ""
}

// isProperty reports whether a parameter of a constructor is a field at once.
func (f *flow) isProperty(b *binding) bool {
	switch string(lastWord(bytes.TrimRight(f.src[:b.at], " "))) {
	case "public", "private", "protected", "readonly":
		return true
	}
	return false
}

// A TypeTable holds the types of a file's names: by the name, with its container before it, "()" behind it for what a function
// returns, "=" for what a type is another name of. A type is written as flowLanguage.written has it; "=" and a path, as in
// Call.On, stand for one that isn't written. It is one string, so that a file has one allocation for it.
type TypeTable string

func newTypeTable(types map[string]string) TypeTable {
	if len(types) == 0 {
		return ""
	}
	keys := make([]string, 0, len(types))
	for k := range types {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	var b strings.Builder
	b.WriteByte('\n')
	for _, k := range keys {
		b.WriteString(k)
		b.WriteByte('\t')
		b.WriteString(types[k])
		b.WriteByte('\n')
	}
	return TypeTable(b.String())
}

// Of returns the type of a name, "" when nothing is known of it.
func (t TypeTable) Of(name string) string {
	_, rest, ok := strings.Cut(string(t), "\n"+name+"\t")
	if !ok {
		return ""
	}
	written, _, _ := strings.Cut(rest, "\n")
	return written
}
