package text

import (
	"unicode"
	"unicode/utf8"
)

const (
	maxSubtoken    = 40 // bytes of the longest part of an identifier that yields a token
	maxSubtokenRun = 64 // bytes of the longest run that yields tokens; longer ones are data
	maxSubnumber   = 4  // digits of the longest number that yields a token
)

// A Subtokenizer yields what the embedded model knows as words, of prose and of code alike: the parts of every
// identifier and, when it has two or more, all of them joined without what divides them; in lower case.
//
//	getUserData   get user data getuserdata
//	user_data     user data userdata
//	HTTPServer    http server httpserver
//	userIDs       user ids userids
//	sha256Sum     sha 256 sum sha256sum
//
// It divides more than a Tokenizer does (between letters and digits, too) and it drops parts of one letter, numbers of
// more than 4 digits, parts of more than 40 bytes and runs of more than 64: a model that learns from counts gains
// nothing from them, whereas a search for a name must find all of it. A run with letters outside of ASCII is one token.
//
// It allocates nothing once its buffer has grown. The zero value is ready; one Subtokenizer serves one goroutine.
type Subtokenizer struct {
	joined []byte // the parts of the present run, in lower case
}

// Each calls yield with every token of src, in the order of the text, until yield returns false. The token is valid only
// during the call.
func (t *Subtokenizer) Each(src []byte, yield func(token []byte) bool) {
	for i := 0; i < len(src); {
		end, wide := runEnd(src, i)
		if end == i {
			_, size := utf8.DecodeRune(src[i:])
			i += size
			continue
		}
		run := src[i:end]
		i = end
		if len(run) > maxSubtokenRun {
			continue
		}
		if wide && !t.wide(run, yield) || !wide && !t.run(run, yield) {
			return
		}
	}
}

// runEnd returns where the run of letters, digits, underscores and dollar signs that begins at i ends, and whether it
// has letters outside of ASCII. Without a run it returns i.
func runEnd(src []byte, i int) (end int, wide bool) {
	for i < len(src) {
		if b := src[i]; b < utf8.RuneSelf {
			if subtokenClass[b] == other {
				break
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(src[i:])
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			break
		}
		i += size
		wide = true
	}
	return i, wide
}

// run yields the tokens of a run of ASCII.
func (t *Subtokenizer) run(run []byte, yield func([]byte) bool) bool {
	t.joined = t.joined[:0]
	begin, parts := 0, 0 // of the present part; finished
	last := underscore
	for i, b := range run {
		c := subtokenClass[b]
		end := -1
		switch {
		case c == last || len(t.joined) == begin:
		case c == underscore, c == digit || last == digit, c == upper:
			end = len(t.joined)
		case c == lower && len(t.joined)-begin > 1 && !plural(run[i:]):
			end = len(t.joined) - 1
		}
		if end >= 0 {
			if !emitPart(t.joined[begin:end], yield) {
				return false
			}
			begin = end
			parts++
		}
		if c != underscore {
			t.joined = append(t.joined, asciiLower[b])
		}
		last = c
	}
	if len(t.joined) > begin {
		if !emitPart(t.joined[begin:], yield) {
			return false
		}
		parts++
	}
	return parts < 2 || yield(t.joined)
}

// plural reports whether what follows capitals is their plural s: it is the last lower-case letter.
func plural(rest []byte) bool {
	return rest[0] == 's' && (len(rest) == 1 || subtokenClass[rest[1]] != lower)
}

// emitPart yields a part unless it is one that says nothing.
func emitPart(part []byte, yield func([]byte) bool) bool {
	isNumber := len(part) > 0 && '0' <= part[0] && part[0] <= '9'
	if len(part) < 2 || len(part) > maxSubtoken || isNumber && len(part) > maxSubnumber {
		return true
	}
	return yield(part)
}

// wide yields a run that has letters outside of ASCII.
func (t *Subtokenizer) wide(run []byte, yield func([]byte) bool) bool {
	t.joined = t.joined[:0]
	runes := 0
	for i := 0; i < len(run); {
		r, size := utf8.DecodeRune(run[i:])
		i += size
		t.joined = utf8.AppendRune(t.joined, unicode.ToLower(r))
		runes++
	}
	return runes < 2 || yield(t.joined)
}

// subtokenClass is asciiClass with a dollar sign that divides, as in names of JavaScript and PHP.
var subtokenClass = subtokenTable()

func subtokenTable() [utf8.RuneSelf]class {
	classes := asciiClass
	classes['$'] = underscore
	return classes
}
