package search

import (
	"regexp"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/search/rank"
	"github.com/aurora-sidecar/aurora/index/chunk"
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
	hyphens:  "[\"'`]NAME[\"'`]",
}

// hyphens stands for names that no variable can have: of events, options, headers, attributes. They are meant as they are written, in
// quotes before others.
const hyphens = "hyphens"

// lesser are what else a name stands for in functions, by family: their parameters, functions that have a name and are an argument,
// keys of objects, members that are assigned.
var lesser = map[string]string{
	"script": `(?m)\bfunction\s*\*?\s*NAME\s*\(|(?:^|[{,])[ \t]*["']?NAME["']?\??\s*:[^:]|\bNAME\s*=>|\.NAME\s*=[^=>]` +
		`|(?:\(|\([^()]*[\s,{(\[.])NAME\b[^()]*\)\s*(?::[^={};()]*)?=>` +
		`|\bfunction\b[\s\w*]*(?:\(|\([^()]*[\s,{(\[.])NAME\b[^()]*\)|^[ \t]*(?:[\w*]+ )*\w+(?:\(|\([^()]*[\s,{(\[.])NAME\b[^()]*\)\s*(?::[^={};()]*)?\{`,
	hyphens: `(?:^|[^\w-])NAME(?:$|[^\w-])`,
}

// bringing is how a script gives a name to what a module exports.
const bringing = `\b(?:const|let|var)\s+NAME\s*=\s*(?:await\s+)?(?:require|import)\b|(?m)^import\s+(?:\*\s*as\s+)?NAME\b`

// declaringLanguages are the families of declarations by language.
var declaringLanguages = map[string]string{
	"javascript": "script", "typescript": "script", "tsx": "script", "vue": "script", "svelte": "script",
	"go": "go", "python": "python", "ruby": "ruby", "php": "php", "rust": "rust",
	"java": "typed", "kotlin": "typed", "scala": "typed", "csharp": "typed", "c": "typed", "cpp": "typed", "swift": "typed", "dart": "typed",
}

// noType are words that begin what only looks like a declaration: return total;
var noType = codebase.WordSet("return goto delete throw new else case using package import yield break continue await co_return")

// noHead are words that begin what only looks like the head of a method: if (done) {
var noHead = codebase.WordSet("if for while switch catch with return throw await yield new case else")

// brought is what follows a name that is given a module.
var brought = lazyregexp.New(`^[^=;]*=\s*(?:await\s+)?(?:require|import)\b`)

// proposeLocals adds the chunks that declare a variable of the name that was asked for, when nothing else is called so exactly. Such a
// variable is no symbol: there are too many of them, and most mean something in their function alone.
func (p symbols) proposeLocals(s *search) {
	forms := codebase.NameForms(s.query.Words)
	if s.ranking.Kind != rank.SymbolQuery || len(forms) == 0 || !codebase.IsIdentifier(strings.ReplaceAll(forms[0], "-", "_")) {
		return
	}
	name, aside, variable := forms[0], false, false
	for _, c := range s.byChunk {
		if c.Tier < rank.Exact {
			continue
		}
		if c.Symbol == nil || !belongs[c.Symbol.Kind] && c.Symbol.Kind != chunk.Variable || codebase.KindOf(c.Ref.File) == "" {
			p.proposeInner(s, name, rank.Folded)
			return
		}
		aside, variable = true, variable || c.Symbol.Kind == chunk.Variable
	}
	inner := rank.Nearby
	if aside {
		inner = rank.Exact
	}
	p.proposeInner(s, name, inner)
	rules := localRules{name: strings.TrimPrefix(name, "$")}
	for i, c := range s.ranking.BestCovered(s.candidates, maxCompared) {
		family := declaringLanguages[c.Ref.File.Language]
		if strings.Contains(name, "-") {
			family = hyphens
		}
		if family == "" || c.Tier > rank.ByText && c.Why != whyInner || s.elsewhere.has(c.Ref) || aside && codebase.KindOf(c.Ref.File) != "" {
			continue
		}
		text, ok := textOf(s, c.Ref)
		if !ok || !strings.Contains(text, rules.name) {
			continue
		}
		closeness := 0.0
		switch {
		case declares(rules.of(family, declarations), text, noType, false):
			closeness, c.Why, c.Symbol = 1, "it declares the variable "+name, nil
			if family == hyphens {
				c.Why = "it has " + name + " in quotes"
			}
		case !aside && family == "script" && c.Why != whyInner && rules.compile(bringing).MatchString(text):
			closeness, c.Why = closenessBrought, "it imports something as "+name
		case !variable && c.Why != whyInner && declares(rules.of(family, lesser), text, noHead, true):
			closeness, c.Why = closenessLesser, "it has a parameter, function or key "+name
			if family == hyphens {
				c.Why = "it has " + name
			}
		default:
			continue
		}
		if c.Closeness = closeness; aside {
			c.Raise(rank.Exact, name)
		} else {
			c.Raise(rank.Nearby, name)
		}
		s.proposed(c, rank.ClosenessAt(i))
	}
}

// proposeInner adds keys and functions of objects inside functions that have exactly the name.
func (symbols) proposeInner(s *search, name string, tier rank.Tier) {
	for _, f := range codebase.Symbols(s.snap, name, maxNamed, s.filter.acceptSymbol) {
		if f.Kind != chunk.Inner || f.Name != codebase.LastName(name) {
			continue
		}
		c := s.candidate(f.Ref)
		if c.Tier >= tier || tier == rank.Exact && codebase.KindOf(f.File) != "" {
			continue
		}
		c.Symbol, c.Why, c.Closeness = &f.Symbol, whyInner, closenessInner
		c.Raise(tier, f.Name)
		s.proposed(c, closenessInner)
	}
}

const whyInner = "a key of an object in it has the name"

// How near what is no variable is to one, 0..1.
const (
	closenessInner   = 0.85
	closenessBrought = 0.8
	closenessLesser  = 0.7
)

// localRules are the forms of declarations with a name in them.
type localRules struct {
	name     string
	compiled map[string]*regexp.Regexp
}

// of is the form of a family's declarations, nil when it has none.
func (r *localRules) of(family string, forms map[string]string) *regexp.Regexp {
	if form := forms[family]; form != "" {
		return r.compile(form)
	}
	return nil
}

func (r *localRules) compile(form string) *regexp.Regexp {
	if r.compiled[form] == nil {
		if r.compiled == nil {
			r.compiled = map[string]*regexp.Regexp{}
		}
		r.compiled[form] = regexp.MustCompile(strings.ReplaceAll(form, "NAME", regexp.QuoteMeta(r.name)))
	}
	return r.compiled[form]
}

// declares reports whether a text has a match of the rule outside of comments that declares a variable rather than what a module is called.
func declares(rule *regexp.Regexp, text string, none map[string]bool, head bool) bool {
	if rule == nil {
		return false
	}
	for _, at := range rule.FindAllStringIndex(text, maxCompared) {
		start := strings.LastIndexByte(text[:at[0]], '\n') + 1
		line := strings.TrimLeft(text[start:at[1]], " \t\r\n")
		first := firstWord(line)
		if head { // only the head of a method begins with its line
			first = firstWord(text[at[0]:at[1]])
		}
		switch {
		case strings.HasPrefix(line, "//"), strings.HasPrefix(line, "*"), strings.HasPrefix(line, "/*"), strings.HasPrefix(line, "#"):
		case none[first], brought.MatchString(text[at[0]:min(len(text), at[1]+maxBrought)]):
		default:
			return true
		}
	}
	return false
}

func firstWord(s string) string {
	s = strings.TrimLeft(s, " \t\r\n")
	end := 0
	for end < len(s) && s[end] >= 'a' && s[end] <= 'z' {
		end++
	}
	return s[:end]
}

// maxBrought is how far behind a name the module that it is given is looked for, in bytes.
const maxBrought = 40
