package api

import (
	"context"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/conversation"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// RecordsParams are the parameters of aurora/records, which lists memory, the newest record first.
type RecordsParams struct {
	View  string `json:"view,omitempty"`  // recent (default), active, decisions, notes, patterns, stale, pinned, review
	Limit int    `json:"limit,omitempty"` // default 10
	ID    string `json:"id,omitempty"`    // only this one
	URI   string `json:"uri,omitempty"`   // only those that cite a place in this file, by their lines; of any view
}

// RecordsResult is the result of aurora/records.
type RecordsResult struct {
	Records []MemoryRecord `json:"records"`
	Total   int            `json:"total"`            // in that view
	Hidden  int            `json:"hidden,omitempty"` // of the active view: those that others have superseded
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

	Review []string `json:"review,omitempty"` // why a person should look at it
}

// FromRecords converts a list of records.
func FromRecords(entries []engine.RecordEntry, total int, enc text.Encoding) *RecordsResult {
	result := &RecordsResult{Records: make([]MemoryRecord, len(entries)), Total: total}
	for i := range entries {
		e := &entries[i]
		result.Records[i] = MemoryRecord{
			Hit: FromHit(e.Hit, enc), Content: e.Text, Pinned: e.Pinned, Decision: e.Decision, Pattern: e.Pattern, Editable: e.Editable, File: e.File,

			Stale: e.Stale, Expires: timestamp(e.Expires), Uses: e.Uses, Review: e.Review,
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

	// Agent is who changes the content, if no person does: the record then waits for a review.
	Agent string `json:"agent,omitempty"`

	// Accept says that a person takes the record for right as it is then: the code that it cites is cited as it is now, and
	// what contradicts it no longer does.
	Accept bool `json:"accept,omitempty"`
}

// toEngine converts the parameters.
func (p *ReviseParams) toEngine() engine.Revision {
	return engine.Revision{Content: p.Content, Tags: p.Tags, Importance: p.Importance, Pinned: p.Pinned, Accept: p.Accept, Agent: p.Agent}
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

// activeRecords is the view of the records that are the most active.
const activeRecords = "active"

// Records lists memory.
var Records = Define(Operation{
	Name: "records", Title: "List memory", Doors: LSP | HTTP,
	Doc: "List memory records, the newest or the most active first, those that cite a file, or tell all of one.",
}, func(ctx context.Context, c *Call, p *RecordsParams) (*RecordsResult, error) {
	if p.ID != "" {
		entry, err := c.Engine.Memory().RecordEntry(ctx, p.ID)
		if err != nil {
			return nil, err
		}
		return c.records([]engine.RecordEntry{*entry}, 1), nil
	}
	if p.URI != "" {
		path, err := RequirePath(p.URI)
		if err != nil {
			return nil, err
		}
		entries, total, err := c.Engine.Memory().RecordsAbout(ctx, path, p.Limit)
		if err != nil {
			return nil, err
		}
		return c.records(entries, total), nil
	}
	if p.View == activeRecords {
		hits, hidden, err := c.Engine.Memory().Records(ctx, p.Limit)
		if err != nil {
			return nil, err
		}
		result := &RecordsResult{Records: make([]MemoryRecord, len(hits)), Total: len(hits), Hidden: hidden}
		for i := range hits {
			result.Records[i] = MemoryRecord{Hit: FromHit(hits[i], c.encoding()), Content: hits[i].Text, Uses: hits[i].Uses}
		}
		return result, nil
	}
	entries, total, err := c.Engine.Memory().ListRecords(ctx, p.View, p.Limit)
	if err != nil {
		return nil, err
	}
	return c.records(entries, total), nil
})

// records converts a list of records; the lines that they cite are those of the editor that asks.
func (c *Call) records(entries []engine.RecordEntry, total int) *RecordsResult {
	for i := range entries {
		hit := []engine.Hit{entries[i].Hit}
		entries[i].Hit = c.seen(hit)[0]
	}
	return FromRecords(entries, total, c.encoding())
}

// Revise changes a record.
var Revise = Define(Operation{
	Name: "revise", Title: "Change memory", Doors: LSP | HTTP, Effect: Adds,
	Doc: "Change the content, tags, importance or pin of a memory record, whose former text is kept as a version, or accept it after a review.",
}, func(ctx context.Context, c *Call, p *ReviseParams) (*ReviseResult, error) {
	if err := c.recalls(true); err != nil {
		return nil, err
	}
	id, err := c.Engine.Memory().Revise(ctx, p.ID, p.toEngine())
	if err != nil {
		return nil, err
	}
	c.changed()
	return &ReviseResult{ID: id}, nil
})

// Feedback learns what a person thinks of an answer of this session.
var Feedback = Define(Operation{
	Name: "feedback", Title: "Feedback", Doors: LSP, Effect: Adds,
	Doc: "Learn what the person thinks of an answer: what it rested on counts as accepted or rejected.",
}, func(ctx context.Context, c *Call, p *FeedbackParams) (*FeedbackResult, error) {
	talks := c.Talks
	if talks == nil {
		talks = &conversation.Talks{}
	}
	r, err := talks.Feedback(ctx, c.Engine.Reasoner(), conversation.Feedback{QueryID: p.QueryID, Text: p.Text, Signal: p.Signal})
	if err != nil {
		return nil, err
	}
	return &FeedbackResult{Signal: r.Signal, Action: r.Action, Applied: r.Applied}, nil
})
