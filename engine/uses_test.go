package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/codebase"
)

// TestUsesHaveKinds reads, writes and speaks of what is no function, beside things of the same name that are something else.
func TestUsesHaveKinds(t *testing.T) {
	w := openWorkspace(t, map[string]string{
		"shop/cart.go": `package shop

// Cart holds lines.
type Cart struct {
	lines []string
	limit int
}

func New(limit int) *Cart { return &Cart{limit: limit} }

func (c *Cart) Add(line string) {
	c.lines = append(c.lines, line)
}

func (c *Cart) Len() int { return len(c.lines) }

func Full(c *Cart) bool { return c.limit > 0 && len(c.lines) >= c.limit }

func parse(lines []string) int { // another thing of the name
	limit := 3
	return limit + len(lines)
}

var open map[string]Cart
`,
		"shop/cart.py": `LIMIT = 3

class Cart:
    def __init__(self):
        self.lines = []

    def add(self, line):
        self.lines.append(line)

def full(cart: Cart):
    return len(cart.lines) > LIMIT
`,
	})
	for _, tc := range []struct{ symbol, want string }{
		{"Cart.lines", "read shop/cart.go Cart.Len, write shop/cart.go Cart.Add, read shop/cart.go Full"},
		{"Cart.limit", "write shop/cart.go New, read shop/cart.go Full"},
		{"LIMIT", "read shop/cart.py full"},
	} {
		if got := w.proven(t, RelatedRequest{Symbol: tc.symbol}); !sameParts(got, tc.want) {
			t.Errorf("%s: %s, want %s", tc.symbol, got, tc.want)
		}
	}
	types := w.proven(t, RelatedRequest{Place: w.offset("shop/cart.go", "|Cart struct")})
	if want := "type shop/cart.go New, type shop/cart.go Full, type shop/cart.go cart.go:24"; !sameParts(types, want) { // the last is a variable
		t.Errorf("the type: %s, want %s", types, want)
	}
}

// proven lists the edges that are sure.
func (w *testWorkspace) proven(t *testing.T, r RelatedRequest) string {
	t.Helper()
	result, err := w.engine.Code().Related(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range result.Edges {
		if e.Confidence >= 0.9 {
			name := e.To.Name
			if e.To.Container != "" {
				name = e.To.Container + "." + name
			}
			list = append(list, fmt.Sprintf("%s %s %s", e.Kind, e.To.Path, name))
		}
	}
	return strings.Join(list, ", ")
}

// sameParts compares two lists in whatever order.
func sameParts(a, b string) bool {
	x, y := strings.Split(a, ", "), strings.Split(b, ", ")
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

// TestUsesOfNamesakes: what is shown to be a part of something else is no mention, and another declaration of the same names in
// another block is another symbol.
func TestUsesOfNamesakes(t *testing.T) {
	w := openWorkspace(t, map[string]string{
		"shop/item.go": `package shop

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

type Item struct {
	Body string
	T    int
}

type Other struct{ Body int }

func (o Other) Same() int { return o.Body }

func Foreign(t *testing.T, r *http.Request) bool { return r.Body == nil }

func Made() int { rec := httptest.NewRecorder(); return rec.Body.Len() }

func Unknown(all map[string]struct{ Body string }) { for _, a := range all { println(a.Body) } }

func Table() {
	for _, c := range []struct{ wantBody string }{{wantBody: "a"}} { println(c.wantBody) }
}

func OtherTable() {
	for _, c := range []struct{ wantBody string }{{wantBody: "b"}} { println(c.wantBody) }
}
`,
		"shop/item.test.ts": `describe('a', () => {
  type Expected = { output: string }
  const x: Expected = { output: 'a' }
})
describe('b', () => {
  type Expected = { output: number }
  const y: Expected = { output: 1 }
})
`,
	})
	for _, tc := range []struct{ at, want string }{
		{"|Body string\n\tT", "Unknown 0.40"}, {"|T    int", ""}, {"|wantBody string }{{wantBody: \"a\"}}", ""},
	} {
		if got := w.used(t, w.offset("shop/item.go", tc.at)); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.at, got, tc.want)
		}
	}
	for at, want := range map[string]string{"|output: string": "item.test.ts:3 0.95", "|output: number": "item.test.ts:7 0.95"} {
		if got := w.used(t, w.offset("shop/item.test.ts", at)); got != want {
			t.Errorf("%s is used in %s, want %s", at, got, want)
		}
	}
}

// used lists the chunks that read or write a symbol, and how sure that is.
func (w *testWorkspace) used(t *testing.T, at codebase.Place) string {
	t.Helper()
	result, err := w.engine.Code().Related(context.Background(), RelatedRequest{Place: at})
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range result.Edges {
		if e.Kind == "read" || e.Kind == "write" {
			list = append(list, fmt.Sprintf("%s %.2f", e.To.Name, e.Confidence))
		}
	}
	return strings.Join(list, ", ")
}

// TestUsesOfWhatIsRequired: a name that require brings is no declaration of its own.
func TestUsesOfWhatIsRequired(t *testing.T) {
	w := openWorkspace(t, map[string]string{
		"lib/symbols.js": "'use strict'\n\nconst keys = {\n  kState: Symbol('state'),\n  kOther: Symbol('other')\n}\n\nmodule.exports = keys\n",
		"lib/errors.js":  "const { make } = require('./make')\nmodule.exports = {\n  ERR_EMPTY: make('ERR_EMPTY', 400)\n}\n",
		"lib/limits.js":  "exports.MAX_SIZE = 3\n",
		"lib/make.js":    "function make (code) { return code }\nmodule.exports = { make }\n",
		"app.js": "const {\n  kState,\n  kOther: mine\n} = require('./lib/symbols')\nconst { ERR_EMPTY } = require('./lib/errors')\nconst limits = require('./lib/limits')\n\n" +
			"function start (o) {\n  o[kState] = 1\n  if (!o.x) throw ERR_EMPTY\n}\n\nfunction other (o) { return o[mine] + limits.MAX_SIZE }\n\nmodule.exports = { start, other }\n",
	})
	for symbol, want := range map[string]string{
		"kState": "read app.js start", "ERR_EMPTY": "read app.js start", "MAX_SIZE": "read app.js other",
	} {
		if got := w.proven(t, RelatedRequest{Symbol: symbol}); !sameParts(got, want) {
			t.Errorf("%s: %s, want %s", symbol, got, want)
		}
	}
}

// TestUsesOfWildcards follows names that a file takes in with all others of a module, also through a second one; one that two modules
// have is not proven, and _names are not taken in.
func TestUsesOfWildcards(t *testing.T) {
	w := openWorkspace(t, map[string]string{
		"py/consts.py":  "WIDEST = 3\n_HIDDEN = 4\nTWICE = 5\n",
		"py/all.py":     "from consts import *\n",
		"py/other.py":   "TWICE = 6\n",
		"py/near.py":    "from consts import *\n\n\ndef near():\n    return WIDEST + _HIDDEN\n",
		"py/far.py":     "from all import *\nfrom other import *\n\n\ndef far():\n    return WIDEST + TWICE\n",
		"py/own.py":     "from consts import *\n\n\ndef own():\n    WIDEST = 1\n    return WIDEST\n",
		"rs/Cargo.toml": "[package]\nname = \"shelf\"\nversion = \"0.1.0\"\n",
		"rs/src/lib.rs": "mod limits;\nmod shelf;\n",
		"rs/src/limits.rs": "pub const MAX_ITEMS: usize = 3;\n" +
			"#[macro_export]\nmacro_rules! shelf_of {\n    ($x:expr) => { $x };\n}\n",
		"rs/src/shelf.rs": "use crate::limits::*;\n\npub fn shelf() -> usize {\n    shelf_of!(2) + MAX_ITEMS\n}\n",
	})
	for symbol, want := range map[string]string{
		"WIDEST": "read py/near.py near, read py/far.py far", "_HIDDEN": "", "TWICE": "",
		"MAX_ITEMS": "read rs/src/shelf.rs shelf", "shelf_of": "caller rs/src/shelf.rs shelf",
	} {
		if got := w.proven(t, RelatedRequest{Symbol: symbol}); !sameParts(got, want) {
			t.Errorf("%s: %s, want %s", symbol, got, want)
		}
	}
}
