package reference

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"time"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/codeintel"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/graph"
)

// maxEdges is how many edges of a kind are asked for.
const maxEdges = 100

// bringing matches the beginning of a line that imports or exports names.
var bringing = regexp.MustCompile(`^\s*(?:import\b|from\b|(?:pub(?:\([^)]*\))? )?use\b|using\b|export\s*[{*]|\}\s*from\b|module\.exports\b|exports\.)|\brequire\(`)

// An accessor is read like a field.
var accessor = regexp.MustCompile(`^\s*(?:(?:static|public|private|protected|async|override)\s+)*[gs]et\s|@(?:\w+\.)*(?:cached_)?property\b`)

// handed compares the places that hand a function over as a value with those that the tool reports as references without a call.
// Chunks that call, import or export the function as well count as neither. It fills Handed, Wrong and Missed.
func (m *measurement) handed(ctx context.Context, ix *index.Index, names []Place) (*Result, error) {
	uses, err := m.tool.Ask(ctx, m.checkout, References, names)
	if err != nil {
		return nil, err
	}
	intel := codeintel.New(codeintel.Options{Index: ix, Now: time.Now})
	defer intel.Close()
	r := &Result{Repo: filepath.Base(m.checkout.Root), Family: m.family, Functions: len(names)}
	for i, name := range names {
		own, ok := m.at(name)
		if !ok || accessor.Match(m.head(own)) {
			continue
		}
		values, others := m.valueUses(own, uses[i])
		abs := filepath.Join(m.checkout.Root, name.Path)
		result, err := intel.Related(ctx, codeintel.RelatedRequest{Place: codebase.Place{Path: abs, Offset: name.Offset}, Limit: maxEdges})
		if err != nil {
			return nil, fmt.Errorf("related of %s: %w", own.ID(), err)
		}
		given := map[string]bool{}
		for _, e := range result.Edges {
			if e.Kind != "reference" || others[e.To.ID] {
				continue
			}
			given[e.To.ID] = true
			_, right := values[e.To.ID]
			r.Handed.count(right, false)
			if !right {
				r.Wrong = append(r.Wrong, Mistake{own.ID(), e.To.ID, 0, e.Confidence, e.Why})
			}
		}
		for id, p := range values {
			if others[id] {
				continue
			}
			r.Handed.Known++
			if given[id] {
				r.Handed.Found++
			} else {
				r.Missed = append(r.Missed, Mistake{Of: own.ID(), Caller: id, Line: m.line(p)})
			}
		}
	}
	return r, nil
}

// head is what stands before the body of a function, decorators included.
func (m *measurement) head(own index.Ref) []byte {
	c := own.Chunk()
	return m.texts.text(own.File.Path)[c.Span.Start:max(c.Span.Start, c.NameSpan.Start)]
}

// listed reports whether a text ends in the brackets of an import of Python.
func listed(before []byte) bool {
	at := bytes.LastIndex(before, []byte("import ("))
	return at >= 0 && !bytes.Contains(before[at:], []byte(")"))
}

// valueUses are the chunks that use a function as a value, and those that use it in other ways: they count as neither.
func (m *measurement) valueUses(own index.Ref, uses []Use) (values map[string]Place, others map[string]bool) {
	key := regexp.MustCompile(`^` + regexp.QuoteMeta(own.Chunk().Name) + `\??:`)
	values, others = map[string]Place{}, map[string]bool{}
	for _, u := range uses {
		ref, ok := m.at(u.Place)
		if !ok || ref.ID() == own.ID() || isDefinition(ref.File, u.Offset) || graph.Family(ref.File.Language) != m.family {
			continue
		}
		src := m.texts.text(u.Path)
		line := src[bytes.LastIndexByte(src[:u.Offset], '\n')+1:]
		switch {
		case inComment(src, u.Offset):
		case u.Kind != "" && u.Kind != "read", bringing.Match(line), listed(src[:u.Offset]), m.family == "javascript" && key.Match(src[u.Offset:]):
			others[ref.ID()] = true
		default:
			if _, known := values[ref.ID()]; !known {
				values[ref.ID()] = u.Place
			}
		}
	}
	return values, others
}
