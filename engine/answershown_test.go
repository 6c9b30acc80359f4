package engine

import (
	"strings"
	"testing"
)

// router is a project with what people ask about in their first days.
var router = map[string]string{
	"lib/router.py": `import os


class Router:
    """Finds the handler of a request.

    :param strict: whether a slash at the end counts
    """

    def __init__(
        self,
        strict: bool = False,
        *,
        name: str = "main",
    ):
        self.strict = strict
        self.name = name
        self.table = {}

    def add(self, path, handler):
        self.table[path] = handler

    def remove(self, path):
        self.table.pop(path, None)

    def names(self):
        return sorted(self.table)

    def dispatch(self, request):
        handler = self.table.get(request.path)
        if handler is None:
            raise LookupError(request.path)
        return handler(request)


def number(name, value):
    return int(os.environ.get(name, value))


MOST = number("ROUTER_MOST", 400)
`,
	"lib/deflater.rb": `module Web
  class Deflater
    def call(env)
      @app.call(env)
    end
  end
end
`,
	"test/spec_deflater.rb": `require_relative "../lib/deflater"

describe Web::Deflater do
  def build(app)
    Web::Deflater.new(app)
  end
  it "passes on" do
    build(nil)
  end
end
`,
	"tests/test_router.py": `from lib.router import Router


def make_any():
    return Router()


class TestRouterTable:
    def test_add(self):
        Router().add("/", None)
`,
	"CHANGELOG.md": "# Change Log\n\n## Version 1.2.0\n\n * New: `Router.names`.\n\n## Version 1.1.0\n\n * Fix: dispatch.\n",
	"README.md":    "# ![Web](logo.svg)\n\n## `ROUTER_MOST`\n\nThe most routes.\n\n## Hot reload\n\nYes.\n",
}

func TestAnswersShowTheTellingLines(t *testing.T) {
	w := openWorkspace(t, router)
	for _, tt := range []struct {
		question string
		has      []string
		lacks    []string
	}{
		{"how does Router dispatch a request to its handler?", []string{"handler = self.table.get(request.path)"}, nil},
		{"what is the default value of ROUTER_MOST?", []string{"`ROUTER_MOST` stands between quotes in 1 line", `MOST = number("ROUTER_MOST", 400)`, "README.md:3"}, nil},
		{"what changed in version 1.2.0?", []string{`The section "Version 1.2.0" of CHANGELOG.md:3`, "Router.names"}, []string{"Fix: dispatch"}},
		{"which tests cover Web::Deflater?", []string{"`Web.Deflater` is tested by", "test/spec_deflater.rb"}, []string{"No test"}},
		{"who creates Deflater?", []string{"`Web.Deflater` is called in", "test/spec_deflater.rb"}, nil},
		{"which tests cover Router?", []string{"`Router` is tested by `TestRouterTable"}, nil},
		{"which tests cover hot reload?", nil, []string{"README.md:9"}},
	} {
		got := w.query(QueryRequest{Query: tt.question}).Answer
		for _, want := range tt.has {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in\n%s", tt.question, want, got)
			}
		}
		for _, unwanted := range tt.lacks {
			if strings.Contains(got, unwanted) {
				t.Errorf("%s: %q in\n%s", tt.question, unwanted, got)
			}
		}
	}
}

func TestAnswersKeepNotesOfOtherThingsOut(t *testing.T) {
	w := openWorkspace(t, router)
	for _, text := range []string{"Lunch is at noon in the kitchen", "Deployment happens on Mondays", "Ada owns the budget of the year"} {
		if _, _, err := w.engine.Memory().Remember(t.Context(), RememberRequest{Content: text}); err != nil {
			t.Fatal(err)
		}
	}
	got := w.query(QueryRequest{Query: "in which order are the routes of the table tried when a request comes?"}).Answer
	if strings.Contains(got, "What was remembered") {
		t.Errorf("notes about something else:\n%s", got)
	}
	if got = w.query(QueryRequest{Query: "when does deployment happen?"}).Answer; !strings.Contains(got, "Deployment happens on Mondays") {
		t.Errorf("no note:\n%s", got)
	}
}

func TestHitsKeepTheIndentOfTheirFirstLine(t *testing.T) {
	w := openWorkspace(t, router)
	found := w.search(SearchRequest{Query: "Router.dispatch", Limit: 1})
	if len(found.Hits) != 1 {
		t.Fatalf("%d hits", len(found.Hits))
	}
	if h := found.Hits[0]; !strings.HasPrefix(h.Text, "    def dispatch(self, request):\n        handler") || !strings.HasPrefix(h.Snippet, "    def dispatch") {
		t.Errorf("text %q", h.Text)
	}
	found = w.search(SearchRequest{Query: "Router.__init__", Limit: 1})
	if want := `def __init__(self, strict: bool = False, *, name: str = "main")`; len(found.Hits) != 1 || found.Hits[0].Signature != want {
		t.Errorf("signature %+v, not %q", found.Hits, want)
	}
	if found = w.search(SearchRequest{Query: "ROUTER_MOST", Limit: 3}); len(found.Hits) == 0 || found.Hits[0].Name != "ROUTER_MOST" {
		t.Errorf("the heading keeps its marks: %+v", found.Hits)
	}
}

func TestRelatedTakesNamesAsLanguagesWriteThem(t *testing.T) {
	w := openWorkspace(t, router)
	for _, name := range []string{"Web::Deflater", "Web.Deflater", "Deflater"} {
		found, err := w.engine.Code().Related(t.Context(), RelatedRequest{Symbol: name, Direction: "tests"})
		if err != nil || len(found.Edges) == 0 {
			t.Errorf("%s: %v, %+v", name, err, found)
		}
	}
	if _, err := w.engine.Code().Related(t.Context(), RelatedRequest{Symbol: "No::Thing"}); err == nil || !strings.Contains(err.Error(), "No::Thing") {
		t.Errorf("the name is not as it was given: %v", err)
	}
}

func TestAskAboutTestsOfAConstantCalledLikeAType(t *testing.T) {
	w := openWorkspace(t, map[string]string{
		"src/select.ts":     "export type Select = () => void\n\nconst selectImpl = (f: Select) => f\n\nexport const select = selectImpl as unknown as Select\n",
		"tests/all.test.ts": "import { select } from '../src/select'\n\nfunction check() {\n  select()\n}\n",
	})
	got := w.query(QueryRequest{Query: "which tests cover select?"}).Answer
	if strings.Contains(got, "No test") || !strings.Contains(got, "tests/all.test.ts") {
		t.Error(got)
	}
}
