package chunkschema

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/internal/schema"
	"github.com/aurora-sidecar/aurora/memory"
)

//go:embed schema/*.json
var files embed.FS

// ErrNotKept is returned for a valid chunk of a run that was too bad to be remembered.
var ErrNotKept = errors.New("the run that the chunk comes from scored too low to be remembered")

// schemas compiles the schemas, once.
var schemas = sync.OnceValues(func() (map[string]*schema.Schema, error) {
	common, err := files.ReadFile("schema/common.json")
	if err != nil {
		return nil, err
	}
	compiled := map[string]*schema.Schema{}
	for _, name := range []string{"code", "reasoning", "knowledge"} {
		text, err := files.ReadFile("schema/" + name + ".json")
		if err != nil {
			return nil, err
		}
		if compiled[name], err = schema.Compile(text, common); err != nil {
			return nil, err
		}
	}
	return compiled, nil
})

// Validate checks a chunk against the schema of its type. Errors wrap memory.ErrInvalid and name the field.
func Validate(text []byte) error {
	all, err := schemas()
	if err != nil {
		return fmt.Errorf("compile the schemas of chunks: %w", err)
	}
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return fmt.Errorf("%w: no JSON (%v)", memory.ErrInvalid, err)
	}
	object, _ := value.(map[string]any)
	kind, _ := object["type"].(string)
	shape := all[kind]
	if shape == nil {
		return fmt.Errorf("%w: a chunk is an object whose type is code, reasoning or knowledge (got %q)", memory.ErrInvalid, kind)
	}
	if found := shape.Check(value); len(found) > 0 {
		return fmt.Errorf("%w: at '%s': %s", memory.ErrInvalid, found[0].Place, found[0].Problem)
	}
	return nil
}

// A chunk is what Record reads of the three types.
type chunk struct {
	ID      string `json:"id"`
	Type    string `json:"type"`
	Content struct {
		Pattern       string `json:"pattern"`
		OriginalQuery string `json:"original_query"`
		Subgoals      []struct {
			ID          string `json:"id"`
			Description string `json:"description"`
			Agent       string `json:"agent"`
		} `json:"subgoals"`
		ToolSequence []string `json:"tool_sequence"`
		SuccessScore *float64 `json:"success_score"`

		Topic   string `json:"topic"`
		Summary string `json:"summary"`
		Facts   []struct {
			Statement string `json:"statement"`
		} `json:"facts"`
		Sources    []string `json:"sources"`
		Confidence *float64 `json:"confidence"`
	} `json:"content"`
	Metadata struct {
		Timestamp    time.Time `json:"timestamp"`
		Acquired     time.Time `json:"acquired"`
		SemanticRole string    `json:"semantic_role"`
		Keywords     []string  `json:"keywords"`
		Domain       string    `json:"domain"`
	} `json:"metadata"`
	Governance struct {
		ComplianceTags []string `json:"compliance_tags"`
	} `json:"governance"`
}

// Record checks a chunk and makes the record of it, which holds the chunk itself, too. Chunks of code are refused: code
// is in the index, and its activation is kept by its id.
func Record(text []byte) (memory.Record, error) {
	if err := Validate(text); err != nil {
		return memory.Record{}, err
	}
	var c chunk
	if err := json.Unmarshal(text, &c); err != nil {
		return memory.Record{}, fmt.Errorf("%w: %w", memory.ErrInvalid, err)
	}
	r := memory.Record{
		ID: c.ID, Type: memory.Type(c.Type), SourceType: "output", Tags: c.Governance.ComplianceTags,
		Quality: memory.Quality{SuccessScore: c.Content.SuccessScore, Confidence: c.Content.Confidence}, Subject: memory.Subject{SemanticRole: c.Metadata.SemanticRole, Keywords: c.Metadata.Keywords, Domain: c.Metadata.Domain},
		Chunk: compact(text),
	}
	switch r.Type {
	case memory.Reasoning:
		score := *c.Content.SuccessScore // the schema requires it
		if score < memory.CacheFrom {
			return memory.Record{}, fmt.Errorf("%w (%v)", ErrNotKept, score)
		}
		r.Pattern = score >= memory.MarkFrom
		r.Title, r.Content, r.CreatedAt = c.Content.Pattern, c.reasoning(), c.Metadata.Timestamp
	case memory.Knowledge:
		r.Title, r.Content, r.CreatedAt = c.Content.Topic, c.knowledge(), c.Metadata.Acquired
	default:
		return memory.Record{}, fmt.Errorf("%w: chunks of code are made by the index, not imported", memory.ErrInvalid)
	}
	return r, nil
}

// reasoning is the text by which a pattern is found and read.
func (c *chunk) reasoning() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", c.Content.Pattern, c.Content.OriginalQuery)
	for _, goal := range c.Content.Subgoals {
		fmt.Fprintf(&b, "- %s %s", goal.ID, goal.Description)
		if goal.Agent != "" {
			fmt.Fprintf(&b, " (%s)", goal.Agent)
		}
		b.WriteByte('\n')
	}
	if len(c.Content.ToolSequence) > 0 {
		fmt.Fprintf(&b, "Tools: %s\n", strings.Join(c.Content.ToolSequence, ", "))
	}
	return b.String()
}

func (c *chunk) knowledge() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", c.Content.Topic, c.Content.Summary)
	for _, fact := range c.Content.Facts {
		fmt.Fprintf(&b, "- %s\n", fact.Statement)
	}
	if len(c.Content.Sources) > 0 {
		fmt.Fprintf(&b, "Sources: %s\n", strings.Join(c.Content.Sources, ", "))
	}
	return b.String()
}

// compact is the chunk without white space, in which secrets are looked for like in any text.
func compact(text []byte) []byte {
	var b bytes.Buffer
	if err := json.Compact(&b, text); err != nil {
		return text
	}
	return b.Bytes()
}
