package soar

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
	"github.com/aurora-sidecar/aurora/internal/scrub"
)

// Guards say what phase 0 does.
type Guards struct {
	PII string // redact (default), reject, off
	// Budget is asked before any model is; its error blocks the query. nil asks nobody.
	Budget func(query string) (warning string, err error)
}

// A Redaction is personal data or a key that was found, without its value.
type Redaction struct {
	Kind  string
	Start int // byte
}

// A Blocked says that a guardrail refused the question.
type Blocked struct {
	Message string
	Remedy  string
	Err     error // what refused, when it was the budget
}

func (b *Blocked) Error() string { return b.Message }

// Unwrap returns the cause.
func (b *Blocked) Unwrap() error { return b.Err }

// guard is phase 0. Length and format were checked by the caller.
func guard(q *query) (string, error) {
	detail := "passed"
	if q.opts.Guards.PII != "off" {
		text, found := Redact(q.state.Query)
		if len(found) > 0 && q.opts.Guards.PII == "reject" {
			return "", &Blocked{Message: "the question holds personal data or a key: " + kinds(found), Remedy: "Leave it out, or set guardrails.pii.action to redact."}
		}
		q.state.Query, q.state.Redactions = text, found
		if len(found) > 0 {
			detail = "taken out: " + kinds(found)
			q.state.warn("Taken out of the question before a model sees it: %s.", kinds(found))
		}
	}
	if ask := q.opts.Guards.Budget; ask != nil {
		warning, err := ask(q.state.Query)
		if err != nil {
			return "", &Blocked{Message: err.Error(), Remedy: "See: aurora budget", Err: err}
		}
		if warning != "" {
			q.state.warn("%s", warning)
		}
	}
	return detail, nil
}

// WithoutPersonal returns a text without personal data and keys, as models are sent it.
func WithoutPersonal(text string) string {
	text, _ = Redact(text)
	return text
}

func kinds(found []Redaction) string {
	var names []string
	for _, f := range found {
		if !slices.Contains(names, f.Kind) {
			names = append(names, f.Kind)
		}
	}
	return strings.Join(names, ", ")
}

// personal are the patterns of personal data. Which of two matches at one place counts is decided by their order.
var personal = []struct {
	kind    string
	pattern *lazyregexp.Regexp
	accept  func(string) bool
}{
	{"e-mail address", lazyregexp.New(`[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}\b`), nil},
	{"social security number", lazyregexp.New(`\b\d{3}-\d{2}-\d{4}\b`), isSSN},
	{"credit card number", lazyregexp.New(`\b[2-6]\d{3}(?:[ -]?\d){9,15}\b`), isCard},
	{"phone number", lazyregexp.New(`(?:\+\d{1,3}[ .-]?(?:\(\d{1,4}\)[ .-]?|\d{1,4}[ .-])\d{2,4}(?:[ .-]?\d{2,4}){1,3}|(?:\(\d{3}\) ?|\b\d{3}[.-])\d{3}[.-]\d{4})\b`), nil},
}

// redacted stands for what was taken out.
const redacted = "[REDACTED]"

// Redact takes personal data and keys out of a text.
func Redact(text string) (string, []Redaction) {
	type span struct {
		start, end int
		kind       string
	}
	var spans []span
	_, secrets := scrub.Text(text)
	for _, f := range secrets {
		spans = append(spans, span{f.Start, f.End, "key (" + f.Kind + ")"})
	}
	for _, p := range personal {
		for _, at := range p.pattern.FindAllStringIndex(text, -1) {
			if p.accept != nil && !p.accept(text[at[0]:at[1]]) {
				continue
			}
			if !slices.ContainsFunc(spans, func(s span) bool { return at[0] < s.end && s.start < at[1] }) {
				spans = append(spans, span{at[0], at[1], p.kind})
			}
		}
	}
	slices.SortFunc(spans, func(a, b span) int { return a.start - b.start })
	var b strings.Builder
	var found []Redaction
	from := 0
	for _, s := range spans {
		b.WriteString(text[from:s.start])
		b.WriteString(redacted)
		from = s.end
		found = append(found, Redaction{s.kind, s.start})
	}
	b.WriteString(text[from:])
	return b.String(), found
}

// isSSN refuses numbers that are never given out.
func isSSN(s string) bool {
	return s[:3] != "000" && s[:3] != "666" && s[0] != '9' && s[4:6] != "00" && s[7:] != "0000"
}

// isCard checks a number by Luhn's formula.
func isCard(s string) bool {
	digits := 0
	sum := 0
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] < '0' || s[i] > '9' {
			continue
		}
		d := int(s[i] - '0')
		if digits%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
		digits++
	}
	return digits >= 13 && sum%10 == 0 && sum > 0
}

// tell is a count with its noun.
func tell(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
