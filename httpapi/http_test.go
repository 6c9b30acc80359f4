package httpapi

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/httpapi/client"
	"github.com/aurora-sidecar/aurora/httpapi/debugpage"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/internal/loopback"
	"github.com/aurora-sidecar/aurora/internal/obs/metrics"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/sqlite"
)

const token = "0123456789abcdef0123"

// A world is a context engine over a small project, served on a real port.
type world struct {
	*testing.T
	dir    string
	url    string
	engine *engine.Engine
	store  *sqlite.Store
	client *client.Client
	stop   func()
}

func newWorld(t *testing.T) *world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{T: t, dir: dir}
	w.write("cart/cart.go", "package cart\n\n// Total adds up the prices of a cart.\nfunc Total(prices []int) (sum int) {\n\tfor _, p := range prices {\n\t\tsum += p\n\t}\n\treturn sum\n}\n")
	w.write("cart/discount.py", "def discount(price):\n    \"\"\"Take a tenth off.\"\"\"\n    return price * 0.9\n")
	ix, err := index.Open(t.Context(), index.Options{Folders: []string{dir}, NoWatch: true})
	if err != nil {
		t.Fatal(err)
	}
	if w.store, err = sqlite.OpenMemory(t.Context(), sqlite.Options{}); err != nil {
		t.Fatal(err)
	}
	w.engine = engine.New(engine.Options{
		Index: ix, Memory: w.store, Version: "test", UsageOptions: engine.UsageOptions{Usage: w.store, Metrics: metrics.New()},
	})
	service, err := Embedded(w.engine, dir)
	if err != nil {
		t.Fatal(err)
	}
	l, err := loopback.Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- Serve(ctx, l, service, token, nil) }()
	stopped := false
	w.stop = func() {
		if !stopped {
			stopped = true
			cancel()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
	}
	t.Cleanup(func() {
		w.stop()
		if err := errors.Join(w.engine.Close(), ix.Shutdown(), w.store.Close()); err != nil {
			t.Error(err)
		}
	})
	w.url = "http://" + l.Addr().String()
	w.client = &client.Client{BaseURL: w.url, Token: token, Retries: -1, Timeout: 30 * time.Second}
	return w
}

func (w *world) write(name, text string) {
	w.Helper()
	path := filepath.Join(w.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		w.Fatal(err)
	}
}

// do sends a request with the token, unless header has another, and returns the status and the body.
func (w *world) do(method, path, body string, header map[string]string) (int, string) {
	w.Helper()
	request, err := http.NewRequestWithContext(w.Context(), method, w.url+path, strings.NewReader(body))
	if err != nil {
		w.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	for name, value := range header {
		request.Header.Set(name, value)
	}
	if host := header["Host"]; host != "" {
		request.Host = host
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		w.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		w.Fatal(err)
	}
	return response.StatusCode, string(text)
}

func (w *world) query(q client.Query) *client.Answer {
	w.Helper()
	answer, err := w.client.QueryContext(w.Context(), q)
	if err != nil {
		w.Fatal(err)
	}
	return answer
}

func TestQueryContext(t *testing.T) {
	w := newWorld(t)
	answer := w.query(client.Query{Q: "Total"})
	if len(answer.Hits) == 0 || answer.Hits[0].FilePath != "cart/cart.go" || answer.Hits[0].Offsets.Start == 0 || !strings.Contains(answer.Hits[0].Snippet, "sum += p") {
		t.Fatalf("answer %+v", answer)
	}
	both := w.query(client.Query{Query: "price", Filters: &client.Filters{Lang: "python"}})
	if len(both.Hits) == 0 {
		t.Error("no Python hit")
	}
	for _, h := range both.Hits {
		if h.Language != "python" {
			t.Errorf("a hit in %s", h.Language)
		}
	}
	if none := w.query(client.Query{Q: "price", Filters: &client.Filters{PathGlob: "nowhere/**"}}); len(none.Hits) != 0 {
		t.Errorf("hits outside of the glob: %+v", none.Hits)
	}
	low := 0.1
	if noted := w.query(client.Query{Q: "Total", Lambda: &low}); !strings.Contains(strings.Join(noted.Notes, " "), "mmr_lambda") {
		t.Errorf("notes %q", noted.Notes)
	}
}

func TestAddAndDelete(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	text := "package tax\n\nfunc VatOnTeapots() int { return 19 }\n"
	added, err := w.client.AddContext(ctx, client.AddRequest{FilePath: "tax/vat.go", Content: &text})
	if err != nil || added.Chunks == 0 || len(added.FileID) != 36 {
		t.Fatalf("added %+v, %v", added, err)
	}
	if hits := w.query(client.Query{Q: "VatOnTeapots"}).Hits; len(hits) == 0 || hits[0].FilePath != "tax/vat.go" {
		t.Fatalf("hits %+v", hits)
	}
	text = strings.ReplaceAll(text, "VatOnTeapots", "VatOnKettles")
	again, err := w.client.AddContext(ctx, client.AddRequest{FilePath: "tax/vat.go", Content: &text})
	if err != nil || again.FileID != added.FileID || len(w.query(client.Query{Q: "VatOnKettles"}).Hits) == 0 {
		t.Errorf("again %+v, %v", again, err)
	}
	gone, err := w.client.DeleteContext(ctx, client.DeleteRequest{FilePath: "tax/vat.go"})
	if err != nil || !gone.Deleted {
		t.Fatalf("deleted %+v, %v", gone, err)
	}
	for _, h := range w.query(client.Query{Q: "VatOnKettles"}).Hits {
		if h.FilePath == "tax/vat.go" {
			t.Errorf("still there: %+v", h)
		}
	}
	w.write("cart/late.go", "package cart\n\nfunc Late() {}\n")
	late, err := w.client.AddContext(ctx, client.AddRequest{FilePath: "cart/late.go"})
	if err != nil || late.Chunks == 0 {
		t.Errorf("from disk %+v, %v", late, err)
	}
	kept, err := w.client.DeleteContext(ctx, client.DeleteRequest{FilePath: "cart/late.go"})
	if err != nil || kept.Deleted || kept.Note == "" {
		t.Errorf("a file on disk: %+v, %v", kept, err)
	}
}

func TestAnEditorsTextIsLeftAlone(t *testing.T) {
	w := newWorld(t)
	w.engine.Index().Open(filepath.Join(w.dir, "cart/cart.go"), "go", 1, []byte("package cart\n\nfunc Typed() {}\n"))
	if err := w.engine.Index().Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	text := "package cart\n"
	_, err := w.client.AddContext(t.Context(), client.AddRequest{FilePath: "cart/cart.go", Content: &text})
	var refused *client.Error
	if !errors.As(err, &refused) || refused.Status != 400 || !strings.Contains(refused.Message, "open in an editor") {
		t.Errorf("error %v", err)
	}
	gone, err := w.client.DeleteContext(t.Context(), client.DeleteRequest{FilePath: "cart/cart.go"})
	if err != nil || gone.Deleted || len(w.query(client.Query{Q: "Typed"}).Hits) == 0 {
		t.Errorf("deleted %+v, %v", gone, err)
	}
}

func TestBadRequests(t *testing.T) {
	w := newWorld(t)
	long := `{"file_path": "x.go", "content": "` + strings.Repeat("x", maxBody) + `"}`
	for name, tt := range map[string]struct {
		method, path, body string
		header             map[string]string
		want               int
		says               string
	}{
		"no token":           {"GET", "/stats", "", map[string]string{"Authorization": ""}, 401, "Authorization"},
		"wrong token":        {"GET", "/stats", "", map[string]string{"Authorization": "Bearer no"}, 401, ""},
		"API key":            {"GET", "/stats", "", map[string]string{"Authorization": "", "X-API-Key": token}, 200, "totalChunks"},
		"wrong API key":      {"GET", "/stats", "", map[string]string{"Authorization": "", "X-API-Key": "no"}, 401, ""},
		"health":             {"GET", "/health", "", map[string]string{"Authorization": ""}, 200, "ok"},
		"another host":       {"GET", "/health", "", map[string]string{"Host": "evil.example"}, 403, ""},
		"a page's form":      {"POST", "/rpc", `{"jsonrpc": "2.0", "method": "stats", "id": 1}`, map[string]string{"Content-Type": "text/plain"}, 415, "application/json"},
		"a page of ours":     {"GET", "/stats", "", map[string]string{"Origin": "http://localhost:3000"}, 403, ""},
		"a web page":         {"GET", "/stats", "", map[string]string{"Origin": "https://evil.example"}, 403, ""},
		"wrong method":       {"GET", "/query_context", "", nil, 405, ""},
		"nowhere":            {"GET", "/secrets", "", nil, 404, ""},
		"no body":            {"POST", "/query_context", "", nil, 400, "missing"},
		"no JSON":            {"POST", "/query_context", "{", nil, 400, "can't be read"},
		"a list":             {"POST", "/query_context", "[]", nil, 400, "can't be read"},
		"unknown field":      {"POST", "/query_context", `{"q": "x", "limit": 3}`, nil, 400, "limit"},
		"negative k":         {"POST", "/query_context", `{"q": "x", "k": -1}`, nil, 400, ""},
		"lambda":             {"POST", "/query_context", `{"q": "x", "mmr_lambda": 2}`, nil, 400, "between 0 and 1"},
		"another model":      {"POST", "/query_context", `{"q": "x", "model": "e5-large"}`, nil, 400, "e5-large"},
		"outside":            {"POST", "/add_context", `{"file_path": "../../etc/passwd"}`, nil, 400, "outside"},
		"absolute outside":   {"POST", "/add_context", `{"file_path": "/etc/passwd"}`, nil, 400, "outside"},
		"no path":            {"POST", "/add_context", `{}`, nil, 400, "file_path"},
		"the folder itself":  {"POST", "/add_context", `{"file_path": ".", "content": "x"}`, nil, 400, ""},
		"not there":          {"POST", "/add_context", `{"file_path": "no.go"}`, nil, 400, "can't be read"},
		"too long":           {"POST", "/add_context", long, nil, 413, "bytes"},
		"unknown tool":       {"POST", "/tools/format_disk", `{}`, nil, 404, "no such method"},
		"a tool":             {"POST", "/tools/search", `{"query": "Total"}`, nil, 200, "cart.go"},
		"a tool's argument":  {"POST", "/tools/search", `{"q": "Total"}`, nil, 400, "query"},
		"rebuild unasked":    {"POST", "/tools/rebuild_context", `{}`, nil, 409, "confirm"},
		"NUL":                {"POST", "/delete_context", `{"file_path": "a\u0000b"}`, nil, 400, "NUL"},
		"status":             {"GET", "/status", "", nil, 200, "percent"},
		"rpc is no list of":  {"POST", "/rpc", `[]`, nil, 200, "-32600"},
		"rpc is no JSON":     {"POST", "/rpc", `{"jsonrpc`, nil, 200, "-32700"},
		"rpc of version 1":   {"POST", "/rpc", `{"method": "stats", "id": 1}`, nil, 200, "-32600"},
		"rpc, bad id":        {"POST", "/rpc", `{"jsonrpc": "2.0", "method": "stats", "id": {}}`, nil, 200, "-32600"},
		"rpc, no method":     {"POST", "/rpc", `{"jsonrpc": "2.0", "method": "boom", "id": 1}`, nil, 200, "-32601"},
		"rpc, bad params":    {"POST", "/rpc", `{"jsonrpc": "2.0", "method": "query_context", "params": {"k": "x"}, "id": 1}`, nil, 200, "-32602"},
		"rpc notification":   {"POST", "/rpc", `{"jsonrpc": "2.0", "method": "stats"}`, nil, 204, ""},
		"rpc with a list":    {"POST", "/rpc", `{"jsonrpc": "2.0", "method": "query_context", "params": [1], "id": "a"}`, nil, 200, "-32602"},
		"rpc of nothing":     {"POST", "/rpc", "", nil, 200, "-32700"},
		"rpc far too nested": {"POST", "/rpc", strings.Repeat("[", 100_000), nil, 200, "-32700"},
	} {
		status, body := w.do(tt.method, tt.path, tt.body, tt.header)
		if status != tt.want || !strings.Contains(body, tt.says) {
			t.Errorf("%s: status %d, want %d with %q: %.300s", name, status, tt.want, tt.says, body)
		}
		if strings.HasPrefix(body, `{"error":`) && !strings.Contains(body, `"next"`) {
			t.Errorf("%s does not say what to do: %s", name, body)
		}
	}
}

// An operation of the registry answers as through any other door; every error is JSON; nothing outside of the workspace is read.
func TestOperations(t *testing.T) {
	w := newWorld(t)
	w.query(client.Query{Q: "Total"}) // waits for the index
	outside := filepath.Join(t.TempDir(), "secret.txt")
	if err := os.WriteFile(outside, []byte("the secret word is plugh"), 0o600); err != nil {
		t.Fatal(err)
	}
	document := `"textDocument": {"uri": "file://` + outside + `"}, "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 24}}`
	for name, tt := range map[string]struct {
		method, path, body string
		want               int
		says               string
	}{
		"search":          {"POST", "/api/search", `{"query": "Total"}`, 200, `"path":"cart/cart.go"`},
		"status":          {"POST", "/api/status", "", 200, `"state"`},
		"bad parameter":   {"POST", "/api/search", `{"query": 5}`, 400, `"detail":"query"`},
		"budget reset":    {"POST", "/api/budget", `{"action": "Reset"}`, 400, `aurora budget --reset`},
		"rpc too long":    {"POST", "/rpc", `"` + strings.Repeat("x", maxBody) + `"`, 413, `"error"`},
		"not over HTTP":   {"POST", "/api/trust", `{"trusted": true}`, 404, "no such method"},
		"unknown":         {"POST", "/api/nothing", `{}`, 404, "no such method"},
		"what there is":   {"POST", "/tools/nothing", `{}`, 404, `"next":"GET /openapi.json lists`},
		"no finding":      {"POST", "/api/dismiss", `{"ids": ["f-0123456789abcdef"]}`, 400, "no review has found f-0123456789abcdef"},
		"description":     {"GET", "/openapi.json", "", 200, `"/api/search"`},
		"wrong method":    {"GET", "/api/search", "", 405, `"kind":"method"`},
		"nowhere":         {"GET", "/nowhere", "", 404, `"kind":"notFound"`},
		"context outside": {"POST", "/api/context", `{` + document + `}`, 404, `"kind":"notIndexed"`},
		"remember":        {"POST", "/api/remember", `{` + document + `}`, 404, `"kind":"notIndexed"`},
		"add outside":     {"POST", "/api/addText", `{"path": "` + outside + `"}`, 400, `"kind":"invalid"`},
		"refresh outside": {"POST", "/api/refresh", `{"paths": ["` + outside + `"]}`, 404, `"kind":"notIndexed"`},
		"locate outside":  {"POST", "/api/locate", `{"path": "` + outside + `", "line": 1}`, 404, `"kind":"notIndexed"`},
	} {
		status, body := w.do(tt.method, tt.path, tt.body, nil)
		if status != tt.want || !strings.Contains(body, tt.says) || !json.Valid([]byte(body)) || strings.Contains(body, "plugh") {
			t.Errorf("%s: status %d, want %d with %q: %.300s", name, status, tt.want, tt.says, body)
		}
	}
	if status, body := w.do("POST", "/api/search", `{"query": "Total"}`, map[string]string{"Authorization": ""}); status != 401 || !strings.Contains(body, `"kind":"unauthorized"`) {
		t.Errorf("without the token: %d %s", status, body)
	}
}

// Requests whose bodies come slowly take nobody's place, and are cut off.
func TestSlowBodies(t *testing.T) {
	w := newWorld(t)
	address := strings.TrimPrefix(w.url, "http://")
	for range maxAtOnce + 1 {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := io.WriteString(conn, "POST /rpc HTTP/1.1\r\nHost: "+address+"\r\nAuthorization: Bearer "+token+"\r\nContent-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		// The server has come to reading the body once it says that it wants it.
		if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
			t.Fatalf("%q, %v", line, err)
		}
	}
	if status, body := w.do("GET", "/stats", "", nil); status != 200 {
		t.Errorf("slow bodies hold all places: %d %s", status, body)
	}
}

func TestRPC(t *testing.T) {
	w := newWorld(t)
	_, body := w.do("POST", "/rpc", `[{"jsonrpc": "2.0", "method": "query_context", "params": {"q": "Total"}, "id": "a"},
		{"jsonrpc": "2.0", "method": "stats"}, {"jsonrpc": "2.0", "method": "status", "id": 2}, 7]`, nil)
	var out []struct {
		ID     any
		Result json.RawMessage
		Error  *struct{ Code int }
	}
	if err := json.Unmarshal([]byte(body), &out); err != nil || len(out) != 3 {
		t.Fatalf("%v: %s", err, body)
	}
	if out[0].ID != "a" || !bytes.Contains(out[0].Result, []byte("cart.go")) || out[1].ID != 2.0 || !bytes.Contains(out[1].Result, []byte(`"percent":100`)) || out[2].Error.Code != -32600 {
		t.Errorf("answers %s", body)
	}
}

func TestHybrid(t *testing.T) {
	w := newWorld(t)
	embedded, err := Embedded(w.engine, w.dir)
	if err != nil {
		t.Fatal(err)
	}
	dead := &client.Client{BaseURL: "http://127.0.0.1:1", Token: token, Retries: -1, Timeout: time.Second}
	for name, engines := range map[string][]client.Engine{"embedded": {embedded, dead}, "standalone": {dead, w.client}} {
		answer, err := client.Hybrid{Engines: engines}.QueryContext(t.Context(), client.Query{Q: "Total"})
		if err != nil || len(answer.Hits) == 0 {
			t.Errorf("%s: %+v, %v", name, answer, err)
		}
	}
	none := client.Hybrid{Engines: []client.Engine{dead}}
	if _, err := none.QueryContext(t.Context(), client.Query{Q: "Total"}); !client.Unavailable(err) {
		t.Errorf("error %v", err)
	}
	none.Optional = true
	answer, err := none.QueryContext(t.Context(), client.Query{Q: "Total"})
	if err != nil || len(answer.Hits) != 0 || len(answer.Notes) != 1 {
		t.Errorf("without an engine: %+v, %v", answer, err)
	}
	refused := client.Hybrid{Engines: []client.Engine{w.client, embedded}, Optional: true}
	if _, err := refused.AddContext(t.Context(), client.AddRequest{FilePath: "../x"}); err == nil || client.Unavailable(err) {
		t.Errorf("a refusal is final, got %v", err)
	}
	w.stop()
	if _, err := w.client.Stats(t.Context()); !client.Unavailable(err) {
		t.Errorf("a stopped engine: %v", err)
	}
}

// TestDebugPage looks at the page after a question.
func TestDebugPage(t *testing.T) {
	w := newWorld(t)
	if _, err := w.engine.Query(t.Context(), engine.QueryRequest{Query: "where is Total defined?", Caller: engine.Caller{Agent: "<b>me</b>"}}, nil); err != nil {
		t.Fatal(err)
	}
	l, err := loopback.Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- loopback.Serve(ctx, l, debugpage.New(w.engine, time.Now()).Handler()) }()
	w.url = "http://" + l.Addr().String()
	for path, words := range map[string][]string{
		"/":                         {"Nothing waits", "No job runs", "RETRIEVE", "&lt;b&gt;me"},
		"/state.json":               {`"snapshot"`, `"percentage"`},
		"/metrics":                  {`aurora_queries_total{complexity="SIMPLE",outcome="ok"} 1`, "aurora_query_complexity_bucket", "aurora_phase_duration_ms", "go_goroutines"},
		"/debug/pprof/":             {"goroutine"},
		"/debug/pprof/heap?debug=1": {"heap profile"},
	} {
		status, body := w.do("GET", path, "", nil)
		for _, word := range words {
			if status != 200 || !strings.Contains(body, word) {
				t.Errorf("%s: status %d, no %q in %.2000s", path, status, word, body)
			}
		}
		if strings.Contains(body, "sum += p") {
			t.Errorf("%s shows text", path)
		}
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestUsageIsKept checks that retrievals over HTTP leave their figures.
func TestUsageIsKept(t *testing.T) {
	w := newWorld(t)
	w.query(client.Query{Q: "Total"})
	if err := w.engine.Close(); err != nil { // writes what waits
		t.Fatal(err)
	}
	var list []memory.Metric
	if err := w.store.Metrics(t.Context(), memory.Span{}, func(m memory.Metric) error { list = append(list, m); return nil }); err != nil {
		t.Fatal(err)
	}
	if len(list) != 1 || list[0].Op != memory.OpSearch || list[0].Agent != "http" || list[0].Snippets == 0 || list[0].Characters == 0 || list[0].ContextTokens == 0 {
		t.Errorf("kept %+v", list)
	}
}
