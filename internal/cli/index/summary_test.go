package index

import (
	"testing"

	"github.com/aurora-sidecar/aurora/internal/api"
)

func TestSummary(t *testing.T) {
	s := summary{IndexSummary: api.IndexSummary{Files: 103, Code: 456, Reasoning: 23, Knowledge: 18, Total: 497, Warnings: 2}, Store: "/home/me/.aurora/index/x"}
	want := `Indexing complete!

Summary:
  Files scanned: 103
  Code chunks: 456
  Reasoning chunks: 23
  Knowledge chunks: 18
  Total chunks: 497

  Errors: 0
  Warnings: 2

BM25 index: Built (497 chunks indexed, saved to /home/me/.aurora/index/x)
`
	if got := s.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	s = summary{IndexSummary: api.IndexSummary{Files: 2, Code: 3, Total: 5}}
	want = `Indexing complete!

Summary:
  Files scanned: 2
  Code chunks: 3
  Reasoning chunks: 0
  Knowledge chunks: 0
  Total chunks: 5

  Errors: 0
  Warnings: 0

BM25 index: Built (5 chunks indexed, kept in memory only)
The total includes 2 chunks of other text: sections, and code between definitions.
Note: No conversation logs found. Run SOAR queries to generate knowledge chunks.
`
	if got := s.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
