package server

import (
	"encoding/json"
	"slices"

	"github.com/aurora-sidecar/aurora/index/syntax"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// clientInfo is what a client said it can do. Capabilities are read leniently: editors send odd shapes (Lua's empty
// table is a list), and what can't be read counts as not announced.
type clientInfo struct {
	name           string
	encoding       text.Encoding
	workDone       bool // window/workDoneProgress/create
	showDocument   bool
	configuration  bool // workspace/configuration
	lensRefresh    bool // workspace/codeLens/refresh
	actionLiterals bool // CodeAction, not only Command
	actionDisabled bool // CodeAction.disabled
	actionResolve  bool // codeAction/resolve fills in the command
	// actionProperties tells that the client returns the action that was chosen with all its properties.
	actionProperties bool
	plainHover       bool // textDocument/hover in plain text only
	// hidesLinks tells that a hover's links cannot be followed, and that its lines are broken as if their addresses were shown.
	hidesLinks  bool
	diagnostics bool // textDocument/publishDiagnostics
	related     bool // relatedInformation of diagnostics
	aurora      api.ClientFeatures
}

// tree is a decoded JSON value of unknown shape.
type tree struct{ v any }

func newTree(raw json.RawMessage) tree {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return tree{}
	}
	return tree{v}
}

// at walks down objects; what is not there is empty.
func (t tree) at(path ...string) tree {
	for _, key := range path {
		object, _ := t.v.(map[string]any)
		t = tree{object[key]}
	}
	return t
}

func (t tree) exists() bool { return t.v != nil }

func (t tree) isTrue() bool { return t.v == true }

func (t tree) strings() []string {
	values, _ := t.v.([]any)
	var out []string
	for _, v := range values {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// isPlain reports whether a client names the formats that it shows and Markdown is none of them.
func isPlain(formats tree) bool {
	return formats.exists() && len(formats.strings()) > 0 && !slices.Contains(formats.strings(), "markdown")
}

// servesElsewhere reports whether another server of the editor tells the definitions of a language.
func (c *clientInfo) servesElsewhere(language string) bool {
	return slices.ContainsFunc(c.aurora.ServedElsewhere, func(id string) bool {
		l := syntax.ByLanguageID(id)
		return l != nil && l.Name == language
	})
}

func readClient(name string, capabilities, options tree) *clientInfo {
	action := capabilities.at("textDocument", "codeAction")
	announced := options.at("aurora", "client")
	info := &clientInfo{
		name:           name,
		workDone:       capabilities.at("window", "workDoneProgress").isTrue(),
		showDocument:   capabilities.at("window", "showDocument", "support").isTrue(),
		configuration:  capabilities.at("workspace", "configuration").isTrue(),
		lensRefresh:    capabilities.at("workspace", "codeLens", "refreshSupport").isTrue(),
		actionLiterals: action.at("codeActionLiteralSupport").exists(),
		actionDisabled: action.at("disabledSupport").isTrue(),
		actionResolve: action.at("dataSupport").isTrue() &&
			slices.Contains(action.at("resolveSupport", "properties").strings(), "command"),
		actionProperties: capabilities.at("window", "showMessage", "messageActionItem", "additionalPropertiesSupport").isTrue(),
		diagnostics:      capabilities.at("textDocument", "publishDiagnostics").exists(),
		related:          capabilities.at("textDocument", "publishDiagnostics", "relatedInformation").isTrue(),
		plainHover:       isPlain(capabilities.at("textDocument", "hover", "contentFormat")),
		hidesLinks:       name == "Neovim",
		aurora: api.ClientFeatures{
			Ask:        announced.at("ask").isTrue(),
			Complete:   announced.at("complete").isTrue(),
			Progress:   announced.at("progress").isTrue(),
			Restricted: announced.at("restricted").isTrue(),
			EditNote:   announced.at("editNote").isTrue(),
			Status:     announced.at("status").isTrue(),

			ServedElsewhere: announced.at("servedElsewhere").strings(),
		},
	}
	if slices.Contains(capabilities.at("general", "positionEncodings").strings(), "utf-8") {
		info.encoding = text.UTF8
	}
	return info
}
