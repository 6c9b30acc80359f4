package embed

import (
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/syntax"
)

func TestText(t *testing.T) {
	const src = `class Reader:
    """Reads things."""

    limit = 3

    def read(self, path):
        """Return what the file holds."""
        return open(path).read()
`
	f, err := chunk.Analyze(syntax.ByName("python"), []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for i := range f.Chunks {
		texts[f.Chunks[i].Name] = strings.Join(strings.Fields(string(Text("lib/text_io.py", f, i, []byte(src)))), " ")
	}
	want := map[string]string{
		"read":   "lib text_io text_io Reader read read def read(self, path): return open(path).read()",
		"Reader": "lib text_io text_io Reader Reader class Reader: limit = 3",
	}
	for name, text := range want {
		if texts[name] != text {
			t.Errorf("%s: %q, want %q", name, texts[name], text)
		}
	}
	if text := string(Text("setup.py", f, 0, []byte(src))); !strings.HasPrefix(text, "setup\nsetup\nReader\n") {
		t.Errorf("at the top: %q", text)
	}
	for i := range f.Chunks {
		if code := string(Code(f, i, []byte(src))); strings.Contains(code, `"""`) {
			t.Errorf("the code of %s holds its documentation: %q", f.Chunks[i].Name, code)
		}
	}
}
