package assemble

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/aurora-sidecar/aurora/engine/wording"
)

const (
	maxReaders   = 64   // that are kept account of; the one that was asked for longest ago goes first
	maxSentParts = 5000 // of one conversation; beyond them nothing more is noted, and may be sent twice
)

// readers keep account of what contexts have sent, so that they don't say it again.
type readers struct {
	mu   sync.Mutex
	list []*sentTo // the one that was asked for last is last
}

// sentTo is what one conversation has: how many lines of each part, by place and text. A part that changed is another one.
type sentTo struct {
	name  string
	parts map[[sha256.Size]byte]int
}

// at returns the account of a conversation. The lock must be held.
func (c *readers) at(name string) *sentTo {
	i := slices.IndexFunc(c.list, func(s *sentTo) bool { return s.name == name })
	if i < 0 {
		if len(c.list) == maxReaders {
			c.list = slices.Delete(c.list, 0, 1)
		}
		c.list = append(c.list, &sentTo{name: name, parts: map[[sha256.Size]byte]int{}})
		return c.list[len(c.list)-1]
	}
	s := c.list[i]
	c.list = append(slices.Delete(c.list, i, i+1), s)
	return s
}

func (p *part) sentKey() [sha256.Size]byte {
	return sha256.Sum256([]byte(p.hit.Abs + "\x00" + p.hit.Name + "\x00" + p.hit.Text))
}

func recordKey(record string) [sha256.Size]byte { return sha256.Sum256([]byte("\x00\x00" + record)) }

// dropSent leaves out what the reader has, but never what was selected.
func (g *gathering) dropSent() {
	before := len(g.parts) + len(g.records)
	known := newKnownPlaces(g.plan.request.Known)
	g.parts = slices.DeleteFunc(g.parts, func(p *part) bool { return p.role != roleSelected && known.has(p) })
	if name := g.plan.request.Conversation; name != "" {
		g.dropSentIn(name)
	}
	if g.sent = before - len(g.parts) - len(g.records); g.sent > 0 {
		g.note(fmt.Sprintf("left out because the reader has it: %s", wording.Count(g.sent, "snippet", "snippets")))
	}
}

// dropSentIn leaves out what an earlier context of a conversation had.
func (g *gathering) dropSentIn(conversation string) {
	readers := &g.assembler.readers
	readers.mu.Lock()
	defer readers.mu.Unlock()
	sent := readers.at(conversation)
	g.parts = slices.DeleteFunc(g.parts, func(p *part) bool {
		return p.role != roleSelected && sent.parts[p.sentKey()] > peekLines
	})
	g.records = slices.DeleteFunc(g.records, func(r string) bool { return sent.parts[recordKey(r)] > 0 })
}

// remember notes what the block sends. What was shown by lines alone may come again as a block.
func (g *gathering) remember(b *block) {
	name := g.plan.request.Conversation
	if name == "" || b.text == "" {
		return
	}
	readers := &g.assembler.readers
	readers.mu.Lock()
	defer readers.mu.Unlock()
	sent := readers.at(name)
	note := func(key [sha256.Size]byte, lines int) {
		if len(sent.parts) < maxSentParts {
			sent.parts[key] = max(sent.parts[key], lines)
		}
	}
	for _, p := range b.parts {
		note(p.sentKey(), max(len(p.shown), peekLines+1))
	}
	for _, p := range b.peeks {
		note(p.sentKey(), 1)
	}
	for _, r := range b.memory {
		note(recordKey(r), 1)
	}
}

// knownPlaces is what a reader says to have.
type knownPlaces struct {
	ids    map[string]bool
	places []knownPlace
}

type knownPlace struct {
	path     string
	from, to int // zero-based, inclusive; to is -1 for the whole file
}

func newKnownPlaces(known []string) knownPlaces {
	k := knownPlaces{ids: map[string]bool{}}
	for _, s := range known {
		k.ids[s] = true
		place := knownPlace{path: s, to: -1}
		if i := strings.LastIndexByte(s, ':'); i > 0 {
			var from, to int
			if n, _ := fmt.Sscanf(s[i+1:], "%d-%d", &from, &to); n > 0 && from > 0 {
				place = knownPlace{path: s[:i], from: from - 1, to: max(from, to) - 1}
			}
		}
		k.places = append(k.places, place)
	}
	return k
}

// has reports whether the reader has all of a part.
func (k knownPlaces) has(p *part) bool {
	return k.ids[p.hit.ID] || slices.ContainsFunc(k.places, func(place knownPlace) bool {
		return (place.path == p.hit.Path || place.path == p.hit.Abs) &&
			(place.to < 0 || place.from <= p.first && p.first+len(p.lines)-1 <= place.to)
	})
}
