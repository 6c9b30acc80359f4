package engine

import (
	"strings"
	"testing"
)

// TestHoverInTypeScript has names that types, barrels and the object around decide about, and those that nothing proves.
func TestHoverInTypeScript(t *testing.T) {
	w := openWorkspace(t, map[string]string{
		"src/limits.ts": "// Limits.\n\nexport const most: number = 3\nexport type Options = {\n  size?: number\n  inner: { size: string, deep: string }\n}\n",
		"src/barrel.ts": "export * from './limits'\nexport { most as highest } from './limits'\nimport { other } from './other'\n",
		"src/other.ts":  "export * from './barrel'\nexport const other = 1\n",
		"src/store.ts": "import { most, highest, other, Options } from './barrel'\nimport * as limits from './limits'\n" +
			"export enum Kind { Small, Large = 2 }\n" +
			"export class Store {\n  #held = 1\n  options: Options\n  held() { return this.#held + this.options.size }\n" +
			"  nested() { return function () { return this.options } }\n}\n" +
			"export function make({ size }: Options): Options {\n  use(most, highest, other, Kind.Large, limits.most)\n  return { size: 4, inner: null }\n}\n" +
			"function pick(a: string): string\nfunction pick(a: number): number\nfunction pick(a: any) { return pick(a) }\n" +
			"function take(o: Options | undefined) {\n  const { inner } = o\n  o.deep\n}\n",
	})
	for _, tt := range []struct{ file, marked, want string }{ // want "" for no card
		{"src/store.ts", "use(mo|st,", "src/limits.ts:3"},
		{"src/store.ts", "high|est, other, Kind", "src/limits.ts:3"},
		{"src/store.ts", "oth|er, Kind", ""},
		{"src/store.ts", "Kind.Lar|ge", "src/store.ts:3"},
		{"src/store.ts", "lim|its.most)", "src/store.ts:2"},
		{"src/store.ts", "limits.mo|st)", "src/limits.ts:3"},
		{"src/store.ts", "from './bar|rel'", "src/barrel.ts:1"},
		{"src/store.ts", "from './lim|its'", "src/limits.ts:3"},
		{"src/store.ts", "return th|is.#held", "src/store.ts:4"},
		{"src/store.ts", "this.#he|ld +", "src/store.ts:5"},
		{"src/store.ts", "this.options.si|ze }", "src/limits.ts:5"},
		{"src/store.ts", "{ return this.opt|ions }", ""},
		{"src/store.ts", "make({ si|ze }", "src/limits.ts:5"},
		{"src/store.ts", "return { si|ze: 4", "src/limits.ts:5"},
		{"src/store.ts", "return pi|ck(a)", ""},
		{"src/store.ts", "const { inn|er } = o", "src/limits.ts:6"},
		{"src/store.ts", "o.de|ep", ""},
		{"src/barrel.ts", "export { mo|st as", "src/limits.ts:3"},
	} {
		h := w.hover(tt.file, tt.marked)
		switch {
		case tt.want == "" && h != nil:
			t.Errorf("%s %q: %s", tt.file, tt.marked, h.Markdown)
		case tt.want != "" && (h == nil || !strings.Contains(h.Markdown, "d in ["+tt.want+"]")):
			t.Errorf("%s %q: want %s, have %+v", tt.file, tt.marked, tt.want, h)
		}
	}
}
