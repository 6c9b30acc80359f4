package reason

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
)

// TestToolbox calls every tool, and asks for what no tool may hand out.
func TestToolbox(t *testing.T) {
	e := openReasoner(t, nil, time.Now)
	folder := e.opts.Facts.Index.Folders()[0]
	if err := os.WriteFile(filepath.Join(folder, ".env"), []byte("TOKEN=hidden-from-models\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	q := e.newReasoning(&Models{}, QueryRequest{})
	for _, c := range []struct{ tool, arguments, want string }{
		{soar.ToolDefinition, `{"name":"Cart.TotalPrice"}`, "price.WithTax(item.Cents)"},
		{soar.ToolDefinition, `{"name":"price.WithTax"}`, "cents * 119"},
		{soar.ToolSearch, `{"query":"value added tax"}`, "WithTax"},
		{soar.ToolRead, `{"path":"cart/cart.go","first":1,"last":2}`, "package cart"},
		{soar.ToolOutline, `{"path":"cart/cart.go"}`, "func (c *Cart) AddItem(item Item)"},
		{soar.ToolCallers, `{"name":"WithTax"}`, "TotalPrice"},
		{soar.ToolCallees, `{"name":"TotalPrice"}`, "WithTax"},
		{soar.ToolGrep, `{"pattern":"cents \\* \\d+"}`, "price/tax.go:5"},
		{soar.ToolGitLog, `{"path":"cart/cart.go"}`, "Open the shop"},
		{soar.ToolBlame, `{"name":"TotalPrice"}`, "Open the shop"},
		{soar.ToolRead, `{"path":".env"}`, "Error"},
		{soar.ToolRead, `{"path":"../../etc/passwd"}`, "Error"},
		{soar.ToolRead, `{"path":"/etc/passwd"}`, "Error"},
		{soar.ToolRead, `{"path":".git/config"}`, "Error"},
		{soar.ToolRead, `{"path":"cart/cart.go","first":9000}`, "Error"},
		{soar.ToolGrep, `{"pattern":"("}`, "Error"},
		{soar.ToolDefinition, `["x"]`, "no JSON object"},
		{"rm", `{}`, "there is no tool"},
	} {
		found, err := q.Use(t.Context(), llm.ToolCall{Name: c.tool, Arguments: c.arguments})
		if err != nil {
			t.Fatal(err)
		}
		encoded, err := json.Marshal(found)
		if err != nil {
			t.Fatal(err)
		}
		all := found.Text
		for _, s := range found.Sources {
			all += s.Name + s.Text
		}
		if !strings.Contains(all, c.want) || strings.Contains(string(encoded), "hidden-from-models") {
			t.Errorf("%s %s finds %s, want %q", c.tool, c.arguments, encoded, c.want)
		}
	}
}
