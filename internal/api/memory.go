package api

import (
	"context"
	"fmt"
	"slices"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/workload"
)

// RememberParams are the parameters of aurora/remember. A range of a document stands for its text when content is
// left out.
type RememberParams struct {
	Content      string    `json:"content"`
	SourceRef    string    `json:"sourceRef,omitempty"`
	Tags         []string  `json:"tags,omitempty"`
	Importance   float64   `json:"importance,omitempty"`
	GoalID       string    `json:"goalId,omitempty"`
	Type         string    `json:"type,omitempty"`     // knowledge, reasoning
	Agent        string    `json:"agent,omitempty"`    // that remembers, if no person does: the record waits for a review
	Personal     bool      `json:"personal,omitempty"` // for every project, not only for the one that is open
	Shared       bool      `json:"shared,omitempty"`   // as a file of .aurora/notes, for a team to commit
	Team         bool      `json:"team,omitempty"`     // for the team that the person has joined
	TextDocument *Document `json:"textDocument,omitempty"`
	Range        *Range    `json:"range,omitempty"`
}

// toEngine converts the parameters; the selection is found by the handler, which knows the document.
func (p *RememberParams) toEngine(selection *engine.Selection) engine.RememberRequest {
	return engine.RememberRequest{
		Content: p.Content, SourceRef: p.SourceRef, Tags: p.Tags, Importance: p.Importance, GoalID: p.GoalID,
		Type: p.Type, Select: selection, Personal: p.Personal, Team: p.Team, Agent: p.Agent,
	}
}

// RememberResult is the result of aurora/remember.
type RememberResult struct {
	ID      string `json:"id"`
	Created bool   `json:"created"`        // false when the record was there
	Path    string `json:"path,omitempty"` // of the file of a shared note, absolute
}

// ForgetParams are the parameters of aurora/forget.
type ForgetParams struct {
	IDs []string `json:"ids" jsonschema:"such as know:retries-use-jitter-1a2b3c4d"`
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

// Remember keeps a record.
var Remember = Define(Operation{
	Name: "remember", Title: "Remember", Doors: LSP | HTTP, Effect: Adds,
	Doc: "Keep a decision or a fact, with the code that it is about.",
}, func(ctx context.Context, c *Call, p *RememberParams) (*RememberResult, error) {
	if err := c.recalls(true); err != nil {
		return nil, err
	}
	selection, err := c.selection(p.TextDocument, p.Range)
	if err != nil {
		return nil, err
	}
	result, err := c.remember(ctx, p.toEngine(selection), p.Shared)
	if err != nil {
		return nil, err
	}
	c.changed()
	return result, nil
})

func (c *Call) remember(ctx context.Context, r engine.RememberRequest, shared bool) (*RememberResult, error) {
	if shared {
		note, err := c.Engine.Memory().Share(ctx, r)
		return &RememberResult{ID: note.ID, Created: note.Created, Path: note.Path}, err
	}
	id, created, err := c.Engine.Memory().Remember(ctx, r)
	return &RememberResult{ID: id, Created: created}, err
}

// Forget takes records out of all answers.
var Forget = Define(Operation{
	Name: "forget", Title: "Forget", Doors: LSP | HTTP, Effect: Destroys, Tool: "forget",
	Doc:  "Remove memory records from every answer; they can be restored for 30 days. Only when the user wants it.",
	Text: forgetText,
}, func(ctx context.Context, c *Call, p *ForgetParams) (*ForgetResult, error) {
	if err := c.recalls(true); err != nil {
		return nil, err
	}
	removed, err := c.Engine.Memory().Forget(ctx, p.IDs)
	if err != nil {
		return nil, err
	}
	c.changed()
	return FromRemoval(removed), nil
})

// PurgeParams are the parameters of aurora/purge. Ids, a text, or both.
type PurgeParams struct {
	IDs  []string `json:"ids,omitempty"`
	Text string   `json:"text,omitempty"` // everything that holds it is deleted
}

// PurgeResult is the result of aurora/purge.
type PurgeResult struct {
	Deleted   int      `json:"deleted"`   // records
	IDs       []string `json:"ids"`       // of them
	Questions int      `json:"questions"` // of the history that quoted them
	Files     []string `json:"files"`     // in which it was written over
	Left      []string `json:"left"`      // files that still hold it, or that nobody could look into
}

// Purge deletes for good. No tool of agents is this operation.
var Purge = Define(Operation{
	Name: "purge", Title: "Purge", Doors: LSP | HTTP, Effect: Destroys, Class: workload.Patient,
	Doc: "Delete memory records, or all that holds a text such as a secret, for good and at once: versions, history, conversations, logs and backups included.",
}, func(ctx context.Context, c *Call, p *PurgeParams) (*PurgeResult, error) {
	if err := c.recalls(true); err != nil {
		return nil, err
	}
	purged, err := c.Engine.Memory().Purge(ctx, p.IDs, p.Text)
	if err != nil {
		return nil, err
	}
	c.changed()
	return &PurgeResult{
		Deleted: len(purged.IDs), IDs: list(purged.IDs), Questions: purged.Questions, Files: list(purged.Files), Left: list(purged.Left),
	}, nil
})

func forgetText(params, result any) string {
	asked, deleted := len(params.(*ForgetParams).IDs), result.(*ForgetResult).Deleted
	text := fmt.Sprintf("Forgot %d of %d records.\n", deleted, asked)
	if deleted < asked {
		text += "Next: take ids from the hits of search with in: memory.\n"
	}
	return text
}

// Restore undoes Forget.
var Restore = Define(Operation{
	Name: "restore", Title: "Restore", Doors: LSP | HTTP, Effect: Adds,
	Doc: "Bring forgotten memory records back, or list those that can be.",
}, func(ctx context.Context, c *Call, p *RestoreParams) (*RestoreResult, error) {
	if err := c.recalls(p.IDs != nil); err != nil {
		return nil, err
	}
	if p.IDs == nil {
		forgotten, total, err := c.Engine.Memory().Forgotten(ctx, p.Limit)
		if err != nil {
			return nil, err
		}
		return &RestoreResult{IDs: []string{}, Forgotten: FromForgotten(forgotten), Total: total}, nil
	}
	back, err := c.Engine.Memory().Restore(ctx, p.IDs)
	if err != nil {
		return nil, err
	}
	c.changed()
	return &RestoreResult{Restored: len(back), IDs: list(back)}, nil
})

// LearnParams are the parameters of aurora/learn.
type LearnParams struct {
	Result string   `json:"result"`          // how the question was solved, and the answer
	Score  float64  `json:"score"`           // 0..1: how sure it is that the result is right
	Query  string   `json:"query,omitempty"` // the question
	Tags   []string `json:"tags,omitempty"`
}

// LearnResult is the result of aurora/learn.
type LearnResult struct {
	Cached    bool   `json:"cached"`
	IsPattern bool   `json:"isPattern"`
	ChunkID   string `json:"chunkId,omitempty"`
}

// The scores from which a result is kept, and kept as a pattern.
const (
	KeepScore    = 0.5
	PatternScore = 0.8
)

// Learn keeps the result of a question that was solved elsewhere.
var Learn = Define(Operation{
	Name: "learn", Title: "Learn", Doors: LSP | HTTP, Effect: Adds, Class: workload.Patient,
	Doc: "Keep the result of a solved question when its score is 0.5 or more; from 0.8 as a pattern.",
}, func(ctx context.Context, c *Call, p *LearnParams) (*LearnResult, error) {
	if !(p.Score >= 0 && p.Score <= 1) {
		return nil, Invalid("score", fmt.Sprintf("must lie between 0 and 1, not %v", p.Score))
	}
	if p.Score < KeepScore {
		return &LearnResult{}, nil
	}
	r := engine.RememberRequest{Content: p.Result, Tags: p.Tags, Importance: p.Score, Type: "reasoning"}
	if p.Query != "" {
		r.Content = p.Query + "\n\n" + p.Result
	}
	pattern := p.Score >= PatternScore
	if pattern {
		r.Tags = append(slices.Clone(r.Tags), "pattern")
	}
	id, _, err := c.Engine.Memory().Remember(ctx, r)
	if err != nil {
		return nil, err
	}
	c.changed()
	return &LearnResult{Cached: true, IsPattern: pattern, ChunkID: id}, nil
})
