package codeintel

import (
	"strings"
	"testing"
)

func TestIdentifierAt(t *testing.T) {
	tests := []struct {
		text string // | is the cursor
		want string
		qual string
	}{
		{"x := |foo(1)", "foo", ""},
		{"x := fo|o(1)", "foo", ""},
		{"x := foo|(1)", "foo", ""},
		{"x := foo(|1)", "", ""},
		{"engine.Se|arch()", "Search", "engine"},
		{"a?.b|", "b", "a"},
		{"ns::f|n", "fn", "ns"},
		{"größ|e = 1", "größe", ""},
		{"名|前", "名前", ""},
		{"|", "", ""},
		{"a |  b", "", ""},
		{"\r\nfoo|\r\n", "foo", ""},
		{"12|3", "", ""},
	}
	for _, tt := range tests {
		at := strings.IndexByte(tt.text, '|')
		text := strings.Replace(tt.text, "|", "", 1)
		id, _ := identifierAt([]byte(text), at)
		if id.name != tt.want || id.qualifier != tt.qual {
			t.Errorf("%q: name %q, qualifier %q", tt.text, id.name, id.qualifier)
		}
		if id.name != "" && text[id.start:id.end] != id.name {
			t.Errorf("%q: span [%d,%d)", tt.text, id.start, id.end)
		}
	}
}

func FuzzIdentifierAt(f *testing.F) {
	f.Add([]byte("a.b"), 2)
	f.Add([]byte("\xff\xfe\x80"), 1)
	f.Add([]byte("größe"), 4)
	f.Fuzz(func(t *testing.T, text []byte, offset int) {
		id, ok := identifierAt(text, offset)
		if ok && (id.start < 0 || id.end > len(text) || id.start >= id.end || id.name != string(text[id.start:id.end])) {
			t.Fatalf("%q at %d: %+v", text, offset, id)
		}
	})
}
