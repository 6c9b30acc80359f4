package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const profile = `mode: set
example.org/shop/price.go:4.30,6.2 3 1
example.org/shop/refund.go:4.32,9.2 7 0
example.org/other/x.go:1.1,2.2 1 0
`

// shop is a module with a profile, and the current folder.
func shop(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.org/shop\n", "cover.out": profile, "bad.out": "mode: set\nwhat is this\n",
		"price.go":  "package shop\n\n// Price is what a customer pays.\nfunc Price(cents int) int {\n\treturn cents\n}\n",
		"refund.go": "package shop\n\n// GiveBack pays a customer back.\nfunc GiveBack(cents int) int {\n\tif cents < 0 {\n\t\treturn 0\n\t}\n\treturn cents\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("HOME", t.TempDir())
	t.Chdir(dir)
}

// printed is what f writes to standard output.
func printed(t *testing.T, f func() error) (string, error) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout := os.Stdout
	os.Stdout = w
	defer func() { os.Stdout = stdout }()
	failed := f()
	w.Close()
	var b bytes.Buffer
	if _, err := io.Copy(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String(), failed
}

func TestUntestedCodeIsFound(t *testing.T) {
	shop(t)
	out, err := printed(t, func() error { return run(t.Context(), "cover.out", "what is never tested") })
	if err != nil || !strings.HasPrefix(out, "refund.go:4 GiveBack\n") || strings.Contains(out, "price.go") {
		t.Errorf("%v: %s", err, out)
	}
	// The provider has nothing to say about other questions.
	if out, err = printed(t, func() error { return run(t.Context(), "cover.out", "what a customer pays") }); err != nil || !strings.Contains(out, "price.go:4 Price") {
		t.Errorf("%v: %s", err, out)
	}
}

func TestBadProfilesAreRefused(t *testing.T) {
	shop(t)
	for name, want := range map[string]string{"bad.out": "bad.out:2: this is no line of a coverage profile", "none.out": "no such file"} {
		if err := run(t.Context(), name, "tests"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
