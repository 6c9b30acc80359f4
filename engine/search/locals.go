package search

import (
	"regexp"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/search/rank"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// declarations are how variables inside functions are declared, by family of languages; NAME stands for the name. They are told by
// their form: what they lead to comes behind every definition and symbol of the name.
var declarations = map[string]string{
	"script": `\b(?:const|let|var)\s+(?:NAME\b|[^=;()\n]*,\s*NAME\b|[{\[][^=;()]*?[\s,{\[:]NAME\s*[,}\]])`,
	"go":     `(?m)(?:(?:^|[\s,;{(])NAME(?:\s*,\s*\w+)*\s*:=|\b(?:var|const)\s+NAME\b)`,
	"python": `(?m)(?:^[ \t]*(?:\w+\s*,\s*)*NAME\s*(?:,\s*\w+\s*)*(?::[^=\n]+)?=[^=]|\bfor\s+(?:\w+\s*,\s*)*NAME\b[^:\n]*\bin\b|\bas\s+NAME\b)`,
	"ruby":   `(?m)^[ \t]*(?:\w+\s*,\s*)*NAME\s*(?:,\s*\w+\s*)*=[^=~>]`,
	"php":    `\$NAME\s*=[^=>]`,
	"rust":   `\blet\s+(?:mut\s+)?(?:NAME\b|[^=;{}]*[(,\s]NAME\s*[,)])`,
	"typed":  `(?m)(?:\b(?:val|var|let|auto|def)\s+[&*]?NAME\b|^[ \t]*[A-Za-z_][\w:.<>,\[\]? \t*&]*[\s*&>]NAME\s*(?:=[^=]|;|\[))`,
}

// declaringLanguages are the families of declarations by language.
var declaringLanguages = map[string]string{
	"javascript": "script", "typescript": "script", "tsx": "script", "vue": "script", "svelte": "script",
	"go": "go", "python": "python", "ruby": "ruby", "php": "php", "rust": "rust",
	"java": "typed", "kotlin": "typed", "scala": "typed", "csharp": "typed", "c": "typed", "cpp": "typed", "swift": "typed", "dart": "typed",
}

// noType are words that begin what only looks like a declaration: return total;
var noType = codebase.WordSet("return goto delete throw new else case using package import yield break continue await co_return")

// brought is what follows a name that is given a module.
var brought = lazyregexp.New(`^[^=;]*=\s*(?:await\s+)?(?:require|import)\b`)

// proposeLocals adds the chunks that declare a variable of the name that was asked for, when nothing else is called so exactly. Such a
// variable is no symbol: there are too many of them, and most mean something in their function alone.
func (symbols) proposeLocals(s *search) {
	forms := codebase.NameForms(s.query.Words)
	if s.ranking.Kind != rank.SymbolQuery || len(forms) == 0 || !codebase.IsIdentifier(forms[0]) || s.byChunk.has(rank.Exact) {
		return
	}
	name := forms[0]
	rules := map[string]*regexp.Regexp{}
	for i, c := range s.ranking.BestCovered(s.candidates, maxCompared) {
		family := declaringLanguages[c.Ref.File.Language]
		if family == "" || c.Tier > rank.ByText || s.elsewhere.has(c.Ref) {
			continue
		}
		text, ok := textOf(s, c.Ref)
		if !ok || !strings.Contains(text, name) {
			continue
		}
		if rules[family] == nil {
			rules[family] = regexp.MustCompile(strings.ReplaceAll(declarations[family], "NAME", regexp.QuoteMeta(strings.TrimPrefix(name, "$"))))
		}
		if declares(rules[family], text) {
			c.Raise(rank.Nearby, name)
			c.Closeness, c.Why = 1, "it declares the variable "+name
			s.proposed(c, rank.ClosenessAt(i))
		}
	}
}

// declares reports whether a text has a match of the rule outside of comments that declares a variable rather than what a module is called.
func declares(rule *regexp.Regexp, text string) bool {
	for _, at := range rule.FindAllStringIndex(text, maxCompared) {
		start := strings.LastIndexByte(text[:at[0]], '\n') + 1
		line := strings.TrimLeft(text[start:at[1]], " \t\r\n")
		first, _, _ := strings.Cut(line, " ")
		switch {
		case strings.HasPrefix(line, "//"), strings.HasPrefix(line, "*"), strings.HasPrefix(line, "/*"), strings.HasPrefix(line, "#"):
		case noType[first], brought.MatchString(text[at[0]:min(len(text), at[1]+maxBrought)]):
		default:
			return true
		}
	}
	return false
}

// maxBrought is how far behind a name the module that it is given is looked for, in bytes.
const maxBrought = 40
