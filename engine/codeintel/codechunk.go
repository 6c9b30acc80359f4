package codeintel

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/chunkschema"
)

// A codeChunk is a definition as chunks are exchanged. It is made from the index when it is asked
// for: code is never copied into memory, only its uses are kept there, by its id.
type codeChunk struct {
	ID         string                 `json:"id"`
	Type       string                 `json:"type"`
	Content    codeContent            `json:"content"`
	Metadata   codeMeta               `json:"metadata"`
	Governance chunkschema.Governance `json:"governance"`

	// Null when nobody ever used it. Nothing is in use when one chunk is looked at, so that none spreads to it.
	Activation *float64 `json:"activation"`
	BaseLevel  *float64 `json:"base_level_activation"`
	Spreading  float64  `json:"spreading_activation"`
}

type codeContent struct {
	File         string     `json:"file"`
	Function     string     `json:"function"`
	ElementType  string     `json:"element_type"`
	LineStart    int        `json:"line_start"` // one-based, both inclusive
	LineEnd      int        `json:"line_end"`
	Signature    string     `json:"signature,omitempty"`
	Dependencies []string   `json:"dependencies"` // ids of what it calls
	Imports      []string   `json:"imports"`
	Calls        []string   `json:"calls"`
	Summary      astSummary `json:"ast_summary"`
}

type astSummary struct {
	Complexity string `json:"complexity"` // low, medium, high
	Branches   int    `json:"branches"`
	Loops      int    `json:"loops"`
}

type codeMeta struct {
	Language     string   `json:"language"`
	LastModified string   `json:"last_modified,omitempty"`
	GitHash      string   `json:"git_hash,omitempty"`
	Commits      int      `json:"commit_count"`
	Role         string   `json:"semantic_role"`
	Keywords     []string `json:"keywords"`
	Domain       string   `json:"domain"`
}

// maxDescribed is how much of a definition is read for its description, in bytes.
const maxDescribed = 64 << 10

// maxDependencies is how many definitions a chunk of code names as what it calls.
const maxDependencies = 20

// CodeChunk returns a definition of the index as a chunk of code, in JSON that keeps to the schema. It fails with Invalid
// when the index has no such id.
func (e *Intel) CodeChunk(ctx context.Context, id string) (json.RawMessage, error) {
	snap, docs := e.Index.Snapshot(), codebase.NewDocumentCache(e.Index)
	ref, known := codebase.ChunkByID(snap, id)
	var doc *codebase.Document
	if known {
		doc, ref, known = docs.Open(ref)
	}
	if !known {
		return nil, &fault.Error{Kind: fault.NotFound, Message: fmt.Sprintf("the index has no code called %.200q", id), Detail: "id", Remedy: "aurora search --json prints the ids."}
	}
	c, err := e.codeChunk(ctx, doc, ref)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(c)
	if err == nil {
		err = chunkschema.Validate(text)
	}
	return text, err
}

func (e *Intel) codeChunk(ctx context.Context, doc *codebase.Document, ref index.Ref) (*codeChunk, error) {
	hit, at := snippet.OfChunk(doc, ref), ref.Chunk()
	out := &codeChunk{ID: hit.ID, Type: "code", Content: codeContent{
		File: hit.Path, Function: snippet.Qualified(hit), ElementType: hit.Type, LineStart: at.StartLine + 1, LineEnd: at.EndLine + 1, Signature: hit.Signature,
		Dependencies: []string{}, Imports: []string{}, Calls: []string{}, Summary: summarise(hit.Text),
	}}
	for _, call := range at.Calls {
		if !slices.Contains(out.Content.Calls, call.Name) {
			out.Content.Calls = append(out.Content.Calls, call.Name)
		}
	}
	for _, i := range ref.File.Imports {
		if !slices.Contains(out.Content.Imports, i.Path) {
			out.Content.Imports = append(out.Content.Imports, i.Path)
		}
	}
	callees, err := e.Related(ctx, RelatedRequest{Place: codebase.Place{Path: ref.File.Abs, Offset: at.NameSpan.Start}, Direction: "callees", Limit: maxDependencies})
	if err == nil {
		for _, edge := range callees.Edges {
			out.Content.Dependencies = append(out.Content.Dependencies, edge.To.ID)
		}
	} else if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return out, e.describeCode(ctx, out, doc, hit, ref)
}

// describeCode fills in what is derived and what is remembered.
func (e *Intel) describeCode(ctx context.Context, out *codeChunk, doc *codebase.Document, hit snippet.Hit, ref index.Ref) error {
	described, err := memory.Prepare(memory.Record{Title: hit.Name, Content: wording.CutText(hit.Text, maxDescribed)})
	if err != nil {
		return err
	}
	out.Metadata = codeMeta{Language: hit.Language, Keywords: described.Keywords, Domain: described.Domain, Role: hit.Type}
	if subject := memory.Keywords(hit.Name, 1); len(subject) > 0 {
		out.Metadata.Role = subject[0] + "-" + hit.Type
	}
	if history, err := e.HistoryOf(ctx, doc, ref.Chunk().StartLine, ref.Chunk().EndLine); err == nil {
		out.Metadata.Commits, out.Metadata.GitHash = history.Commits, history.LastCommit
		if !history.LastModified.IsZero() {
			out.Metadata.LastModified = history.LastModified.UTC().Format(time.RFC3339)
		}
	} else if ctx.Err() != nil {
		return ctx.Err()
	}
	out.Governance = chunkschema.Governance{Tags: []string{}, Policy: "conditional", Rules: []any{}}
	if described.Domain != "general" {
		out.Governance.Tags = append(out.Governance.Tags, described.Domain)
	}
	if e.Store == nil {
		return nil
	}
	levels, err := e.Store.Activation(ctx, []string{hit.ID})
	if err != nil {
		return fault.OfStore(ctx, "read an activation", err)
	}
	if level, used := levels[hit.ID]; used {
		out.Activation, out.BaseLevel = &level, &level
	}
	return nil
}

var (
	notCode   = lazyregexp.New("(?s)\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\\n])*'|`[^`]*`|/\\*.*?\\*/|(?://|#|--)[^\n]*")
	branching = lazyregexp.New(`\b(?:if|elif|elsif|elseif|unless|case|when|match|switch|guard|catch|except|rescue)\b|\?[^.:?]`)
	looping   = lazyregexp.New(`\b(?:for|foreach|while|until|loop|repeat)\b`)
)

// summarise counts branches and loops by their keywords, outside of strings and comments. All languages that are parsed
// share these words; who needs exact numbers needs a linter.
func summarise(code string) astSummary {
	code = notCode.ReplaceAllString(strings.ReplaceAll(code, "\r\n", "\n"), " ")
	s := astSummary{Branches: len(branching.FindAllString(code, -1)), Loops: len(looping.FindAllString(code, -1))}
	switch n := s.Branches + 2*s.Loops; {
	case n <= 3:
		s.Complexity = "low"
	case n <= 10:
		s.Complexity = "medium"
	default:
		s.Complexity = "high"
	}
	return s
}
