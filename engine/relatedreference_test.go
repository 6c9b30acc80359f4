package engine

import (
	"slices"
	"testing"
)

// TestRelatedReferences asks for who hands a function over as a value, in each language with scopes that has functions.
func TestRelatedReferences(t *testing.T) {
	w := openWorkspace(t, map[string]string{
		"go.mod": "module example.com/web\n",
		"web/home.go": `package web

import "net/http"

type server struct{ greet func() }

// home is // home, in words.
func home(w http.ResponseWriter, r *http.Request) { _ = "home" }

func (s *server) ping(w http.ResponseWriter, r *http.Request) {}

func (s *server) routes(mux *http.ServeMux) {
	mux.HandleFunc("/", home)
	mux.HandleFunc("/ping", s.ping)
}

var table = map[string]http.HandlerFunc{"home": home}

func shadowed(use func(int)) { home := 1; use(home) }

func direct() { home(nil, nil) }
`,
		"py/app.py": `from py.views import home as start


def traced(f):
    return f


@traced
def handler():
    return register("/", start)


HANDLERS = {"home": start}
`,
		"py/views.py": "def home():\n    pass\n",
		"ts/page.ts": `import { onClick } from './events'

export function wire(el: HTMLElement) { el.addEventListener('click', onClick) }

export const handlers = { onClick }
`,
		"ts/events.ts": "export function onClick() {}\n",
		"src/main/java/shop/Cart.java": `package shop;

import java.util.List;

class Cart {
    static int price(String item) { return 1; }

    int total(List<String> items) { return items.stream().mapToInt(Cart::price).sum(); }

    int one() { return price("a"); }
}
`,
		"rust/src/lib.rs": "pub fn double(x: i32) -> i32 { x * 2 }\n\npub fn all(v: Vec<i32>) -> Vec<i32> { v.into_iter().map(double).collect() }\n",
		"c/sort.c": `static int by_size(const void *a, const void *b) { return 0; }

void sort_all(void *v, int n) { qsort(v, n, 1, by_size); }

static int (*const orders[])(const void *, const void *) = { by_size };
`,
		"cs/Shop.cs": "class Shop\n{\n    static int Price(string s) { return 1; }\n\n    void Wire(Button b) { b.Click += Changed; var p = items.Select(Price); }\n\n    void Changed(object s, EventArgs e) { }\n}\n",
	})
	for _, tt := range []struct {
		file, at string
		want     []string
	}{
		{"web/home.go", "func ho|me(", []string{"caller web/home.go:direct", "reference web/home.go:server.routes", "reference web/home.go:home.go:17"}},
		{"web/home.go", ") pi|ng(", []string{"reference web/home.go:server.routes"}},
		{"py/app.py", "def tra|ced", []string{"reference py/app.py:handler"}},
		{"py/views.py", "def ho|me", []string{"reference py/app.py:handler", "reference py/app.py:app.py:13"}},
		{"ts/events.ts", "function on|Click", []string{"reference ts/page.ts:page.ts:5", "reference ts/page.ts:wire"}},
		{"src/main/java/shop/Cart.java", "int pri|ce", []string{"caller src/main/java/shop/Cart.java:Cart.one", "reference src/main/java/shop/Cart.java:Cart.total"}},
		{"rust/src/lib.rs", "fn dou|ble", []string{"reference rust/src/lib.rs:all"}},
		{"c/sort.c", "int by|_size", []string{"reference c/sort.c:sort.c:5", "reference c/sort.c:sort_all"}},
		{"cs/Shop.cs", "int Pri|ce", []string{"reference cs/Shop.cs:Shop.Wire"}},
		{"cs/Shop.cs", "void Chan|ged", []string{"reference cs/Shop.cs:Shop.Wire"}},
	} {
		r := w.related(RelatedRequest{Place: w.offset(tt.file, tt.at)})
		got := edges(r)
		slices.Sort(got)
		slices.Sort(tt.want)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q (notes %q)", tt.at, got, tt.want, r.Notes)
		}
	}
}
