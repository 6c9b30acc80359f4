package codebase

import (
	"strings"
	"testing"
)

func TestIsProse(t *testing.T) {
	for _, tt := range []struct {
		language, text string // what is marked by | is asked about
		want           bool
	}{
		{"go", "a // b|", true}, {"go", "a // b\nc|", false}, {"go", "/* a\n b| */", true}, {"go", "/* a */ b|", false},
		{"go", `x("a\"b|")`, true}, {"go", `x("a\"b") + c|`, false}, {"go", "`a\nb|`", true}, {"go", `'"' + c|`, false}, {"go", `'\'' + "a|"`, true},
		{"rust", "fn f<'a>(x: &'a T|)", false}, {"javascript", "/['\"]/.test(a)\nb|", false}, {"javascript", "`${a|}`", false},
		{"python", `"""a` + "\n" + `b|"""`, true}, {"python", `f"{a|}"`, false}, {"python", "# a|", true}, {"lua", "--[[ a\nb| ]]", true},
		{"sql", "-- a|", true}, {"html", "<!-- a| -->", true}, {"java", `"""` + "\n" + `a "b| """`, true}, {"brainfuck", "// a|", false},
		{"go", "\"never closed\n|a", false}, {"go", "/* never closed |", true},
	} {
		at := strings.IndexByte(tt.text, '|')
		text := tt.text[:at] + tt.text[at+1:]
		if got := IsProse([]byte(text), tt.language, max(0, at-1)); got != tt.want {
			t.Errorf("%s %q: %v", tt.language, tt.text, got)
		}
	}
}
