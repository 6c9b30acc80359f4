package chunk

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestFunctionsInsideOthersAreLocals(t *testing.T) {
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
		for _, l := range f.Locals {
			around := &f.Chunks[l.Chunk]
			got = append(got, around.QualifiedName()+">"+l.Name)
			if name := string(l.NameSpan.In([]byte(test.src))); name != l.Name || !around.Span.Covers(l.Span) || !l.Span.Covers(l.Signature) {
				t.Errorf("%s: %+v holds the name %q", test.language, l, name)
			}
			if !slices.Contains(f.LocalsOf(l.Chunk), l) {
				t.Errorf("%s: LocalsOf(%d) lacks %s", test.language, l.Chunk, l.Name)
			}
		}
		if s := strings.Join(got, " "); s != test.want {
			t.Errorf("%s: %s, want %s", test.language, s, test.want)
		}
		decoded, err := Decode(Encode(f))
		if err != nil || fmt.Sprint(decoded.Locals) != fmt.Sprint(f.Locals) {
			t.Errorf("%s: decoded %+v, %v", test.language, decoded, err)
		}
	}
}
