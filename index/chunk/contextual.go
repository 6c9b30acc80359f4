package chunk

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/aurora-sidecar/aurora/index/syntax"
)

// maxArguments bounds, in bytes, the type arguments that are kept.
const maxArguments = 60

// addContext finds the type of a parameter of JavaScript or TypeScript that has none: the one that the function is given to says it.
// It returns the names without the dots of one that takes the rest.
func (f *flow) addContext(one *binding, names []byte) []byte {
	if rest, ok := bytes.CutPrefix(names, []byte("...")); ok {
		names = rest
		one.at += len("...")
	}
	switch {
	case !one.typed.Empty() && !one.value.Empty():
		f.typedValues[one.value.Start] = one.typed
	case one.scope.Empty() || one.calls || !one.typed.Empty() || !one.value.Empty():
	default:
		to, steps, ok := syntax.Given(f.src, one.scope.Start)
		if !ok || len(steps) > maxPath/2 {
			break
		}
		steps += "&" + strconv.Itoa(f.place(one.scope.Start, one.at)) + one.steps
		if to.Empty() {
			if t := f.language.written(f.typedValues[to.Start].In(f.src)); t != "" {
				one.root, one.steps = ";"+t+";", steps
			}
			break
		}
		one.value, one.steps = Span(to), steps
	}
	return names
}

// place counts the parameters of a function that stand before one.
func (f *flow) place(function, at int) int {
	head := f.src[function:max(function, at)]
	if open := bytes.IndexByte(head, '('); open >= 0 {
		return len(split(bytes.TrimSuffix(head[open+1:], []byte("...")), ','))
	}
	return 0
}

// ecmaType reads what only TypeScript writes: types of functions, tuples and objects.
func ecmaType(text []byte, inner func([]byte) string) (written string, ok bool) {
	switch text[0] {
	case '<', '(':
		rest := text
		if end := closing(rest); rest[0] == '<' && end > 0 {
			rest = bytes.TrimSpace(rest[end+1:])
		}
		end := closing(rest)
		if end < 0 || rest[0] != '(' {
			return "", false
		}
		result, isFunction := bytes.CutPrefix(bytes.TrimSpace(rest[end+1:]), []byte("=>"))
		if !isFunction {
			return "", false
		}
		parts := []string{inner(result)}
		for _, p := range split(rest[1:end], ',') {
			if bytes.HasPrefix(p, []byte("this:")) {
				continue
			}
			t := inner(parameterType(p))
			if bytes.HasPrefix(p, []byte("...")) {
				t = "..." + t
			}
			parts = append(parts, t)
		}
		return "()<" + strings.Join(parts, ",") + ">", true
	case '[':
		if closing(text) != len(text)-1 {
			return "", false
		}
		elements := split(text[1:len(text)-1], ',')
		for i, e := range elements {
			if t := parameterType(e); t != nil {
				elements[i] = t
			}
		}
		return "(" + joined(elements, inner) + ")", len(elements) > 0
	case '{':
		if closing(text) != len(text)-1 {
			return "", false
		}
		return objectType(text[1:len(text)-1], inner), true
	}
	return "", false
}

// parameterType is what stands behind the colon of "name?: T", nil without one.
func parameterType(p []byte) []byte {
	p = bytes.TrimPrefix(p, []byte("..."))
	if len(p) > 0 && (p[0] == '{' || p[0] == '[') {
		p = p[max(closing(p), 0)+1:]
	} else {
		p = p[len(flowName(p)):]
	}
	p = bytes.TrimPrefix(bytes.TrimSpace(p), []byte("?"))
	if t, ok := bytes.CutPrefix(p, []byte(":")); ok {
		return t
	}
	return nil
}

// objectType is the type of an object without a name, by its members of other types than the language's own.
func objectType(body []byte, inner func([]byte) string) string {
	var fields []string
	for _, member := range bytes.FieldsFunc(body, func(r rune) bool { return r == ';' || r == '\n' }) {
		for _, m := range split(member, ',') {
			m = bytes.TrimPrefix(m, []byte("readonly "))
			name := flowName(m)
			t := inner(parameterType(m))
			if len(name) > 0 && isObject(strings.Trim(t, "[]<>")) {
				fields = append(fields, string(name)+"="+t)
			}
		}
	}
	if len(fields) == 0 {
		return ""
	}
	return "struct<" + strings.Join(fields, ",") + ">"
}

// isObject reports whether a written type may have members that are looked for.
func isObject(t string) bool {
	r, _ := utf8.DecodeRuneInString(t)
	return t != "" && t != "_" && (strings.ContainsRune("([{$_", r) || isUpper(t) || strings.Contains(t, ".") || strings.HasPrefix(t, "struct<"))
}

// contexts are what the parameters of the functions of JavaScript and TypeScript take, as far as a function that is given for them
// may want to know it.
func (f *flow) contexts(put func(key, t string)) {
	if f.language != ecmaFlow {
		return
	}
	takes := map[string][]string{}
	var keys []string
	add := func(key string, n int, list []string) {
		if _, known := takes[key]; !known {
			keys = append(keys, key)
		}
		for i, t := range list {
			for len(takes[key]) <= n+i {
				takes[key] = append(takes[key], "_")
			}
			if takes[key][n+i] == "_" {
				takes[key][n+i] = t
			}
		}
	}
	for _, b := range f.all {
		if b.scope.Empty() || b.typed.Empty() {
			continue
		}
		key, isCalled := f.functionAt(b)
		if key == "" {
			continue
		}
		if !isCalled {
			add(key, f.place(b.scope.Start, b.at), f.taken(b.typed.In(f.src), bytes.HasSuffix(f.src[:b.at], []byte("..."))))
			continue
		}
		if _, known := takes[key]; known {
			continue
		}
		for _, signature := range callSignatures(f.src[f.chunks[b.inside].Span.Start:]) {
			n := 0
			for _, p := range split(signature, ',') {
				list := f.taken(parameterType(p), bytes.HasPrefix(p, []byte("...")))
				add(key, n, list)
				n += len(list)
			}
		}
	}
	for _, key := range keys {
		list := takes[key]
		for len(list) > 0 && list[len(list)-1] == "_" {
			list = list[:len(list)-1]
		}
		if len(list) > 0 {
			put(key+"&", "("+strings.Join(list, ",")+")")
		}
	}
}

// callSignatures are the parameters of the signatures by which a type can be called. They are read from the text, as the grammar
// takes the second of two without a semicolon between them for an error, and ends the type there.
func callSignatures(declaration []byte) (found [][]byte) {
	_, text, _ := bytes.Cut(declaration[:min(len(declaration), maxValue)], []byte("{"))
	begins := true
	for len(text) > 0 {
		skip := 1
		switch c := text[0]; {
		case bytes.HasPrefix(text, []byte("//")):
			skip = max(bytes.IndexByte(text, '\n'), 1)
		case bytes.HasPrefix(text, []byte("/*")):
			skip = bytes.Index(text, []byte("*/")) + 2
		case c == '}':
			return found
		case c == '\n' || c == ';' || c == ',':
			begins = true
		case c == ' ' || c == '\t' || c == '\r':
		case c == '<' || c == '(' || c == '[' || c == '{':
			end := closing(text)
			if end < 0 {
				return found
			}
			if c == '(' && begins {
				found = append(found, text[1:end])
			}
			begins, skip = begins && c == '<', end+1
		case c == '"' || c == '\'' || c == '`':
			skip, begins = quotedLength(text), false
		default:
			begins = false
		}
		text = text[skip:]
	}
	return found
}

// taken is what a parameter of a type takes, or what those take that a tuple stands for.
func (f *flow) taken(text []byte, isRest bool) []string {
	text = bytes.TrimSpace(text)
	list := [][]byte{text}
	if isRest && len(text) > 1 && text[0] == '[' && closing(text) == len(text)-1 {
		list, isRest = split(text[1:len(text)-1], ','), false
	}
	var out []string
	for _, text := range list {
		t := orUnknown(f.language.written(text))
		if len(t) > maxArguments && !strings.HasPrefix(t, "()<") {
			t = outermost(t)
		}
		if !isObject(t) || len(t) > maxPath || strings.HasPrefix(t, "struct<") && !strings.Contains(t, "()<") {
			t = "_"
		}
		if isRest && t != "_" {
			t = "..." + t
		}
		out = append(out, t)
	}
	return out
}

// functionAt is the key of the function that a parameter is one of: of a definition, of a method that a type declares, or of a type
// that can be called itself, which isCalled says. It is "" for a parameter of the type of a function.
func (f *flow) functionAt(b *binding) (key string, isCalled bool) {
	if b.inside < 0 {
		return "", false
	}
	c, start := &f.chunks[b.inside], b.scope.Start
	before := bytes.TrimRight(f.src[:start], " \t\r\n")
	word := string(flowName(f.src[start:]))
	switch {
	case c.Kind == KindFunction && c.Signature.Contains(b.at):
		if word != "" || bytes.HasSuffix(before, []byte("=")) {
			key = c.QualifiedName()
		}
		return key, false
	case c.Type != Class || len(before) == 0 || word == "new" || word == "function" || word == "async":
		return "", false
	case word != "":
		return c.QualifiedName() + "." + word, false
	case bytes.IndexByte([]byte(":=|&(,<?"), before[len(before)-1]) >= 0 || bytes.HasSuffix(before, []byte("=>")):
		return "", false
	}
	return c.QualifiedName(), c.Span.Contains(start - 1)
}

// parameterNames are the names of the type parameters of a type, joined by commas.
func (f *flow) parameterNames(c *Chunk) string {
	if f.language != ecmaFlow {
		return ""
	}
	var names []string
	for _, p := range f.typeParameters(c) {
		names = append(names, string(flowName(bytes.TrimPrefix(bytes.TrimPrefix(p, []byte("const ")), []byte("in ")))))
	}
	return strings.Join(names, ",")
}

// A givenSupertype is what a type inherits from, as written.
type givenSupertype struct {
	subtype *Chunk
	name    string
	written Span // begins with its name; type arguments may follow
}

// givenArguments are the type arguments of a supertype, "" without any.
func (f *flow) givenArguments(at Span) string {
	if f.language != ecmaFlow {
		return ""
	}
	_, rest := dottedNames(Span{at.Start, min(len(f.src), at.End+maxWritten)}.In(f.src))
	end := closing(rest)
	if len(rest) == 0 || rest[0] != '<' || end < 0 {
		return ""
	}
	return "(" + joined(split(rest[1:end], ','), func(t []byte) string { return orUnknown(f.language.written(t)) }) + ")"
}
