package api

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/journal"
	"github.com/aurora-sidecar/aurora/engine/recall"
)

// HistoryParams are the parameters of aurora/history.
type HistoryParams struct {
	QueryID        string `json:"queryId,omitempty"` // one question, with its whole history; its id, the end of it, or "last"
	ConversationID string `json:"conversationId,omitempty"`
	Search         string `json:"search,omitempty"` // words of the question
	Limit          int    `json:"limit,omitempty"`  // 20
}

// toEngine converts the parameters.
func (p *HistoryParams) toEngine() engine.HistoryRequest {
	return engine.HistoryRequest{QueryID: p.QueryID, Filter: journal.Filter{Limit: p.Limit, Search: p.Search, Conversation: p.ConversationID}}
}

// HistoryResult is the result of aurora/history, the newest question first.
type HistoryResult struct {
	Queries []HistoryEntry `json:"queries"`
	// Record is all that is known of the question that queryId names, as "aurora history --json" prints it.
	Record  json.RawMessage `json:"record,omitempty"`
	Damaged int             `json:"damaged,omitempty"` // records that can't be read
}

// A HistoryEntry is a question that was asked.
type HistoryEntry struct {
	QueryID         string   `json:"queryId"`
	Query           string   `json:"query"`
	AskedAt         string   `json:"askedAt"`
	ConversationID  string   `json:"conversationId,omitempty"`
	Complexity      string   `json:"complexity"`
	Model           string   `json:"model,omitempty"`
	Verified        bool     `json:"verified"`
	OverallScore    *float64 `json:"overallScore,omitempty"`
	Confidence      float64  `json:"confidence"`
	USD             float64  `json:"usd"`
	Calls           int      `json:"calls"`
	Passes          int      `json:"passes"`
	TotalDurationMs float64  `json:"totalDurationMs"`
	Error           string   `json:"error,omitempty"` // why there was no answer
}

// FromHistory converts what became of questions.
func FromHistory(r *engine.HistoryResult) (*HistoryResult, error) {
	out := &HistoryResult{Queries: []HistoryEntry{}, Damaged: r.Damaged}
	for _, e := range r.Queries {
		out.Queries = append(out.Queries, HistoryEntry{
			QueryID: e.ID, Query: e.Question, AskedAt: timestamp(e.Asked), ConversationID: e.Conversation, Complexity: e.Complexity, Model: e.Model,
			Verified: e.Verified, OverallScore: e.Score, Confidence: finite(e.Confidence), USD: finite(e.USD), Calls: e.Calls, Passes: e.Passes,
			TotalDurationMs: milliseconds(e.Total), Error: e.Error,
		})
	}
	if r.Record != nil {
		encoded, err := json.Marshal(r.Record)
		if err != nil {
			return nil, fmt.Errorf("encode the record: %w", err)
		}
		out.Record = encoded
	}
	return out, nil
}

// History tells what was asked.
var History = Define(Operation{
	Name: "history", Title: "History", Doors: LSP | HTTP,
	Doc: "List the questions that were asked, or tell all that is known of one.",
}, func(ctx context.Context, c *Call, p *HistoryParams) (*HistoryResult, error) {
	if p.Limit < 0 {
		return nil, Invalid("limit", "must not be negative")
	}
	if err := c.readsJournal(); err != nil {
		return nil, err
	}
	r, err := c.Engine.History(ctx, p.toEngine())
	if err != nil {
		return nil, err
	}
	return FromHistory(r)
})

// ConversationsParams are the parameters of conversations.
type ConversationsParams struct {
	Name  string `json:"name,omitempty"` // one conversation, with its text
	Limit int    `json:"limit,omitempty"`
}

// ConversationsResult is the result of conversations, the latest first.
type ConversationsResult struct {
	Conversations []Conversation `json:"conversations"`
}

// A Conversation is a question about the workspace as it was written down.
type Conversation struct {
	Name  string `json:"name"` // below the folder of conversations, with '/'
	Query string `json:"query"`
	Date  string `json:"date"`           // YYYY-MM-DD
	Text  string `json:"text,omitempty"` // Markdown, at most 128 KiB; of a single one
}

// Conversations lists what was written down.
var Conversations = Define(Operation{
	Name: "conversations", Title: "Conversations",
	Doc: "List the conversations about the workspace that were written down, or read one.",
}, func(ctx context.Context, c *Call, p *ConversationsParams) (*ConversationsResult, error) {
	var found []recall.LoggedConversation
	if p.Name != "" {
		one, err := c.Engine.Conversations().Get(ctx, p.Name)
		if err != nil {
			return nil, err
		}
		found = append(found, *one)
	} else {
		var err error
		if found, err = c.Engine.Conversations().List(ctx, p.Limit); err != nil {
			return nil, err
		}
	}
	result := &ConversationsResult{Conversations: make([]Conversation, len(found))}
	for i, l := range found {
		result.Conversations[i] = Conversation{Name: l.Name, Query: l.Query, Date: l.Date.Format(time.DateOnly), Text: l.Text}
	}
	return result, nil
})
