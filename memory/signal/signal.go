package signal

import (
	"slices"
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

// Classes lists all, in the order in which they win.
var Classes = []Class{Abort, Recourse, Negative, Positive, Followup}

// Threshold is the confidence from which a signal counts by default.
const Threshold = 0.8

// A Signal is what was found. Whole tells that the text says nothing else, so that there is nothing to answer.
type Signal struct {
	Class      Class
	Confidence float64 // 0..1
	Keyword    string
	Whole      bool
	Rest       string // of the text, behind the keyword that it opens with
}

// Keywords are the words of each class.
type Keywords map[Class][]string

// Defaults are the words that are known without settings.
func Defaults() Keywords {
	return Keywords{
		Abort:    {"never mind", "nevermind", "skip", "cancel", "stop", "forget it"},
		Recourse: {"try again", "different approach", "retry", "rethink"},
		Negative: {"wrong", "no", "incorrect", "not what i meant", "that's not right", "that is wrong", "that's wrong"},
		Positive: {"thanks", "thank you", "great", "perfect", "excellent", "good", "awesome"},
		Followup: {"also", "additionally", "and", "furthermore", "plus"},
	}
}

// A Detector looks for signals. It serves several goroutines.
type Detector struct {
	words     Keywords
	threshold float64
}

// New returns a detector for keywords; capital letters, blanks and the form of apostrophes don't count in them. A
// signal counts from a confidence of threshold on, 0..1.
func New(words Keywords, threshold float64) *Detector {
	d := &Detector{words: Keywords{}, threshold: threshold}
	for class, list := range words {
		for _, word := range list {
			if word = plain(word); word != "" {
				d.words[class] = append(d.words[class], word)
			}
		}
	}
	return d
}

var usual = New(Defaults(), Threshold)

// Usual is the detector with the default words and threshold.
func Usual() *Detector { return usual }

// The confidences: the whole text is a signal, it opens with one that stands by itself, it opens with a word that goes on.
const (
	whole    = 1.0
	opening  = 0.9
	goesOn   = 0.8
	anywhere = 0.4
)

// Classify returns the signal of a text if it counts, None when none does.
func (d *Detector) Classify(text string) Signal {
	if s := d.Detect(text); s.Confidence >= d.threshold {
		return s
	}
	return Signal{}
}

// Detect returns the signal of the highest confidence in a text, None when there is none. "No, it was the other one" is
// negative; "no model is configured, why?" and "is the retry wrong?" are questions: a word counts where it opens the text
// and stands by itself.
func (d *Detector) Detect(text string) Signal {
	tidy := strings.Join(strings.Fields(strings.ReplaceAll(text, "’", "'")), " ")
	text = strings.ToLower(tidy)
	bare := strings.TrimFunc(text, isMark)
	var best Signal
	for _, class := range Classes {
		for _, word := range d.words[class] {
			s := Signal{Class: class, Confidence: d.confidence(text, bare, word, class), Keyword: word}
			s.Whole = s.Confidence == whole
			if s.Confidence > best.Confidence {
				best = s
			}
		}
	}
	if best.Confidence >= goesOn && !best.Whole && len(tidy) == len(text) { // lower case may be longer
		best.Rest = strings.TrimLeftFunc(tidy[len(best.Keyword):], isMark)
	}
	return best
}

func plain(s string) string {
	return strings.ToLower(strings.Join(strings.Fields(strings.ReplaceAll(s, "’", "'")), " "))
}

func isMark(r rune) bool { return unicode.IsPunct(r) || unicode.IsSpace(r) || unicode.IsSymbol(r) }

func (d *Detector) confidence(text, bare, word string, class Class) float64 {
	if bare == word {
		return whole
	}
	rest, opens := strings.CutPrefix(text, word)
	switch {
	case opens && strings.IndexFunc(rest, isStop) == 0:
		if d.pure(rest) {
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
func (d *Detector) pure(rest string) bool {
	rest = strings.TrimFunc(rest, isMark)
	if rest == "" {
		return true
	}
	for _, words := range d.words {
		if slices.Contains(words, rest) {
			return true
		}
	}
	return false
}
