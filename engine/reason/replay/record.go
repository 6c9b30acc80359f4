package replay

import (
	"context"
	"time"

	"github.com/aurora-sidecar/aurora/engine/journal"
	"github.com/aurora-sidecar/aurora/engine/reason/adaptive"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
)

// A Record is all that is known of a question.
type Record struct {
	journal.Entry
	Request   soar.Request          `json:"request"`
	Setup     Setup                 `json:"setup"`
	Answer    string                `json:"answer"`
	ChunkID   string                `json:"chunkId,omitempty"` // the record that the answer became
	Warnings  []string              `json:"warnings,omitempty"`
	Citations []Citation            `json:"citations,omitempty"`
	Phases    []soar.Phase          `json:"phases"`
	Events    []Event               `json:"events,omitempty"`
	History   []*soar.ExecutionPass `json:"executionHistory,omitempty"`
	Recording *soar.Recording       `json:"tape,omitempty"` // nil when no model was asked
}

// Setup is what, besides the question, decides which prompts are sent.
type Setup struct {
	Tiers soar.Models `json:"tiers"`
	soar.Sizes
	PII      string           `json:"pii,omitempty"`
	Adaptive adaptive.Options `json:"adaptive"`
}

// A Citation is a source of an answer.
type Citation struct {
	ID   string `json:"id"`
	Path string `json:"path,omitempty"`
	Line int    `json:"line,omitempty"` // one-based
	Name string `json:"name"`
}

// An Event is something that happened while the question was worked on.
type Event struct {
	At     time.Duration `json:"atNs"` // since the question was asked
	Phase  string        `json:"phase"`
	Status string        `json:"status"`
	Detail string        `json:"detail,omitempty"`
}

// Load returns the record of a question by its id, by the end of an id that only one has, or by "last".
func Load(ctx context.Context, j *journal.Journal, id string) (*Record, error) {
	r := &Record{}
	if _, err := j.Load(ctx, id, r); err != nil {
		return nil, err
	}
	return r, nil
}
