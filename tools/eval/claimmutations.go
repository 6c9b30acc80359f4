package eval

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A mutant is an answer of which one claim was made false.
type mutant struct {
	kind   string
	claims []claim
}

// A mutation makes a claim false; ok is false where it does not apply.
type mutation struct {
	kind string // of the mistake
	of   string // kind of the claims that it is made of
	make func(c *answerCase, s claim) (claim, bool)
}

// mutations are the mistakes that models make.
var mutations = []mutation{
	{"wrong callee", "call", wrongCallee},
	{"named, not called", "call", namedNotCalled},
	{"call turned around", "call", turnedAround},
	{"call denied", "call", callDenied},
	{"invented name", "call", inventedName},
	{"invented line", "place", inventedLine},
	{"another line", "place", anotherLine},
	{"another file", "place", anotherFile},
	{"another type", "place", anotherType},
	{"condition turned", "condition", conditionTurned},
	{"stale text", "quote", staleText},
	{"text of another place", "quote", textOfAnother},
	{"another source", "call", anotherSource},
	{"no such source", "quote", noSuchSource},
	{"wrong test", "test", wrongTest},
	{"prose denied", "prose", proseDenied},
}

// mutants are the false answers that can be made of a true one, at most one of each kind.
func (c *answerCase) mutants() []mutant {
	var list []mutant
	for _, m := range mutations {
		at := slices.IndexFunc(c.claims, func(s claim) bool { return s.kind == m.of })
		if at < 0 {
			continue
		}
		if by, ok := m.make(c, c.claims[at]); ok && by != c.claims[at] {
			list = append(list, mutant{m.kind, c.with(at, by)})
		}
	}
	return list
}

// other is a function with a name of its own that fits, not always the same one.
func (c *answerCase) other(fits func(f *codeFunc) bool) *codeFunc {
	start := int(c.order()) % len(c.all)
	for i := range c.all {
		if f := c.all[(start+i)%len(c.all)]; c.unique[f.Name] == f && f != c.about && fits(f) {
			return f
		}
	}
	return nil
}

func renamed(s claim, from, to string) (claim, bool) {
	s.text = strings.Replace(s.text, "`"+from, "`"+to, 1)
	return s, true
}

func wrongCallee(c *answerCase, s claim) (claim, bool) {
	g := c.other(func(f *codeFunc) bool { return !f.Test && !c.about.mentions(f.Name) && f.Path == c.callee.Path })
	if g == nil {
		g = c.other(func(f *codeFunc) bool { return !f.Test && !c.about.mentions(f.Name) })
	}
	if g == nil {
		return s, false
	}
	return renamed(s, c.callee.Name, g.Name)
}

// namedNotCalled takes a word of the function that it does not call, and that is no function of the project either.
func namedNotCalled(c *answerCase, s claim) (claim, bool) {
	for _, w := range c.about.Words {
		if len(w) > 4 && w != c.about.Name && !c.about.calls(w) && c.unique[w] == nil && w != c.about.Container {
			return renamed(s, c.callee.Name, w)
		}
	}
	return s, false
}

func turnedAround(c *answerCase, s claim) (claim, bool) {
	if c.callee.mentions(c.about.Name) {
		return s, false
	}
	s.text = fmt.Sprintf("`%s` calls `%s`.", c.callee.Name, c.about.Name)
	return s, true
}

func callDenied(c *answerCase, s claim) (claim, bool) {
	s.text = fmt.Sprintf(pick(c, []string{"`%s` does not call `%s`.", "`%s` never calls `%s`."}), c.about.Name, c.callee.Name)
	return s, true
}

func inventedName(c *answerCase, s claim) (claim, bool) {
	name := c.callee.Name + pick(c, []string{"Internal", "Fallback", "Helper"})
	if strings.Contains(c.callee.Name, "_") {
		name = c.callee.Name + pick(c, []string{"_internal", "_fallback", "_helper"})
	}
	return renamed(s, c.callee.Name, name)
}

func inventedLine(c *answerCase, s claim) (claim, bool) {
	s.text = strings.Replace(s.text, fmt.Sprintf(":%d", c.about.Line), fmt.Sprintf(":%d", 20_000+c.about.Line), 1)
	return s, true
}

func anotherLine(c *answerCase, s claim) (claim, bool) {
	line := c.about.End + 40
	if c.about.Line > 100 {
		line = c.about.Line - 60
	}
	s.text = strings.Replace(s.text, fmt.Sprintf(":%d", c.about.Line), fmt.Sprintf(":%d", line), 1)
	return s, true
}

func anotherFile(c *answerCase, s claim) (claim, bool) {
	g := c.other(func(f *codeFunc) bool { return f.Path != c.about.Path && !f.Test })
	if g == nil {
		return s, false
	}
	s.text = strings.Replace(s.text, fmt.Sprintf("%s:%d", c.about.Path, c.about.Line), g.Path, 1)
	return s, true
}

func anotherType(c *answerCase, s claim) (claim, bool) {
	g := c.other(func(f *codeFunc) bool { return f.Container != "" && f.Container != c.about.Container })
	if g == nil || c.about.Container == "" {
		return s, false
	}
	s.text = strings.Replace(s.text, "`"+c.about.Name+"`", "`"+g.Container+"."+c.about.Name+"`", 1)
	return s, true
}

var (
	operator = regexp.MustCompile(`==|!=|<=|>=|&&|\|\|| < | > | and | or | is not | is | not in | in `)
	opposite = map[string]string{
		"==": "!=", "!=": "==", "<=": ">", ">=": "<", "&&": "||", "||": "&&", " < ": " >= ", " > ": " <= ", " and ": " or ", " or ": " and ",
		" is not ": " is ", " is ": " is not ", " not in ": " in ", " in ": " not in ",
	}
	longWord = regexp.MustCompile(`[A-Za-z_]{5,}`)
)

func conditionTurned(_ *answerCase, s claim) (claim, bool) {
	at := operator.FindStringIndex(s.text)
	if at == nil {
		return s, false
	}
	s.text = s.text[:at[0]] + opposite[s.text[at[0]:at[1]]] + s.text[at[1]:]
	return s, true
}

// staleText changes a word of what is quoted, as if the code had been changed since.
func staleText(_ *answerCase, s claim) (claim, bool) {
	from := strings.IndexByte(s.text, '"')
	at := longWord.FindStringIndex(s.text[from:])
	if at == nil {
		return s, false
	}
	s.text = s.text[:from+at[0]] + "old" + s.text[from+at[0]:]
	return s, true
}

func textOfAnother(c *answerCase, s claim) (claim, bool) {
	g := c.other(func(f *codeFunc) bool {
		return len(f.Lines) > 0 && len(strings.Fields(f.Lines[0])) > 3 && !slices.Contains(c.about.Lines, f.Lines[0])
	})
	if g == nil {
		return s, false
	}
	s.text = fmt.Sprintf("It says: \"%s\".", g.Lines[0])
	return s, true
}

func anotherSource(c *answerCase, s claim) (claim, bool) {
	g := c.other(func(f *codeFunc) bool {
		return !f.mentions(c.callee.Name) && !f.mentions(c.about.Name) && f.End-f.Line < 60
	})
	if g == nil {
		return s, false
	}
	s.cite = g
	return s, true
}

// nowhere is cited as a source that does not exist.
var nowhere = &codeFunc{Name: "nowhere"}

func noSuchSource(_ *answerCase, s claim) (claim, bool) {
	s.cite = nowhere
	return s, true
}

func wrongTest(c *answerCase, s claim) (claim, bool) {
	t := c.other(func(f *codeFunc) bool {
		return f.Test && f != c.test && strings.HasPrefix(strings.ToLower(f.Name), "test") && !f.mentions(c.about.Name) && f.End-f.Line < 60
	})
	if t == nil {
		return s, false
	}
	return claim{s.kind, fmt.Sprintf("`%s` tests `%s`.", t.Name, c.about.Name), t}, true
}

var verb = regexp.MustCompile(`\b(?:is|are|returns|will|can|has|sets)\b`)

// proseDenied says the opposite in words that only understanding can judge.
func proseDenied(_ *answerCase, s claim) (claim, bool) {
	at := verb.FindStringIndex(s.text)
	if at == nil {
		return s, false
	}
	s.text = s.text[:at[1]] + " not" + s.text[at[1]:]
	return s, true
}
