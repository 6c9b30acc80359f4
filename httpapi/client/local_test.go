package client

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// Local takes address, time and attempts from the settings; an engine that is busy is asked as often as they say.
func TestLocal(t *testing.T) {
	for _, key := range []string{"AURORA_HTTP_TOKEN", "AURORA_CONFIG", "XDG_CONFIG_HOME"} {
		t.Setenv(key, "")
	}
	home := t.TempDir()
	t.Setenv("AURORA_HOME", home)
	var asked atomic.Int32
	busy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if r.Header.Get("Authorization") != "Bearer secret-of-this-test" {
			t.Errorf("token %q", r.Header.Get("Authorization"))
		}
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	defer busy.Close()
	_, port, err := net.SplitHostPort(busy.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	settings := func(http string) {
		if err := os.WriteFile(filepath.Join(home, "config.json"), []byte(`{"http": `+http+`}`), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	settings(`{"host": "127.0.0.1", "port": ` + port + `}`)
	if _, err := Local(); err == nil || !strings.Contains(err.Error(), "aurora serve --http default") {
		t.Errorf("without a token: %v", err)
	}
	if err := os.WriteFile(filepath.Join(home, "http-token"), []byte("secret-of-this-test\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Local()
	if err != nil || c.Timeout != requestTimeout {
		t.Fatalf("%+v, %v", c, err)
	}
	if _, err := c.QueryContext(t.Context(), Query{Q: "x"}); !Unavailable(err) || asked.Load() != 1+retries {
		t.Errorf("asked %d times, %v", asked.Load(), err)
	}
	for bad, says := range map[string]string{`{"port": 0}`: "set http.port"} {
		settings(bad)
		if _, err := Local(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
