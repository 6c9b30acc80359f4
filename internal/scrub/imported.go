package scrub

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// gitleaks are the formats that gitleaks knows (https://github.com/gitleaks/gitleaks, MIT licence), made by
// tools/cmd/aurora-secretrules.
//
//go:embed gitleaks.json
var gitleaks []byte

// Imported are rules that others keep, as they are written down in gitleaks.json.
type Imported struct {
	Harmless  []string       `json:"harmless"`  // expressions of values that are no secrets
	StopWords []string       `json:"stopWords"` // parts of such values
	Rules     []ImportedRule `json:"rules"`
}

// An ImportedRule finds secrets near its keywords.
type ImportedRule struct {
	Kind     string   `json:"kind"`
	Expr     string   `json:"expr"`
	Keywords []string `json:"keywords"`           // in lower case; one of them stands in every match or near it
	Entropy  float64  `json:"entropy,omitempty"`  // least, in bits a byte
	Group    int      `json:"group,omitempty"`    // that holds the secret; 0 for the first that took part
	Longest  int      `json:"longest,omitempty"`  // characters of a match; 0 for no limit
	Harmless []string `json:"harmless,omitempty"` // expressions of values that are no secrets
}

// LongestImported is the longest secret of an imported rule that is found whole, in bytes.
const LongestImported = 1 << 10

// beforeKeyword is how far before a keyword a match may begin, in bytes.
const beforeKeyword = 64

// imported returns the rules of gitleaks.json. Their expressions are compiled when a keyword is found.
func imported() []rule {
	var set Imported
	if err := json.Unmarshal(gitleaks, &set); err != nil {
		return nil // TestImportedRules reads it
	}
	harmless := anyOf(set.Harmless)
	list := make([]rule, 0, len(set.Rules))
	for _, from := range set.Rules {
		own := anyOf(from.Harmless)
		expr, anchored := withoutLeadIn(from)
		r := rule{
			kind: from.Kind, hints: from.Keywords, fold: true, before: beforeKeyword, reach: 2 * cmp.Or(from.Longest, LongestImported),
			expr: lazyregexp.Lazy(expr), grouped: true,
			accept: func(secret string) bool {
				return entropy(secret) >= from.Entropy && !matches(own, secret) && !matches(harmless, secret) && !containsAny(secret, set.StopWords)
			},
		}
		if from.Group > 0 {
			r.secret = []int{from.Group}
		}
		if anchored {
			r.before = 0
		}
		list = append(list, r)
	}
	return list
}

// leadIn is what expressions of gitleaks have before the name of a service. The secret is in a group behind it, and trying
// it at every byte near the name takes most of the time: a text about a service would be slow.
const leadIn = `[\w.-]{0,50}?`

// withoutLeadIn returns a rule's expression without its lead-in, anchored when each of its matches then begins with a keyword.
func withoutLeadIn(r ImportedRule) (expr string, anchored bool) {
	if nested, ok := strings.CutPrefix(r.Expr, leadIn+"(?i:"+leadIn); ok {
		return "(?i:" + nested, false
	}
	rest, ok := strings.CutPrefix(r.Expr, "(?i)"+leadIn)
	if !ok {
		return r.Expr, false
	}
	names, _, ok := strings.Cut(strings.TrimPrefix(rest, "(?:"), ")")
	if !ok || !strings.HasPrefix(rest, "(?:") || strings.ContainsAny(names, `([\{.*+?`) {
		return "(?i)" + rest, false
	}
	for name := range strings.SplitSeq(strings.ToLower(names), "|") {
		if !slices.ContainsFunc(r.Keywords, func(keyword string) bool { return strings.HasPrefix(name, keyword) }) {
			return "(?i)" + rest, false
		}
	}
	return "(?i)^(?:" + rest + ")", true
}

// anyOf is an expression for all of a list, nil for none.
func anyOf(exprs []string) *lazyregexp.Regexp {
	if len(exprs) == 0 {
		return nil
	}
	return lazyregexp.Lazy("(?:" + strings.Join(exprs, ")|(?:") + ")")
}

func matches(expr *lazyregexp.Regexp, s string) bool { return expr != nil && expr.MatchString(s) }

func containsAny(s string, words []string) bool {
	for _, word := range words {
		if strings.Contains(s, word) {
			return true
		}
	}
	return false
}

// entropy is Shannon's, in bits a byte: low where few bytes repeat, as in placeholders.
func entropy(s string) float64 {
	var counts [256]int
	for i := range len(s) {
		counts[s[i]]++
	}
	bits := 0.0
	for _, n := range counts {
		if n > 0 {
			share := float64(n) / float64(len(s))
			bits -= share * math.Log2(share)
		}
	}
	return bits
}
