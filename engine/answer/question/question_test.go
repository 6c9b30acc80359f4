package question

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// noon is a Wednesday.
var noon = time.Date(2026, 3, 18, 12, 0, 0, 0, time.UTC)

func TestParse(t *testing.T) {
	tests := []struct {
		query   string
		intent  Intent
		subject string
	}{
		{"What is Engine.Search?", Definition, "Engine.Search"},
		{"where is parseConfig defined", Definition, "parseConfig"},
		{"define Snapshot", Definition, "Snapshot"},
		{"what does the Flush method do?", Definition, "Flush"},
		{"Snapshot", Definition, "Snapshot"},
		{"where is the function openStore()?", Definition, "openStore"},
		{"What's a Hit?", Definition, "Hit"},
		{"where is GET /users/{id} handled?", Definition, "/users/{id}"},
		{"which handler serves /users/:id?", Definition, "/users/:id"},
		{"what handles requests to /cart", Definition, "/cart"},
		{"how does Tokenize work?", Explanation, "Tokenize"},
		{"What is Search and where is it used?", Definition, "Search"},

		{"what did we decide about retries?", Decisions, "retries"},
		{"what have we decided on token expiry", Decisions, "token expiry"},
		{"what was decided about the cache size?", Decisions, "cache size"},
		{"What did we agree on for error codes?", Decisions, "error codes"},
		{"what did the team say about retries", Decisions, "retries"},
		{"why did we choose SQLite over Postgres?", Decisions, "SQLite over Postgres"},
		{"why did we decide against protobuf?", Decisions, "protobuf"},
		{"why did we go with SQLite", Decisions, "SQLite"},
		{"why was SQLite chosen?", Decisions, "SQLite"},
		{"is there a decision on time zones?", Decisions, "time zones"},
		{"are there any ADRs about logging", Decisions, "logging"},
		{"do we have a decision about naming?", Decisions, "naming"},
		{"did we ever decide whether amounts are signed?", Decisions, "amounts are signed"},
		{"decisions about the gateway", Decisions, "gateway"},
		{"what's the rationale behind jitter?", Decisions, "jitter"},
		{"which database did we choose?", Decisions, "database"},
		{"remind me why we chose jitter", Decisions, "jitter"},
		{"what do we know about the gateway?", Decisions, "gateway"},

		{"who calls Search?", Usage, "Search"},
		{"what uses the Lines type", Usage, "Lines"},
		{"where is Search used?", Usage, "Search"},
		{"usages of index.Open", Usage, "index.Open"},
		{"find all references to NewLines", Usage, "NewLines"},
		{"where do we use Tokenize", Usage, "Tokenize"},

		{"what changed?", Changes, ""},
		{"what changed since yesterday", Changes, ""},
		{"which exceptions does store define?", Kinds, "exception"},
		{"what kinds of policies are there", Kinds, "policy"},
		{"list all classes", Listing, "workspace"},
		{"which files are there in lib?", Citations, "which files are there in lib"},
		{"list the tests", Citations, "list the tests"},
		{"what fields does the Error enum have?", Members, "Error"},
		{"fields of Config", Members, "Config"},
		{"what happens when the disk is full?", Outcome, "disk is full"},
		{"what has changed in engine/search.go this week?", Changes, "engine/search.go"},
		{"recent changes to the index package", Changes, "index"},
		{"which files were modified today?", Changes, ""},
		{"what's new", Changes, ""},
		{"what did Ada change in engine", Changes, "engine"},

		{"why is maxPool here?", Origin, "maxPool"},
		{"when was Search last changed?", Origin, "Search"},
		{"who wrote parseQuery", Origin, "parseQuery"},
		{"history of the Search function", Origin, "Search"},
		{"why does Skip exist?", Origin, "Skip"},
		{"why is this here?", Origin, ""},

		{"what is related to Search?", Related, "Search"},
		{"which files changed together with a.go?", Together, "a.go"},
		{"what else should I change when I change parseQuery?", Together, "parseQuery"},
		{"what usually changes when ctx.py changes?", Together, "ctx.py"},
		{"what else changes with Classify?", Together, "Classify"},
		{"what tests are there for error handlers?", Tests, "error handlers"},
		{"find code similar to parseQuery", Related, "parseQuery"},

		{"what does Hover call?", Callees, "Hover"},
		{"which functions does Hover call", Callees, "Hover"},
		{"callees of Hover", Callees, "Hover"},
		{"is Hover used anywhere?", Usage, "Hover"},
		{"does anything call Hover", Usage, "Hover"},

		{"who imports index/graph?", Importers, "index/graph"},
		{"which Go files import the graph package", Importers, "graph"},
		{"what depends on index/graph?", Importers, "index/graph"},
		{"where is sniffio imported?", Importers, "sniffio"},
		{"what does search.go import?", Imports, "search.go"},
		{"the dependencies of index/graph", Imports, "index/graph"},

		{"which tests cover parseQuery?", Tests, "parseQuery"},
		{"what tests parseQuery", Tests, "parseQuery"},
		{"is parseQuery tested?", Tests, "parseQuery"},
		{"are there tests for parseQuery?", Tests, "parseQuery"},
		{"does parseQuery have tests", Tests, "parseQuery"},
		{"show me the tests of parseQuery", Tests, "parseQuery"},

		{"what implements Library?", Subtypes, "Library"},
		{"which types implement the Library interface?", Subtypes, "Library"},
		{"subclasses of Auth", Subtypes, "Auth"},
		{"what are the implementations of Library", Subtypes, "Library"},
		{"what does Engine embed?", Supertypes, "Engine"},
		{"which interfaces does Engine implement?", Supertypes, "Engine"},
		{"what is Engine's base class?", Supertypes, "Engine"},
		{"superclass of ReadError", Supertypes, "ReadError"},

		{"who knows engine/search.go?", Experts, "engine/search.go"},
		{"who is the expert on the index folder", Experts, "index"},
		{"whom should I ask about parseQuery?", Experts, "parseQuery"},
		{"who maintains engine", Experts, "engine"},

		{"where is GIN_MODE configured?", Configured, "GIN_MODE"},
		{"where is the environment variable PORT read", Configured, "PORT"},
		{"where does max_tokens get its value?", Configured, "max_tokens"},
		{"where does max_tokens come from", Configured, "max_tokens"},
		{"explain parseQuery", Definition, "parseQuery"},
		{"give me the methods of Engine", Listing, "Engine"},
		{"how do I set max_tokens?", Configured, "max_tokens"},
		{"what is the default of max_tokens", Configured, "max_tokens"},
		{"which environment variables are read?", Environment, ""},
		{"list the env vars in cmd", Environment, "cmd"},

		{"list functions in engine/search.go", Listing, "engine/search.go"},
		{"what is in package index?", Listing, "index"},
		{"list all the classes in the folder src", Listing, "src"},
		{"which methods are in memory.go", Listing, "memory.go"},
		{"overview of the engine package", Listing, "engine"},

		{"retry with exponential backoff after a failed call", Citations, "retry with exponential backoff after a failed call"},
		{"", Citations, ""},
		{"?????", Citations, ""},
		{"DROP TABLE users; --", Citations, "DROP TABLE users; --"},
	}
	for _, tt := range tests {
		q := Parse(tt.query, noon)
		if q.Intent != tt.intent || q.Subject != tt.subject {
			t.Errorf("Parse(%q) = %s %q, want %s %q", tt.query, q.Intent, q.Subject, tt.intent, tt.subject)
		}
	}
}

func TestParseKeepsWhatIsPointedAt(t *testing.T) {
	for _, query := range []string{"why is this here?", "who calls this function?", "what is it?"} {
		if q := Parse(query, noon); !q.Here || q.Subject != "" {
			t.Errorf("Parse(%q) = %+v", query, q)
		}
	}
}

func TestParseListingTypes(t *testing.T) {
	tests := []struct {
		query string
		want  []string
	}{
		{"list functions in x", []string{"function"}},
		{"list the methods and functions in x", []string{"method", "function"}},
		{"which classes are in x", []string{"class"}},
		{"list types in x", []string{"class"}},
		{"what is in x", nil},
	}
	for _, tt := range tests {
		if got := Parse(tt.query, noon).Types; !slices.Equal(got, tt.want) {
			t.Errorf("%q: types %q, want %q", tt.query, got, tt.want)
		}
	}
}

func TestParseSince(t *testing.T) {
	day := func(d int) time.Time { return time.Date(2026, 3, d, 0, 0, 0, 0, time.UTC) }
	tests := []struct {
		query string
		want  time.Time
	}{
		{"what changed", time.Time{}},
		{"what changed today", day(18)},
		{"what changed since yesterday", day(17)},
		{"what changed this week", day(16)},
		{"what changed last week", noon.AddDate(0, 0, -7)},
		{"what changed since Monday", day(16)},
		{"what changed since last Wednesday", day(11)},
		{"what changed in the last 3 days", noon.AddDate(0, 0, -3)},
		{"what changed 2 weeks ago", noon.AddDate(0, 0, -14)},
		{"what changed since 2026-01-31", time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)},
		{"what changed recently in engine", day(4)},
		{"what changed in http.py since 2021?", time.Date(2021, 1, 1, 0, 0, 0, 0, time.UTC)},
		{"what changed since 2021 in engine", time.Date(2021, 1, 1, 0, 0, 0, 0, time.UTC)},
		{"what changed after 2021", time.Date(2022, 1, 1, 0, 0, 0, 0, time.UTC)},
		{"what changed since 2021-05", time.Date(2021, 5, 1, 0, 0, 0, 0, time.UTC)},
		{"what changed since January", time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)},
		{"what changed since Nov", time.Date(2025, 11, 1, 0, 0, 0, 0, time.UTC)},
		{"what changed after December 2023", time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)},
		{"what changed in the last 99999999999999999999 days", noon.AddDate(0, 0, -10000)},
	}
	for _, tt := range tests {
		if got := Parse(tt.query, noon); !got.Since.Equal(tt.want) {
			t.Errorf("%q: since %v, want %v (subject %q)", tt.query, got.Since, tt.want, got.Subject)
		}
	}
	if q := Parse("what changed recently in engine", noon); q.Subject != "engine" {
		t.Errorf("subject %q", q.Subject)
	}
	for _, query := range []string{"what changed in engine since 2021", "what changed since March 2021 in engine"} {
		if q := Parse(query, noon); q.Subject != "engine" || q.From != "" {
			t.Errorf("%q: %+v", query, q)
		}
	}
	if q := Parse("what changed in the last 3 days", noon); q.Subject != "" {
		t.Errorf("subject %q", q.Subject)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"what is X", "what changed since 9999-99-99", "who calls", "list functions in", "\xff", strings.Repeat("what is ", 50)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { Parse(s, noon) })
}

func TestParseComparisons(t *testing.T) {
	for query, want := range map[string][2]string{
		"what is the difference between Bind and ShouldBind?": {"Bind", "ShouldBind"},
		"compare Bind with the ShouldBind method":             {"Bind", "ShouldBind"},
		"Bind vs. ShouldBind":                                 {"Bind", "ShouldBind"},
		"how does Bind differ from ShouldBind?":               {"Bind", "ShouldBind"},
		"how do Bind and ShouldBind differ":                   {"Bind", "ShouldBind"},
	} {
		if q := Parse(query, noon); q.Intent != Compare || q.Subject != want[0] || q.Other != want[1] {
			t.Errorf("%q: %+v", query, q)
		}
	}
}

func TestParseNames(t *testing.T) {
	tests := []struct {
		query       string
		fit         Fit
		part, other string
		types       []string
	}{
		{"list functions that start with parse", Starts, "parse", "", []string{"function"}},
		{"all methods of Context that end with JSON", Ends, "JSON", "Context", []string{"method"}},
		{"which types contain Error in their name?", Contains, "Error", "", []string{"class"}},
		{"functions in engine whose names begin with new", Starts, "new", "engine", []string{"function"}},
		{"show me all classes ending with Decoder", Ends, "Decoder", "", []string{"class"}},
		{"all handlers in lsp/server", Contains, "handler", "lsp/server", nil},
	}
	for _, tt := range tests {
		q := Parse(tt.query, noon)
		if q.Intent != Named || q.Fit != tt.fit || q.Subject != tt.part || q.Other != tt.other || !slices.Equal(q.Types, tt.types) {
			t.Errorf("%q: %+v", tt.query, q)
		}
	}
}

func TestParseRevisions(t *testing.T) {
	tests := []struct{ query, from, to, subject string }{
		{"what changed since v1.9.0?", "v1.9.0", "", ""},
		{"what changed in context.go since v1.9.0", "v1.9.0", "", "context.go"},
		{"what changed since the release 2.0 in engine", "2.0", "", "engine"},
		{"what changed since 2021.1", "2021.1", "", ""},
		{"changes between v1.8 and v1.9", "v1.8", "v1.9", ""},
		{"what changed in engine from main to feature/x", "main", "feature/x", "engine"},
		{"what changed since 2d4bbec9", "2d4bbec9", "", ""},
		{"what changed since yesterday", "", "", ""},
		{"what changed since last week", "", "", ""},
		{"what changed since 3 days ago", "", "", ""},
		{"what changed since 2026-01-31", "", "", ""},
		{"what changed since Monday", "", "", ""},
	}
	for _, tt := range tests {
		if q := Parse(tt.query, noon); q.Intent != Changes || q.From != tt.from || q.To != tt.to || q.Subject != tt.subject {
			t.Errorf("%q: %+v", tt.query, q)
		}
	}
}
