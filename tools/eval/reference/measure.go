package reference

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/graph"
)

// Call is the Use.Kind of a call.
const Call = "call"

// The confidences from which an edge is taken for certain, and for likelier than not.
const (
	sure   = 0.9
	likely = 0.5
)

// Options say what is measured.
type Options struct {
	Root   string // the checkout
	Family string // of languages, one of Families
	Count  int    // functions that are asked about
	Seed   uint64
	Tools  string // folder below which npm has installed the tools
	Keep   string // folder for the answers of the tools, so that a second run need not ask; "" for none
	Handed bool   // places that hand functions over as values are compared instead of callers

	// Symbols says that the places that use constants, variables, fields and types are compared instead of callers.
	Symbols bool
}

// A Result is what the callers of some functions of one checkout were worth.
type Result struct {
	Repo, Family string
	Functions    int
	Handed       Score // instead of All, when that was asked for
	All          Score // of all edges
	Likely       Score // of the edges that are likelier than not
	Bins         []Bin // by confidence, the surest first
	Wrong        []Mistake
	Missed       []Mistake
}

// A Score compares the callers that are given with those that are known. Where the tool doesn't know either what a call
// means, as on a value without a type, a caller is neither right nor wrong.
type Score struct{ Known, Found, Given, Right, Open int }

// Recall is the share of the known callers that were given, 1 when none is known.
func (s Score) Recall() float64 { return share(s.Found, s.Known) }

// Precision is the share of the given callers that are right, of those on which the tool has an opinion; 1 when there are none.
func (s Score) Precision() float64 { return share(s.Right, s.Given-s.Open) }

func share(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}

// A Bin counts the edges of one confidence.
type Bin struct {
	From         float64 // least confidence
	Given, Right int     // without those on which the tool has no opinion
}

// bounds are the least confidences of the bins.
var bounds = []float64{sure, 0.7, likely, 0.3, 0}

// A Mistake is a caller that is wrong or was missed.
type Mistake struct {
	Of, Caller string // identities of the chunks
	Line       int    // of the caller's file, from one; 0 when unknown
	Confidence float64
	Why        string
}

// Measure indexes a checkout in memory and asks the tool about functions taken at random.
func Measure(ctx context.Context, o Options) (*Result, error) {
	tool, err := ToolFor(o.Family, o.Tools)
	if err != nil {
		return nil, err
	}
	root, err := filepath.Abs(o.Root)
	if err != nil {
		return nil, err
	}
	ix, err := index.Open(ctx, index.Options{Folders: []string{root}, NoWatch: true})
	if err != nil {
		return nil, fmt.Errorf("index %s: %w", root, err)
	}
	defer ix.Shutdown()
	if err := ix.WaitReady(ctx); err != nil {
		return nil, err
	}
	m := &measurement{snap: ix.Snapshot(), texts: &texts{root: root}, checkout: &Checkout{Root: root}, family: o.Family, tool: kept{o.Keep, tool}}
	if o.Symbols {
		return m.symbols(ctx, ix, o)
	}
	names := m.choose(o)
	if o.Handed {
		return m.handed(ctx, ix, names)
	}
	uses, err := m.uses(ctx, names)
	if err != nil {
		return nil, err
	}
	return m.compare(ctx, names, uses)
}

// uses returns the references to each name. Some tools count a call as one of every method that it may end in, as those that
// override what is called; of theirs, those count whose definition it is by the types that are written, see isUse. The Java server is only
// asked for definitions: of everything in the checkout that looks like a call of the name.
func (m *measurement) uses(ctx context.Context, names []Place) ([][]Use, error) {
	if m.family == "jvm" {
		return m.declared(ctx, names, m.mentions(names))
	}
	uses, err := m.tool.Ask(ctx, m.checkout, References, names)
	if err != nil || m.family != "php" && m.family != "c" && m.family != "javascript" {
		return uses, err
	}
	return m.declared(ctx, names, uses)
}

// isUse reports whether a call whose definitions the tool tells is one of a function. In TypeScript one by an interface or a class that
// is extended counts for all that implement it, as its compiler has it; but one of another class that implements the same never does,
// though the compiler lists it, too: this.query() in A does not run B.query.
func (m *measurement) isUse(own index.Ref, definitions []Use) bool {
	if m.family != "javascript" || m.isDefined(own, definitions) {
		return m.isDefined(own, definitions)
	}
	return !slices.ContainsFunc(definitions, func(u Use) bool {
		ref, ok := m.at(u.Place)
		if !ok || ref.Chunk().NameSpan.Start != u.Offset || own.Chunk().Container == "" {
			return false
		}
		c := ref.Chunk()
		return c.HasBody() && c.Name == own.Chunk().Name && c.Container != "" && !m.extends(own.Chunk().Container, c.Container, maxAncestors)
	})
}

// maxAncestors bounds how far up the types above a type are followed.
const maxAncestors = 8

// extends reports whether a type is below another one, by their names.
func (m *measurement) extends(name, above string, depth int) bool {
	if name == above || depth == 0 {
		return name == above
	}
	links := m.snap.Links()
	g := graph.New(links)
	return slices.ContainsFunc(m.snap.Named(name, false), func(ref index.Ref) bool {
		return slices.ContainsFunc(g.Supertypes(links.Node(ref)), func(e graph.Edge) bool { return m.extends(e.To.Chunk().Name, above, depth-1) })
	})
}

var nameBeforeBracket = regexp.MustCompile(`(\pL\w*)\s*\(`)

// mentions returns, for each name, the places where something of that name is followed by a bracket.
func (m *measurement) mentions(names []Place) [][]Use {
	wanted := map[string][]int{}
	for i, n := range names {
		if own, ok := m.at(n); ok {
			wanted[own.Chunk().Name] = append(wanted[own.Chunk().Name], i)
		}
	}
	found := make([][]Use, len(names))
	for _, file := range m.checkout.Files {
		src := m.texts.text(file)
		for _, at := range nameBeforeBracket.FindAllSubmatchIndex(src, -1) {
			for _, i := range wanted[string(src[at[2]:at[3]])] {
				if !inComment(src, at[2]) {
					found[i] = append(found[i], Use{Place{file, at[2]}, Call})
				}
			}
		}
	}
	return found
}

// inComment reports whether the line of an offset begins as one of a comment.
func inComment(src []byte, at int) bool {
	line := bytes.TrimLeft(src[bytes.LastIndexByte(src[:at], '\n')+1:at], " \t")
	return bytes.HasPrefix(line, []byte("*")) || bytes.HasPrefix(line, []byte("/*")) || bytes.HasPrefix(line, []byte("//"))
}

// declared leaves, of the calls of each function, those whose definition it is by the types that are written.
func (m *measurement) declared(ctx context.Context, names []Place, uses [][]Use) ([][]Use, error) {
	var places []Place
	for _, list := range uses {
		for _, u := range list {
			if u.Kind == Call {
				places = append(places, u.Place)
			}
		}
	}
	slices.SortFunc(places, comparePlaces)
	places = slices.Compact(places)
	answers, err := m.tool.Ask(ctx, m.checkout, Definition, places)
	if err != nil {
		return nil, err
	}
	definitions := make(map[Place][]Use, len(places))
	for i, p := range places {
		definitions[p] = answers[i]
	}
	left := make([][]Use, len(uses))
	for i, list := range uses {
		own, ok := m.at(names[i])
		for _, u := range list {
			if ok && m.isUse(own, definitions[u.Place]) {
				left[i] = append(left[i], u)
			}
		}
	}
	return left, nil
}

// measurement is one run.
type measurement struct {
	snap     *index.Snapshot
	texts    *texts
	checkout *Checkout
	family   string
	tool     Tool
}

// choose fills the checkout and returns the names of functions, taken at random.
func (m *measurement) choose(o Options) []Place {
	var names []Place
	for f := range m.snap.Files() {
		if path.Base(f.Path) == "package.json" {
			m.checkout.Manifests = append(m.checkout.Manifests, f.Path)
		}
		if graph.Family(f.Language) != o.Family || f.Language == "svelte" || f.Language == "vue" {
			continue
		}
		m.checkout.Files = append(m.checkout.Files, f.Path)
		for i := range f.Chunks {
			if isFunction(&f.Chunks[i]) {
				names = append(names, Place{f.Path, f.Chunks[i].NameSpan.Start})
			}
		}
	}
	slices.Sort(m.checkout.Files)
	slices.Sort(m.checkout.Manifests)
	slices.SortFunc(names, comparePlaces)
	random := rand.New(rand.NewPCG(o.Seed, o.Seed))
	random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	return names[:min(len(names), o.Count)]
}

func comparePlaces(a, b Place) int {
	if c := strings.Compare(a.Path, b.Path); c != 0 {
		return c
	}
	return a.Offset - b.Offset
}

// isFunction reports whether a chunk is a function or method with a body and a name of its own. A constructor is called
// by the name of its class.
func isFunction(c *chunk.Chunk) bool {
	container := c.Container[strings.LastIndexByte(c.Container, '.')+1:]
	constructor := c.Name == "constructor" || c.Name == "__init__" || c.Name == "__construct" || c.Name == container
	return (c.Type == chunk.Function || c.Type == chunk.Method) && c.HasBody() && !c.NameSpan.Empty() && !constructor
}

// A claim is an edge to a caller.
type claim struct {
	of    index.Ref
	edge  graph.Edge
	known bool // the tool reports it as a reference
}

// compare weighs the callers of each function.
func (m *measurement) compare(ctx context.Context, names []Place, uses [][]Use) (*Result, error) {
	r := &Result{Repo: filepath.Base(m.checkout.Root), Family: m.family, Functions: len(names)}
	for _, from := range bounds {
		r.Bins = append(r.Bins, Bin{From: from})
	}
	var claims []claim
	for i, name := range names {
		if own, ok := m.at(name); ok {
			claims = append(claims, m.claims(r, own, m.callers(own, uses[i]))...)
		}
	}
	return r, m.judge(ctx, r, claims)
}

// isDefinition reports whether a place is the name of a definition: tools list other overloads as references.
func isDefinition(f *index.File, offset int) bool {
	return slices.ContainsFunc(f.Chunks, func(c chunk.Chunk) bool { return c.NameSpan.Start == offset && !c.NameSpan.Empty() })
}

// claims returns the edges to the callers of one function, and counts which of the known ones they hold.
func (m *measurement) claims(r *Result, own index.Ref, known map[string]Place) []claim {
	links := m.snap.Links()
	edges, _ := graph.New(links).Callers(links.Node(own))
	r.All.Known += len(known)
	r.Likely.Known += len(known)
	var claims []claim
	given := map[string]float64{}
	for _, e := range edges {
		_, ok := known[e.To.ID()]
		claims = append(claims, claim{own, e, ok})
		given[e.To.ID()] = max(given[e.To.ID()], e.Confidence)
	}
	for id, p := range known {
		confidence, ok := given[id]
		if ok {
			r.All.Found++
		}
		if confidence >= likely {
			r.Likely.Found++
		} else {
			r.Missed = append(r.Missed, Mistake{Of: own.ID(), Caller: id, Line: m.line(p), Confidence: confidence})
		}
	}
	return claims
}

// judge counts which claims are right. Of those that are no reference it asks what the call means.
func (m *measurement) judge(ctx context.Context, r *Result, claims []claim) error {
	var places []Place
	for _, c := range claims {
		if !c.known {
			places = append(places, m.callOf(c))
		}
	}
	defined, err := m.tool.Ask(ctx, m.checkout, Definition, places)
	if err != nil {
		return err
	}
	for _, c := range claims {
		right, open := c.known, false
		if !c.known {
			right = m.isDefined(c.of, defined[0])
			open = !right && m.isOpen(c, defined[0])
			defined = defined[1:]
		}
		r.All.count(right, open)
		if c.edge.Confidence >= likely {
			r.Likely.count(right, open)
		}
		if open {
			continue
		}
		bin := &r.Bins[slices.IndexFunc(bounds, func(from float64) bool { return c.edge.Confidence >= from })]
		bin.Given++
		if right {
			bin.Right++
		} else {
			r.Wrong = append(r.Wrong, Mistake{c.of.ID(), c.edge.To.ID(), 0, c.edge.Confidence, c.edge.Why})
		}
	}
	return nil
}

// callOf is the first place in the caller's text that calls the name, or its beginning.
func (m *measurement) callOf(c claim) Place {
	return Place{c.edge.To.File.Path, max(m.callAt(c), c.edge.To.Chunk().Span.Start)}
}

// callAt is the offset of the first call of the name in the caller's text, -1 without one.
func (m *measurement) callAt(c claim) int {
	to, name := c.edge.To.Chunk(), c.of.Chunk().Name
	src := m.texts.text(c.edge.To.File.Path)
	call := regexp.MustCompile(`(?:^|[^\w$])` + regexp.QuoteMeta(name) + `(?:<[^()]*>|\[[^()]*\])?\s*\(`)
	at := call.FindIndex(to.Span.In(src))
	if at == nil {
		return -1
	}
	return to.Span.Start + at[0] + strings.Index(string(src[to.Span.Start+at[0]:]), name)
}

// isDefined reports whether one of the definitions is the function.
func (m *measurement) isDefined(of index.Ref, definitions []Use) bool {
	return slices.ContainsFunc(definitions, func(u Use) bool {
		ref, ok := m.at(u.Place)
		return ok && (ref.ID() == of.ID() || isOverload(ref, of))
	})
}

// isOverload reports whether two definitions are one function, of which one is a signature without a body.
func isOverload(a, b index.Ref) bool {
	c, d := a.Chunk(), b.Chunk()
	return a.File.Abs == b.File.Abs && c.QualifiedName() == d.QualifiedName() && (!c.HasBody() || !d.HasBody())
}

// isOpen reports whether a tool can't say what a call means: it knows no definition, stops at the import of the name, or at a
// declaration file where the function is one of a script; or the call has another name, and was not found.
func (m *measurement) isOpen(c claim, definitions []Use) bool {
	from, of := c.edge.To.File, c.of
	if len(definitions) == 0 || m.callAt(c) < 0 {
		return true
	}
	imported := slices.ContainsFunc(from.Imports, func(i chunk.Import) bool { return i.Name == of.Chunk().Name })
	isScript := slices.Contains([]string{".js", ".cjs", ".mjs"}, path.Ext(of.File.Path))
	return slices.ContainsFunc(definitions, func(u Use) bool {
		ref, ok := m.at(u.Place)
		return imported && ok && u.Path == from.Path && !isDefinition(ref.File, u.Offset) || ok && isScript && isDeclarationFile(u.Path)
	})
}

func isDeclarationFile(name string) bool {
	return slices.ContainsFunc([]string{".d.ts", ".d.cts", ".d.mts"}, func(end string) bool { return strings.HasSuffix(name, end) })
}

func (m *measurement) at(p Place) (index.Ref, bool) {
	return m.snap.At(filepath.Join(m.checkout.Root, p.Path), p.Offset)
}

// callers are the chunks that call a function, with the offset of the first call.
func (m *measurement) callers(own index.Ref, uses []Use) map[string]Place {
	known := map[string]Place{}
	for _, u := range uses {
		if u.Kind != Call {
			continue
		}
		ref, ok := m.at(u.Place)
		if !ok || ref.ID() == own.ID() || isDefinition(ref.File, u.Offset) || graph.Family(ref.File.Language) != m.family {
			continue
		}
		if _, ok := known[ref.ID()]; !ok {
			known[ref.ID()] = u.Place
		}
	}
	return known
}

func (s *Score) count(right, open bool) {
	s.Given++
	if right {
		s.Right++
	}
	if open {
		s.Open++
	}
}

func (m *measurement) line(p Place) int {
	return strings.Count(string(m.texts.text(p.Path)[:p.Offset]), "\n") + 1
}
