package soar

import (
	"encoding/json"

	"github.com/aurora-sidecar/aurora/engine/llm"
)

// The tools of models.
const (
	ToolSearch     = "search"
	ToolDefinition = "definition"
	ToolRead       = "read"
	ToolOutline    = "outline"
	ToolCallers    = "callers"
	ToolCallees    = "callees"
	ToolGrep       = "grep"
	ToolGitLog     = "git_log"
	ToolBlame      = "blame"
	ToolRecall     = "recall"
)

// lookups are the tools of a loop.
var lookups = []llm.Tool{
	lookup(ToolDefinition, "The whole definition of a function, method, type or constant.", `{"name":"Cart.Total"}`),
	lookup(ToolSearch, "Code and documents for words or names, the best first.", `{"query":"retry after a timeout"}`),
	lookup(ToolRead, "Lines of a file of the workspace.", `{"path":"src/cart.go","first":10,"last":60}`),
	lookup(ToolOutline, "The definitions of a file with their lines.", `{"path":"src/cart.go"}`),
	lookup(ToolCallers, "Who calls a function or method.", `{"name":"Cart.Total"}`),
	lookup(ToolCallees, "What a function or method calls.", `{"name":"Cart.Total"}`),
	lookup(ToolGrep, "Lines that match a regular expression (RE2).", `{"pattern":"TODO|FIXME"}`),
	lookup(ToolGitLog, "The latest commits of a file or folder; an empty path is the project.", `{"path":"src/cart.go"}`),
	lookup(ToolBlame, "The commits that the lines of a definition come from.", `{"name":"Cart.Total"}`),
	lookup(ToolRecall, "What people have noted and decided.", `{"query":"why sqlite"}`),
}

// Arguments are those of any tool; each uses some of them.
type Arguments struct {
	Name    string `json:"name"`
	Query   string `json:"query"`
	Path    string `json:"path"`
	Pattern string `json:"pattern"`
	First   int    `json:"first"` // one-based line
	Last    int    `json:"last"`
}

// lookup makes a tool, all of whose arguments are those of its example.
func lookup(name, description, example string) llm.Tool {
	var arguments map[string]any
	if err := json.Unmarshal([]byte(example), &arguments); err != nil {
		panic(err) // the examples are part of the program
	}
	properties, required := map[string]any{}, []string{}
	for argument, value := range arguments {
		kind := "integer"
		if _, ok := value.(string); ok {
			kind = "string"
			required = append(required, argument)
		}
		properties[argument] = map[string]string{"type": kind}
	}
	schema, err := json.Marshal(map[string]any{"type": "object", "properties": properties, "required": required})
	if err != nil {
		panic(err)
	}
	return llm.Tool{Name: name, Description: description, Parameters: schema, Example: example}
}
