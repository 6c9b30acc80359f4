package scrub

import (
	"fmt"
	"regexp"
	"slices"
	"sync"
	"sync/atomic"
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

var (
	adding sync.Mutex
	added  atomic.Pointer[Set] // nil: the known formats alone
)

// Add makes what regular expressions match count as secrets for Text and Blank, in this process and for good: what is secret in
// one workspace goes nowhere from another one either. Those that were added before are left out.
func Add(patterns []string) error {
	adding.Lock()
	defer adding.Unlock()
	set := &Set{}
	if before := added.Load(); before != nil {
		set.patterns = slices.Clone(before.patterns)
	}
	known := func(p *regexp.Regexp) bool {
		return slices.ContainsFunc(set.patterns, func(old *regexp.Regexp) bool { return old.String() == p.String() })
	}
	more, err := NewSet(patterns)
	if more == nil {
		return err
	}
	before := len(set.patterns)
	for _, p := range more.patterns {
		if !known(p) {
			set.patterns = append(set.patterns, p)
		}
	}
	if len(set.patterns) > before {
		added.Store(set)
	}
	return nil
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
