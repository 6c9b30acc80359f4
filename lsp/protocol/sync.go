package protocol

// The parameters of document notifications have types of their own: they carry whole files, which encoding/json
// reads five times faster than the generated decoders, and some clients send null where the specification wants a
// number or nothing.

// DidOpenParams are the parameters of textDocument/didOpen.
type DidOpenParams struct {
	TextDocument struct {
		URI        string `json:"uri"`
		LanguageID string `json:"languageId"`
		Version    int32  `json:"version"`
		Text       string `json:"text"`
	} `json:"textDocument"`
}

// DidChangeParams are the parameters of textDocument/didChange.
type DidChangeParams struct {
	TextDocument   VersionedDocument `json:"textDocument"`
	ContentChanges []ContentChange   `json:"contentChanges"`
}

// A VersionedDocument names a document and its version after a change; 0 when the client doesn't count.
type VersionedDocument struct {
	URI     string `json:"uri"`
	Version int32  `json:"version"`
}

// A ContentChange replaces a range, or without one the whole text.
type ContentChange struct {
	Range *Range `json:"range,omitempty"`
	Text  string `json:"text"`
}

// DidSaveParams are the parameters of textDocument/didSave.
type DidSaveParams struct {
	TextDocument Document `json:"textDocument"`
	Text         *string  `json:"text,omitempty"`
}

// DidCloseParams are the parameters of textDocument/didClose.
type DidCloseParams struct {
	TextDocument Document `json:"textDocument"`
}
