package server

import (
	"log/slog"
	"maps"
	"strings"
)

// settings are those of the configuration's keys that the server itself obeys.
type settings struct {
	codeActions bool // codeActions.enabled
	hover       bool // hover.enabled
}

var defaultSettings = settings{codeActions: true, hover: true}

// with returns the settings changed by what a client sent: an object with config.json's keys, nested or dotted, by
// itself or under "aurora". A value of the wrong type is logged and leaves the setting as it was.
func (s settings) with(sent tree, log *slog.Logger) settings {
	if under := sent.at("aurora"); under.exists() {
		sent = under
	}
	set := func(key string, target *bool) {
		value := sent.at(key)
		if !value.exists() {
			value = sent.at(strings.Split(key, ".")...)
		}
		if !value.exists() {
			return
		}
		enabled, ok := value.v.(bool)
		if !ok {
			log.Warn("setting ignored", "key", key, "source", "the editor", "value", value.v, "allowed", "true or false")
			return
		}
		*target = enabled
	}
	set("lsp.codeActions.enabled", &s.codeActions)
	set("lsp.code_actions.enabled", &s.codeActions)
	set("codeActions.enabled", &s.codeActions)
	set("lsp.hover.enabled", &s.hover)
	set("hover.enabled", &s.hover)
	return s
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
	return values
}
