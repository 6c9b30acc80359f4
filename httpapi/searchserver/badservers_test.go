package searchserver_test

import (
	"cmp"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/search"
	"github.com/aurora-sidecar/aurora/engine/search/shared"
	"github.com/aurora-sidecar/aurora/httpapi/searchserver"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/internal/api"
)

// A desk is a small project whose searches ask a server.
type desk struct {
	t      *testing.T
	dir    string
	engine *engine.Engine
}

func everything(string) index.Rules { return index.Rules{} }

func newDesk(t *testing.T, address, token string, wait time.Duration) *desk {
	t.Helper()
	dir := canonical(t)
	write(t, dir, "here.go", "package here\n\n// RetryPayment retries a payment.\nfunc RetryPayment() int { return 1 }\n")
	client, err := shared.NewClient(address, token)
	if err != nil {
		t.Fatal(err)
	}
	x := openIndex(t, everything, dir)
	return &desk{t, dir, engineOf(t, x, shared.NewTeam(shared.Options{Client: client, Index: x, Wait: wait, Whole: true}))}
}

// search returns the places of the hits, and all notes.
func (d *desk) search(query string) (places []string, notes string) {
	d.t.Helper()
	result, err := d.engine.Search(d.t.Context(), engine.SearchRequest{Query: query, Scope: engine.Scope{Team: true}})
	if err != nil {
		d.t.Fatal(err)
	}
	for _, h := range result.Hits {
		places = append(places, strings.TrimPrefix(h.Repository+":"+h.Path, ":"))
	}
	return places, strings.Join(result.Notes, "\n")
}

// status returns the warnings of the status.
func (d *desk) status() string {
	d.t.Helper()
	status, err := d.engine.Status(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	return strings.Join(status.Warnings, "\n")
}

// realServer serves a repository called payments.
func realServer(t *testing.T) searchserver.Options {
	t.Helper()
	dir := filepath.Join(canonical(t), "payments")
	write(t, dir, "pay/retry.go", "package pay\n\n// RetryPayment retries a payment with backoff.\nfunc RetryPayment(times int) int { return times }\n\n// Refund gives money back.\nfunc Refund() {}\n")
	git(t, filepath.Dir(dir), "init", "-q", "-b", "main", dir)
	git(t, dir, "add", "-A")
	git(t, dir, "-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-qm", "first")
	e := engineOf(t, openIndex(t, everything, dir), nil)
	server := e.SearchServer([]search.Hosted{{Name: "payments", Folder: dir, URL: "https://git.example.org/payments/blob/{commit}/{path}#L{line}"}})
	return searchserver.Options{Source: server, Repositories: server.Repositories, Label: server.Label, Backend: api.Local(e), AtOnce: 2}
}

// TestQuestionsGoElsewhere answers what nothing here answers with what the server has, and says so.
func TestQuestionsGoElsewhere(t *testing.T) {
	d := newDesk(t, serve(t, realServer(t)), token, time.Minute)
	ask := func(question string) *engine.QueryResult {
		t.Helper()
		result, err := d.engine.Query(t.Context(), engine.QueryRequest{Query: question}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return result
	}
	r := ask("where is CancelEverything defined?")
	if !r.Abstained || len(r.Citations) != 0 {
		t.Errorf("of what is nowhere: %s", r.Answer)
	}
	r = ask("where is Refund defined?")
	if len(r.Citations) == 0 || r.Citations[0].Repository != "payments" || r.Abstained || !strings.HasPrefix(r.Answer, "Nothing here answers this.") ||
		!strings.Contains(r.Answer, "`Refund` in payments:pay/retry.go:7") || !strings.Contains(r.Answer, "func Refund()") {
		t.Errorf("%d citations: %s", len(r.Citations), r.Answer)
	}
}

// TestBadServers has a search find what is here whatever a server does, and status say what is wrong with it.
func TestBadServers(t *testing.T) {
	answer := func(v any) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { _ = json.NewEncoder(w).Encode(v) }
	}
	good := func(path string) map[string]any {
		return map[string]any{
			"repository": "payments", "path": path, "by": []string{"full_text"}, "bm25": 9.0, "matched": []string{"retry"}, "index": 0,
			"chunk": map[string]any{"type": "function", "kind": "CODE_FUNCTION", "name": "Retry", "hash": "1"},
			"hit":   map[string]any{"type": "function", "kind": "CODE_FUNCTION", "name": "Retry", "text": "func Retry()", "range": map[string]any{}},
		}
	}
	found := func(candidates ...any) map[string]any {
		return map[string]any{"version": shared.Version, "overlay": true, "candidates": candidates, "corpus": map[string]any{"Docs": 1}}
	}
	endless := func(w http.ResponseWriter, _ *http.Request) {
		chunk := []byte(strings.Repeat(" ", 1<<16))
		for range (shared.MaxAnswer >> 16) + 2 {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	}
	for _, tt := range []struct {
		name, token string
		handler     http.HandlerFunc
		status      string // "" for a server that is used
		elsewhere   []string
	}{
		{"no server", token, http.NotFound, "there is no search server", nil},
		{"older", token, answer(map[string]any{"version": shared.Version - 1}), "the server is older", nil},
		{"newer", token, answer(map[string]any{"version": shared.Version + 1}), "the server is newer", nil},
		{"no JSON", token, answer("hello"), "no answer of a search server", nil},
		{"fewer than none", token, answer(map[string]any{"version": shared.Version, "overlay": true, "corpus": map[string]any{"Docs": -5}}), "fewer than no", nil},
		{"more than all", token, answer(map[string]any{"version": shared.Version, "overlay": true, "corpus": map[string]any{"Docs": 5, "Holds": map[string]int{"retry": 9}}}), "9 of 5", nil},
		{"endless", token, endless, "it sends more than", nil},
		{"elsewhere", token, http.RedirectHandler("http://169.254.169.254/", http.StatusFound).ServeHTTP, "not followed", nil},
		{"forgetful", token, answer(map[string]any{"version": shared.Version, "overlay": false}), "again and again", nil},
		{"paths that lead out", token, answer(found(good("../../etc/passwd"), good("/etc/passwd"), good(`..\x`), good("a/../../b"), good("C:/x"), good("a\nb"), good(""), good("ok/a.go"))), "", []string{"payments:ok/a.go"}},
		{"a script as address", token, answer(found(func() any { c := good("a.go"); c["url"] = "javascript:alert(1)"; return c }())), "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server := httptest.NewServer(tt.handler)
			t.Cleanup(server.Close)
			d := newDesk(t, server.URL, tt.token, time.Minute)
			places, notes := d.search("retry payment")
			if !slices.Contains(places, "here.go") || len(places) != 1+len(tt.elsewhere) {
				t.Errorf("found %q; notes %q", places, notes)
			}
			for _, want := range tt.elsewhere {
				if !slices.Contains(places, want) {
					t.Errorf("found %q without %s", places, want)
				}
			}
			if status := d.status(); tt.status == "" && status != "" || !strings.Contains(status, tt.status) || !strings.Contains(notes, tt.status) {
				t.Errorf("status %q, notes %q, want %q", status, notes, tt.status)
			}
			if tt.status != "" { // it is left alone now
				server.Close()
				if places, notes := d.search("retry payment"); len(places) != 1 || !strings.Contains(notes, tt.status) {
					t.Errorf("the second time found %q, notes %q", places, notes)
				}
			}
		})
	}
}

func TestWrongToken(t *testing.T) {
	d := newDesk(t, serve(t, realServer(t)), "not-the-token-that-it-knows", time.Minute)
	if places, notes := d.search("retry payment"); len(places) != 1 || !strings.Contains(notes, "refuses the token") || !strings.Contains(d.status(), "refuses the token") {
		t.Errorf("found %q, notes %q, status %q", places, notes, d.status())
	}
}

// TestSilentServer: neither a connection that is half open nor a late answer keeps a search waiting, and a caller that has seen it late
// goes on with what is here.
func TestSilentServer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			if _, err := l.Accept(); err != nil { // takes connections and says nothing
				return
			}
		}
	}()
	d := newDesk(t, "http://"+l.Addr().String(), token, time.Millisecond)
	if places, notes := d.search("retry payment"); len(places) != 1 || !strings.Contains(notes, shared.ErrLate.Error()) {
		t.Errorf("found %q, notes %q", places, notes)
	}
}

func TestExpiredCertificate(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: time.Now().Add(-24 * time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	server.StartTLS()
	t.Cleanup(server.Close)
	d := newDesk(t, server.URL, token, time.Minute)
	if places, notes := d.search("retry payment"); len(places) != 1 || !strings.Contains(notes, "expired") || !strings.Contains(d.status(), "must be valid") {
		t.Errorf("found %q, notes %q, status %q", places, notes, d.status())
	}
}

// TestShards asks a front server over two others, of which one breaks.
func TestShards(t *testing.T) {
	first, second := serve(t, realServer(t)), httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(second.Close)
	pool := &shared.Pool{}
	for _, address := range []string{first, second.URL} {
		client, err := shared.NewClient(address, token)
		if err != nil {
			t.Fatal(err)
		}
		pool.Shards = append(pool.Shards, &shared.Shard{Name: client.Address(), Source: client})
	}
	d := newDesk(t, serve(t, searchserver.Options{Source: pool, Failures: pool.Failures, AtOnce: 2}), token, time.Minute)
	for range 2 {
		places, notes := d.search("retry payment")
		if !slices.Equal(slices.Compact(slices.Sorted(slices.Values(places))), []string{"here.go", "payments:pay/retry.go"}) {
			t.Errorf("found %q", places)
		}
		if !strings.Contains(notes, "without "+second.URL) {
			t.Errorf("the notes do not name the shard that fails: %q", notes)
		}
	}
	if failures := pool.Failures(); len(failures) != 1 || !strings.HasPrefix(failures[0], second.URL) {
		t.Errorf("failures %q", failures)
	}
}

// TestOperations asks a server as programs do, and finds no path of its machine in what it says.
func TestOperations(t *testing.T) {
	o := realServer(t)
	address := serve(t, o)
	ask := func(method, path, body string) (int, string) {
		req, err := http.NewRequestWithContext(t.Context(), method, address+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+token)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, string(text)
	}
	for _, tt := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"POST", "/api/search", `{"query": "RetryPayment"}`, 200, `"repository":"payments"`},
		{"POST", "/api/related", `{"symbol": "RetryPayment"}`, 200, `"edges"`},
		{"POST", "/api/context", `{"query": "retry payment"}`, 200, "RetryPayment"},
		{"POST", "/api/context", `{"textDocument": {"uri": "file:///etc/passwd"}}`, 400, "knows no files of yours"},
		{"POST", "/api/search", `{"query": "x", "from": "/etc"}`, 400, "knows no files of yours"},
		{"POST", "/api/remember", `{"text": "x"}`, 404, ""},
		{"POST", "/api/search", `{"query": ` + strings.Repeat(" ", 5<<20), 413, "more than"},
		{"POST", "/shared/corpus", `{"version": 99}`, 409, "version 99"},
		{"GET", "/repositories", "", 200, `"name":"payments"`},
		{"GET", "/health", "", 200, "ok"},
	} {
		status, text := ask(tt.method, tt.path, tt.body)
		if status != tt.status || !strings.Contains(text, tt.want) {
			t.Errorf("%s %s %.60s: %d %.300s", tt.method, tt.path, tt.body, status, text)
		}
		if strings.Contains(text, "file://") || strings.Contains(text, "/tmp/") {
			t.Errorf("%s tells where files lie: %.300s", tt.path, text)
		}
	}
	resp, err := http.Get(address + "/repositories")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("without a token: %s", fmt.Sprint(resp.Status))
	}
}

// TestSecretsAreBlanked has neither a candidate nor an operation show a password of a repository.
func TestSecretsAreBlanked(t *testing.T) {
	dir := filepath.Join(canonical(t), "payments")
	const secret = "ghp_" + "0123456789abcdefABCDEF0123456789abcd"
	write(t, dir, "pay/token.go", "package pay\n\n// RetryToken retries.\nfunc RetryToken() string { return \""+secret+"\" }\n")
	e := engineOf(t, openIndex(t, everything, dir), nil)
	server := e.SearchServer([]search.Hosted{{Name: "payments", Folder: dir}})
	address := serve(t, searchserver.Options{Source: server, Repositories: server.Repositories, Label: server.Label, Backend: api.Local(e), AtOnce: 2})
	for _, request := range []struct{ path, body string }{
		{"/api/search", `{"query": "RetryToken", "text": true}`}, {"/api/context", `{"query": "RetryToken"}`},
		{shared.ProposePath, fmt.Sprintf(`{"version": %d, "query": "RetryToken", "overlay": %q}`, shared.Version, shared.Digest([]shared.Own{}))},
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address+request.path, strings.NewReader(request.body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+token)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(resp.Body)
		if err := cmp.Or(err, resp.Body.Close()); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "RetryToken") || strings.Contains(string(text), secret) {
			t.Errorf("%s: %s", request.path, text)
		}
	}
}
