package tokens

import (
	_ "embed"
	"math"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

//go:generate go run ./internal/vocabulary cl100k.bin

// packed is OpenAI's vocabulary cl100k_base: its tokens by rank, each behind a byte with its length.
//
//go:embed cl100k.bin
var packed string

// ranks are the tokens with their ranks: of two neighbours, those with the lowest rank are joined first. It takes 15 ms to make.
var ranks = sync.OnceValue(func() map[string]uint32 {
	all := make(map[string]uint32, 101_000)
	for s := packed; s != ""; {
		size := int(s[0])
		all[s[1:1+size]] = uint32(len(all))
		s = s[1+size:]
	}
	return all
})

// exact counts with cl100k_base. A byte that is no UTF-8 counts as the character that stands for it.
func exact(s string) int {
	if !utf8.ValidString(s) {
		s = string([]rune(s))
	}
	vocabulary, total := ranks(), 0
	for len(s) > 0 {
		end := firstPart(s)
		if _, whole := vocabulary[s[:end]]; whole {
			total++
		} else {
			total += merged(vocabulary, s[:end])
		}
		s = s[end:]
	}
	return total
}

// firstPart is the end of the first part of s, which no token reaches beyond. It is what this regular expression matches:
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
func firstPart(s string) int {
	if end := contraction(s); end > 0 {
		return end
	}
	first, size := utf8.DecodeRuneInString(s)
	if unicode.IsLetter(first) {
		return run(s, 0, unicode.IsLetter)
	}
	if unicode.IsNumber(first) {
		end := size
		for range 2 {
			r, size := utf8.DecodeRuneInString(s[end:])
			if !unicode.IsNumber(r) {
				break
			}
			end += size
		}
		return end
	}
	if first != '\r' && first != '\n' {
		if end := run(s, size, unicode.IsLetter); end > size {
			return end
		}
	}
	begin := 0
	if first == ' ' {
		begin = 1
	}
	if end := run(s, begin, isMark); end > begin {
		return run(s, end, isBreak)
	}
	end := run(s, 0, unicode.IsSpace)
	if last := strings.LastIndexAny(s[:end], "\r\n"); last >= 0 {
		return last + 1
	}
	if end == len(s) {
		return end
	}
	if _, last := utf8.DecodeLastRuneInString(s[:end]); last < end {
		return end - last // the last blank belongs to what follows
	}
	return end
}

// contraction is the end of an English ending behind an apostrophe, 0 when s begins with none.
func contraction(s string) int {
	if len(s) < 2 || s[0] != '\'' {
		return 0
	}
	switch s[1] | 0x20 {
	case 's', 't', 'm', 'd':
		return 2
	case 'r', 'v':
		if len(s) > 2 && s[2]|0x20 == 'e' {
			return 3
		}
	case 'l':
		if len(s) > 2 && s[2]|0x20 == 'l' {
			return 3
		}
	}
	if strings.HasPrefix(s[1:], "ſ") { // an s, whatever its case
		return 1 + len("ſ")
	}
	return 0
}

func isMark(r rune) bool {
	return !unicode.IsSpace(r) && !unicode.IsLetter(r) && !unicode.IsNumber(r)
}

func isBreak(r rune) bool { return r == '\r' || r == '\n' }

// run is the end of the characters from a place that are of a kind.
func run(s string, from int, kind func(rune) bool) int {
	for i, r := range s[from:] {
		if !kind(r) {
			return from + i
		}
	}
	return len(s)
}

// none is the rank of what is no token.
const none = math.MaxUint32

// A merge joins the part that begins at a byte with the next one.
type merge struct {
	rank uint32
	at   int32
}

func (m merge) before(other merge) bool {
	return m.rank < other.rank || m.rank == other.rank && m.at < other.at
}

// merged is how many tokens a part has: its bytes, neighbours joined as long as that makes a token. Time grows with the length times
// its logarithm, since a part can be as long as the text.
func merged(vocabulary map[string]uint32, part string) int {
	n := int32(len(part))
	// Of a part that begins at a byte, where the next and the previous begin, and the rank of its merge.
	next, previous, rank := make([]int32, n), make([]int32, n), make([]uint32, n)
	rankAt := func(i int32) uint32 {
		if next[i] >= n {
			return none
		}
		if r, ok := vocabulary[part[i:next[next[i]]]]; ok {
			return r
		}
		return none
	}
	for i := range n {
		next[i], previous[i] = i+1, i-1
	}
	var queue merges
	for i := range n {
		if rank[i] = rankAt(i); rank[i] != none {
			queue.push(merge{rank[i], i})
		}
	}
	parts := int(n)
	for len(queue) > 0 {
		m := queue.pop()
		if rank[m.at] != m.rank {
			continue // it was joined with another
		}
		gone := next[m.at]
		rank[gone] = none
		if next[m.at] = next[gone]; next[gone] < n {
			previous[next[gone]] = m.at
		}
		parts--
		for _, i := range [2]int32{m.at, previous[m.at]} {
			if i < 0 {
				continue
			}
			if rank[i] = rankAt(i); rank[i] != none {
				queue.push(merge{rank[i], i})
			}
		}
	}
	return parts
}

// merges are a heap.
type merges []merge

func (h *merges) push(m merge) {
	*h = append(*h, m)
	for i := len(*h) - 1; i > 0; {
		parent := (i - 1) / 2
		if !(*h)[i].before((*h)[parent]) {
			return
		}
		(*h)[i], (*h)[parent] = (*h)[parent], (*h)[i]
		i = parent
	}
}

func (h *merges) pop() merge {
	all := *h
	top, last := all[0], len(all)-1
	all[0] = all[last]
	all = all[:last]
	for i := 0; ; {
		child := 2*i + 1
		if child+1 < last && all[child+1].before(all[child]) {
			child++
		}
		if child >= last || !all[child].before(all[i]) {
			break
		}
		all[i], all[child] = all[child], all[i]
		i = child
	}
	*h = all
	return top
}
