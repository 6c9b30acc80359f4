package sentence

import (
	"math"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const maxWord = 100 // runes; a longer word is unknown

// cut returns the numbers of a text's subwords, with those that begin and end it, at most limit.
func (m *Model) cut(text string, limit int) []int32 {
	ids := []int32{m.begin}
	eachWord(text, func(word string) bool {
		ids = m.appendSubwords(ids, word)
		return len(ids) < limit-1
	})
	if len(ids) > limit-1 {
		ids = ids[:limit-1]
	}
	return append(ids, m.end)
}

// Subwords returns the subwords of a text, however long it is.
func (m *Model) Subwords(text string) []string {
	var list []string
	ids := m.cut(text, math.MaxInt)
	for _, id := range ids[1 : len(ids)-1] {
		list = append(list, m.names[id])
	}
	return list
}

// eachWord yields the words of a text as BERT's normaliser and pre-tokeniser do: lower-case letters without accents, each
// punctuation mark and each Chinese character by itself. It stops when yield returns false.
func eachWord(text string, yield func(string) bool) {
	var word []rune
	flush := func() bool {
		if len(word) == 0 {
			return true
		}
		ok := yield(string(word))
		word = word[:0]
		return ok
	}
	for _, c := range norm.NFD.String(text) {
		switch {
		case c == 0 || c == utf8.RuneError || unicode.Is(unicode.Mn, c) || isControl(c):
			continue
		case unicode.IsSpace(c):
			if !flush() {
				return
			}
		case isMark(c) || isChinese(c):
			if !flush() || !yield(string(c)) {
				return
			}
		default:
			word = append(word, unicode.ToLower(c))
		}
	}
	flush()
}

func isControl(c rune) bool {
	return c != '\t' && c != '\n' && c != '\r' && unicode.In(c, unicode.Cc, unicode.Cf, unicode.Co)
}

// isMark reports whether BERT takes c for punctuation: all of ASCII that is neither letter nor digit, too.
func isMark(c rune) bool {
	return c >= '!' && c <= '/' || c >= ':' && c <= '@' || c >= '[' && c <= '`' || c >= '{' && c <= '~' || unicode.IsPunct(c)
}

func isChinese(c rune) bool {
	return c >= 0x4E00 && c <= 0x9FFF || c >= 0x3400 && c <= 0x4DBF || c >= 0x20000 && c <= 0x2CEAF || c >= 0xF900 && c <= 0xFAFF || c >= 0x2F800 && c <= 0x2FA1F
}

// appendSubwords appends the longest subwords that a word begins with, one after the other, or the unknown one.
func (m *Model) appendSubwords(ids []int32, word string) []int32 {
	if utf8.RuneCountInString(word) > maxWord {
		return append(ids, m.unknown)
	}
	before := len(ids)
	prefix := ""
	for rest := word; rest != ""; {
		id, n := m.longest(prefix, rest)
		if n == 0 {
			return append(ids[:before], m.unknown)
		}
		ids, rest, prefix = append(ids, id), rest[n:], "##"
	}
	return ids
}

// longest returns the longest subword that s begins with, and its length in s; 0 for none.
func (m *Model) longest(prefix, s string) (id int32, n int) {
	for n = len(s); n > 0; {
		if id, ok := m.subwords[prefix+s[:n]]; ok {
			return id, n
		}
		_, last := utf8.DecodeLastRuneInString(s[:n])
		n -= last
	}
	return 0, 0
}
