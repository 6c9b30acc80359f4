package codeintel

import (
	"slices"
	"strings"
	"unicode"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/graph"
)

// meant leaves out the definitions that a name can't mean where it stands, whatever it is called: names are short, and the
// same word is a method here and a local variable there.
func (s *symbol) intended(refs []index.Ref) []index.Ref {
	before := s.before()
	refs = slices.DeleteFunc(refs, func(r index.Ref) bool {
		return !s.speaksOf(r.File.Language) || !s.couldBe(r.Chunk(), before)
	})
	return withoutDeclarations(withoutConstructors(refs))
}

// programming are the families of languages whose names are their own. Those of the others, as SQL and protocol buffers, are
// used from everywhere.
var programming = codebase.WordSet("go python notebook javascript rust jvm c csharp ruby php swift lua bash elixir ocaml elm haskell zig dart r powershell")

// speaksOf reports whether the name may be defined in a language: in its own, in one that serves all, or, when it is spelled
// as no word is, in any. What a Makefile echoes is no function of Go.
func (s *symbol) speaksOf(language string) bool {
	from, to := graph.Family(s.doc.File.Language), graph.Family(language)
	return from == to || !programming[to] || from == "html" || isMentionedAsCode(s.doc.Text, s.identifier)
}

// before is what stands before the name: "" when it is on its own, "." for a member of something that has a name, ")" for
// one of an expression.
func (s *symbol) before() string {
	if s.qualifier != "" {
		return "."
	}
	text := strings.TrimRight(string(s.doc.Text[max(0, s.start-200):s.start]), " \t\r\n")
	for _, sep := range []string{"?.", ".", "->", "::"} {
		if rest, ok := strings.CutSuffix(text, sep); ok && !strings.HasSuffix(rest, ".") { // ... spreads
			return ")"
		}
	}
	if s.doc.File.Language == "lua" && strings.HasSuffix(text, ":") {
		return "."
	}
	return ""
}

// explicitSelf are the families of languages in which a method is never called without what it belongs to.
var explicitSelf = codebase.WordSet("go python notebook javascript rust lua")

// couldBe reports whether the name may mean a definition of this sort.
func (s *symbol) couldBe(c *chunk.Chunk, before string) bool {
	family := graph.Family(s.doc.File.Language)
	switch {
	case c.Type == chunk.Method && before == "" && explicitSelf[family]:
		return s.isKey() // of an object or a struct: the method may be meant
	case c.Type == chunk.Method && s.doc.File.Language == "java":
		return s.isCalled() || strings.HasSuffix(string(s.doc.Text[:s.start]), "::")
	case c.Type == chunk.Function && before == ")":
		return !explicitSelf[family] || family == "lua"
	}
	return true
}

// isCalled reports whether an argument list follows.
func (s *symbol) isCalled() bool {
	rest := strings.TrimLeft(string(s.doc.Text[s.end:min(len(s.doc.Text), s.end+200)]), " \t\r\n")
	return strings.HasPrefix(rest, "(") || strings.HasPrefix(rest, "<")
}

// isKey reports whether a colon follows that gives the name a value.
func (s *symbol) isKey() bool {
	rest := strings.TrimLeft(string(s.doc.Text[s.end:min(len(s.doc.Text), s.end+200)]), " \t")
	return strings.HasPrefix(rest, ":") && !strings.HasPrefix(rest, ":=") && !strings.HasPrefix(rest, "::")
}

// withoutConstructors drops those of a class that is there itself: to people, both are the class.
func withoutConstructors(refs []index.Ref) []index.Ref {
	return slices.DeleteFunc(refs, func(r index.Ref) bool {
		c := r.Chunk()
		return c.Type == chunk.Method && codebase.LastName(c.Container) == c.Name && slices.ContainsFunc(refs, func(o index.Ref) bool {
			return o.File == r.File && o.Chunk().Type == chunk.Class
		})
	})
}

// withoutDeclarations drops the declarations of C of which a definition with a body is there.
func withoutDeclarations(refs []index.Ref) []index.Ref {
	return slices.DeleteFunc(refs, func(r index.Ref) bool {
		return isDeclaration(r) && slices.ContainsFunc(refs, func(o index.Ref) bool {
			return graph.Family(o.File.Language) == "c" && o.Chunk().HasBody() && o.Chunk().Container == r.Chunk().Container
		})
	})
}

// isDeclaration reports whether a chunk of C or C++ tells of a function without being it.
func isDeclaration(r index.Ref) bool {
	return graph.Family(r.File.Language) == "c" && r.Chunk().Type != chunk.Class && !r.Chunk().HasBody()
}

// inProse leaves of the definitions of a name in a comment or a string those that are meant there: all when it is spelled as
// no word is or is called, a neighbour when it begins with a capital, none for an ordinary word.
func (s *symbol) inProse() []index.Ref {
	if isMentionedAsCode(s.doc.Text, s.identifier) || strings.HasPrefix(string(s.doc.Text[s.end:]), "(") {
		return s.Definitions
	}
	capital := len(s.name) > 2 && unicode.IsUpper([]rune(s.name)[0])
	return slices.DeleteFunc(slices.Clone(s.Definitions), func(r index.Ref) bool {
		neighbour := codebase.DirName(r.File.Path) == codebase.DirName(s.doc.File.Path) && r.File.Folder == s.doc.File.Folder
		return programming[graph.Family(r.File.Language)] && !(capital && neighbour)
	})
}
