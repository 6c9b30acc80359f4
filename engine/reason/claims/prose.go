package claims

import (
	"encoding/json"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// refusals are how models decline to answer.
var refusals = lazyregexp.New(`(?i)^\W*(?:i(?:['’]m| am) (?:sorry|unable|not able)|sorry,|i (?:can(?:no|['’])t|cannot|won['’]t|must decline)|as an ai\b)`)

// IsRefusal reports whether a reply declines to answer: it says so at once, and cites nothing.
func IsRefusal(reply string) bool {
	return refusals.MatchString(reply) && !citationMark.MatchString(reply)
}

// CheckProse looks for what is no answer at all.
func CheckProse(draft string, evidence bool) []Problem {
	switch bare := strings.TrimSpace(draft); {
	case bare == "":
		return []Problem{{Check: "addresses_query", Message: "the answer is empty"}}
	case IsRefusal(bare):
		return []Problem{{Check: "addresses_query", Message: "the answer refuses to answer"}}
	case strings.HasPrefix(bare, "{") && json.Valid([]byte(bare)):
		return []Problem{{Check: "addresses_query", Message: "the answer is JSON, not prose"}}
	case evidence && !citationMark.MatchString(bare) && !negation.MatchString(bare):
		return []Problem{{Check: "traceable", Message: "the answer cites no source"}}
	}
	return nil
}
