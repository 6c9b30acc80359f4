package recall

import (
	"slices"
	"testing"
)

func TestFrontMatter(t *testing.T) {
	for _, test := range []struct {
		text string
		want note
	}{
		{"just text", note{body: "just text"}},
		{"---\nnot closed", note{body: "---\nnot closed"}},
		{"\uFEFF---\r\ntitle: \"A\"\r\n---\r\nB", note{title: "A", body: "B"}},
		{"---\ntags:\n- a\n- 'b c'\nimportance: 7\nTitle: x: y\n---\nB", note{title: "x: y", tags: []string{"a", "b c"}, body: "B"}},
		{"---\ntags: a, ,b\nimportance: much\nunknown: z\n---\n", note{tags: []string{"a", "b"}}},
	} {
		got := parseNote(test.text)
		if got.title != test.want.title || got.body != test.want.body || got.importance != test.want.importance || !slices.Equal(got.tags, test.want.tags) {
			t.Errorf("%q: %+v", test.text, got)
		}
	}
}
