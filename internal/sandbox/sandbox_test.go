package sandbox

import (
	"fmt"
	"strings"
	"testing"
)

func TestOutputKeepsHeadAndTail(t *testing.T) {
	var o headAndTail
	for i := range 100_000 {
		fmt.Fprintf(&o, "line %d\n", i)
	}
	text := o.String()
	if len(text) > mostOutput+100 || !strings.HasPrefix(text, "line 0\n") || !strings.HasSuffix(text, "line 99999\n") || !strings.Contains(text, "bytes left out") {
		t.Errorf("%d bytes: %.40s … %s", len(text), text, text[len(text)-40:])
	}
	var short headAndTail
	fmt.Fprint(&short, "ok")
	if short.String() != "ok" {
		t.Errorf("%q", short.String())
	}
}

func TestWithin(t *testing.T) {
	for path, want := range map[string]bool{"/a/b": true, "/a/b/c": true, "/a": false, "/a/bc": false, "/": false, "": false} {
		if within(path, "/a/b") != want {
			t.Errorf("%q within /a/b: %v", path, !want)
		}
	}
}
