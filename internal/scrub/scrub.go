package scrub

import (
	"cmp"
	"slices"
	"strings"
	"unsafe"
)

// mark opens every replacement.
const mark = "[REDACTED:"

// A Finding is one secret: what sort it is and the bytes it took in the text given. It never holds the secret, so
// that it can be logged.
type Finding struct {
	Kind       string // "aws-key", "password", ...
	Start, End int
}

// Text returns s with every secret in it replaced by [REDACTED:<kind>], and what was found, in order. A secret has one of the
// known formats, or a pattern of Add.
func Text(s string) (string, []Finding) { return added.Load().Text(s) }

// replace puts the mark of each finding in its place.
func replace(s string, found []Finding) (string, []Finding) {
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

// Blank returns src with spaces in the place of every secret, line breaks kept, so that every other byte stays where it
// is; and what was found, in order. Without a secret it returns src itself, else a copy. A secret is what it is for Text.
func Blank(src []byte) ([]byte, []Finding) { return added.Load().Blank(src) }

// Blank is the function Blank with the patterns of the set.
func (set *Set) Blank(src []byte) ([]byte, []Finding) {
	found := set.find(unsafe.String(unsafe.SliceData(src), len(src))) // findings are places: nothing keeps the string
	if len(found) == 0 {
		return src, nil
	}
	out := slices.Clone(src)
	for _, f := range found {
		for i := f.Start; i < f.End; i++ {
			if out[i] != '\n' && out[i] != '\r' {
				out[i] = ' '
			}
		}
	}
	return out, found
}

// find returns the secrets in s, in order and without overlaps.
func find(s string) []Finding { return inOrder(candidatesIn(s)) }

// candidatesIn returns what the rules find in s, in no order.
func candidatesIn(s string) []placed {
	if len(s) < 3 {
		return nil
	}
	p := proposals()
	scan := scanner{proposer: p, text: s}
	opening := trigram(trigram(0, s[0]), s[1])
	for pos := 0; pos+2 < len(s); pos++ {
		opening = trigram(opening, s[pos+2])
		if list := p.openings[opening]; list != 0 {
			scan.at(pos, p.candidates[list])
		}
	}
	return append(scan.found, tokensIn(s, len(p.rules))...)
}

// A scanner is one pass over a text.
type scanner struct {
	*proposer
	text   string
	found  []placed
	looked map[int]int // by rule: up to where there is nothing else
}

// at tries the rules of which a hint may stand at pos.
func (sc *scanner) at(pos int, list []candidate) {
	for _, c := range list {
		if !c.opens(sc.text[pos:]) {
			continue
		}
		r := &sc.rules[c.rule]
		if r.before == 0 {
			if f, ok := r.at(sc.text, pos); ok {
				sc.found = append(sc.found, placed{f, c.rule})
			}
		} else if pos >= sc.looked[c.rule] {
			sc.around(r, c.rule, pos)
		}
	}
}

// around tries a rule in the neighbourhood of its keyword.
func (sc *scanner) around(r *rule, number, pos int) {
	found, done := r.around(sc.text, pos)
	for _, f := range found {
		sc.found = append(sc.found, placed{f, number})
	}
	if sc.looked == nil {
		sc.looked = map[int]int{}
	}
	sc.looked[number] = done
}

// inOrder sorts and merges findings.
func inOrder(all []placed) []Finding {
	// The rules stand from the most to the least specific one: of two that start together the first one names it.
	slices.SortStableFunc(all, func(a, b placed) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.rule, b.rule)) })
	return merge(all)
}

// A placed is a finding and the rule that made it.
type placed struct {
	Finding
	rule int
}

// merge joins findings that overlap; the first one's kind stays.
func merge(sorted []placed) []Finding {
	var merged []Finding
	for _, f := range sorted {
		if n := len(merged); n > 0 && f.Start < merged[n-1].End {
			merged[n-1].End = max(merged[n-1].End, f.End)
			continue
		}
		merged = append(merged, f.Finding)
	}
	return merged
}
