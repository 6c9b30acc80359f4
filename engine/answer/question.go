package answer

import (
	"regexp"
	"strings"
	"time"
)

// An Intent is what a question asks for.
type Intent string

// The intents.
const (
	Definition Intent = "definition" // what is X, where is X defined
	Usage      Intent = "usage"      // who calls X
	Changes    Intent = "changes"    // what changed in X, or since when
	Origin     Intent = "history"    // why is X here, when was it changed
	Related    Intent = "related"    // what is related to X, what does X call
	Listing    Intent = "listing"    // list functions in X
	Passages   Intent = "passages"   // anything else: the best passages
)

// A Question is a query as the rules understand it.
type Question struct {
	Text    string
	Intent  Intent
	Subject string    // a name, a path or words; "" when the question has none
	Here    bool      // the subject is what the person points at: "this"
	Types   []string  // of a listing
	Since   time.Time // of changes; zero when the question does not say
	When    string    // Since as the person said it
}

// A rule recognises an intent; the first group of the pattern that took part is the subject.
type rule struct {
	intent  Intent
	pattern *regexp.Regexp
}

func newRule(intent Intent, pattern string) rule {
	return rule{intent, regexp.MustCompile(`(?is)^(?:please\s+)?(?:can you\s+)?(?:tell me\s+)?` + pattern + `\s*$`)}
}

// rules are tried in order: what is more special comes first.
var rules = []rule{
	newRule(Changes, `what(?:'s| has| have| is)?\s+(?:been\s+)?(?:changed|changing|new|modified|different|happened)\b(.*)`),
	newRule(Changes, `what\s+(?:did|have)\s+\S+\s+change[d]?\b(.*)`),
	newRule(Changes, `(?:show\s+|list\s+)?(?:me\s+)?(?:the\s+)?(?:recent|latest|last|newest)\s+(?:changes|commits)\b(.*)`),
	newRule(Changes, `(?:show\s+|list\s+)?(?:me\s+)?(?:the\s+)?changes\b(.*)`),
	newRule(Changes, `which\s+files\s+(?:were\s+|have\s+)?(?:been\s+)?(?:changed|modified)\b(.*)`),

	newRule(Origin, `why\s+(?:is|was|are)\s+(.+?)\s+(?:here|there|added|introduced|needed|written|in\s+(?:here|the\s+code))`),
	newRule(Origin, `why\s+(?:does|do)\s+(?:we\s+have\s+)?(.+?)(?:\s+exist)?`),
	newRule(Origin, `when\s+(?:was|were|did)\s+(.+?)\s+(?:last\s+)?(?:changed?|added|introduced|created|written|modified|touched|edited)`),
	newRule(Origin, `who\s+(?:last\s+)?(?:wrote|changed|added|touched|introduced|created|modified|edited|owns)\s+(.+?)(?:\s+last)?`),
	newRule(Origin, `(?:show\s+)?(?:me\s+)?(?:the\s+)?(?:git\s+)?(?:history|blame|age)\s+(?:of|for)\s+(.+)`),
	newRule(Origin, `how\s+old\s+(?:is|are)\s+(.+)`),

	newRule(Usage, `(?:who|what|which\s+\S+)\s+(?:calls?|uses?|invokes?|references?)\s+(.+)`),
	newRule(Usage, `where\s+(?:is|are|was)\s+(.+?)\s+(?:used|called|referenced|invoked|imported)`),
	newRule(Usage, `where\s+do(?:es)?\s+\S+\s+(?:use|call|reference|invoke)\s+(.+)`),
	newRule(Usage, `how\s+(?:is|are)\s+(.+?)\s+(?:used|called|invoked)`),
	newRule(Usage, `(?:show\s+|find\s+|list\s+)?(?:me\s+)?(?:all\s+)?(?:the\s+)?(?:usages?|uses|callers?|references)\s+(?:of|to)\s+(.+)`),

	newRule(Related, `what(?:'s|\s+is|\s+are|\s+code\s+is)?\s+(?:related|similar|close|connected)\s+to\s+(.+)`),
	newRule(Related, `(?:find|show|list)?\s*(?:me\s+)?(?:code\s+)?(?:related|similar)\s+(?:code\s+)?to\s+(.+)`),
	newRule(Related, `(?:find|show)\s+(?:me\s+)?(?:code\s+)?like\s+(.+)`),
	newRule(Related, `what\s+does\s+(.+?)\s+(?:call|use|depend\s+on)`),

	newRule(Listing, `(?:list|show|enumerate)\s+(?:me\s+)?(?:all\s+)?(?:of\s+)?(?:the\s+)?`+listed+`\s+(?:in|of|under|from|inside)\s+(.+)`),
	newRule(Listing, `(?:what|which)\s+`+listed+`\s+(?:are|is|exist|live)?\s*(?:there\s+)?(?:in|under|inside)\s+(.+)`),
	newRule(Listing, `what(?:'s|\s+is|\s+are)\s+(?:in|inside|under)\s+(.+)`),
	newRule(Listing, `what\s+does\s+(.+?)\s+contain`),
	newRule(Listing, `(?:give\s+me\s+)?(?:an\s+)?(?:overview|outline|contents)\s+of\s+(.+)`),

	newRule(Definition, `where(?:'s|\s+is|\s+are)\s+(.+?)(?:\s+(?:defined|declared|implemented|located|found))?`),
	newRule(Definition, `what(?:'s|\s+is|\s+are)\s+(.+?),?\s+and\s+(?:where|how|who|what|when|why)\b.*`),
	newRule(Definition, `what(?:'s|\s+is|\s+are)\s+(.+?)(?:\s+for)?`),
	newRule(Definition, `what\s+does\s+(.+?)\s+(?:do|mean)`),
	newRule(Definition, `(?:define|describe|find|show)\s+(?:me\s+)?(.+)`),
	newRule(Definition, `(?:the\s+)?definition\s+of\s+(.+)`),
	newRule(Definition, `how\s+does\s+(.+?)\s+work`),
	newRule(Definition, `([\pL_$][\pL\pN_$.:]*(?:\(\))?)`),
}

// listed are the things that can be listed; which ones is read from the question again.
const listed = `(?:functions?|methods?|classes|class|types?|structs?|interfaces?|sections?|symbols?|definitions?|everything|things?|code)(?:\s+and\s+\w+)?`

// Parse tells what a question asks. Whatever no rule knows is a question for passages. now is the time that "since
// yesterday" is counted from.
func Parse(query string, now time.Time) Question {
	text := strings.Join(strings.Fields(query), " ")
	q := Question{Text: text, Intent: Passages, Subject: text}
	bare := strings.TrimRight(text, " ?!.")
	for _, r := range rules {
		groups := r.pattern.FindStringSubmatch(bare)
		if groups == nil {
			continue
		}
		q.Intent, q.Subject = r.intent, groups[len(groups)-1]
		switch r.intent {
		case Changes:
			q.Since, q.When, q.Subject = parseSince(q.Subject, now)
		case Listing:
			q.Types = listedTypes(bare)
		}
		break
	}
	q.Subject = cleanSubject(q.Subject)
	q.Here = isHere(q.Subject)
	if q.Here {
		q.Subject = ""
	}
	return q
}

// listedTypes reads which types a listing asks for.
func listedTypes(text string) []string {
	var types []string
	for _, word := range strings.Fields(strings.ToLower(text)) {
		switch strings.TrimSuffix(strings.TrimSuffix(word, "es"), "s") {
		case "function":
			types = append(types, "function")
		case "method":
			types = append(types, "method")
		case "clas", "class", "typ", "type", "struct", "interfac", "interface":
			types = append(types, "class")
		case "section":
			types = append(types, "code")
		}
	}
	return types
}

// fillers are words before a subject that say what sort of thing it is.
var fillers = map[string]bool{
	"the": true, "a": true, "an": true, "all": true, "our": true, "my": true, "function": true, "method": true,
	"class": true, "type": true, "struct": true, "interface": true, "symbol": true, "package": true, "folder": true,
	"directory": true, "file": true, "module": true, "in": true, "to": true, "of": true, "for": true, "within": true,
	"under": true, "code": true, "called": true, "named": true, "identifier": true,
}

// cleanSubject takes articles and kinds off the front of a subject, kinds off its end, and quotes and call brackets
// off the name.
func cleanSubject(s string) string {
	words := strings.Fields(s)
	for len(words) > 1 && fillers[strings.ToLower(words[0])] {
		words = words[1:]
	}
	for len(words) > 1 && isKind(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	s = strings.Trim(strings.Join(words, " "), " `'\"?!,;:")
	return strings.TrimSuffix(s, "()")
}

func isKind(word string) bool {
	switch strings.ToLower(word) {
	case "function", "method", "class", "type", "struct", "interface", "package", "folder", "directory", "file", "module":
		return true
	}
	return false
}

func isHere(subject string) bool {
	switch strings.ToLower(subject) {
	case "this", "it", "that", "here", "this code", "these lines", "this line", "selection", "this selection",
		"this function", "this method", "this class", "this type", "this file":
		return true
	}
	return false
}

// isName reports whether a subject is spelled like a name: one word.
func isName(subject string) bool { return subject != "" && !strings.ContainsAny(subject, " \t") }
