package text

import (
	"strings"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// minStemmed is the least number of letters of a word that is stemmed: shorter ones are names.
const minStemmed = 3

// Stem returns what the forms of an English word have in common, by the Snowball stemmer: retry for retries, sniff for
// sniffing. A token that is no plain lower-case word stays as it is.
func Stem(token string) string {
	if len(token) < minStemmed || strings.ContainsFunc(token, func(r rune) bool { return r < 'a' || r > 'z' }) {
		return token
	}
	env := snowballstem.NewEnv(token)
	english.Stem(env)
	return undoubled(env.Current())
}

// undoubled takes the second of two equal consonants off the end of a stem, as the stemmer does only where an ending
// followed: sniff and sniffing are to be one.
func undoubled(stem string) string {
	n := len(stem)
	if n > 3 && stem[n-1] == stem[n-2] && strings.IndexByte("bdfgmnprt", stem[n-1]) >= 0 {
		return stem[:n-1]
	}
	return stem
}
