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

// ForgetResult is the result of aurora/forget. aurora/restore undoes it.
type ForgetResult struct {
	Deleted int      `json:"deleted"`
	IDs     []string `json:"ids"`             // of the records that there were
	Until   string   `json:"until,omitempty"` // when they are deleted for good
}

// FromRemoval converts what was forgotten.
func FromRemoval(r engine.Removal) *ForgetResult {
	return &ForgetResult{Deleted: len(r.IDs), IDs: append([]string{}, r.IDs...), Until: timestamp(r.Until)}
}

// RestoreParams are the parameters of aurora/restore, which undoes aurora/forget. Without ids nothing is restored, and the
// result lists what can be.
type RestoreParams struct {
	IDs   []string `json:"ids,omitempty"`
	Limit int      `json:"limit,omitempty"` // of the list; default 10, at most 100
}

// RestoreResult is the result of aurora/restore.
type RestoreResult struct {
	Restored  int               `json:"restored"`
	IDs       []string          `json:"ids"`                 // of the records that came back
	Forgotten []ForgottenRecord `json:"forgotten,omitempty"` // the latest first; only without ids
	Total     int               `json:"total,omitempty"`     // how many can be restored; only without ids
}

// A ForgottenRecord is in no answer, and can be brought back until it is deleted for good.
type ForgottenRecord struct {
	ID          string `json:"id"`
	Type        string `json:"type"` // knowledge, reasoning
	Title       string `json:"title"`
	ForgottenAt string `json:"forgottenAt"`
	Until       string `json:"until"`
}

// FromForgotten converts a list of forgotten records.
func FromForgotten(list []engine.ForgottenRecord) []ForgottenRecord {
	records := make([]ForgottenRecord, len(list))
	for i, f := range list {
		records[i] = ForgottenRecord{ID: f.ID, Type: f.Type, Title: f.Title, ForgottenAt: timestamp(f.At), Until: timestamp(f.Until)}
	}
	return records
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
