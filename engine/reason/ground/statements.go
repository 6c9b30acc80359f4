package ground

import (
	"strings"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// A relation is what a statement says of two names.
type relation int

const (
	calls    relation = iota // from calls to
	tests                    // from is a test of to
	inherits                 // from implements, extends or embeds to
	standsIn                 // from is defined in the file to
)

// A statement is a relation that a sentence states or denies.
type statement struct {
	relation relation
	from, to string
	denied   bool
	loosely  bool // perhaps not directly
}

// A mention is a name or path in a sentence, with its place in bytes.
type mention struct {
	name       string
	start, end int
}

var mentioned = lazyregexp.New("`([A-Za-z_$][\\w$]*(?:(?:\\.|::)[A-Za-z_$][\\w$]*)*)(?:\\([^`()]*\\))?`|`?([\\w./-]*[\\w-]\\.[A-Za-z]\\w{0,7})(?::\\d+(?:-\\d+)?)?`?")

func mentions(text string) []mention {
	var list []mention
	for _, m := range mentioned.FindAllStringSubmatchIndex(text, -1) {
		at := m[2:4]
		if at[0] < 0 {
			at = m[4:6]
		}
		list = append(list, mention{strings.ReplaceAll(text[at[0]:at[1]], "::", "."), m[0], m[1]})
	}
	return list
}

const (
	filler  = `(?:(?:which|that|and|then|also|first|next|finally|simply|just|only|itself|directly|internally|in turn|it)\s+)*`
	no      = `((?:does not|doesn't|do not|don't|never|no longer|is not|isn't|are not|not)\s+)?`
	article = `(?:(?:the|its|a|an|own|function|method|helper|type|class|interface|struct|file)\s+)*`
)

// A phrase is a way to state a relation between the names on both sides of it, the first one of which is its subject; with
// passive, the second one is.
type phrase struct {
	relation relation
	passive  bool
	between  *lazyregexp.Regexp
}

func active(verbs string) *lazyregexp.Regexp {
	return lazyregexp.New(`(?i)^(?:\(\))?[\s,]*` + filler + no + filler + `(?:` + verbs + `)\s+` + article + `$`)
}

func passive(participles, by string) *lazyregexp.Regexp {
	return lazyregexp.New(`(?i)^\s*(?:which\s+)?(?:is|are|gets|was)\s+` + no + `(?:\w+ly\s+)?(?:` + participles + `)\s+(?:\w+ly\s+)?(?:` + by + `)\s+` + article + `$`)
}

var phrases = []phrase{
	{calls, false, active(`calls?|invokes?|(?:delegates?|forwards?|hands?|passes)(?:\s+\w+){0,4}\s+to`)},
	{calls, true, passive(`called|invoked`, `by|from|in|inside|within`)},
	{tests, false, active(`tests?|covers?|exercises?|is\s+(?:a|the)\s+test\s+(?:of|for)`)},
	{tests, true, passive(`tested|covered|exercised`, `by|in`)},
	{inherits, false, active(`implements?|extends?|embeds?|subclasses|inherits\s+from|derives\s+from|is\s+a\s+(?:subclass|subtype|implementation)\s+of`)},
	{inherits, true, passive(`implemented|extended|embedded|subclassed`, `by`)},
	{standsIn, false, passive(`defined|declared|implemented|located|found`, `in|at|inside`)},
}

var (
	joined    = lazyregexp.New(`(?i)^\s*(?:,|and|or|nor|then|also|as well as|\s)*\s*$`)
	relative  = lazyregexp.New(`(?i)^,?\s*(?:which|that)\s*$`)
	inside    = lazyregexp.New(`(?i)\b(?:inside|within|in)\s*$`)
	isCalled  = lazyregexp.New(`(?i)^\s*(?:is|gets|are)\s+` + no + `(?:called|invoked)\b(?:\s*[.,;]|\s*$)`)
	thenCalls = lazyregexp.New(`(?i)^\s*` + no + `(?:calls|invokes)\b`)
	pronoun   = lazyregexp.New(`(?i)^(?:.*,\s*)?(?:it|this|the\s+(?:function|method|test))\s+`)
	indirect  = lazyregexp.New(`(?i)\b(?:indirectly|eventually|ultimately|through|via|transitively|in the end|may|might|can|sometimes|usually|chain)\b`)
	supposed  = lazyregexp.New(`(?i)\b(?:should|could|would|propose[sd]?|recommend|suggest|introduce|consider|rename|replace|needs? to|must|had)\b`)
)

// statements are those of a sentence; subject is what the sentence before was about. Suppositions state nothing.
func statements(text, subject string) []statement {
	if supposed.MatchString(text) || strings.HasSuffix(strings.TrimSpace(text), "?") {
		return nil
	}
	s := &scan{text: text, names: mentions(text), loosely: indirect.MatchString(text)}
	if len(s.names) == 0 {
		return nil
	}
	s.subject = s.names[0].name
	if before := text[:s.names[0].start]; subject != "" {
		if at := pronoun.FindStringIndex(before); at != nil {
			s.subject = subject
			s.between(" "+before[at[1]:], subject, s.names[0].name)
		}
	}
	for i := range s.names[1:] {
		s.pair(i)
	}
	return s.found
}

// A scan reads the statements of one sentence from left to right.
type scan struct {
	text    string
	names   []mention
	subject string
	loosely bool
	last    *statement // whose second name a list goes on from; nil for none
	passive bool
	found   []statement
}

func (s *scan) say(r relation, from, to string, denied, passive bool) {
	s.found = append(s.found, statement{r, from, to, denied, s.loosely})
	s.last, s.passive = &s.found[len(s.found)-1], passive
}

// pair reads what is between a name and the next one.
func (s *scan) pair(i int) {
	a, b := s.names[i], s.names[i+1]
	gap, after := s.text[a.end:b.start], s.text[b.end:]
	switch {
	case joined.MatchString(gap) && s.last != nil:
		again := *s.last
		if s.passive {
			s.say(again.relation, b.name, again.to, again.denied, true)
		} else {
			s.say(again.relation, again.from, b.name, again.denied, false)
		}
		return
	case relative.MatchString(gap) && thenCalls.MatchString(after):
		s.say(calls, b.name, a.name, denied(thenCalls, after), false)
		return
	case inside.MatchString(s.text[:a.start]) && strings.TrimSpace(gap) == "," && isCalled.MatchString(after):
		s.say(calls, a.name, b.name, denied(isCalled, after), false)
		return
	}
	from := a.name
	if starts := strings.TrimSpace(gap); strings.HasPrefix(starts, "and ") || strings.HasPrefix(starts, ", and ") || strings.HasPrefix(starts, ", then ") {
		from = s.subject // "`a` reads `b` and calls `c`"
	}
	s.between(gap, from, b.name)
}

// between reads a phrase between two names.
func (s *scan) between(gap, from, to string) {
	s.last = nil
	for _, p := range phrases {
		if !p.between.MatchString(gap) {
			continue
		}
		if p.passive {
			from, to = to, from
		}
		s.say(p.relation, from, to, denied(p.between, gap), p.passive)
		return
	}
}

// denied reports whether what a phrase matched has its word of negation.
func denied(p *lazyregexp.Regexp, text string) bool {
	return p.FindStringSubmatch(text)[1] != ""
}
