package syntax

import (
	"bytes"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// itemMacro matches the line that opens a macro of Rust with braces, as cfg_net! {; itemStart what its body begins with if it is made of
// items, behind comments and attributes.
var (
	itemMacro = lazyregexp.New(`(?m)^[ \t]*(?:\w+[ \t]*::[ \t]*)*(\w+)![ \t]*(\{)[ \t]*\r?$`)
	itemStart = lazyregexp.New(`\A(?:\s+|//[^\n]*\n|/\*(?s:.*?)\*/|#!?\[[^\]]*\])*` +
		`(?:pub\b|fn\b|struct\b|enum\b|union\b|impl\b|mod\b|use\b|trait\b|type\b|const\b|static\b|unsafe\b|async\b|extern\b|macro_rules!)`)
	// interpolated matches what only the body of a template has.
	interpolated = lazyregexp.New(`#\(|\$\w`)
)

// maxItemMacros bounds how many macros of one text are looked into; of their bodies, which may be inside each other, twice the text is read.
const maxItemMacros = 200

// withoutItemMacros blanks, in Rust, the macros around plain items, as cfg_net! { pub mod tcp; } and cfg_if! { if #[cfg(unix)] { … } },
// for the grammar knows nothing of what is inside a macro. parses reports whether a text has no errors.
func withoutItemMacros(src []byte, parses func(src []byte) bool) []byte {
	found := itemMacro.FindAllSubmatchIndex(src, maxItemMacros)
	if len(found) == 0 {
		return src
	}
	out := bytes.Clone(src)
	left := 2 * len(src)
	for _, at := range found {
		open := at[4]
		end := closingBrace(src, open)
		if end < 0 {
			continue
		}
		body := src[open+1 : end]
		name := string(src[at[2]:at[3]])
		left -= len(body)
		switch {
		case left < 0 || name == "macro_rules" || interpolated.Match(body):
			continue
		case name == "cfg_if":
			blankConditions(out, open+1, end)
		case !itemStart.Match(body) || !parses(body):
			continue
		}
		blank(out[at[0] : open+1])
		blank(out[end : end+1])
	}
	return out
}

// blankConditions blanks, in the body of cfg_if!, all but what is inside its branches.
func blankConditions(out []byte, start, end int) {
	for at := start; at < end; {
		open := bytes.IndexByte(out[at:end], '{')
		if open < 0 {
			return
		}
		open += at
		close := closingBrace(out, open)
		if close < 0 || close >= end {
			return
		}
		blank(out[at : open+1])
		blank(out[close : close+1])
		at = close + 1
	}
}

// closingBrace returns the offset of the brace that closes the one at an offset, without those in strings, characters and comments; -1
// without one.
func closingBrace(src []byte, open int) int {
	depth := 0
	for i := open; i < len(src); i++ {
		switch c := src[i]; {
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i
			}
		case c == '/' && bytes.HasPrefix(src[i:], []byte("//")):
			i = lineEnd(src, i)
		case c == '/' && bytes.HasPrefix(src[i:], []byte("/*")):
			i = past(src, i+2, "*/")
		case c == 'r' && rawString.Match(src[i:min(len(src), i+20)]) && (i == 0 || !isWordByte(src[i-1])):
			hashes := bytes.IndexByte(src[i:], '"') - 1
			i = past(src, i+hashes+2, `"`+string(src[i+1:i+1+hashes]))
		case c == '"':
			for i++; i < len(src) && src[i] != '"'; i++ {
				if src[i] == '\\' {
					i++
				}
			}
		case c == '\'' && i+2 < len(src) && (src[i+1] == '\\' || src[i+2] == '\''): // no lifetime
			if src[i+1] == '\\' {
				i += 2
			}
			i = past(src, i+1, "'")
		}
	}
	return -1
}

// rawString matches the start of a raw string.
var rawString = lazyregexp.New(`\Ar#*"`)

func lineEnd(src []byte, at int) int {
	if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(src)
}

// past returns the offset of the last byte of an end that is looked for from an offset.
func past(src []byte, at int, end string) int {
	if at > len(src) {
		return len(src)
	}
	if i := bytes.Index(src[at:], []byte(end)); i >= 0 {
		return at + i + len(end) - 1
	}
	return len(src)
}
