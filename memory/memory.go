package memory

import (
	"context"
	"errors"
	"time"
)

// Type is the contract's hit type of a record.
type Type string

// The types of records.
const (
	Knowledge Type = "knowledge"
	Reasoning Type = "reasoning"
)

var (
	// ErrNotFound is returned when no record has the id.
	ErrNotFound = errors.New("no such memory record")
	// ErrInvalid is wrapped by errors that blame what was asked for, not the store.
	ErrInvalid = errors.New("invalid memory request")
)

// A Record is one remembered thing (MEM-001).
type Record struct {
	ID         string // "know:<slug>-<hash>" or "reas:<slug>-<hash>"; made by the store when empty
	Type       Type
	Title      string // first line of Content, shortened; made by the store when empty
	Content    string
	SourceType string // "file", "memory", "goal", "output"
	SourceRef  string // "<path>:<line>" (one-based) or a chunk id; may be empty
	Workspace  string // absolute folder it belongs to; "" means everywhere
	Tags       []string
	Importance float64 // 0..1; 1 is the default
	GoalID     string
	AgentName  string
	TokenCount int // estimate, about four characters a token
	// ContentHash is SHA-256 in hex over type and content; the same content is the same record.
	ContentHash string
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// A Use is something a person did with a record; activation grows by it (DESIGN: retrieval is not use).
type Use string

// The uses.
const (
	Opened   Use = "opened"
	Accepted Use = "accepted"
	Copied   Use = "copied"
	Edited   Use = "edited"
	Rejected Use = "rejected"
	Rated    Use = "rated"
	Created  Use = "created"
)

// A Query asks for records.
type Query struct {
	Text      string   // plain words and identifiers; "" lists the most active
	Limit     int      // 0 means 10
	Types     []Type   // none means all
	Tags      []string // a record must have all of them
	Workspace string   // "" means every workspace; else records of it and those of no workspace
	GoalID    string
	Refs      []string // source references or paths; a record that cites one of them matches even without Text
}

// A Hit is a record that answers a Query.
type Hit struct {
	Record
	Score       float64 // raw BM25 of the text match, >= 0; 0 for a match by reference
	Activation  float64 // ACT-R base level, natural logarithm; -Inf when never used
	AccessCount int
	LastUsed    time.Time
	Matched     []string
}

// Stats counts what a store holds.
type Stats struct {
	Records   map[Type]int
	SizeBytes int64
	Path      string // of the database file; "" when in memory
}

// A Store keeps records (MEM-002). Every method may be called from several goroutines.
type Store interface {
	// Remember inserts r, or updates the record with the same content: created tells which. The returned record
	// has every field filled in.
	Remember(ctx context.Context, r Record) (saved Record, created bool, err error)
	Search(ctx context.Context, q Query) ([]Hit, error)
	Get(ctx context.Context, id string) (Hit, error)
	// Forget removes the records from every answer and returns how many there were. They can be restored for 30
	// days.
	Forget(ctx context.Context, ids []string) (int, error)
	// Use records what a person did with records or chunks (any id). value is used by Rated, -1..1.
	Use(ctx context.Context, ids []string, what Use, value float64) error
	// Activation returns the ACT-R base level of each id that was ever used.
	Activation(ctx context.Context, ids []string) (map[string]float64, error)
	Stats(ctx context.Context) (Stats, error)
	// Warning is a sentence for status when the store runs with less than it should (in memory, read-only), else "".
	Warning() string
	Close() error
}
