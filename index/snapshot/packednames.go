package snapshot

import (
	"bytes"
	"encoding/binary"
	"io"
	"maps"
	"slices"
	"sync"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/store"
)

// A nameGatherer collects the names of chunks and symbols, each once.
type nameGatherer struct {
	seen    map[string]bool
	byFirst map[rune][]string
}

func newNameGatherer() *nameGatherer {
	return &nameGatherer{seen: map[string]bool{}, byFirst: map[rune][]string{}}
}

func (g *nameGatherer) add(f *chunk.File) {
	for i := range f.Chunks {
		g.addName(f.Chunks[i].Name)
	}
	for s := range f.Symbols.All() {
		g.addName(s.Name)
	}
}

func (g *nameGatherer) addName(name string) {
	if name != "" && !g.seen[name] {
		g.seen[name] = true
		g.byFirst[firstLetter(name)] = append(g.byFirst[firstLetter(name)], name)
	}
}

// encode returns a table of letters, which goes in front, and the names in one frame for each letter.
//
//	letters: their number, then the code of each; names: each with its length before it
func (g *nameGatherer) encode() (letters, names []byte) {
	letters = binary.AppendUvarint(nil, uint64(len(g.byFirst)))
	var cuts []int
	for _, letter := range slices.Sorted(maps.Keys(g.byFirst)) {
		letters = binary.AppendUvarint(letters, uint64(letter))
		slices.Sort(g.byFirst[letter])
		for _, name := range g.byFirst[letter] {
			names = appendBytes(names, []byte(name))
		}
		cuts = append(cuts, len(names))
	}
	return letters, store.PackFrames(names, cuts)
}

// packedNames are the names of a saved snapshot, in the file until they are needed.
type packedNames struct {
	lost    func(error)
	letters []rune // of the frames

	mu      sync.Mutex // guards all below
	frames  *store.Frames
	byFirst map[rune][]string
}

func decodeLetters(r *bytes.Reader) (letters []rune, err error) {
	n, err := binary.ReadUvarint(r)
	if err != nil || n > uint64(r.Len()) {
		return nil, io.ErrUnexpectedEOF
	}
	for range n {
		letter, err := binary.ReadUvarint(r)
		if err != nil {
			return nil, err
		}
		letters = append(letters, rune(letter))
	}
	return letters, nil
}

// startingWith returns the names that begin with the letter, in whatever case.
func (k *packedNames) startingWith(first rune) []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	names, known := k.byFirst[first]
	i := slices.Index(k.letters, first)
	if known || i < 0 {
		return names
	}
	text, err := k.frames.Unpack(i, nil)
	if err != nil {
		k.lost(err)
	}
	all := string(text)
	for len(all) > 0 {
		n, size := binary.Uvarint(text)
		if size <= 0 || n > uint64(len(all)-size) {
			break
		}
		names = append(names, all[size:size+int(n)])
		all, text = all[size+int(n):], text[size+int(n):]
	}
	if k.byFirst == nil {
		k.byFirst = map[rune][]string{}
	}
	k.byFirst[first] = names
	return names
}
