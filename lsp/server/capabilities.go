package server

import (
	"github.com/aurora-sidecar/aurora/internal/api"
	lsp "go.lsp.dev/protocol"
)

// actionKinds are the kinds of code actions; never a quick fix, which would crowd other servers' fixes.
var actionKinds = []string{
	"source.aurora.ask", "source.aurora.context", "source.aurora.history", "source.aurora.related",
	"source.aurora.remember",
}

// object is a JSON object whose shape LSP fixes; here the shape is easier to compare with the specification than
// the generated structs with their pointers to booleans.
type object map[string]any

// initializeResult announces what is really there.
func (s *session) initializeResult(info *clientInfo) object {
	features := s.config.features()
	everyFile := object{"filters": []object{{"scheme": "file", "pattern": object{"glob": "**"}}}}
	return object{
		"serverInfo": object{"name": "AURORA", "version": s.hub.opts.Version},
		"capabilities": object{
			"positionEncoding": api.EncodingName(info.encoding),
			"textDocumentSync": object{
				"openClose": true,
				"change":    lsp.TextDocumentSyncKindIncremental,
				"save":      object{"includeText": false},
			},
			"hoverProvider":           true,
			"codeLensProvider":        object{"resolveProvider": true}, // it may be switched on later
			"documentSymbolProvider":  features.DocumentSymbol,         // a second one would disturb even when it lists nothing
			"codeActionProvider":      object{"codeActionKinds": actionKinds, "resolveProvider": true},
			"workspaceSymbolProvider": object{"resolveProvider": true},
			"executeCommandProvider":  object{"commands": s.commands()},
			"workspace": object{
				"workspaceFolders": object{"supported": true, "changeNotifications": true},
				"fileOperations":   object{"didRename": everyFile, "didDelete": everyFile},
			},
			"experimental": object{
				"aurora": api.Announcement{Protocol: api.Version, Methods: s.announced()},
			},
		},
	}
}
