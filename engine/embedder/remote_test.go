package embedder

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/index/embed"
)

// An endpoint is a real HTTP server that answers as a script says, and rightly once the script has ended.
type endpoint struct {
	*httptest.Server
	mu     sync.Mutex
	script []answer
	asked  [][]string // texts of each request
	dims   int
	turned bool // gives vectors of another model
}

// An answer takes the place of the right one.
type answer func(e *endpoint, w http.ResponseWriter, req *http.Request, texts []string)

func serve(t *testing.T, script ...answer) *endpoint {
	t.Helper()
	e := &endpoint{script: script, dims: 8}
	e.Server = httptest.NewServer(http.HandlerFunc(e.handle))
	t.Cleanup(e.Close)
	return e
}

func (e *endpoint) handle(w http.ResponseWriter, req *http.Request) {
	var body struct {
		Input      []string `json:"input"`
		Model      string   `json:"model"`
		Dimensions int      `json:"dimensions"`
	}
	if err := json.NewDecoder(req.Body).Decode(&body); err != nil || req.URL.Path != "/v1/embeddings" || body.Model != "test-model" {
		http.Error(w, `{"error":{"message":"bad request of the test"}}`, http.StatusTeapot)
		return
	}
	e.mu.Lock()
	e.asked = append(e.asked, body.Input)
	var next answer
	if len(e.script) > 0 {
		next, e.script = e.script[0], e.script[1:]
	}
	e.mu.Unlock()
	if next != nil {
		next(e, w, req, body.Input)
		return
	}
	e.right(w, body.Input, func(i int) int { return i })
}

// requests returns the texts of every request so far.
func (e *endpoint) requests() [][]string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.asked)
}

// become makes the endpoint another model.
func (e *endpoint) become(dims int, turned bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.dims, e.turned = dims, turned
}

// pause takes the script away, and resume gives it back and forgets what was asked.
func (e *endpoint) pause() []answer {
	e.mu.Lock()
	defer e.mu.Unlock()
	script := e.script
	e.script = nil
	return script
}

func (e *endpoint) resume(script []answer) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.script, e.asked = script, nil
}

// right answers with the vectors of the texts, each with the index that number gives it; below 0 leaves it out.
func (e *endpoint) right(w io.Writer, texts []string, number func(int) int) {
	var data []map[string]any
	for i, text := range texts {
		if n := number(i); n >= 0 {
			data = append(data, map[string]any{"object": "embedding", "index": n, "embedding": e.vector(text)})
		}
	}
	slices.Reverse(data) // the order must not matter
	json.NewEncoder(w).Encode(map[string]any{"object": "list", "data": data})
}

// vector spreads a text over the dimensions.
func (e *endpoint) vector(text string) []float32 {
	e.mu.Lock()
	dims, turned := e.dims, e.turned
	e.mu.Unlock()
	v := make([]float32, dims)
	for i, b := range []byte(text) {
		v[(i+int(b))%dims] += float32(b)/512 - .1
	}
	if turned {
		slices.Reverse(v)
	}
	return v
}

func status(code int, headers ...string) answer {
	return func(_ *endpoint, w http.ResponseWriter, _ *http.Request, _ []string) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
		fmt.Fprintf(w, `{"error":{"message":"the script says %d for key sk-secret-of-the-test"}}`, code)
	}
}

func raw(body string) answer {
	return func(_ *endpoint, w http.ResponseWriter, _ *http.Request, _ []string) { io.WriteString(w, body) }
}

// without leaves texts out.
func without(left ...int) answer {
	number := func(i int) int {
		if slices.Contains(left, i) {
			return -1
		}
		return i
	}
	return func(e *endpoint, w http.ResponseWriter, _ *http.Request, texts []string) { e.right(w, texts, number) }
}

func withDimensions(dims int) answer {
	return func(e *endpoint, w http.ResponseWriter, _ *http.Request, texts []string) {
		other := &endpoint{dims: dims}
		other.right(w, texts, func(i int) int { return i })
	}
}

// connected returns an embedder that knows the endpoint, and the waits it would have made.
func connected(t *testing.T, e *endpoint, o Options) (*Remote, *[]time.Duration) {
	t.Helper()
	o.BaseURL, o.Model = e.URL+"/v1/", "test-model"
	r, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	var waits []time.Duration
	r.wait = func(ctx context.Context, d time.Duration) error {
		if d > 0 {
			waits = append(waits, d)
		}
		return ctx.Err()
	}
	script := e.pause()
	if err := r.Connect(context.Background()); err != nil {
		t.Fatal(err)
	}
	e.resume(script)
	waits = nil
	return r, &waits
}

func texts(list ...string) [][]byte {
	var all [][]byte
	for _, s := range list {
		all = append(all, []byte(s))
	}
	return all
}

// want are the vectors that the endpoint gives for texts.
func want(e *endpoint, list ...string) []embed.Vector {
	var all []embed.Vector
	for _, s := range list {
		all = append(all, quantise(e.vector(s)))
	}
	return all
}

func equal(a, b []embed.Vector) bool {
	return slices.EqualFunc(a, b, func(x, y embed.Vector) bool { return slices.Equal(x, y) })
}

// TestMisbehaviour scripts what endpoints do wrong and says what must come of it. A text of the answer that is "" must
// have no vector.
func TestMisbehaviour(t *testing.T) {
	all := []string{"alpha", "beta", "gamma", "delta"}
	tests := []struct {
		name     string
		script   []answer
		options  Options
		requests int
		waits    int
		failed   []int  // texts without a vector
		message  string // in the error
		cause    error
	}{
		{name: "well", requests: 1},
		{name: "busy once", script: []answer{status(503)}, requests: 2, waits: 1},
		{name: "limited twice", script: []answer{status(429, "Retry-After", "7"), status(429)}, requests: 3, waits: 2},
		{name: "busy for ever", script: []answer{status(503), status(503), status(503)}, requests: 3, waits: 2, failed: []int{0, 1, 2, 3}, message: "503"},
		{name: "limited for ever", script: []answer{status(429), status(429)}, options: Options{Attempts: 2}, requests: 2, waits: 1, failed: []int{0, 1, 2, 3}, message: "rate limit"},
		{name: "wrong key", script: []answer{status(401)}, requests: 1, failed: []int{0, 1, 2, 3}, message: "check the API key"},
		{name: "no such model", script: []answer{status(404)}, requests: 1, failed: []int{0, 1, 2, 3}, message: "name of the model"},
		{
			name: "half a batch, then the rest", requests: 2, waits: 1,
			script: []answer{without(0, 2)},
		},
		{
			name: "half a batch for ever", requests: 3, waits: 2, failed: []int{1}, cause: errMissing,
			script: []answer{without(1), raw(`{"data":[]}`), raw(`{"data":[]}`)},
		},
		{name: "nothing at all", script: []answer{raw(""), raw("{}")}, requests: 3, waits: 2},
		{name: "not JSON", script: []answer{raw("<html>Bad gateway</html>")}, requests: 2, waits: 1},
		{name: "NaN", script: []answer{raw(`{"data":[{"index":0,"embedding":[NaN,1,1,1,1,1,1,1]}]}`)}, requests: 2, waits: 1},
		{name: "beyond float32", script: []answer{raw(`{"data":[{"index":0,"embedding":[1e99,1,1,1,1,1,1,1]}]}`)}, requests: 2, waits: 1},
		{name: "more than asked", script: []answer{raw(`{"data":[` + strings.Repeat(`{"index":0,"embedding":[1]},`, 9) + `{"index":1,"embedding":[1]}]}`)}, requests: 2, waits: 1},
		{name: "index out of range", script: []answer{raw(`{"data":[{"index":44,"embedding":[1,1,1,1,1,1,1,1]}]}`)}, requests: 2, waits: 1},
		{name: "zeros", script: []answer{raw(`{"data":[{"index":2,"embedding":[0,0,0,0,0,0,0,0]}]}`)}, requests: 2, waits: 1, failed: []int{2}, message: "zeros"},
		{name: "wrong length", script: []answer{withDimensions(6)}, requests: 1, failed: []int{0, 1, 2, 3}, cause: errDimensions},
		{name: "too large together", script: []answer{status(413)}, requests: 3},
		{
			name: "one text refused", requests: 5, failed: []int{3}, message: "too long",
			script: []answer{status(400), nil, status(400), nil, status(400)},
		},
		{name: "batches", options: Options{Batch: 3}, requests: 2},
		{name: "second batch fails", options: Options{Batch: 3, Attempts: 1}, script: []answer{nil, status(500)}, requests: 2, failed: []int{3}, message: "500"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e := serve(t, test.script...)
			test.options.APIKey = "sk-secret-of-the-test"
			r, waits := connected(t, e, test.options)
			got, err := r.Embed(context.Background(), texts(all...))
			expected := want(e, all...)
			for _, i := range test.failed {
				expected[i] = nil
			}
			if !equal(got, expected) {
				t.Errorf("vectors %v, want %v", got, expected)
			}
			if len(e.requests()) != test.requests || len(*waits) != test.waits {
				t.Errorf("%d requests after %v, want %d with %d waits", len(e.requests()), *waits, test.requests, test.waits)
			}
			checkPartial(t, err, test.failed, test.message, test.cause)
		})
	}
}

// checkPartial checks which texts failed and how that is said.
func checkPartial(t *testing.T, err error, failed []int, message string, cause error) {
	t.Helper()
	if len(failed) == 0 {
		if err != nil {
			t.Errorf("error: %v", err)
		}
		return
	}
	var partial *embed.PartialError
	if !errors.As(err, &partial) || len(partial.Failed) != len(failed) {
		t.Fatalf("error %v, want one that names %v", err, failed)
	}
	for _, i := range failed {
		if partial.Failed[i] == nil {
			t.Errorf("text %d did not fail", i)
		}
	}
	if !strings.Contains(err.Error(), message) || cause != nil && !errors.Is(err, cause) {
		t.Errorf("error %q, want %q and %v in it", err, message, cause)
	}
	if strings.Contains(err.Error(), "sk-secret") {
		t.Errorf("the error holds the key: %v", err)
	}
}

func TestWaitsAsLongAsAsked(t *testing.T) {
	e := serve(t, status(429, "Retry-After", "7"), status(503), status(503))
	r, waits := connected(t, e, Options{Attempts: 4})
	if _, err := r.Embed(context.Background(), texts("alpha")); err != nil {
		t.Fatal(err)
	}
	w := *waits
	if len(w) != 3 || w[0] != 7*time.Second || w[1] < time.Second || w[1] > 2*time.Second || w[2] < 2*time.Second || w[2] > 4*time.Second {
		t.Errorf("waited %v, want 7 s, then 1 to 2 s, then 2 to 4 s", w)
	}
}

// TestGivesUpOnLongWaits meets an endpoint that asks for more patience than anybody has.
func TestGivesUpOnLongWaits(t *testing.T) {
	e := serve(t, status(429, "Retry-After", "3600"))
	r, waits := connected(t, e, Options{Attempts: 4, APIKey: "sk-secret-of-the-test"})
	_, err := r.Embed(context.Background(), texts("alpha"))
	checkPartial(t, err, []int{0}, "429", nil)
	if len(e.requests()) != 1 || len(*waits) != 0 {
		t.Errorf("%d requests after %v", len(e.requests()), *waits)
	}
}

// TestSlowEndpoint lets an endpoint hang until the client gives up, after long enough that both requests arrive on a busy machine.
func TestSlowEndpoint(t *testing.T) {
	hang := func(_ *endpoint, _ http.ResponseWriter, req *http.Request, _ []string) { <-req.Context().Done() }
	e := serve(t, hang, hang)
	r, _ := connected(t, e, Options{Timeout: time.Second, Attempts: 2})
	_, err := r.Embed(context.Background(), texts("alpha"))
	checkPartial(t, err, []int{0}, "longer than 1s", context.DeadlineExceeded)
	if len(e.requests()) != 2 {
		t.Errorf("%d requests", len(e.requests()))
	}
}

func TestCancelling(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	e := serve(t, func(_ *endpoint, _ http.ResponseWriter, req *http.Request, _ []string) {
		cancel()
		<-req.Context().Done()
	})
	r, _ := connected(t, e, Options{})
	if vectors, err := r.Embed(ctx, texts("alpha")); !errors.Is(err, context.Canceled) || vectors != nil {
		t.Errorf("got %v, %v", vectors, err)
	}
	if len(e.requests()) != 1 {
		t.Errorf("%d requests", len(e.requests()))
	}
}

func TestRepetitionSavesRequests(t *testing.T) {
	e := serve(t)
	r, _ := connected(t, e, Options{})
	got, err := r.Embed(context.Background(), texts("alpha", "", "beta", "alpha"))
	if expected := want(e, "alpha", "", "beta", "alpha"); err != nil || !equal(got, expected) {
		t.Errorf("got %v, %v, want %v", got, err, expected)
	}
	if len(e.requests()) != 1 || !slices.Equal(e.requests()[0], []string{"alpha", "beta"}) {
		t.Errorf("asked for %v", e.requests())
	}
}

func TestMemoryCacheForgetsWhatIsNotUsed(t *testing.T) {
	c := NewMemoryCache(4)
	key := func(i int) Key { return Key{byte(i)} }
	for i := range 10 {
		c.Put(key(i), embed.Vector{int8(i)})
		if _, ok := c.Get(key(0)); !ok {
			t.Fatalf("what is used at every step was forgotten at step %d", i)
		}
	}
	if _, ok := c.Get(key(1)); ok {
		t.Error("what was not used is still there")
	}
	if len(c.young)+len(c.old) > 4 {
		t.Errorf("%d vectors are kept", len(c.young)+len(c.old))
	}
}

func TestTextsAreScrubbedAndCut(t *testing.T) {
	e := serve(t)
	r, _ := connected(t, e, Options{})
	const key = "AKIAIOSFODNN7EXAMPLQ"
	if _, err := r.Embed(context.Background(), texts("id = \""+key+"\"", strings.Repeat("ä", maxTextBytes), "x"+strings.Repeat("ä", maxTextBytes))); err != nil {
		t.Fatal(err)
	}
	sent := e.requests()[0]
	if strings.Contains(sent[0], key) || !strings.Contains(sent[0], "id = ") {
		t.Errorf("sent %q", sent[0])
	}
	if sent[1] != strings.Repeat("ä", maxTextBytes/2) || sent[2] != "x"+strings.Repeat("ä", maxTextBytes/2-1) {
		t.Errorf("cut to %d and %d bytes", len(sent[1]), len(sent[2]))
	}
}

func TestIdentity(t *testing.T) {
	e := serve(t)
	r, _ := connected(t, e, Options{})
	first := r.Identity()
	if id := r.ID(); id.Model != "test-model" || id.Dimensions != 8 || id.Fingerprint == 0 {
		t.Errorf("ID %v", id)
	}
	noisy := first
	noisy.Probe = slices.Clone(first.Probe)
	noisy.Probe[0] = slices.Clone(first.Probe[0])
	noisy.Probe[0][0]++
	noisy.ID.Fingerprint = 42
	if again, _ := connected(t, e, Options{Previous: &noisy}); again.ID() != noisy.ID {
		t.Errorf("with a little noise the ID became %v", again.ID())
	}
	e.become(8, true)
	if other, _ := connected(t, e, Options{Previous: &first}); other.ID() == first.ID {
		t.Error("another model of the same length has the same ID")
	}
	e.become(6, true)
	if other, _ := connected(t, e, Options{Previous: &first}); other.ID() == first.ID {
		t.Error("a model of another length has the same ID")
	}
}

// Texts go nowhere but to the endpoint that was set.
func TestRedirectIsNotFollowed(t *testing.T) {
	elsewhere := serve(t)
	e := serve(t, func(_ *endpoint, w http.ResponseWriter, req *http.Request, _ []string) {
		http.Redirect(w, req, elsewhere.URL+req.URL.Path, http.StatusTemporaryRedirect)
	})
	r, err := New(Options{BaseURL: e.URL + "/v1", Model: "test-model", Attempts: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Connect(context.Background()); err == nil {
		t.Error("a redirect is an answer")
	}
	if len(elsewhere.asked) > 0 {
		t.Errorf("sent elsewhere: %q", elsewhere.asked)
	}
}

func TestConnectFails(t *testing.T) {
	e := serve(t, status(503))
	r, err := New(Options{BaseURL: e.URL + "/v1", Model: "test-model", Attempts: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.EmbedQuery(context.Background(), "alpha"); err == nil || !strings.Contains(err.Error(), "connect") {
		t.Errorf("error %v", err)
	}
	if v, err := r.EmbedQuery(context.Background(), "alpha"); err != nil || len(v) != 8 { // the next call asks again
		t.Errorf("got %v, %v", v, err)
	}
	asked := Options{BaseURL: e.URL + "/v1", Model: "test-model", Dimensions: 16, Attempts: 1}
	if r, err = New(asked); err != nil {
		t.Fatal(err)
	}
	if err := r.Connect(context.Background()); !errors.Is(err, errDimensions) {
		t.Errorf("with another length than asked for: %v", err)
	}
	e.Close()
	if err := r.Connect(context.Background()); err == nil || !strings.Contains(err.Error(), "is the endpoint running") {
		t.Errorf("with nobody there: %v", err)
	}
}

func TestPace(t *testing.T) {
	e := serve(t)
	r, waits := connected(t, e, Options{PerMinute: 60, Batch: 1})
	if _, err := r.Embed(context.Background(), texts("alpha", "beta", "gamma")); err != nil {
		t.Fatal(err)
	}
	if n := len(*waits); n != 3 || (*waits)[2] < 2*time.Second || (*waits)[2] > 3*time.Second {
		t.Errorf("waited %v, want three times, one second more each", *waits)
	}
}

func TestNewRefuses(t *testing.T) {
	for name, o := range map[string]Options{
		"no address": {Model: "m"}, "a file": {BaseURL: "file:///x", Model: "m"}, "no model": {BaseURL: "http://localhost"},
		"batch": {BaseURL: "http://localhost", Model: "m", Batch: 4096}, "dimensions": {BaseURL: "http://localhost", Model: "m", Dimensions: -1},
	} {
		if _, err := New(o); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
}
