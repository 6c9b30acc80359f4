package rank

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// evidence is what speaks for a file as a whole; all figures lie in 0..1.
type evidence struct {
	score float64 // keyword scores of its candidates together, as a share of the best file's
	cover float64 // share of the query that its candidates cover together
	name  float64 // how much of its name was asked for

	semantic float64 // of the candidate that means most
	rival    float64 // score of the best file that is ordinary code, as a share of this one's, 1 at most
}

// fileEvidence gathers what the candidates say about their files: a file that answers a question has it in several
// places.
func (r *Ranking) fileEvidence(candidates []*Candidate) map[*index.File]evidence {
	byFile := map[*index.File][]*Candidate{}
	for _, c := range candidates {
		if c.Record == nil {
			byFile[c.Ref.File] = append(byFile[c.Ref.File], c)
		}
	}
	files := make(map[*index.File]evidence, len(byFile))
	best, ordinary := 0.0, 0.0
	for f, list := range byFile {
		e := evidence{score: joinedScore(list), cover: r.share(allMatched(list)), name: r.askedFile(f.Path)}
		for _, c := range list {
			e.semantic = max(e.semantic, c.Similarity)
		}
		best = max(best, e.score)
		if r.kinds.of(f) == "" {
			ordinary = max(ordinary, e.score)
		}
		files[f] = e
	}
	for f, e := range files {
		e.rival = 1
		if e.score > ordinary {
			e.rival = ordinary / e.score
		}
		if best > 0 {
			e.score /= best
		}
		files[f] = e
	}
	return files
}

// joinedScore sums the raw scores of a file's candidates, each further one less.
func joinedScore(list []*Candidate) float64 {
	scores := make([]float64, len(list))
	for i, c := range list {
		scores[i] = c.BM25
	}
	slices.SortFunc(scores, func(a, b float64) int { return cmp.Compare(b, a) })
	sum, factor := 0.0, 1.0
	for _, s := range scores {
		sum += factor * s
		factor *= rules.FileDecay
	}
	return sum
}

func allMatched(list []*Candidate) []string {
	var all []string
	for _, c := range list {
		for _, m := range c.Matched {
			if !slices.Contains(all, m) {
				all = append(all, m)
			}
		}
	}
	return all
}

// askedFile is how much of a file's name, or of its folder's, was asked for.
func (r *Ranking) askedFile(rel string) float64 {
	base := path.Base(rel)
	share := r.asked(strings.TrimSuffix(base, path.Ext(base)))
	if dir := path.Base(path.Dir(rel)); dir != "." && dir != "/" {
		share = max(share, rules.Folder*r.asked(dir))
	}
	return share
}

// asked is the share of a name's words that stand in the query, in whatever form. A name that the query holds as a
// whole counts as asked for, however it is spelled.
func (r *Ranking) asked(name string) float64 {
	count, known, last := 0, 0, false
	eachToken(name, func(token []byte) {
		count++
		if _, last = r.forms[string(token)]; last {
			known++
		}
	})
	switch {
	case count == 0:
		return 0
	case count > 1 && last:
		return 1
	case count > 1 && !strings.ContainsAny(name, ".-+ "):
		count-- // the last one is the whole name
	}
	return float64(known) / float64(count)
}

// A reader of names keeps what it needs for that.
type nameReader struct {
	text.Tokenizer
	name []byte
}

var nameReaders = sync.Pool{New: func() any { return new(nameReader) }}

// eachToken calls f for what text.Tokenize returns.
func eachToken(name string, f func(token []byte)) {
	n := nameReaders.Get().(*nameReader)
	n.name = append(n.name[:0], name...)
	n.Each(n.name, f)
	nameReaders.Put(n)
}

// Described is the share of a name's words that stand in the question, and whether all of the question stands in the name.
func (r *Ranking) Described(name string) (asked float64, whole bool) {
	return r.asked(name), r.coverOf(name) > 0.999
}

// HoldsAll reports whether the terms that occur are all that the question says.
func (r *Ranking) HoldsAll(matched []string) bool { return r.share(matched) > 0.999 }
