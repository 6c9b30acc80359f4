package signal

import (
	"strings"
	"unicode"
)

// A Class is what a follow-up says.
type Class string

// The classes.
const (
	None     Class = ""
	Positive Class = "positive" // the answer was right
	Followup Class = "followup" // goes on from it
	Negative Class = "negative" // it was wrong
	Recourse Class = "recourse" // it was not good enough: try harder
	Abort    Class = "abort"    // leave it
)

// Threshold is the confidence from which a signal counts.
const Threshold = 0.8

// A Signal is what was found. Whole tells that the text says nothing else, so that there is nothing to answer.
type Signal struct {
	Class      Class
	Confidence float64 // 0..1
	Keyword    string
	Whole      bool
}

// classes in the order in which they win, each with its words.
var classes = []struct {
	class Class
	words []string
}{
	{Abort, []string{"never mind", "nevermind", "skip", "cancel", "stop", "forget it"}},
	{Recourse, []string{"try again", "different approach", "retry", "rethink"}},
	{Negative, []string{"wrong", "no", "incorrect", "not what i meant", "that's not right", "that is wrong", "that's wrong"}},
	{Positive, []string{"thanks", "thank you", "great", "perfect", "excellent", "good", "awesome"}},
	{Followup, []string{"also", "additionally", "and", "furthermore", "plus"}},
}

// The confidences: the whole text is a signal, it opens with one that stands by itself, it opens with a word that goes on.
const (
	whole    = 1.0
	opening  = 0.9
	goesOn   = 0.8
	anywhere = 0.4
)

// Detect returns the signal of the highest confidence in a text, None when there is none. "No, it was the other one" is
// negative; "no model is configured, why?" and "is the retry wrong?" are questions: a word counts where it opens the text
// and stands by itself.
func Detect(text string) Signal {
	text = strings.ToLower(strings.Join(strings.Fields(strings.ReplaceAll(text, "’", "'")), " "))
	bare := strings.TrimFunc(text, func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSpace(r) || unicode.IsSymbol(r) })
	var best Signal
	for _, c := range classes {
		for _, word := range c.words {
			s := Signal{Class: c.class, Confidence: confidence(text, bare, word, c.class), Keyword: word}
			s.Whole = s.Confidence == whole
			if s.Confidence > best.Confidence {
				best = s
			}
		}
	}
	return best
}

func confidence(text, bare, word string, class Class) float64 {
	if bare == word {
		return whole
	}
	rest, opens := strings.CutPrefix(text, word)
	switch {
	case opens && strings.IndexFunc(rest, isStop) == 0:
		if pure(rest) {
			return whole
		}
		return opening
	case opens && strings.HasPrefix(rest, " ") && (class == Followup || strings.Contains(word, " ")):
		return goesOn
	case strings.Contains(" "+bare+" ", " "+word+" "):
		return anywhere
	}
	return 0
}

// isStop reports whether a mark ends the words before it.
func isStop(r rune) bool { return strings.ContainsRune(",.;:!?-–—", r) }

// pure reports whether what follows a signal is another one, such as "great" behind "thanks,".
func pure(rest string) bool {
	rest = strings.TrimFunc(rest, func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSpace(r) })
	if rest == "" {
		return true
	}
	for _, c := range classes {
		for _, word := range c.words {
			if rest == word {
				return true
			}
		}
	}
	return false
}
