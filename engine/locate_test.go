package engine

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestLocate(t *testing.T) {
	w := openWorkspace(t, shop)
	cart := filepath.Join(w.dir, "cart/cart.go")
	lineOf := func(part string) int {
		return 1 + strings.Count(shop["cart/cart.go"][:strings.Index(shop["cart/cart.go"], part)], "\n")
	}
	tests := map[string]struct {
		request  LocateRequest
		anchor   string // the text that the anchor points at
		selected string // how the selection begins
	}{
		"a name":                  {LocateRequest{Symbol: "TotalPrice"}, "TotalPrice()", "// TotalPrice adds"},
		"a qualified name":        {LocateRequest{Symbol: "(*Cart).TotalPrice()"}, "TotalPrice()", "// TotalPrice adds"},
		"another letter case":     {LocateRequest{Symbol: "totalprice"}, "TotalPrice()", "// TotalPrice adds"},
		"a package's name":        {LocateRequest{Symbol: "cart.Describe"}, "Describe(c *Cart)", "// Describe writes"},
		"a chunk id":              {LocateRequest{Symbol: "code:cart/cart.go:Cart.AddItem"}, "AddItem(item", "// AddItem puts"},
		"a name in a file":        {LocateRequest{Path: cart, Symbol: "Item"}, "Item struct", "// An Item is"},
		"the line of a name":      {LocateRequest{Path: cart, Line: lineOf("func Describe")}, "Describe(c *Cart)", "Describe(c *Cart)"},
		"a line in a definition":  {LocateRequest{Path: cart, Line: lineOf("sum := 0")}, "TotalPrice()", "TotalPrice()"},
		"lines":                   {LocateRequest{Path: cart, Line: lineOf("sum := 0"), End: lineOf("return sum")}, "TotalPrice()", "\tsum := 0\n"},
		"a file":                  {LocateRequest{Path: cart}, "// Package cart", "// Package cart"},
		"lines beyond the end":    {LocateRequest{Path: cart, Line: lineOf("func Describe"), End: 9999}, "Describe(c *Cart)", "func Describe"},
		"a line outside any code": {LocateRequest{Path: cart, Line: 3}, "\nimport", "\nimport"},
	}
	for name, tt := range tests {
		got, err := w.engine.Locate(context.Background(), tt.request)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		source := shop["cart/cart.go"]
		if got.Anchor.Path != cart || !strings.HasPrefix(source[got.Anchor.Offset:], tt.anchor) {
			t.Errorf("%s: the anchor is at %.30q", name, source[got.Anchor.Offset:])
		}
		if !strings.HasPrefix(source[got.Selection.Start:], tt.selected) {
			t.Errorf("%s: the selection begins with %.30q", name, source[got.Selection.Start:])
		}
	}
}

func TestLocateRefuses(t *testing.T) {
	w := openWorkspace(t, shop)
	cart := filepath.Join(w.dir, "cart/cart.go")
	for name, tt := range map[string]struct {
		request LocateRequest
		kind    Kind
		remedy  string
	}{
		"nothing":                {LocateRequest{}, Invalid, "Name a symbol"},
		"a misspelt name":        {LocateRequest{Symbol: "TotlaPrice"}, NotFound, "TotalPrice"},
		"a name not in the file": {LocateRequest{Symbol: "WithTax", Path: cart}, NotFound, ""},
		"a negative line":        {LocateRequest{Path: cart, Line: -3}, Invalid, "Count lines"},
		"a line past the end":    {LocateRequest{Path: cart, Line: 100000}, Invalid, "Count lines"},
		"lines in disorder":      {LocateRequest{Path: cart, Line: 20, End: 10}, Invalid, "Count lines"},
		"a file outside":         {LocateRequest{Path: "/etc/hosts", Line: 1}, NotIndexed, ""},
	} {
		_, err := w.engine.Locate(context.Background(), tt.request)
		var typed *Error
		if !errors.As(err, &typed) || typed.Kind != tt.kind || !strings.Contains(typed.Remedy, tt.remedy) {
			t.Errorf("%s: %v (%+v)", name, err, typed)
		}
	}
}

func TestLocateListsNamesakes(t *testing.T) {
	files := map[string]string{
		"a/a.go": "package a\n\nfunc Open() {}\n", "b/b.go": "package b\n\nfunc Open() {}\n", "b/b_test.go": "package b\n\nfunc Open() {}\n",
	}
	w := openWorkspace(t, files)
	got, err := w.engine.Locate(context.Background(), LocateRequest{Symbol: "Open"})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"code:b/b.go:Open", "code:b/b_test.go:Open"}; !slices.Equal(got.Others, want) {
		t.Errorf("others %q, want %q", got.Others, want)
	}
}

func TestRecords(t *testing.T) {
	w := openWorkspace(t, shop)
	ctx := context.Background()
	id, _, err := w.engine.Memory().Remember(ctx, RememberRequest{Content: "Taxes are rounded down"})
	if err != nil {
		t.Fatal(err)
	}
	list, _, err := w.engine.Memory().Records(ctx, 5)
	if err != nil || len(list) != 1 || list[0].ID != id {
		t.Errorf("records %+v, %v", list, err)
	}
	hit, err := w.engine.Memory().Record(ctx, id)
	if err != nil || hit.Text != "Taxes are rounded down" {
		t.Errorf("record %+v, %v", hit, err)
	}
	var typed *Error
	if _, err := w.engine.Memory().Record(ctx, "know:none-00000000"); !errors.As(err, &typed) || typed.Kind != NotFound {
		t.Errorf("an unknown record: %v", err)
	}
}

func TestAssess(t *testing.T) {
	w := openWorkspace(t, shop)
	if a, err := w.engine.Reasoner().Assess(context.Background(), "design a production cache", Caller{}); err != nil || a.Complexity != "CRITICAL" || a.Route != "index" || a.EstimatedUSD != 0 {
		t.Errorf("%+v, %v", a, err)
	}
	if _, err := w.engine.Reasoner().Assess(context.Background(), " ", Caller{}); err == nil {
		t.Error("an empty query was assessed")
	}
}
