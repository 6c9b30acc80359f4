package engine

import (
	"context"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/codeintel"
	"github.com/aurora-sidecar/aurora/internal/text"
)

var named = map[string]string{
	"mapview/zoom.go": `package mapview

// MaxZoom is how far one can come.
const MaxZoom = 20

type Config struct {
	MaxRetries int // before it gives up
	Name       string
}

func clamp(c Config, z int) int {
	if z > MaxZoom {
		return MaxZoom
	}
	return c.MaxRetries
}
`,
	"other/config.go": "package other\n\ntype Config struct {\n\tMaxRetries int\n}\n",
	"view.ts": `export enum Color { Red, Green }
export abstract class Shape {
  readonly sides: number = 0;
  abstract draw(): void;
}
`,
	"server.js": "const app = express();\n\napp.get('/maps/:id', (req, res) => res.send(find(req.params.id)));\napp.post('/maps/{id}', save);\n",
}

// TestSearchFindsLocals asks for variables inside functions: the function that declares one comes first, unless something that is called
// so exactly is known.
func TestSearchFindsLocals(t *testing.T) {
	w := openWorkspace(t, map[string]string{
		"a.ts": "export function uses(retried: boolean, shape: number) {\n  return retried ? retried : !retried || shape && retried\n}\n\n" +
			"// const retried = a comment\nfunction commented() { return 1 }\n\n" +
			"export function declares() {\n  let retried = false\n  const { shape, limit: cap } = uses()\n  return shape + cap\n}\n\n" +
			"export function brings() {\n  const retried2 = require('retried')\n  return retried2\n}\n",
		"b.go": "package b\n\nfunc Uses(spread int) int { return spread * spread * spread }\n\nfunc Declares() int {\n\twidth, spread := 1, 2\n\treturn width + Uses(spread)\n}\n",
		"c.py": "def uses(chosen):\n    return chosen == chosen\n\n\ndef declares(rows):\n    for index, chosen in rows:\n        print(index)\n",
		"d.rs": "fn uses(kept: i32) -> i32 { kept + kept }\n\nfn declares() -> i32 {\n    let (kept, rest) = split();\n    rest\n}\n",
		"e.c":  "int uses(int filled) { return filled; }\n\nint declares(void) {\n\tstatic unsigned int filled = 3;\n\treturn 1;\n}\n",
		"f.go": "package b\n\nconst known = 1\n\nfunc Knows() int {\n\tknown := 2\n\treturn known\n}\n",
		// What a package manager wrote is not what a name means.
		"package-lock.json": "{\n  \"lockfileVersion\": 3,\n  \"dependencies\": {\n    \"shape\": {\"version\": \"1\"}\n  }\n}\n",
	})
	for query, want := range map[string]string{
		"retried": "a.ts declares", "shape": "a.ts declares", "cap": "a.ts declares", "spread": "b.go Declares", "chosen": "c.py declares",
		"kept": "d.rs declares", "filled": "e.c declares", "known": "f.go known", "width": "b.go Declares",
	} {
		hits := w.search(SearchRequest{Query: query}).Hits
		if len(hits) == 0 || hits[0].Path+" "+hits[0].Name != want {
			t.Errorf("%s: %+v, want %s first", query, hits, want)
		}
	}
}

// TestSearchFindsRules asks for selectors of stylesheets: the rule of its own comes before others that hold the name, and code when
// the mark is written.
func TestSearchFindsRules(t *testing.T) {
	w := openWorkspace(t, map[string]string{
		"a.css": ".dark .note { a: b }\n.note { color: red }\n.note::before, code { a: b }\n:root { --main: 1 }\n#start { a: b }\n.card.wide { a: b }\n",
		"a.ts":  "export interface Box { note: string }\nexport function start() { return 1 }\nexport function root() { return 1 }\n",
		"b.ts":  "export class Box2 {\n  #begin = 1\n  begin() { return this.#begin }\n}\n",
	})
	if h := w.search(SearchRequest{Query: "#begin"}).Hits; len(h) == 0 || h[0].Kind != "CODE_PROPERTY" {
		t.Errorf("#begin: %+v", h)
	}
	for query, want := range map[string]string{
		".note": "a.css .note", ".note::before": "a.css .note::before, code", "code": "a.css .note::before, code", ":root": "a.css :root",
		"#start": "a.css #start", ".card.wide": "a.css .card.wide", "start": "a.ts start", "root": "a.ts root", "Box2.begin": "b.ts begin",
	} {
		hits := w.search(SearchRequest{Query: query}).Hits
		if len(hits) == 0 || hits[0].Path+" "+hits[0].Name != want {
			t.Errorf("%s: %+v, want %s first", query, hits, want)
		}
	}
}

// TestSearchFindsEveryName asks for what is no chunk, plain, qualified by its type or package, and in other letters.
func TestSearchFindsEveryName(t *testing.T) {
	w := openWorkspace(t, named)
	for _, tt := range []struct{ query, name, container, kind, path string }{
		{"MaxZoom", "MaxZoom", "", "CODE_CONSTANT", "mapview/zoom.go"},
		{"maxzoom", "MaxZoom", "", "CODE_CONSTANT", "mapview/zoom.go"},
		{"Config.Name", "Name", "Config", "CODE_FIELD", "mapview/zoom.go"},
		{"other.MaxRetries", "MaxRetries", "Config", "CODE_FIELD", "other/config.go"},
		{"Green", "Green", "Color", "CODE_ENUM_MEMBER", "view.ts"},
		{"/maps/:id", "/maps/:id", "", "CODE_ROUTE", "server.js"},
		{"/maps/{id}", "/maps/{id}", "", "CODE_ROUTE", "server.js"},
		{"POST /maps/{id}", "/maps/{id}", "", "CODE_ROUTE", "server.js"},
		{"which handler answers /maps/:id?", "/maps/:id", "", "CODE_ROUTE", "server.js"},
		{"Shape.draw", "draw", "Shape", "CODE_METHOD", "view.ts"},
	} {
		hits := w.search(SearchRequest{Query: tt.query}).Hits
		if len(hits) == 0 {
			t.Errorf("%s: no hit", tt.query)
			continue
		}
		h := hits[0]
		if h.Name != tt.name || h.Container != tt.container || h.Kind != tt.kind || h.Path != tt.path || h.NameRange == nil {
			t.Errorf("%s: %s %s in %q of %s", tt.query, h.Kind, h.Name, h.Container, h.Path)
		}
	}
	near, err := w.engine.Symbols(context.Background(), "maxre", 10)
	if err != nil || len(near.Hits) != 2 || near.Hits[0].Name != "MaxRetries" {
		t.Errorf("symbols that begin with maxre: %v %v", names(near.Hits), err)
	}
}

// TestHoverOfConstantsAndFields shows the declaration and its comment.
func TestHoverOfConstantsAndFields(t *testing.T) {
	w := openWorkspace(t, named)
	for _, tt := range []struct{ place, declaration, doc string }{
		{"return Max|Zoom", "MaxZoom = 20", "MaxZoom is how far one can come."},
		{"return c.Max|Retries", "MaxRetries int", "before it gives up"},
		{"\tMax|Retries int", "MaxRetries int", "before it gives up"},
	} {
		h := w.hover("mapview/zoom.go", tt.place)
		if h == nil {
			t.Errorf("%s: no card", tt.place)
			continue
		}
		if !strings.Contains(h.Markdown, tt.declaration) || !strings.Contains(h.Markdown, tt.doc) {
			t.Errorf("%s: %s", tt.place, h.Markdown)
		}
	}
}

// TestRelatedOfAConstant lists who mentions it.
func TestRelatedOfAConstant(t *testing.T) {
	w := openWorkspace(t, named)
	result, err := w.engine.Code().Related(context.Background(), RelatedRequest{Symbol: "MaxZoom"})
	if err != nil {
		t.Fatal(err)
	}
	var users []string
	for _, e := range result.Edges {
		users = append(users, e.To.Name)
	}
	if len(result.Edges) > 0 && (result.Edges[0].Kind != "read" || result.Edges[0].Confidence < 0.9) {
		t.Errorf("an edge %+v", result.Edges[0])
	}
	if !strings.Contains(strings.Join(users, " "), "clamp") {
		t.Errorf("mentioned in %q", users)
	}
}

// TestSymbolTree nests what has a name by its place: each thing inside the one above it, and its name inside of it.
func TestSymbolTree(t *testing.T) {
	w := openWorkspace(t, named)
	tree, err := w.engine.Code().SymbolTree(context.Background(), Place{Path: w.path("view.ts")})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	var walk func(list []*codeintel.NamedThing, within *codeintel.NamedThing, depth int)
	walk = func(list []*codeintel.NamedThing, within *codeintel.NamedThing, depth int) {
		for _, n := range list {
			got = append(got, strings.Repeat(">", depth)+n.Name)
			if !covers(n.Range, n.NameRange) || within != nil && !covers(within.Range, n.Range) {
				t.Errorf("%s: range %v, name %v", n.Name, n.Range, n.NameRange)
			}
			walk(n.Children, n, depth+1)
		}
	}
	walk(tree, nil, 0)
	if s := strings.Join(got, " "); s != "Color >Red >Green Shape >sides >draw" {
		t.Error(s)
	}
}

func covers(outer, inner text.Range) bool {
	before := func(a, b text.Position) bool { return a.Line < b.Line || a.Line == b.Line && a.Byte <= b.Byte }
	return before(outer.Start, inner.Start) && before(inner.End, outer.End)
}
