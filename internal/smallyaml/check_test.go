package smallyaml

import (
	"fmt"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	var keys strings.Builder
	for i := range maxKeys + 1 {
		fmt.Fprintf(&keys, "k%d: 1\n", i)
	}
	for name, test := range map[string]struct{ text, want string }{
		"nothing":            {"", ""},
		"settings":           {"a: 1\nb:\n  - c: 1\n  - c: 2\nd: &d {e: 1}\nf: *d\n1: x\n'1': y\n", ""},
		"no YAML":            {"a: [", ""},
		"a key twice":        {"b: 1\na: 1\nc:\n  a: 2\na: 3\n", `line 5: mapping key "a" already defined at line 2`},
		"one key for ever":   {strings.Repeat("a: 1\n", 5000), `line 2: mapping key "a" already defined at line 1`}, // took gigabytes
		"many keys":          {keys.String(), "line 1: a mapping has more than 1000 keys"},
		"many merges":        {"a: &a {b: 1}\nc:\n  <<: [" + strings.Repeat("*a,", 5000) + "]\n", "line 3: there are more than 100 aliases"},
		"a second document":  {"a: 1\n---\na: 1\na: 1\n", `line 4: mapping key "a" already defined at line 3`},
		"many documents":     {strings.Repeat("---\n", 5000), ""},
		"deep":               {strings.Repeat("- ", 50_000), ""},
		"a mapping in a key": {"? {a: 1, a: 2}\n: 1\n", `line 1: mapping key "a" already defined at line 1`},
	} {
		got := ""
		if err := Check([]byte(test.text)); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
