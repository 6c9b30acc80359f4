package chunk

import (
	"fmt"
	"strings"
	"testing"
)

func TestFunctionsInsideOthersAreSymbols(t *testing.T) {
	tests := []struct{ language, src, want string }{
		{"javascript", "module.exports = function send(c) {\n  // ends it\n  var resolve = function done(v) { use(v); };\n  function reject() { function deep() {} }\n};\n",
			"exports>resolve exports>reject exports>deep"},
		{"python", "def timed(f):\n    def wrapper(*a):\n        return f(*a)\n    return wrapper\n\nclass A:\n    def m(self):\n        def inner(): pass\n        class B:\n            def own(self): pass\n",
			"timed>wrapper A.m>inner"},
		{"go", "package a\nfunc f() {\n\tg := func() {}\n\tg()\n}\n", ""},
		{"rust", "fn outer() {\n  fn helper() {}\n  helper()\n}\n", "outer>helper"},
	}
	for _, test := range tests {
		f := analyze(t, test.language, test.src)
		var got []string
		for l := range f.Symbols.All() {
			if l.Kind != LocalFunction {
				continue
			}
			around := &f.Chunks[l.Chunk]
			got = append(got, around.QualifiedName()+">"+l.Name)
			if name := string(l.NameSpan.In([]byte(test.src))); name != l.Name || !around.Span.Covers(l.Span) || !l.Span.Covers(l.Signature) {
				t.Errorf("%s: %+v holds the name %q", test.language, l, name)
			}
		}
		if s := strings.Join(got, " "); s != test.want {
			t.Errorf("%s: %s, want %s", test.language, s, test.want)
		}
		decoded, err := Decode(Encode(f))
		if err != nil || decoded.Symbols != f.Symbols {
			t.Errorf("%s: decoded %+v, %v", test.language, decoded, err)
		}
	}
}

// TestSymbols lists kind, qualified name and line of what is no chunk.
func TestSymbols(t *testing.T) {
	tests := []struct{ language, src, want string }{
		{"go", "package a\n\nconst (\n\tMaxRetries, low = 3, 1\n)\n\ntype Config struct {\n\tName string\n}\n\ntype Store interface{ Get() error }\n",
			"namespace a:0 constant MaxRetries:3 constant low:3 field Config.Name:7 method Store.Get:10"},
		{"python", "LIMIT = 1\nclass A:\n    x: int = 1\n    def __init__(self):\n        self.y = 1\n        self.y = 2\n        local = 3\n",
			"constant LIMIT:0 field A.x:2 field A.y:4"},
		{"typescript", "export const MAX_ZOOM = 20;\nenum Color { Red }\nabstract class S { abstract draw(): void; constructor(private n: number) {} }\ndescribe('shapes', () => {});\n",
			"constant MAX_ZOOM:0 enum member Color.Red:1 method S.draw:2 field S.n:2 test shapes:3"},
		{"c", "#define LIMIT 10\nstruct s { int *a, b[2]; };\nstatic int count;\nvoid f(void) { int local; }\n",
			"macro LIMIT:0 field s.a:1 field s.b:1 variable count:2"},
		{"sql", "CREATE TABLE users (id INT, email TEXT);\n", "table users:0 column users.id:0 column users.email:0"},
		{"json", "{\"a\": {\"b\": {\"c\": 1, \"d\": [{\"e\": 1}]}}}", "key a.b.c:0 key a.b.d:0"},
		{"css", ".btn, #top { color: red }\n:root { --main: 1 }\n.btn { x: y }\n", "selector btn:0 selector top:0 variable --main:1"},
	}
	for _, test := range tests {
		f := analyze(t, test.language, test.src)
		var got []string
		for s := range f.Symbols.All() {
			got = append(got, fmt.Sprintf("%v %s:%d", s.Kind, strings.TrimPrefix(s.QualifiedName(), ":root."), strings.Count(test.src[:s.NameSpan.Start], "\n")))
			if !f.Chunks[s.Chunk].Span.Covers(s.NameSpan) || string(s.NameSpan.In([]byte(test.src))) != s.Name || !s.Span.Covers(s.NameSpan) {
				t.Errorf("%s: %+v", test.language, s)
			}
		}
		if s := strings.Join(got, " "); s != test.want {
			t.Errorf("%s: %s\nwant %s", test.language, s, test.want)
		}
	}
}

// TestDamagedSymbolsAreRefused changes and cuts every byte of an encoded file.
func TestDamagedSymbolsAreRefused(t *testing.T) {
	table := analyze(t, "go", "package a\nconst A, B = 1, 2\nfunc f() {}\ntype T struct{ x int }\n").Symbols
	for i := range table {
		for _, damaged := range []SymbolTable{table[:i], table[:i] + "\xff" + table[i+1:]} {
			if damaged.valid(3) {
				for s := range damaged.All() {
					_ = s.QualifiedName()
				}
			}
		}
	}
	if !table.valid(4) || table.valid(1) || SymbolTable("\x7f").valid(1) {
		t.Error("the check of a table")
	}
}

func TestNamedSymbols(t *testing.T) {
	f := analyze(t, "go", "package a\n\nconst (\n\tlimit = 1\n\tlimits = 2\n)\n\ntype s struct{ limit int }\n")
	var got []string
	for s := range f.Symbols.Named("limit") {
		got = append(got, s.QualifiedName())
	}
	if s := strings.Join(got, " "); s != "limit s.limit" {
		t.Errorf("named limit: %q", s)
	}
	for s := range f.Symbols.Named("lim") {
		t.Errorf("lim names %+v", s)
	}
}
