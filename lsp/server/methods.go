package server

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/api/jsonrpc"
	"github.com/aurora-sidecar/aurora/internal/workload"
	"github.com/aurora-sidecar/aurora/lsp/rpc"
	lsp "go.lsp.dev/protocol"
)

// methods is the table of all that a connection serves.
func (s *session) methods() rpc.Methods {
	calls := map[string]rpc.Call{
		lsp.MethodInitialize:                 s.initialize,
		lsp.MethodShutdown:                   s.shutdown,
		lsp.MethodTextDocumentHover:          standard(s.code.hover),
		lsp.MethodTextDocumentCodeAction:     s.inTurn("codeAction", standard(s.code.codeAction)),
		lsp.MethodCodeActionResolve:          s.inTurn("codeAction", standard(s.code.resolveCodeAction)),
		lsp.MethodTextDocumentCodeLens:       s.inTurn("codeLens", standard(s.code.codeLens)),
		lsp.MethodCodeLensResolve:            s.inTurn("codeLens", standard(s.code.resolveCodeLens)),
		lsp.MethodTextDocumentDocumentSymbol: s.inTurn("documentSymbol", standard(s.code.documentSymbol)),
		lsp.MethodWorkspaceSymbol:            s.inTurn("workspaceSymbol", standard(s.code.workspaceSymbol)),
		lsp.MethodWorkspaceSymbolResolve:     s.inTurn("workspaceSymbol", standard(s.code.resolveWorkspaceSymbol)),
		lsp.MethodWorkspaceExecuteCommand:    standard(s.executeCommand),
	}
	maps.Copy(calls, s.operations())
	return rpc.Methods{
		Calls: calls,
		Notifications: map[string]rpc.Notification{
			lsp.MethodInitialized:                        s.initialized,
			lsp.MethodTextDocumentDidOpen:                own(s.didOpen),
			lsp.MethodTextDocumentDidChange:              s.didChange,
			lsp.MethodTextDocumentDidSave:                own(s.didSave),
			lsp.MethodTextDocumentDidClose:               own(s.didClose),
			lsp.MethodWorkspaceDidChangeConfiguration:    own(s.config.didChangeConfiguration),
			lsp.MethodWorkspaceDidChangeWorkspaceFolders: own(s.didChangeFolders),
			lsp.MethodWorkspaceDidChangeWatchedFiles:     own(s.didChangeWatchedFiles),
			lsp.MethodWorkspaceDidRenameFiles:            own(s.didRenameFiles),
			lsp.MethodWorkspaceDidDeleteFiles:            own(s.didDeleteFiles),
			lsp.MethodWindowWorkDoneProgressCancel:       s.tokens.cancelProgress,
			api.MethodDidUse:                             own(s.didUse),
		},
		MapError: jsonrpc.FromError,
		Exit:     func(code int) { s.exits <- code },
	}
}

// operations adapts the operations that are open to editors.
func (s *session) operations() map[string]rpc.Call {
	calls := map[string]rpc.Call{}
	for _, o := range s.hub.opts.Operations.Behind(api.LSP) {
		calls[o.Method()] = s.operation(o)
	}
	return calls
}

// operation adapts an operation. When the client gave a workDoneToken, the request has a progress, which the client may
// cancel.
func (s *session) operation(o *api.Operation) rpc.Call {
	return func(ctx context.Context, raw json.RawMessage) (any, error) {
		params, err := o.Decode(raw)
		if err != nil {
			return nil, err
		}
		work, end := s.tokens.begin(ctx, raw, o.Title)
		defer end()
		result, err := o.Run(ctx, &api.Call{Engine: s.engine, Caller: s.caller(ctx, work)}, params)
		if err != nil {
			return nil, err
		}
		return jsonrpc.Encode(result)
	}
}

// inTurn runs a request that a person waits for before searches. A hover, which has a time limit of its own, never waits.
func (s *session) inTurn(name string, call rpc.Call) rpc.Call {
	return func(ctx context.Context, params json.RawMessage) (any, error) {
		return s.engine.Do(ctx, name, workload.Prompt, func(ctx context.Context) (any, error) { return call(ctx, params) })
	}
}

// announced lists the names of the operations that are open to editors.
func (s *session) announced() []string {
	var methods []string
	for _, o := range s.hub.opts.Operations.Behind(api.LSP) {
		methods = append(methods, o.Method())
	}
	slices.Sort(methods)
	return methods
}

// commands lists the operations as commands, for clients that only know LSP.
func (s *session) commands() []string {
	commands := []string{api.CommandOpenContext}
	for _, method := range s.announced() {
		commands = append(commands, api.CommandPrefix+strings.TrimPrefix(method, api.Prefix))
	}
	slices.Sort(commands)
	return commands
}

// standard adapts a handler of LSP's own parameters.
func standard[P any](handle func(context.Context, *P) (any, error)) rpc.Call {
	return func(ctx context.Context, params json.RawMessage) (any, error) {
		p := new(P)
		if err := decodeLSP(params, p); err != nil {
			return nil, err
		}
		return handle(ctx, p)
	}
}

// own adapts a notification with parameters of our own types.
func own[P any](handle func(context.Context, *P) error) rpc.Notification {
	return func(ctx context.Context, params json.RawMessage) error {
		p := new(P)
		if err := api.Decode(params, p); err != nil {
			return err
		}
		return handle(ctx, p)
	}
}
