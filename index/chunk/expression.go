package chunk

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

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
	for _, word := range []string{"await ", "&", "*", "mut ", "yield from "} {
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
	case e.flow.name == "rust" && (word == "match" || word == "if" || word == "unsafe"):
		return e.branch(word)
	case e.flow.name == "rust" && len(e.text) > len(word) && e.text[len(word)] == '!':
		return "" // a macro
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
		if f.name != "go" && isSelfWord(word, f.name) {
			return Self
		}
		if f.name != "go" && f.name != "rust" && slices.Contains(superWords, word) && word != "base" && word != "parent" {
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
	if bytes.HasSuffix(bytes.TrimRight(e.text[:open], " "), []byte("struct")) { // its fields come first
		end := closing(e.text[open:])
		if end < 0 || !bytes.HasPrefix(e.text[open+end+1:], []byte("{")) {
			return ""
		}
		open += end + 1
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
	name := e.text[:len(e.text)-len(rest)]
	e.skip(len(name))
	if e.first() == '<' {
		end := closing(e.text) + 1
		if e.flow.language == ecmaFlow && end < maxArguments {
			name = append(bytes.Clone(name), e.text[:end]...)
		}
		e.skip(end)
	}
	if e.first() == '(' {
		e.skip(closing(e.text) + 1)
	}
	if e.first() == '{' {
		e.skip(closing(e.text) + 1)
	}
	if e.flow.language == ecmaFlow && bytes.HasSuffix(name, []byte(">")) {
		return typed(ecmaFlow.written(name))
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
		case e.flow.name != "rust" && (e.has("?.") || e.has("!.")):
			e.skip(1)
		case c == '!' && !e.has("!="):
			e.skip(1)
		case e.flow.name == "rust" && c == '?':
			e.skip(1)
			p += "%"
		case e.flow.name == "rust" && e.has("::"):
			e.skip(2)
			if e.first() != '<' {
				p = e.member(p)
			} else if end := closing(e.text); end >= 0 {
				e.skip(end + 1)
			} else {
				return ""
			}
			if p == "" {
				return ""
			}
		case e.flow.name == "rust" && c == '{' && isUpper(lastName(p)) && closing(e.text) >= 0:
			e.skip(closing(e.text) + 1)
			p = constructed(p)
		case e.flow.name == "rust" && e.has(".await") && len(flowName(e.text[1:])) == len("await"):
			e.skip(len(".await"))
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
			if !bytes.Contains(e.text[1:end], []byte(":")) && !bytes.Contains(e.text[1:end], []byte("..")) || e.text[1] == '"' || e.text[1] == '\'' {
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
