package capture

import (
	"bytes"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// A Marked is a comment of code that says of itself what it is, and states a decision or the reason for one.
type Marked struct {
	Line int // one-based, of its first line
	Text string
}

var (
	marks      = [][]byte{[]byte("DECISION"), []byte("NOTE"), []byte("HACK"), []byte("WORKAROUND"), []byte("TODO")}
	standing   = lazyregexp.New(`(?://+!?|#+|--+|;+|/\*+|^\s*\*|%+|<!--)\s*@?(DECISION|NOTE|HACK|WORKAROUND|TODO)(?:\([^)]*\))?(?::|\s+-)\s*(\S.*)$`)
	asksReader = lazyregexp.New(`(?i)^(?:please )?(?:see|refer|cf|consider|use|call|make sure|remember|check|do not call)\b|^to (?:avoid|prevent) .*\b(?:call|use|set|pass)\b|` +
		`\b(?:deprecated|you|your|users?|subject to change|to be (?:discussed|decided|done))\b`)
	whyCue = lazyregexp.New(`(?i)\b(?:in order to|so that|due to|because|to (?:ensure|keep|allow|support|guarantee|preserve|minimi[sz]e|reduce|maintain|stay)|` +
		`for (?:performance|speed|efficiency|safety|security|consistency|simplicity|historical)|(?:we|i) (?:can't|cannot|can not|must|need|do not|don't|want|only|assume|rely|use|allow)|` +
		`must (?:be|match|happen|come)|cannot be|can't be|is (?:safe|required|necessary|needed|important)|are (?:required|necessary|needed)|needs to be|should (?:not|never|be kept|match|always))\b`)
	wish = lazyregexp.New(`(?i)\b(?:(?:we|i) (?:don't|do not) (?:have|know|properly|handle)|would be (?:nice|good|better)|ideally|figure out|hope\w*|perhaps|sigh|surpris\w+|` +
		`oversight|imperfect|unfortunately|should be (?:okay|ok|fine)|not sure|if we ever|(?:we|i) (?:should|could|can|want to|need to|might)|legacy|misbehav\w+|see if|at least once|used to)\b`)
	codeText = lazyregexp.New(`[{}]|;$|\)\s*->|==|:=|&&|\|\|`)
)

// maxComment is how much of a comment is read for the sentences that state something, in bytes.
const maxComment = 4 * maxText

// MarkedComments are those of a text, in its order.
func MarkedComments(text []byte) []Marked {
	if !hasMark(text) {
		return nil
	}
	var found []Marked
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		if !hasMark([]byte(line)) {
			continue
		}
		if stated, ok := standingText(lines[i:min(len(lines), i+12)]); ok {
			found = append(found, Marked{Line: i + 1, Text: stated})
		}
	}
	return found
}

func hasMark(text []byte) bool {
	for _, mark := range marks {
		if bytes.Contains(text, mark) {
			return true
		}
	}
	return false
}

// standingText is what the comment that begins on the first of some lines says, when that is a decision or has a reason: all
// sentences of it up to the last that does, as far as they fit.
func standingText(lines []string) (string, bool) {
	mark, text := readMarked(standing, lines, maxComment)
	stated, last := "", -1
	for _, s := range sentences(text) {
		if len(stated)+1+len(s) > maxText {
			break
		}
		stated = strings.TrimSpace(stated + " " + s)
		if mark == "DECISION" || isStated(s) && (mark != "TODO" || firm.MatchString(s)) {
			last = len(stated)
		}
	}
	if last < 0 || codeText.MatchString(stated[:last]) {
		return "", false
	}
	return wording.CutBytes(stated[:last], maxText), len(strings.Fields(stated[:last])) >= minWords
}

// isStated reports whether a sentence of a comment tells a reason or a decision.
func isStated(s string) bool {
	return !strings.HasSuffix(s, "?") && !strings.HasSuffix(s, ":") && !wish.MatchString(s) && (reasonCue.MatchString(s) || whyCue.MatchString(s)) && !aside.MatchString(s) && !asksReader.MatchString(s)
}
