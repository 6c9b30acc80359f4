package arch

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/aurora-sidecar/aurora/"

// allowed says what each part of the tree may import of the module besides itself. internal/text, internal/atomicfile, internal/filelock, internal/mapfile, internal/obs,
// internal/scrub, internal/schema, internal/smallyaml, internal/lazyregexp, internal/trust, internal/workload and internal/atrest know no feature and may be used by all; internal/config by the doors only; cmd/aurora is main alone. tools/ is a module of its own, which imports the product and is in no row.
var allowed = map[string][]string{
	"cmd":               {"internal/sandbox", "internal/cli", "internal/api", "lsp", "mcp", "httpapi", "engine", "index", "memory", "prompts", "internal/config", "internal/loopback", "internal/setup"},
	"internal/cli":      {"internal/sandbox", "internal/api", "lsp", "mcp", "httpapi", "engine", "index", "memory", "prompts", "internal/config", "internal/loopback", "internal/setup"},
	"lsp":               {"internal/api", "engine", "index", "internal/config"},
	"mcp":               {"internal/api", "engine", "internal/loopback"},
	"httpapi":           {"internal/api", "mcp", "engine", "index", "memory", "internal/config", "internal/loopback"},
	"engine":            {"index", "memory", "prompts", "internal/retryafter", "internal/sandbox"},
	"index":             {},
	"memory":            {},
	"examples":          {"engine", "index", "memory", "httpapi"},
	"prompts":           {},
	"internal/api":      {"engine", "index"},
	"internal/config":   {},
	"internal/setup":    {"engine", "index", "memory", "prompts", "internal/config"},
	"internal/text":     {},
	"internal/obs":      {},
	"internal/scrub":    {},
	"internal/schema":   {},
	"internal/trust":    {},
	"internal/filelock": {},
	"internal/atrest":   {},
	"internal/mapfile":  {},
	"internal/workload": {},

	"internal/atomicfile": {},
	"internal/retryafter": {},
	"internal/lazyregexp": {},
	"internal/smallyaml":  {},

	"internal/loopback": {},
	"internal/sandbox":  {},
	"internal/arch":     {},
}

// insideEngine says what each package below engine may import of the others; the facade itself may import all of them.
var insideEngine = map[string][]string{
	"agents":   {"reason/soar"},
	"answer":   {"search", "answer/evidence", "answer/question"},
	"budget":   {},
	"capture":  {"recall"},
	"embedder": {},
	"eval":     {""},
	"headless": {},
	"journal":  {},
	"llm":      {},
	"report":   {},
	"usage":    {},

	"answer/evidence":   {"search", "codeintel", "recall"},
	"answer/question":   {},
	"conversation":      {"answer/question", "reason", "reason/soar"},
	"reason":            {"agents", "answer", "answer/evidence", "answer/question", "budget", "headless", "journal", "llm", "proposal", "recall", "search", "search/rank", "usage", "reason/adaptive", "reason/claims", "reason/ground", "reason/replay", "reason/soar", "testrun"},
	"reason/adaptive":   {"reason/soar"},
	"reason/claims":     {},
	"reason/complexity": {},
	"reason/ground":     {"answer/evidence", "search/querytext", "search/rank", "reason/claims"},
	"reason/replay":     {"journal", "reason/adaptive", "reason/soar"},
	"reason/soar":       {"llm", "reason/claims", "reason/complexity"},

	"proposal":              {},
	"testrun":               {},
	"team":                  {},
	"search":                {"search/rank", "search/querytext", "search/pasted", "search/shared", "semantic"},
	"search/shared":         {},
	"search/rank":           {"search/querytext", "search/pasted"},
	"search/pasted":         {},
	"search/querytext":      {},
	"semantic":              {"embedder", "background"},
	"assemble":              {"search", "search/rank", "search/querytext", "assemble/tokens"},
	"assemble/tokens":       {},
	"recall":                {},
	"indexing":              {},
	"codeintel":             {"background", "codeintel/arity", "codeintel/finding", "codeintel/testcommand"},
	"codeintel/arity":       {},
	"codeintel/finding":     {},
	"codeintel/testcommand": {},

	"background": {},
	"codebase":   {},
	"enginetest": {},
	"fault":      {},
	"snippet":    {},
	"wording":    {},
}

// forAllInEngine tell about code, hits and failures, and know no feature.
var forAllInEngine = []string{"codebase", "fault", "snippet", "wording"}

var forAll = []string{"internal/text", "internal/atomicfile", "internal/filelock", "internal/mapfile", "internal/obs", "internal/scrub", "internal/schema", "internal/smallyaml", "internal/lazyregexp", "internal/trust", "internal/atrest", "internal/workload"}

// forbidden are packages outside the module that a part must not know, by prefix of their path.
var forbidden = map[string][]string{
	"engine":  {"go.lsp.dev/", "database/sql", "modernc.org/sqlite", "github.com/smacker/"},
	"index":   {"go.lsp.dev/", "github.com/sashabaranov/"},
	"memory":  {"go.lsp.dev/", "github.com/smacker/"},
	"prompts": {"go.lsp.dev/", "github.com/sashabaranov/"},
	"lsp":     {"database/sql", "modernc.org/sqlite", "github.com/smacker/"},
	"mcp":     {"go.lsp.dev/"},
	"httpapi": {"go.lsp.dev/protocol", "database/sql", "modernc.org/sqlite", "github.com/smacker/"},
}

// onlyIn are packages outside the module that are imported below these folders only.
var onlyIn = map[string][]string{
	"github.com/smacker/":              {"index/syntax"},
	"github.com/fsnotify/":             {"index/watch"},
	"go.lsp.dev/jsonrpc2":              {"lsp", "httpapi", "internal/api/jsonrpc"},
	"github.com/spf13/cobra":           {"internal/cli"},
	"github.com/modelcontextprotocol/": {"mcp", "engine/agents"},
	"github.com/jedib0t/go-pretty/":    {"internal/cli"},
	"github.com/sashabaranov/":         {"engine/embedder", "engine/llm"},
	"go.yaml.in/yaml/":                 {"engine/agents", "internal/config", "internal/smallyaml", "internal/cli/jsonfile"},
	"github.com/BurntSushi/toml":       {"index/chunk", "internal/config", "internal/cli/jsonfile"},
	"github.com/prometheus/":           {"internal/obs/metrics"},
	"github.com/santhosh-tekuri/":      {"internal/schema"},
	"github.com/google/jsonschema-go/": {"mcp", "internal/schema"},
	"filippo.io/age":                   {"internal/atrest"},
	"github.com/zalando/go-keyring":    {"internal/atrest"},
	"github.com/expr-lang/expr":        {"memory/lifespan"},
	"github.com/tiktoken-go/":          {"engine/assemble/tokens"},
	"github.com/blevesearch/":          {"internal/text"},
	"github.com/jackc/":                {"memory/postgres"},
}

type listed struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	Imports    []string
}

func packages(t *testing.T) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,Imports", module+"...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []listed
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

// part returns the row of the table that a package belongs to.
func part(path string) string {
	rest := strings.TrimPrefix(path, module)
	elems := strings.SplitN(rest, "/", 3)
	if elems[0] == "internal" && len(elems) > 1 {
		return "internal/" + elems[1]
	}
	return elems[0]
}

func TestPackagesImportOnlyWhatTheTableAllows(t *testing.T) {
	all := packages(t)
	if len(all) < 10 {
		t.Fatalf("go list found %d packages", len(all))
	}
	for _, p := range all {
		own := part(p.ImportPath)
		may, known := allowed[own]
		if !known {
			t.Errorf("%s: %q is not in the table of packages", p.ImportPath, own)
		}
		for _, imported := range p.Imports {
			if strings.HasPrefix(imported, module) {
				other := part(imported)
				if own == "engine" && other == "engine" {
					checkInsideEngine(t, p.ImportPath, imported)
				}
				if other != own && !slices.Contains(may, other) && !slices.Contains(forAll, other) {
					t.Errorf("%s imports %s: %s may only import %v", p.ImportPath, imported, own, may)
				}
				continue
			}
			checkForeign(t, strings.TrimPrefix(p.ImportPath, module), own, imported)
		}
	}
}

// checkInsideEngine holds the imports between the packages below engine to their table.
func checkInsideEngine(t *testing.T, importer, imported string) {
	own, other := belowEngine(importer), belowEngine(imported)
	if own == "" || own == other {
		return
	}
	may, known := insideEngine[own]
	if !known {
		t.Errorf("%s: %q is not in the table of packages below engine", importer, own)
	}
	if !slices.Contains(may, other) && !slices.Contains(forAllInEngine, other) {
		t.Errorf("%s imports %s: below engine, %s may only import %v", importer, imported, own, may)
	}
}

// belowEngine is the row of insideEngine that a package belongs to: the longest one that it lies in, "" for the facade.
func belowEngine(path string) string {
	path = strings.TrimPrefix(strings.TrimPrefix(path, module+"engine"), "/")
	for ; strings.Contains(path, "/"); path = path[:strings.LastIndexByte(path, '/')] {
		if _, known := insideEngine[path]; known {
			return path
		}
	}
	return path
}

func checkForeign(t *testing.T, path, own, imported string) {
	for _, prefix := range forbidden[own] {
		if strings.HasPrefix(imported, prefix) && !(own == "index" && path == "index/store") && !(own == "memory" && path == "memory/sqlite") {
			t.Errorf("%s imports %s, which %s must not know", path, imported, own)
		}
	}
	below := func(home string) bool { return path == home || strings.HasPrefix(path, home+"/") }
	for prefix, homes := range onlyIn {
		if strings.HasPrefix(imported, prefix) && !slices.ContainsFunc(homes, below) {
			t.Errorf("%s imports %s, which only %v may", path, imported, homes)
		}
	}
}

// pure are the packages that compute and do nothing else.
var pure = []string{"index/chunk", "index/embed", "index/lexical", "index/vector", "internal/text", "memory/actr"}

// TestPureParts holds what makes chunking and activation testable without a world around them.
func TestPureParts(t *testing.T) {
	for _, p := range packages(t) {
		path := strings.TrimPrefix(p.ImportPath, module)
		if !slices.Contains(pure, path) {
			continue
		}
		for _, imported := range p.Imports {
			if imported == "os" || imported == "net" || imported == "database/sql" || imported == "os/exec" {
				t.Errorf("%s imports %s, but it is pure", path, imported)
			}
		}
	}
}
