package llm

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

const (
	windowWait   = 2 * time.Second
	maxListed    = 4 << 20 // bytes of a list of models
	ollamaWindow = 4096    // what Ollama gives a model unless it is told otherwise
)

// Windows knows how much the models of an endpoint can read. It serves several goroutines.
type Windows struct {
	endpoint Endpoint
	client   *http.Client

	mu    sync.Mutex
	asked map[string]int // by model

	shown sync.Mutex
	most  map[string]int // of Ollama's models: the largest window
}

// NewWindows returns the windows of an endpoint. It asks nothing yet.
func NewWindows(e Endpoint) *Windows {
	if complete, err := e.complete(); err == nil {
		e = complete
	}
	return &Windows{
		endpoint: e, asked: map[string]int{}, most: map[string]int{},
		client: &http.Client{Timeout: windowWait, Transport: &transport{next: http.DefaultTransport, headers: e.Headers}, CheckRedirect: refuseRedirect},
	}
}

// Of is the context window of a model in tokens, 0 when nobody tells; "" is the endpoint's own model. The endpoint is asked
// once for a model that is not known: servers that run models say how they were started. Ollama cuts prompts silently, so
// what it does not tell is taken for its usual window.
func (w *Windows) Of(ctx context.Context, model string) int {
	model = cmp.Or(model, w.endpoint.Model)
	local := Presets[w.endpoint.Preset].Free
	if known := KnownWindow(model); known > 0 && !local {
		return known
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if n, ok := w.asked[model]; ok {
		return n
	}
	n := w.ask(ctx, model)
	if n == 0 && w.endpoint.Preset == "ollama" {
		return ollamaWindow // until the model is loaded, and told of
	}
	w.asked[model] = n
	return n
}

// ask asks the endpoint.
func (w *Windows) ask(ctx context.Context, model string) int {
	root := strings.TrimSuffix(w.endpoint.BaseURL, "/v1")
	switch w.endpoint.Preset {
	case "ollama":
		loaded, most := w.ofOllama(ctx, model)
		return max(loaded, min(most, usualContext)) // as much as it is given by num_ctx
	case "llamacpp":
		var props struct {
			Settings struct {
				Window int `json:"n_ctx"`
			} `json:"default_generation_settings"`
		}
		if w.get(ctx, root+"/props", &props) && props.Settings.Window > 0 {
			return props.Settings.Window
		}
	}
	return w.listed(ctx, w.endpoint.BaseURL+"/models", model)
}

// ofOllama are the window that a model is loaded with, and the largest that it can be loaded with, in tokens; 0 when Ollama
// does not tell.
func (w *Windows) ofOllama(ctx context.Context, model string) (loaded, most int) {
	root := strings.TrimSuffix(w.endpoint.BaseURL, "/v1")
	w.shown.Lock()
	defer w.shown.Unlock()
	if most, ok := w.most[model]; ok {
		return 0, most
	}
	loaded = w.listed(ctx, root+"/api/ps", model)
	var show struct {
		Info map[string]any `json:"model_info"`
	}
	body, _ := json.Marshal(map[string]string{"model": model}) // a text always encodes
	if w.exchange(ctx, http.MethodPost, root+"/api/show", body, &show) {
		for name, value := range show.Info {
			if n, ok := value.(float64); ok && strings.HasSuffix(name, ".context_length") {
				most = max(most, int(n))
			}
		}
	}
	if most > 0 {
		w.most[model] = most
	}
	return loaded, most
}

// A listedModel is an entry of a list of models; each server has a name of its own for the window.
type listedModel struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	VLLM    int    `json:"max_model_len"`
	Router  int    `json:"context_length"` // OpenRouter, Ollama
	Studio  int    `json:"max_context_length"`
	Generic int    `json:"context_window"`
}

// listed looks a model up in a list.
func (w *Windows) listed(ctx context.Context, url, model string) int {
	var list struct {
		Data   []listedModel `json:"data"`
		Models []listedModel `json:"models"`
	}
	if !w.get(ctx, url, &list) {
		return 0
	}
	for _, m := range append(list.Data, list.Models...) {
		if m.ID == model || m.Name == model || m.Name == model+":latest" {
			return max(0, cmp.Or(m.VLLM, m.Router, m.Studio, m.Generic))
		}
	}
	return 0
}

// get reads JSON from the endpoint; ok is false when there is none.
func (w *Windows) get(ctx context.Context, url string, target any) (ok bool) {
	return w.exchange(ctx, http.MethodGet, url, nil, target)
}

func (w *Windows) exchange(ctx context.Context, method, url string, body []byte, target any) (ok bool) {
	request, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	if err != nil {
		return false
	}
	if w.endpoint.Key != "" {
		request.Header.Set("Authorization", "Bearer "+w.endpoint.Key)
	}
	if w.endpoint.isAnthropics() {
		newAnthropic(nil, w.endpoint).authorize(request)
	}
	response, err := w.client.Do(request)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	return response.StatusCode == http.StatusOK && json.NewDecoder(io.LimitReader(response.Body, maxListed)).Decode(target) == nil
}
