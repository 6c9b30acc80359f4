package pasted

import (
	"strings"
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
}

type line struct {
	words []string
	plain bool // no figure by itself, path, quote or colon
}

// Read returns the message of a pasted text.
func Read(text string) Message {
	var m Message
	for text := range strings.Lines(text[:min(len(text), maxBytes)]) {
		if len(m.lines) == maxLines {
			break
		}
		if words := wordsOf(text); len(words) >= minWords && (len(placesIn(text)) == 0 || len(words) > 2*minWords) {
			m.lines = append(m.lines, line{words, isPlain(text)})
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

// Find returns the best match of any line in a text.
func (m Message) Find(text string) Match {
	var best Match
	if m.Empty() {
		return best
	}
	literals, all := items(text)
	for _, l := range m.lines {
		for _, found := range [...]Match{longest(l.words, literals, true), longest(l.words, all, false)} {
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

// An item of a text is a word, a gap that anything may fill (""), or the end of what belongs together (cut).
const (
	gap = ""
	cut = "\n"
)

// longest finds the most words of a line that follow each other among items.
func longest(line, among []string, literal bool) Match {
	first := make(map[string][]int, len(line)) // where each word of the line stands in it
	for i, word := range line {
		first[word] = append(first[word], i)
	}
	best := Match{Literal: literal}
	of, end := 0, 0 // words of the strings that end there
	for j, item := range among {
		if literal && j >= end {
			of, end = stringsAt(among, j)
		}
		for _, i := range first[item] {
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
func stringsAt(among []string, at int) (words, end int) {
	for end = at; end < len(among) && (end == at || among[end] != cut); end++ {
		if among[end] != cut && among[end] != gap {
			words++
		}
	}
	return words, end
}

// gapBefore is how many of the n words before a place a gap in front of it may stand for.
func gapBefore(among []string, at, n int) int {
	if at > 0 && among[at-1] == gap {
		return min(n, maxFilled)
	}
	return 0
}

// follow counts the words that are the same in both, those that fill in gaps between them, and the most of the same ones that no
// gap divides.
func follow(line, among []string) (same, filled, run int) {
	i, j, open, present := 0, 0, false, 0
	for i < len(line) && j < len(among) && among[j] != cut {
		switch item := among[j]; {
		case item == gap:
			open, present = true, 0
			j++
		case item == line[i]:
			same++
			present++
			run = max(run, present)
			i++
			j++
			open = false
		case open:
			skip := indexOf(line[i:], item)
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
func indexOf(line []string, word string) int {
	for i := range min(len(line), maxFilled+1) {
		if line[i] == word {
			return i
		}
	}
	return -1
}

// maxJoin is how many bytes of code between two strings may make one message of them.
const maxJoin = 80

// items takes a text apart: what stands in its strings, and all words.
func items(text string) (literals, all []string) {
	s := scanner{text: text, last: -1}
	for s.at < len(text) {
		s.step()
	}
	s.endWord()
	return s.literals, s.all
}

// A scanner takes a text apart, one rune at a time.
type scanner struct {
	text     string
	at       int
	word     int  // where the present word begins; only with inWord
	inWord   bool //
	quote    rune // of the string that is open, 0 for none
	last     int  // where the string before ended, -1 for nowhere
	literals []string
	all      []string
}

func (s *scanner) step() {
	r, size := utf8.DecodeRuneInString(s.text[s.at:])
	if isWord(r) {
		if !s.inWord {
			s.word, s.inWord = s.at, true
		}
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

// openString begins a string: it goes on with the one before when what stands between them joins them, with a value or without.
func (s *scanner) openString(quote rune) {
	s.quote = quote
	if s.last < 0 || s.at-s.last > maxJoin || !isOneStatement(s.text[s.last:s.at]) {
		s.literals = append(s.literals, cut)
		return
	}
	code := lineComment.ReplaceAllString(s.text[s.last+1:s.at], "")
	switch {
	case strings.Trim(code, "+.\\ \t\r\n") == "": // one string in two parts
	case compares.MatchString(code) || entry.MatchString(code) || opensCall(code) || !strings.ContainsFunc(code, isWord):
		// strings that are compared, a list or a table of them, or arguments of two calls
		s.literals = append(s.literals, cut)
	default:
		s.literals = append(s.literals, gap)
	}
}

var (
	lineComment = lazyregexp.New(`(?m)(?://|# ).*$`)
	compares    = lazyregexp.New(`==|!=|\|\||&&|\b(?:or|and)\b`)
	entry       = lazyregexp.New(`,\s*\[?[\w.]+\]?\s*(?::|=>?)\s*$`) // the key of the next entry of a table
)

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
	word := strings.ToLower(s.text[s.word:s.at])
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
