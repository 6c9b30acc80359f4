package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/embedder"
	"github.com/aurora-sidecar/aurora/index/embed"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// A wordEndpoint is a real HTTP server whose vectors count words, so that texts with the same words are near. synonyms have
// one place in the vector.
type wordEndpoint struct {
	*httptest.Server
	mu       sync.Mutex
	texts    []string
	down     bool
	dims     int
	salt     string // another one is another model
	synonyms map[string]string
	refuses  string // requests with a text that holds it are bad; "" takes all
}

func serveWords(t *testing.T) *wordEndpoint {
	e := &wordEndpoint{dims: 64, synonyms: map[string]string{"levy": "tax"}}
	e.Server = httptest.NewServer(http.HandlerFunc(e.handle))
	t.Cleanup(e.Close)
	return e
}

func (e *wordEndpoint) handle(w http.ResponseWriter, req *http.Request) {
	var body struct {
		Input []string `json:"input"`
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := json.NewDecoder(req.Body).Decode(&body); err != nil || e.down {
		http.Error(w, `{"error":{"message":"closed for today"}}`, http.StatusForbidden)
		return
	}
	if e.refuses != "" && strings.Contains(strings.Join(body.Input, "\n"), e.refuses) {
		http.Error(w, `{"error":{"message":"one input is too long"}}`, http.StatusBadRequest)
		return
	}
	type item struct {
		Index     int       `json:"index"`
		Embedding []float64 `json:"embedding"`
	}
	var data []item
	for i, s := range body.Input {
		e.texts = append(e.texts, s)
		data = append(data, item{i, e.vector(s)})
	}
	json.NewEncoder(w).Encode(map[string]any{"data": data})
}

func (e *wordEndpoint) vector(s string) []float64 {
	v := make([]float64, e.dims)
	v[0] = 0.01
	for _, word := range text.Tokenize(s) {
		if other, ok := e.synonyms[word]; ok {
			word = other
		}
		h := fnv.New32a()
		h.Write([]byte(e.salt + word))
		v[h.Sum32()%uint32(e.dims)] += 1
	}
	return v
}

func (e *wordEndpoint) asked() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.texts)
}

// withEndpoint gives the engine of w the endpoint, as a new process would.
func (w *testWorkspace) withEndpoint(e *wordEndpoint, dir string, reindex bool) *Engine {
	w.Helper()
	before, err := embedder.LoadIdentity(dir)
	if err != nil {
		w.Fatal(err)
	}
	remote, err := embedder.New(embedder.Options{BaseURL: e.URL, Model: "words", Attempts: 1, Previous: before})
	if err != nil {
		w.Fatal(err)
	}
	opts := w.engine.opts
	opts.Embeddings = &Embeddings{Remote: remote, Dir: dir, Reindex: reindex, Batch: 2}
	opts.CollectGit = false
	engine := New(opts)
	w.Cleanup(func() {
		if err := engine.Close(); err != nil {
			w.Error(err)
		}
	})
	return engine
}

func TestEndpointVectorsAnswerSearches(t *testing.T) {
	w, e, dir := openWorkspace(t, shop), serveWords(t), filepath.Join(t.TempDir(), "vectors")
	engine := w.withEndpoint(e, dir, true)
	ctx := context.Background()

	early, err := engine.Search(ctx, SearchRequest{Query: "add the levy", Unjudged: true})
	if err != nil || !strings.Contains(strings.Join(early.Notes, " "), "no vector of the endpoint yet") {
		t.Fatalf("before there are vectors: %v, notes %q", err, early.Notes)
	}
	counts, err := engine.MigrateEmbeddings(ctx, false, nil)
	if err != nil || counts.Made == 0 || counts.Made != counts.Chunks || counts.Failed != 0 {
		t.Fatalf("%+v, %v", counts, err)
	}
	found, err := engine.Search(ctx, SearchRequest{Query: "add the levy", Unjudged: true})
	if err != nil || len(found.Hits) == 0 || len(found.Notes) != 0 || !strings.HasPrefix(found.Index.Embedder, "words/64/") {
		t.Fatalf("%v, notes %q, %+v", err, found.Notes, found.Index)
	}
	if !strings.Contains(strings.Join(names(found.Hits), " "), "WithTax") {
		t.Errorf("what means the same was not found: %v", names(found.Hits))
	}

	meant, err := engine.Search(ctx, SearchRequest{Query: "what is the levy", Unjudged: true}) // no text has a word of it
	if err != nil || len(meant.Hits) == 0 || !slices.Contains(meant.Notes, "No keyword matches found, falling back to semantic search") {
		t.Errorf("by meaning alone: %v, notes %q, %v", names(meant.Hits), meant.Notes, err)
	}

	sent := e.asked()
	again := w.withEndpoint(e, dir, true) // another process
	if counts, err = again.MigrateEmbeddings(ctx, false, nil); err != nil || counts.Made != 0 {
		t.Errorf("made again: %+v, %v", counts, err)
	}
	if got := e.asked() - sent; got != len(embed.Probe()) {
		t.Errorf("%d texts were sent again, want the probe alone", got)
	}
}

// TestSearchFallsBackOnMeaning asks for a word that no text has.
func TestSearchFallsBackOnMeaning(t *testing.T) {
	w, e := openWorkspace(t, shop), serveWords(t)
	e.synonyms = map[string]string{"zollzuschlag": "tax", "xylophone": "add"}
	engine := w.withEndpoint(e, "", true)
	if _, err := engine.MigrateEmbeddings(t.Context(), false, nil); err != nil {
		t.Fatal(err)
	}
	found, err := engine.Search(t.Context(), SearchRequest{Query: "xylophone zollzuschlag", Unjudged: true})
	if err != nil || len(found.Hits) == 0 {
		t.Fatalf("%v, notes %q", err, found.Notes)
	}
	if !slices.Contains(found.Notes, "No keyword matches found, falling back to semantic search") {
		t.Errorf("notes %q", found.Notes)
	}
	for _, h := range found.Hits {
		if h.Scores.BM25 != nil || h.Scores.Semantic == nil {
			t.Errorf("%s has the scores %+v", h.ID, h.Scores)
		}
	}
}

func TestEndpointThatFailsCostsItsVectorsOnly(t *testing.T) {
	w, e := openWorkspace(t, shop), serveWords(t)
	e.down = true
	engine := w.withEndpoint(e, "", true)
	for range 2 {
		found, err := engine.Search(context.Background(), SearchRequest{Query: "add the tax to a price"})
		if err != nil || len(found.Hits) == 0 {
			t.Fatalf("%v", err)
		}
		notes := strings.Join(found.Notes, " ")
		if !strings.Contains(notes, "closed for today") || !strings.Contains(notes, "only words were searched") {
			t.Errorf("notes %q", found.Notes)
		}
	}
	if e.asked() != 0 {
		t.Error("a text was taken")
	}
	if _, err := engine.MigrateEmbeddings(context.Background(), false, nil); err == nil {
		t.Error("nothing was wrong with a dead endpoint")
	}
}

// TestOneBadTextCostsItsOwnVector holds that a chunk that the endpoint refuses is named in the log, and the others have
// vectors.
func TestOneBadTextCostsItsOwnVector(t *testing.T) {
	w, e := openWorkspace(t, shop), serveWords(t)
	e.refuses = ") AddItem(item Item) {" // not the last chunk of its file: a batch of it alone would be an endpoint that fails
	var log strings.Builder
	w.rewire(func(o *Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	engine := w.withEndpoint(e, filepath.Join(t.TempDir(), "vectors"), true)
	counts, err := engine.MigrateEmbeddings(context.Background(), false, nil)
	if err != nil || counts.Failed != 1 || counts.Made != counts.Chunks-1 {
		t.Fatalf("%+v, %v", counts, err)
	}
	for _, want := range []string{
		"level=WARN", "Failed to generate embedding for chunk code:cart/cart.go:Cart.AddItem: ", "one input is too long",
		fmt.Sprintf("Indexed %d/%d chunks (1 failed)", counts.Made, counts.Chunks),
	} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("%q is missing in the log:\n%s", want, log.String())
		}
	}
	found, err := engine.Search(context.Background(), SearchRequest{Query: "AddItem"})
	if err != nil || len(found.Hits) == 0 || found.Hits[0].Name != "AddItem" {
		t.Errorf("what has no vector is not found by its words: %v, %v", names(found.Hits), err)
	}
}

func TestChangedEndpointModel(t *testing.T) {
	w, e, dir := openWorkspace(t, shop), serveWords(t), filepath.Join(t.TempDir(), "vectors")
	ctx := context.Background()
	if _, err := w.withEndpoint(e, dir, false).MigrateEmbeddings(ctx, false, nil); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(){"dimensions": func() { e.dims = 32 }, "model": func() { e.salt = "other" }} {
		change()
		engine := w.withEndpoint(e, dir, false)
		_, err := engine.MigrateEmbeddings(ctx, false, nil)
		var refused *Error
		if !errors.As(err, &refused) || refused.Kind != Embedding || refused.Remedy == "" {
			t.Errorf("%s changed: %v", name, err)
		}
		found, err := engine.Search(ctx, SearchRequest{Query: "add the tax"})
		if err != nil || len(found.Hits) == 0 || !strings.Contains(strings.Join(found.Notes, " "), "the vectors are of words/64/") {
			t.Errorf("%s changed: search %v, notes %q", name, err, found.Notes)
		}
	}
	counts, err := w.withEndpoint(e, dir, false).MigrateEmbeddings(ctx, true, nil)
	if err != nil || counts.Made != counts.Chunks || counts.Removed != 1 {
		t.Errorf("rebuild: %+v, %v", counts, err)
	}
	e.salt = "third"
	counts, err = w.withEndpoint(e, dir, true).MigrateEmbeddings(ctx, false, nil)
	if err != nil || counts.Made != counts.Chunks {
		t.Errorf("reindex on change: %+v, %v", counts, err)
	}
}

func TestEndpointGetsNoSecrets(t *testing.T) {
	w, e := openWorkspace(t, map[string]string{
		"a.go": "package a\n\n// Key opens the door.\nfunc Key() string {\n\tapi_key := \"sk-" + "proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD\"\n\treturn api_key\n}\n",
	}), serveWords(t)
	if _, err := w.withEndpoint(e, "", true).MigrateEmbeddings(context.Background(), false, nil); err != nil {
		t.Fatal(err)
	}
	if all := strings.Join(e.texts, "\n"); strings.Contains(all, "abcdefghijklmnop") || !strings.Contains(all, "Key") {
		t.Errorf("sent:\n%s", all)
	}
}
