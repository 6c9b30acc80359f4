package eval

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
)

// A claim is a sentence of an answer about code, as a model might write it: true by the parser of the language.
type claim struct {
	kind string
	text string
	cite *codeFunc // whose source shows it
}

// An answerCase is an answer of true claims about a function, and what is known of the code around it, from which false ones
// are made.
type answerCase struct {
	about  *codeFunc
	callee *codeFunc
	claims []claim
	test   *codeFunc // of about; nil without one
	all    []*codeFunc
	unique map[string]*codeFunc // functions whose name is given once
}

// question is what the answer answers.
func (c *answerCase) question() string {
	return fmt.Sprintf("How does `%s` in %s work?", c.about.qualified(), c.about.Path)
}

// answerCases makes answers about at most n functions, the same for the same folder.
func answerCases(all []*codeFunc, n int) []*answerCase {
	unique := map[string]*codeFunc{}
	count := map[string]int{}
	for _, f := range all {
		count[f.Name]++
		unique[f.Name] = f
	}
	for name, times := range count {
		if times > 1 || len(name) < 4 || strings.HasPrefix(name, "__") {
			delete(unique, name)
		}
	}
	var list []*answerCase
	for _, f := range all {
		if f.Test || unique[f.Name] != f || f.End-f.Line < 3 || f.End-f.Line > 80 {
			continue
		}
		if c := newAnswerCase(f, all, unique); c != nil {
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(a, b *answerCase) int { return int(int64(a.order()) - int64(b.order())) })
	return list[:min(n, len(list))]
}

// order is a number that looks random and is always the same.
func (c *answerCase) order() uint32 {
	h := fnv.New32a()
	h.Write([]byte(c.about.Path + c.about.qualified()))
	return h.Sum32()
}

// pick takes one of a list, by the function that the answer is about.
func pick[T any](c *answerCase, list []T) T { return list[int(c.order())%len(list)] }

// Ways in which people and models say that one function calls another; %[1]s is the caller, %[2]s the callee.
var callPhrases = []string{
	"`%[1]s` calls `%[2]s`.", "It calls `%[2]s`.", "`%[2]s` is called by `%[1]s`.", "Inside `%[1]s`, `%[2]s` is invoked.",
	"The function invokes `%[2]s()` along the way.", "`%[1]s` delegates part of the work to `%[2]s`.", "To get there, `%[1]s` first calls `%[2]s`.",
	"Part of that is done by `%[2]s`, which `%[1]s` calls.",
}

// newAnswerCase returns nil for a function that says too little.
func newAnswerCase(f *codeFunc, all []*codeFunc, unique map[string]*codeFunc) *answerCase {
	c := &answerCase{about: f, all: all, unique: unique}
	for _, name := range f.Calls {
		if g := unique[name]; g != nil && g != f && !g.Test {
			c.callee = g
			break
		}
	}
	if c.callee == nil || len(f.Tests)+len(f.Lines) == 0 {
		return nil
	}
	c.say("place", fmt.Sprintf("`%s` is defined in %s:%d.", f.Name, f.Path, f.Line), f)
	if f.Doc != "" && len(f.Doc) < 200 && !strings.ContainsAny(f.Doc, "[]`\"“:") {
		c.say("prose", strings.TrimRight(f.Doc, ".")+".", f)
	}
	c.say("call", fmt.Sprintf(pick(c, callPhrases), f.Name, c.callee.Name), f)
	if len(f.Tests) > 0 {
		c.say("condition", fmt.Sprintf("It checks whether `%s` holds.", pick(c, f.Tests)), f)
	}
	if len(f.Lines) > 0 {
		c.say("quote", fmt.Sprintf("It says: \"%s\".", pick(c, f.Lines)), f)
	}
	for _, t := range all {
		if t.Test && unique[t.Name] == t && strings.HasPrefix(strings.ToLower(t.Name), "test") && t.calls(f.Name) {
			c.test = t
			c.say("test", fmt.Sprintf("`%s` tests `%s`.", t.Name, f.Name), t)
			break
		}
	}
	return c
}

func (c *answerCase) say(kind, text string, cite *codeFunc) {
	c.claims = append(c.claims, claim{kind, text, cite})
}

// with is the answer with one claim replaced.
func (c *answerCase) with(at int, by claim) []claim {
	claims := slices.Clone(c.claims)
	claims[at] = by
	return claims
}

// needed are the functions that the claims cite.
func needed(claims []claim) []*codeFunc {
	var list []*codeFunc
	for _, s := range claims {
		if !slices.Contains(list, s.cite) {
			list = append(list, s.cite)
		}
	}
	return list
}
