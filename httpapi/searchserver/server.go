package searchserver

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/search/shared"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/loopback"
	"github.com/aurora-sidecar/aurora/internal/obs/metrics"
	"github.com/aurora-sidecar/aurora/internal/scrub"
)

// Limits of the server.
const (
	maxBody       = 4 << 20 // bytes of a request
	headerTime    = 10 * time.Second
	bodyTime      = 10 * time.Second
	workTime      = 10 * time.Second
	writeTime     = 30 * time.Second // from the end of the header on
	idleTime      = 5 * time.Minute
	queueTime     = 2 * time.Second // that a request waits for its turn
	maxWaiting    = 512
	closeGrace    = 3 * time.Second
	maxHeaderSize = 32 << 10
)

// Options say what is served.
type Options struct {
	Source       shared.Source
	Repositories func(context.Context) []shared.Repository
	Label        func(abs string) (repository, path string, ok bool) // of a file of a repository
	Backend      api.Backend                                         // of the operations; nil when this process has no repositories
	Tokens       *Tokens
	Metrics      *metrics.Set // nil counts nothing
	AtOnce       int          // requests that work at a time
	Log          *slog.Logger
	Failures     func() []string // of shards; may be nil
	Version      string
}

// operations are those that a server carries out.
var operations = []*api.Operation{api.Search.Operation, api.Related.Operation, api.Context.Operation, api.Languages.Operation}

// A server is the handler of all requests.
type server struct {
	Options
	turns   chan struct{}
	waiting chan struct{}
}

// Handler serves the requests that docs/team.md lists.
func Handler(o Options) http.Handler {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &server{Options: o, turns: make(chan struct{}, max(1, o.AtOnce)), waiting: make(chan struct{}, maxWaiting)}
	work := http.NewServeMux()
	work.HandleFunc("POST "+shared.CorpusPath, s.shared("corpus", o.Source.Corpus))
	work.HandleFunc("POST "+shared.ProposePath, s.shared("propose", o.Source.Propose))
	if o.Backend != nil {
		for _, op := range operations {
			work.HandleFunc("POST /api/"+op.Name, s.operation(op))
		}
	}
	all := http.NewServeMux()
	all.HandleFunc("GET /health", s.health)
	all.Handle("GET /metrics", o.Tokens.Require(o.Metrics.Handler()))
	all.Handle("GET "+shared.ListPath, o.Tokens.Require(http.HandlerFunc(s.list)))
	all.Handle("/", o.Tokens.Require(s.limit(work)))
	return loopback.JSONErrors(all)
}

// Serve serves until ctx ends, and closes the listener. Without a certificate it is plain HTTP.
func Serve(ctx context.Context, l net.Listener, h http.Handler, certificate func(*tls.ClientHelloInfo) (*tls.Certificate, error)) error {
	srv := &http.Server{
		Handler: h, ReadHeaderTimeout: headerTime, WriteTimeout: writeTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeaderSize,
		ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug),
	}
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(ended)
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeGrace)
		defer cancel()
		if srv.Shutdown(closing) != nil {
			_ = srv.Close()
		}
	})
	var err error
	if certificate != nil {
		srv.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: certificate}
		err = srv.ServeTLS(l, "", "")
	} else {
		err = srv.Serve(l)
	}
	if stop() {
		return fmt.Errorf("serve: %w", err)
	}
	<-ended
	return nil
}

// health says that the server is there. Without a token it tells nothing else.
func (s *server) health(w http.ResponseWriter, _ *http.Request) {
	reply(w, http.StatusOK, map[string]string{"status": "ok"})
}

// list tells what is searched.
func (s *server) list(w http.ResponseWriter, r *http.Request) {
	answer := shared.Listing{Version: s.Version, Protocol: shared.Version, Repositories: []shared.Repository{}, Failures: []string{}}
	if s.Repositories != nil {
		answer.Repositories = s.Repositories(r.Context())
	}
	if s.Failures != nil {
		answer.Failures = append(answer.Failures, s.Failures()...)
	}
	reply(w, http.StatusOK, answer)
}

// shared answers one of the two requests of a search.
func (s *server) shared(name string, answer func(context.Context, *shared.Request) (*shared.Answer, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		status := func() int {
			request := &shared.Request{}
			if err := json.NewDecoder(r.Body).Decode(request); err != nil {
				return s.fail(w, name, &engine.Error{Kind: engine.Invalid, Message: "the request can't be read: " + err.Error(), Remedy: "Send a JSON object."})
			}
			var version *shared.VersionError
			switch err := request.Check(); {
			case errors.As(err, &version):
				reply(w, http.StatusConflict, map[string]any{"version": shared.Version, "error": describe(&engine.Error{
					Kind: engine.Invalid, Message: fmt.Sprintf("the client speaks version %d, this server %d", request.Version, shared.Version), Remedy: "Update the older of the two.",
				})})
				return http.StatusConflict
			case err != nil:
				return s.fail(w, name, &engine.Error{Kind: engine.Invalid, Message: err.Error(), Remedy: "See docs/team.md."})
			}
			result, err := answer(r.Context(), request)
			if err != nil {
				return s.fail(w, name, err)
			}
			reply(w, http.StatusOK, result)
			return http.StatusOK
		}()
		s.Metrics.Served(name, strconv.Itoa(status), time.Since(start))
	}
}

// operation carries out an operation that reads.
func (s *server) operation(op *api.Operation) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		status := func() int {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return http.StatusRequestTimeout // limit has read it
			}
			params, err := op.Decode(body)
			if err == nil {
				err = confine(params)
			}
			if err == nil {
				var result any
				if result, err = (api.Client{Backend: s.Backend, Caller: api.Caller{Agent: "http"}}).Do(r.Context(), op, params); err == nil {
					reply(w, http.StatusOK, s.relabel(result))
					return http.StatusOK
				}
			}
			return s.fail(w, op.Name, err)
		}()
		s.Metrics.Served(op.Name, strconv.Itoa(status), time.Since(start))
	}
}

// confine refuses parameters that name files of this machine, and drops those that ask git or keep something between requests.
func confine(params any) error {
	named := ""
	switch p := params.(type) {
	case *api.SearchParams:
		p.Git, p.Notes = false, false
		if p.From != "" {
			named = "from"
		}
	case *api.ContextParams:
		p.Conversation = ""
		if p.TextDocument != nil {
			named = "textDocument"
		}
	case *api.RelatedParams:
		p.Notes = false
		if p.TextDocument != nil || p.Symbol == "" {
			named = "textDocument"
		}
	}
	if named == "" {
		return nil
	}
	return &engine.Error{Kind: engine.Invalid, Message: "a search server knows no files of yours", Detail: named, Remedy: "Leave it out; name a symbol or ask with words."}
}

// relabel names in a result the repositories of files instead of where they lie here, and blanks what looks like a secret.
func (s *server) relabel(result any) any {
	each := func(hits []api.Hit) {
		for i := range hits {
			s.relabelHit(&hits[i])
		}
	}
	switch r := result.(type) {
	case *api.SearchResult:
		each(r.Hits)
		r.Index.Pending = []string{}
	case *api.ContextResult:
		each(r.Snippets)
		blank, _ := scrub.Blank([]byte(r.Text))
		r.Text = string(blank)
	case *api.RelatedResult:
		for i := range r.Edges {
			s.relabelHit(&r.Edges[i].To)
		}
	}
	return result
}

func (s *server) relabelHit(h *api.Hit) {
	if abs := h.Abs(); abs != "" {
		h.Repository, _, _ = s.Label(abs)
	}
	h.URI, h.Git = "", nil
	for _, text := range []*string{&h.Text, &h.Snippet, &h.Signature, &h.Doc} {
		blank, _ := scrub.Blank([]byte(*text))
		*text = string(blank)
	}
}

// limit bounds how many requests work, how large they are and how long they take, and contains a panic.
func (s *server) limit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTime)) // fails in tests without a connection
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		var long *http.MaxBytesError
		switch {
		case errors.As(err, &long):
			reply(w, http.StatusRequestEntityTooLarge, failure(&engine.Error{Kind: engine.Invalid, Message: fmt.Sprintf("the request has more than %d bytes", long.Limit), Remedy: "Send less."}))
			return
		case err != nil:
			reply(w, http.StatusRequestTimeout, failure(&engine.Error{Kind: engine.Invalid, Message: "the body of the request did not arrive in time", Remedy: "Send it at once."}))
			return
		}
		_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
		r.Body = io.NopCloser(bytes.NewReader(body))
		if !s.turn(r.Context()) {
			w.Header().Set("Retry-After", "1")
			s.Metrics.Served("refused", "503", 0)
			reply(w, http.StatusServiceUnavailable, failure(&engine.Error{Kind: engine.Busy, Message: "too many requests wait already", Remedy: "Try again in a second."}))
			return
		}
		defer func() { <-s.turns }()
		ctx, cancel := context.WithTimeout(r.Context(), workTime)
		defer cancel()
		defer func() {
			if p := recover(); p != nil {
				s.Log.Error("a request panicked", "path", r.URL.Path, "panic", p, "stack", string(debug.Stack()))
				reply(w, http.StatusInternalServerError, failure(&engine.Error{Message: "the request failed; the log of the server has the details", Remedy: "Tell who runs the server."}))
			}
		}()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// turn waits until fewer requests work. It reports false when that takes too long.
func (s *server) turn(ctx context.Context) bool {
	select {
	case s.turns <- struct{}{}:
		return true
	default:
	}
	select {
	case s.waiting <- struct{}{}:
		defer func() { <-s.waiting }()
	default:
		return false
	}
	limit := time.NewTimer(queueTime)
	defer limit.Stop()
	select {
	case s.turns <- struct{}{}:
		return true
	case <-limit.C:
	case <-ctx.Done():
	}
	return false
}

func (s *server) fail(w http.ResponseWriter, name string, err error) int {
	status := http.StatusInternalServerError
	switch api.KindOf(err) {
	case engine.Invalid, engine.Guardrail:
		status = http.StatusBadRequest
	case engine.NotFound, engine.NotIndexed:
		status = http.StatusNotFound
	case engine.Busy:
		status = http.StatusServiceUnavailable
	case engine.Stuck:
		status = http.StatusGatewayTimeout
	}
	if errors.Is(err, context.DeadlineExceeded) {
		status = http.StatusGatewayTimeout
	}
	s.Log.Info("a request failed", "request", name, "err", err)
	reply(w, status, failure(err))
	return status
}

func failure(err error) any { return map[string]any{"error": describe(err)} }

// describe is an error as clients read it. What is not meant for them is left to the log.
func describe(err error) map[string]string {
	var typed *engine.Error
	if !errors.As(err, &typed) {
		text := "the request failed; the log of the server has the details"
		if errors.Is(err, context.DeadlineExceeded) {
			text = fmt.Sprintf("the request took longer than %s", workTime)
		}
		return map[string]string{"kind": "error", "message": text}
	}
	return map[string]string{"kind": string(typed.Kind), "message": typed.Message, "detail": typed.Detail, "next": typed.Remedy}
}

func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(v) // the client hung up
}
