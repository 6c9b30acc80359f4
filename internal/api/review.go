package api

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/internal/workload"
)

// ReviewParams are the parameters of aurora/review; without any of them the work tree is compared with HEAD.
type ReviewParams struct {
	Folder string `json:"folder,omitempty"` // absolute, a workspace folder; default: the first one
	Staged bool   `json:"staged,omitempty"` // what is staged
	Range  string `json:"range,omitempty"`  // main..: what a branch has done since it left another
	Patch  string `json:"patch,omitempty"`  // a unified diff, at most 16 MiB

	Summary bool `json:"summary,omitempty"` // have the model say in a few sentences what was found
}

// ReviewResult is the result of aurora/review.
type ReviewResult struct {
	Folder   string          `json:"folder"` // that paths are relative to
	Files    int             `json:"files"`
	Lines    int             `json:"lines"` // added and removed
	Findings []ReviewFinding `json:"findings"`
	Tests    []ReviewTest    `json:"tests"` // of what was changed
	Notes    []string        `json:"notes"` // what was not looked at, and why

	// Dismissed are the ids of findings, and of places of findings, that were left out since a person called them not related.
	Dismissed []string `json:"dismissed,omitempty"`

	Model   string         `json:"model,omitempty"`   // that would make a summary; left out without one
	Summary *ReviewSummary `json:"summary,omitempty"` // when it was asked for
}

// A ReviewSummary is what the model says of the findings.
type ReviewSummary struct {
	Sentences []ReviewSentence `json:"sentences"`
	Cost      Cost             `json:"cost"`
}

// A ReviewSentence is a sentence that findings bear out.
type ReviewSentence struct {
	Text     string `json:"text"`
	Findings []int  `json:"findings"` // that it rests on: places in the list of findings, from 0
}

// A ReviewFinding is one thing to look at.
type ReviewFinding struct {
	Rule     string `json:"rule"`     // secret, touched-note, removed-still-used, caller-not-updated, comment-names-removed-parameter, usually-changed-together
	Severity string `json:"severity"` // note, warning, error
	Path     string `json:"path"`
	Line     int    `json:"line,omitempty"` // one-based; left out for a file as a whole
	Message  string `json:"message"`
	Evidence string `json:"evidence"`
	Record   string `json:"record,omitempty"` // id of the note that a touched-note is about
	ID       string `json:"id,omitempty"`     // for aurora/dismiss; a secret has none

	Related []ReviewPlace `json:"related,omitempty"` // all calls, uses and imports that what was changed, removed or moved leaves behind; those in tests and documents come last
}

// A ReviewPlace is a line that a finding is about, too.
type ReviewPlace struct {
	Path       string  `json:"path"`
	Line       int     `json:"line"` // one-based
	Message    string  `json:"message"`
	Confidence float64 `json:"confidence"` // of the call or the use
	ID         string  `json:"id"`         // for aurora/dismiss of this place alone
}

// A ReviewTest is a command that runs tests.
type ReviewTest struct {
	Command string   `json:"command"`
	Covers  []string `json:"covers"` // names of changed definitions
}

// Review tells what a change leaves behind.
var Review = Define(Operation{
	Name: "review", Title: "Review a change", Doors: LSP | HTTP, Tool: "review", Class: workload.Patient,
	Doc:  "Review a diff: notes that it touches, files that usually change with it and are missing, uses of what it removes or renames, callers left behind by new parameters, comments that name removed ones, secrets, and the commands that test what changed.",
	Text: func(_, result any) string { return result.(*ReviewResult).Plain() },
}, func(ctx context.Context, c *Call, p *ReviewParams) (*ReviewResult, error) {
	folder := p.Folder
	if folder != "" {
		folder = c.path(folder)
	}
	found, err := c.Engine.Code().Review(ctx, engine.ReviewRequest{Folder: folder, Staged: p.Staged, Range: p.Range, Patch: p.Patch, Unsaved: c.unsaved()})
	if err != nil {
		return nil, err
	}
	result := fromReview(found)
	result.Model = c.Engine.Reasoner().ModelOf(c.caller())
	if p.Summary && len(result.Findings) > 0 {
		if err := result.summarize(ctx, c); err != nil {
			return nil, err
		}
	}
	return result, nil
})

// summarize fills in the summary. A model that gives none costs the summary, not the review.
func (r *ReviewResult) summarize(ctx context.Context, c *Call) error {
	findings := make([]engine.ReviewedFinding, len(r.Findings))
	for i, f := range r.Findings {
		findings[i] = engine.ReviewedFinding{Rule: f.Rule, Path: f.Path, Line: f.Line, Text: strings.Join(append([]string{f.Message, f.Evidence}, f.Places(maxPlaces)...), "\n")}
	}
	made, err := c.Engine.Reasoner().SummarizeReview(ctx, findings, c.caller())
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		r.Notes = append(r.Notes, "there is no summary: "+err.Error())
		return nil
	}
	r.Summary = &ReviewSummary{Sentences: []ReviewSentence{}, Cost: Cost(made.Cost)}
	for _, s := range made.Sentences {
		r.Summary.Sentences = append(r.Summary.Sentences, ReviewSentence(s))
	}
	if n := made.Dropped; n > 0 {
		r.Notes = append(r.Notes, wording.Count(n, "sentence of the summary was", "sentences of the summary were")+" left out: the findings do not say that")
	}
	return nil
}

// Cited is a sentence with the places that it rests on.
func (r *ReviewResult) Cited(s ReviewSentence) string {
	var places []string
	for _, at := range s.Findings {
		if place := r.Findings[at].Place(); !slices.Contains(places, place) {
			places = append(places, place)
		}
	}
	return fmt.Sprintf("%s [%s]", s.Text, strings.Join(places, ", "))
}

func fromReview(r *engine.ReviewResult) *ReviewResult {
	result := &ReviewResult{
		Folder: r.Folder, Files: r.Files, Lines: r.Lines, Findings: []ReviewFinding{}, Tests: []ReviewTest{}, Notes: list(r.Notes), Dismissed: r.Dismissed,
	}
	for _, f := range r.Findings {
		made := ReviewFinding{Rule: f.Rule, Severity: f.Severity, Path: f.Path, Line: f.Line, Message: f.Message, Evidence: f.Evidence, Record: f.Record, ID: f.ID}
		for _, p := range f.Related {
			made.Related = append(made.Related, ReviewPlace(p))
		}
		result.Findings = append(result.Findings, made)
	}
	for _, t := range r.Tests {
		result.Tests = append(result.Tests, ReviewTest(t))
	}
	return result
}

// DismissParams are the parameters of aurora/dismiss.
type DismissParams struct {
	IDs  []string `json:"ids" jsonschema:"of findings of a review"`
	Undo bool     `json:"undo,omitempty"` // they are found again
}

// DismissResult is the result of aurora/dismiss.
type DismissResult struct {
	IDs []string `json:"ids"`
}

// Dismiss keeps what a person calls not related from being found again.
var Dismiss = Define(Operation{
	Name: "dismiss", Title: "Dismiss findings", Doors: LSP | HTTP, Effect: Adds,
	Doc: "Keep the pairs that findings of a review are about (a note and a file, two files, a call and a function) from being found again, or undo that.",
}, func(ctx context.Context, c *Call, p *DismissParams) (*DismissResult, error) {
	if len(p.IDs) == 0 {
		return nil, Invalid("ids", "is missing")
	}
	if err := c.recalls(true); err != nil {
		return nil, err
	}
	if err := c.Engine.Code().Dismiss(ctx, p.IDs, p.Undo); err != nil {
		return nil, err
	}
	c.changed()
	return &DismissResult{IDs: p.IDs}, nil
})

// Place is path:line, or the path alone.
func (f *ReviewFinding) Place() string {
	if f.Line == 0 {
		return f.Path
	}
	return fmt.Sprintf("%s:%d", f.Path, f.Line)
}

// maxPlaces bounds the places of a finding that are written out; JSON has them all.
const maxPlaces = 10

// Places are its places, a line each, at most n, and how many more there are.
func (f *ReviewFinding) Places(n int) []string {
	var lines []string
	for i, p := range f.Related {
		if i == n {
			return append(lines, fmt.Sprintf("and %d more", len(f.Related)-n))
		}
		lines = append(lines, fmt.Sprintf("%s:%d: %s", p.Path, p.Line, p.Message))
	}
	return lines
}

// HasID reports whether an id is one of a finding, of a place, or of what was left out.
func (r *ReviewResult) HasID(id string) bool {
	return slices.Contains(r.Dismissed, id) || slices.ContainsFunc(r.Findings, func(f ReviewFinding) bool {
		return f.ID == id || slices.ContainsFunc(f.Related, func(p ReviewPlace) bool { return p.ID == id })
	})
}

// Plain says the result in lines of text.
func (r *ReviewResult) Plain() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d files, %d lines, %d findings\n", r.Files, r.Lines, len(r.Findings))
	if r.Summary != nil {
		for _, s := range r.Summary.Sentences {
			fmt.Fprintln(&b, r.Cited(s))
		}
	}
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%s: %s: %s [%s] %s\n", f.Place(), f.Severity, f.Message, f.Rule, f.Evidence)
		for _, place := range f.Places(maxPlaces) {
			fmt.Fprintf(&b, "  %s\n", place)
		}
	}
	for _, t := range r.Tests {
		fmt.Fprintf(&b, "test: %s (%s)\n", t.Command, strings.Join(t.Covers, ", "))
	}
	for _, note := range r.Notes {
		fmt.Fprintln(&b, note)
	}
	return b.String()
}
