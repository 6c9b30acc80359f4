package graph_test

import (
	"testing"

	"golang.org/x/tools/txtar"
)

// static is a workspace whose files import members of types, to call them by their plain names.
const static = `
-- src/main/java/shop/Checks.java --
package shop;

public final class Checks {
    public static int clamp(int v) { return v; }
    public static int once(int v) { return v; }
    public static int own(int v) { return v; }
}
-- src/main/java/web/All.java --
package web;

import static shop.Checks.*;

class All {
    int run() { return clamp(1) + own(1); }
    static int own(int v) { return v; }
}
-- src/main/java/web/One.java --
package web;

import static shop.Checks.once;

class One {
    int run() { return once(1) + clamp(2); }
}
-- src/main/java/web/Checks.java --
package web;

class Checks { static int once(int v) { return v; } }
-- Rules.cs --
namespace Acme.Shop
{
    public static class Rules { public static int Round(int v) { return v; } }
}
-- Page.cs --
using static Acme.Shop.Rules;

namespace Web
{
    class Page { int Draw() { return Round(1); } }
}
`

func TestImportedMembers(t *testing.T) {
	w := openWorkspace(t, txtar.Parse([]byte(static)).Files)
	for _, test := range []struct{ of, want string }{
		{"src/main/java/shop/Checks.java:Checks.clamp", "All.java:All.run"},
		{"src/main/java/shop/Checks.java:Checks.once", "One.java:One.run"},
		{"src/main/java/shop/Checks.java:Checks.own", ""},
		{"src/main/java/web/All.java:All.own", "All.java:All.run"},
		{"src/main/java/web/Checks.java:Checks.once", ""},
		{"Rules.cs:Rules.Round", "Page.cs:Page.Draw"},
	} {
		if got := w.callers(t, test.of, 0.7); got != test.want {
			t.Errorf("%s is called by %q, want %q", test.of, got, test.want)
		}
	}
}
