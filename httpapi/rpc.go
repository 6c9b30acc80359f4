package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/aurora-sidecar/aurora/engine"
)

// maxBatch is how many calls one request may hold.
const maxBatch = 50

// The codes of JSON-RPC 2.0.
const (
	parseError     = -32700
	invalidRequest = -32600
	noMethod       = -32601
	invalidParams  = -32602
	serverError    = -32000
)

// call runs a method by its name: those of REST, and every tool.
func (s *Service) call(ctx context.Context, method string, params json.RawMessage) (any, error) {
	switch method {
	case "add_context":
		return typed(ctx, params, s.AddContext)
	case "delete_context":
		return typed(ctx, params, s.DeleteContext)
	case "query_context":
		return typed(ctx, params, s.QueryContext)
	case "stats", "get_context_stats":
		return s.tool(ctx, "get_context_stats", params)
	case "status":
		return s.progress(ctx)
	}
	if !s.invoker.Has(method) {
		return nil, fmt.Errorf("%w: %.60q", errNoMethod, method)
	}
	return s.tool(ctx, method, params)
}

// typed decodes the parameters of a method.
func typed[P, R any](ctx context.Context, params json.RawMessage, run func(context.Context, P) (R, error)) (any, error) {
	var p P
	decoder := json.NewDecoder(bytes.NewReader(params))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&p); err != nil {
		if errors.Is(err, io.EOF) {
			err = errors.New("they are missing")
		}
		return nil, invalid("params", "the parameters can't be read: "+strings.TrimPrefix(err.Error(), "json: "), "Send a JSON object.")
	}
	return run(ctx, p)
}

// A request is a call of JSON-RPC 2.0. One without an id is a notification, which gets no reply.
type request struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
}

// A response answers a request: Result or Error.
type response struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
}

type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

var null = json.RawMessage("null")

// rpc answers a call or a batch of calls, one after the other.
func (d *door) rpc(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		reply(w, http.StatusRequestEntityTooLarge, fault(null, invalidRequest, "the request is too large", nil))
		return
	}
	body = bytes.TrimSpace(body)
	if len(body) == 0 || body[0] != '[' {
		if out := d.one(r.Context(), body); out != nil {
			reply(w, http.StatusOK, out)
			return
		}
		w.WriteHeader(http.StatusNoContent)
		return
	}
	var batch []json.RawMessage
	if err := json.Unmarshal(body, &batch); err != nil {
		reply(w, http.StatusOK, fault(null, parseError, "the request is no JSON", nil))
		return
	}
	if len(batch) == 0 || len(batch) > maxBatch {
		reply(w, http.StatusOK, fault(null, invalidRequest, fmt.Sprintf("a batch holds 1 to %d calls", maxBatch), nil))
		return
	}
	var out []*response
	for _, call := range batch {
		if answer := d.one(r.Context(), call); answer != nil {
			out = append(out, answer)
		}
	}
	if out == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	reply(w, http.StatusOK, out)
}

// one answers a call, nil for a notification.
func (d *door) one(ctx context.Context, body []byte) *response {
	var r request
	if !json.Valid(body) {
		return fault(null, parseError, "the request is no JSON", nil)
	}
	if err := json.Unmarshal(body, &r); err != nil || r.Version != "2.0" || r.Method == "" || !isID(r.ID) {
		return fault(null, invalidRequest, `a call is an object with "jsonrpc": "2.0", a method, and an id that is a string or a number`, nil)
	}
	if len(r.Params) == 0 {
		r.Params = json.RawMessage("{}")
	}
	result, err := d.service.call(ctx, r.Method, r.Params)
	if r.ID == nil {
		return nil
	}
	if err != nil {
		d.log.Info("a call failed", "method", r.Method, "err", err)
		return fault(r.ID, codeOf(err), describe(err).Message, describe(err))
	}
	return &response{Version: "2.0", ID: r.ID, Result: result}
}

// isID reports whether an id is missing, null, a string or a number.
func isID(id json.RawMessage) bool {
	return id == nil || id[0] == '"' || id[0] == '-' || id[0] >= '0' && id[0] <= '9' || string(id) == "null"
}

func fault(id json.RawMessage, code int, message string, data any) *response {
	return &response{Version: "2.0", ID: id, Error: &rpcError{code, message, data}}
}

func codeOf(err error) int {
	var typed *engine.Error
	switch {
	case errors.Is(err, errNoMethod):
		return noMethod
	case errors.As(err, &typed) && typed.Kind == engine.Invalid:
		return invalidParams
	}
	return serverError
}
