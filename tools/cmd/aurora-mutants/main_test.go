package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const shop = `package shop

import "fmt"

// Price is in cents.
func Price(items, cents int) (int, error) {
	if items < 0 {
		return 0, fmt.Errorf("%d items", items-1)
	}
	n := items * cents
	if items >= 12 && cents > 0 {
		n--
	}
	return n, nil
}

func Label(name string) string { return "item " + name }
`

const shopTest = `package shop

import "testing"

func TestPrice(t *testing.T) {
	for _, want := range [][3]int{{0, 5, 0}, {2, 5, 10}, {12, 5, 59}, {11, 5, 55}} {
		if got, err := Price(want[0], want[1]); got != want[2] || err != nil {
			t.Errorf("%d, %v", got, err)
		}
	}
}
`

// inModule has the working folder hold a module of files.
func inModule(t *testing.T, files map[string]string) {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module example.com/shop\n\ngo 1.21\n"
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
}

func TestMutants(t *testing.T) {
	inModule(t, map[string]string{"shop.go": shop, "shop_test.go": shopTest, "shop_windows.go": "package shop\n\nvar w = 1 - 1\n", "odd_plan9.go": "package shop\n\nvar o = 1 < 2\n"})
	all, err := mutants(".")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range all {
		if strings.HasPrefix(m.place, "shop.go:") {
			got = append(got, m.place+" "+m.change)
		}
		if text := string(m.source); strings.HasPrefix(m.place, "shop.go:") && (text == shop || len(text) < len(shop)-1 || !strings.Contains(text, "// Price is in cents.")) {
			t.Errorf("%s %s is %s", m.place, m.change, text)
		}
	}
	want := []string{
		"shop.go:7:11 < -> >=", "shop.go:7:11 < -> <=", "shop.go:10:13 * -> /", "shop.go:11:17 && -> ||", "shop.go:11:11 >= -> <", "shop.go:11:11 >= -> >",
		"shop.go:11:26 > -> <=", "shop.go:11:26 > -> >=", "shop.go:12:4 -- -> ++",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if _, err := mutants("absent"); err == nil {
		t.Error("no error without a package")
	}
}

// TestRun tests all mutants of a small package: those are missed that its test can't tell from it.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a dozen programs")
	}
	inModule(t, map[string]string{"shop.go": shop, "shop_test.go": shopTest})
	o, err := parse([]string{"-n", "100", "."})
	if err != nil || !slices.Equal(o.tests, []string{"./."}) {
		t.Fatalf("%+v, %v", o, err)
	}
	var out strings.Builder
	caught, done, err := run(t.Context(), o, &out)
	if err != nil || done != 9 || caught != 8 || !strings.Contains(out.String(), "missed  shop.go:11:26 > -> >=\n") || !strings.Contains(out.String(), "8 of 9 caught, of 9 that there are\n") {
		t.Errorf("%d of %d, %v: %s", caught, done, err, &out)
	}
	if text, err := os.ReadFile("shop.go"); err != nil || string(text) != shop {
		t.Errorf("the file was changed: %v", err)
	}
	out.Reset()
	if caught, done, err := run(t.Context(), options{count: 5, places: []string{"shop.go:12:4"}, folder: ".", tests: o.tests, timeout: time.Minute, short: true}, &out); caught != 1 || done != 1 || err != nil {
		t.Errorf("one place: %d of %d, %v: %s", caught, done, err, &out)
	}
}

func TestUsage(t *testing.T) {
	if _, err := parse(nil); err == nil {
		t.Error("no folder, and no error")
	}
}
