package lsp_test

// A marker test is a txtar archive in testdata/marker. Its files are a workspace; comments in them are expectations:
//
//	//@hover("Name", "regexp")          the card of the first Name before the comment, on its line or, when the
//	                                    comment stands alone, on the line above; "" expects no card
//	//@hovergolden("Name", "file")      the card is exactly that file of the archive (named @file there)
//	//@search("query", "a.go:F", ...)   aurora/search finds F of a.go first, and the others somewhere; "-" expects
//	                                    no hits and a note that says why
//	//@symbol("query", "a.go:F", ...)   the same with workspace/symbol
//	//@related("Name", "kind a.go:F", ...)  aurora/related has these edges
//	//@action("Name", "kind", "regexp") a code action of that kind at Name has such a title
//	//@query("question", "regexp")      aurora/query answers like that, unverified and with citations
//	//@context("Name", "regexp")        aurora/context of Name has such a text, within the budget
//
// The comment may begin with //, # or <!--. A file @settings.json holds initializationOptions, a file
// @capabilities.json the client's capabilities. `go test -update` rewrites the golden files.

import (
	"encoding/json"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/lsp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the golden files of the marker tests")

func TestMarkers(t *testing.T) {
	paths, err := filepath.Glob("testdata/marker/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no marker tests: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			newMarkerTest(t, archive).run()
			if *update {
				if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// A markerTest is one archive and an editor that has its workspace open.
type markerTest struct {
	t       *testing.T
	archive *txtar.Archive
	editor  *lsp.Editor
}

// A marker is one expectation.
type marker struct {
	*markerTest
	t      *testing.T
	file   string
	before int // offset: the place is looked for between line and before
	line   int // offset of the start of the line that the marker speaks of
	args   []string
}

func newMarkerTest(t *testing.T, archive *txtar.Archive) *markerTest {
	t.Helper()
	var files []txtar.File
	config := lsp.Config{}
	for _, f := range archive.Files {
		switch {
		case f.Name == "@settings.json":
			config.Options = mergedOptions(t, f.Data)
		case f.Name == "@capabilities.json":
			config.Capabilities = json.RawMessage(f.Data)
		case !strings.HasPrefix(f.Name, "@"):
			files = append(files, txtar.File{Name: f.Name, Data: blankMarkers(f.Data)})
		}
	}
	config.Dir = workspace(t, string(txtar.Format(&txtar.Archive{Files: files})))
	editor, _ := newWorld(t).connect(config)
	editor.AwaitReady()
	return &markerTest{t: t, archive: archive, editor: editor}
}

// mergedOptions adds settings to the announcement that waiting needs.
func mergedOptions(t *testing.T, raw []byte) map[string]any {
	t.Helper()
	var settings map[string]any
	if err := json.Unmarshal(raw, &settings); err != nil {
		t.Fatal(err)
	}
	options := lsp.Announced()
	announced := options["aurora"].(map[string]any)
	maps.Copy(announced, settings)
	return options
}

var markerComment = regexp.MustCompile(`(?m)(?://|#|<!--)\s*@(\w+)(\(.*\))(?:\s*-->)?$`)

func (m *markerTest) run() {
	checks := map[string]func(*marker){
		"hover": (*marker).hover, "hovergolden": (*marker).hoverGolden, "search": (*marker).search,
		"symbol": (*marker).symbol, "related": (*marker).related, "action": (*marker).action,
		"query": (*marker).query, "context": (*marker).context,
	}
	count := 0
	for _, f := range m.archive.Files {
		for _, at := range markerComment.FindAllSubmatchIndex(f.Data, -1) {
			name, call := string(f.Data[at[2]:at[3]]), string(f.Data[at[4]:at[5]])
			count++
			m.t.Run(f.Name+":"+strconv.Itoa(1+strings.Count(string(f.Data[:at[0]]), "\n")), func(t *testing.T) {
				check := checks[name]
				if check == nil {
					t.Fatalf("there is no marker %q", name)
				}
				line, before := spokenOf(string(blankMarkers(f.Data)), at[0])
				check(&marker{markerTest: m, t: t, file: f.Name, line: line, before: before, args: parseArgs(t, name+call)})
			})
		}
	}
	if count == 0 {
		m.t.Error("the archive has no markers")
	}
}

// blankMarkers replaces markers by spaces, so that they are not found themselves and all offsets stay.
func blankMarkers(content []byte) []byte {
	return markerComment.ReplaceAllFunc(content, func(comment []byte) []byte {
		return []byte(strings.Repeat(" ", len(comment)))
	})
}

// spokenOf returns the bytes that a comment at an offset speaks of: its own line up to it, or the last line above
// with anything but markers.
func spokenOf(blanked string, comment int) (start, end int) {
	for end = comment; ; end = start - 1 {
		start = strings.LastIndexByte(blanked[:end], '\n') + 1
		if start == 0 || strings.TrimSpace(blanked[start:end]) != "" {
			return start, end
		}
	}
}

func parseArgs(t *testing.T, call string) []string {
	t.Helper()
	expr, err := parser.ParseExpr(call)
	if err != nil {
		t.Fatalf("%s: %v", call, err)
	}
	var args []string
	for _, arg := range expr.(*ast.CallExpr).Args {
		literal, ok := arg.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			t.Fatalf("%s: arguments must be strings", call)
		}
		value, err := strconv.Unquote(literal.Value)
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, value)
	}
	if len(args) < 2 {
		t.Fatalf("%s: too few arguments", call)
	}
	return args
}

// place is the offset of the first argument.
func (m *marker) place() int {
	m.t.Helper()
	content := m.editor.Content(m.file)
	i := strings.Index(content[m.line:m.before], m.args[0])
	if i < 0 {
		m.t.Fatalf("no %q in %q", m.args[0], content[m.line:m.before])
	}
	return m.line + i
}

func (m *marker) match(what, got, pattern string) {
	m.t.Helper()
	if pattern == "" && got != "" || !regexp.MustCompile("(?s)"+pattern).MatchString(got) {
		m.t.Errorf("%s is\n%s\nwant a match of %q", what, got, pattern)
	}
}

func (m *marker) hover() {
	card := m.editor.Hover(m.file, m.place())
	m.match("the card", card, m.args[1])
	if lines := strings.Count(strings.TrimRight(card, "\n"), "\n") + 1; lines > 25 {
		m.t.Errorf("the card has %d lines", lines)
	}
}

func (m *marker) hoverGolden() {
	card := strings.TrimRight(m.editor.Hover(m.file, m.place()), "\n") + "\n"
	card = strings.ReplaceAll(card, api.FileURI(m.editor.Dir), "$WORKSPACE")
	name := "@" + m.args[1]
	i := slices.IndexFunc(m.archive.Files, func(f txtar.File) bool { return f.Name == name })
	switch {
	case *update && i < 0:
		m.archive.Files = append(m.archive.Files, txtar.File{Name: name, Data: []byte(card)})
	case *update:
		m.archive.Files[i].Data = []byte(card)
	case i < 0:
		m.t.Fatalf("no %s; run go test -update", name)
	case string(m.archive.Files[i].Data) != card:
		m.t.Errorf("the card is\n%s\nwant\n%s", card, m.archive.Files[i].Data)
	}
}

// expect compares found "path:name"s, best first, with the arguments behind the first one.
func (m *marker) expect(found []string) {
	m.t.Helper()
	want := m.args[1:]
	if len(found) == 0 || found[0] != want[0] {
		m.t.Errorf("%q found %v, want %s first", m.args[0], found, want[0])
	}
	for _, w := range want[1:] {
		if !slices.Contains(found, w) {
			m.t.Errorf("%q found %v, which misses %s", m.args[0], found, w)
		}
	}
}

func (m *marker) search() {
	result := m.editor.Search(m.args[0])
	var found []string
	for _, h := range result.Hits {
		found = append(found, h.Path+":"+h.Name)
	}
	if m.args[1] == "-" {
		if len(found) > 0 || len(result.Notes) == 0 {
			m.t.Errorf("%q found %v with notes %q, want nothing and a reason", m.args[0], found, result.Notes)
		}
		return
	}
	m.expect(found)
}

func (m *marker) symbol() {
	var found []string
	for _, s := range m.editor.Symbols(m.args[0]) {
		found = append(found, strings.TrimPrefix(s.Location.URI, api.FileURI(m.editor.Dir)+"/")+":"+s.Name)
	}
	if m.args[1] == "-" {
		if len(found) > 0 {
			m.t.Errorf("%q found %v, want nothing", m.args[0], found)
		}
		return
	}
	m.expect(found)
}

func (m *marker) related() {
	at := m.editor.At(m.file, m.place())
	at["direction"] = "all"
	var result api.RelatedResult
	m.editor.Call(api.Related.Method(), at, &result)
	var found []string
	for _, e := range result.Edges {
		found = append(found, e.Kind+" "+e.To.Path+":"+e.To.Name)
	}
	for _, want := range m.args[1:] {
		if !slices.Contains(found, want) {
			m.t.Errorf("edges %v, want %s among them", found, want)
		}
	}
}

func (m *marker) action() {
	at := m.place()
	for _, a := range m.editor.Actions(m.file, at, at, m.args[1]) {
		if a.Kind == m.args[1] {
			m.match("the title", a.Title, m.args[2])
			return
		}
	}
	m.t.Errorf("no action %s", m.args[1])
}

func (m *marker) query() {
	var result api.QueryResult
	m.editor.Call(api.Query.Method(), api.QueryParams{Query: m.args[0]}, &result)
	m.match("the answer", result.Answer, m.args[1])
	if result.Verified || len(result.Citations) == 0 || len(result.Phases) != 9 {
		m.t.Errorf("verified %v, %d citations, %d phases", result.Verified, len(result.Citations), len(result.Phases))
	}
}

func (m *marker) context() {
	at := m.place()
	place := m.editor.Position(m.file, at)
	var result api.ContextResult
	m.editor.Call(api.Context.Method(), api.ContextParams{
		TextDocument: &api.Document{URI: m.editor.URI(m.file)}, Range: &api.Range{Start: place, End: place},
		BudgetTokens: 1000,
	}, &result)
	m.match("the context", result.Text, m.args[1])
	if result.Tokens.Total > result.BudgetTokens || result.BudgetTokens != 1000 {
		m.t.Errorf("%d tokens of %d", result.Tokens.Total, result.BudgetTokens)
	}
}
