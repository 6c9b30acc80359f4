package protocol

import (
	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// RecordsParams are the parameters of aurora/records, which lists memory, the newest record first.
type RecordsParams struct {
	View  string `json:"view,omitempty"`  // recent (default), decisions, notes, patterns, stale, pinned
	Limit int    `json:"limit,omitempty"` // default 10
	ID    string `json:"id,omitempty"`    // only this one
}

// RecordsResult is the result of aurora/records.
type RecordsResult struct {
	Records []MemoryRecord `json:"records"`
	Total   int            `json:"total"` // in that view
}

// A MemoryRecord is a memory record as a list of records shows it.
type MemoryRecord struct {
	Hit      Hit    `json:"hit"`
	Content  string `json:"content"` // all of it
	Pinned   bool   `json:"pinned"`
	Decision bool   `json:"decision"`
	Pattern  bool   `json:"pattern"`           // a query made it
	Editable bool   `json:"editable"`          // its content may be revised
	File     bool   `json:"file"`              // it is a note file, which is where it is edited
	Stale    string `json:"stale,omitempty"`   // what has changed since
	Expires  string `json:"expires,omitempty"` // when a policy forgets it
	Uses     int    `json:"uses"`
}

// FromRecords converts a list of records.
func FromRecords(entries []engine.RecordEntry, total int, enc text.Encoding) *RecordsResult {
	result := &RecordsResult{Records: make([]MemoryRecord, len(entries)), Total: total}
	for i := range entries {
		e := &entries[i]
		result.Records[i] = MemoryRecord{
			Hit: FromHit(e.Hit, enc), Content: e.Text, Pinned: e.Pinned, Decision: e.Decision, Pattern: e.Pattern, Editable: e.Editable, File: e.File,

			Stale: e.Stale, Expires: timestamp(e.Expires), Uses: e.Uses,
		}
	}
	return result
}

// ReviseParams are the parameters of aurora/revise, which changes a memory record; what is absent stays.
type ReviseParams struct {
	ID         string    `json:"id"`
	Content    *string   `json:"content,omitempty"`
	Tags       *[]string `json:"tags,omitempty"`
	Importance *float64  `json:"importance,omitempty"` // 0..1
	Pinned     *bool     `json:"pinned,omitempty"`     // kept whatever policies say, without decay
}

// ToEngine converts the parameters.
func (p *ReviseParams) ToEngine() engine.Revision {
	return engine.Revision{Content: p.Content, Tags: p.Tags, Importance: p.Importance, Pinned: p.Pinned}
}

// ReviseResult is the result of aurora/revise.
type ReviseResult struct {
	ID string `json:"id"` // another one when a record said the same already: the two are one now
}

// FeedbackParams are the parameters of aurora/feedback: what a person thinks of an answer, in words or as a signal.
type FeedbackParams struct {
	QueryID string `json:"queryId,omitempty"` // default: the last answer
	Text    string `json:"text,omitempty"`
	Signal  string `json:"signal,omitempty"` // positive, followup, negative, recourse, abort
}

// FeedbackResult is the result of aurora/feedback.
type FeedbackResult struct {
	Signal  string `json:"signal"`  // "" when the text says nothing of the answer
	Action  string `json:"action"`  // accepted, rejected, retry, none
	Applied int    `json:"applied"` // how many of the answer's sources it changed
}
