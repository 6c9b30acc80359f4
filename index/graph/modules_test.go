package graph_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// packages is a workspace of several packages of JavaScript, none of them built.
const packages = `
-- package.json --
{"name": "root", "private": true, "workspaces": ["packages/*"]}
-- tsconfig.json --
{
  // comments are allowed
  "extends": "./tsconfig.base.json",
  "compilerOptions": {"customConditions": ["@shop/source"]},
}
-- tsconfig.base.json --
{"compilerOptions": {"baseUrl": ".", "paths": {"@lib/*": ["packages/lib/src/*"], "shared": ["packages/shared/code"]}}}
-- packages/lib/src/money.ts --
export function round(n: number) { return n }
export default function format(n: number) { return "" + round(n) }
-- packages/shared/code.ts --
export const share = () => 1
-- packages/core/package.json --
{"name": "@shop/core", "version": "1.0.0", "exports": {
  ".": {"@shop/source": "./src/main.ts", "types": "./dist/main.d.ts"},
  "./v2": {"import": "./dist/v2/index.mjs"},
  "./features/*": "./dist/features/*.js"
}, "imports": {"#inner/*": "./src/inner/*.ts"}}
-- packages/core/src/main.ts --
import * as all from "./shapes.js"
export * from "./shapes.js"
export { helper as renamed } from "./inner/helper.js"
export { all, all as default }
-- packages/core/src/shapes.ts --
import { helper } from "#inner/helper"
export function circle() { return helper() }
function _enum() {}
export { _enum as enum }
-- packages/core/src/inner/helper.ts --
export function helper() {}
-- packages/core/src/v2/index.ts --
export function second() {}
-- packages/core/src/features/cart.ts --
export function addToCart() {}
-- packages/old/package.json --
{"name": "old", "main": "lib/index.js"}
-- packages/old/lib/index.js --
function legacy() {}
function hidden() {}
module.exports = { legacy, shown: hidden }
-- packages/app/package.json --
{"name": "app", "version": "1.0.0"}
-- packages/app/src/names.ts --
import { circle, renamed, all } from "@shop/core"
export function useNames() { circle(); renamed(); all.circle() }
-- packages/app/src/all.ts --
import * as core from "@shop/core"
export function useAll() { core.circle(); core.enum() }
-- packages/app/src/default.ts --
import core from "@shop/core"
export function useDefault() { core.circle() }
-- packages/app/src/paths.ts --
import money, { round as r } from "@lib/money"
import { share } from "shared"
import { second } from "@shop/core/v2"
import { addToCart } from "@shop/core/features/cart"
export function usePaths() { r(1); money(2); share(); second(); addToCart() }
-- packages/app/src/common.js --
const old = require("old")
const { shown } = require("old")
function useCommon() { old.legacy(); shown() }
-- packages/app/src/elsewhere.ts --
import { circle } from "@other/core"
export function useOther() { circle() }
`

func TestModulesOfAWorkspace(t *testing.T) {
	w := openWorkspace(t, txtar.Parse([]byte(packages)).Files)
	for _, test := range []struct{ of, want string }{
		{"packages/core/src/shapes.ts:circle", "all.ts:useAll default.ts:useDefault names.ts:useNames"},
		{"packages/core/src/shapes.ts:_enum", "all.ts:useAll"},
		{"packages/core/src/inner/helper.ts:helper", "names.ts:useNames shapes.ts:circle"},
		{"packages/core/src/v2/index.ts:second", "paths.ts:usePaths"},
		{"packages/core/src/features/cart.ts:addToCart", "paths.ts:usePaths"},
		{"packages/lib/src/money.ts:round", "money.ts:format paths.ts:usePaths"},
		{"packages/lib/src/money.ts:format", "paths.ts:usePaths"},
		{"packages/shared/code.ts:share", "paths.ts:usePaths"},
		{"packages/old/lib/index.js:legacy", "common.js:useCommon"},
		{"packages/old/lib/index.js:hidden", "common.js:useCommon"},
	} {
		edges, _ := w.graph.Callers(w.node(t, test.of))
		var got []string
		for _, e := range edges {
			got = append(got, label(e.To)[strings.LastIndexByte(label(e.To), '/')+1:])
			if e.Confidence < 0.9 {
				t.Errorf("%s is called by %s with %.2f: %s", test.of, label(e.To), e.Confidence, e.Why)
			}
		}
		slices.Sort(got)
		if s := strings.Join(got, " "); s != test.want {
			t.Errorf("%s is called by %q, want %q", test.of, s, test.want)
		}
	}
}

// callers lists those that call a definition for which the confidence is at least that high, by their files and names.
func (w *workspace) callers(t *testing.T, of string, least float64) string {
	t.Helper()
	edges, _ := w.graph.Callers(w.node(t, of))
	var got []string
	for _, e := range edges {
		if e.Confidence >= least {
			got = append(got, label(e.To)[strings.LastIndexByte(label(e.To), '/')+1:])
		}
	}
	slices.Sort(got)
	return strings.Join(got, " ")
}

// TestBarrelOfHundreds asks for what the last of many files exports that a barrel passes on.
func TestBarrelOfHundreds(t *testing.T) {
	var barrel strings.Builder
	files := []txtar.File{
		{Name: "use.ts", Data: []byte("import { f299 } from \"./index\"\nexport function use() { f299() }\n")},
		{Name: "f299.test.ts", Data: []byte("export function f299() {}\n")},
	}
	for i := range 300 {
		fmt.Fprintf(&barrel, "export * from \"./m%d\"\n", i)
		files = append(files, txtar.File{Name: fmt.Sprintf("m%d.ts", i), Data: fmt.Appendf(nil, "export function f%d() {}\n", i)})
	}
	w := openWorkspace(t, append(files, txtar.File{Name: "index.ts", Data: []byte(barrel.String())}))
	edges, _ := w.graph.Callers(w.node(t, "m299.ts:f299"))
	if len(edges) != 1 || label(edges[0].To) != "use.ts:use" || edges[0].Confidence < 0.9 {
		t.Errorf("callers of the last: %+v", edges)
	}
}
