package reference

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"time"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/codeintel"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/graph"
)

// usedKinds are the symbols whose uses are compared, beside types.
var usedKinds = map[chunk.SymbolKind]bool{
	chunk.Constant: true, chunk.Variable: true, chunk.Field: true, chunk.Property: true, chunk.EnumMember: true,
}

// symbols compares the chunks that use constants, variables, fields and types with those in which the tool finds references to
// them. Imports, comments and the declaration's own chunk count as neither; a name with more uses than edges are asked for is left out.
func (m *measurement) symbols(ctx context.Context, ix *index.Index, o Options) (*Result, error) {
	names := m.chooseSymbols(o)
	uses, err := m.tool.Ask(ctx, m.checkout, References, names)
	if err != nil {
		return nil, err
	}
	intel := codeintel.New(codeintel.Options{Index: ix, Now: time.Now})
	defer intel.Close()
	r := &Result{Repo: filepath.Base(m.checkout.Root), Family: m.family}
	for _, from := range bounds {
		r.Bins = append(r.Bins, Bin{From: from})
	}
	for i, name := range names {
		known := m.usedIn(name, uses[i])
		if len(known) >= maxEdges {
			continue
		}
		abs := filepath.Join(m.checkout.Root, name.Path)
		result, err := intel.Related(ctx, codeintel.RelatedRequest{Place: codebase.Place{Path: abs, Offset: name.Offset}, Limit: maxEdges})
		if err != nil {
			return nil, fmt.Errorf("related of %s: %w", name, err)
		}
		r.Functions++
		m.countSymbol(r, name, known, result.Edges)
	}
	return r, nil
}

// countSymbol weighs the edges of one symbol.
func (m *measurement) countSymbol(r *Result, name Place, known map[string]Place, edges []codeintel.Edge) {
	own, _ := m.at(name)
	given := map[string]float64{}
	for _, e := range edges {
		if e.Kind == "similar" || e.To.ID == own.ID() {
			continue
		}
		_, right := known[e.To.ID]
		given[e.To.ID] = e.Confidence
		r.All.count(right, false)
		if e.Confidence >= likely {
			r.Likely.count(right, false)
		}
		bin := &r.Bins[slices.IndexFunc(bounds, func(from float64) bool { return e.Confidence >= from })]
		bin.Given++
		if right {
			bin.Right++
		} else {
			r.Wrong = append(r.Wrong, Mistake{m.text(name), e.To.ID, 0, e.Confidence, e.Kind + ": " + e.Why})
		}
	}
	r.All.Known += len(known)
	r.Likely.Known += len(known)
	for id, p := range known {
		confidence, ok := given[id]
		if ok {
			r.All.Found++
		}
		if ok && confidence >= likely {
			r.Likely.Found++
		} else {
			r.Missed = append(r.Missed, Mistake{Of: m.text(name), Caller: id, Line: m.line(p), Confidence: confidence})
		}
	}
}

// text is a place and the word that stands there.
func (m *measurement) text(p Place) string {
	src := m.texts.text(p.Path)[p.Offset:]
	return p.Path + ":" + string(src[:nameLength(src)])
}

func nameLength(src []byte) int {
	for i, c := range src {
		if c != '_' && c != '$' && c < 0x80 && !('0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z') {
			return i
		}
	}
	return len(src)
}

// usedIn are the chunks in which the tool finds references, with the first of each.
func (m *measurement) usedIn(name Place, uses []Use) map[string]Place {
	own, _ := m.at(name)
	known := map[string]Place{}
	for _, u := range uses {
		ref, ok := m.at(u.Place)
		if !ok || ref.ID() == own.ID() || isDefinition(ref.File, u.Offset) || graph.Family(ref.File.Language) != m.family {
			continue
		}
		src := m.texts.text(u.Path)
		line := src[lineStart(src, u.Offset):]
		if inComment(src, u.Offset) || bringing.Match(line) || listed(src[:u.Offset]) {
			continue
		}
		if _, seen := known[ref.ID()]; !seen {
			known[ref.ID()] = u.Place
		}
	}
	return known
}

func lineStart(src []byte, at int) int {
	for at > 0 && src[at-1] != '\n' {
		at--
	}
	return at
}

// chooseSymbols fills the checkout and returns the names of symbols and types, taken at random.
func (m *measurement) chooseSymbols(o Options) []Place {
	m.choose(o)
	var names []Place
	for f := range m.snap.Files() {
		if graph.Family(f.Language) != o.Family || f.Language == "svelte" || f.Language == "vue" {
			continue
		}
		for s := range f.Symbols.All() {
			if usedKinds[s.Kind] && s.Name != "_" {
				names = append(names, Place{f.Path, s.NameSpan.Start})
			}
		}
		for i := range f.Chunks {
			if c := &f.Chunks[i]; c.Type == chunk.Class && !c.NameSpan.Empty() {
				names = append(names, Place{f.Path, c.NameSpan.Start})
			}
		}
	}
	slices.SortFunc(names, comparePlaces)
	names = slices.Compact(names)
	random := rand.New(rand.NewPCG(o.Seed, o.Seed))
	random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	return names[:min(len(names), o.Count)]
}
