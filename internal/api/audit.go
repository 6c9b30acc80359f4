package api

import (
	"context"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/workload"
)

// AuditParams are the parameters of audit.
type AuditParams struct {
	Apply bool `json:"apply,omitempty"` // forget what has expired

	// Assign gives the records of one of the misplaced folders to the open project.
	Assign string `json:"assign,omitempty"`
}

// AuditResult is the result of audit: what is wrong with memory.
type AuditResult struct {
	Records      int              `json:"records"`
	Duplicates   []AuditPair      `json:"duplicates"` // the later record first
	Stale        []AuditFinding   `json:"stale"`      // the cited code has changed or is gone
	NeverUsed    []AuditFinding   `json:"neverUsed"`
	Contradicted []AuditPair      `json:"contradicted"` // the first by the second
	Expiring     []AuditFinding   `json:"expiring"`     // within two weeks
	Expired      []AuditFinding   `json:"expired"`
	Inactive     []AuditFinding   `json:"inactive"`   // decayed by a policy: they come last
	Escalation   []AuditFinding   `json:"escalation"` // candidates that a policy flags
	Difficult    []DifficultQuery `json:"difficultQueries"`
	Misplaced    []MisplacedNotes `json:"misplaced"` // folders that are gone and still have records
	Notes        []NoteFault      `json:"notes"`     // what could not be taken of the notes of the project
	Assigned     int              `json:"assigned"`
	DryRun       bool             `json:"dryRun"`
	Forgotten    int              `json:"forgotten"`
}

// An AuditFinding is a record with the reason why it is listed.
type AuditFinding struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Reason  string `json:"reason"`
	Policy  string `json:"policy,omitempty"`
	Expires string `json:"expires,omitempty"`
}

// An AuditPair is two records with the reason why they are listed together.
type AuditPair struct {
	ID     string `json:"id"`
	Other  string `json:"other"`
	Reason string `json:"reason"`
}

// MisplacedNotes are the records of a folder that is gone; no project shows them.
type MisplacedNotes struct {
	Folder  string `json:"folder"`
	Records int    `json:"records"`
}

// A NoteFault is what could not be taken of a note; the rest of it counts.
type NoteFault struct {
	Path    string `json:"path"`
	Line    int    `json:"line,omitempty"` // one-based; none for the file as a whole
	Message string `json:"message"`
}

// A DifficultQuery went badly.
type DifficultQuery struct {
	Query    string  `json:"query"`
	Failures int     `json:"failures"`
	Score    float64 `json:"score"` // 0..1, of the last time
}

func fromFindings(list []engine.Finding) []AuditFinding {
	out := make([]AuditFinding, len(list))
	for i, f := range list {
		out[i] = AuditFinding{ID: f.ID, Title: f.Title, Reason: f.Reason, Policy: f.Policy, Expires: timestamp(f.Expires)}
	}
	return out
}

func fromPairs(list []engine.Pair) []AuditPair {
	out := make([]AuditPair, len(list))
	for i, p := range list {
		out[i] = AuditPair{p.ID, p.Other, p.Reason}
	}
	return out
}

// Audit looks through memory.
var Audit = Define(Operation{
	Name: "audit", Title: "Audit memory", Doors: HTTP, Effect: Destroys, Class: workload.Patient,
	Doc: "List duplicate, stale, unused, contradicted and expiring memory; forget what has expired and assign the records of folders that are gone, if told to.",
}, func(ctx context.Context, c *Call, p *AuditParams) (*AuditResult, error) {
	assigned, err := assign(ctx, c, p.Assign)
	if err != nil {
		return nil, err
	}
	audit, err := c.Engine.Memory().Audit(ctx)
	if err != nil {
		return nil, err
	}
	out := &AuditResult{
		Records: audit.Records, Duplicates: fromPairs(audit.Duplicates), Stale: fromFindings(audit.Stale), NeverUsed: fromFindings(audit.NeverUsed),
		Contradicted: fromPairs(audit.Contradicted), Expiring: fromFindings(audit.Expiring), Expired: fromFindings(audit.Expired),
		Inactive: fromFindings(audit.Inactive), Escalation: fromFindings(audit.Escalation), Difficult: []DifficultQuery{}, DryRun: !p.Apply,
		Misplaced: []MisplacedNotes{}, Notes: []NoteFault{}, Assigned: assigned,
	}
	for _, d := range audit.Difficult {
		out.Difficult = append(out.Difficult, DifficultQuery{Query: d.Query, Failures: d.Failures, Score: finite(d.Score)})
	}
	for _, m := range audit.Misplaced {
		out.Misplaced = append(out.Misplaced, MisplacedNotes(m))
	}
	for _, f := range audit.Notes {
		out.Notes = append(out.Notes, NoteFault(f))
	}
	if !p.Apply {
		return out, nil
	}
	if err := c.recalls(true); err != nil {
		return nil, err
	}
	if out.Forgotten, err = c.Engine.Memory().Maintain(ctx, audit); err != nil {
		return nil, err
	}
	c.changed()
	return out, nil
})

// assign gives the records of a misplaced folder to the open project, if one is named.
func assign(ctx context.Context, c *Call, folder string) (int, error) {
	if folder == "" {
		return 0, nil
	}
	if err := c.recalls(true); err != nil {
		return 0, err
	}
	count, err := c.Engine.Memory().Assign(ctx, folder)
	if err == nil {
		c.changed()
	}
	return count, err
}
