package snippet

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/memory"
)

// Where the knowledge in a hit comes from; "" for code.
const (
	OriginRemembered = "remembered" // somebody, or an agent, said so
	OriginNote       = "note"       // a note of the team: .aurora/notes/*.md
	OriginAnswer     = "answer"     // a question that was answered and verified
	OriginImport     = "import"     // a chunk that was imported
	OriginLog        = "log"        // a conversation
	OriginDocs       = "docs"       // a section of the project's documents
	OriginAPI        = "api"        // the comment on a definition that others may use
)

// originOfRecord tells where a memory record comes from.
func originOfRecord(r *memory.Hit) string {
	switch {
	case IsNote(*r):
		return OriginNote
	case r.SourceType == "output" && r.Type == memory.Reasoning:
		return OriginAnswer
	case r.SourceType == "output":
		return OriginImport
	}
	return OriginRemembered
}

// KnowledgeOf tells what knowledge a chunk of a file holds: a section of a document, or the comment on a definition that
// others may use. It is "" for all else.
func KnowledgeOf(ref index.Ref) string {
	c := ref.Chunk()
	switch {
	case c.Kind == chunk.KindSection:
		return OriginDocs
	case c.Type != chunk.Code && !c.Doc.Empty() && codebase.FileKind(ref.File.Path) == "" && isPublic(c.Name, ref.File.Language):
		return OriginAPI
	}
	return ""
}

// isPublic reports whether others may use a name, as far as names tell: Go's begin with a capital letter, those of other
// languages are private when they begin with an underscore or a hash.
func isPublic(name, language string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	if language == "go" {
		return unicode.IsUpper(first)
	}
	return name != "" && !strings.HasPrefix(name, "_") && first != '#'
}
