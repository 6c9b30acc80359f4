package mcp

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const testToken = "0123456789abcdef0123456789abcdef"

// serveHTTP starts the door and returns its URL.
func (w *world) serveHTTP() string {
	w.Helper()
	l, err := Listen(w.Context(), "127.0.0.1:0")
	if err != nil {
		w.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- w.server.ServeHTTP(ctx, l, testToken) }()
	w.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			w.Errorf("the end of the HTTP door: %v", err)
		}
	})
	return "http://" + l.Addr().String()
}

// bearing sends a token with each request.
type bearing string

func (b bearing) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

func (w *world) connectHTTP(url, token string) (*sdk.ClientSession, error) {
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	return client.Connect(w.Context(), &sdk.StreamableClientTransport{
		Endpoint: url, HTTPClient: &http.Client{Transport: bearing(token)}, MaxRetries: -1,
	}, nil)
}

func TestHTTP(t *testing.T) {
	w := newServerWorld(t, "")
	url := w.serveHTTP()
	var err error
	if w.client, err = w.connectHTTP(url, testToken); err != nil {
		t.Fatal(err)
	}
	defer w.client.Close()
	w.must("search", args{"query": "TotalPrice"}, "cart/cart.go:5-11")
	second, err := w.connectHTTP(url, testToken)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if _, err := second.ListTools(t.Context(), nil); err != nil {
		t.Error(err)
	}
	if stranger, err := w.connectHTTP(url, "wrong"); err == nil {
		stranger.Close()
		t.Error("a wrong token was let in")
	}
}

func TestHTTPRefuses(t *testing.T) {
	w := newServerWorld(t, "")
	url := w.serveHTTP()
	const initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`
	for name, tt := range map[string]struct {
		header map[string]string
		host   string
		body   string
		want   int
	}{
		"all in order":                  {map[string]string{"Authorization": "Bearer " + testToken}, "", initialize, 200},
		"another port of this machine":  {map[string]string{"Authorization": "bearer " + testToken, "Origin": "http://localhost:3000"}, "", initialize, 403},
		"no token":                      {nil, "", initialize, 401},
		"a wrong token":                 {map[string]string{"Authorization": "Bearer 0123456789abcdef0123456789abcdeX"}, "", initialize, 401},
		"a prefix of the token":         {map[string]string{"Authorization": "Bearer " + testToken[:20]}, "", initialize, 401},
		"the token in another scheme":   {map[string]string{"Authorization": "Basic " + testToken}, "", initialize, 401},
		"another host (DNS rebinding)":  {map[string]string{"Authorization": "Bearer " + testToken}, "evil.example:80", initialize, 403},
		"a host that begins like one":   {map[string]string{"Authorization": "Bearer " + testToken}, "127.0.0.1.evil.example", initialize, 403},
		"a web page of another origin":  {map[string]string{"Authorization": "Bearer " + testToken, "Origin": "https://evil.example"}, "", initialize, 403},
		"a sandboxed page":              {map[string]string{"Authorization": "Bearer " + testToken, "Origin": "null"}, "", initialize, 403},
		"an origin that begins like us": {map[string]string{"Authorization": "Bearer " + testToken, "Origin": "http://localhost.evil.example"}, "", initialize, 403},
		"a form of a page":              {map[string]string{"Authorization": "Bearer " + testToken, "Content-Type": "text/plain"}, "", initialize, 415},
		"no JSON":                       {map[string]string{"Authorization": "Bearer " + testToken}, "", "hello", 400},
		"more than 8 MiB":               {map[string]string{"Authorization": "Bearer " + testToken}, "", strings.Repeat("x", maxMessage+1), 413},
	} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(tt.body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Accept", "application/json, text/event-stream")
		for key, value := range tt.header {
			request.Header.Set(key, value)
		}
		request.Host = tt.host
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		body, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if response.StatusCode != tt.want {
			t.Errorf("%s: status %d, want %d: %s", name, response.StatusCode, tt.want, body)
		}
	}
}

func TestListenOnlyHere(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:0", "example.com:0", "127.0.0.1", "localhost.evil.example:0"} {
		if l, err := Listen(t.Context(), address); err == nil {
			l.Close()
			t.Errorf("%s is served", address)
		}
	}
	l, err := Listen(t.Context(), "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	if !l.Addr().(*net.TCPAddr).IP.IsLoopback() {
		t.Errorf("localhost is %s", l.Addr())
	}
	w := newServerWorld(t, "")
	if err := w.server.ServeHTTP(t.Context(), l, "short"); err == nil {
		t.Error("a short token was taken")
	}
	if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("the port is open still: %v", err)
	}
}
