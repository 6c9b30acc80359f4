package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/aurora-sidecar/aurora/internal/scrub"
	"github.com/zricethezav/gitleaks/v8/config"
)

// leftOut are rules whose keyword stands nearly everywhere, with what the product has instead.
var leftOut = map[string]string{
	"generic-api-key":        "the rules for assignments",
	"private-key":            "private-key",
	"jwt":                    "jwt",
	"twilio-api-key":         "twilio-api-key, in upper case",
	"kubernetes-secret-yaml": "the rules for assignments",
	"hashicorp-tf-password":  "the rules for assignments",
}

// tooCommon are keywords of rules that have others, too, with what the product has instead.
var tooCommon = map[string]string{"s.": "nothing: vault has other tokens since 1.10"}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: aurora-secretrules OUTPUT")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "aurora-secretrules:", err)
		os.Exit(1)
	}
}

// source is what gitleaks' configuration says of interest.
type source struct {
	Allowlist allowlist
	Rules     []struct {
		ID          string
		Regex       string
		Keywords    []string
		Entropy     float64
		SecretGroup int
		Allowlists  []allowlist
	}
}

type allowlist struct {
	RegexTarget string
	Regexes     []string
	StopWords   []string
}

func write(output string) error {
	text, err := marshal()
	if err != nil {
		return err
	}
	return os.WriteFile(output, text, 0o644)
}

func marshal() ([]byte, error) {
	var from source
	if _, err := toml.Decode(config.DefaultConfig, &from); err != nil {
		return nil, fmt.Errorf("read gitleaks' rules: %w", err)
	}
	set := scrub.Imported{Harmless: from.Allowlist.Regexes, StopWords: from.Allowlist.StopWords}
	for _, r := range from.Rules {
		if r.Regex == "" || leftOut[r.ID] != "" {
			continue
		}
		keywords := slices.DeleteFunc(r.Keywords, func(word string) bool { return tooCommon[word] != "" || len(word) < 2 })
		if len(keywords) == 0 {
			return nil, fmt.Errorf("%s has no keyword", r.ID)
		}
		expr := afterSecret(r.Regex)
		longest, err := longestMatch(expr)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.ID, err)
		}
		rule := scrub.ImportedRule{Kind: r.ID, Expr: expr, Keywords: lower(keywords), Entropy: r.Entropy, Group: r.SecretGroup, Longest: longest}
		for _, a := range r.Allowlists {
			if a.RegexTarget == "" {
				rule.Harmless = append(rule.Harmless, a.Regexes...)
			}
		}
		set.Rules = append(set.Rules, rule)
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	err := enc.Encode(set)
	return out.Bytes(), err
}

// afterSecret lets more follow a secret than gitleaks does, which knows files only: in sentences, calls and markup other
// marks stand there.
func afterSecret(expr string) string {
	return strings.ReplaceAll(expr, "(?:[\\x60'\"\\s;]|\\\\[nr]|$)", "(?:[\\x60'\"\\s;,.)\\]}<>&]|\\\\[nr]|$)")
}

func lower(words []string) []string {
	for i := range words {
		words[i] = strings.ToLower(words[i])
	}
	return words
}

// longestMatch is the most characters that an expression matches, 0 when there is no limit that is worth one.
func longestMatch(expr string) (int, error) {
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return 0, err
	}
	if n := longest(parsed); n < scrub.LongestImported {
		return n, nil
	}
	return 0, nil
}

func longest(e *syntax.Regexp) int {
	switch e.Op {
	case syntax.OpLiteral:
		return len(e.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1
	case syntax.OpStar, syntax.OpPlus:
		return scrub.LongestImported
	case syntax.OpRepeat:
		if e.Max < 0 {
			return scrub.LongestImported
		}
		return min(scrub.LongestImported, e.Max*longest(e.Sub[0]))
	}
	sum, most := 0, 0
	for _, sub := range e.Sub {
		n := longest(sub)
		sum, most = sum+n, max(most, n)
	}
	if e.Op == syntax.OpAlternate {
		return most
	}
	return min(scrub.LongestImported, sum)
}
