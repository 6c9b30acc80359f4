package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/lsp/protocol"
	"github.com/aurora-sidecar/aurora/lsp/rpc"
	lsp "go.lsp.dev/protocol"
)

// methods is the table of all that a connection serves.
func (s *session) methods() rpc.Methods {
	calls := map[string]rpc.Call{
		lsp.MethodInitialize:                 s.initialize,
		lsp.MethodShutdown:                   s.shutdown,
		lsp.MethodTextDocumentHover:          standard(s.hover),
		lsp.MethodTextDocumentCodeAction:     standard(s.codeAction),
		lsp.MethodCodeActionResolve:          standard(s.resolveCodeAction),
		lsp.MethodTextDocumentCodeLens:       standard(s.codeLens),
		lsp.MethodCodeLensResolve:            standard(s.resolveCodeLens),
		lsp.MethodTextDocumentDocumentSymbol: standard(s.documentSymbol),
		lsp.MethodWorkspaceSymbol:            standard(s.workspaceSymbol),
		lsp.MethodWorkspaceSymbolResolve:     standard(s.resolveWorkspaceSymbol),
		lsp.MethodWorkspaceExecuteCommand:    standard(s.executeCommand),
	}
	maps.Copy(calls, s.auroraCalls())
	return rpc.Methods{
		Calls: calls,
		Notifications: map[string]rpc.Notification{
			lsp.MethodInitialized:                        s.initialized,
			lsp.MethodTextDocumentDidOpen:                own(s.didOpen),
			lsp.MethodTextDocumentDidChange:              s.didChange,
			lsp.MethodTextDocumentDidSave:                own(s.didSave),
			lsp.MethodTextDocumentDidClose:               own(s.didClose),
			lsp.MethodWorkspaceDidChangeConfiguration:    own(s.didChangeConfiguration),
			lsp.MethodWorkspaceDidChangeWorkspaceFolders: own(s.didChangeFolders),
			lsp.MethodWorkspaceDidChangeWatchedFiles:     own(s.didChangeWatchedFiles),
			lsp.MethodWorkspaceDidRenameFiles:            own(s.didRenameFiles),
			lsp.MethodWorkspaceDidDeleteFiles:            own(s.didDeleteFiles),
			lsp.MethodWindowWorkDoneProgressCancel:       s.cancelProgress,
			protocol.MethodDidUse:                        own(s.didUse),
		},
		MapError: protocol.FromError,
		Exit:     func(code int) { s.exits <- code },
	}
}

// auroraCalls are the requests of the contract; what is not here is not announced.
func (s *session) auroraCalls() map[string]rpc.Call {
	return map[string]rpc.Call{
		protocol.MethodSearch:        aurora(s, "Search", s.search),
		protocol.MethodContext:       aurora(s, "Assemble context", s.context),
		protocol.MethodQuery:         aurora(s, "Ask AURORA", s.query),
		protocol.MethodRelated:       aurora(s, "Find related code", s.related),
		protocol.MethodRemember:      aurora(s, "Remember", s.remember),
		protocol.MethodForget:        aurora(s, "Forget", s.forget),
		protocol.MethodRestore:       aurora(s, "Restore", s.restore),
		protocol.MethodStatus:        aurora(s, "Status", s.statusRequest),
		protocol.MethodRefresh:       aurora(s, "Refresh", s.refresh),
		protocol.MethodRebuild:       aurora(s, "Rebuild index", s.rebuild),
		protocol.MethodJob:           aurora(s, "Job", s.job),
		protocol.MethodCancelRebuild: aurora(s, "Cancel rebuild", s.cancelRebuild),
		protocol.MethodAssess:        aurora(s, "Assess", s.assess),
		protocol.MethodDecompose:     aurora(s, "Plan", s.decompose),
		protocol.MethodBudget:        aurora(s, "Budget", s.budget),
		protocol.MethodRecords:       aurora(s, "List memory", s.records),
		protocol.MethodRevise:        aurora(s, "Change memory", s.revise),
		protocol.MethodFeedback:      aurora(s, "Feedback", s.feedback),
		protocol.MethodHistory:       aurora(s, "History", s.history),
		protocol.MethodAgents:        aurora(s, "Agents", s.agents),
		protocol.MethodTrust:         aurora(s, "Trust", s.trust),
	}
}

// announced lists the names of the contract's requests.
func (s *session) announced() []string {
	return slices.Sorted(maps.Keys(s.auroraCalls()))
}

// commands lists the contract's requests as commands, for clients that only know LSP.
func (s *session) commands() []string {
	commands := []string{protocol.CommandOpenContext}
	for _, method := range s.announced() {
		commands = append(commands, protocol.CommandPrefix+strings.TrimPrefix(method, protocol.Prefix))
	}
	slices.Sort(commands)
	return commands
}

// standard adapts a handler of LSP's own parameters.
func standard[P any](handle func(context.Context, *P) (any, error)) rpc.Call {
	return func(ctx context.Context, params json.RawMessage) (any, error) {
		p := new(P)
		if err := protocol.DecodeLSP(params, p); err != nil {
			return nil, err
		}
		return handle(ctx, p)
	}
}

// own adapts a notification with parameters of our own types.
func own[P any](handle func(context.Context, *P) error) rpc.Notification {
	return func(ctx context.Context, params json.RawMessage) error {
		p := new(P)
		if err := protocol.Decode(params, p); err != nil {
			return err
		}
		return handle(ctx, p)
	}
}

// aurora adapts a request of the contract. When the client gave a workDoneToken, the request has a progress of the
// title, which the client may cancel.
func aurora[P, R any](s *session, title string, handle func(context.Context, *P) (*R, error)) rpc.Call {
	return func(ctx context.Context, params json.RawMessage) (any, error) {
		p := new(P)
		if err := protocol.Decode(params, p); err != nil {
			return nil, err
		}
		ctx, end := s.withWorkDone(ctx, params, title)
		defer end()
		result, err := handle(ctx, p)
		if err != nil {
			return nil, err
		}
		return encode(result)
	}
}

// encode marshals a result of the contract's types.
func encode(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("encode result: %w", err)
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}
