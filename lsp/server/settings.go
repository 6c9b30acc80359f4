package server

import (
	"log/slog"
	"maps"
	"slices"
	"strings"
)

// Features are what editors are shown by the standard methods of LSP.
type Features struct {
	Hover          bool
	CodeActions    bool
	CodeLens       bool
	DocumentSymbol bool
	Review         string // when changes are reviewed by themselves: ReviewAtSave, ReviewAtStage, else never
}

// When changes are reviewed by themselves.
const (
	ReviewAtSave  = "save"
	ReviewAtStage = "stage"
)

// DefaultFeatures are what counts where nothing is set.
var DefaultFeatures = Features{Hover: true, CodeActions: true}

// settings are what a client has set of the features; nil is what the settings files say.
type settings struct {
	codeActions, hover, codeLens, documentSymbol *bool
	review                                       *string
}

// reviewKey is the name by which a client sets when changes are reviewed.
const reviewKey = "lsp.review"

// featureKeys are the names by which a client may set a feature.
var featureKeys = map[string]func(*settings) **bool{
	"lsp.codeActions.enabled":  func(s *settings) **bool { return &s.codeActions },
	"lsp.code_actions.enabled": func(s *settings) **bool { return &s.codeActions },
	"lsp.hover.enabled":        func(s *settings) **bool { return &s.hover },
	"lsp.codeLens.enabled":     func(s *settings) **bool { return &s.codeLens },
	"lsp.code_lens.enabled":    func(s *settings) **bool { return &s.codeLens },
	"lsp.documentSymbol":       func(s *settings) **bool { return &s.documentSymbol },
	"lsp.document_symbol":      func(s *settings) **bool { return &s.documentSymbol },
}

// features are those of this client: its own settings go before the files.
func (c *configuration) features() Features {
	f := DefaultFeatures
	if c.hub.opts.Features != nil {
		f = c.hub.opts.Features()
	}
	own := c.settings.Load()
	for target, set := range map[*bool]*bool{
		&f.CodeActions: own.codeActions, &f.Hover: own.hover, &f.CodeLens: own.codeLens, &f.DocumentSymbol: own.documentSymbol,
	} {
		if set != nil {
			*target = *set
		}
	}
	if own.review != nil {
		f.Review = *own.review
	}
	return f
}

// with returns the settings changed by what a client sent: an object with config.json's keys, nested or dotted, by
// itself or under "aurora". null takes back what was set before. A value of the wrong type is logged and leaves the setting as it was.
func (s settings) with(sent tree, log *slog.Logger) settings {
	if under := sent.at("aurora"); under.exists() {
		sent = under
	}
	set := func(key string, target **bool) {
		value, isNull := sent.find(key)
		if isNull {
			*target = nil
		}
		if !value.exists() {
			return
		}
		enabled, ok := value.v.(bool)
		if !ok {
			log.Warn("setting ignored", "key", key, "source", "the editor", "value", value.v, "allowed", "true or false")
			return
		}
		*target = &enabled
	}
	for key, feature := range featureKeys {
		set(key, feature(&s))
	}
	if value, isNull := sent.find(reviewKey); isNull {
		s.review = nil
	} else if value.exists() {
		if when, ok := value.v.(string); ok && slices.Contains([]string{"off", ReviewAtSave, ReviewAtStage}, when) {
			s.review = &when
		} else {
			log.Warn("setting ignored", "key", reviewKey, "source", "the editor", "value", value.v, "allowed", "off, save or stage")
		}
	}
	return s
}

// find returns the value of a dotted key, which may stand for nested objects. isNull tells null from nothing.
func (t tree) find(key string) (value tree, isNull bool) {
	for _, path := range [][]string{{key}, strings.Split(key, ".")} {
		last := len(path) - 1
		object, _ := t.at(path[:last]...).v.(map[string]any)
		if v, ok := object[path[last]]; ok {
			return tree{v}, v == nil
		}
	}
	return tree{}, false
}

// settings returns what a client sent as config.json has it, without what is no setting; nil when it sent no object.
func (t tree) settings() map[string]any {
	if under := t.at("aurora"); under.exists() {
		t = under
	}
	sent, ok := t.v.(map[string]any)
	if !ok {
		return nil
	}
	values := maps.Clone(sent)
	delete(values, "client") // what the client can do
	for key, value := range values {
		if value == nil || featureKeys[key] != nil || key == reviewKey {
			delete(values, key) // taken by the session
		}
	}
	return values
}
