package engine

import (
	"strings"
	"testing"
)

// TestMembersAndKinds asks what a type has, and which types of a kind there are.
func TestMembersAndKinds(t *testing.T) {
	w := openWorkspace(t, map[string]string{
		"store/errors.py":    "class StoreError(Exception):\n    \"\"\"Anything that goes wrong.\"\"\"\n\n\nclass Full(StoreError):\n    \"\"\"No room is left. Buy a disk.\"\"\"\n\n\nclass Lost(KeyError):\n    pass\n\n\nclass Shelf:\n    height: int = 3\n    \"\"\"In metres.\"\"\"\n    width = 2\n",
		"tests/test_full.py": "class OddError(Exception):\n    pass\n",
		"level.rs":           "/// How loud.\npub enum Level {\n    /// Everything. Mostly noise.\n    Debug,\n    Warn(u8),\n}\n\npub struct Near;\nimpl Reader for Near {\n    type Error = Level;\n}\n",
		"pay/pay.go":         "package pay\n\nimport \"errors\"\n\n// ErrBroke says that there is no money.\nvar ErrBroke = errors.New(\"broke\")\n\nvar errand = 1\n",
		"walk.ts":            "export class Dog extends WalkerBase {\n  legs = 4;\n}\nexport class Cat extends lib.Walker<Error> {}\nexport class Walk {}\n",
		"odd.go":             "package odd\n\n// Read says what is set up.\nfunc Read() string { return \"the configuration of the odd\" }\n\n// Load reads the file with the configuration.\nfunc Load(configuration []byte) {}\n",
	})
	for query, want := range map[string][]string{
		"what fields does Shelf have?":            {"`Shelf`, defined in store/errors.py:13 [1], has 2 fields:", "- `height: int = 3`, line 14", "- `width = 2`, line 16"},
		"list the attributes of the Shelf class":  {"`Shelf`, defined in"},
		"what are the variants of the Level enum": {"`Level`, defined in level.rs:2 [1], has 2 enum members:", "- `Debug`, line 4: \"Everything.\"", "- `Warn(u8)`, line 5"},
		"which values can Level have?":            {"`Level`, defined in"},
		"which exceptions does store define?":     {"3 types in `store` are called `Exception` or `Error`, or inherit from a type that is: `StoreError`, `Full` and `Lost`.", "- `Full` in store/errors.py:5: \"No room is left.\" ["},
		"which errors are there?":                 {"4 definitions are called `Exception` or `Error`", "- `ErrBroke` in pay/pay.go:6: \"ErrBroke says that there is no money.\" ["},
		"list all walkers":                        {"2 types are called `Walker`, or inherit from a type that is: `Dog` and `Cat`."},
		"which levels are there?":                 {"`Level`, defined in level.rs:2 [1], has 2 enum members:"},
		"where is the configuration file read?":   {"`Load` in odd.go:7", "is the best match for"},
	} {
		r := w.query(QueryRequest{Query: query})
		for _, words := range want {
			if !strings.Contains(r.Answer, words) {
				t.Errorf("%s: no %q in:\n%s", query, words, r.Answer)
			}
		}
		if strings.Contains(r.Answer, "OddError") || strings.Contains(r.Answer, "`errand`") || strings.Contains(r.Answer, "types") && strings.Contains(r.Answer, "Near.Error") {
			t.Errorf("%s:\n%s", query, r.Answer)
		}
	}
	for query, unwanted := range map[string]string{
		"what fields does Walk have?":    "has 0",
		"which planets are there?":       "types are called",
		"which errors does Mars define?": "types are called",
	} {
		if r := w.query(QueryRequest{Query: query}); strings.Contains(r.Answer, unwanted) {
			t.Errorf("%s:\n%s", query, r.Answer)
		}
	}
}

// TestOutcomes asks what happens when something goes wrong: the messages of the program say so.
func TestOutcomes(t *testing.T) {
	w := openWorkspace(t, map[string]string{
		"door.py":      "def enter(guests):\n    \"\"\"The room is full of guests.\"\"\"\n    if len(guests) > 9:\n        raise ValueError(\n            \"the room is full\"\n        )\n    label = \"every guest is welcome\"\n    return label\n",
		"log.js":       "function log(level) {\n  if (!levels[level]) {\n    console.error('Unknown logger level: %s', level);\n  }\n}\n",
		"http.py":      "def get(r):\n    if r.status == 500:\n        raise IOError(\"server error 500 came back\")\n",
		"test_door.py": "def test_full():\n    raise ValueError(\"the room is full in a test\")\n",
	})
	for query, want := range map[string]string{
		"what happens when the room is full?":               "A message of the code fits these words best, in `enter`, door.py:5 [1]; not verified by a model.",
		"what does it do when a room is full":               "in `enter`, door.py:5 [1]",
		"what happens if I log with an unknown level?":      "in `log`, log.js:3 [1]",
		"what happens when the server error 500 comes back": "in `get`, http.py:3 [1]",
	} {
		if r := w.query(QueryRequest{Query: query}); !strings.Contains(r.Answer, want) || strings.Contains(r.Answer, "in a test") {
			t.Errorf("%s:\n%s", query, r.Answer)
		}
	}
	for _, query := range []string{"what happens when every guest is welcome?", "what happens when the server error 404 comes back?", "what happens when the moon falls down?"} {
		if r := w.query(QueryRequest{Query: query}); strings.Contains(r.Answer, "A message of the code") {
			t.Errorf("%s:\n%s", query, r.Answer)
		}
	}
}

// TestCallersOfOneOfSeveral asks who calls a name of two definitions, of which only one is called.
func TestCallersOfOneOfSeveral(t *testing.T) {
	w := openWorkspace(t, map[string]string{
		"app/cli.py":   "def sync(ctx):\n    \"\"\"The command.\"\"\"\n",
		"app/sync.py":  "def sync(a, b):\n    return a\n\n\ndef twice(a):\n    return 2 * a\n",
		"app/tasks.py": "from app.sync import sync\nfrom app.sync import twice\n\n\ndef one():\n    sync(1, 2)\n\n\ndef two():\n    sync(3, 4)\n\n\ndef three():\n    sync(5, 6)\n\n\ndef four():\n    sync(7, 8)\n    twice(1)\n",
	})
	if r := w.related(RelatedRequest{Symbol: "sync"}); len(r.Edges) != 4 {
		t.Errorf("related: %+v", r)
	}
	r := w.query(QueryRequest{Query: "what calls sync?"})
	for _, words := range []string{"`sync` is called in 4 places: `one`, `two`, `three` and `four`.", "`sync` is defined in app/sync.py:1 [", "1 other definition of this name is not known to be called."} {
		if !strings.Contains(r.Answer, words) {
			t.Errorf("no %q in:\n%s", words, r.Answer)
		}
	}
	for marked, want := range map[string]string{"def sy|nc(a": "Called by [one](file://", "def tw|ice": "Called by [four](file://"} {
		if h := w.hover("app/sync.py", marked); h == nil || !strings.Contains(h.Markdown, want) || strings.Contains(marked, "sync") && !strings.Contains(h.Markdown, " and 1 more\n") {
			t.Errorf("%s: %+v", marked, h)
		}
	}
}

// TestDefaultsInWords asks for defaults, in words and of a name that types have, too.
func TestDefaultsInWords(t *testing.T) {
	w := openWorkspace(t, map[string]string{
		"index.d.ts":     "export interface Options {\n  level: string;\n}\nexport function log(level: string, text: any): void;\n",
		"lib/logger.js":  "class Logger {\n  configure({\n    level = 'info',\n    quiet\n  } = {}) {\n    this.level = level;\n    this.quiet = quiet;\n  }\n}\n",
		"jest.config.js": "module.exports = {\n  quiet: true,\n};\n",
	})
	for query, want := range map[string]string{
		"what is the default level?":      "`level` is set to `'info'` in lib/logger.js:3 [1].",
		"what is the default log level?":  "`level` is set to `'info'` in lib/logger.js:3 [1].",
		"what is the default door level?": "",
	} {
		if r := w.query(QueryRequest{Query: query}); !strings.Contains(r.Answer, want) || strings.Contains(r.Answer, "`string`") || want == "" && strings.Contains(r.Answer, "is set to") {
			t.Errorf("%s:\n%s", query, r.Answer)
		}
	}
}
