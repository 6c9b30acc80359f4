package ground

import (
	"log/slog"
	"slices"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/enginetest"
	"github.com/aurora-sidecar/aurora/engine/reason/claims"
)

// TestStatements reads calls, tests, types and places in prose.
func TestStatements(t *testing.T) {
	call := func(from, to string) []statement { return []statement{{relation: calls, from: from, to: to}} }
	for _, c := range []struct {
		text string
		want []statement
	}{
		{"`Load` calls `parse`.", call("Load", "parse")},
		{"`parse` is called by `Load`.", call("Load", "parse")},
		{"It then calls `parse()` on each line.", call("Before", "parse")},
		{"Inside `Load`, `parse` is invoked.", call("Load", "parse")},
		{"That is done by `parse`, which `Load` calls.", call("Load", "parse")},
		{"`Load` hands the text over to `parse`.", call("Load", "parse")},
		{"`Load` reads `data` and calls `parse`.", call("Load", "parse")},
		{"`Load` calls `parse`, `check` and `save`.", slices.Concat(call("Load", "parse"), call("Load", "check"), call("Load", "save"))},
		{"`Load` never calls `parse`.", []statement{{relation: calls, from: "Load", to: "parse", denied: true}}},
		{"`Load` eventually calls `parse`.", nil}, // an adverb that is not known: nothing is read
		{"`Load` should call `parse`.", nil},
		{"`Load` and `parse` are functions.", nil},
		{"Does `Load` call `parse`?", nil},
		{"`TestLoad` covers `Load`.", []statement{{relation: tests, from: "TestLoad", to: "Load"}}},
		{"`Load` is tested by `TestLoad`.", []statement{{relation: tests, from: "TestLoad", to: "Load"}}},
		{"`Admin` extends `User`.", []statement{{relation: inherits, from: "Admin", to: "User"}}},
		{"`Load` is defined in store/load.go:12.", []statement{{relation: standsIn, from: "Load", to: "store/load.go"}}},
	} {
		if got := statements(c.text, "Before"); !slices.Equal(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.text, got, c.want)
		}
	}
}

var shop = map[string]string{
	"shop/cart.py": `from shop.tax import with_tax


class Base:
    def total(self):
        return 0


class Cart(Base):
    def total(self):
        return sum(with_tax(i) for i in self.items)

    def clear(self):
        self.items = []
`,
	"shop/tax.py": `def with_tax(cents):
    return cents * 119 // 100


def rounded(cents):
    return cents
`,
	"tax.py": "import os\n",
	"tests/test_tax.py": `from shop.tax import with_tax


def test_with_tax():
    assert with_tax(100) == 119
`,
}

// TestContradicted holds true and false sentences against a small workspace.
func TestContradicted(t *testing.T) {
	w := enginetest.Open(t, shop)
	library := (&evidence.Parts{Index: w.Index, Log: slog.New(slog.DiscardHandler)}).Workspace(nil)
	for _, c := range []struct {
		text, wrong string
	}{
		{"`Cart.total` calls `with_tax` [S1].", ""},
		{"`Cart.total` calls `rounded`.", "`Cart.total` does not call `rounded`: shop/cart.py:10"},
		{"`Cart.total` calls `cents`.", "`Cart.total` does not call `cents`: shop/cart.py:10"},
		{"`with_tax` calls `Cart.total`.", "`with_tax` does not call `Cart.total`: shop/tax.py:1"},
		{"`Cart.total` does not call `with_tax`.", "`Cart.total` does call `with_tax`, in shop/cart.py:10"},
		{"`Cart.total` does not call `rounded`.", ""},
		{"`total` calls `with_tax`.", ""}, // one of two does
		{"`test_with_tax` tests `with_tax`.", ""},
		{"`test_with_tax` tests `rounded`.", "`test_with_tax` does not test `rounded`: tests/test_tax.py:4"},
		{"`Cart` extends `Base`.", ""},
		{"`Base` extends `Cart`.", "`Base` does not inherit from `Cart`: shop/cart.py:4"},
		{"`Cart` does not extend `Base`.", "`Cart` does inherit from `Base`: shop/cart.py:9"},
		{"`with_tax` is defined in shop/tax.py.", ""},
		{"`with_tax` is defined in shop/cart.py.", "`with_tax` is not in shop/cart.py but in shop/tax.py"},
		{"It is in shop/tax.py:900.", "shop/tax.py has no line 900"},
		{"It is in shop/tax.py:6.", ""}, // and not in tax.py
		{"It is in tax.py:6.", ""},      // which may be shop/tax.py
		{"It is in shop/vat.py.", "there is no file shop/vat.py"},
		{"Add a file shop/vat.py.", ""},
		{"It is in github.com/shop/vat.py.", ""},
		{"`with_discount` is applied.", "nothing in the workspace is called `with_discount`"},
		{"`asked_for` is applied.", ""}, // the question names it
		{"There is no `with_discount`.", ""},
	} {
		wrong, err := Checker{library}.Contradicted(t.Context(), claims.Statements{Query: "what is asked_for?", Texts: []string{c.text}})
		if err != nil {
			t.Fatal(err)
		}
		if wrong[0] != c.wrong {
			t.Errorf("%s: %q, want %q", c.text, wrong[0], c.wrong)
		}
	}
	named, err := Checker{library}.Contradicted(t.Context(), claims.Statements{Texts: []string{"Find out whether `rounded` calls `with_tax`"}, NamesOnly: true})
	if err != nil || named[0] != "" {
		t.Errorf("of what is no statement only the names count: %q, %v", named, err)
	}
}
