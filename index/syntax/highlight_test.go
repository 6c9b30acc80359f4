package syntax

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTokens(t *testing.T) {
	for _, tt := range []struct{ language, text, want string }{
		{"go", "// F is.\nfunc F(n int) string { return \"a b\" + 'c' + 10 }", `Comment"// F is." Keyword"func" TypeName"int" TypeName"string" Keyword"return" String"\"a b\"" String"'c'" Number"10"`},
		{"python", "    def f(self):  # part of a class\n        return None", `Keyword"def" Comment"# part of a class" Keyword"return" Keyword"None"`},
		{"php", "public function f(): int { return 1; }", `Keyword"public" Keyword"function" TypeName"int" Keyword"return" Number"1"`},
		{"c", "#include <a.h>\nint x;", `Keyword"#include" String"<a.h>" TypeName"int"`},
		{"yaml", "a: b # c\nd: \"e\"", `Comment"# c" String"\"e\""`},
		{"sql", "SELECT b FROM a", `Keyword"SELECT" Keyword"FROM"`},
		{"markdown", "# Title\ntext", `Keyword"# Title"`},
		{"json", `{"a": 1}`, ""},
		{"nothing", "func", ""},
		{"go", "\x00\xff func {{{{ \"", ""},
	} {
		names := [...]string{"", "Keyword", "Comment", "String", "Number", "TypeName"}
		var got []string
		for _, token := range Tokens(ByName(tt.language), []byte(tt.text)) {
			got = append(got, fmt.Sprintf("%s%q", names[token.Kind], strings.TrimSpace(tt.text[token.Start:token.End])))
		}
		if all := strings.Join(got, " "); tt.want != "" && all != tt.want {
			t.Errorf("%s: %s\nwant %s", tt.language, all, tt.want)
		}
	}
}

// TestTokensOfParts cuts the samples of all languages anywhere: tokens lie in the text, in order, and leave no tree behind.
func TestTokensOfParts(t *testing.T) {
	samples, err := filepath.Glob("testdata/outline/*.txt")
	if err != nil || len(samples) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	trees := Live()
	for _, sample := range samples {
		text, err := os.ReadFile(sample)
		if err != nil {
			t.Fatal(err)
		}
		lang := Detect(strings.TrimSuffix(filepath.Base(sample), ".txt"), text)
		for _, part := range [][]byte{text, text[len(text)/3:], text[:2*len(text)/3]} {
			end := 0
			for _, token := range Tokens(lang, part) {
				if token.Start < end || token.End > len(part) {
					t.Errorf("%s: %+v after %d in a text of %d bytes", sample, token, end, len(part))
				}
				end = token.End
			}
		}
	}
	if Live() != trees {
		t.Errorf("%d trees are left", Live()-trees)
	}
}
