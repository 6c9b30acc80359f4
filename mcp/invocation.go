package mcp

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// An Invocation says which messages of a user are meant for AURORA.
type Invocation struct {
	ByPrefix bool     // those that begin with a prefix
	Always   bool     // all of them
	Prefixes []string // such as "aurora:"
}

// shortReplies are messages that are never meant for AURORA.
var shortReplies = []string{"thanks", "yes", "no", "ok", "got it", "thank you"}

// instructions tell an agent when to ask; "" leaves it to the agent.
func (i Invocation) instructions() string {
	switch {
	case i.Always:
		return "\nThe user wants every question about the workspace to be asked with ask first."
	case i.ByPrefix && len(i.Prefixes) > 0:
		return fmt.Sprintf("\nA message that begins with %s is for ask.", quoted(i.Prefixes))
	}
	return ""
}

func quoted(words []string) string {
	var all []string
	for _, w := range words {
		all = append(all, fmt.Sprintf("%q", oneLine(w)))
	}
	return strings.Join(all, " or ")
}

// bare is a question without the prefix that invoked AURORA.
func (i Invocation) bare(question string) string {
	question = strings.TrimSpace(question)
	for _, prefix := range i.Prefixes {
		if len(question) <= len(prefix) || !strings.EqualFold(question[:len(prefix)], prefix) {
			continue
		}
		rest := question[len(prefix):]
		last := rune(prefix[len(prefix)-1])
		if unicode.IsLetter(last) && !strings.HasPrefix(rest, " ") { // "aurora" is not "aur" and "ora"
			continue
		}
		return strings.TrimSpace(rest)
	}
	return question
}

// refuses says why a message is no question, "" when it may be one.
func refuses(question string) string {
	bare := strings.TrimFunc(question, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) })
	if slices.ContainsFunc(shortReplies, func(reply string) bool { return strings.EqualFold(bare, reply) }) {
		return fmt.Sprintf("%q is a reply and starts no question", bare)
	}
	return ""
}
