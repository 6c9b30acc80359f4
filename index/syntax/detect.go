package syntax

import (
	"bytes"
	"path"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// Detect returns the language of a file by its name and, where the name leaves it open, by the beginning of its text:
// a script without an extension says who runs it, and a header may be of C or of C++. It returns nil when there is no
// grammar for the file.
func Detect(file string, head []byte) *Language {
	lang := ByPath(file)
	switch {
	case lang != nil && path.Ext(file) == ".h" && cppOnly.Match(head):
		return ByName("cpp")
	case lang == nil && path.Ext(strings.ReplaceAll(file, `\`, "/")) == "":
		return byShebang(head)
	}
	return lang
}

// cppOnly matches what no header of C holds outside of comments.
var cppOnly = lazyregexp.New(`(?m)^\s*(template\s*<|namespace\b|class\s+\w|using\s+\w|(public|private|protected)\s*:)`)

// byShebang returns the language of the interpreter that the first line names after "#!", or nil.
func byShebang(head []byte) *Language {
	line, _, _ := bytes.Cut(head, newline)
	command, ok := bytes.CutPrefix(line, []byte("#!"))
	if !ok {
		return nil
	}
	words := strings.Fields(string(command))
	if len(words) > 0 && path.Base(words[0]) == "env" {
		words = afterEnv(words[1:])
	}
	if len(words) == 0 {
		return nil
	}
	return byName[interpreters[strings.TrimRight(path.Base(words[0]), "0123456789.")]]
}

// afterEnv drops the options and assignments of env before the interpreter.
func afterEnv(words []string) []string {
	for len(words) > 0 && (strings.HasPrefix(words[0], "-") || strings.Contains(words[0], "=")) {
		words = words[1:]
	}
	return words
}

// interpreters are the languages of what shebang lines name, without version numbers.
var interpreters = map[string]string{
	"sh": "bash", "bash": "bash", "dash": "bash", "ksh": "bash", "zsh": "bash",
	"python": "python", "pypy": "python", "node": "javascript", "nodejs": "javascript", "bun": "typescript",
	"deno": "typescript", "ts-node": "typescript", "tsx": "typescript", "ruby": "ruby", "php": "php", "lua": "lua",
	"luajit": "lua", "elixir": "elixir", "groovy": "groovy", "kotlin": "kotlin", "scala": "scala", "swift": "swift",
	"ocaml": "ocaml", "runhaskell": "haskell", "runghc": "haskell", "Rscript": "r", "dart": "dart",
	"pwsh": "powershell",
}
