package graph_test

import (
	"testing"

	"golang.org/x/tools/txtar"
)

// declared is a workspace of Kotlin and C# whose folders are not called like its packages and namespaces.
const declared = `
-- core/src/terminal/Collect.kt --
package acme.flow

class Flow { fun drain() {} }
fun collectAll() {}
fun <T> Flow<T>.merged(): T? = null
fun Flow<Int>?.lost() {}
fun Flow.map() {}
-- core/src/other/Collect.kt --
package acme.other

class Flow { fun drain() {} }
fun collectAll() {}
-- core/src/Same.kt --
package acme.flow

fun same() { collectAll() }
-- app/Named.kt --
package app

import acme.flow.Flow
import acme.flow.collectAll

fun named(f: Flow) { f.drain(); collectAll() }
-- app/Extended.kt --
package app.extended

import acme.flow.*

fun extended() { source().merged(); x.y.lost(); listOf(1).map() }
-- app/Without.kt --
package app.without

fun without() { source().merged() }
-- app/All.kt --
package app.all

import acme.other.*

fun all() { collectAll() }
-- app/Main.java --
package app.java;

import static acme.flow.CollectKt.collectAll;

class Main { void run() { collectAll(); } }
-- src/Core/Basket.cs --
namespace Acme.Shop.Model;

public class Basket { public static void Fill() {} }
-- src/Old/Basket.cs --
namespace Acme.Old;

public class Basket { public static void Fill() {} }
-- web/Page.cs --
using Acme.Shop.Model;

namespace Web;

class Page { void Draw() { Basket.Fill(); } }
-- web/Inner.cs --
namespace Acme.Shop.Model.Rules
{
    class Rule { void Apply() { Basket.Fill(); } }
}
`

func TestDeclaredPackages(t *testing.T) {
	w := openWorkspace(t, txtar.Parse([]byte(declared)).Files)
	for _, test := range []struct{ of, want string }{
		{"core/src/terminal/Collect.kt:collectAll", "Main.java:Main.run Named.kt:named Same.kt:same"},
		{"core/src/other/Collect.kt:collectAll", "All.kt:all"},
		{"core/src/terminal/Collect.kt:Flow.merged", "Extended.kt:extended"},
		{"core/src/terminal/Collect.kt:Flow.lost", "Extended.kt:extended"},
		{"core/src/terminal/Collect.kt:Flow.map", ""},
		{"src/Core/Basket.cs:Basket.Fill", "Inner.cs:Rule.Apply Page.cs:Page.Draw"},
		{"src/Old/Basket.cs:Basket.Fill", ""},
	} {
		if got := w.callers(t, test.of, 0.7); got != test.want {
			t.Errorf("%s is called by %q, want %q", test.of, got, test.want)
		}
	}
}
