package picker

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// A key is what a person pressed.
type key int

const (
	keyText key = iota // typed or pasted: the text says what
	keyEnter
	keyPrint
	keyEscape
	keyInterrupt
	keyBackspace
	keyDelete
	keyLeft
	keyRight
	keyHome
	keyEnd
	keyUp
	keyDown
	keyPageUp
	keyPageDown
	keyWhy
	keyClear
	keyWord
	keyRedraw
	keyNone // known, and without a meaning here
)

// A press is one key with its text.
type press struct {
	key  key
	text string
}

// controls are the keys of single bytes.
var controls = map[byte]key{
	'\r': keyEnter, '\n': keyDown, 0x7f: keyBackspace, 0x08: keyBackspace, 0x03: keyInterrupt, 0x07: keyEscape, 0x0e: keyDown, 0x10: keyUp,
	0x0b: keyUp, 0x12: keyWhy, 0x15: keyClear, 0x17: keyWord, 0x01: keyHome, 0x05: keyEnd, 0x02: keyLeft, 0x06: keyRight, 0x04: keyDelete,
	0x0c: keyRedraw, 0x19: keyPrint, '\t': keyDown,
}

// sequences are what follows ESC.
var sequences = map[string]key{
	"[A": keyUp, "[B": keyDown, "[C": keyRight, "[D": keyLeft, "[H": keyHome, "[F": keyEnd, "OA": keyUp, "OB": keyDown, "OC": keyRight,
	"OD": keyLeft, "OH": keyHome, "OF": keyEnd, "[1~": keyHome, "[7~": keyHome, "[4~": keyEnd, "[8~": keyEnd, "[3~": keyDelete, "[5~": keyPageUp,
	"[6~": keyPageDown, "[Z": keyUp, "OM": keyEnter,
}

// Of bracketed paste.
var pasteBegin, pasteEnd = []byte("\x1b[200~"), []byte("\x1b[201~")

// maxPending bounds what is kept of a sequence that never ends, in bytes.
const maxPending = 1 << 16

// decode takes the presses off the beginning of what was read. rest is the beginning of a key whose end may still come;
// when the person has paused, it is taken for what it is.
func decode(read []byte, paused bool) (presses []press, rest []byte) {
	for len(read) > 0 {
		p, n := decodeOne(read, paused || len(read) > maxPending)
		if n == 0 {
			return presses, read
		}
		if p.key != keyNone {
			presses = append(presses, p)
		}
		read = read[n:]
	}
	return presses, nil
}

// decodeOne reads one key; n is 0 when more of it has to come.
func decodeOne(read []byte, paused bool) (p press, n int) {
	switch b := read[0]; {
	case b == 0x1b:
		return decodeEscape(read, paused)
	case b < 0x20 || b == 0x7f:
		if k, ok := controls[b]; ok {
			return press{key: k}, 1
		}
		return press{key: keyNone}, 1
	}
	if !utf8.FullRune(read) && !paused {
		return press{}, 0
	}
	r, size := utf8.DecodeRune(read)
	if r == utf8.RuneError || !unicode.IsPrint(r) && !unicode.In(r, unicode.Mn, unicode.Cf) {
		return press{key: keyNone}, size
	}
	return press{keyText, string(r)}, size
}

func decodeEscape(read []byte, paused bool) (press, int) {
	if len(read) == 1 {
		if paused {
			return press{key: keyEscape}, 1
		}
		return press{}, 0
	}
	if bytes.HasPrefix(read, pasteBegin) {
		return decodePaste(read, paused)
	}
	if read[1] != '[' && read[1] != 'O' {
		if read[1] == 0x1b { // Esc twice
			return press{key: keyEscape}, 1
		}
		_, size := utf8.DecodeRune(read[1:])
		return press{key: keyNone}, 1 + size // Alt and a key
	}
	for i := 2; i < len(read); i++ {
		if read[i] >= 0x40 && read[i] <= 0x7e {
			if k, ok := sequences[string(read[1:i+1])]; ok {
				return press{key: k}, i + 1
			}
			return press{key: keyNone}, i + 1
		}
	}
	if paused {
		return press{key: keyNone}, len(read)
	}
	return press{}, 0
}

// decodePaste reads a text that was pasted: its line breaks are blanks, so that nothing in it presses Enter.
func decodePaste(read []byte, paused bool) (press, int) {
	end := bytes.Index(read, pasteEnd)
	switch {
	case end >= 0:
	case paused:
		end = len(read)
	default:
		return press{}, 0
	}
	var text []rune
	for _, r := range string(read[len(pasteBegin):end]) {
		switch {
		case unicode.IsSpace(r):
			text = append(text, ' ')
		case unicode.IsPrint(r):
			text = append(text, r)
		}
	}
	return press{keyText, string(text)}, min(len(read), end+len(pasteEnd))
}
