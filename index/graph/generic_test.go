package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

const callbacks = `
-- context.ts --
export class Context { text() {} get() {} }
export class Route { get() {} }
export class User { name() {} }
export class Fault { hint() {} }
-- types.ts --
import type { Context, User, Fault } from './context'
export type Handler<E = any> = (c: Context, next: () => void) => E
type H = Handler | string
export interface Serve<E> {
  // one
  (handler: H): App<E>

  // and more, without a semicolon before
  <P extends string>(path: P, ...handlers: [H, H]): App<E>
}
export interface Options<T> { onError?: (e: T) => void; each(item: User): void }
-- app.ts --
import { Context, User, Fault } from './context'
import type { Handler, Options, Serve } from './types'
class Base<T, Inner> {
  inner: Inner
  all: T[]
  async load(): Promise<T[]> { return this.all }
}
export class App<E> { get!: Serve<E> }
interface Part { fault: Fault }
export class Users extends Base<User, Part> {
  hint() { this.inner.fault.hint() }
  names() { return this.all.map((u) => u.name()) }
  later() { return this.load().then((list) => list.forEach(({ name }) => name())) }
}
export function configure(options: Options<Fault>, ...more: Handler[]) {}
export function inPath(app: App<string>) { app.get('/', (c) => c.text()) }
export function second(app: App<string>) { app.get('/', (c) => {}, async (c) => { c.text() }) }
export function first(app: App<string>) { app.get((c) => c.text()) }
export const typed: Handler = (c) => { c.text() }
export function member() { configure({ onError: (e) => e.hint() }) }
export function method() { configure({ onError() {}, each(u) { u.name() } }) }
export function rest() { configure({}, (c) => {}, (c) => c.text()) }
export function given(users: Users) { users.load().then((list) => { for (const u of list) u.name() }) }
export function held() { const all = new Map<string, User>(); all.forEach((u) => u.name()) }
export function other(list: unknown) { list.map((c) => c.text()) }
export function inline(p: { user: User; n: number }) { p.user.name() }
`

// TestParametersOfCallbacks: a parameter without a type has the one that the function it is given to says, and what a type inherits
// knows the type arguments.
func TestParametersOfCallbacks(t *testing.T) {
	w := openWorkspace(t, txtar.Parse([]byte(callbacks)).Files)
	for of, want := range map[string]string{
		"context.ts:Context.text": "app.ts:first app.ts:inPath app.ts:rest app.ts:second app.ts:typed",
		"context.ts:Context.get":  "", "context.ts:Route.get": "",
		"context.ts:User.name":  "app.ts:Users.names app.ts:given app.ts:held app.ts:inline app.ts:method",
		"context.ts:Fault.hint": "app.ts:Users.hint app.ts:member",
	} {
		if got := w.callers(t, of, 0.9); got != want {
			t.Errorf("%s is called by %q, want %q", of, got, want)
		}
	}
}

// TestCallersThatCanReach: of very many callers of a name, those are looked at that name the type or its module, or import it.
func TestCallersThatCanReach(t *testing.T) {
	var files []txtar.File
	add := func(name, format string, args ...any) {
		files = append(files, txtar.File{Name: name, Data: fmt.Appendf(nil, format, args...)})
	}
	add("Cargo.toml", "[package]\nname = \"shop\"\nversion = \"0.1.0\"\n")
	add("src/lib.rs", "pub mod cart;\npub mod wall;\n")
	add("src/cart.rs", "pub struct Cart;\nimpl Cart { pub fn build(&self) -> u8 { 1 } }\npub fn cart() -> Cart { Cart }\n")
	add("src/wall.rs", "pub struct Wall;\nimpl Wall { pub fn build(&self) -> u8 { 1 } }\npub fn wall() -> Wall { Wall }\n")
	for i := range 40 {
		var walls strings.Builder
		for j := range 50 {
			fmt.Fprintf(&walls, "fn wall_%d() { wall().build(); }\n", j)
		}
		add(fmt.Sprintf("tests/a%02d.rs", i), "use shop::wall::wall;\n%s", &walls)
	}
	add("tests/z.rs", "use shop::cart;\nfn sell() { cart::cart().build(); }\nfn sell_again() { let c = cart::cart(); c.build(); }\n")
	w := openWorkspace(t, files)
	if got := w.callers(t, "src/cart.rs:Cart.build", 0.9); got != "z.rs:sell z.rs:sell_again" {
		t.Errorf("callers of Cart.build: %q", got)
	}
	if _, more := w.graph.Callers(w.node(t, "src/cart.rs:Cart.build")); !more {
		t.Error("not all were looked at, and nothing says so")
	}
}
