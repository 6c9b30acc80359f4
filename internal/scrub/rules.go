package scrub

import (
	"regexp"
	"strings"
	"unicode"
)

// A rule finds secrets of one kind.
type rule struct {
	kind string
	// hints are substrings, in lower case, of which any text with such a secret has at least one: looking for them
	// is many times faster than the expression. None means that the expression always runs.
	hints []string
	expr  *regexp.Regexp
	// secret is the group that holds the secret; the first group that took part counts. None means the whole match.
	secret []int
	accept func(secret string) bool // nil accepts everything
}

// appendTo appends what r finds in s.
func (r *rule) appendTo(found []Finding, s string) []Finding {
	if !r.hinted(s) {
		return found
	}
	for _, m := range r.expr.FindAllStringSubmatchIndex(s, -1) {
		start, end := r.place(m)
		if value := s[start:end]; strings.Contains(value, mark) || r.accept != nil && !r.accept(value) {
			continue
		}
		found = append(found, Finding{Kind: r.kind, Start: start, End: end})
	}
	return found
}

func (r *rule) place(match []int) (start, end int) {
	for _, group := range r.secret {
		if match[2*group] >= 0 {
			return match[2*group], match[2*group+1]
		}
	}
	return match[0], match[1]
}

// hinted reports whether s holds one of r's hints, whatever their case.
func (r *rule) hinted(s string) bool {
	for _, hint := range r.hints {
		if containsFold(s, hint) {
			return true
		}
	}
	return len(r.hints) == 0
}

// containsFold reports whether s contains the ASCII string lower in any case.
func containsFold(s, lower string) bool {
	first, other := lower[0], lower[0]
	if 'a' <= first && first <= 'z' {
		other = first - 'a' + 'A'
	}
	for i := 0; i+len(lower) <= len(s); i++ {
		if (s[i] == first || s[i] == other) && strings.EqualFold(s[i:i+len(lower)], lower) {
			return true
		}
	}
	return false
}

const (
	// Names whose value is a secret. They may have a prefix (DB_PASSWORD) but no suffix: a tokenizer is none.
	passwordName = `(?:password|passwd|passphrase|pwd|secret)`
	keyName      = `(?:api[_-]?key|access[_-]?key(?:[_-]?id)?|secret[_-]?key|private[_-]?key|auth[_-]?key|token)`
	prefix       = `\b[a-z0-9_.-]*`
	assigned     = `["']?\s*(?::=|=>|[=:])\s*`
	quoted       = "(?:\"((?:[^\"\\\\\n]|\\\\.)+)\"|'((?:[^'\\\\\n]|\\\\.)+)'|`([^`\n]+)`)"
	lineStart    = `^[ \t]*(?:export[ \t]+|-[ \t]+|#[ \t]*)?["']?`
	bare         = `([^\s"'` + "`" + `,;]+)[ \t]*(?:#.*)?\r?$`
)

// rules stand from the most specific one to the least.
var rules = []rule{
	{kind: "private-key", hints: []string{"private key"}, expr: regexp.MustCompile(
		`-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----` +
			`(?:[A-Za-z0-9+/=\s\\"',:.()-]*?-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----` + // whole
			`|(?:\s*[A-Za-z-]+: [^\n]*)*(?:[\s"'+,]|\\[nrt])*[A-Za-z0-9+/]{40,}(?:[\sA-Za-z0-9+/=]|\\[nrt])*)`)}, // cut off
	{kind: "aws-key", hints: []string{"akia", "asia", "agpa", "aida", "aroa", "anpa", "anva"},
		expr: regexp.MustCompile(`\b(?:AKIA|ASIA|AGPA|AIDA|AROA|ANPA|ANVA)[A-Z0-9]{16}\b`)},
	{kind: "github-token", hints: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"},
		expr: regexp.MustCompile(`\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})`)},
	{kind: "gitlab-token", hints: []string{"glpat-"}, expr: regexp.MustCompile(`\bglpat-[A-Za-z0-9_-]{20,}`)},
	{kind: "anthropic-key", hints: []string{"sk-ant-"}, expr: regexp.MustCompile(`\bsk-ant-[A-Za-z0-9_-]{20,}`)},
	{kind: "openai-key", hints: []string{"sk-"}, accept: looksRandom,
		expr: regexp.MustCompile(`\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,}`)},
	{kind: "stripe-key", hints: []string{"k_live_", "k_test_"},
		expr: regexp.MustCompile(`\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,}`)},
	{kind: "slack-token", hints: []string{"xox", "hooks.slack.com"}, expr: regexp.MustCompile(
		`\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bhttps://hooks\.slack\.com/services/[A-Za-z0-9/]{20,}`)},
	{kind: "google-key", hints: []string{"aiza", "gocspx-", "ya29."}, expr: regexp.MustCompile(
		`\b(?:AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{28}|ya29\.[A-Za-z0-9_-]{20,})`)},
	{kind: "npm-token", hints: []string{"npm_"}, expr: regexp.MustCompile(`\bnpm_[A-Za-z0-9]{36}\b`)},
	{kind: "jwt", hints: []string{"eyj"},
		expr: regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}`)},
	{kind: "password", hints: []string{"://"}, secret: []int{1}, accept: isLiteral,
		expr: regexp.MustCompile(`\b[a-zA-Z][a-zA-Z0-9+.-]*://[^\s/:@"'<>]*:([^\s/@"'<>]+)@`)},
	{kind: "bearer-token", hints: []string{"bearer", "authorization"}, secret: []int{1}, accept: hasDigit,
		expr: regexp.MustCompile(`(?i)\b(?:bearer|authorization["']?\s*[:=]\s*["']?basic)\s+([a-z0-9._~+/-]{16,}=*)`)},
	{kind: "password", hints: passwordHints, secret: []int{1, 2, 3}, accept: looksLikePassword,
		expr: regexp.MustCompile(`(?i)` + prefix + passwordName + assigned + quoted)},
	{kind: "key", hints: keyHints, secret: []int{1, 2, 3}, accept: looksLikeKey,
		expr: regexp.MustCompile(`(?i)` + prefix + keyName + assigned + quoted)},
	{kind: "password", hints: passwordHints, secret: []int{1}, accept: looksLikeBareSecret,
		expr: regexp.MustCompile(`(?im)` + lineStart + prefix + passwordName + `["']?[ \t]*[=:][ \t]*` + bare)},
	{kind: "key", hints: keyHints, secret: []int{1}, accept: looksLikeBareSecret,
		expr: regexp.MustCompile(`(?im)` + lineStart + prefix + keyName + `["']?[ \t]*[=:][ \t]*` + bare)},
}

var (
	passwordHints = []string{"password", "passwd", "passphrase", "pwd", "secret"}
	keyHints      = []string{"key", "token"}
)

// looksRandom tells keys from names such as sk-loading-spinner-container.
func looksRandom(s string) bool {
	return hasDigit(s) && strings.ContainsFunc(s, unicode.IsUpper)
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

// placeholder is what examples and templates write where a secret belongs.
var placeholder = regexp.MustCompile(
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
