package capture

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

const (
	maxText      = 400 // bytes of an offer
	minWords     = 9   // of a sentence that tells a reason
	maxSentences = 2   // of an offer, beside the subject
)

// reasonCue are the words by which people say why, or that they chose.
var reasonCue = lazyregexp.New(`(?i)\b(?:because|to avoid|to prevent|so as (?:not )?to|on purpose|intentional(?:ly)?|deliberate(?:ly)?|by design|` +
	`decided|(?:we|i)(?: have| now)? (?:chose|choose|prefer|keep|kept|opted|opt)|was chosen|opting|work(?:s|ing)?[ -]?arounds? (?:for|a|an|the|an?other|bugs?|issues?)|` +
	`must (?:not|never|always)|backwards?[ -]compatib\w+|for compatibility|(?:rather than|instead of)\b.*\b(?:so that|so (?:we|it|the)|as (?:it|the|this|that|they)|which))\b|` +
	`[,;(] *(?:or |as |because )?otherwise,? \w+(?: \w+){2}|(?:^|, |; )since (?:[^ \d]{1,6}|[^ \d]*[^ \da-fA-F][^ \d]*) `)

// aside are the words of sentences that are about the work or about what used to go wrong, not about the code as it is.
var aside = lazyregexp.New(`(?i)\b(?:pull request|this pr\b|pr #|reviewer|code review|typos?|lint\w*|flake8|mypy|pylint|rubocop|clippy|gofmt|rustfmt|prettier|eslint|` +
	`spelling|changelog|release notes?|unit tests?|(?:the|these|some|no) tests?|tests? (?:fail|pass)\w*|test (?:suite|cases?|files?)|regression tests?|flaky|benchmarks?|ci\b|travis|appveyor|github actions?|coverage|thanks|thank you|` +
	`i (?:think|like|mean|guess|believe|realized|found|noticed|tested|don't|have no)|i'm|as far as|oops|my bad|not sure|maybe|hopefully|todo|for now|follow[ -]?up|out of scope|reland\w*|` +
	`readme|documentation|docstrings?|docs\b|warnings?|whitespace|copyright|licen[sc]e|rebased?|squash\w*|cherry.pick\w*|` +
	`previously|formerly|before this|prior to|used to be|happened|happens because|resulted in|(?:was|were) (?:caused|causing|wrong|broken|failing|not|only|flawed)|caused|the (?:problem|issue|bug|crash|failure|error) (?:is|was|arises|occurs)|` +
	`(?:this|the|that|a) bug|weren't|because of this|refactor\w*|duplication|not terrible|i also|subsequent|trivial|in general|(?:un)?likely|marginal|disruptive|could be|can lead|tests?|assertions?|` +
	`since (?:commit|version|release|then|the pr|pr)|this (?:is|was) (?:wrong|bad|confusing)|that's (?:bad|wrong)|looked|seems?|seemed|crashed|failed|fails because|did(?:n't| not)|wasn't|currently|apparently|presumably|possibl[ey]|probably|plausibl[ey]|interestingly|` +
	`causes|results in|instability|instead, we|fix(?:es|ed)?)\b|\b(?:was|were|had|took|lost|got)\b.*\b(?:because|since)\b|\b(?:because|since)\b.*\b(?:was|were|had|took|lost|got)\b`)

// leaning are the first words of sentences that say nothing without the one before, and firm are the words of those that say
// enough even so.
var (
	leaning = lazyregexp.New(`(?i)^(?:this|that|it|its|it's|that's|these|those|they|which|otherwise|then|also,?|anyway|however|therefore|without|except|but|and|so|afterwards|primarily|although|you)\b`)
	firm    = lazyregexp.New(`(?i)\b(?:on purpose|intentional(?:ly)?|deliberate(?:ly)?|by design|decided|workaround|work around|must (?:not|never))\b`)
)

// chore are the subjects of commits that decide nothing about code.
var chore = lazyregexp.New(`(?i)^(?:(?:docs?|tests?|ci|chore|style|build|deps|release|typo|changelog|readme|bench\w*|lint|examples?|website)\b[^:]{0,30}:|` +
	`\[(?:docs?|tests?|ci|chore|build|deps)\]|bump |release |version |v?\d+\.\d+|prepare (?:for )?(?:release|v?\d)|update (?:changelog|readme|docs|dependenc|copyright)|merge (?:branch|remote|tag|upstream)|` +
	`add(?:ed)? (?:a |an |some |more |missing )?(?:\w+ )?(?:tests?|docs|documentation|changelog)\b|fix(?:ed|es)? (?:a |some |the )?(?:typos?|tests?|ci|docs|lint\w*|doc)\b)|changelog|\btypos?\b|^.{0,20}\d{4}[.-]\d\d[.-]\d\d`)

var (
	trailer   = lazyregexp.New(`(?i)^(?:[a-z][a-z-]+-(?:by|url|id|to|from|for)|fix(?:es|ed)?|clos(?:es|ed?)|resolv(?:es|ed?)|refs?|references?|see(?: also)?|related(?: to)?|issue|bug|link|pr|cc|ticket|source|supersedes|backports?|cherry picked from commit|piperorigin-revid|change-id)\s*:?\s*(?:#|\S+/\S|[\w.+-]+@|.*<[^>]*@|https?:|[A-Z]+-\d|\d)`)
	mergeOf   = lazyregexp.New(`(?i)^merge (?:pull request|pr|mr|branch|remote|tag|commit)\b`)
	bullet    = lazyregexp.New(`^\s*(?:[*•+-]|\d+[.)])\s+`)
	sentenceE = lazyregexp.New(`[.!?:][)"'` + "`" + `]*\s+`)
	nameFirst = lazyregexp.New(`^\S*[_.(A-Z:/]\S`)
	abbrev    = lazyregexp.New(`(?i)\b(?:e\.g|i\.e|etc|cf|vs|resp|approx|incl)\.$`)
)

// Statement is what a commit message says of a decision or of the reason for one: its subject and the sentences that tell the
// reason, at most maxText bytes. ok is false when it has none. It is a rule over words of English.
func Statement(message string) (text string, ok bool) {
	subject, body := split(message)
	if subject == "" || chore.MatchString(subject) {
		return "", false
	}
	var reasons []string
	if isReason(subject) {
		return wording.CutBytes(subject, maxText), true
	}
	for _, p := range paragraphs(body) {
		for _, s := range sentences(p) {
			if len(reasons) < maxSentences && isReason(s) {
				reasons = append(reasons, s)
			}
		}
	}
	return compose(subject, reasons)
}

// compose puts the reasons behind the title as far as they fit.
func compose(title string, reasons []string) (string, bool) {
	text := wording.CutBytes(wording.OneLine(title), maxText/3)
	n := 0
	for _, r := range reasons {
		sep := " "
		if n == 0 {
			sep = "\n\n"
		}
		if len(text)+len(sep)+len(r) <= maxText {
			text, n = text+sep+r, n+1
		}
	}
	if n == 0 {
		return "", false
	}
	return text, true
}

// split parts a message into its subject and its body. The subject of a merge is that of what was merged.
func split(message string) (subject, body string) {
	message = strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(message, "\uFFFD"), "\r\n", "\n"))
	subject, body = cutSubject(message)
	if mergeOf.MatchString(subject) && body != "" {
		subject, body = cutSubject(body)
	}
	return plain(subject), body
}

// wrapped is how long the first line of a message is at least that goes on in the next one.
const wrapped = 60

// cutSubject cuts the subject off: as git does at the first empty line, where its lines are wrapped, else at the first line.
func cutSubject(message string) (subject, body string) {
	subject, body, _ = strings.Cut(message, "\n")
	next, rest, _ := strings.Cut(body, "\n")
	for len(subject) >= wrapped && len(subject) < maxText && strings.TrimSpace(next) != "" && !strings.ContainsAny(next[:1], "*-+ \t#") && !trailer.MatchString(next) {
		subject, body = subject+" "+next, rest
		next, rest, _ = strings.Cut(body, "\n")
	}
	return subject, strings.TrimLeft(body, "\r\n")
}

// paragraphs are the runs of prose in a body, each on one line: without code, quotations, trailers and tables. An item of a list
// is a paragraph. What follows a line of dashes is another text.
func paragraphs(body string) []string {
	var list []string
	open, fenced, item := false, false, false
	for line := range strings.Lines(body) {
		line = strings.TrimRightFunc(line, unicode.IsSpace)
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "```") {
			fenced, open = !fenced, false
			continue
		}
		mark := bullet.FindString(line)
		switch {
		case fenced:
		case trimmed == "":
			open, item = false, false
		case trailer.MatchString(trimmed), isCode(line, item && open || mark != ""), strings.ContainsAny(trimmed[:1], ">|#@$"):
			open = false
		case open && mark == "":
			list[len(list)-1] += " " + plain(trimmed)
		default:
			list, open, item = append(list, plain(line[len(mark):])), true, mark != ""
		}
	}
	return list
}

// isCode reports whether a line is indented as code is. In a list indentation says nothing.
func isCode(line string, inList bool) bool {
	return !inList && (strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t"))
}

// plain is a line without what a terminal or an editor would not show as text.
func plain(s string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.In(r, unicode.Cf) {
			return ' '
		}
		return r
	}, s)), " ")
}

// sentences cuts a paragraph.
func sentences(p string) []string {
	var list []string
	start := 0
	for _, end := range sentenceE.FindAllStringIndex(p, -1) {
		next, _ := utf8.DecodeRuneInString(p[end[1]:])
		if abbrev.MatchString(p[start:end[0]+1]) || p[end[0]] == ':' || unicode.IsLower(next) {
			continue
		}
		list, start = append(list, strings.TrimSpace(p[start:end[1]])), end[1]
	}
	return append(list, strings.TrimSpace(p[start:]))
}

// isReason reports whether a sentence tells a reason or a decision about code.
func isReason(s string) bool {
	words := len(strings.Fields(s))
	return words >= minWords && len(s) <= maxText && !strings.HasSuffix(s, "?") && !strings.HasSuffix(s, ":") && standsAlone(s) &&
		reasonCue.MatchString(s) && !aside.MatchString(s)
}

// standsAlone reports whether a text is whole, begins as a sentence does, with a capital, a name or code, and is understood by itself.
func standsAlone(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	if unicode.IsLower(first) && !nameFirst.MatchString(s) {
		return false
	}
	if s[0] == '(' || strings.Count(s, "(") != strings.Count(s, ")") {
		return false
	}
	return !leaning.MatchString(s) || firm.MatchString(s)
}
