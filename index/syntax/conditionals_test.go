package syntax

import (
	"strings"
	"testing"
)

func TestWithoutConditionals(t *testing.T) {
	for _, tc := range []struct{ name, src, want string }{
		{"nothing to blank", "#ifdef A\nint a;\n#else\nint b;\n#endif\n", "#ifdef A\nint a;\n#else\nint b;\n#endif\n"},
		{"a brace in each branch", "#if A\nif (x) {\n#else\nif (y) {\n#endif\n}\n", "     \nif (x) {\n     \n        \n      \n}\n"},
		{"a brace without another branch", "#ifdef A\nif (x) {\n#endif\nf();\n#ifdef A\n}\n#endif\n", "        \nif (x) {\n      \nf();\n        \n}\n      \n"},
		{"of #if 0 the other branch", "#if 0\nf() {\n#else\ng() {\n#endif\n}\n", "     \n     \n     \ng() {\n      \n}\n"},
		{"in parentheses", "f(a,\n#ifdef B\nb,\n#else\nc,\n#endif\nd);\n", "f(a,\n        \nb,\n     \n  \n      \nd);\n"},
		{"nested", "#ifdef A\n#ifdef B\nf() {\n#endif\n#else\ng() {\n#endif\n}\n", "        \n        \nf() {\n      \n     \n     \n      \n}\n"},
		{"braces in comments and strings", "#if A\nx = \"{\"; // {\n/* {\n{ */ y = '{';\n#endif\n", "#if A\nx = \"{\"; // {\n/* {\n{ */ y = '{';\n#endif\n"},
		{"a macro of several lines", "#define M { \\\n  {\n#if A\nint a;\n#endif\n", "#define M { \\\n  {\n#if A\nint a;\n#endif\n"},
		{"no end", "#if A\nf() {\n", "#if A\nf() {\n"},
		{"ends alone", "#endif\n#else\n", "#endif\n#else\n"},
		{"Windows line ends", "#if A\r\nf() {\r\n#else\r\ng() {\r\n#endif\r\n}\r\n", "     \r\nf() {\r\n     \r\n     \r\n      \r\n}\r\n"},
	} {
		got := string(withoutConditionals([]byte(tc.src)))
		if got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
		if strings.Count(got, "\n") != strings.Count(tc.src, "\n") || len(got) != len(tc.src) {
			t.Errorf("%s: another length", tc.name)
		}
	}
}

func TestWithoutMacros(t *testing.T) {
	for _, tc := range []struct{ name, src, want string }{
		{"before a template", "FMT_EXPORT template <class T> class A {};\n", "           template <class T> class A {};\n"},
		{"in the place of a type", "class LIB_API A {};\n", "class         A {};\n"},
		{"a line of its own", "int a;\nBEGIN_DECLS\nclass B {};\n", "int a;\n           \nclass B {};\n"},
		{"two lines", "#include <a>\n\nBEGIN_NS\nBEGIN_EXPORT\n\n// Doc.\nclass B {};\n", "#include <a>\n\n        \n            \n\n// Doc.\nclass B {};\n"},
		{"the last of a list", "enum {\n  LIST_A,\n  LIST_B\n};\n", "enum {\n  LIST_A,\n  LIST_B\n};\n"},
		{"the only one of a list", "enum {\n  LIST_A\n};\n", "enum {\n  LIST_A\n};\n"},
		{"the type of a function", "}\nSTATIC_INT\nopen(a)\n", "}\nSTATIC_INT\nopen(a)\n"},
		{"a word without an underscore", "int a;\nFILE\n*f;\n", "int a;\nFILE\n*f;\n"},
	} {
		if got := string(withoutMacros([]byte(tc.src))); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// divided has two functions that begin in two ways, and functions behind them.
const divided = `
#ifdef WIDE
int open_wide(long a) {
#else
int open_narrow(int a) {
#endif
	return a;
}

int call(void) {
	return f(1,
#ifdef WIDE
		2,
#endif
		3);
}

int behind(void) { return 1; }
`

func TestWhatIsBehindDividedBranchesIsFound(t *testing.T) {
	for _, language := range []string{"c", "cpp"} {
		lang := ByName(language)
		out, err := Parse(lang, []byte(divided))
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, d := range out.Definitions {
			names = append(names, d.Name)
			if d.Parent >= 0 {
				t.Errorf("%s: %s is inside another one", language, d.Name)
			}
		}
		if got := strings.Join(names, " "); got != "open_wide call behind" {
			t.Errorf("%s: %s", language, got)
		}
		// Edited, it is what it is when it is opened so.
		doc := NewDocument(lang, []byte(divided))
		defer doc.Close()
		for _, at := range []int{strings.Index(divided, "#else"), strings.Index(divided, "return 1"), strings.Index(divided, "#endif")} {
			for _, text := range []string{divided[:at] + "x" + divided[at:], divided} {
				old := string(doc.src)
				edit := Edit{Start: at, OldEnd: at, New: []byte("x")}
				if len(text) < len(old) {
					edit = Edit{Start: at, OldEnd: at + 1}
				}
				doc.Edit([]byte(text), []Edit{edit})
				got, err := doc.Outline()
				fresh, _ := Parse(lang, []byte(text))
				if err != nil || describe(text, got) != describe(text, fresh) {
					t.Errorf("%s: edited at %d:\n%s\nfresh:\n%s", language, at, describe(text, got), describe(text, fresh))
				}
			}
		}
	}
}
