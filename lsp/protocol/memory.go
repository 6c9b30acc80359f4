package protocol

import "github.com/aurora-sidecar/aurora/engine"

// RememberParams are the parameters of aurora/remember. A range of a document stands for its text when content is
// left out.
type RememberParams struct {
	Content      string    `json:"content"`
	SourceRef    string    `json:"sourceRef,omitempty"`
	Tags         []string  `json:"tags,omitempty"`
	Importance   float64   `json:"importance,omitempty"`
	GoalID       string    `json:"goalId,omitempty"`
	Type         string    `json:"type,omitempty"` // knowledge, reasoning
	TextDocument *Document `json:"textDocument,omitempty"`
	Range        *Range    `json:"range,omitempty"`
}

// ToEngine converts the parameters; the selection is found by whoever knows the document.
func (p *RememberParams) ToEngine(selection *engine.Selection) engine.RememberRequest {
	return engine.RememberRequest{
		Content: p.Content, SourceRef: p.SourceRef, Tags: p.Tags, Importance: p.Importance, GoalID: p.GoalID,
		Type: p.Type, Select: selection,
	}
}

// RememberResult is the result of aurora/remember.
type RememberResult struct {
	ID      string `json:"id"`
	Created bool   `json:"created"` // false when the record was there
}

// ForgetParams are the parameters of aurora/forget.
type ForgetParams struct {
	IDs []string `json:"ids"`
}

// ForgetResult is the result of aurora/forget.
type ForgetResult struct {
	Deleted int `json:"deleted"`
}

// DidUseParams are the parameters of the notification aurora/didUse.
type DidUseParams struct {
	Hits    []Use  `json:"hits"`
	QueryID string `json:"queryId,omitempty"`
}

// A Use tells what a person did with a hit.
type Use struct {
	ID     string  `json:"id"`
	Action string  `json:"action"` // opened, accepted, copied, edited, cited, returned, rejected, rated
	Value  float64 `json:"value,omitempty"`
}
