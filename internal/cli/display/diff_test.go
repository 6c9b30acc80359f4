package display

import "testing"

func TestDiff(t *testing.T) {
	for name, tt := range map[string]struct{ before, after, want string }{
		"a new file":     {"", "a\nb\n", "+ a\n+ b\n"},
		"a file gone":    {"a\n", "", "- a\n"},
		"a line between": {"1\n2\n3\n4\n5\n6\n", "1\n2\n3\nx\n4\n5\n6\n", "  2\n  3\n+ x\n  4\n  5\n"},
		"a line changed": {"a\nb\nc", "a\nB\nc", "  a\n- b\n+ B\n  c\n"},
		"repeated lines": {"}\n}\n", "}\n}\n}\n", "  }\n  }\n+ }\n"},
		"nothing":        {"a\n", "a\n", "  a\n"},
	} {
		if got := Diff(tt.before, tt.after); got != tt.want {
			t.Errorf("%s:\n%swant\n%s", name, got, tt.want)
		}
	}
}
