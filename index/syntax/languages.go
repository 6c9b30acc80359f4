package syntax

import (
	"embed"
	"fmt"
	"path"
	"strings"
	"sync"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/golang"
	"github.com/smacker/go-tree-sitter/javascript"
	markdown "github.com/smacker/go-tree-sitter/markdown/tree-sitter-markdown"
	"github.com/smacker/go-tree-sitter/python"
	"github.com/smacker/go-tree-sitter/typescript/tsx"
	"github.com/smacker/go-tree-sitter/typescript/typescript"
)

//go:embed queries/*.scm
var queryFiles embed.FS

// A Language is a grammar with the queries that find definitions, calls and imports in its trees. It is immutable
// and serves any number of goroutines.
type Language struct {
	Name       string   // "go"; unique, lower case
	Extensions []string // with the dot, lower case
	Filenames  []string // whole names that tell the language without an extension
	IDs        []string // identifiers that editors send, beside Name

	grammar func() *sitter.Language
	queries []string // files under queries/, read as one

	// tooDeep, when set, refuses texts whose nesting the grammar does not survive.
	tooDeep func(src []byte) bool

	load    sync.Once
	rules   *rules
	loadErr error
	parsers parserPool
}

// languages is the whole of what AURORA can parse.
var languages = []*Language{
	{
		Name:       "go",
		Extensions: []string{".go"},
		grammar:    golang.GetLanguage,
		queries:    []string{"go.scm"},
	},
	{
		Name:       "python",
		Extensions: []string{".py", ".pyi", ".pyw"},
		Filenames:  []string{"SConstruct", "SConscript", "wscript"},
		grammar:    python.GetLanguage,
		queries:    []string{"python.scm"},
	},
	{
		Name:       "typescript",
		Extensions: []string{".ts", ".mts", ".cts"},
		grammar:    typescript.GetLanguage,
		queries:    []string{"ecma.scm", "typescript.scm"},
	},
	{
		Name:       "tsx",
		Extensions: []string{".tsx"},
		IDs:        []string{"typescriptreact"},
		grammar:    tsx.GetLanguage,
		queries:    []string{"ecma.scm", "typescript.scm", "jsx.scm"},
	},
	{
		Name:       "javascript",
		Extensions: []string{".js", ".mjs", ".cjs", ".jsx"},
		Filenames:  []string{"Jakefile"},
		IDs:        []string{"javascriptreact", "jsx"},
		grammar:    javascript.GetLanguage,
		queries:    []string{"ecma.scm", "javascript.scm", "jsx.scm"},
	},
	{
		Name:       "markdown",
		Extensions: []string{".md", ".markdown", ".mdown", ".mkd"},
		grammar:    markdown.GetLanguage,
		queries:    []string{"markdown.scm"},
		tooDeep:    deepBlocks,
	},
}

// Languages lists every language in the order of the table.
func Languages() []*Language { return languages }

// ByPath returns the language of a file by its name, or nil when there is no grammar for it.
func ByPath(file string) *Language {
	base := path.Base(strings.ReplaceAll(file, `\`, "/"))
	if l, ok := byFilename[base]; ok {
		return l
	}
	return byExtension[strings.ToLower(path.Ext(base))]
}

// ByName returns the language of that name, or nil.
func ByName(name string) *Language { return byName[name] }

// ByLanguageID returns the language that an editor means by an LSP language identifier, or nil.
func ByLanguageID(id string) *Language { return byID[strings.ToLower(id)] }

var byName, byID, byExtension, byFilename = register(languages)

func register(languages []*Language) (names, ids, extensions, filenames map[string]*Language) {
	names, ids = map[string]*Language{}, map[string]*Language{}
	extensions, filenames = map[string]*Language{}, map[string]*Language{}
	for _, l := range languages {
		names[l.Name], ids[l.Name] = l, l
		for _, id := range l.IDs {
			ids[id] = l
		}
		for _, e := range l.Extensions {
			extensions[e] = l
		}
		for _, f := range l.Filenames {
			filenames[f] = l
		}
	}
	return names, ids, extensions, filenames
}

// compiled returns the language's rules, compiling its queries on first use.
func (l *Language) compiled() (*rules, error) {
	l.load.Do(func() {
		var source []byte
		for _, name := range l.queries {
			text, err := queryFiles.ReadFile("queries/" + name)
			if err != nil {
				l.loadErr = fmt.Errorf("read queries of %s: %w", l.Name, err)
				return
			}
			source = append(source, text...)
		}
		l.rules, l.loadErr = compile(l.grammar(), source)
		if l.loadErr != nil {
			l.loadErr = fmt.Errorf("compile queries of %s: %w", l.Name, l.loadErr)
		}
	})
	return l.rules, l.loadErr
}
