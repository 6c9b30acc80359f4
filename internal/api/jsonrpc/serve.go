package jsonrpc

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"strings"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/reason"
	"github.com/aurora-sidecar/aurora/internal/api"
	"go.lsp.dev/jsonrpc2"
)

// methodHello is the notification by which a client introduces itself.
const methodHello = api.Prefix + "hello"

// hello are its parameters.
type hello struct {
	Agent  string             `json:"agent,omitempty"`
	Lender string             `json:"lender,omitempty"` // whose model aurora/complete asks
	Client api.ClientFeatures `json:"client"`

	Durable bool `json:"durable,omitempty"`
}

// Serve answers the calls of one client until it hangs up or ctx ends, and closes the connection.
func Serve(ctx context.Context, conn io.ReadWriteCloser, r *api.Registry, b api.Backend, log *slog.Logger) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := newConn(&watched{conn, cancel})
	s := &server{registry: r, backend: b, log: log, conn: c, ctx: ctx}
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	c.Go(ctx, s.handle)
	<-c.Done()
	_ = conn.Close()
}

// A server is the answering end of a connection.
type server struct {
	registry *api.Registry
	backend  api.Backend
	log      *slog.Logger
	conn     conn
	ctx      context.Context // of the connection: those of jsonrpc2 end with a handler's call
	client   hello           // set before the first call, on the read loop
}

func (s *server) handle(ctx context.Context, request *jsonrpc2.Request) (any, error) {
	method := strings.Clone(request.Method())
	if !request.IsCall() {
		if method == methodHello {
			_ = json.Unmarshal(request.Params(), &s.client) // what can't be read is not announced
		}
		return nil, nil
	}
	o := s.registry.Lookup(strings.TrimPrefix(method, api.Prefix))
	if o == nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.MethodNotFound, "there is no operation %q", method)
	}
	client := s.client
	jsonrpc2.Async(ctx) // params stay valid until this returns
	result, err := s.run(o, json.RawMessage(request.Params()), client)
	if err != nil {
		return nil, whole(err)
	}
	return result, nil
}

// run carries an operation out. A panic becomes an error: other clients go on.
func (s *server) run(o *api.Operation, raw json.RawMessage, client hello) (result any, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("an operation panicked", "operation", o.Name, "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("%s failed: %v; the log has the details", o.Name, p)
		}
	}()
	params, err := o.Decode(raw)
	if err != nil {
		return nil, err
	}
	by, err := s.caller(client)
	if err != nil {
		return nil, err
	}
	return s.backend.Do(s.ctx, o, params, by)
}

// caller is the client as an operation knows it.
func (s *server) caller(client hello) (api.Caller, error) {
	by := api.Caller{Agent: client.Agent, Durable: client.Durable}
	if client.Client.Progress {
		by.Progress = func(p engine.Progress) {
			_ = s.conn.Notify(s.ctx, api.MethodProgress, api.FromProgress(p)) // the client hung up: its call ends
		}
	}
	if client.Client.Ask {
		by.Ask = s.ask
	}
	if client.Client.Complete {
		models, err := reason.LentModels(client.Lender, Model(s.conn, client.Lender))
		if err != nil {
			return by, err
		}
		by.Models = models
	}
	return by, nil
}

// ask implements engine.Asker. Without an answer the agent goes on.
func (s *server) ask(ctx context.Context, q engine.Question) (answer string, ok bool, err error) {
	answer, ok, err = Ask(ctx, s.conn, q)
	if err != nil {
		return "", false, ctx.Err()
	}
	return answer, ok, nil
}
