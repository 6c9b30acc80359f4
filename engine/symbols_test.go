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
