package assemble

import (
	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/search"
	"github.com/aurora-sidecar/aurora/engine/snippet"
)

// A Request asks for prompt-ready context.
type Request struct {
	Query        string
	Select       *codebase.Selection
	Goal         string
	BudgetTokens int   // 0 means that of Task, without one 4000
	Task         *Task // nil means that nothing is known of the task
	K            int   // most snippets; 0 means 12, more for a budget that holds more
	Scope        search.Scope
	Format       string   // xml (default), markdown, json
	Diversity    *float64 // 0..1: how much saying something else counts against being found first; nil means 0.5
	Tokens       string   // how tokens are counted: exact (default), estimate
	// Conversation names who reads: what went into an earlier context of the same name, and is still so, is left out. At
	// most 200 bytes; "" keeps no account.
	Conversation string
	Known        []string // what the reader has already: paths, "path:from-to" with one-based lines, or ids of hits
	Agent        string   // who asks, for the figures of usage
}

// A Result is assembled context. Tokens.Total never exceeds the budget.
type Result struct {
	Text         string
	Snippets     []snippet.Hit // with the text and the lines that are shown
	Excerpts     int           // how many of the last Snippets are shown by single lines only
	Tokens       Tokens
	BudgetTokens int
	Omitted      int // found and not shown, for want of room
	Sent         int // left out because the reader has it already
	Notes        []string
	TaskID       string              // as the request has it
	Providers    map[string][]string // ids of Snippets by the provider that proposed them; a snippet may have several
}

// Tokens says what the tokens were spent on.
type Tokens struct{ Goal, Snippets, Graph, Memory, Overhead, Total int }
