package evidence

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aurora-sidecar/aurora/internal/text"
)

// Stems are the stems of the words and of the parts of names in a text.
func Stems(s string) map[string]bool {
	stems := map[string]bool{}
	for _, word := range SplitWords(s) {
		stems[text.Stem(word)] = true
	}
	return stems
}

// SplitWords takes a text apart into lower-case words, those of names in camel case, too.
func SplitWords(s string) []string {
	var spaced strings.Builder
	lower := false
	for _, r := range s {
		switch {
		case r >= 'A' && r <= 'Z':
			if lower {
				spaced.WriteByte(' ')
			}
			lower = false
			spaced.WriteRune(r + 'a' - 'A')
		case r == '_' || r == '-' || !IsNameRune(r):
			lower = false
			spaced.WriteByte(' ')
		default:
			lower = true
			spaced.WriteRune(r)
		}
	}
	return strings.Fields(spaced.String())
}

// IsNameRune reports whether a letter can stand in a name.
func IsNameRune(r rune) bool {
	return r == '_' || r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}
