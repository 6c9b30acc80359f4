package corpus

import (
	"cmp"
	"slices"

	"github.com/aurora-sidecar/aurora/index/embed"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// A Kind says where a pair comes from.
type Kind uint8

// The kinds.
const (
	Doc      Kind = iota // documentation comment, function
	Name                 // name of a function, its body
	Comment              // comment inside a function, the lines below it
	Markdown             // heading or prose, the fenced code or prose below it
	Commit               // subject of a commit, a function that it changed
	NumKinds
)

// Kinds are the names of the kinds.
var Kinds = [NumKinds]string{"doc", "name", "comment", "Markdown", "commit"}

// How many tokens of a side count. That of the code is what the model reads of a text.
const (
	maxQuery = 64
	maxCode  = 256
)

// A Term is a token of a bag and how often it occurs there.
type Term struct {
	Hash  uint64 // embed.HashToken
	Count uint8  // at most 255
}

// A Bag is the tokens of one side of a pair, by ascending hash.
type Bag []Term

// A Pair is a query and the code that answers it.
type Pair struct {
	Kind        Kind
	Query, Code Bag
}

// A Repository is the pairs of one folder.
type Repository struct {
	Name  string
	Pairs []Pair
}

// A tokeniser makes bags. It is for one goroutine.
type tokeniser struct {
	splitter text.Subtokenizer
	hashes   []uint64
}

// bag returns the first limit tokens of the texts.
func (t *tokeniser) bag(limit int, texts ...[]byte) Bag {
	t.hashes = t.hashes[:0]
	for _, src := range texts {
		if len(t.hashes) < limit {
			t.splitter.Each(src, func(token []byte) bool {
				t.hashes = append(t.hashes, embed.HashToken(token))
				return len(t.hashes) < limit
			})
		}
	}
	slices.Sort(t.hashes)
	var b Bag
	for _, h := range t.hashes {
		if n := len(b); n > 0 && b[n-1].Hash == h {
			if b[n-1].Count < 255 {
				b[n-1].Count++
			}
			continue
		}
		b = append(b, Term{Hash: h, Count: 1})
	}
	return slices.Clip(b)
}

// Sum returns a number that stands for the bag, so that equal ones are found.
func (b Bag) Sum() uint64 {
	h := uint64(14695981039346656037)
	for _, t := range b {
		h = (h ^ t.Hash) * 1099511628211
		h = (h ^ uint64(t.Count)) * 1099511628211
	}
	return h
}

// tokens returns how many tokens the bag holds, repetitions included.
func (b Bag) tokens() int {
	n := 0
	for _, t := range b {
		n += int(t.Count)
	}
	return n
}

// unique drops pairs that repeat another one's query and code, or another one's code within a kind.
func unique(pairs []Pair) []Pair {
	type key struct {
		kind       Kind
		query, sum uint64
	}
	seen := map[key]bool{}
	return slices.DeleteFunc(pairs, func(p Pair) bool {
		code := p.Code.Sum()
		byCode, byBoth := key{p.Kind, 0, code}, key{NumKinds, p.Query.Sum(), code}
		if seen[byCode] || seen[byBoth] {
			return true
		}
		seen[byCode], seen[byBoth] = true, true
		return false
	})
}

// byName orders repositories, so that their order on the command line does not matter.
func byName(a, b Repository) int { return cmp.Compare(a.Name, b.Name) }
