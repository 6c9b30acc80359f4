package server

import "github.com/aurora-sidecar/aurora/internal/api"

// The parameters of document notifications have types of their own: they carry whole files, which encoding/json
// reads five times faster than the generated decoders, and some clients send null where the specification wants a
// number or nothing.

// didOpenParams are the parameters of textDocument/didOpen.
type didOpenParams struct {
	TextDocument struct {
		URI        string `json:"uri"`
		LanguageID string `json:"languageId"`
		Version    int32  `json:"version"`
		Text       string `json:"text"`
	} `json:"textDocument"`
}

// didChangeParams are the parameters of textDocument/didChange.
type didChangeParams struct {
	TextDocument   versionedDocument `json:"textDocument"`
	ContentChanges []contentChange   `json:"contentChanges"`
}

// A versionedDocument names a document and its version after a change; 0 when the client doesn't count.
type versionedDocument struct {
	URI     string `json:"uri"`
	Version int32  `json:"version"`
}

// A contentChange replaces a range, or without one the whole text.
type contentChange struct {
	Range *api.Range `json:"range,omitempty"`
	Text  string     `json:"text"`
}

// didSaveParams are the parameters of textDocument/didSave.
type didSaveParams struct {
	TextDocument api.Document `json:"textDocument"`
	Text         *string      `json:"text,omitempty"`
}

// didCloseParams are the parameters of textDocument/didClose.
type didCloseParams struct {
	TextDocument api.Document `json:"textDocument"`
}
