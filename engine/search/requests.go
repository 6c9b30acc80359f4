package search

import (
	"time"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/search/rank"
	"github.com/aurora-sidecar/aurora/engine/snippet"
)

// Scope narrows a search. Every list that is not empty must match.
type Scope struct {
	Paths     []string // globs over the relative path
	Languages []string
	Types     []string
	Kinds     []string
	Exclude   []string // globs
	GoalID    string
	Tags      []string
	Projects  []string // names from the settings; "*" is all

	// Of memory records only.
	Domain        string   // such as security
	SourceType    string   // what a record was made from: file, memory (somebody said it), goal, output (of a question)
	Field         string   // a word in the chunk that a record was made from, such as a tool
	MinImportance float64  // 0..1
	Near          []string // ids of what is in use now; activation spreads from them along links

	RecencyBias float64 // 0..1: how much age counts against a record, and the age of its last commit against code

	Team bool // the search server of the team is asked, too, when there is one
}

// A Request asks for hits.
type Request struct {
	Query    string // words, identifiers; filter prefixes type:, lang:, path:, tag:, project:
	Limit    int    // 0 means 10; at most 1000
	Scope    Scope
	MinScore float64

	Explain bool // Hit.Explanation says of what the score was made
	Git     bool // fill in Hit.Git (costs one blame a file)
	// Unjudged shows hits even when none of them is plausible, for a caller who judges them: a question to a model may name
	// things that are yet to be made.
	Unjudged bool
	// AtLeast is how many of the best come back, marked as weak, where a search would show nothing since none of them is
	// plausible: who recalls takes "nothing" for "nothing was decided".
	AtLeast   int
	Providers []string // ids of those to ask; nil means those that the settings enable
	Fusion    string   // one of Fusions; "" means that of the settings
	// From is the absolute path that the person is at: without Scope.Projects the search is confined to the project
	// there, if there is one.
	From string
	// Open is the absolute path of the file that the person works in: what changes with it comes earlier. "" means that of From
	// where that is a file.
	Open string
	// Agent is who asks, for the figures of usage; "" leaves it to Options.Agent.
	Agent string

	Deep bool // further hits of a file count nearly like its first one, see ruleWeights.Deep

	Observe rank.Observers // see rank.Options
}

// A Result is the answer to a SearchRequest.
type Result struct {
	Hits       []snippet.Hit
	Total      int    // matches before the cut
	Mode       string // hybrid, keyword, semantic
	Confidence float64
	Notes      []string // why Hits is empty, or what is missing
	LeftOut    string   // the one of Notes that counts superseded records; "" for none
	Elapsed    time.Duration
	Index      codebase.IndexState

	Spent map[string]time.Duration // by provider
}
