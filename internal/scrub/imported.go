package scrub

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"math"
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
		r := rule{
			kind: from.Kind, hints: from.Keywords, fold: true, before: beforeKeyword, reach: 2 * cmp.Or(from.Longest, LongestImported),
			expr: lazyregexp.Lazy(from.Expr),
			accept: func(secret string) bool {
				return entropy(secret) >= from.Entropy && !matches(own, secret) && !matches(harmless, secret) && !containsAny(secret, set.StopWords)
			},
		}
		if from.Group > 0 {
			r.secret = []int{from.Group}
		}
		list = append(list, r)
	}
	return list
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
