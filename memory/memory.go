package memory

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/aurora-sidecar/aurora/memory/actr"
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

// A Record is one remembered thing.
type Record struct {
	ID         string // "know:<slug>-<hash>" or "reas:<slug>-<hash>"; made by the store when empty
	Type       Type
	Title      string // first line of Content, shortened; made by the store when empty
	Content    string
	SourceType string // "file", "memory", "goal", "output"
	SourceRef  string // "<path>:<line>" (one-based) or a chunk id; may be empty
	Workspace  string // the project it belongs to: a name that all copies of a repository share, else an absolute folder; "" means everywhere
	Tags       []string
	Importance float64 // 0..1; 1 is the default
	Chunk      []byte  // the chunk as JSON that it was made from, see package chunkschema; nil for most
	Citations  []Citation
	Author
	Stamp
	Quality
	Subject
}

// An Author is who made a record, and for what.
type Author struct {
	GoalID    string
	AgentName string
	Team      bool   // it is shared with the team of its project
	By        string // who of the team wrote it; "" for nobody, or until the team's server has it
}

// Remark says who of the team wrote a record, "" for one that is not the team's.
func (a Author) Remark() string {
	switch {
	case a.By != "":
		return "written by " + a.By + ", of the team"
	case a.Team:
		return "for the team, whose server does not have it yet"
	}
	return ""
}

// A Stamp is what the store notes of a record's content.
type Stamp struct {
	TokenCount  int    // estimate, about four characters a token
	ContentHash string // SHA-256 in hex over type, content and workspace; the same content is the same record
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// Quality is how good a record is, as far as is known.
type Quality struct {
	Pattern      bool     // a query's outcome was good enough to be an example
	SuccessScore *float64 // 0..1, of the run it comes from; nil when it comes from none
	Confidence   *float64 // 0..1; nil when it is not known
}

// A Subject is what a record is about; the store fills in what is empty.
type Subject struct {
	SemanticRole string   // such as oauth-decomposition-pattern
	Domain       string   // such as security
	Keywords     []string // at most 7
}

// A Citation is a piece of code that a record is about: as it was when the record was made, and where it was last seen.
type Citation struct {
	Folder             string // absolute
	Path               string // relative to Folder, with '/'
	StartLine, EndLine int    // one-based, both inclusive
	ChunkID            string // "" when the lines are in no chunk
	Name               string // of the chunk
	Signature          string
	TextHash           string // SHA-256 of the text in hex
	Excerpt            string // of the text, at most MaxExcerpt bytes, without secrets

	NowPath, NowChunkID string // made by the store from Path and ChunkID when empty; see Store.Follow

	// What became of the code, for those who know it to fill in at recall; no store keeps it.
	State   CitationState
	NowLine int    // one-based; 0 when it is gone or was not looked for
	NowName string // of the chunk
}

// A CitationState says what became of cited code.
type CitationState string

// The states.
const (
	Unchecked CitationState = ""        // nobody looked, or the code's workspace is not open
	Valid     CitationState = "valid"   // there is the same text, perhaps on other lines
	Moved     CitationState = "moved"   // the same text is elsewhere, or has another name
	Changed   CitationState = "changed" // there is another text by now
	Gone      CitationState = "gone"    // nothing like it is left
)

// A Query asks for records.
type Query struct {
	Text  string   // plain words and identifiers; "" lists the most active
	Limit int      // 0 means 10
	Types []Type   // none means all
	Tags  []string // a record must have all of them
	// Workspaces are the names of the projects whose records are wanted, with those of none; without any all are.
	Workspaces []string
	GoalID     string
	Source     string   // "" means all; else file, memory, goal or output
	Refs       []string // source references or paths; a record that cites one of them matches even without Text

	// IDs of records that match even without Text; they come behind those that match it.
	IDs []string

	Metadata
	MinImportance float64  // 0..1
	RecencyBias   float64  // 0..1: how much the age of a record counts against its text match
	Active        []string // ids of what is in use now; activation spreads from them
}

// Metadata are words that a record must have; "" means all.
type Metadata struct {
	Domain       string
	SemanticRole string // a part of it is enough
	Keyword      string // one that the record has
	Field        string // a word in the JSON of the record's chunk, such as a tool
}

// A Hit is a record that answers a Query.
type Hit struct {
	Record
	Score       float64    // raw BM25 of the text match, >= 0; 0 for a match by reference
	Activation  float64    // sum of Parts, natural logarithm; -Inf when never used
	Parts       actr.Parts // what Activation is made of
	AccessCount int
	LastUsed    time.Time
	Matched     []string
	Standing    Standing
}

// Stats counts what a store holds.
type Stats struct {
	Records   map[Type]int
	SizeBytes int64
	Path      string // of the database file; "" when in memory
	Key       string // that it is encrypted with, for people; "" when it is plain
}

// A Link joins two records, or a record with a chunk of code.
type Link struct {
	From, To string
	Type     string  // such as cites, calls, imports, follows, contradicts
	Weight   float64 // 0..1
}

// VersionsKept is how many former texts of a record are kept.
const VersionsKept = 20

// A Version is what a record said before.
type Version struct {
	Title, Content string
	Until          time.Time // when another text took its place
}

// KeepForgotten is how long a forgotten record can be restored; then it is deleted for good.
const KeepForgotten = 30 * 24 * time.Hour

// A Forgotten record can still be restored.
type Forgotten struct {
	Record
	At time.Time
}

// Until is when it is deleted for good.
func (f Forgotten) Until() time.Time { return f.At.Add(KeepForgotten) }

// A Move tells where a citation's code is now.
type Move struct {
	Record                    string // id
	Path, ChunkID             string // of the citation
	StartLine                 int
	NowPath, NowChunkID, Name string
}

// A Difficult query went badly.
type Difficult struct {
	Query    string
	Failures int
	Score    float64 // of the last time
	At       time.Time
}

// An Outcome is what came of a query and what it had retrieved.
type Outcome struct {
	Query     string
	Score     float64 // 0..1, of its verification
	Helpful   []string
	Unhelpful []string // ids
}

// Incorrect is the tag of a record that a person said is wrong.
const Incorrect = "incorrect"

// A Judgement is what a person thinks of an answer.
type Judgement struct {
	Confidence float64 // -1..1, added to the record's confidence, which stays within 0..1
	// Wrong makes the record no example any more, without any confidence, and tags it as Incorrect. A later judgement that
	// adds confidence takes the tag off.
	Wrong bool
	// Insufficient makes it no example any more.
	Insufficient bool
}

// A Store keeps records, and what one person does with them. Every method may be called from several goroutines.
type Store interface {
	RecordStore
	PersonalStore
	// Leftovers deletes the backups beside the store's file, and returns the files that still hold, or may hold, what was deleted.
	Leftovers(ctx context.Context) ([]string, error)
	Stats(ctx context.Context) (Stats, error)
	// Compact gives the space of what was deleted back to the system.
	Compact(ctx context.Context) error
	// Export writes everything as JSON Lines; Import adds what Export wrote, and chunks as JSON, each line whole or
	// not at all.
	Export(ctx context.Context, w io.Writer) (Counts, error)
	Import(ctx context.Context, r io.Reader) (Counts, error)
	// Warning is a sentence for status when the store runs with less than it should (in memory, read-only), else "".
	Warning() string
	Close() error
}

// A RecordStore keeps records and their links: what a team could share. Hits also have what the person who asks did with them.
type RecordStore interface {
	// Remember inserts r, or updates the record with the same content: created tells which. The returned record
	// has every field filled in.
	Remember(ctx context.Context, r Record) (saved Record, created bool, err error)
	Search(ctx context.Context, q Query) ([]Hit, error)
	Get(ctx context.Context, id string) (Hit, error)
	// Versions returns what a record said before, the latest first: at most VersionsKept.
	Versions(ctx context.Context, id string) ([]Version, error)
	// Forget removes the records from every answer and returns the ids of those that there were. They can be restored
	// for KeepForgotten.
	Forget(ctx context.Context, ids []string) ([]string, error)
	// Restore undoes Forget and returns the ids of the records that came back.
	Restore(ctx context.Context, ids []string) ([]string, error)
	// Purge deletes records and whatever else holds a text for good: versions, uses, links, citations, and the detail of questions
	// that became such a record. Call Compact then: until it has ended, the file may still hold what was deleted.
	Purge(ctx context.Context, p Purge) (Purged, error)
	// Forgotten lists what Restore can bring back, the latest first.
	Forgotten(ctx context.Context) ([]Forgotten, error)
	// Relate adds links, or gives those that are there a new weight.
	Relate(ctx context.Context, links []Link) error
	// Related returns the links that leave each id, those that records have by what they cite included.
	Related(ctx context.Context, ids []string) (map[string][]Link, error)
	// Follow notes where cited code was found, so that the next look begins there.
	Follow(ctx context.Context, moves []Move) error
	// Workspaces counts the records of each workspace.
	Workspaces(ctx context.Context) (map[string]int, error)
	// Assign gives all records of a workspace, note files aside, to another one, and returns how many those were.
	Assign(ctx context.Context, from, to string) (int, error)
	// Records calls f for every record of these types, or of all without any, the oldest first, and ends with f's error.
	Records(ctx context.Context, f func(Hit) error, types ...Type) error
	// Texts calls f for every record that was written since the mark, forgotten ones included, and returns the next
	// mark. f may see a record again.
	Texts(ctx context.Context, since TextMark, f func(RecordText)) (TextMark, error)
	// Vectors calls f with each vector of a space that KeepVectors kept for these records and that is of their present text.
	Vectors(ctx context.Context, space string, ids []string, f func(id string, vector []int8)) error
	// KeepVectors keeps vectors of a space instead of those that the records had. One of a text that its record no longer has is left out.
	KeepVectors(ctx context.Context, space string, vectors []RecordVector) error
}

// A PersonalStore keeps what one person asked for, used, rated and spent.
type PersonalStore interface {
	// Use notes what a person did with records or chunks (any id). value is used by Rated, -1..1. A use counts at
	// once; it is written within two seconds and at Close, until when a kill -9 loses it.
	Use(ctx context.Context, ids []string, what Use, value float64) error
	// Learn adjusts activations by the outcome of a query, and marks queries that go badly.
	Learn(ctx context.Context, o Outcome) (Learned, error)
	// Judge notes what a person thinks of the answer that became a record. It fails with ErrNotFound when there is none.
	Judge(ctx context.Context, id string, j Judgement) error
	// Activation returns the ACT-R base level of each id that was ever used.
	Activation(ctx context.Context, ids []string) (map[string]float64, error)
	// Rename gives to each new id what is kept under its old one: uses, activation and links, on top of its own. Records
	// keep their ids; what is known of no old id is no error.
	Rename(ctx context.Context, ids map[string]string) error
	// Difficult lists the queries that went badly, the most often failed first.
	Difficult(ctx context.Context) ([]Difficult, error)
	LogIndex
	Ledger
	MetricStore
}

// Counts says how much was exported or imported, by the kind of line.
type Counts map[string]int

// Learned tells what an outcome changed.
type Learned struct {
	Record    string // id of what was remembered; "" for nothing
	Cached    bool   // good enough to be remembered
	Pattern   bool   // good enough to be an example
	Difficult bool   // the query was marked
	Adjusted  int    // activations
}
