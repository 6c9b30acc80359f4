package snapshot

import (
	"slices"

	"github.com/aurora-sidecar/aurora/index/lexical"
)

// Without returns the snapshot as a search sees it that is not to find some files: neither their chunks are found nor do their words
// count for how rare words are. The files are still listed. It looks at every file.
func Without(s *Snapshot, left func(*File) bool) *Snapshot {
	at := make(map[*lexical.Segment]int, len(s.parts))
	for i, p := range s.parts {
		at[p.seg] = i
	}
	seen := *s
	seen.parts, seen.views, seen.vectors = slices.Clone(s.parts), slices.Clone(s.views), slices.Clone(s.vectors)
	changed := make([]bool, len(s.parts))
	for _, e := range s.files.all() {
		i, has := at[e.part]
		if e.part == nil || !has || !left(e.File) {
			continue
		}
		if !changed[i] {
			p := *s.parts[i]
			p.dead, changed[i] = slices.Clone(p.dead), true
			seen.parts[i] = &p
		}
		p := seen.parts[i]
		for doc := e.first; doc < len(p.docs) && p.docs[doc].File == e.File; doc++ {
			p.kill(doc)
		}
	}
	for i, p := range seen.parts {
		if changed[i] {
			seen.views[i], seen.vectors[i] = lexical.NewView(p.seg, p.dead), p.vectorView()
		}
	}
	return &seen
}

// CorpusOf counts what there is, and what of it holds the tokens of some terms.
func CorpusOf(s *Snapshot, terms []lexical.QueryTerm) lexical.Corpus {
	return lexical.CorpusOf(s.views, terms)
}
