package engine

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/internal/text"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/actr"
)

// qualified is the name with its container.
func qualified(h Hit) string {
	if h.Container == "" || h.Type == "code" {
		return h.Name
	}
	return h.Container + "." + h.Name
}

// A CitedPlace is a piece of code that a record is about, as it is now.
type CitedPlace struct {
	State string // valid, moved, changed, gone; "" when nobody could look
	Path  string // relative to its workspace folder; where it was, when it is gone
	Abs   string
	Line  int    // one-based
	Name  string // of the chunk; "" for mere lines
	Was   string // "<path>:<line> <name>" as it was remembered, when it moved or is gone
}

// citedPlace shows a citation that was checked.
func citedPlace(c memory.Citation) CitedPlace {
	p := CitedPlace{
		State: string(c.State), Path: cmp.Or(c.NowPath, c.Path), Line: cmp.Or(c.NowLine, c.StartLine), Name: cmp.Or(c.NowName, c.Name),
	}
	if c.State == memory.Gone {
		p.Path, p.Name = c.Path, c.Name
	}
	p.Abs = filepath.Join(c.Folder, filepath.FromSlash(p.Path))
	if p.Path != c.Path || p.Name != c.Name || c.State == memory.Gone {
		p.Was = strings.TrimSpace(fmt.Sprintf("%s:%d %s", c.Path, c.StartLine, c.Name))
	}
	return p
}

// CitedPlaces shows what a record cites.
func CitedPlaces(r *memory.Hit) []CitedPlace {
	var places []CitedPlace
	for _, c := range r.Citations {
		places = append(places, citedPlace(c))
	}
	return places
}

// Warning is what a reader must know of the citation, "" when it is as good as when it was made.
func (p *CitedPlace) Warning() string {
	place := strings.TrimSpace(fmt.Sprintf("%s:%d %s", p.Path, p.Line, p.Name))
	switch memory.CitationState(p.State) {
	case memory.Moved:
		return fmt.Sprintf("the cited code is now %s; it was %s", place, p.Was)
	case memory.Changed:
		if p.Was != "" {
			return fmt.Sprintf("stale: the cited code, now %s, has changed since; it was %s", place, p.Was)
		}
		return fmt.Sprintf("stale: the cited code %s has changed since", place)
	case memory.Gone:
		return fmt.Sprintf("stale: the cited code %s is gone", p.Was)
	}
	return ""
}

// newLocalHit shows a function inside a chunk as a hit of its own; its id is that of the chunk. When the chunk no longer
// has the function, the chunk is shown.
func newLocalHit(doc *document, ref index.Ref, name string) Hit {
	hit := newHit(doc, ref)
	locals := ref.File.LocalsOf(ref.Index)
	i := slices.IndexFunc(locals, func(l chunk.Local) bool { return l.Name == name })
	if i < 0 {
		return hit
	}
	l := &locals[i]
	hit.Type, hit.Kind = string(chunk.Function), string(chunk.KindFunction)
	hit.Name, hit.Container = l.Name, ref.Chunk().QualifiedName()
	hit.Signature, hit.Doc = oneLine(strings.TrimRight(doc.excerpt(l.Signature.Start, l.Signature.End), " \t\r\n{:")), ""
	hit.showSpan(doc, l.Span)
	hit.NameRange = nil
	if !l.NameSpan.Empty() {
		hit.NameRange = doc.rangeOf(l.NameSpan)
	}
	return hit
}

// shownActivation maps activations to what people are shown.
var shownActivation = actr.Params{}.WithDefaults()

// recordHit shows a memory record. What became of the code that it cites is part of its text, so that no reader, a
// model included, takes stale memory for fresh.
func recordHit(r *memory.Hit) Hit {
	h := Hit{
		ID: r.ID, Type: string(r.Type), Name: r.Title, Text: r.Content, Snippet: headLines(r.Content, SnippetLines),
		Tags: r.Tags, Source: "memory", Origin: originOfRecord(r), LastUsed: r.LastUsed, Uses: r.AccessCount, CreatedAt: r.CreatedAt,
	}
	if r.AccessCount > 0 {
		shown := shownActivation.RecallProbability(r.Activation)
		h.Scores.Activation = &shown
	}
	h.Citations = CitedPlaces(r)
	if r.Type == memory.Reasoning {
		h.Metadata = &HitMetadata{PatternType: patternType(r.SemanticRole), SuccessScore: r.SuccessScore, UsageCount: r.AccessCount}
	}
	for _, warning := range []string{citationWarning(r), judgementWarning(r)} {
		if warning != "" {
			h.Text += "\n[" + warning + "]"
		}
	}
	h.Tokens = estimateTokens(h.Text)
	return h
}

// patternType is what a role such as oauth-decomposition-pattern says that reasoning is for; plans are all that AURORA makes.
func patternType(role string) string {
	words := strings.Split(role, "-")
	if n := len(words); n > 1 && words[n-1] == "pattern" {
		return words[n-2]
	}
	return "decomposition"
}

// citationWarning joins what a reader must know of the record's citations.
func citationWarning(r *memory.Hit) string {
	var warnings []string
	for _, place := range CitedPlaces(r) {
		if w := place.Warning(); w != "" {
			warnings = append(warnings, w)
		}
	}
	return strings.Join(warnings, "; ")
}

// judgementWarning says what a person thought of a record, if that was bad.
func judgementWarning(r *memory.Hit) string {
	if slices.Contains(r.Tags, memory.Incorrect) {
		return "a person said that this is wrong"
	}
	return ""
}

const notePrefix = "know:note-" // of the ids of notes

// isNote tells the record of a note in a folder that is open.
func isNote(hit memory.Hit) bool {
	return strings.HasPrefix(hit.ID, notePrefix) && hit.SourceType == "file" && hit.Workspace != ""
}

// A Hit is one search result (PROTOCOL.md, Hit).
type Hit struct {
	ID          string
	Type        string // function, method, class, code, reasoning, knowledge
	Kind        string // CODE_FUNCTION, MARKDOWN_SECTION, ...; "" for memory records
	Name        string
	Container   string
	Language    string
	Path        string      // relative to its workspace folder, with '/'; "" for memory records without a place
	Abs         string      // absolute path; "" when Path is
	Range       *text.Range // of the definition, without the comment above it
	NameRange   *text.Range
	Above       int    // lines of Text that stand above Range
	Signature   string // on one line
	Doc         string // first paragraph of the doc comment
	Snippet     string // the chunk's text, at most SnippetLines lines
	Text        string // the whole chunk's text
	Score       float64
	Scores      Scores
	Explanation string
	Provenance  string // "[Source: {path}:{line} | Score: {score}]"
	Git         *GitInfo
	Tags        []string
	Tokens      int    // estimate
	Source      string // disk, overlay, memory, log
	// Providers are the ids of those that proposed the hit, in the order in which they are asked. In a context the code
	// that was asked for has "selection", and its neighbours have "dependency".
	Providers []string
	Origin    string // where the knowledge comes from: remembered, note, answer, import, log, docs, api; "" for code
	LastUsed  time.Time
	Uses      int // of a memory record
	CreatedAt time.Time
	Citations []CitedPlace // of a memory record: the code that it is about, as it is now
	Decays    bool         // a lifespan policy lets the record fade: what is read for an answer has it last

	Metadata *HitMetadata // of reasoning and of places in conversations; nil for others
}

// HitMetadata is what is known of how a hit came to be.
type HitMetadata struct {
	// Of reasoning (CHK-034).
	PatternType  string   // such as decomposition
	SuccessScore *float64 // 0..1, of the run it comes from; nil when it comes from none
	UsageCount   int

	// Of a place in a conversation (CHK-033).
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
}
