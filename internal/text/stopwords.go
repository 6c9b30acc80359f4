package text

import "strings"

// IsStopWord reports whether a lower-case word of a question says nothing of what is asked about.
func IsStopWord(word string) bool { return stopWords[word] }

var stopWords = func() map[string]bool {
	words := map[string]bool{}
	for _, word := range strings.Fields(`a an and are as at be but by can could do does did for from had has have how i if in into
		is it its may me might my of on or our should so some than that the their them there these they this to us was we were what
		when where which who whom whose why will with would you your please tell show about explain any code`) {
		words[word] = true
	}
	return words
}()
