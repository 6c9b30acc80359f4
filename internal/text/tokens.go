package text

import (
	"unicode"
	"unicode/utf8"
)

const (
	// MaxToken is the length in bytes of the longest token. Longer parts and identifiers are left out whole: cut
	// ones would match what they do not equal, and nobody types them.
	MaxToken = 64

	// maxRun is the length in bytes from which a run of letters and digits is data, not a name: it yields nothing.
	maxRun = 256

	// A run of at least noiseRun bytes whose parts are shorter than noisePart bytes on average looks like base64,
	// whose parts would fill the dictionary with fragments of no meaning: only the whole of it becomes a token.
	noiseRun, noisePart = 24, 4
)

// Tokenize returns the tokens of s in the order of the text: for every identifier its parts, then, when it has more
// than one, the whole of it, all in lower case.
//
//	getUserData      get user data getuserdata
//	user_manager     user manager user_manager
//	HTTPRequest      http request httprequest
//	sha256Sum        sha256 sum sha256sum
//	auth.oauth       auth oauth
//
// Nothing is dropped as too common and nothing is stemmed: "the" is part of get_the_user. Tokens are at most MaxToken
// bytes long.
func Tokenize(s string) []string {
	tokens := []string{}
	var t Tokenizer
	t.Each([]byte(s), func(token []byte) { tokens = append(tokens, string(token)) })
	return tokens
}

// A Tokenizer yields the tokens of Tokenize without allocating, for those who index megabytes. The zero value is
// ready; one Tokenizer serves one goroutine.
type Tokenizer struct {
	run    []byte // the present run of letters, digits and underscores, in lower case
	parts  []part // the finished parts of run
	begin  int    // where the present part of run begins
	size   int    // of the run in the source, which is longer than run once it passes maxRun
	width  int    // bytes of the last rune in run
	last   class  // of the last rune
	prev   class  // of the one before it
	plural bool   // the last split came before the capital in "Ls" of URLs and may have to be undone
}

// A part is a stretch of Tokenizer.run.
type part struct{ begin, end int }

// class is what the splitting rules need to know of a rune.
type class uint8

const (
	other class = iota // ends a run
	lower              // letters without case and combining marks, too
	upper
	digit
	underscore
)

// Each calls yield with every token of src. The token is valid only during the call.
func (t *Tokenizer) Each(src []byte, yield func(token []byte)) {
	t.reset()
	for i := 0; i < len(src); {
		if b := src[i]; b < utf8.RuneSelf {
			i++
			if c := asciiClass[b]; c != other {
				t.addASCII(b, c)
			} else if t.size > 0 {
				t.flush(yield)
			}
			continue
		}
		r, size := utf8.DecodeRune(src[i:])
		i += size
		if c := classOf(r); c != other && (r != utf8.RuneError || size > 1) {
			t.addRune(r, size, c)
		} else if t.size > 0 {
			t.flush(yield)
		}
	}
	t.flush(yield)
}

func (t *Tokenizer) addASCII(b byte, c class) {
	if t.size++; t.size > maxRun {
		return
	}
	b = asciiLower[b]
	t.split(rune(b), c)
	t.run = append(t.run, b)
	t.width = 1
}

func (t *Tokenizer) addRune(r rune, size int, c class) {
	if t.size += size; t.size > maxRun {
		return
	}
	r = unicode.ToLower(r)
	t.split(r, c)
	before := len(t.run)
	t.run = utf8.AppendRune(t.run, r)
	t.width = len(t.run) - before
}

// split ends a part where the next rune r, of class c, begins another one: at underscores, before an upper-case
// letter that follows a lower-case one or a digit (get|User, sha256|Sum), and before the last capital of an acronym
// that a word follows (HTTP|Request), but not before a plural s (user|IDs). Digits stay with the letters before them.
func (t *Tokenizer) split(r rune, c class) {
	if c == lower && t.last == lower {
		t.prev, t.plural = lower, false
		return
	}
	t.undoPlural()
	n := len(t.run)
	switch {
	case c == underscore:
		t.endPart(n, n+1)
	case c == upper && (t.last == lower || t.last == digit):
		t.endPart(n, n)
	case c == lower && t.last == upper && t.prev == upper:
		t.endPart(n-t.width, n-t.width)
		t.plural = r == 's'
	}
	t.prev, t.last = t.last, c
}

// undoPlural joins the last capital of an acronym to it again: only an s followed, and no word.
func (t *Tokenizer) undoPlural() {
	if t.plural {
		last := len(t.parts) - 1
		t.begin, t.parts = t.parts[last].begin, t.parts[:last]
		t.plural = false
	}
}

// endPart ends the present part at end and begins the next one at begin. An empty part leaves no trace.
func (t *Tokenizer) endPart(end, begin int) {
	if end > t.begin {
		t.parts = append(t.parts, part{t.begin, end})
	}
	t.begin = begin
}

// flush yields what the finished run is made of.
func (t *Tokenizer) flush(yield func([]byte)) {
	if t.size > 0 && t.size <= maxRun {
		t.undoPlural()
		t.endPart(len(t.run), len(t.run))
		t.emitAll(yield)
	}
	t.reset()
}

func (t *Tokenizer) emitAll(yield func([]byte)) {
	if len(t.parts) == 0 {
		return // underscores only
	}
	whole := part{0, len(t.run)}
	if len(t.run) < noiseRun || len(t.run) >= len(t.parts)*noisePart {
		for _, p := range t.parts {
			t.emit(p, yield)
		}
		if t.parts[0] == whole {
			return
		}
	}
	t.emit(whole, yield)
}

func (t *Tokenizer) emit(p part, yield func([]byte)) {
	if p.end-p.begin <= MaxToken {
		yield(t.run[p.begin:p.end])
	}
}

func (t *Tokenizer) reset() {
	t.run, t.parts = t.run[:0], t.parts[:0]
	t.begin, t.size, t.width = 0, 0, 0
	t.last, t.prev, t.plural = other, other, false
}

// asciiClass and asciiLower answer for the bytes that make up nearly all code.
var asciiClass, asciiLower = asciiTables()

func asciiTables() (classes [utf8.RuneSelf]class, lowered [utf8.RuneSelf]byte) {
	for b := range byte(utf8.RuneSelf) {
		lowered[b] = b
		switch {
		case 'a' <= b && b <= 'z':
			classes[b] = lower
		case 'A' <= b && b <= 'Z':
			classes[b], lowered[b] = upper, b-'A'+'a'
		case '0' <= b && b <= '9':
			classes[b] = digit
		case b == '_':
			classes[b] = underscore
		}
	}
	return classes, lowered
}

func classOf(r rune) class {
	switch {
	case unicode.IsUpper(r), unicode.IsTitle(r):
		return upper
	case unicode.IsLetter(r), unicode.IsMark(r):
		return lower
	case unicode.IsDigit(r):
		return digit
	}
	return other
}
