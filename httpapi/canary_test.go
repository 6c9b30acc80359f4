package httpapi

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/httpapi/client"
)

// TestTokensInCodeStayIn asks for code that has a token in it in each way.
func TestTokensInCodeStayIn(t *testing.T) {
	w := newWorld(t)
	token := "ghp_" + "0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R"
	w.query(client.Query{Q: "Total"}) // waits for the index
	w.write("deploy.go", "package shop\n\n// DeployShop uses "+token+".\nfunc DeployShop() string {\n\treturn \""+token+"\"\n}\n")
	if err := w.flush("deploy.go"); err != nil {
		t.Fatal(err)
	}
	for _, call := range [][2]string{
		{"/api/search", `{"query": "DeployShop", "text": true}`}, {"/api/query", `{"query": "what is DeployShop?", "text": true}`},
		{"/api/context", `{"query": "DeployShop"}`}, {"/rpc", `{"jsonrpc": "2.0", "id": 1, "method": "query_context", "params": {"q": "DeployShop"}}`},
		{"/rpc", `{"jsonrpc": "2.0", "id": 1, "method": "search", "params": {"query": "DeployShop"}}`},
	} {
		status, body := w.do("POST", call[0], call[1], nil)
		if status != 200 || !strings.Contains(body, "DeployShop") || strings.Contains(body, token) {
			t.Errorf("%s %s: %d %s", call[0], call[1], status, body)
		}
	}
	if answer := fmt.Sprintf("%+v", *w.query(client.Query{Q: "DeployShop"})); !strings.Contains(answer, "DeployShop") || strings.Contains(answer, token) {
		t.Errorf("query_context: %s", answer)
	}
}

// flush reads a file again.
func (w *world) flush(path string) error {
	if _, err := w.engine.Index().Refresh(w.Context(), []string{w.dir + "/" + path}, false); err != nil {
		return err
	}
	return w.engine.Index().Flush(w.Context())
}
