package httpapi

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/memory/sqlite"
)

// FuzzRequests sends any body to each door of a program that has the token. Each answer is JSON, and none blames the server.
func FuzzRequests(f *testing.F) {
	paths := []string{"/rpc", "/query_context", "/add_context", "/tools/search", "/tools/related", "/api/search", "/api/context", "/api/files"}
	for i := range paths {
		f.Add(byte(i), `{"query": "Total", "q": "Total", "path": "a.go"}`)
		f.Add(byte(i), `[{"jsonrpc": "2.0", "id": 1, "method": "search", "params": {"query": "Total"}}, 5, {"jsonrpc": "2.0"}]`)
	}
	handler := fuzzedService(f).handler(token, nil)
	f.Fuzz(func(t *testing.T, which byte, body string) {
		path := paths[int(which)%len(paths)]
		request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1"+path, strings.NewReader(body))
		request.Header.Set("Authorization", "Bearer "+token)
		request.Header.Set("Content-Type", "application/json")
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
		if answer.Code >= http.StatusInternalServerError {
			t.Errorf("%s %q: %d %s", path, body, answer.Code, answer.Body)
		}
		if text := answer.Body.Bytes(); len(text) > 0 && !json.Valid(text) {
			t.Errorf("%s %q: %s is no JSON", path, body, text)
		}
	})
}

func fuzzedService(f *testing.F) *Service {
	f.Helper()
	dir := f.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte("package a\n\nfunc Total() {}\n"), 0o600); err != nil {
		f.Fatal(err)
	}
	ix, err := index.Open(f.Context(), index.Options{Folders: []string{dir}, NoWatch: true})
	if err != nil {
		f.Fatal(err)
	}
	store, err := sqlite.OpenMemory(f.Context(), sqlite.Options{})
	if err != nil {
		f.Fatal(err)
	}
	e := engine.New(engine.Options{Index: ix, Memory: store, Version: "test"})
	f.Cleanup(func() {
		if err := errors.Join(e.Close(), ix.Shutdown(), store.Close()); err != nil {
			f.Error(err)
		}
	})
	service, err := Embedded(e, dir)
	if err != nil {
		f.Fatal(err)
	}
	return service
}
