package soar

import (
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// shapes are turns of phrase that tell how hard a question is where the keywords say less, the hardest first.
var shapes = []struct {
	level   Level
	weight  float64
	lookUp  bool // holds for questions that begin as a look-up, too
	pattern *lazyregexp.Regexp
}{
	{Critical, 1.0, false, lazyregexp.New(`\b(?:vulnerab\w*|exploit\w*|attack(?:s|ers?)?|(?:sql|code|command|prompt)\s+injections?|injections?|csrf|xss|ssrf|threat\s+models?|encryption|encrypted|` +
		`outages?|incidents?|breach(?:es|ed)?|data\s+loss|(?:leak|leaks|leaked|leaking)\b.*\b(?:keys?|secrets?|tokens?|passwords?|credentials?|data)|(?:keys?|secrets?|tokens?|passwords?|credentials?|data)\b.*\b(?:leak|leaks|leaked|leaking)|` +
		`secrets?|credentials?|passwords?|permissions?\s+checks?|authori[sz]ation|safe\s+(?:against|from)|protected\s+(?:against|from)|penetration|personal\s+data|gdpr|pii|` +
		`(?:rotate|revoke)\w*\b.*\bkeys?|zero[-\s]downtime|live\s+(?:data|tables?|traffic|system|orders?|\w+\s+table)|(?:charge|bill|pay)\w*\b.*\btwice|double[-\s](?:charge|spend)\w*|fraud\w*)\b`)},
	{Complex, 0.7, false, lazyregexp.New(`^(?:please\s+|can\s+you\s+|could\s+you\s+|let(?:'s| us)\s+|help\s+me\s+(?:to\s+)?|(?:we|i)\s+(?:need|want|would\s+like|should|have)\s+(?:to\s+)?)?` +
		`(?:add|make|write|rewrite|create|replace|remove|convert|port|migrate|move|split|extract|introduce|restructure|reorgani[sz]e|reduce|speed\s+up|support|plan|propose|suggest|improve|simplify|rework|` +
		`redesign|merge|upgrade|integrate|extend|turn|allow|let|enable|develop|automate|decouple|parallelize|generate|set\s+up|break\s+up|switch|adapt|expose|reuse|unify|modularize|get\s+rid\s+of)\s`)},
	{Complex, 0.7, false, lazyregexp.New(`^(?:we|i)\s+(?:need|want|would\s+like)\s+an?\s|\bhow\s+(?:could|should|would)\s+(?:we|i|one|you)\s|\bhow\s+should\s+it\s+be\s+(?:done|built)|\bbest\s+way\s+to\b|\bwhat\s+would\s+it\s+take\b`)},
	{Medium, 0.3, true, lazyregexp.New(`^(?:and\s+|so\s+|but\s+)?why\b|\band\s+why\b|\bwhat\s+(?:happens|happened|would|will|could|goes|breaks|depends)\b|\bwhat\s+(?:is|are|gets)\s+affected\b|` +
		`\b(?:walk|talk|take|guide)\s+me\s+through\b|^(?:trace|describe|summari[sz]e|contrast|investigate|debug|find\s+out|fix|rename|change)\b|\bunderstand\b|\boverview\b|\bsummary\b|\bpros\s+and\s+cons\b|\btrade-?offs?\b|` +
		`\b(?:relation|relationship|interplay|connection|differences?)\s+(?:of|between)\b|\bversus\b|\bvs\b|\bstep\s+by\s+step\b|\bflow\s+of\b|\bwhich\s+of\b|\bunder\s+(?:which|what)\s+(?:conditions|circumstances)\b|` +
		`\b(?:would|will)\s+have\s+to\b`)},
	{Medium, 0.3, true, lazyregexp.New(`^(?:and\s+|so\s+)?how\s+(?:does|do|did|is|are|was|were|will|can)\s`)},
}

var (
	// beginsAsLookUp are questions that one place answers, whatever the words in them.
	beginsAsLookUp = lazyregexp.New(`^(?:where|which|who|when|list|show|find|name|open|print|implementations?\s+of|what\s+(?:implements|builds|uses|calls|reads|tests)|what(?:'s|\s+is|\s+are|\s+does|\s+type|\s+methods|\s+fields)?\s+the)\b`)
	// asksForReason are questions about what is there, whatever it is for.
	asksForReason = lazyregexp.New(`^(?:and\s+|so\s+|but\s+)?why\s+(?:is|are|was|were|does|do|did|has|have)\b`)
	// doing asks how a person does something: a document answers it.
	doing = lazyregexp.New(`^(?:and\s+|so\s+)?how\s+(?:do|can)\s+(?:i|you|we|one)\s+(?:run|build|install|start|test|use|set|configure|call|enable|disable|contribute|release|deploy|debug|open|get|find)\b`)
)

// asksOfWhatIs reports whether a question is about what is there, so that "implement", "build" and "design" in it are no tasks.
func asksOfWhatIs(lower string) bool {
	return beginsAsLookUp.MatchString(lower) || asksForReason.MatchString(lower)
}

// shaped is the hardest level that the shape of a question tells, with the words that tell it; "" for none.
func shaped(lower string) (level Level, weight float64, words string) {
	if doing.MatchString(lower) {
		return "", 0, ""
	}
	lookUp := beginsAsLookUp.MatchString(lower)
	for _, s := range shapes {
		if lookUp && !s.lookUp {
			continue
		}
		if found := s.pattern.FindString(lower); found != "" {
			return s.level, s.weight, found
		}
	}
	return "", 0, ""
}
