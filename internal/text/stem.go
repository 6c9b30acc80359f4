package text

import (
	"hash/maphash"
	"strings"
	"sync/atomic"

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
	slot := &stemmed[maphash.String(stemSeed, token)%uint64(len(stemmed))]
	if known := slot.Load(); known != nil && known.token == token {
		return known.stem
	}
	env := snowballstem.NewEnv(token)
	english.Stem(env)
	known := &stemOf{strings.Clone(token), undoubled(env.Current())}
	slot.Store(known)
	return known.stem
}

type stemOf struct{ token, stem string }

// stemmed are stems of words that were asked for lately, each in a place that its hash says: texts have few words, many times.
var (
	stemmed  [4096]atomic.Pointer[stemOf]
	stemSeed = maphash.MakeSeed()
)

// undoubled takes the second of two equal consonants off the end of a stem, as the stemmer does only where an ending
// followed: sniff and sniffing are to be one.
func undoubled(stem string) string {
	n := len(stem)
	if n > 3 && stem[n-1] == stem[n-2] && strings.IndexByte("bdfgmnprt", stem[n-1]) >= 0 {
		return stem[:n-1]
	}
	return stem
}
