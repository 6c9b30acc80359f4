package loopback

import (
	"encoding/json"
	"net/http"
	"strings"
)

// JSONErrors makes JSON of the errors that handlers write as plain text, such as those of a mux and of Bearer, so that a
// client reads all errors alike: {"error": {"kind", "message", "next"}}.
func JSONErrors(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(&errorWriter{ResponseWriter: w}, r) })
}

// An errorWriter rewrites what is written after the header of a plain error.
type errorWriter struct {
	http.ResponseWriter
	kind string // of the error; "" for anything else
}

// kinds are those of errors by their status; of others the kind is http.
var kinds = map[int]string{
	http.StatusUnauthorized: "unauthorized", http.StatusForbidden: "forbidden", http.StatusNotFound: "notFound", http.StatusMethodNotAllowed: "method",
	http.StatusUnsupportedMediaType: "mediaType",
}

// WriteHeader implements http.ResponseWriter.
func (w *errorWriter) WriteHeader(status int) {
	if status >= 400 && strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		if w.kind = kinds[status]; w.kind == "" {
			w.kind = "http"
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Del("Content-Length")
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements io.Writer.
func (w *errorWriter) Write(p []byte) (int, error) {
	if w.kind == "" {
		return w.ResponseWriter.Write(p)
	}
	body, err := json.Marshal(map[string]any{"error": map[string]string{
		"kind": w.kind, "message": strings.TrimSpace(string(p)), "next": "See GET /openapi.json, and docs/http.md.",
	}})
	if err != nil {
		return 0, err
	}
	if _, err := w.ResponseWriter.Write(body); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush implements http.Flusher.
func (w *errorWriter) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

// Unwrap is for http.ResponseController.
func (w *errorWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
