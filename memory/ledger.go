package memory

import (
	"context"
	"time"
)

// A Goal is what records are made for.
type Goal struct {
	ID        string
	Title     string
	Status    string // active, done, dropped
	CreatedAt time.Time
	UpdatedAt time.Time
	Records   int // that belong to it, without forgotten ones
}

// The states of a goal.
const (
	GoalActive  = "active"
	GoalDone    = "done"
	GoalDropped = "dropped"
)

// A Ledger keeps accounts that records alone do not.
type Ledger interface {
	// SetGoal adds a goal, or changes the title and the status of the one with its id where they are given. A record
	// that is remembered for a goal nobody has set adds it by itself.
	SetGoal(ctx context.Context, g Goal) error
	// Goals lists them, active ones first, then the latest.
	Goals(ctx context.Context) ([]Goal, error)
	// Annotate puts a chunk as JSON in the place of the one that a record has. It is no use of the record.
	Annotate(ctx context.Context, id string, chunk []byte) error
}
