package api

import "encoding/json"

// CompleteParams are the parameters of aurora/complete, a request to the client: its own model is asked.
type CompleteParams struct {
	Messages    []Message       `json:"messages"`
	Schema      json.RawMessage `json:"schema,omitempty"` // JSON Schema of the reply; absent for prose
	Tier        string          `json:"tier"`             // fast, reasoning, best
	MaxTokens   int             `json:"maxTokens"`
	Temperature float64         `json:"temperature"`
}

// A Message is one part of a conversation with a model.
type Message struct {
	Role    string `json:"role"` // system, user, assistant
	Content string `json:"content"`
}

// CompleteResult is the result of aurora/complete.
type CompleteResult struct {
	Text      string `json:"text"`
	Model     string `json:"model"`
	Usage     *Usage `json:"usage,omitempty"`
	Truncated bool   `json:"truncated,omitempty"` // maxTokens cut it
}

// Usage counts tokens.
type Usage struct {
	PromptTokens     int `json:"promptTokens"`
	CompletionTokens int `json:"completionTokens"`
}
