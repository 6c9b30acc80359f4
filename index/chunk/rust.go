package chunk

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/aurora-sidecar/aurora/index/syntax"
)

// rustFlow is how Rust writes types. What may be absent or may have failed counts as what holds values: of one, which the
// operator ? and unwrap take out.
var rustFlow = &flowLanguage{
	arguments: '<', blocks: true, prepare: rustTypeText, form: rustType,
	through: words(`Arc Box Cell Cow Future LazyCell LazyLock ManuallyDrop MaybeUninit Mutex MutexGuard NonNull OnceCell OnceLock Pin Rc Ref
		RefCell RefMut Reverse RwLock RwLockReadGuard RwLockWriteGuard UnsafeCell Weak`),
	lists: words(`BTreeSet BinaryHeap DoubleEndedIterator Drain ExactSizeIterator FusedIterator HashSet IntoIter IntoIterator Iter IterMut
		Iterator LinkedList Option Peekable Poll Result Rev Skip Take Vec VecDeque`),
	maps: words("BTreeMap HashMap"),
}

// rustTypeText writes a type with dots in place of "::" and without what doesn't change which one it is: lifetimes, references
// and the words before it.
func rustTypeText(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		rest := text[i:]
		name := flowName(rest)
		switch {
		case len(name) > 0:
			after := bytes.TrimLeft(rest[len(name):], " \t\r\n")
			switch {
			case !rustTypeWords[string(name)]:
				out = append(out, name...)
				i += len(name)
			case string(name) == "for" && bytes.HasPrefix(after, []byte("<")): // for<'a> Fn(&'a T)
				i = len(text) - len(after) + max(closing(after), 0) + 1
			default:
				i = len(text) - len(after)
			}
		case rest[0] == '\'': // a lifetime
			after := bytes.TrimLeft(rest[1+len(flowName(rest[1:])):], " \t\r\n")
			i = len(text) - len(bytes.TrimLeft(bytes.TrimPrefix(after, []byte(",")), " \t\r\n"))
		case bytes.HasPrefix(rest, []byte("::<")):
			i += 2
		case bytes.HasPrefix(rest, []byte("::")):
			out = append(out, '.')
			i += 2
		default:
			out = append(out, rest[0])
			i++
		}
	}
	return bytes.TrimLeft(bytes.TrimSpace(out), ".")
}

// rustTypeWords stand before a type.
var rustTypeWords = words("const dyn extern for impl mut pub ref unsafe")

// rustType reads what only Rust writes.
func rustType(text []byte, inner func([]byte) string) (written string, ok bool) {
	if bytes.IndexByte(text, '+') >= 0 {
		if options := split(text, '+'); len(options[0]) < len(text) {
			return strings.TrimPrefix(inner(options[0]), "_"), true
		}
	}
	for _, word := range []string{"Item", "Output", "Target"} {
		if after, ok := bytes.CutPrefix(text, []byte(word)); ok {
			if t, ok := bytes.CutPrefix(bytes.TrimSpace(after), []byte("=")); ok {
				return strings.TrimPrefix(inner(t), "_"), true
			}
		}
	}
	switch {
	case text[0] == '[':
		if end := closing(text); end > 0 {
			element, _, _ := bytes.Cut(text[1:end], []byte(";"))
			return "[]<" + inner(element) + ">", true
		}
	case text[0] == '(' && closing(text) == len(text)-1:
		parts := split(text[1:len(text)-1], ',')
		if len(parts) == 0 {
			return "", true
		}
		return "(" + joined(parts, inner) + ")", true
	case text[0] == '<':
		return "", true // a type of a trait's
	}
	if head, list, ok := bytes.Cut(text, []byte("<")); ok && bytes.HasSuffix(head, []byte("Result")) && bytes.HasSuffix(list, []byte(">")) {
		if arguments := split(list[:len(list)-1], ','); len(arguments) > 0 {
			return "[]<" + inner(arguments[0]) + ">", true // io::Result, and those that projects name like it
		}
	}
	name := string(flowName(text))
	if (name == "fn" || name == "Fn" || name == "FnMut" || name == "FnOnce") && len(text) > len(name) && text[len(name)] == '(' {
		_, result, ok := bytes.Cut(text[len(name)+closing(text[len(name):])+1:], []byte("->"))
		if !ok {
			return "", true
		}
		return "()<" + inner(result) + ">", true
	}
	return "", false
}

// addPattern takes in the names of a pattern of Rust.
func (f *flow) addPattern(one binding, pattern []byte, scope syntax.Span, depth int) {
	for before := -1; before != len(pattern); {
		before = len(pattern)
		pattern = bytes.TrimLeft(bytes.TrimSpace(pattern), "&")
		for _, word := range []string{"mut ", "ref ", "box "} {
			pattern = bytes.TrimPrefix(pattern, []byte(word))
		}
	}
	if depth == 0 || len(pattern) == 0 {
		return
	}
	if options := split(pattern, '|'); len(options) > 1 {
		for _, o := range options {
			f.addPattern(one, o, scope, depth-1)
		}
		return
	}
	if pattern[0] == '(' && closing(pattern) == len(pattern)-1 {
		f.addParts(one, pattern[1:len(pattern)-1], scope, depth)
		return
	}
	name := flowName(pattern)
	rest := bytes.TrimSpace(pattern[len(name):])
	switch {
	case len(name) == 0:
	case len(rest) == 0:
		if !isUpper(string(name)) {
			f.put(one, string(name), scope)
		}
	case rest[0] == '@':
		f.put(one, string(name), scope)
		f.addPattern(one, rest[1:], scope, depth-1)
	default:
		f.addConstructor(one, rustTypeText(pattern), scope, depth)
	}
}

// addParts takes in the patterns of a tuple.
func (f *flow) addParts(one binding, list []byte, scope syntax.Span, depth int) {
	parts := split(list, ',')
	steps := one.steps
	for i, p := range parts {
		if len(parts) > 1 {
			one.steps = steps + "@" + strconv.Itoa(i)
		}
		f.addPattern(one, p, scope, depth-1)
	}
}

// addConstructor takes in a.B(x), a.B::C(x, y) and a.B { x, y: z }.
func (f *flow) addConstructor(one binding, pattern []byte, scope syntax.Span, depth int) {
	names, rest := dottedNames(pattern)
	rest = bytes.TrimSpace(rest)
	if len(names) == 0 || len(rest) == 0 || rest[0] != '(' && rest[0] != '{' || closing(rest) != len(rest)-1 {
		return
	}
	last := names[len(names)-1]
	parts := split(rest[1:len(rest)-1], ',')
	if last == "Some" || last == "Ok" || last == "Ready" {
		one.steps += "*"
		if len(parts) == 1 {
			f.addPattern(one, parts[0], scope, depth-1)
		}
		return
	}
	isVariant := len(names) > 1 && isUpper(names[len(names)-2])
	around := names
	if isVariant {
		around = names[:len(names)-1]
	}
	inner := binding{at: one.at, value: one.value, root: typed(strings.Join(around, "."))}
	if inner.root == ";Self;" {
		inner.root = Self
	}
	of := inner.root
	for i, p := range parts {
		inner.root = of
		switch {
		case rest[0] == '(' && last == "Err":
			inner.root = Unknown
		case rest[0] == '(' && isVariant:
			inner.steps = "." + last + "@" + strconv.Itoa(i)
		case rest[0] == '(':
			inner.steps = "." + strconv.Itoa(i)
		default:
			field, local, renamed := bytes.Cut(p, []byte(":"))
			if field = bytes.TrimSpace(field); !renamed {
				local = field
				field = bytes.TrimPrefix(bytes.TrimPrefix(field, []byte("ref ")), []byte("mut "))
			}
			inner.steps = "." + string(flowName(field))
			p = local
		}
		f.addPattern(inner, p, scope, depth-1)
	}
}

// rustBounds are the bounds of type parameters behind "where".
func (f *flow) rustBounds(c *Chunk) [][]byte {
	_, where, ok := bytes.Cut(c.Signature.In(f.src), []byte("where"))
	if !ok || len(where) > maxWritten {
		return nil
	}
	return split(rustTypeText(bytes.TrimRight(where, " \t\r\n{")), ',')
}

// branch reads the first branch of an expression with several, or the end of a block, that can be followed.
func (e *expression) branch(word string) string {
	open := bytes.IndexByte(e.text, '{')
	if open < 0 || closing(e.text[open:]) < 0 || e.depth <= 1 {
		return ""
	}
	end := open + closing(e.text[open:])
	var values [][]byte
	if block := e.text[open+1 : end]; word != "match" {
		values = append(values, blockEnd(block))
	} else {
		values = armValues(block)
	}
	e.text = nil
	for _, v := range values {
		start := cap(e.flow.src) - cap(v)
		if p := e.flow.path(Span{start, start + len(v)}, e.inside, e.depth-1); p != "" {
			return p
		}
	}
	return ""
}

// blockEnd is the expression at the end of a block.
func blockEnd(block []byte) []byte {
	parts := split(block, ';')
	if len(parts) == 0 || bytes.HasSuffix(bytes.TrimSpace(block), []byte(";")) {
		return nil
	}
	return parts[len(parts)-1]
}

// armValues are the values of the first arms of a match.
func armValues(block []byte) [][]byte {
	var values [][]byte
	for len(values) < maxNested {
		_, rest, ok := bytes.Cut(block, []byte("=>"))
		if !ok {
			break
		}
		rest = bytes.TrimLeft(rest, " \t\r\n")
		if len(rest) > 0 && rest[0] == '{' {
			end := closing(rest)
			if end < 0 {
				break
			}
			values = append(values, blockEnd(rest[1:end]))
			block = rest[end+1:]
			continue
		}
		parts := split(rest, ',')
		if len(parts) == 0 {
			break
		}
		values = append(values, parts[0])
		block = rest[len(parts[0]):]
	}
	return values
}

// lastName is the last name of a path that is but names, "" of another one.
func lastName(path string) string {
	if path == Self {
		return "Self"
	}
	if strings.ContainsAny(path, "([@*^%;") {
		return ""
	}
	return path[strings.LastIndexByte(path, '.')+1:]
}

// constructed is what a struct literal makes, by the path of its name: a variant of an enum is one of the enum.
func constructed(path string) string {
	if path == Self {
		return Self
	}
	if around, _, ok := strings.Cut(path, "."+lastName(path)); ok && isUpper(lastName(around)) {
		path = around
	}
	if path == Self {
		return Self
	}
	return typed(path)
}
