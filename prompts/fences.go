package prompts

import (
	"strings"
	"unicode"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
	"github.com/aurora-sidecar/aurora/internal/text"
)

var attributeEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// attribute is s as the value of an XML attribute.
func attribute(s string) string { return attributeEscapes.Replace(oneLine(s)) }

// ownTag is the beginning of every tag that our templates use, opening or closing.
var ownTag = lazyregexp.New(`(?i)<(\s*/?\s*(?:(?:project_context|goal|memory|record|snippet|excerpt)\b|aurora\s*:))`)

// xmlData is s inside a block. Only what could end or imitate a block is escaped: code full of &lt; is harder to read
// for models, and is quoted wrongly by them.
func xmlData(s string) string { return ownTag.ReplaceAllString(endLine(s), "&lt;$1") }

// fence is a code fence longer than any row of backticks in s.
func fence(s string) string { return text.Fence(s) }

// firstWord is the name of a language as a fence may have it: anything else could end the fence's line.
func firstWord(s string) string {
	end := strings.IndexFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("+#-._", r)
	})
	if end >= 0 {
		s = s[:end]
	}
	return s
}

// codeSpan is s as inline code, whatever backticks it has.
func codeSpan(s string) string {
	s = oneLine(s)
	ticks := strings.Repeat("`", text.LongestTicks(s)+1)
	if len(ticks) > 1 {
		return ticks + " " + s + " " + ticks
	}
	return ticks + s + ticks
}
