package snapshot

import (
	"time"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/lexical"
	"github.com/aurora-sidecar/aurora/index/vfs"
	"github.com/aurora-sidecar/aurora/internal/scrub"
)

// State is the life of an Index as a person sees it.
type State string

// The states.
const (
	Starting State = "starting" // nothing scanned yet
	Indexing State = "indexing" // a part of the files answers
	Ready    State = "ready"
	Degraded State = "degraded" // answers, but something is missing; Status.Warnings says what
)

// A File is one file as a snapshot knows it. It is immutable.
type File struct {
	Folder  string // absolute, canonical path of the workspace folder
	Path    string // relative to Folder, with '/'
	Abs     string // absolute path
	Hash    [32]byte
	Size    int64
	ModTime time.Time
	Node    vfs.Node
	Overlay bool  // the text is an unsaved buffer, not the file on disk
	Version int32 // of the buffer, when Overlay
	*chunk.File
	packed  *packedFile // where the chunks are until Loaded; nil when they are at hand
	Buffer  []byte      // the text of an overlay
	Secrets *scrub.Set  // without which its words were made
}

// A Ref names one chunk of one snapshot.
type Ref struct {
	File  *File
	Index int // into File.Chunks
}

// Chunk returns the chunk.
func (r Ref) Chunk() *chunk.Chunk { return &r.File.Chunks[r.Index] }

// ID returns the chunk's identity, see chunk.Chunk.ID.
func (r Ref) ID() string { return r.Chunk().ID(r.File.Path) }

// A Hit is a chunk that the lexical retriever proposes.
type Hit struct {
	Ref
	BM25    float64  // raw Okapi score, >= 0; 0 for one that is near
	Cosine  float64  // of the query's vector and the chunk's, -1..1; 0 for a hit of Search
	Matched []string // the query's tokens that occur in the chunk
}

// A Found is the answer of the lexical retriever.
type Found struct {
	Hits  []Hit
	Total int                // matches before the cut
	IDF   map[string]float64 // how rare each term of the query is, see lexical.Found
	// Unknown are the terms that no chunk holds.
	Unknown []string
}

// A Query asks the lexical retriever.
type Query struct {
	Text   string
	Terms  []lexical.QueryTerm // nil means the tokens of Text
	Limit  int                 // most hits; 0 means 100
	Accept func(*File) bool    // nil accepts every file; applied before the cut. It must not look at what is in the file.
	Chunk  func(Ref) bool      // nil accepts every chunk; applied before the cut
	Corpus *lexical.Corpus     // of more than this snapshot, to weigh by; nil means by itself
}
