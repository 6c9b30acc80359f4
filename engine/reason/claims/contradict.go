package claims

import (
	"slices"
	"strings"
)

// opposites are pairs of words of which one denies the other.
var opposites = [][2]string{
	{"enabled", "disabled"}, {"enable", "disable"}, {"enables", "disables"}, {"true", "false"}, {"on", "off"},
	{"synchronous", "asynchronous"}, {"allowed", "forbidden"}, {"allows", "forbids"}, {"mutable", "immutable"},
	{"public", "private"}, {"required", "optional"}, {"always", "never"}, {"ascending", "descending"}, {"before", "after"},
	{"safe", "unsafe"}, {"sorted", "unsorted"}, {"succeeds", "fails"}, {"more", "less"}, {"increases", "decreases"},
}

// Contradict reports whether two facts differ by a negation, by one opposite, or by one figure alone, whatever their case,
// marks and citations are.
func Contradict(a, b string) bool { return contradict(bare(a), bare(b)) }

// Same reports whether two texts are the same but for case, marks and citations.
func Same(a, b string) bool { return bare(a) == bare(b) }

// contradict reports whether two facts differ by a negation, by one opposite, or by one figure alone. Both are in lower
// case with single blanks. A few words can't contradict: "1" and "2" are items of a list.
func contradict(a, b string) bool {
	if a == b || a == "" || b == "" {
		return false
	}
	return denied(a, b) || differsByOne(strings.Fields(a), strings.Fields(b))
}

// denied reports whether two facts differ by a negation alone.
func denied(a, b string) bool {
	strip := func(s string) (string, int) {
		var kept []string
		n := 0
		for word := range strings.FieldsSeq(s) {
			switch word {
			case "not", "no", "never", "isn't", "doesn't", "don't", "can't", "does", "do", "is", "can", "are", "aren't":
				if strings.HasPrefix(word, "n") || strings.HasSuffix(word, "n't") || word == "can't" {
					n++
				}
			default:
				kept = append(kept, strings.TrimSuffix(word, "s"))
			}
		}
		return strings.Join(kept, " "), n
	}
	bareA, negA := strip(a)
	bareB, negB := strip(b)
	return bareA == bareB && bareA != "" && negA%2 != negB%2
}

// differsByOne reports whether two facts of at least three words are the same but for one word, and that is an opposite
// of the other or another figure.
func differsByOne(a, b []string) bool {
	if len(a) != len(b) || len(a) < 3 {
		return false
	}
	at := -1
	for i := range a {
		if a[i] == b[i] {
			continue
		}
		if at >= 0 {
			return false
		}
		at = i
	}
	if at < 0 {
		return false
	}
	x, y := strings.Trim(a[at], "`.,"), strings.Trim(b[at], "`.,")
	if isFigure(x) && isFigure(y) {
		return x != y && at > 0 && isVerb(a[at-1])
	}
	return slices.ContainsFunc(opposites, func(o [2]string) bool { return o == [2]string{x, y} || o == [2]string{y, x} })
}

func isFigure(s string) bool {
	return s != "" && strings.Trim(s, "0123456789._") == ""
}

// isVerb reports whether a figure after the word is the value of what stands before: "is 5", but not "step 5".
func isVerb(word string) bool {
	return slices.Contains([]string{"is", "are", "was", "equals", "=", "to", "has", "holds", "of", "at", "after"}, word)
}

// fillers are words that do not tell two subgoals apart.
var fillers = []string{"the", "a", "an", "it", "that", "which", "of", "to", "in", "and", "is", "are", "for", "then", "all", "this"}

// SameTask reports whether two descriptions have the same words, fillers, marks and order apart.
func SameTask(a, b string) bool {
	wordsOf := func(s string) []string {
		list := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return r < 0x80 && !isWord(byte(r)) })
		list = slices.DeleteFunc(list, func(w string) bool { return slices.Contains(fillers, w) })
		slices.Sort(list)
		return slices.Compact(list)
	}
	x := wordsOf(a)
	return len(x) > 0 && slices.Equal(x, wordsOf(b))
}
