package search

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/search/querytext"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/memory"
)

// hitTypes are the contract's types in the order in which messages list them.
var hitTypes = []string{
	string(chunk.Function), string(chunk.Method), string(chunk.Class), string(chunk.Code),
	string(memory.Reasoning), string(memory.Knowledge),
}

// A filter decides what a search may return. Its lists are lower-cased; an empty list accepts everything.
type filter struct {
	types, languages, kinds, tags []string
	typed                         []pathPattern // from path: prefixes; one of them has to match
	paths                         []pathPattern // from Scope.Paths; one of them has to match
	exclude                       []pathPattern
	goal                          string
	projects                      []string
	projectOf                     func(*index.File) string // set when there are projects
	recordsOnly                   bool                     // asked for what only memory records have
	without                       func(*index.File) bool   // files that another process has by itself; nil for none
	knowledge                     bool                     // documents and comments on definitions pass as knowledge, too
}

// SourceTypes are what records are made from: a file, what somebody said, a goal, the answer to a question.
var SourceTypes = []string{"file", "memory", "goal", "output"}

// newFilter joins the filters that were typed with the scope of the request.
func newFilter(q querytext.Query, s Scope) (*filter, error) {
	types, err := checkTypes(append(slices.Clone(q.Types), s.Types...))
	if err != nil {
		return nil, err
	}
	if s.SourceType != "" && !slices.Contains(SourceTypes, s.SourceType) {
		return nil, &fault.Error{
			Kind: fault.Invalid, Message: fmt.Sprintf("unknown source type %q", s.SourceType), Detail: "scope.sourceType",
			Remedy: "Use " + strings.Join(SourceTypes, ", ") + ".",
		}
	}
	f := &filter{
		types: types, languages: languageNames(append(slices.Clone(q.Languages), s.Languages...)),
		kinds: upper(s.Kinds), tags: append(slices.Clone(q.Tags), s.Tags...), goal: s.GoalID,
		recordsOnly: s.Domain != "" || s.SourceType != "" || s.Field != "" || s.MinImportance > 0,
		typed:       patterns(q.Paths, looseMatch), paths: patterns(s.Paths, globMatch),
		exclude: append(patterns(s.Exclude, globMatch), patterns(q.NotPaths, looseMatch)...),
	}
	asked := func(t memory.Type) bool { return slices.Contains(types, string(t)) }
	// Anyone who asks for reasoning, too, means what memory holds; anyone who asks without words, a list of that.
	f.knowledge = asked(memory.Knowledge) && !asked(memory.Reasoning) && q.Words != ""
	return f, nil
}

// checkTypes lower-cases types and refuses those that the contract does not have.
func checkTypes(types []string) ([]string, error) {
	var valid []string
	for _, t := range types {
		lower := strings.ToLower(strings.TrimSpace(t))
		if !slices.Contains(hitTypes, lower) {
			return nil, &fault.Error{
				Kind:    fault.Invalid,
				Message: fmt.Sprintf("Invalid chunk type '%s'. Valid types: %s", t, strings.Join(hitTypes, ", ")),
				Detail:  "scope.types",
				Remedy:  "Use one or several of the valid types, separated by commas.",
			}
		}
		if !slices.Contains(valid, lower) {
			valid = append(valid, lower)
		}
	}
	return valid, nil
}

// languageAliases are the short names that people type for languages.
var languageAliases = map[string]string{
	"ts": "typescript", "tsx": "tsx", "js": "javascript", "jsx": "javascript", "py": "python", "golang": "go",
	"md": "markdown", "rst": "restructuredtext", "adoc": "asciidoc", "rs": "rust", "rb": "ruby", "txt": "text", "typescriptreact": "tsx", "javascriptreact": "javascript",
}

func languageNames(names []string) []string {
	var out []string
	for _, n := range names {
		n = strings.ToLower(strings.TrimSpace(n))
		if full, ok := languageAliases[n]; ok {
			n = full
		}
		out = append(out, n)
	}
	return out
}

func upper(list []string) []string {
	var out []string
	for _, s := range list {
		out = append(out, strings.ToUpper(strings.TrimSpace(s)))
	}
	return out
}

// wantsCode reports whether chunks of files can pass. Tags and goals belong to memory records only.
func (f *filter) wantsCode() bool {
	if len(f.tags) > 0 || f.goal != "" || f.recordsOnly {
		return false
	}
	return len(f.types) == 0 || f.knowledge || slices.ContainsFunc(f.types, func(t string) bool { return !snippet.IsMemoryType(t) })
}

// wantsMemory reports whether memory records can pass. Languages and kinds belong to chunks of files only.
func (f *filter) wantsMemory() bool {
	if len(f.languages) > 0 || len(f.kinds) > 0 {
		return false
	}
	return len(f.types) == 0 || slices.ContainsFunc(f.types, snippet.IsMemoryType)
}

// memoryTypes are the types of records to ask the store for; none means all.
func (f *filter) memoryTypes() []memory.Type {
	var types []memory.Type
	for _, t := range f.types {
		if snippet.IsMemoryType(t) {
			types = append(types, memory.Type(t))
		}
	}
	return types
}

// acceptFile decides by the file alone.
func (f *filter) acceptFile(file *index.File) bool {
	return f.acceptLanguage(file.Language) && f.acceptPath(file.Path) && f.acceptProject(file) && (f.without == nil || !f.without(file))
}

func (f *filter) acceptLanguage(language string) bool {
	if len(f.languages) == 0 || slices.Contains(f.languages, language) {
		return true
	}
	// A person who says typescript means the files with JSX in them, too.
	return language == "tsx" && slices.Contains(f.languages, "typescript")
}

// acceptPath decides by the relative path.
func (f *filter) acceptPath(rel string) bool {
	return matchAny(f.typed, rel, true) && matchAny(f.paths, rel, true) && !matchAny(f.exclude, rel, false)
}

// acceptChunk decides by the chunk alone.
func (f *filter) acceptChunk(ref index.Ref) bool {
	c := ref.Chunk()
	if len(f.types) > 0 && !slices.Contains(f.types, string(c.Type)) && !f.asKnowledge(ref) {
		return false
	}
	return len(f.kinds) == 0 || slices.Contains(f.kinds, string(c.Kind))
}

// asKnowledge reports whether a chunk passes only because of the knowledge in it.
func (f *filter) asKnowledge(ref index.Ref) bool {
	return f.knowledge && !slices.Contains(f.types, string(ref.Chunk().Type)) && snippet.KnowledgeOf(ref) != ""
}

// acceptSymbol decides by the file and by what the symbol is shown as.
func (f *filter) acceptSymbol(s index.SymbolRef) bool {
	shown := snippet.SymbolType(s.Kind)
	return f.acceptFile(s.File) && (len(f.types) == 0 || slices.Contains(f.types, string(shown))) &&
		(len(f.kinds) == 0 || slices.Contains(f.kinds, snippet.SymbolKind(s.Kind)))
}

func (f *filter) accept(ref index.Ref) bool { return f.acceptFile(ref.File) && f.acceptChunk(ref) }

// narrowsPath reports whether the person asked for certain paths.
func (f *filter) narrowsPath() bool { return len(f.typed)+len(f.paths) > 0 }

// A pathPattern matches relative paths with '/'.
type pathPattern func(rel string) bool

func matchAny(list []pathPattern, rel string, whenEmpty bool) bool {
	if len(list) == 0 {
		return whenEmpty
	}
	return slices.ContainsFunc(list, func(match pathPattern) bool { return match(rel) })
}

func patterns(list []string, compile func(string) pathPattern) []pathPattern {
	var out []pathPattern
	for _, p := range list {
		if p = cleanPattern(p); p != "" {
			out = append(out, compile(p))
		}
	}
	return out
}

func cleanPattern(p string) string {
	return strings.TrimPrefix(strings.ReplaceAll(strings.TrimSpace(p), `\`, "/"), "./")
}

// looseMatch is what people mean when they type path:search: the beginning of any folder or file name on the path,
// in any letter case. With * ? [ or { it is a glob that may start at any folder.
func looseMatch(p string) pathPattern {
	if strings.ContainsAny(p, "*?[{") {
		if anywhere, err := regexp.Compile(globRegexp("**/" + strings.TrimSuffix(p, "/"))); err == nil {
			return anywhere.MatchString
		}
		return globMatch(p)
	}
	needle := "/" + strings.ToLower(strings.TrimPrefix(p, "/"))
	return func(rel string) bool { return strings.Contains("/"+strings.ToLower(rel), needle) }
}

// globMatch matches a whole path, or a folder above it: "internal", "internal/**", "**/*_test.go", "*.{ts,tsx}".
// A glob without '/' matches the file name alone.
func globMatch(p string) pathPattern {
	p = strings.TrimSuffix(p, "/")
	re, err := regexp.Compile(globRegexp(p))
	if err != nil { // for example an unclosed class: take it by the letter
		return func(rel string) bool { return rel == p || strings.HasPrefix(rel, p+"/") }
	}
	nameOnly := !strings.Contains(p, "/")
	return func(rel string) bool { return re.MatchString(rel) || nameOnly && re.MatchString(path.Base(rel)) }
}

// globRegexp translates a glob. A match may go on below the path: naming a folder means all that is in it.
func globRegexp(p string) string {
	var b strings.Builder
	b.WriteString("^")
	braces := 0
	for i := 0; i < len(p); i++ {
		switch c := p[i]; {
		case strings.HasPrefix(p[i:], "**/"):
			b.WriteString("(?:.*/)?")
			i += 2
		case strings.HasPrefix(p[i:], "**"):
			b.WriteString(".*")
			i++
		case c == '*':
			b.WriteString("[^/]*")
		case c == '?':
			b.WriteString("[^/]")
		case c == '[':
			end := strings.IndexByte(p[i:], ']')
			if end < 2 {
				b.WriteString(`\[`)
				continue
			}
			class := p[i+1 : i+end]
			if rest, negated := strings.CutPrefix(class, "!"); negated {
				class = "^" + rest
			}
			b.WriteString("[" + strings.ReplaceAll(class, `\`, `\\`) + "]")
			i += end
		case c == '{':
			b.WriteString("(?:")
			braces++
		case c == '}' && braces > 0:
			b.WriteString(")")
			braces--
		case c == ',' && braces > 0:
			b.WriteString("|")
		default:
			b.WriteString(regexp.QuoteMeta(p[i : i+1]))
		}
	}
	b.WriteString("(?:/.*)?$")
	return b.String()
}
