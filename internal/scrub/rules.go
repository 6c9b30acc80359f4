package scrub

import (
	"cmp"
	"strings"
	"sync"
	"unicode"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// A rule finds secrets of one kind. Expressions over whole texts are slow, so its expression is tried only where one
// of its hints, of two bytes at least, stands.
type rule struct {
	kind   string
	hints  []string // one of them opens every match; in lower case when fold is set
	fold   bool     // case does not matter
	word   bool     // no letter, digit or underscore may stand before a match
	line   bool     // only the beginning of an assignment may stand before a match in its line
	assign bool     // the hint begins a name to which something is assigned
	reach  int      // 0 means usualReach

	expr   *lazyregexp.Regexp // anchored at the hint
	secret []int              // groups of which the one that took part holds the secret; none means the whole match
	accept func(secret string) bool
}

// How far, in bytes, a secret may reach from its hint, unless its rule says so: what an expression may look at
// decides what trying it costs, and the limit keeps hostile text from costing more than linear time. An RSA key of
// 16384 bits takes 13 KiB.
const (
	usualReach      = 640
	tokenReach      = 8 << 10
	privateKeyReach = 16 << 10
)

// A candidate is a rule that one of its hints proposes.
type candidate struct {
	rule int // into rules
	hint string
	fold bool
}

// A proposer tells by the two bytes that a hint begins with which candidates there are, so that one pass over a text
// serves all rules.
type proposer struct {
	openings   [1 << 16]uint8 // an index into candidates, 0 for the many pairs that open nothing
	candidates [][]candidate
}

var proposals = sync.OnceValue(func() *proposer {
	byPair := map[uint16][]candidate{}
	for i := range rules {
		for _, hint := range rules[i].hints {
			c := candidate{i, hint, rules[i].fold}
			for _, first := range cases(hint[0], c.fold) {
				for _, second := range cases(hint[1], c.fold) {
					at := pair(first, second)
					byPair[at] = append(byPair[at], c)
				}
			}
		}
	}
	p := &proposer{candidates: make([][]candidate, 1, len(byPair)+1)}
	for at, list := range byPair {
		p.openings[at] = uint8(len(p.candidates))
		p.candidates = append(p.candidates, list)
	}
	return p
})

func pair(first, second byte) uint16 { return uint16(first)<<8 | uint16(second) }

// cases returns the letter, with fold also in upper case.
func cases(b byte, fold bool) []byte {
	if fold && 'a' <= b && b <= 'z' {
		return []byte{b, b - 'a' + 'A'}
	}
	return []byte{b}
}

// opens reports whether s begins with the candidate's hint.
func (c *candidate) opens(s string) bool {
	if len(s) < len(c.hint) {
		return false
	}
	return s[:len(c.hint)] == c.hint || c.fold && strings.EqualFold(s[:len(c.hint)], c.hint)
}

// at tries r's expression where a hint stands.
func (r *rule) at(s string, pos int) (Finding, bool) {
	if r.word && pos > 0 && isWord(s[pos-1]) || r.assign && !assigns(s[pos:]) || r.line && !opensAssignment(s[:pos]) {
		return Finding{}, false
	}
	m := r.expr.FindStringSubmatchIndex(s[pos:min(len(s), pos+cmp.Or(r.reach, usualReach))])
	if m == nil {
		return Finding{}, false
	}
	start, end := r.place(m)
	f := Finding{Kind: r.kind, Start: pos + start, End: pos + end}
	value := s[f.Start:f.End]
	ok := !strings.Contains(value, mark) && (r.accept == nil || r.accept(value))
	return f, ok
}

func (r *rule) place(match []int) (start, end int) {
	for _, group := range r.secret {
		if match[2*group] >= 0 {
			return match[2*group], match[2*group+1]
		}
	}
	return match[0], match[1]
}

func isWord(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

// assigns reports whether the name that s begins with may be followed by an assignment.
func assigns(s string) bool {
	i := 0
	for i < len(s) && (isWord(s[i]) || s[i] == '-') {
		i++
	}
	if i < len(s) && (s[i] == '"' || s[i] == '\'') {
		i++
	}
	for i < len(s) && (s[i] == ' ' || s[i] == '\t' || s[i] == '\n' || s[i] == '\r' || s[i] == '\f') {
		i++
	}
	return i < len(s) && (s[i] == ':' || s[i] == '=')
}

// opening is what may stand between the beginning of a line and the part of a name that tells of a secret.
var opening = lazyregexp.New(`^[ \t]*(?:export[ \t]+|-[ \t]+|#[ \t]*)?(?:[^\s"'=:]*[/:])?["']?[A-Za-z0-9_.-]*$`)

// opensAssignment reports whether the last line of before, the text before a name, could open an assignment.
func opensAssignment(before string) bool {
	const longest = 200 // bytes of indentation and prefix
	near := before[max(0, len(before)-longest):]
	newline := strings.LastIndexByte(near, '\n')
	if newline < 0 && len(near) < len(before) {
		return false
	}
	return opening.MatchString(near[newline+1:])
}

const (
	// What follows a name whose value is a secret: nothing that makes it another name, such as a tokenizer.
	assigned = `["']?\s*(?::=|=>|[=:])\s*`
	quoted   = "(?:\"((?:[^\"\\\\\n]|\\\\.)+)\"|'((?:[^'\\\\\n]|\\\\.)+)'|`([^`\n]+)`)"
	bare     = `["']?[ \t]*[=:][ \t]*([^\s"'` + "`" + `,;]{6,500})[ \t]*(?:#.*)?(?:\r?\n|$)`

	passwordName = `^(?:password|passwd|passphrase|pwd|secret)`
	keyName      = `^(?:api[_-]?key|access[_-]?key(?:[_-]?id)?|secret[_-]?(?:access[_-]?)?key|private[_-]?key|auth[_-]?key|token)`
)

var (
	passwordHints = []string{"password", "passwd", "passphrase", "pwd", "secret"}
	keyHints      = []string{"api", "access", "secret", "private", "auth", "token"}
)

// rules stand from the most specific one to the least.
var rules = []rule{
	{kind: "private-key", hints: []string{"-----BEGIN "}, reach: privateKeyReach, expr: lazyregexp.New(
		`^-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----` +
			`(?:[A-Za-z0-9+/=\s\\"',:.()-]*?-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----` + // whole
			`|(?:\s*[A-Za-z-]+: [^\n]*)*(?:[\s"'+,]|\\[nrt])*[A-Za-z0-9+/]{40,}(?:[\sA-Za-z0-9+/=]|\\[nrt])*)`)}, // cut off
	{kind: "aws-key", word: true, hints: []string{"AKIA", "ASIA", "AGPA", "AIDA", "AROA", "ANPA", "ANVA"},
		expr: lazyregexp.New(`^[A-Z]{4}[A-Z0-9]{16}\b`)},
	{kind: "github-token", word: true, hints: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"},
		expr: lazyregexp.New(`^gh[a-z]_[A-Za-z0-9]{36,}`)},
	{kind: "github-token", word: true, hints: []string{"github_pat_"},
		expr: lazyregexp.New(`^github_pat_[A-Za-z0-9_]{22,}`)},
	{kind: "age-key", word: true, hints: []string{"AGE-SECRET-KEY-"}, expr: lazyregexp.New(`^AGE-SECRET-KEY-[A-Z0-9-]{50,}`)},
	{kind: "gitlab-token", word: true, hints: []string{"glpat-"}, expr: lazyregexp.New(`^glpat-[A-Za-z0-9_-]{20,}`)},
	{kind: "anthropic-key", word: true, hints: []string{"sk-ant-"},
		expr: lazyregexp.New(`^sk-ant-[A-Za-z0-9_-]{20,}`)},
	{kind: "openai-key", word: true, hints: []string{"sk-"}, accept: looksRandom,
		expr: lazyregexp.New(`^sk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,}`)},
	{kind: "stripe-key", word: true, hints: []string{"sk_live_", "sk_test_", "rk_live_", "rk_test_"},
		expr: lazyregexp.New(`^[sr]k_(?:live|test)_[A-Za-z0-9]{16,}`)},
	{kind: "slack-token", word: true, hints: []string{"xox"}, expr: lazyregexp.New(`^xox[abeoprs]-[A-Za-z0-9-]{10,}`)},
	{kind: "slack-token", hints: []string{"https://hooks.slack.com/services/"},
		expr: lazyregexp.New(`^https://hooks\.slack\.com/services/[A-Za-z0-9/]{20,}`)},
	{kind: "google-key", word: true, hints: []string{"AIza"}, expr: lazyregexp.New(`^AIza[A-Za-z0-9_-]{35}`)},
	{kind: "google-key", word: true, hints: []string{"GOCSPX-", "ya29."},
		expr: lazyregexp.New(`^(?:GOCSPX-[A-Za-z0-9_-]{28}|ya29\.[A-Za-z0-9_-]{20,})`)},
	{kind: "npm-token", word: true, hints: []string{"npm_"}, expr: lazyregexp.New(`^npm_[A-Za-z0-9]{36}\b`)},
	{kind: "jwt", word: true, reach: tokenReach, hints: []string{"eyJ"},
		expr: lazyregexp.New(`^eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}`)},
	{kind: "password", hints: []string{"://"}, secret: []int{1}, accept: isLiteral,
		expr: lazyregexp.New(`^://[^\s/:@"'<>]*:([^\s/@"'<>]+)@`)},
	{kind: "bearer-token", hints: []string{"bearer", "authorization"}, fold: true, word: true, reach: tokenReach, secret: []int{1},
		accept: hasDigit,
		expr:   lazyregexp.New(`(?i)^(?:bearer|authorization["']?\s*[:=]\s*["']?basic)\s+([a-z0-9._~+/-]{16,}=*)`)},
	{kind: "password", hints: passwordHints, assign: true, fold: true, secret: []int{1, 2, 3}, accept: looksLikePassword,
		expr: lazyregexp.New(`(?i)` + passwordName + assigned + quoted)},
	{kind: "key", hints: keyHints, assign: true, fold: true, secret: []int{1, 2, 3}, accept: looksLikeKey,
		expr: lazyregexp.New(`(?i)` + keyName + assigned + quoted)},
	{kind: "password", hints: passwordHints, assign: true, fold: true, line: true, secret: []int{1}, accept: looksLikeBareSecret,
		expr: lazyregexp.New(`(?i)` + passwordName + bare)},
	{kind: "key", hints: keyHints, assign: true, fold: true, line: true, secret: []int{1}, accept: looksLikeBareSecret,
		expr: lazyregexp.New(`(?i)` + keyName + bare)},
}

// looksRandom tells keys from names such as sk-loading-spinner-container.
func looksRandom(s string) bool {
	return hasDigit(s) && strings.ContainsFunc(s, unicode.IsUpper)
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

// placeholder is what examples and templates write where a secret belongs.
var placeholder = lazyregexp.New(
	`(?i)^(?:\$.*|%[a-z]|\{+.*\}+|<.*>|\*+|x+|\.+|string|null|none|nil|true|false|undefined|required|optional` +
		`|u?int(?:8|16|32|64)?|float(?:32|64)?|sha(?:1|256|512))$`)

// isLiteral reports whether s is a value rather than a place for one.
func isLiteral(s string) bool { return !placeholder.MatchString(s) }

// looksLikePassword holds for what is quoted after a password's name. A prompt has spaces ("Enter your password").
func looksLikePassword(s string) bool {
	return len(s) >= 4 && isLiteral(s) && !strings.ContainsFunc(s, unicode.IsSpace) && !strings.Contains(s, "${")
}

// looksLikeKey holds for what is quoted after the name of a key or token. "token" names many harmless things, and
// keys are often the names of environment variables, so it must look made by a machine.
func looksLikeKey(s string) bool {
	return len(s) >= 8 && looksLikePassword(s) && hasDigit(s) && strings.ContainsFunc(s, unicode.IsLetter)
}

// looksLikeBareSecret holds for what follows a secret's name without quotes, as in .env files. In code, calls,
// selectors and types stand there.
func looksLikeBareSecret(s string) bool {
	return len(s) >= 6 && hasDigit(s) && isLiteral(s) && !strings.ContainsAny(s, "()[]{}<>$.")
}
