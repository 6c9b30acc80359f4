package httpapi

import (
	"bytes"
	"context"
	_ "embed" // openapi.json
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/loopback"
	"github.com/aurora-sidecar/aurora/mcp"
)

// Limits of the door.
const (
	maxBody     = 8 << 20 // bytes of a request
	maxAtOnce   = 32      // requests at a time; more are asked to come again
	requestTime = time.Minute
)

// errNoMethod is that of a method or tool that does not exist.
var errNoMethod = errors.New("there is no such method")

// A methodError is errNoMethod with the name, and with what to do.
type methodError struct{ fault *engine.Error }

func noMethod(name string) error {
	return methodError{&engine.Error{
		Kind: engine.NotFound, Message: fmt.Sprintf("%v: %.60q", errNoMethod, name), Remedy: "GET /openapi.json lists what /api has; docs/http.md tells of /tools and /rpc.",
	}}
}

func (e methodError) Error() string   { return e.fault.Message }
func (e methodError) Unwrap() []error { return []error{errNoMethod, e.fault} }

// Serve serves a Service until ctx ends, and closes the listener. Requests carry the token as "Authorization: Bearer
// TOKEN" or as "X-API-Key: TOKEN".
func Serve(ctx context.Context, l net.Listener, s *Service, token string, log *slog.Logger) error {
	if len(token) < loopback.MinToken {
		return errors.Join(invalid("token", fmt.Sprintf("the token has fewer than %d bytes", loopback.MinToken), "Leave it out: one is made."), l.Close())
	}
	return loopback.Serve(ctx, l, s.handler(token, log))
}

func (s *Service) handler(token string, log *slog.Logger) http.Handler {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	d := &door{service: s, log: log, room: make(chan struct{}, maxAtOnce)}
	guarded := http.NewServeMux()
	guarded.HandleFunc("POST /add_context", d.method("add_context"))
	guarded.HandleFunc("POST /delete_context", d.method("delete_context"))
	guarded.HandleFunc("POST /query_context", d.method("query_context"))
	guarded.HandleFunc("POST /tools/{name}", func(w http.ResponseWriter, r *http.Request) { d.method(r.PathValue("name"))(w, r) })
	guarded.HandleFunc("GET /stats", d.method("stats"))
	guarded.HandleFunc("GET /status", d.method("status"))
	guarded.HandleFunc("POST /rpc", d.rpc)
	guarded.HandleFunc("POST /api/{name}", d.operation)
	guarded.HandleFunc("GET /openapi.json", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, http.StatusOK, json.RawMessage(openAPI))
	})
	all := http.NewServeMux()
	all.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, http.StatusOK, map[string]string{"status": "ok"})
	})
	all.Handle("/", apiKey(loopback.Bearer(token, d.limit(guarded))))
	return all
}

// apiKey takes the token from the header X-API-Key, too.
func apiKey(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if key := r.Header.Get("X-API-Key"); key != "" && r.Header.Get("Authorization") == "" {
			r.Header.Set("Authorization", "Bearer "+key)
		}
		next.ServeHTTP(w, r)
	})
}

// A door is the HTTP side of a Service.
type door struct {
	service *Service
	log     *slog.Logger
	room    chan struct{}
}

// limit bounds how many requests run, how large they are and how long they take, and contains a panic. A request runs once
// its body is there, so that one that sends slowly takes nobody's place.
func (d *door) limit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		var long *http.MaxBytesError
		switch {
		case errors.As(err, &long):
			reply(w, http.StatusRequestEntityTooLarge, failure{"invalid", fmt.Sprintf("the request has more than %d bytes", long.Limit), "", "Send less."}.body())
			return
		case err != nil: // it hung up or was too slow
			reply(w, http.StatusRequestTimeout, failure{"timeout", "the body of the request did not arrive in time", "", "Send it at once."}.body())
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		select {
		case d.room <- struct{}{}:
			defer func() { <-d.room }()
		default:
			w.Header().Set("Retry-After", "1")
			reply(w, http.StatusServiceUnavailable, failure{"busy", fmt.Sprintf("%d requests run already", maxAtOnce), "", "Try again in a second."}.body())
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), d.service.limit)
		defer cancel()
		defer func() {
			if p := recover(); p != nil {
				d.log.Error("a request panicked", "path", r.URL.Path, "panic", p, "stack", string(debug.Stack()))
				reply(w, http.StatusInternalServerError, failure{"error", "the request failed; the log has the details", "", "Tell the user to run: aurora doctor"}.body())
			}
		}()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// openAPI describes the operations. It is generated from them.
//
//go:embed openapi.json
var openAPI []byte

// method answers a REST request by a method of the service.
func (d *door) method(name string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		d.answer(w, r, name, func(body []byte) (any, error) { return d.service.call(r.Context(), name, body) })
	}
}

// operation carries out an operation of the registry.
func (d *door) operation(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	d.answer(w, r, name, func(body []byte) (any, error) { return d.service.Operation(r.Context(), name, body) })
}

// answer runs what a request asks for, and writes what comes of it.
func (d *door) answer(w http.ResponseWriter, r *http.Request, name string, run func(body []byte) (any, error)) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // never: limit has read it
	}
	result, err := run(body)
	if err != nil {
		d.log.Info("a request failed", "method", name, "err", err)
		reply(w, statusOf(err), describe(err).body())
		return
	}
	reply(w, http.StatusOK, result)
}

// A failure is an error as clients read it.
type failure struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
	Detail  string `json:"detail,omitempty"`
	Next    string `json:"next,omitempty"`
}

func describe(err error) failure {
	kind, message, detail, next := mcp.Describe(err)
	return failure{kind, message, detail, next}
}

func (f failure) body() any { return map[string]failure{"error": f} }

func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(v) // the client hung up
}
