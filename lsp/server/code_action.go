package server

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/api"
	lsp "go.lsp.dev/protocol"
)

// codeAction lists what can be done with the selection: plain commands for clients that know no code actions, and
// without the command when the client will ask for it.
func (f *codeFeatures) codeAction(ctx context.Context, p *lsp.CodeActionParams) (any, error) {
	path, ok, err := documentPath(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, nil // documents that are no files (untitled:, git:) are somebody else's
	}
	none := []lsp.CommandOrCodeAction{}
	if !f.config.features().CodeActions {
		return none, nil
	}
	lines, err := f.docs.Lines(path)
	if err != nil {
		return none, nil // the list is for all servers' actions: an error would only disturb
	}
	around := fromLSPRange(p.Range)
	start, end, ok := api.ToOffsets(lines, around, f.Encoding())
	if !ok {
		return nil, api.Invalid("range", "must not end before it starts")
	}
	actions, err := f.engine.Code().Actions(ctx, engine.Selection{Path: path, Start: start, End: end, Own: f.docs})
	if err != nil {
		return nil, err
	}
	client, list := f.client.Load(), none
	for _, fix := range f.review.fixes(path, around) {
		if wanted(fix.Kind, p.Context.Only) {
			list = append(list, client.present(fix.Action, fix.command))
		}
	}
	for _, action := range actions {
		if !wanted(action.Kind, p.Context.Only) || (action.Disabled != "" && !client.actionDisabled) {
			continue
		}
		command := f.actionCommand(action, string(p.TextDocument.URI), around)
		list = append(list, client.present(action, command))
	}
	return list, nil
}

// wanted applies context.only: "source" asks for "source.aurora", too.
func wanted(kind string, only []lsp.CodeActionKind) bool {
	if len(only) == 0 {
		return true
	}
	for _, k := range only {
		if kind == string(k) || k == "" || strings.HasPrefix(kind, string(k)+".") {
			return true
		}
	}
	return false
}

// present gives an action the shape that the client understands.
func (c *clientInfo) present(action engine.Action, command *lsp.Command) lsp.CommandOrCodeAction {
	if !c.actionLiterals {
		return command
	}
	kind := lsp.CodeActionKind(action.Kind)
	shown := &lsp.CodeAction{Title: action.Title, Kind: &kind}
	switch {
	case action.Disabled != "":
		shown.Disabled = lsp.CodeActionDisabled{Reason: action.Disabled}
	case c.actionResolve:
		shown.Data, _ = lsp.Marshal(command) // a command of strings and raw JSON always marshals
	default:
		shown.Command = *command
	}
	return shown
}

// resolveCodeAction fills in the command that codeAction put into data.
func (f *codeFeatures) resolveCodeAction(_ context.Context, action *lsp.CodeAction) (any, error) {
	if len(action.Data) == 0 {
		return action, nil
	}
	var command lsp.Command
	if err := lsp.Unmarshal(action.Data, &command); err != nil || command.Command == "" {
		return nil, api.Invalid("data", "is not what textDocument/codeAction returned")
	}
	action.Command = command
	return action, nil
}

// actionCommand is the command of an action. Its argument holds the parameters of the method of the same name, and
// "show": the result is to be shown to the person, as nobody waits for it.
func (f *codeFeatures) actionCommand(action engine.Action, uri string, around api.Range) *lsp.Command {
	argument := map[string]any{"textDocument": api.Document{URI: uri}, "show": true}
	switch action.ID {
	case "related":
		argument["position"] = around.Start
		argument["direction"] = "all"
	case "ask":
		argument["range"] = around
		argument["query"] = question(action)
	default:
		argument["range"] = around
	}
	raw, _ := json.Marshal(argument) // strings and numbers only
	return &lsp.Command{Title: action.Title, Command: action.Command, Arguments: []lsp.LSPAny{raw}}
}

// question is what an action asks where the client has no way to let the person type.
func question(action engine.Action) string {
	switch {
	case action.Query != "":
		return action.Query
	case action.Symbol != "":
		return "What is " + action.Symbol + " and where is it used?"
	}
	return "What is this and where is it used?"
}
