package api

import (
	"cmp"
	"context"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// A Hit is one piece of code or one memory record.
type Hit struct {
	ID        string `json:"id"`
	Type      string `json:"type"` // function, method, class, code, reasoning, knowledge
	Kind      string `json:"kind"`
	Name      string `json:"name"`
	Container string `json:"container,omitempty"`
	Language  string `json:"language,omitempty"`
	HitPlace
	HitText
	HitScore
	HitSource
	Citations []Citation   `json:"citations,omitempty"` // of a memory record
	Notes     []Note       `json:"notes,omitempty"`     // memory records that cite the hit; with notes
	Metadata  *HitMetadata `json:"metadata,omitempty"`  // of reasoning and of places in conversations
}

// A Note is a memory record that cites a piece of code.
type Note struct {
	ID      string `json:"id"`
	Text    string `json:"text"`
	Warning string `json:"warning,omitempty"` // what became of the cited code, when it is not what it was
}

// HitPlace says where a hit stands.
type HitPlace struct {
	URI       string `json:"uri,omitempty"`
	Path      string `json:"path,omitempty"`  // relative to the workspace folder, with '/'; of a hit with repository, to its root
	Range     *Range `json:"range,omitempty"` // of a definition: without the comment above it
	NameRange *Range `json:"nameRange,omitempty"`
	// Repository of the team's search server that the file is in. Such a hit has no uri, as the file is not on this machine.
	Repository string `json:"repository,omitempty"`
	URL        string `json:"url,omitempty"` // of a hit with repository: a page that shows it, http or https
}

// HitText is what a hit says.
type HitText struct {
	Signature string `json:"signature,omitempty"`
	Doc       string `json:"doc,omitempty"`
	Snippet   string `json:"snippet"`
	Text      string `json:"text,omitempty"`  // all of it, when it was asked for
	Above     int    `json:"above,omitempty"` // lines of text that stand above range; with text
}

// HitScore says why a hit is one.
type HitScore struct {
	Score       float64 `json:"score"`
	Scores      Scores  `json:"scores"`
	Explanation string  `json:"explanation"`
	Weak        bool    `json:"weak,omitempty"` // it may well have nothing to do with what was asked
	Provenance  string  `json:"provenance"`
}

// HitSource says where a hit comes from.
type HitSource struct {
	Git       *Git     `json:"git,omitempty"`
	Tags      []string `json:"tags,omitempty"`
	Tokens    int      `json:"tokens"`
	Source    string   `json:"source"`              // disk, overlay, memory, log, shared (of the team's search server)
	Providers []string `json:"providers,omitempty"` // ids of those that proposed the hit; of a context, also selection
	Origin    string   `json:"origin,omitempty"`    // of knowledge: remembered, note, answer, import, log (a conversation), docs (a section of a document), api (the comment on a definition)
	LastUsed  string   `json:"lastUsed,omitempty"`
	CreatedAt string   `json:"createdAt,omitempty"`
	Author    string   `json:"author,omitempty"`  // who of the team wrote a memory record; absent for one that is not the team's
	Uses      int      `json:"uses,omitempty"`    // of a memory record; with text
	Remarks   []string `json:"remarks,omitempty"` // what people and other records say for and against a memory record, a sentence each
}

// Line is the one-based line by which people and citations name the hit: the line of the name in the definition, not
// that of the comment above it. It is 0 for a hit without a place.
func (h *Hit) Line() int {
	switch {
	case h.NameRange != nil:
		return h.NameRange.Start.Line + 1
	case h.Range != nil:
		return h.Range.Start.Line + 1
	}
	return 0
}

// FirstLine is the zero-based line of the file where Text begins, 0 for a hit without a place.
func (h *Hit) FirstLine() int {
	if h.Range == nil {
		return 0
	}
	return h.Range.Start.Line - h.Above
}

// Abs is the absolute path of the file, "" for a hit without one.
func (h *Hit) Abs() string {
	path, _ := FilePath(h.URI)
	return path
}

// HitMetadata tells how a hit came to be.
type HitMetadata struct {
	PatternType  string   `json:"patternType,omitempty"`  // of reasoning, such as decomposition
	SuccessScore *float64 `json:"successScore,omitempty"` // 0..1, of the run it comes from
	UsageCount   int      `json:"usageCount,omitempty"`

	SourceFile       string `json:"sourceFile,omitempty"`       // of a place in a conversation: its absolute path
	PhaseNumber      int    `json:"phaseNumber,omitempty"`      // 1..9
	PhaseName        string `json:"phaseName,omitempty"`        // such as DECOMPOSE
	ConversationDate string `json:"conversationDate,omitempty"` // YYYY-MM-DD
	Query            string `json:"query,omitempty"`            // that was asked
}

// A Citation is a piece of code that a memory record is about, as it is now.
type Citation struct {
	State string `json:"state"` // valid, moved, changed, gone; unchecked when its workspace is not open
	URI   string `json:"uri"`
	Path  string `json:"path"` // relative to the workspace folder, with '/'
	Line  int    `json:"line"` // one-based
	Name  string `json:"name,omitempty"`
	Was   string `json:"was,omitempty"` // "<path>:<line> <name>" as it was remembered, when it moved or is gone
}

// Warning says what became of the cited code, "" when nothing did.
func (c *Citation) Warning() string {
	place := engine.CitedPlace{State: c.State, Path: c.Path, Line: c.Line, Name: c.Name, Was: c.Was}
	return place.Warning()
}

// Scores are the parts of a score; absent ones were not computed.
type Scores struct {
	BM25       *float64 `json:"bm25,omitempty"`
	Normalised *float64 `json:"normalised,omitempty"` // bm25 as a share of the best candidate's, 0..1; with text
	Semantic   *float64 `json:"semantic,omitempty"`
	Activation *float64 `json:"activation,omitempty"`
	Graph      *float64 `json:"graph,omitempty"`
	NoSemantic string   `json:"noSemantic,omitempty"` // why semantic was not computed
	Final      float64  `json:"final"`                // 0..1
}

// Git is what git knows of a hit's lines.
type Git struct {
	Commits      int    `json:"commits"`
	LastModified string `json:"lastModified,omitempty"`
	Author       string `json:"author,omitempty"`
	Subject      string `json:"subject,omitempty"`
	State        string `json:"state"` // tracked, untracked, unavailable
}

// A Scope narrows what is searched; every list that is not empty must match.
type Scope struct {
	Paths     []string `json:"paths,omitempty"` // globs
	Languages []string `json:"languages,omitempty"`
	Types     []string `json:"types,omitempty"`
	Kinds     []string `json:"kinds,omitempty"`
	Exclude   []string `json:"exclude,omitempty"` // globs
	GoalID    string   `json:"goalId,omitempty"`
	Tags      []string `json:"tags,omitempty"`
	Projects  []string `json:"projects,omitempty"` // names from index.projects; "*" is all

	Domain        string   `json:"domain,omitempty"`        // of memory records, such as security
	SourceType    string   `json:"sourceType,omitempty"`    // what memory records were made from: file, memory, goal, output
	Field         string   `json:"field,omitempty"`         // a word in the chunk that a record was made from
	MinImportance float64  `json:"minImportance,omitempty"` // 0..1
	RecencyBias   float64  `json:"recencyBias,omitempty"`   // 0..1: how much age counts against a record, and the age of its last commit against code
	Near          []string `json:"near,omitempty"`          // ids of what is in use now; activation spreads from them along links
}

// FromHit converts a hit; ranges are counted in enc.
func FromHit(h engine.Hit, enc text.Encoding) Hit {
	hit := Hit{
		ID: h.ID, Type: h.Type, Kind: h.Kind, Name: h.Name, Container: h.Container, Language: h.Language,
		HitPlace: HitPlace{Path: h.Path, Range: rangePtr(h.Range, enc), NameRange: rangePtr(h.NameRange, enc), Repository: h.Repository, URL: h.URL},
		HitText:  HitText{Signature: h.Signature, Doc: h.Doc, Snippet: h.Snippet},
		HitScore: HitScore{Score: finite(h.Score), Scores: fromScores(h.Scores), Explanation: h.Explanation, Weak: h.Weak, Provenance: h.Provenance},
		HitSource: HitSource{
			Git: fromGit(h.Git), Tags: h.Tags, Tokens: h.Tokens, Source: h.Source, Providers: h.Providers, Origin: h.Origin,
			LastUsed: timestamp(h.LastUsed), CreatedAt: timestamp(h.CreatedAt), Author: h.By, Remarks: h.Remarks,
		},
	}
	if h.Metadata != nil {
		metadata := HitMetadata(*h.Metadata)
		hit.Metadata = &metadata
	}
	if h.Abs != "" {
		hit.URI = FileURI(h.Abs)
	}
	for _, c := range h.Citations {
		hit.Citations = append(hit.Citations, FromCitation(c))
	}
	return hit
}

// FromCitation converts a citation.
func FromCitation(c engine.CitedPlace) Citation {
	out := Citation{State: cmp.Or(c.State, "unchecked"), Path: c.Path, Line: c.Line, Name: c.Name, Was: c.Was}
	if c.Abs != "" {
		out.URI = FileURI(c.Abs)
	}
	return out
}

// FullHits converts hits with all of their texts.
func FullHits(hits []engine.Hit, enc text.Encoding) []Hit {
	out := FromHits(hits, enc)
	addText(out, hits)
	return out
}

// FromHits converts hits to a list that is never null.
func FromHits(hits []engine.Hit, enc text.Encoding) []Hit {
	out := make([]Hit, len(hits))
	for i := range hits {
		out[i] = FromHit(hits[i], enc)
	}
	return out
}

// addText adds to hits what only those want who show them at length.
func addText(to []Hit, from []engine.Hit) {
	for i := range from {
		to[i].Text, to[i].Above, to[i].Uses = from[i].Text, from[i].Above, from[i].Uses
		to[i].Scores.Normalised = finitePtr(from[i].Scores.Normalised)
	}
}

// addNotes adds to hits the records that cite them. What keeps it from that is returned as a note for the reader.
func addNotes(ctx context.Context, c *Call, to []Hit, from []engine.Hit) []string {
	about, err := c.Engine.Memory().About(ctx, from)
	if err != nil {
		return []string{"notes are missing: " + err.Error()}
	}
	for i, records := range about {
		for _, record := range records {
			note := Note{ID: record.ID, Text: record.Snippet}
			for _, place := range record.Citations {
				note.Warning = cmp.Or(note.Warning, place.Warning())
			}
			to[i].Notes = append(to[i].Notes, note)
		}
	}
	return nil
}

// toEngine converts a scope; a nil one is empty.
func (s *Scope) toEngine() engine.Scope {
	if s == nil {
		return engine.Scope{}
	}
	return engine.Scope{
		Paths: s.Paths, Languages: s.Languages, Types: s.Types, Kinds: s.Kinds, Exclude: s.Exclude,
		GoalID: s.GoalID, Tags: s.Tags, Projects: s.Projects, Domain: s.Domain, SourceType: s.SourceType, Field: s.Field, MinImportance: s.MinImportance, RecencyBias: s.RecencyBias, Near: s.Near,
	}
}

func fromScores(s engine.Scores) Scores {
	return Scores{
		BM25: finitePtr(s.BM25), Semantic: finitePtr(s.Semantic), Activation: finitePtr(s.Activation),
		Graph: finitePtr(s.Graph), NoSemantic: s.NoSemantic, Final: finite(s.Final),
	}
}

func fromGit(g *engine.GitInfo) *Git {
	if g == nil {
		return nil
	}
	return &Git{
		Commits: g.Commits, LastModified: timestamp(g.LastModified), Author: g.Author, Subject: g.Subject, State: g.State,
	}
}

func rangePtr(r *text.Range, enc text.Encoding) *Range {
	if r == nil {
		return nil
	}
	converted := FromRange(*r, enc)
	return &converted
}

// timestamp is RFC 3339 in UTC, "" for the zero time.
func timestamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// moment is a timestamp to the millisecond: phases follow each other within one.
func moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z07:00")
}

// milliseconds of a duration, with three decimals.
func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// Time reads a timestamp of the contract; the zero time for "".
func Time(s string) time.Time {
	t, _ := time.Parse(time.RFC3339, s) // "" alone is none of ours
	return t
}

// list makes nil an empty list.
func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
