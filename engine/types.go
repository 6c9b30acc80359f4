package engine

import (
	"github.com/aurora-sidecar/aurora/engine/usage"
	"github.com/aurora-sidecar/aurora/index"
)

// A Status is what `aurora status` and `aurora/status` tell.
type Status struct {
	Index       index.Status
	LLM         LLMStatus
	Memory      MemoryStatus
	Embedder    EmbedderStatus
	Providers   []ProviderStatus
	QueryMeanMs float64 // of the latest searches
	QueryP50Ms  float64
	QueryP95Ms  float64
	Usage       usage.Summary
	Warnings    []string
	Version     string
}

// LLMStatus tells whether a model is there.
type LLMStatus struct {
	Configured bool
	Healthy    bool
	Model      string
}

// EmbedderStatus tells whose vectors searches compare.
type EmbedderStatus struct {
	ID   string // "" without any
	Dims int
	Kind string // embedded, endpoint, none
}

// MemoryStatus counts what is remembered.
type MemoryStatus struct {
	Knowledge, Reasoning int
	SizeBytes            int64
	Path                 string
	Key                  string // that the file is encrypted with, for people; "" when it is plain
	Team                 bool   // the person is in a team, which records can be given to
}
