package pasted

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// minWords is how many words a line must have to be looked for as a whole.
const minWords = 3

// maxFilled is how many words may stand in the place of one format verb or interpolation.
const maxFilled = 12

// maxLines is how many lines of a pasted text are looked for.
const maxLines = 6

// A Message is what is looked for in texts word by word: the lines of a pasted text that name no place.
type Message struct {
	lines []line
	words *vocabulary
}

type line struct {
	words []item
	plain bool // no figure by itself, path, quote or colon
}

// Read returns the message of a pasted text.
func Read(text string) Message {
	m := Message{words: newVocabulary()}
	for text := range strings.Lines(text[:min(len(text), maxBytes)]) {
		if len(m.lines) == maxLines {
			break
		}
		if words := wordsOf(text); len(words) >= minWords && (len(placesIn(text)) == 0 || len(words) > 2*minWords) {
			m.lines = append(m.lines, line{m.words.add(words), isPlain(text)})
		}
	}
	return m
}

// isPlain reports whether a line has words alone. A figure behind letters is a part of a word: http2, base64.
func isPlain(line string) bool {
	before := ' '
	return !strings.ContainsFunc(line, func(r rune) bool {
		part := unicode.IsLetter(r) || strings.ContainsRune(" -?\r\n", r) || unicode.IsDigit(r) && isWord(before)
		before = r
		return !part
	})
}

// Empty reports whether there is nothing to look for.
func (m Message) Empty() bool { return len(m.lines) == 0 }

// A Match says how much of a message stands in a text.
type Match struct {
	Share   float64 // 0..1: of the words of the line, those that fill in gaps counted by half
	Words   int     // that are the same, one after the other
	Run     int     // the most of them that no gap divides
	Filled  int     // words that stand in gaps
	Of      int     // words of the strings that the line would be printed by; 0 outside of strings
	Plain   bool    // the line has letters alone, as questions have: no figure by itself, path, quote or colon
	Literal bool    // in a string rather than in code or prose
}

// Printed reports whether a line of which a string holds this much may have been printed by it, rather than being a question with
// some of its words. Of a plain line three words at least have to be the string's, and most of the string's to be in the line.
func (m Match) Printed() bool {
	return m.Literal && (!m.Plain || m.Share == 1 || m.Filled > 0 && m.Words >= minWords && 2*m.Words >= m.Of)
}

func (m Match) better(than Match) bool {
	return m.Share > than.Share || m.Share == than.Share && m.Literal && !than.Literal
}

// Find returns the best match of any line in a text. Several goroutines may ask one message.
func (m Message) Find(text string) Match {
	var best Match
	if m.Empty() {
		return best
	}
	s := scanners.Get().(*scanner)
	defer scanners.Put(s)
	s.scan(text, m.words)
	for _, l := range m.lines {
		for _, found := range [...]Match{longest(l.words, s.literals, true), longest(l.words, s.all, false)} {
			if found.Plain = l.plain; found.better(best) {
				best = found
			}
		}
	}
	return best
}

// wordsOf returns the words of a line in lower case: what letters and digits make.
func wordsOf(line string) []string {
	return strings.FieldsFunc(strings.ToLower(line), func(r rune) bool { return !isWord(r) })
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// An item of a text is a word, by its number in the message, a word that the message has not (other), a gap that anything may fill, or
// the end of what belongs together (cut).
type item int32

const (
	other item = iota
	gap
	cut
	firstWord
)

// A vocabulary numbers the words of a message, in lower case.
type vocabulary struct {
	items  map[string]item
	begins [utf8.RuneSelf]uint64 // by the first letter, in any case, of words in ASCII: bit n for one of n bytes, 63 for more
}

func newVocabulary() *vocabulary { return &vocabulary{items: map[string]item{}} }

func (v *vocabulary) add(words []string) []item {
	items := make([]item, len(words))
	for i, word := range words {
		known, ok := v.items[word]
		if !ok {
			known = firstWord + item(len(v.items))
			v.items[word] = known
			if c := word[0]; c < utf8.RuneSelf {
				v.begins[c] |= 1 << min(len(word), 63)
				v.begins[strings.ToUpper(word[:1])[0]] |= 1 << min(len(word), 63)
			}
		}
		items[i] = known
	}
	return items
}

// of is the item of a word in any letter case.
func (v *vocabulary) of(word string) item {
	var lower [64]byte
	if len(word) > len(lower) {
		return v.items[strings.ToLower(word)]
	}
	maybe := v.begins[word[0]%utf8.RuneSelf]&(1<<min(len(word), 63)) != 0
	for i := range len(word) {
		c := word[i]
		if c >= utf8.RuneSelf {
			return v.items[strings.ToLower(word)]
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		lower[i] = c
	}
	if !maybe {
		return other
	}
	return v.items[string(lower[:len(word)])]
}

// longest finds the most words of a line that follow each other among items.
func longest(line, among []item, literal bool) Match {
	best := Match{Literal: literal}
	of, end := 0, 0 // words of the strings that end there
	for j, found := range among {
		if literal && j >= end {
			of, end = stringsAt(among, j)
		}
		if found < firstWord || j+1 == len(among) || among[j+1] == other || among[j+1] == cut {
			continue // fewer than two words
		}
		for i, word := range line {
			if word != found {
				continue
			}
			same, filled, run := follow(line[i:], among[j:])
			if same < 2 {
				continue
			}
			filled += gapBefore(among, j, i)
			share := (float64(same) + float64(filled)/2) / float64(len(line))
			if share > best.Share || share == best.Share && same > best.Words {
				best.Share, best.Words, best.Run, best.Filled, best.Of = share, same, run, filled, of
			}
		}
	}
	return best
}

// stringsAt counts the words of the strings that belong together from an item on, and tells where they end.
func stringsAt(among []item, at int) (words, end int) {
	for end = at; end < len(among) && (end == at || among[end] != cut); end++ {
		if among[end] != cut && among[end] != gap {
			words++
		}
	}
	return words, end
}

// gapBefore is how many of the n words before a place a gap in front of it may stand for.
func gapBefore(among []item, at, n int) int {
	if at > 0 && among[at-1] == gap {
		return min(n, maxFilled)
	}
	return 0
}

// follow counts the words that are the same in both, those that fill in gaps between them, and the most of the same ones that no
// gap divides.
func follow(line, among []item) (same, filled, run int) {
	i, j, open, present := 0, 0, false, 0
	for i < len(line) && j < len(among) && among[j] != cut {
		switch found := among[j]; {
		case found == gap:
			open, present = true, 0
			j++
		case found == line[i]:
			same++
			present++
			run = max(run, present)
			i++
			j++
			open = false
		case open:
			skip := indexOf(line[i:], found)
			if skip < 0 {
				return same, filled, run
			}
			filled += skip
			i += skip
		default:
			return same, filled, run
		}
	}
	if j < len(among) && among[j] == gap {
		open = true
	}
	if open {
		filled += min(len(line)-i, maxFilled)
	}
	return same, filled, run
}

// indexOf is where a word stands among the next ones, -1 for nowhere.
func indexOf(line []item, word item) int {
	for i := range min(len(line), maxFilled+1) {
		if line[i] == word {
			return i
		}
	}
	return -1
}

// maxJoin is how many bytes of code between two strings may make one message of them.
const maxJoin = 80

// A scanner takes a text apart: what stands in its strings, and all words.
type scanner struct {
	text     string
	words    *vocabulary
	at       int
	word     int  // where the present word begins; only with inWord
	inWord   bool //
	quote    rune // of the string that is open, 0 for none
	last     int  // where the string before ended, -1 for nowhere
	literals []item
	all      []item
}

var scanners = sync.Pool{New: func() any { return new(scanner) }}

func (s *scanner) scan(text string, words *vocabulary) {
	*s = scanner{text: text, words: words, last: -1, literals: s.literals[:0], all: s.all[:0]}
	for s.at < len(text) {
		s.step()
	}
	s.endWord()
	s.text, s.words = "", nil
}

// wordBytes are the letters and digits of ASCII.
var wordBytes = func() (set [utf8.RuneSelf]bool) {
	for c := range set {
		set[c] = isWord(rune(c))
	}
	return set
}()

// step takes a rune, or the letters and digits of ASCII that follow each other.
func (s *scanner) step() {
	from := s.at
	for s.at < len(s.text) && s.text[s.at] < utf8.RuneSelf && wordBytes[s.text[s.at]] {
		s.at++
	}
	if s.at > from {
		s.begin(from)
		return
	}
	r, size := utf8.DecodeRuneInString(s.text[s.at:])
	if r >= utf8.RuneSelf && isWord(r) {
		s.begin(from)
		s.at += size
		return
	}
	before := s.inWord
	s.endWord()
	if s.quote != 0 {
		if n := filling(s.text[s.at:]); n > 0 {
			s.literals = append(s.literals, gap)
			s.at += n
			return
		}
	}
	switch {
	case r == '\\' && s.quote != 0 && s.at+1 < len(s.text):
		_, next := utf8.DecodeRuneInString(s.text[s.at+1:])
		s.at += 1 + next // an escape ends a word and is none
		return
	case r == s.quote, r == '\n' && s.quote != 0 && s.quote != '`':
		s.quote, s.last = 0, s.at
	case s.quote == 0 && (r == '"' || r == '`' || r == '\'' && !before):
		s.openString(r)
	}
	s.at += size
}

// begin notes that a word begins there, unless one has begun.
func (s *scanner) begin(at int) {
	if !s.inWord {
		s.word, s.inWord = at, true
	}
}

// openString begins a string: it goes on with the one before when what stands between them joins them, with a value or without.
func (s *scanner) openString(quote rune) {
	s.quote = quote
	if s.last < 0 || s.at-s.last > maxJoin || !isOneStatement(s.text[s.last:s.at]) {
		s.literals = append(s.literals, cut)
		return
	}
	code := s.text[s.last+1 : s.at]
	if strings.Contains(code, "//") || strings.Contains(code, "# ") {
		code = lineComment.ReplaceAllString(code, "")
	}
	switch {
	case strings.Trim(code, "+.\\ \t\r\n") == "": // one string in two parts
	case comparesStrings(code) || beginsEntry(code) || opensCall(code) || !strings.ContainsFunc(code, isWord):
		// strings that are compared, a list or a table of them, or arguments of two calls
		s.literals = append(s.literals, cut)
	default:
		s.literals = append(s.literals, gap)
	}
}

var (
	lineComment = lazyregexp.New(`(?m)(?://|# ).*$`)
	compares    = lazyregexp.New(`\b(?:or|and)\b`)
	entry       = lazyregexp.New(`,\s*\[?[\w.]+\]?\s*(?::|=>?)\s*$`) // the key of the next entry of a table
)

// comparesStrings reports whether code between two strings compares them, or what they are compared with.
func comparesStrings(code string) bool {
	for _, sign := range [...]string{"==", "!=", "||", "&&"} {
		if strings.Contains(code, sign) {
			return true
		}
	}
	return (strings.Contains(code, "or") || strings.Contains(code, "and")) && compares.MatchString(code)
}

// beginsEntry reports whether code between two strings goes on to the next entry of a table.
func beginsEntry(code string) bool {
	end := strings.TrimRight(code, " \t\r\n\f")
	return (strings.HasSuffix(end, ":") || strings.HasSuffix(end, "=") || strings.HasSuffix(end, "=>")) && entry.MatchString(code)
}

// opensCall reports whether code between two strings ends one argument and goes into a call in the next: "OK", errorOf("...").
func opensCall(code string) bool {
	return strings.HasPrefix(strings.TrimSpace(code), ",") && strings.Count(code, "(") > strings.Count(code, ")")
}

// isOneStatement reports whether code between two strings can stand inside of one statement: no semicolon, and only such ends of
// lines as an expression goes on behind.
func isOneStatement(code string) bool {
	for {
		line, rest, more := strings.Cut(code, "\n")
		if strings.Contains(line, ";") {
			return false
		}
		if !more {
			return true
		}
		before, after := strings.TrimRight(line, " \t\r"), strings.TrimLeft(rest, " \t\r\n")
		if before != "" && strings.IndexByte("+,(.&|?:=<[\\", before[len(before)-1]) < 0 && after != "" && strings.IndexByte("+,).&|?:<]", after[0]) < 0 {
			return false
		}
		code = rest
	}
}

func (s *scanner) endWord() {
	if !s.inWord {
		return
	}
	s.inWord = false
	word := s.words.of(s.text[s.word:s.at])
	s.all = append(s.all, word)
	if s.quote != 0 {
		s.literals = append(s.literals, word)
	}
}

// filling is the length of the format verb or interpolation at the start of s, 0 for none.
func filling(s string) int {
	switch s[0] {
	case '%':
		return verb(s)
	case '{':
		return braces(s, 0)
	case '$', '#':
		if n := braces(s, 1); n > 0 {
			return n
		}
		return variable(s)
	case '\\':
		if len(s) > 1 && s[1] == '(' { // Swift
			if i := strings.IndexByte(s, ')'); i > 0 && i < maxJoin {
				return i + 1
			}
		}
	}
	return 0
}

// verb is the length of %s, %-5.2f, %[1]v, %(name)s, %lu or %1$s.
func verb(s string) int {
	i := 1
	if i < len(s) && s[i] == '(' {
		end := strings.IndexByte(s, ')')
		if end < 0 || end > maxJoin {
			return 0
		}
		i = end + 1
	}
	for i < len(s) && strings.IndexByte("+-#0123456789.*[]$'lhzjtqL", s[i]) >= 0 {
		if s[i] == 'q' || s[i] == 't' { // verbs of Go as well as lengths of C
			if i+1 >= len(s) || strings.IndexByte("diouxX", s[i+1]) < 0 {
				return i + 1
			}
		}
		i++
	}
	if i < len(s) && (s[i] >= 'a' && s[i] <= 'z' || s[i] >= 'A' && s[i] <= 'Z' || s[i] == '@') {
		return i + 1
	}
	return 0
}

// braces is the length of {...}, from the given place on, with what is before it.
func braces(s string, from int) int {
	if len(s) <= from || s[from] != '{' {
		return 0
	}
	depth := 0
	for i := from; i < len(s) && i < from+2*maxJoin && s[i] != '\n'; i++ {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// variable is the length of $name.
func variable(s string) int {
	if s[0] != '$' {
		return 0
	}
	i := 1
	for i < len(s) && (s[i] == '_' || s[i] >= 'a' && s[i] <= 'z' || s[i] >= 'A' && s[i] <= 'Z' || i > 1 && s[i] >= '0' && s[i] <= '9') {
		i++
	}
	if i == 1 {
		return 0
	}
	return i
}
