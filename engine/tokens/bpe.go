package tokens

import (
	"container/heap"
	_ "embed"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"
)

//go:generate go run ./internal/pack
//go:embed cl100k.zst
var packed []byte

// A vocabulary is the ranks of tokens: the lower, the earlier two parts are joined to that token.
type vocabulary map[string]uint32

// cl100k takes some 20 ms and 8 MB when it is first used. An error means that the binary is damaged.
var cl100k = sync.OnceValues(func() (vocabulary, error) { return unpack(packed) })

// unpack reads what internal/pack writes.
func unpack(data []byte) (vocabulary, error) {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	list, err := z.DecodeAll(data, nil)
	if err != nil {
		return nil, fmt.Errorf("unpack the vocabulary: %w", err)
	}
	const singles, width = 256, 3 // bytes of a rank
	n := (len(list) - singles) / (2 * width)
	if n < 0 || len(list) != singles+2*width*n {
		return nil, fmt.Errorf("unpack the vocabulary: it has %d bytes", len(list))
	}
	rank := func(column, i int) int { // of a part of the i-th token that is no single byte
		at := list[singles+column*width*n+i:]
		return int(at[0]) | int(at[n])<<8 | int(at[2*n])<<16
	}
	// All tokens are one text, so that they are one allocation; token i ends before ends[i+1].
	text, ends := list[:singles:singles], make([]int, singles+1, singles+1+n)
	for i := range ends {
		ends[i] = i
	}
	for i := range n {
		first, second := rank(0, i), rank(1, i)
		if max(first, second) >= len(ends)-1 {
			return nil, fmt.Errorf("unpack the vocabulary: token %d is made of tokens that come later", len(ends)-1)
		}
		text = append(text, text[ends[first]:ends[first+1]]...)
		text = append(text, text[ends[second]:ends[second+1]]...)
		ends = append(ends, len(text))
	}
	all, v := string(text), make(vocabulary, singles+n)
	for i := range singles + n {
		v[all[ends[i]:ends[i+1]]] = uint32(i)
	}
	return v, nil
}

// count returns the number of tokens of a text.
func (v vocabulary) count(s string) int {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(string([]rune(s)), "") // every bad byte becomes U+FFFD
	}
	n := 0
	for s != "" {
		size := piece(s)
		if _, ok := v[s[:size]]; ok {
			n++
		} else {
			n += v.parts(s[:size])
		}
		s = s[size:]
	}
	return n
}

// A part begins at its index and ends where the next one begins.
type part struct {
	prev, next int32
	rank       uint32 // of what it and the next part are together; noRank when that is no token
}

const noRank = 1<<32 - 1

// parts returns how many tokens byte-pair encoding makes of a piece: the pair of the lowest rank is joined, the leftmost one of
// several, until no pair is a token.
func (v vocabulary) parts(s string) int {
	list := make([]part, len(s)+1)
	for i := range list {
		list[i] = part{prev: int32(i) - 1, next: int32(i) + 1, rank: noRank}
	}
	queue := make(pairs, 0, len(s))
	look := func(i int32) {
		list[i].rank = noRank
		next := list[i].next
		if int(next) >= len(s) {
			return
		}
		if rank, ok := v[s[i:list[next].next]]; ok {
			list[i].rank = rank
			heap.Push(&queue, pair{rank, i})
		}
	}
	for i := range int32(len(s)) {
		look(i)
	}
	n := len(s)
	for len(queue) > 0 {
		best := heap.Pop(&queue).(pair)
		i := best.at
		if list[i].rank != best.rank {
			continue // it was joined or has another neighbour since
		}
		gone := list[i].next
		list[i].next = list[gone].next
		list[list[gone].next].prev = i
		list[gone].rank = noRank
		n--
		look(i)
		if i > 0 {
			look(list[i].prev)
		}
	}
	return n
}

// A pair of neighbouring parts that is a token.
type pair struct {
	rank uint32
	at   int32
}

// pairs implements container/heap: the lowest rank first, then the leftmost.
type pairs []pair

func (p pairs) Len() int { return len(p) }
func (p pairs) Less(i, j int) bool {
	return p[i].rank < p[j].rank || p[i].rank == p[j].rank && p[i].at < p[j].at
}
func (p pairs) Swap(i, j int) { p[i], p[j] = p[j], p[i] }
func (p *pairs) Push(x any)   { *p = append(*p, x.(pair)) }
func (p *pairs) Pop() any {
	last := len(*p) - 1
	x := (*p)[last]
	*p = (*p)[:last]
	return x
}
