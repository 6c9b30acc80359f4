package snippet

import (
	"fmt"
	"time"

	"github.com/aurora-sidecar/aurora/internal/text"
)

// FirstLine is the zero-based line of the file where Text begins, 0 for a hit without a place.
func (h *Hit) FirstLine() int {
	if h.Range == nil {
		return 0
	}
	return h.Range.Start.Line - h.Above
}

// Line is the one-based line by which people and citations name the hit: the line of the name in the definition,
// not that of the comment above it. It is 0 for a hit without a place.
func (h *Hit) Line() int {
	switch {
	case h.NameRange != nil:
		return h.NameRange.Start.Line + 1
	case h.Range != nil:
		return h.Range.Start.Line + 1
	}
	return 0
}

// SetScore gives the hit its final score and the provenance line that carries it.
func (h *Hit) SetScore(final float64, bm25 *float64) {
	h.Score, h.Scores.Final, h.Scores.BM25 = final, final, bm25
	h.Provenance = provenance(h)
}

// provenance is the line by which agents cite a hit: "[Source: {path}:{line} | Score: {score}]" (S1 6).
func provenance(h *Hit) string {
	source := h.ID
	if h.Path != "" {
		source = fmt.Sprintf("%s:%d", h.Path, h.Line())
		if h.Repository != "" {
			source = h.Repository + ":" + source
		}
	}
	return fmt.Sprintf("[Source: %s | Score: %.3f]", source, h.Score)
}

// Qualified is the name with its container.
func Qualified(h Hit) string {
	if h.Container == "" || h.Type == "code" {
		return h.Name
	}
	return h.Container + "." + h.Name
}

// A Hit is one search result (PROTOCOL.md, Hit).
type Hit struct {
	ID   string
	Type string // function, method, class, code, reasoning, knowledge
	Symbol
	Location
	Content
	Relevance
	Remembered
	Git      *GitInfo
	Source   string       // disk, overlay, memory, log
	Origin   string       // where the knowledge comes from: remembered, note, answer, import, log, docs, api; "" for code
	Metadata *HitMetadata // of reasoning and of places in conversations; nil for others
}

// A Symbol is what a hit defines.
type Symbol struct {
	Kind      string // CODE_FUNCTION, MARKDOWN_SECTION, ...; "" for memory records
	Name      string
	Container string
	Language  string
	Signature string // on one line
	Doc       string // first paragraph of the doc comment
}

// A Location is where a hit stands.
type Location struct {
	Path      string      // relative to its workspace folder, with '/'; "" for memory records without a place
	Abs       string      // absolute path; "" when Path is
	Range     *text.Range // of the definition, without the comment above it
	NameRange *text.Range
	Above     int // lines of Text that stand above Range

	Repository string // of a search server, that Path is in; "" for what is on this machine
	URL        string // where people read it there, "" when that is not known
}

// Content is the text of a hit.
type Content struct {
	Snippet string // the chunk's text, at most SnippetLines lines
	Text    string // the whole chunk's text
	Tokens  int    // estimate
}

// Relevance is why a hit was found, and how well it fits.
type Relevance struct {
	Score       float64
	Scores      Scores
	Explanation string
	Weak        bool   // it may well have nothing to do with what was asked
	Provenance  string // "[Source: {path}:{line} | Score: {score}]"
	// Providers are the ids of those that proposed the hit, in the order in which they are asked. In a context the code
	// that was asked for has "selection", and its neighbours have "dependency".
	Providers []string
}

// Remembered is what only memory records have.
type Remembered struct {
	Tags      []string
	LastUsed  time.Time
	Uses      int
	CreatedAt time.Time
	Citations []CitedPlace // the code that the record is about, as it is now
	Agent     string       // the agent or model that made the record; "" for a person
	By        string       // who of the team wrote it; "" for one that is not the team's
	Remarks   []string     // what people and other records say for and against it, a sentence each
	Decays    bool         // a lifespan policy lets the record fade: what is read for an answer has it last
}

// HitMetadata is what is known of how a hit came to be.
type HitMetadata struct {
	// Of reasoning.
	PatternType  string   // such as decomposition
	SuccessScore *float64 // 0..1, of the run it comes from; nil when it comes from none
	UsageCount   int

	// Of a place in a conversation.
	SourceFile       string // absolute path
	PhaseNumber      int    // 1..9; 0 for a part that is no phase
	PhaseName        string // such as DECOMPOSE
	ConversationDate string // YYYY-MM-DD
	Query            string // that was asked
}

// Scores are the parts of a hit's score. A nil part was not computed.
type Scores struct {
	BM25       *float64 // raw, >= 0
	Normalised *float64 // BM25 as a share of the best candidate's, 0..1
	Semantic   *float64
	Activation *float64
	Graph      *float64
	NoSemantic string  // why Semantic was not computed; "" when it was
	Final      float64 // 0..1
}

// GitInfo is what git knows of a chunk's lines.
type GitInfo struct {
	Commits      int
	LastModified time.Time
	Author       string
	Subject      string
	State        string // tracked, untracked, unavailable
	AtEdge       bool   // the lines are as old as a shallow clone reaches, or older: who changed them last is not known
}
