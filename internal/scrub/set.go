package scrub

import (
	"fmt"
	"regexp"
)

// A Set is what counts as a secret: the known formats, and patterns on top of them. A nil Set is the known formats
// alone. It is immutable.
type Set struct {
	off      bool
	patterns []*regexp.Regexp
}

// Off is a Set that finds nothing.
var Off = &Set{off: true}

// NewSet adds regular expressions to the known formats. What the first group of one matches is the secret; without a
// group, all that it matches.
func NewSet(patterns []string) (*Set, error) {
	if len(patterns) == 0 {
		return nil, nil
	}
	set := &Set{}
	for _, text := range patterns {
		p, err := regexp.Compile(text)
		if err != nil {
			return nil, fmt.Errorf("secret pattern %q: %w", text, err)
		}
		set.patterns = append(set.patterns, p)
	}
	return set, nil
}

// custom is the kind of what a pattern of the settings finds.
const custom = "secret"

// find returns the secrets in s, in order and without overlaps.
func (set *Set) find(s string) []Finding {
	switch {
	case set == nil:
		return find(s)
	case set.off:
		return nil
	}
	all := candidatesIn(s)
	for _, p := range set.patterns {
		for _, m := range p.FindAllStringSubmatchIndex(s, -1) {
			start, end := m[0], m[1]
			if len(m) > 2 && m[2] >= 0 {
				start, end = m[2], m[3]
			}
			if start < end {
				all = append(all, placed{Finding{Kind: custom, Start: start, End: end}, len(proposals().rules)})
			}
		}
	}
	return inOrder(all)
}

// Text is the function Text with the patterns of the set.
func (set *Set) Text(s string) (string, []Finding) { return replace(s, set.find(s)) }
