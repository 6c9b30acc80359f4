package index

import (
	"fmt"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
)

// A summary is what an index run did.
type summary struct {
	api.IndexSummary
	Store     string `json:"store"` // "" when the index is in memory only
	ElapsedMs int64  `json:"elapsedMs"`
	Project   string `json:"project"`
}

// other counts the sections, paragraphs and lines between definitions.
func (s *summary) other() int { return s.Total - s.Code - s.Reasoning - s.Knowledge }

func (s *summary) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Indexing complete!\n\nSummary:\n")
	fmt.Fprintf(&b, "  Files scanned: %d\n", s.Files)
	fmt.Fprintf(&b, "  Code chunks: %d\n", s.Code)
	fmt.Fprintf(&b, "  Reasoning chunks: %d\n", s.Reasoning)
	fmt.Fprintf(&b, "  Knowledge chunks: %d\n", s.Knowledge)
	fmt.Fprintf(&b, "  Total chunks: %d\n\n", s.Total)
	fmt.Fprintf(&b, "  Errors: %d\n", s.Errors)
	fmt.Fprintf(&b, "  Warnings: %d\n\n", s.Warnings)
	saved := "kept in memory only"
	if s.Store != "" {
		saved = "saved to " + s.Store
	}
	fmt.Fprintf(&b, "BM25 index: Built (%d chunks indexed, %s)\n", s.Total, saved)
	if n := s.other(); n > 0 {
		fmt.Fprintf(&b, "The total includes %s of other text: sections, and code between definitions.\n", display.Count(n, "chunk"))
	}
	if s.Knowledge == 0 {
		b.WriteString("Note: No conversation logs found. Run SOAR queries to generate knowledge chunks.\n")
	}
	return b.String()
}
