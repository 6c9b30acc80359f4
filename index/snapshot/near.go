package snapshot

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/aurora-sidecar/aurora/index/lexical"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// A nameList holds the names of the chunks and symbols of a part, each once, by their first letter in lower case. It is made when it is first
// asked for and shared by all states of the part. Those of a saved snapshot come from there.
type nameList struct {
	once    sync.Once
	byFirst map[rune][]string
	saved   *packedNames // nil for none
}

// startingWith returns the names of docs that begin with the letter, in whatever case.
func (l *nameList) startingWith(first rune, docs []Ref) []string {
	if l.saved != nil {
		return l.saved.startingWith(first)
	}
	l.once.Do(func() {
		l.byFirst = map[rune][]string{}
		seen := map[string]bool{}
		for _, ref := range docs {
			l.add(ref.File.Loaded().Chunks[ref.Index].Name, seen)
			if ref.Index == 0 {
				for s := range ref.File.Symbols.All() {
					l.add(s.Name, seen)
				}
			}
		}
	})
	return l.byFirst[first]
}

// add adds a name that was not seen before.
func (l *nameList) add(name string, seen map[string]bool) {
	if name != "" && !seen[name] {
		seen[name] = true
		l.byFirst[firstLetter(name)] = append(l.byFirst[firstLetter(name)], name)
	}
}

// firstLetter is that of a name, in lower case.
func firstLetter(name string) rune {
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.ToLower(r)
}

// maxWord is the longest word, in runes, that Suggest compares by editing distance.
const maxWord = 48

// Nearness says how a name is near to what was typed.
type Nearness string

// The ways to be near, the closest first.
const (
	SameName    Nearness = "is"          // but for letter case
	Begins      Nearness = "begins with" // what was typed
	Misspelled  Nearness = "is misspelled as"
	Abbreviated Nearness = "is abbreviated as"
)

// A NearName is a name of the workspace that is close to a word.
type NearName struct {
	Name string
	How  Nearness
}

// Suggest returns the names of Near.
func (s *Snapshot) Suggest(word string, limit int) []string {
	var names []string
	for _, n := range s.Near(word, limit) {
		names = append(names, n.Name)
	}
	return names
}

// Near returns names of the workspace close to word, best first, each once: names that begin with it, names it
// abbreviates ("gpc" for getPageCount), and names a typing error or two away. All of them begin with
// the word's first letter: people rarely get that one wrong, and it spares nine names in ten.
func (s *Snapshot) Near(word string, limit int) []NearName {
	word = strings.TrimSpace(word)
	if word == "" || limit <= 0 {
		return nil
	}
	m := newNameMatcher(word)
	first, _ := utf8.DecodeRuneInString(m.word)
	best := map[string]int{}
	for _, p := range s.parts {
		for _, name := range p.names.startingWith(first, p.docs) {
			if _, seen := best[name]; seen {
				continue
			}
			if cost, ok := m.cost(name); ok {
				best[name] = cost
			}
		}
	}
	names := make([]string, 0, len(best))
	for name := range best {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if d := best[a] - best[b]; d != 0 {
			return d
		}
		if d := len(a) - len(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	var near []NearName
	for _, name := range s.living(names, limit) {
		near = append(near, NearName{name, nearness(best[name])})
	}
	return near
}

// The costs of being near; what costs less comes first.
const (
	costBegins      = 100 // plus the letters that follow
	costTypo        = 500 // each
	costAbbreviated = 2000
)

func nearness(cost int) Nearness {
	switch {
	case cost >= costAbbreviated:
		return Abbreviated
	case cost >= costTypo:
		return Misspelled
	case cost >= costBegins:
		return Begins
	}
	return SameName
}

// living returns the first names that a living chunk or a symbol in one has: a part keeps the names of its dead documents.
func (s *Snapshot) living(names []string, limit int) []string {
	var living []string
	for _, name := range names {
		if len(living) == limit {
			break
		}
		if len(s.Named(name, false)) > 0 || len(s.Symbols(name, false)) > 0 {
			living = append(living, name)
		}
	}
	return living
}

// A nameMatcher says how far a name is from the word that a person typed.
type nameMatcher struct {
	word  string // lower case
	runes []rune
	typos int // most editing steps that still count
}

func newNameMatcher(word string) *nameMatcher {
	m := &nameMatcher{word: strings.ToLower(word)}
	m.runes = []rune(m.word)
	switch n := len(m.runes); {
	case n > maxWord:
		m.runes, m.typos = nil, 0
	case n >= 8:
		m.typos = 2
	case n >= 4:
		m.typos = 1
	}
	return m
}

// cost is 0 for the same name and grows with the distance; ok is false when the name is not close.
func (m *nameMatcher) cost(name string) (cost int, ok bool) {
	if strings.EqualFold(name, m.word) {
		return 0, true
	}
	if len(name) >= len(m.word) && strings.EqualFold(name[:len(m.word)], m.word) {
		return costBegins + min(costTypo-costBegins-1, len(name)-len(m.word)), true
	}
	if d := m.distance(name); d <= m.typos {
		return costTypo * d, true
	}
	if len(m.runes) >= 2 && m.abbreviates(name) {
		return costAbbreviated + len(name) - len(m.word), true
	}
	return 0, false
}

// distance counts the typing errors between the word and a name; above m.typos it is not exact.
func (m *nameMatcher) distance(name string) int {
	if m.typos == 0 || utf8.RuneCountInString(name) > len(m.runes)+m.typos || len(name)+m.typos < len(m.runes) {
		return m.typos + 1
	}
	return text.Distance(m.runes, []rune(strings.ToLower(name)), m.typos)
}

// abbreviates reports whether the word's letters are, in order, first letters of the name's words or follow one
// that is: "gpc" and "getpc" abbreviate getPageCount, "etc" does not.
func (m *nameMatcher) abbreviates(name string) bool {
	i, inWord := 0, false
	var prev rune
	for _, r := range name {
		start := prev == 0 || !isWordRune(prev) || unicode.IsUpper(r) && !unicode.IsUpper(prev) ||
			unicode.IsDigit(r) != unicode.IsDigit(prev)
		prev = r
		if i == len(m.runes) {
			return true
		}
		switch {
		case unicode.ToLower(r) == m.runes[i] && (start || inWord):
			i, inWord = i+1, true
		default:
			inWord = false
			if i == 0 && start {
				return false // an abbreviation has the first letter
			}
		}
	}
	return i == len(m.runes)
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// manyChunks is from where on a word must share two letters with what was typed, not one, to be compared with it.
const manyChunks = 20_000

// NearWord returns the word of the workspace's texts that is a typing error or two away from an unknown one, the most
// frequent of the closest. It begins with the same letter, in a large workspace with the same two.
func (s *Snapshot) NearWord(word string) (string, bool) {
	m := newNameMatcher(word)
	if m.typos == 0 || len(m.runes) < 5 {
		return "", false
	}
	byDistance := wordsNear(s, m)
	for _, near := range byDistance {
		if best, ok := mostFrequent(s.views, near); ok {
			return best, true
		}
	}
	return "", false
}

// wordsNear returns the words within the reach of m, by their distance. Words of dead documents are among them.
func wordsNear(s *Snapshot, m *nameMatcher) [][]string {
	prefix := string(m.runes[:1])
	if s.chunks > manyChunks {
		prefix = string(m.runes[:2])
	}
	near := make([][]string, m.typos+1)
	for _, p := range s.parts {
		p.seg.EachTerm(prefix, func(term []byte, _ int) bool {
			if d := len(term) - len(m.word); d <= m.typos && d >= -m.typos {
				if d := text.Distance(m.runes, []rune(string(term)), m.typos); d <= m.typos {
					near[d] = append(near[d], string(term))
				}
			}
			return true
		})
	}
	return near
}

// mostFrequent returns the word that most living documents hold; ok is false when none holds any.
func mostFrequent(views []lexical.View, words []string) (best string, ok bool) {
	most := 0
	for _, w := range words {
		if n := lexical.Count(views, w); n > most || n == most && w < best {
			best, most = w, n
		}
	}
	return best, most > 0
}
