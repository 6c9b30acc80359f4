package arity

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// An Arity is how many arguments a call may have.
type Arity struct{ least, most int }

// anyNumber is more arguments than a call has.
const anyNumber = 1 << 20

// Takes reports whether a call may have n arguments.
func (a Arity) Takes(n int) bool { return a.least <= n && n <= a.most }

// String implements fmt.Stringer.
func (a Arity) String() string {
	switch {
	case a.least == a.most:
		return fmt.Sprint(a.most)
	case a.most >= anyNumber:
		return fmt.Sprintf("%d or more", a.least)
	}
	return fmt.Sprintf("%d to %d", a.least, a.most)
}

// Arguments is how many arguments it takes, in words.
func (a Arity) Arguments() string {
	if a.most == 1 && a.least == 1 {
		return "1 argument"
	}
	return a.String() + " arguments"
}

// Of counts the parameters of a function, as its head writes them between the parentheses.
func Of(parameters, language string) Arity {
	a := Arity{}
	for i, p := range splitTop(parameters, language) {
		name, after, _ := strings.Cut(p, ":")
		name = strings.TrimSpace(name)
		switch {
		case i == 0 && isReceiver(name, language), p == "/", p == "*": // "*" and "/" of Python only tell how arguments are passed
			continue
		case strings.Contains(p, "..."), strings.HasPrefix(p, "*"), strings.HasPrefix(p, "vararg "):
			a.most = anyNumber
			continue
		case strings.HasPrefix(p, "&") && language == "ruby":
			continue // a block is given after the parentheses
		}
		a.most++
		if keyword := language == "ruby" && strings.TrimSpace(after) != ""; !keyword && !isOptional(p, name) { // key: default
			a.least++
		}
	}
	return a
}

// isReceiver reports whether the first parameter is what a method is called on.
func isReceiver(name, language string) bool {
	switch language {
	case "python":
		return name == "self" || name == "cls"
	case "rust":
		fields := strings.Fields(strings.TrimLeft(name, "&"))
		return len(fields) > 0 && fields[len(fields)-1] == "self"
	case "typescript", "tsx":
		return name == "this"
	}
	return false
}

// isOptional reports whether an argument may be left out: the parameter has a default or is marked.
func isOptional(parameter, name string) bool {
	plain := strings.NewReplacer("=>", "", "==", "", ">=", "", "<=", "").Replace(parameter)
	return strings.Contains(plain, "=") || strings.HasSuffix(name, "?")
}

// CallArguments finds the arguments of each call of a name in a text; those that nobody can count from outside are left out: a
// spread list, another call whose results may be several, a block after the parentheses. at is where the call begins.
func CallArguments(code, name, language string, see func(at int, arguments []string)) {
	for from := 0; ; {
		at := strings.Index(code[from:], name+"(")
		if at < 0 {
			return
		}
		at += from
		from = at + len(name)
		if at > 0 && isWordByte(code[at-1]) || isDefinitionHead(code, at) {
			continue
		}
		inside, end, ok := bracketed(code[from:], language)
		if !ok {
			continue
		}
		list := splitTop(inside, language)
		if uncountable(list) || strings.HasPrefix(strings.TrimLeft(code[from+end:], " "), "{") && (language == "kotlin" || language == "swift") {
			continue
		}
		see(at, list)
	}
}

// names match the name that a call gives an argument, by language.
var names = map[string]*lazyregexp.Regexp{"python": byEquals, "kotlin": byEquals, "scala": byEquals, "php": byColon, "swift": byColon}

var (
	byEquals  = lazyregexp.New(`^([\pL_][\pL\pN_]*)\s*=(?:[^=]|$)`)
	byColon   = lazyregexp.New(`^([\pL_][\pL\pN_]*)\s*:(?:[^:]|$)`)
	wordOfAny = lazyregexp.New(`[\pL_][\pL\pN_]*`)
)

// Gone are the words of a list of parameters that are not in the one that took its place, where calls may name parameters; none when
// the function takes any name.
func Gone(before, after, language string) []string {
	if names[language] == nil || strings.Contains(after, "**") || strings.Contains(after, "...") {
		return nil
	}
	left := wordOfAny.FindAllString(after, -1)
	return slices.DeleteFunc(wordOfAny.FindAllString(before, -1), func(word string) bool { return slices.Contains(left, word) })
}

// Named is the first of some names that a call gives one of its arguments, "" when it gives none of them.
func Named(arguments, some []string, language string) string {
	for _, argument := range arguments {
		if len(some) == 0 || names[language] == nil {
			break
		}
		if m := names[language].FindStringSubmatch(argument); m != nil && slices.Contains(some, m[1]) {
			return m[1]
		}
	}
	return ""
}

// headWords are the keywords before the name in the head of a function.
var headWords = lazyregexp.New(`^\s*(?:(?:export|default|async|pub|pub\([a-z]+\)|public|private|protected|static|final|override|abstract|unsafe|const|inline)\s+)*(?:func|def|function|fn|fun)\b`)

// IsHead reports whether a line begins as the head of a function does.
func IsHead(line string) bool { return headWords.MatchString(line) }

// beforeName matches what stands between those keywords and the name: type parameters, a receiver.
var beforeName = lazyregexp.New(`^\s*\*?\s*(?:<[^(){}]*>\s*)?(?:\([^(){}]*\)\s*)?(?:[\w<>?, ]*[.:])*\s*$`)

// isDefinitionHead reports whether a name stands in the head of a function rather than in a call, which may follow on the same line.
func isDefinitionHead(code string, at int) bool {
	line := code[strings.LastIndexByte(code[:at], '\n')+1 : at]
	head := headWords.FindStringIndex(line)
	return head != nil && beforeName.MatchString(line[head[1]:])
}

// uncountable reports whether arguments stand for an unknown number of them.
func uncountable(list []string) bool {
	for _, arg := range list {
		if strings.HasPrefix(arg, "*") || strings.HasPrefix(arg, "&") && len(list) == 1 || strings.Contains(arg, "...") {
			return true
		}
	}
	return len(list) == 1 && strings.HasSuffix(list[0], ")")
}

func isWordByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}

// bracketed is what stands between the first parenthesis of s and the one that closes it, and where that ends.
func bracketed(s, language string) (inside string, end int, ok bool) {
	depth := 0
	for i := 0; i < len(s); {
		if n := skipString(s[i:], language); n > 0 {
			i += n
			continue
		}
		switch s[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return s[1:i], i + 1, true
			}
		}
		i++
	}
	return "", 0, false
}

// splitTop splits a list at the commas that are in no brackets and in no string; an empty last part is dropped.
func splitTop(s, language string) []string {
	var parts []string
	depth, from := 0, 0
	for i := 0; i < len(s); {
		if n := skipString(s[i:], language); n > 0 {
			i += n
			continue
		}
		switch s[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '<', '>':
			depth += angle(s, i, language)
		case ',':
			if depth == 0 {
				parts = append(parts, strings.TrimSpace(s[from:i]))
				from = i + 1
			}
		}
		i++
	}
	if last := strings.TrimSpace(s[from:]); last != "" {
		parts = append(parts, last)
	}
	return parts
}

// angle is 1 for an angle bracket that opens a list of types, -1 for one that closes it, 0 for a comparison or an arrow.
func angle(s string, i int, language string) int {
	switch language {
	case "rust", "typescript", "tsx", "kotlin", "scala", "swift":
	default:
		return 0
	}
	if s[i] == '<' && i > 0 && (isWordByte(s[i-1]) || s[i-1] == ':') {
		return 1
	}
	if s[i] == '>' && i > 0 && s[i-1] != '=' && s[i-1] != '-' && s[i-1] != ' ' {
		return -1
	}
	return 0
}

// skipString is the length of the string or comment at the start of s, 0 for none.
func skipString(s, language string) int {
	switch {
	case s[0] == '\'' && language == "rust": // a character, or a lifetime
		if len(s) > 2 && s[1] == '\\' {
			return 2 + max(0, strings.IndexByte(s[2:], '\'')) + 1
		}
		if len(s) > 2 && s[2] == '\'' {
			return 3
		}
		return 1
	case s[0] == '#' && (language == "python" || language == "ruby"), strings.HasPrefix(s, "//") && language != "python" && language != "ruby":
		if n := strings.IndexByte(s, '\n'); n >= 0 {
			return n
		}
		return len(s)
	case s[0] != '"' && s[0] != '\'' && s[0] != '`':
		return 0
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return i + 1
		}
	}
	return len(s)
}
