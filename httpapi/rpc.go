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
	"github.com/aurora-sidecar/aurora/internal/api"
	"go.lsp.dev/jsonrpc2"
)

// maxBatch is how many calls one request may hold.
const maxBatch = 50

// serverError is the code of an error that JSON-RPC has no code for.
const serverError jsonrpc2.Code = -32000

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
		return nil, noMethod(method)
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

// rpc answers a call or a batch of calls of JSON-RPC 2.0, one after the other.
func (d *door) rpc(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // never: limit has read it
	}
	calls, err := jsonrpc2.ParseRequests(body)
	switch {
	case !json.Valid(body):
		answerRPC(w, refusedRPC(jsonrpc2.ParseError, "the request is no JSON"))
		return
	case err != nil, len(calls) == 0, len(calls) > maxBatch:
		answerRPC(w, refusedRPC(jsonrpc2.InvalidRequest, fmt.Sprintf("a request is a call, or a batch of 1 to %d calls", maxBatch)))
		return
	}
	var answers []jsonrpc2.Message
	for _, call := range calls {
		if answer := d.one(r.Context(), call); answer != nil {
			answers = append(answers, answer)
		}
	}
	switch {
	case len(answers) == 0:
		w.WriteHeader(http.StatusNoContent)
	case calls[0].Batch:
		answerRPC(w, jsonrpc2.AppendBatch(nil, answers))
	default:
		answerRPC(w, jsonrpc2.AppendMessage(nil, answers[0]))
	}
}

// answerRPC writes answers that are JSON already.
func answerRPC(w http.ResponseWriter, body []byte) { reply(w, http.StatusOK, json.RawMessage(body)) }

// refusedRPC answers a request that holds no call.
func refusedRPC(code jsonrpc2.Code, message string) []byte {
	return jsonrpc2.AppendResponse(nil, jsonrpc2.ID{}, nil, jsonrpc2.NewError(code, message))
}

// one answers a call, nil for a notification.
func (d *door) one(ctx context.Context, parsed *jsonrpc2.ParsedMessage) jsonrpc2.Message {
	switch call := parsed.Msg.(type) {
	case *jsonrpc2.Call:
		result, err := d.run(ctx, call.Method(), call.Params())
		return jsonrpc2.NewResponse(call.ID(), result, err)
	case *jsonrpc2.Notification:
		_, _ = d.run(ctx, call.Method(), call.Params()) // nobody is told
		return nil
	}
	return jsonrpc2.NewResponse(jsonrpc2.ID{}, nil, jsonrpc2.NewError(jsonrpc2.InvalidRequest, parsed.Err.Message))
}

// run runs a method and encodes what comes of it.
func (d *door) run(ctx context.Context, method string, params jsonrpc2.RawMessage) (jsonrpc2.RawMessage, error) {
	if len(params) == 0 {
		params = jsonrpc2.RawMessage("{}")
	}
	result, err := d.service.call(ctx, method, json.RawMessage(params))
	var encoded []byte
	if err == nil {
		encoded, err = json.Marshal(result)
	}
	if err == nil {
		return encoded, nil
	}
	d.log.Info("a call failed", "method", method, "err", err)
	failed := describe(err)
	wire := jsonrpc2.NewError(codeOf(err), failed.Message)
	wire.Data, _ = json.Marshal(failed) // strings only
	return nil, wire
}

func codeOf(err error) jsonrpc2.Code {
	switch {
	case errors.Is(err, errNoMethod):
		return jsonrpc2.MethodNotFound
	case api.KindOf(err) == engine.Invalid, api.KindOf(err) == engine.NotFound:
		return jsonrpc2.InvalidParams
	}
	return serverError
}
