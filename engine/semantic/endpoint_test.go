package semantic

import (
	"context"
	"encoding/json"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine/embedder"
	"github.com/aurora-sidecar/aurora/engine/enginetest"
)

func TestBackgroundRoundMakesVectors(t *testing.T) {
	w := enginetest.Open(t, enginetest.Shop)
	e := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		var body struct{ Input []string }
		if err := json.NewDecoder(req.Body).Decode(&body); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		var data []map[string]any
		for i := range body.Input {
			data = append(data, map[string]any{"index": i, "embedding": []float64{1, 0.5, 0}})
		}
		json.NewEncoder(w).Encode(map[string]any{"data": data})
	}))
	defer e.Close()
	remote, err := embedder.New(embedder.Options{BaseURL: e.URL, Model: "words"})
	if err != nil {
		t.Fatal(err)
	}
	f := New(Options{Index: w.Index, Log: slog.New(slog.DiscardHandler), Now: time.Now, Endpoint: &Embeddings{Remote: remote}, Background: true}).remote
	defer f.close()
	if err := f.rounds.Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
	if pic := f.snapshot.Load(); pic == nil || pic.missing != 0 || len(pic.refs) == 0 {
		t.Errorf("%+v", pic)
	}
}

func TestCosine(t *testing.T) {
	for _, tt := range []struct {
		a, b []int8
		want float64
	}{{[]int8{3, 4}, []int8{3, 4}, 1}, {[]int8{1, 0}, []int8{0, 1}, 0}, {[]int8{1}, []int8{1, 2}, 0}, {nil, nil, 0}} {
		if got := cosine(tt.a, tt.b); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("cosine of %v and %v is %v", tt.a, tt.b, got)
		}
	}
}
