package recall

import "github.com/aurora-sidecar/aurora/engine/codebase"

// A RememberRequest stores a record.
type RememberRequest struct {
	Content    string
	SourceRef  string
	Tags       []string
	Importance float64 // 0 means 1
	GoalID     string
	Type       string // knowledge (default) or reasoning
	Select     *codebase.Selection
	Also       []codebase.Selection // further places that it cites
	Agent      string               // that remembers; "" when a person does
	Personal   bool                 // for every project, not only for the one that is open
	Team       bool                 // for the team of the project's repository, see package team
}

// A SharedNote is what Share wrote, or found.
type SharedNote struct {
	ID      string
	Path    string // absolute
	Created bool   // false when a note said so already
}
