package scrub

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// A rule finds secrets of one kind. Expressions over whole texts are slow, so its expression is tried only where one
// of its hints, of two bytes at least, stands.
type rule struct {
	kind   string
	hints  []string // one of them opens every match; in lower case when fold is set
	fold   bool     // case does not matter
	word   bool     // no letter, digit or underscore may stand before a match
	assign bool     // the hint begins a name to which something is assigned
	reach  int      // 0 means usualReach

	behind func(before string) bool // whether a match may stand behind a text; nil means that it may
	before int                      // how far before the hint a match may begin; 0 means that the expression is anchored

	expr    *lazyregexp.Regexp
	grouped bool  // without secret, the first group that took part holds it, and the whole match only when none did
	secret  []int // groups of which the one that took part holds the secret; none means the first, or the whole match
	accept  func(secret string) bool
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
	rule int // into all rules
	hint string
	fold bool
}

// A proposer tells by the three bytes that a hint begins with which candidates there are, so that one pass over a text
// serves all rules.
type proposer struct {
	rules      []rule          // ours, those of others, formats
	openings   [1 << 15]uint16 // by trigram: an index into candidates, 0 for the many that open nothing
	candidates [][]candidate
}

var proposals = sync.OnceValue(func() *proposer {
	p := &proposer{rules: slices.Concat(rules, imported(), formats), candidates: make([][]candidate, 1)}
	for i, r := range p.rules {
		for _, hint := range r.hints {
			for _, opening := range openingsOf(hint) {
				at := &p.openings[opening]
				if *at == 0 {
					*at = uint16(len(p.candidates))
					p.candidates = append(p.candidates, nil)
				}
				p.candidates[*at] = append(p.candidates[*at], candidate{i, hint, r.fold})
			}
		}
	}
	return p
})

// trigram adds a byte to the two before. Five bits of each are enough to tell most texts from a hint, and the same in
// upper and lower case.
func trigram(before uint16, b byte) uint16 { return (before<<5 | uint16(b&31)) & (1<<15 - 1) }

// openingsOf are the trigrams that a hint, of two bytes at least, may begin with.
func openingsOf(hint string) []uint16 {
	two := trigram(trigram(0, hint[0]), hint[1])
	if len(hint) > 2 {
		return []uint16{trigram(two, hint[2])}
	}
	var all []uint16
	for b := range byte(32) {
		all = append(all, trigram(two, b))
	}
	return all
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
	if r.word && pos > 0 && isWord(s[pos-1]) || r.assign && !assigns(s[pos:]) || r.behind != nil && !r.behind(s[:pos]) {
		return Finding{}, false
	}
	m := r.expr.FindStringSubmatchIndex(s[pos:min(len(s), pos+cmp.Or(r.reach, usualReach))])
	if m == nil {
		return Finding{}, false
	}
	return r.finding(s, pos, m)
}

// around tries r's expression in the neighbourhood of a hint, whose reach is twice the longest match. It returns the
// findings and the place up to which no other match begins.
func (r *rule) around(s string, pos int) (found []Finding, done int) {
	from, to := max(0, pos-r.before), min(len(s), pos+r.reach)
	for from > 0 && !utf8.RuneStart(s[from]) {
		from--
	}
	for _, m := range r.expr.FindAllStringSubmatchIndex(s[from:to], -1) {
		if f, ok := r.finding(s, from, m); ok {
			found = append(found, f)
		}
	}
	return found, pos + r.reach/2
}

// finding is the secret of a match in s[from:].
func (r *rule) finding(s string, from int, match []int) (Finding, bool) {
	start, end := r.place(match)
	f := Finding{Kind: r.kind, Start: from + start, End: from + end}
	value := s[f.Start:f.End]
	ok := value != "" && !strings.Contains(value, mark) && (r.accept == nil || r.accept(value))
	return f, ok
}

func (r *rule) place(match []int) (start, end int) {
	groups := r.secret
	if r.grouped && groups == nil {
		for group := 1; 2*group < len(match); group++ {
			groups = append(groups, group)
		}
	}
	for _, group := range groups {
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
	s = s[:min(len(s), usualReach)]
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

// opensFlag reports whether before ends with the beginning of a flag, as in --db-password.
func opensFlag(before string) bool {
	rest, name := lastName(before, "-")
	return strings.HasPrefix(name, "--") && (rest == "" || strings.ContainsAny(rest[len(rest)-1:], " \t\n\"'`[,("))
}

// opensParameter reports whether before ends where a parameter of a connection string begins.
func opensParameter(before string) bool {
	before = strings.TrimRight(before[max(0, len(before)-longestName):], " ")
	return before != "" && strings.ContainsAny(before[len(before)-1:], ";?&")
}

// opensElement reports whether before ends with the beginning of an element in markup.
func opensElement(before string) bool {
	rest, _ := lastName(before, "-:.")
	return strings.HasSuffix(rest, "<")
}

const longestName = 40 // bytes before the part that tells of a secret

// lastName cuts the name off that a text ends with; more are the bytes that it may have besides letters and digits.
func lastName(s, more string) (rest, name string) {
	s = s[max(0, len(s)-longestName):]
	rest = strings.TrimRightFunc(s, func(c rune) bool {
		return c < utf8.RuneSelf && (isWord(byte(c)) || strings.ContainsRune(more, c))
	})
	return rest, s[len(rest):]
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
	flagHints     = slices.Concat(keyHints, passwordHints)
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
	{kind: "password", hints: []string{"jdbc:oracle:thin:"}, secret: []int{1}, accept: isLiteral,
		expr: lazyregexp.New(`^jdbc:oracle:thin:[^/\s"']+/([^@\s"']+)@`)},
	{kind: "password", hints: []string{"machine "}, word: true, secret: []int{1}, accept: isLiteral,
		expr: lazyregexp.New(`^machine\s+\S+\s+(?:(?:login|account)\s+\S+\s+)+password\s+(\S+)`)},
	{kind: "key", hints: []string{"AccountKey=", "SharedAccessKey="}, secret: []int{1},
		expr: lazyregexp.New(`^[A-Za-z]+=([A-Za-z0-9+/]{40,}={0,2})`)},
	{kind: "twilio-api-key", hints: []string{"SK"}, word: true, accept: hasDigit, expr: lazyregexp.New(`^SK[0-9a-fA-F]{32}\b`)},
	{kind: "bearer-token", hints: []string{"bearer", "authorization"}, fold: true, word: true, reach: tokenReach, secret: []int{1},
		accept: hasDigit,
		expr:   lazyregexp.New(`(?i)^(?:bearer|authorization["']?\s*[:=]\s*["']?basic)\s+([a-z0-9._~+/-]{16,}=*)`)},
	{kind: "password", hints: passwordHints, assign: true, fold: true, secret: []int{1, 2, 3}, accept: looksLikePassword,
		expr: lazyregexp.New(`(?i)` + passwordName + assigned + quoted)},
	{kind: "key", hints: keyHints, assign: true, fold: true, secret: []int{1, 2, 3}, accept: looksLikeKey,
		expr: lazyregexp.New(`(?i)` + keyName + assigned + quoted)},
	{kind: "password", hints: passwordHints, assign: true, fold: true, behind: opensParameter, secret: []int{1}, accept: looksLikeParameter,
		expr: lazyregexp.New(`(?i)^(?:password|pwd)\s*=\s*([^;&"'\s]+)`)},
	{kind: "password", hints: flagHints, fold: true, behind: opensFlag, secret: []int{1}, accept: looksLikeBareSecret,
		expr: lazyregexp.New(`(?i)^(?:password|passwd|passphrase|pwd|secret|token|api-?key|access-?key)(?:[ \t]+|=)["']?([^\s"'` + "`" + `,;|&]{6,500})`)},
	{kind: "password", hints: passwordHints, fold: true, behind: opensElement, secret: []int{1}, accept: looksLikePassword,
		expr: lazyregexp.New(`(?i)^(?:password|passwd|passphrase|pwd|secret)[\w.-]*>\s*([^<>\s]{4,500})\s*</`)},
	{kind: "password", hints: passwordHints, assign: true, fold: true, behind: opensAssignment, secret: []int{1}, accept: looksLikeBareSecret,
		expr: lazyregexp.New(`(?i)` + passwordName + bare)},
	{kind: "key", hints: keyHints, assign: true, fold: true, behind: opensAssignment, secret: []int{1}, accept: looksLikeBareSecret,
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

// looksLikeParameter holds for what follows a password's name in a connection string. In code that has a semicolon
// before it, a call or a name stands there.
func looksLikeParameter(s string) bool {
	return len(s) >= 4 && isLiteral(s) && strings.ContainsAny(s, "0123456789!@#%^*+~") && !strings.ContainsAny(s, "()[]{}<>$")
}
