package convlog

import "time"

// An Entry is one interaction to be written.
type Entry struct {
	ID     string // of the query: aurora-YYYYMMDD-HHMMSS-xxxxxx
	At     time.Time
	Query  string
	Phases []Phase // in the order of the file
	// Interactions are what was asked of the person meanwhile, and the replies.
	Interactions []Interaction
	Summary      Summary
}

// A Phase is one part of an Entry.
type Phase struct {
	Name   string // assess, retrieve, decompose, verify, route, collect, synthesize, record, respond
	Title  string // of the heading: "Phase 1: ASSESS"
	Blocks []Block
}

// A Block is a value that is written as JSON, below a label unless that is "".
type Block struct {
	Label string
	Value any
}

// An Interaction is what an agent asked a person, and what came back.
type Interaction struct {
	At       time.Time `json:"timestamp"`
	Question string    `json:"question"`
	Reply    string    `json:"reply"`
}

// A Summary ends a file.
type Summary struct {
	Total        time.Duration
	Complexity   string   // COMPLEX
	Confidence   float64  // 0..1, in the complexity
	PlanScore    *float64 // 0..1; nil when no plan was verified
	AnswerScore  *float64 // 0..1; nil when no answer was verified
	Subgoals     int
	Interactions int
	Stored       bool   // the answer became a record
	Why          string // it did or did not
	Tokens       int
	USD          float64
}
