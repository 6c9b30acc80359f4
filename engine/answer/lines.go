package answer

import (
	"strings"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// A use is how a line has a name.
type use int

const (
	mentions use = iota
	reads        // from the environment
	sets         // gives it a value
	declares     // says that it is there, perhaps with a value
)

// readsVariable finds a read of an environment variable in some languages; the first group that took part is what
// stands for its name: a literal, or the name of a constant.
var readsVariable = lazyregexp.New(
	`(?:[Gg]et_?[Ee]nv|LookupEnv|getenv_s|GetEnvironmentVariable|env::var(?:_os)?|env_var|ENV\.fetch|environ\.get|environ\.pop|environ\.setdefault|System\.get_env|env\.get|[Ee]nv\.[Gg]et)\s*\(\s*(?:b?["'` + "`" + `]([A-Za-z_]\w*)|([A-Za-z_][\w.]*)\s*[,)])` +
		`|(?:environ|ENV|_ENV|_SERVER|process\.env)\s*\[\s*["']([A-Za-z_]\w*)["']\s*\]` +
		`|["']([A-Za-z_]\w*)["']\s+(?:not\s+)?in\s+(?:os\.)?environ` +
		`|(?:process\.env|import\.meta\.env)\.([A-Za-z_]\w*)` +
		`|\benv(?:var)?(?:\s*=\s*|:)["']([A-Z][A-Z0-9]*_[A-Z0-9_]+)["']`) // which a flag or a field is read from: clap, click, tags of Go

// writesVariable finds a line that sets an environment variable for the process itself: its name and the value.
var writesVariable = lazyregexp.New(
	`(?i)(?:environ|\bENV|process\.env)\s*\[\s*["']([A-Za-z_]\w*)["']\s*\]\s*=\s*([^=].*)$` +
		`|(?:set_?env|putenv|set_var|SetEnvironmentVariable)\s*\(\s*["']([A-Za-z_]\w*)["']\s*,\s*(.+?)\s*\)`)

// environmentWords are the words by which lines that readsVariable may match are looked up.
const environmentWords = "getenv lookupenv environ env envvar getenvironmentvariable get_env"

// variablesIn returns what the reads in a line name, literals apart from names of constants.
func variablesIn(line string) (literals, constants []string) {
	for _, m := range readsVariable.FindAllStringSubmatch(line, -1) {
		for i, name := range m[1:] {
			switch {
			case name == "":
			case i == 1:
				constants = append(constants, lastPart(name))
			default:
				literals = append(literals, name)
			}
		}
	}
	return literals, constants
}

// useIn says how a line of a file of the given ending has a name, and which value it gives it; "" when none is to be seen.
func useIn(line, name, ending string) (use, string) {
	if m := writesVariable.FindStringSubmatch(line); m != nil && (m[1] == name || m[3] == name) {
		return sets, strings.TrimSpace(m[2] + m[4])
	}
	literals, constants := variablesIn(line)
	for _, found := range append(literals, constants...) {
		if found == name {
			return reads, ""
		}
	}
	if isComment(line) {
		return mentions, ""
	}
	rest := line
	for at := 0; ; {
		i := strings.Index(rest, name)
		if i < 0 {
			return mentions, ""
		}
		at += i
		before, after := line[:at], line[at+len(name):]
		if wholeName(before, after) {
			if u, value := useAt(before, after, ending); u != mentions {
				return u, value
			}
		}
		at += len(name)
		rest = line[at:]
	}
}

// wholeName reports whether a name is no part of a longer one.
func wholeName(before, after string) bool {
	return (before == "" || !isNameByte(before[len(before)-1])) && (after == "" || !isNameByte(after[0]))
}

func isNameByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}

var (
	// declaring is what stands before a name that a line declares: words and types, no call and no other name's value.
	declaring = lazyregexp.New(`^\s*(?:(?:export|pub(?:\([a-z]+\))?|public|private|protected|internal|static|final|readonly|const|constexpr|var|let|val|mut|extern|volatile|define|inline|unsigned|signed|int|long|short|char|bool|boolean|double|float|string|String|auto|#define|local|declare|-x)\s+)+[*&]?$`)
	// setting is what stands before a name to which a line gives a value: nothing, an owner, or the beginning of a list.
	setting = lazyregexp.New(`(?:^\s*(?:export\s+|ENV\s+|set\s+|-\s+|-D|--)?|[{,(]\s*|[\w\])](?:\.|->|::)|\[)["']?$`)
	// given is what follows a name to which a line gives a value, with the type that may stand in between.
	given = lazyregexp.New(`^\s*["'\]]*\s*(?::\s*[\w.<>\[\]| ,*&?]+?\s*)?(?:\s+[\w\[*][\w.<>\[\]*]*\s*)?(?::=|=|:)(?:[^=>:]|$)`)
	// typed is what follows the name of a field or variable that is declared without a value.
	typed = lazyregexp.New("^\\s*(?::\\s*|\\s)[\\w.<>\\[\\]*| {}()]+;?\\s*(?:`[^`]*`)?\\s*(?://.*|#.*)?$")
	// A value follows "=", or else ":"; what stands before "=" may be a type.
	afterEquals = lazyregexp.New(`^[^=]*?(?::=|=)\s*(.+?)\s*[,;]?\s*(?://.*|#\s.*)?$`)
	afterColon  = lazyregexp.New(`^[^:]*:\s*(.+?)\s*[,;]?\s*(?://.*|#\s.*)?$`)
	// annotation is a colon after a bare name with a type and nothing else.
	annotation = lazyregexp.New(`^\s*:(?:[^:=][^=]*)?$`)
)

// isAnnotated is what follows a name that has a type, and no value, in a list of parameters; or that ends the head of a block.
var isAnnotated = lazyregexp.New(`^\s*:\s*(?:$|[^=]*?[),]\s*(?:->.*)?:?\s*$)`)

// isText are the endings of files in which a name that other words follow is no declaration.
var isText = map[string]bool{".yml": true, ".yaml": true, ".toml": true, ".ini": true, ".cfg": true, ".json": true, ".conf": true, ".1": true, ".in": true}

// annotates are the endings of files in whose languages a colon after a bare name begins a type.
var annotates = map[string]bool{".py": true, ".pyi": true, ".rs": true, ".kt": true, ".swift": true, ".scala": true}

// member is what follows the name of a property that a TypeScript line gives a type.
var member = lazyregexp.New(`^[?!]?\s*:\s*(?:readonly\s+)?(?:string|number|boolean|any|unknown|void|never|object|bigint|symbol|[A-Z]\w*(?:<.*>)?)(?:\[\])*(?:\s*\|.*)?;?\s*$`)

// typeOnly is a colon with a type of TypeScript that no value follows.
var (
	typeOnly   = lazyregexp.New(`^[?!]?\s*:\s*(?:string|number|boolean|any|unknown|void|never|object|bigint|symbol)(?:\[\])*\s*(?:[,;)|&}]|$)`)
	typeScript = map[string]bool{".ts": true, ".tsx": true, ".mts": true, ".cts": true}
)

// useAt judges what stands around a name in a file of the given ending.
func useAt(before, after, ending string) (use, string) {
	if typeScript[ending] && strings.TrimSpace(before) == "" && member.MatchString(after) {
		return declares, ""
	}
	if typeScript[ending] && typeOnly.MatchString(after) {
		if declaring.MatchString(before) {
			return declares, ""
		}
		return mentions, "" // a parameter, or a type written out
	}
	if annotates[ending] && annotation.MatchString(after) && strings.TrimSpace(before) == "" {
		return declares, ""
	}
	if strings.HasPrefix(after, "://") { // of an address
		return mentions, ""
	}
	if annotates[ending] && !strings.HasSuffix(before, `"`) && !strings.HasSuffix(before, "'") && isAnnotated.MatchString(after) {
		return mentions, "" // a parameter with its type, or the head of a block
	}
	switch {
	case declaring.MatchString(before):
		if given.MatchString(after) {
			return declares, valueIn(after)
		}
		return declares, ""
	case given.MatchString(after) && setting.MatchString(before):
		if before == "" {
			return declares, valueIn(after)
		}
		return sets, valueIn(after)
	case strings.TrimSpace(before) == "" && before != "" && !isText[ending] && typed.MatchString(after):
		return declares, ""
	}
	return mentions, ""
}

func valueIn(after string) string {
	for _, pattern := range []*lazyregexp.Regexp{afterEquals, afterColon} {
		if m := pattern.FindStringSubmatch(after); m != nil {
			return onThisLine(firstValue(strings.TrimSpace(m[1])))
		}
	}
	return ""
}

// onThisLine is a value, "" when only a sign of it stands on the line.
func onThisLine(value string) string {
	if len(value) == 1 && !isNameByte(value[0]) {
		return ""
	}
	return value
}

// nextVariable is a value before the next variable of a command, as in A=1 B=2 run.
var nextVariable = lazyregexp.New(`^([^\s"'` + "`" + `]+)\s+[A-Z_][A-Z0-9_]*=`)

// firstValue cuts a value off where the next member of a list begins, or the list ends.
func firstValue(s string) string {
	if m := nextVariable.FindStringSubmatch(s); m != nil {
		return m[1]
	}
	depth, quote := 0, rune(0)
	for i, r := range s {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '"' || r == '\'' || r == '`':
			quote = r
		case r == '(' || r == '[' || r == '{':
			depth++
		case r == ')' || r == ']' || r == '}':
			if depth--; depth < 0 {
				return strings.TrimSpace(s[:i])
			}
		case depth == 0 && (r == ',' || r == ';'):
			return strings.TrimSpace(s[:i])
		}
	}
	if depth > 0 { // it goes on below
		return ""
	}
	return s
}

func isComment(line string) bool {
	trimmed := strings.TrimSpace(line)
	for _, mark := range []string{"//", "# ", "*", "--", "/*", "<!--", ";"} {
		if strings.HasPrefix(trimmed, mark) {
			return true
		}
	}
	return false
}

// hasName reports whether a line has a name as a whole.
func hasName(line, name string) bool {
	for rest, at := line, 0; ; {
		i := strings.Index(rest, name)
		if i < 0 {
			return false
		}
		at += i
		if wholeName(line[:at], line[at+len(name):]) {
			return true
		}
		at += len(name)
		rest = line[at:]
	}
}
