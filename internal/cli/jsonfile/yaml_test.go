package jsonfile

import "testing"

func TestSetYAML(t *testing.T) {
	for _, test := range []struct {
		before, want string
		path         []string
		value        any
	}{
		{"", "search:\n  limit: 20\n", []string{"search", "limit"}, 20},
		{"# mine\nsearch:\n  limit: 7 # few\n  # more\n  bm25: {k1: 1}\n", "# mine\nsearch:\n  limit: 20 # few\n  # more\n  bm25: {k1: 1}\n", []string{"search", "limit"}, 20},
		{"a: [1]\n", "a: [1]\nindex:\n  ignore_patterns:\n    - '*.gen'\n", []string{"index", "ignore_patterns"}, []any{"*.gen"}},
	} {
		out, err := SetYAML([]byte(test.before), test.path, test.value)
		if err != nil || string(out) != test.want {
			t.Errorf("%q: %q, %v, want %q", test.before, out, err, test.want)
		}
		back, found, err := RemoveYAML(out, test.path)
		if err != nil || !found {
			t.Errorf("%q: %q, %t, %v", out, back, found, err)
		}
	}
	for _, bad := range []string{"- a\n", "a: [\n", "search: 3\n"} {
		if out, err := SetYAML([]byte(bad), []string{"search", "limit"}, 1); err == nil {
			t.Errorf("%q became %q", bad, out)
		}
	}
	if out, found, err := RemoveYAML([]byte("a: 1\n"), []string{"b", "c"}); found || err != nil || string(out) != "a: 1\n" {
		t.Errorf("%q, %t, %v", out, found, err)
	}
}
