package scrub

import (
	"cmp"
	"slices"
	"strings"
)

// mark opens every replacement.
const mark = "[REDACTED:"

// A Finding is one secret: what sort it is and the bytes it took in the text given. It never holds the secret, so
// that it can be logged.
type Finding struct {
	Kind       string // "aws-key", "password", ...
	Start, End int
}

// Text returns s with every secret in it replaced by [REDACTED:<kind>], and what was found, in order.
func Text(s string) (string, []Finding) {
	found := find(s)
	if len(found) == 0 {
		return s, nil
	}
	var b strings.Builder
	from := 0
	for _, f := range found {
		b.WriteString(s[from:f.Start])
		b.WriteString(mark)
		b.WriteString(f.Kind)
		b.WriteByte(']')
		from = f.End
	}
	b.WriteString(s[from:])
	return b.String(), found
}

// find returns the secrets in s, in order and without overlaps.
func find(s string) []Finding {
	var all []Finding
	lower := asciiLower(s)
	for i := range rules {
		all = rules[i].appendTo(all, s, lower)
	}
	// The rules stand from the most to the least specific one: of two that start together the first one names it.
	slices.SortStableFunc(all, func(a, b Finding) int { return cmp.Compare(a.Start, b.Start) })
	return merge(all)
}

// merge joins findings that overlap; the first one's kind stays.
func merge(sorted []Finding) []Finding {
	var merged []Finding
	for _, f := range sorted {
		if n := len(merged); n > 0 && f.Start < merged[n-1].End {
			merged[n-1].End = max(merged[n-1].End, f.End)
			continue
		}
		merged = append(merged, f)
	}
	return merged
}
