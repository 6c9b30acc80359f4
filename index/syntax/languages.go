package syntax

import (
	"embed"
	"fmt"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/index/syntax/grammars/dart"
	"github.com/aurora-sidecar/aurora/index/syntax/grammars/haskell"
	"github.com/aurora-sidecar/aurora/index/syntax/grammars/powershell"
	"github.com/aurora-sidecar/aurora/index/syntax/grammars/r"
	"github.com/aurora-sidecar/aurora/index/syntax/grammars/zig"
	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/bash"
	"github.com/smacker/go-tree-sitter/c"
	"github.com/smacker/go-tree-sitter/cpp"
	"github.com/smacker/go-tree-sitter/csharp"
	"github.com/smacker/go-tree-sitter/css"
	"github.com/smacker/go-tree-sitter/cue"
	"github.com/smacker/go-tree-sitter/dockerfile"
	"github.com/smacker/go-tree-sitter/elixir"
	"github.com/smacker/go-tree-sitter/elm"
	"github.com/smacker/go-tree-sitter/golang"
	"github.com/smacker/go-tree-sitter/groovy"
	"github.com/smacker/go-tree-sitter/hcl"
	"github.com/smacker/go-tree-sitter/html"
	"github.com/smacker/go-tree-sitter/java"
	"github.com/smacker/go-tree-sitter/javascript"
	"github.com/smacker/go-tree-sitter/kotlin"
	"github.com/smacker/go-tree-sitter/lua"
	markdown "github.com/smacker/go-tree-sitter/markdown/tree-sitter-markdown"
	"github.com/smacker/go-tree-sitter/ocaml"
	"github.com/smacker/go-tree-sitter/php"
	"github.com/smacker/go-tree-sitter/protobuf"
	"github.com/smacker/go-tree-sitter/python"
	"github.com/smacker/go-tree-sitter/ruby"
	"github.com/smacker/go-tree-sitter/rust"
	"github.com/smacker/go-tree-sitter/scala"
	"github.com/smacker/go-tree-sitter/sql"
	"github.com/smacker/go-tree-sitter/svelte"
	"github.com/smacker/go-tree-sitter/swift"
	"github.com/smacker/go-tree-sitter/toml"
	"github.com/smacker/go-tree-sitter/typescript/tsx"
	"github.com/smacker/go-tree-sitter/typescript/typescript"
	"github.com/smacker/go-tree-sitter/yaml"
)

//go:embed queries/*.scm queries/locals/*.scm
var queryFiles embed.FS

// A Language is a grammar with the queries that find definitions, calls and imports in its trees. It is immutable
// and serves any number of goroutines.
type Language struct {
	Name       string   // "go"; unique, lower case
	Extensions []string // with the dot, lower case
	Filenames  []string // whole names that tell the language without an extension
	IDs        []string // identifiers that editors send, beside Name

	grammar  func() *sitter.Language
	queries  []string // files under queries/, read as one
	embedded string   // the Name of the language that @embedded texts are written in

	// read, when set, makes the outline of a language that has no grammar.
	read func(src []byte, parse embeddedParser) (*Outline, error)

	// columns says that the grammar's scanner asks for columns, which edits of a tree get wrong, or remembers what it
	// should not, or that an edit changes what is spared elsewhere: every edited text is parsed from scratch.
	columns bool

	// global, when set, is a text that brings the grammar's scanner back to its first state. Such a scanner keeps its
	// state in variables of the process: only one text is parsed at a time, and that one first.
	global string

	// entwined says that the tree below one child of the root may depend on the others' text: YAML hangs comments now
	// here, now there. See branches.
	entwined bool

	// patience, when set, is all the time that parsing a text may take, for grammars whose error recovery can explode.
	patience time.Duration

	// tooDeep, when set, refuses texts with more open at once than the grammar survives.
	tooDeep func(src []byte) bool

	otherTexts
	loadedLanguage
}

// otherTexts are what is parsed in place of a text, of the same length and lines; offsets and texts are those of the source.
type otherTexts struct {
	// spare, when set, returns a text of the same length and lines in which what the grammar stumbles over is blank. The
	// parser reads that; offsets and texts are those of the source.
	spare func(src []byte) []byte

	// whole, when set, is spare for what depends on places far away, so that a tree of its text is no base of another one. parses
	// reports whether the grammar finds no errors in a text.
	whole func(src []byte, parses func(src []byte) bool) []byte

	// mend, when set, is spare for texts that have errors without it; its text is taken when the tree has fewer.
	mend func(src []byte) []byte
}

// loadedLanguage is what a language needs when its first text is parsed.
type loadedLanguage struct {
	load    sync.Once
	rules   *rules
	loadErr error
	parsers parserPool
	parsing sync.Mutex // held while a text is parsed, when Language.global is set
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
		Extensions: []string{".py", ".pyi", ".pyw", ".bzl"},
		Filenames:  []string{"SConstruct", "SConscript", "wscript", "BUILD", "BUILD.bazel", "WORKSPACE", "MODULE.bazel"},
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
	{
		Name:       "restructuredtext",
		Extensions: []string{".rst", ".rest"},
		IDs:        []string{"rst"},
		read:       readReStructuredText,
	},
	{
		Name:       "asciidoc",
		Extensions: []string{".adoc", ".asciidoc"},
		IDs:        []string{"asciidoctor"},
		read:       readAsciiDoc,
	},
	{
		Name:       "json",
		Extensions: []string{".json", ".jsonc", ".json5", ".webmanifest", ".geojson", ".code-workspace"},
		Filenames:  []string{".babelrc", ".eslintrc", ".prettierrc", "composer.lock", "flake.lock", "Pipfile.lock"},
		IDs:        []string{"jsonc", "json5"},
		read:       readJSON,
	},
	{
		Name:       "notebook",
		Extensions: []string{".ipynb"},
		IDs:        []string{"jupyter", "ipynb"},
		read:       readNotebook,
	},
	{
		Name:       "rust",
		Extensions: []string{".rs"},
		grammar:    rust.GetLanguage,
		queries:    []string{"rust.scm"},
		otherTexts: otherTexts{whole: withoutItemMacros},
	},
	{
		Name:       "java",
		Extensions: []string{".java"},
		grammar:    java.GetLanguage,
		queries:    []string{"java.scm"},
	},
	{
		Name:       "kotlin",
		Extensions: []string{".kt", ".kts"},
		grammar:    kotlin.GetLanguage,
		queries:    []string{"kotlin.scm"},
		otherTexts: otherTexts{mend: withoutFun},
	},
	{
		Name:       "c",
		Extensions: []string{".c", ".h"},
		grammar:    c.GetLanguage,
		queries:    []string{"c.scm"},
		otherTexts: otherTexts{mend: withoutMacros},
	},
	{
		Name:       "cpp",
		Extensions: []string{".cpp", ".cc", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".inl", ".ipp", ".tpp", ".cu", ".cuh"},
		IDs:        []string{"c++", "cuda-cpp"},
		grammar:    cpp.GetLanguage,
		queries:    []string{"c.scm", "cpp.scm"},
		otherTexts: otherTexts{mend: withoutMacros},
	},
	{
		Name:       "csharp",
		Extensions: []string{".cs", ".csx"},
		IDs:        []string{"c#"},
		grammar:    csharp.GetLanguage,
		queries:    []string{"csharp.scm"},
	},
	{
		Name:       "ruby",
		Extensions: []string{".rb", ".rake", ".gemspec", ".ru", ".podspec"},
		Filenames:  []string{"Gemfile", "Rakefile", "Guardfile", "Capfile", "Vagrantfile", "Brewfile", "Podfile", "Fastfile", "Dangerfile"},
		grammar:    ruby.GetLanguage,
		queries:    []string{"ruby.scm"},
		tooDeep:    longHeredocs,
	},
	{
		Name:       "php",
		Extensions: []string{".php", ".phtml"},
		grammar:    php.GetLanguage,
		queries:    []string{"php.scm"},
	},
	{
		Name:       "swift",
		Extensions: []string{".swift"},
		grammar:    swift.GetLanguage,
		queries:    []string{"swift.scm"},
	},
	{
		Name:       "scala",
		Extensions: []string{".scala", ".sc", ".sbt"},
		grammar:    scala.GetLanguage,
		queries:    []string{"scala.scm"},
		columns:    true,
	},
	{
		Name:       "lua",
		Extensions: []string{".lua"},
		Filenames:  []string{".luacheckrc"},
		grammar:    lua.GetLanguage,
		queries:    []string{"lua.scm"},
		columns:    true,
		global:     "x = \"\"\n",
		otherTexts: otherTexts{spare: withoutAnnotations, mend: withoutSecondCalls},
	},
	{
		Name:       "bash",
		Extensions: []string{".sh", ".bash", ".zsh", ".ksh", ".bats", ".ebuild"},
		Filenames:  []string{".bashrc", ".bash_profile", ".bash_aliases", ".bash_logout", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin", "PKGBUILD", "APKBUILD"},
		IDs:        []string{"shellscript", "sh", "zsh"},
		grammar:    bash.GetLanguage,
		queries:    []string{"bash.scm"},
		columns:    true,
		tooDeep:    longHeredocs,
	},
	{
		Name:       "sql",
		Extensions: []string{".sql", ".ddl", ".dml"},
		grammar:    sql.GetLanguage,
		queries:    []string{"sql.scm"},
	},
	{
		Name:       "yaml",
		Extensions: []string{".yaml", ".yml"},
		Filenames:  []string{".clang-format", ".clang-tidy", ".clangd"},
		IDs:        []string{"dockercompose", "yaml.ansible", "github-actions-workflow"},
		grammar:    yaml.GetLanguage,
		queries:    []string{"yaml.scm"},
		entwined:   true,
	},
	{
		Name:       "toml",
		Extensions: []string{".toml"},
		Filenames:  []string{"Cargo.lock", "poetry.lock", "uv.lock", "Pipfile"},
		grammar:    toml.GetLanguage,
		queries:    []string{"toml.scm"},
	},
	{
		Name:       "hcl",
		Extensions: []string{".hcl", ".tf", ".tfvars", ".nomad", ".tofu"},
		IDs:        []string{"terraform", "terraform-vars", "tf", "opentofu"},
		grammar:    hcl.GetLanguage,
		queries:    []string{"hcl.scm"},
	},
	{
		Name:       "dockerfile",
		Extensions: []string{".dockerfile", ".containerfile"},
		Filenames:  []string{"Dockerfile", "Containerfile"},
		grammar:    dockerfile.GetLanguage,
		queries:    []string{"dockerfile.scm"},
	},
	{
		Name:       "protobuf",
		Extensions: []string{".proto"},
		IDs:        []string{"proto", "proto3"},
		grammar:    protobuf.GetLanguage,
		queries:    []string{"protobuf.scm"},
		otherTexts: otherTexts{whole: asProto3},
		columns:    true, // what is spared depends on the text far around
	},
	{
		Name:       "html",
		Extensions: []string{".html", ".htm", ".xhtml"},
		grammar:    html.GetLanguage,
		queries:    []string{"html.scm"},
		embedded:   "javascript",
	},
	{
		Name:       "css",
		Extensions: []string{".css"},
		grammar:    css.GetLanguage,
		queries:    []string{"css.scm"},
	},
	{
		Name:       "svelte",
		Extensions: []string{".svelte"},
		grammar:    svelte.GetLanguage,
		queries:    []string{"html.scm"},
		embedded:   "typescript",
	},
	{
		Name:       "vue",
		Extensions: []string{".vue"},
		grammar:    html.GetLanguage,
		queries:    []string{"html.scm"},
		embedded:   "typescript",
	},
	{
		Name:       "elixir",
		Extensions: []string{".ex", ".exs"},
		grammar:    elixir.GetLanguage,
		queries:    []string{"elixir.scm"},
	},
	{
		Name:       "ocaml",
		Extensions: []string{".ml"},
		grammar:    ocaml.GetLanguage,
		queries:    []string{"ocaml.scm"},
		columns:    true,
	},
	{
		Name:       "ocaml_interface",
		Extensions: []string{".mli"},
		IDs:        []string{"ocaml.interface", "ocamlinterface"},
		read:       readOCamlInterface,
	},
	{
		Name:       "elm",
		Extensions: []string{".elm"},
		grammar:    elm.GetLanguage,
		queries:    []string{"elm.scm"},
		columns:    true,
	},
	{
		Name:       "groovy",
		Extensions: []string{".groovy", ".gradle", ".gvy"},
		Filenames:  []string{"Jenkinsfile"},
		grammar:    groovy.GetLanguage,
		queries:    []string{"groovy.scm"},
		patience:   2 * time.Second,
		otherTexts: otherTexts{whole: asPlainGroovy},
	},
	{
		Name:       "cue",
		Extensions: []string{".cue"},
		grammar:    cue.GetLanguage,
		queries:    []string{"cue.scm"},
	},
	{
		Name:       "haskell",
		Extensions: []string{".hs", ".hs-boot"},
		grammar:    haskell.GetLanguage,
		queries:    []string{"haskell.scm"},
		columns:    true,
	},
	{
		Name:       "powershell",
		Extensions: []string{".ps1", ".psm1", ".psd1"},
		IDs:        []string{"ps1"},
		grammar:    powershell.GetLanguage,
		queries:    []string{"powershell.scm"},
	},
	{
		Name:       "zig",
		Extensions: []string{".zig", ".zon"},
		grammar:    zig.GetLanguage,
		queries:    []string{"zig.scm"},
	},
	{
		Name:       "dart",
		Extensions: []string{".dart"},
		grammar:    dart.GetLanguage,
		queries:    []string{"dart.scm"},
		patience:   2 * time.Second,
	},
	{
		Name:       "r",
		Extensions: []string{".r"},
		Filenames:  []string{".Rprofile"},
		grammar:    r.GetLanguage,
		queries:    []string{"r.scm"},
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

// parseEmbedded is the embeddedParser of languages without a grammar.
func parseEmbedded(language string, src []byte) *Outline {
	lang := ByLanguageID(language)
	if lang == nil || lang.read != nil {
		return nil
	}
	out, err := Parse(lang, src)
	if err != nil {
		return nil
	}
	return out
}

// compiled returns the language's rules, compiling its queries on first use; nil for a language without a grammar.
func (l *Language) compiled() (*rules, error) {
	l.load.Do(func() {
		if l.read != nil {
			return
		}
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
			return
		}
		l.rules.embedded = byName[l.embedded]
		l.rules.local = l.rules.local && !l.entwined
	})
	return l.rules, l.loadErr
}
