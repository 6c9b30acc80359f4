package claims

import (
	"strings"
	"testing"
)

// FuzzClaims holds that numbering streams as it does in one piece, and that every number has a source.
func FuzzClaims(f *testing.F) {
	for _, s := range []string{"`maxBody` [S1] is read by `Handle` [S2].", "Both are in one file [S1, S2].", "It is noted in [S4].", "- `Handle` [S2]\n- `flushAll` [S9", "See handler.go:15 [S1]."} {
		f.Add(s, 3)
	}
	sources := []Source{
		{ID: "S1", Path: "upload/handler.go", Line: 10, Last: 10, Text: "const maxBody int32 = math.MaxInt32"},
		{ID: "S2", Path: "upload/handler.go", Line: 20, Last: 30, Text: "func Handle(w http.ResponseWriter, r *http.Request)"},
	}
	f.Fuzz(func(t *testing.T, text string, size int) {
		c := Check(text, text, sources)
		if c.Supported > c.Total {
			t.Errorf("%d of %d claims", c.Supported, c.Total)
		}
		whole := Numbering{Sources: sources}
		want := whole.Add(text) + whole.Rest()
		if len(whole.Cited) > len(sources) {
			t.Errorf("%d sources cited", len(whole.Cited))
		}
		if size = max(1, size%50); len(text) > 0 && !strings.Contains(text, "[[") && len(text) < longestMark {
			pieces, got := Numbering{Sources: sources}, ""
			for from := 0; from < len(text); from += size {
				got += pieces.Add(text[from:min(len(text), from+size)])
			}
			if got += pieces.Rest(); got != want {
				t.Errorf("in pieces %q, whole %q", got, want)
			}
		}
	})
}
