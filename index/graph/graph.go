package graph

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/index/chunk"
)

// A File is one file of a snapshot. Two files are the same when their pointers are.
type File struct {
	Folder string // workspace folder, absolute
	Path   string // relative to Folder, with '/'
	*chunk.File
}

// A Node is one chunk.
type Node struct {
	File  *File
	Index int // into File.Chunks
}

// Chunk returns the chunk.
func (n Node) Chunk() *chunk.Chunk { return &n.File.Chunks[n.Index] }

// ID is the chunk's identity, see chunk.Chunk.ID.
func (n Node) ID() string { return n.Chunk().ID(n.File.Path) }

// A Source looks things up in one snapshot. Its answers may come in any order.
type Source interface {
	// Named returns the chunks of exactly this name, whatever their container.
	Named(name string) []Node
	// Callers returns the chunks that call something of this name.
	Callers(name string) []Node
	// Inheriting returns the chunks whose file says of them that something inherits from a type of this name.
	Inheriting(supertype string) []Node
	// Holding returns the chunks in which something of this name is declared that is no chunk itself, as a variable.
	Holding(name string) []Node
	// Implementing returns the chunks at which a type of this name, defined elsewhere, is said to inherit.
	Implementing(subtype string) []Node
	// Importing returns the files with an import whose path or name has this word in it.
	Importing(word string) []*File
	// FilesLike returns files whose path has this word in it, folders included.
	FilesLike(word string) []*File
	// FileAt returns the file at a path relative to a workspace folder.
	FileAt(folder, path string) (*File, bool)
	// IncludeFolders returns the folders in which the compiler of a file of C looks for what it includes, relative to the workspace
	// folder: those for names in quotes alone, and those for all; none where that isn't known.
	IncludeFolders(folder, path string) (quoted, all []string)
}

// Kind says how two chunks are joined.
type Kind string

// The kinds.
const (
	Call     Kind = "call"
	Import   Kind = "import"
	Inherit  Kind = "inherit" // inherits from, implements, embeds
	Test     Kind = "test"
	CoChange Kind = "cochange" // of files that git saw change together; made by the caller that asks git
)

// weights say how near a neighbour of each kind is when it is certain.
var weights = map[Kind]float64{Call: 1, Inherit: 0.9, Test: 0.8, Import: 0.6, CoChange: 1}

// An Edge leads from the chunk that was asked about to another one.
type Edge struct {
	To         Node
	Kind       Kind
	Weight     float64 // 0..1: how near the neighbour is; that of the kind times the confidence
	Confidence float64 // 0..1: how sure it is that the name means this definition, see the package comment
	Why        string  // what speaks for it, for people
}

// least is the confidence below which there is no edge.
const least = 0.05

// The bounds of one question. Names with more candidates than that are those that tell nothing, as String or main.
const (
	maxCandidates = 200  // definitions of one name that are weighed
	maxReferences = 1500 // chunks that refer to a name and are looked at, those first that may mean the definition, see reach
	maxEdges      = maxReferences
)

// A Graph answers questions about one snapshot. It is for one goroutine and one request: it keeps what it looked up.
type Graph struct {
	src      Source
	named    map[string][]Node
	winners  map[useKey]winners
	parents  map[typeKey][]ancestor
	imported map[string][]fileMatch
	scripts  map[*File]bool
	callers  map[Node]callers
	locals   map[*File]map[string][]chunk.Import // imports by the name that the file knows them by
	origins  map[originKey][]origin
	modules  *modules
	values   map[flowKey]value
}

// New returns a graph over a snapshot.
func New(src Source) *Graph {
	g := &Graph{
		src: src, named: map[string][]Node{}, winners: map[useKey]winners{}, parents: map[typeKey][]ancestor{},
		imported: map[string][]fileMatch{}, scripts: map[*File]bool{}, callers: map[Node]callers{},
		locals: map[*File]map[string][]chunk.Import{}, origins: map[originKey][]origin{}, values: map[flowKey]value{},
	}
	g.modules = &modules{graph: g, manifests: map[*File]*chunk.Manifest{}}
	g.modules.crates = crates{modules: g.modules, roots: map[*File]*File{}, known: map[rustKey][]rustPlace{}}
	return g
}

// definitions returns the definitions of a name in the order of their paths, at most maxCandidates.
func (g *Graph) definitions(name string) []Node {
	if list, ok := g.named[name]; ok {
		return list
	}
	list := slices.DeleteFunc(g.src.Named(name), func(n Node) bool {
		c := n.Chunk()
		return c.Name != name || c.Type == chunk.Code
	})
	sortNodes(list)
	list = list[:min(len(list), maxCandidates)]
	g.named[name] = list
	return list
}

func sortNodes(nodes []Node) { slices.SortFunc(nodes, compareNodes) }

func compareNodes(a, b Node) int {
	return cmp.Or(strings.Compare(a.File.Path, b.File.Path), strings.Compare(a.File.Folder, b.File.Folder), cmp.Compare(a.Index, b.Index))
}

func newEdge(to Node, kind Kind, confidence float64, why string) Edge {
	return Edge{To: to, Kind: kind, Weight: weights[kind] * confidence, Confidence: confidence, Why: why}
}

// settle sorts edges, the surest first, and leaves the surest one of several to the same chunk.
func settle(edges []Edge) []Edge {
	slices.SortStableFunc(edges, func(a, b Edge) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), compareNodes(a.To, b.To), strings.Compare(a.Why, b.Why))
	})
	seen := map[Node]bool{}
	edges = slices.DeleteFunc(edges, func(e Edge) bool {
		known := seen[e.To]
		seen[e.To] = true
		return known || e.Confidence < least
	})
	return edges[:min(len(edges), maxEdges)]
}
