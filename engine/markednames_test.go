package engine

import (
	"strings"
	"testing"
)

// marked has names of Ruby and Elixir that end with a mark.
var marked = map[string]string{
	"lib/etag.rb": `class ETag
  def call(headers)
    return if !skip_caching?(headers) || headers != 1
    flush!
  end

  # True when nothing is to be kept.
  def skip_caching?(headers)
    headers.key?("etag")
  end

  def flush!
  end
end
`,
	"lib/csrf.ex": `defmodule Csrf do
  def call(conn) do
    if valid_token?(conn), do: conn, else: raise(ArgumentError)
  end

  @spec valid_token?(map) :: boolean
  defp valid_token?(conn) do
    conn.token != nil
  end
end
`,
}

func TestHoverOnNamesThatEndWithAMark(t *testing.T) {
	w := openWorkspace(t, marked)
	for _, tt := range []struct{ file, at, want string }{
		{"lib/etag.rb", "!skip_|caching?(headers)", "def skip_caching?(headers)"},
		{"lib/etag.rb", "!skip_caching?|(headers)", "def skip_caching?(headers)"},
		{"lib/etag.rb", "def skip_caching|?(headers)", "def skip_caching?(headers)"},
		{"lib/etag.rb", "    flu|sh!\n  end\n\n  #", "def flush!"},
		{"lib/csrf.ex", "if valid_|token?(conn)", "defp valid_token?(conn)"},
	} {
		if h := w.hover(tt.file, tt.at); h == nil || !strings.Contains(h.Markdown, tt.want) {
			t.Errorf("%q: no card with %q: %v", tt.at, tt.want, h)
		}
	}
	if h := w.hover("lib/etag.rb", "headers |!= 1"); h != nil {
		t.Errorf("a card of a local: %s", h.Markdown)
	}
}

func TestAskAboutNamesThatEndWithAMark(t *testing.T) {
	w := openWorkspace(t, marked)
	for question, want := range map[string]string{
		"who calls skip_caching??":      "`ETag.skip_caching?` is called in 1 place: `ETag.call`",
		"who calls skip_caching?":       "`ETag.skip_caching?` is called in 1 place: `ETag.call`",
		"where is ETag#flush! called?":  "`ETag.flush!` is called in 1 place: `ETag.call`",
		"what calls flush?":             "`ETag.flush!` is called in 1 place: `ETag.call`",
		"who calls valid_token?":        "`Csrf.valid_token?` is called in 1 place: `Csrf.call`",
		"where is valid_token? defined": "`Csrf.valid_token?` is a method defined in lib/csrf.ex:7",
	} {
		if got := w.query(QueryRequest{Query: question}).Answer; !strings.Contains(got, want) {
			t.Errorf("%s: no %q in\n%s", question, want, got)
		}
	}
}
