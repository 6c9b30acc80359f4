package arity

import (
	"fmt"
	"strings"
	"testing"
)

func TestArity(t *testing.T) {
	for _, c := range []struct {
		language, parameters string
		want                 Arity
	}{
		{"go", "", Arity{0, 0}},
		{"go", "ctx context.Context, a, b int", Arity{3, 3}},
		{"go", "f func(int, string) error, rest ...int", Arity{1, anyNumber}},
		{"go", "m map[string][]int, c chan<- int", Arity{2, 2}},
		{"python", "self, a, b=1", Arity{1, 2}},
		{"python", "a, /, b, *, c=(1, 2), d", Arity{3, 4}},
		{"python", "a: dict[str, int], *args, **kw", Arity{1, anyNumber}},
		{"python", `sep: str = ", ", end='\''`, Arity{0, 2}},
		{"typescript", "this: Window, a: Map<string, number>, b?: (x: number) => void", Arity{1, 2}},
		{"typescript", "{ a, b }: Props, ...rest: string[]", Arity{1, anyNumber}},
		{"rust", "&mut self, a: HashMap<K, V>, b: &'a str", Arity{2, 2}},
		{"ruby", "a, b = 2, &block", Arity{1, 2}},
		{"ruby", "a, size: 100, name:, **rest", Arity{2, anyNumber}},
		{"kotlin", "a: Int, b: Int = 1, f: (Int) -> Unit", Arity{2, 3}},
	} {
		if got := Of(c.parameters, c.language); got != c.want {
			t.Errorf("%s (%s): %+v, not %+v", c.language, c.parameters, got, c.want)
		}
	}
}

func TestCallArguments(t *testing.T) {
	for _, c := range []struct{ language, code, want string }{
		{"go", "x := price(a, f(b, c), []int{1, 2})", "3"},
		{"go", "price(); reprice(1); s.price(2,\n\t3,\n)", "0 2"},
		{"go", "price(pair()); price(list...); price(\"a, b(\", '(')", "2"},
		{"go", "func price(a int) {\n\treturn price(a)\n}", "1"},
		{"go", "func one() int { return price(1, 2) }\nfunc (s *Set[K]) price(a int) {}", "2"},
		{"python", "def one(): return price(1)", "1"},
		{"ruby", "def self.price(a) = 1\ndef two = price(1, 2)", "2"},
		{"kotlin", "fun <T> List<T>.price(a: Int) = 1\nfun two() = price(1, 2)", "2"},
		{"typescript", "function* price(a) {}\nexport function f(a) { price(a); }", "1"},
		{"go", "price(a, // the first, of many\n b)", "2"},
		{"go", "price(a, b", ""},
		{"python", "price(a, *b); price(**c); price(x=1, y=[1, 2])", "2"},
		{"rust", "price(v::<A, B>(), 'x', &'a y, '\\'')", "4"},
		{"typescript", "price(a < b, c > d, (e, f) => g)", "3"},
		{"kotlin", "price(1) { it }; price(1, 2)", "2"},
	} {
		var got []string
		CallArguments(c.code, "price", c.language, func(_ int, args []string) { got = append(got, fmt.Sprint(len(args))) })
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s %q: %v, not %s", c.language, c.code, got, c.want)
		}
	}
}

func TestNamesThatAreGone(t *testing.T) {
	for _, c := range []struct{ language, before, after, call, want string }{
		{"python", "a, keys, b=None", "a, b=None", "price(1, keys=[2, 3])", "keys"},
		{"python", "a, keys, b=None", "a, b=None", "price(1, b=keys)", ""},
		{"python", "a, keys", "a, **more", "price(1, keys=2)", ""},
		{"python", "a, keys", "a", "price(1, keys == 2)", ""},
		{"kotlin", "a: Int, key: String", "a: Int, name: String", `price(1, key = "x")`, "key"},
		{"php", "$a, $key", "$a, $name", "price(1, key: 2)", "key"},
		{"swift", "to key: Int", "at key: Int", "price(to: 2)", "to"},
		{"go", "a, keys int", "a int", "price(keys)", ""},
	} {
		got := ""
		CallArguments(c.call, "price", c.language, func(_ int, args []string) { got = Named(args, Gone(c.before, c.after, c.language), c.language) })
		if got != c.want {
			t.Errorf("%s %q: %q, not %q", c.language, c.call, got, c.want)
		}
	}
}
