package syntax

import "bytes"

// maxHeredocs bounds, in bytes, the marks of the heredocs that one line opens, at a few bytes more for each. The
// scanners of Bash and Ruby save the open ones into a buffer of 1,024, check it too late, and Ruby's keeps the length
// of a mark in one byte: a longer mark ends the process.
const maxHeredocs = 240

// longHeredocs reports whether a line of src opens more heredocs, or longer ones, than the scanners survive. It does
// not know strings and comments.
func longHeredocs(src []byte) bool {
	const each = 8 // what the scanners save beside the mark
	total := 0
	for len(src) > 0 {
		i := bytes.Index(src, []byte("<<"))
		if i < 0 {
			return false
		}
		if bytes.IndexByte(src[:i], '\n') >= 0 {
			total = 0
		}
		src = src[i+2:]
		if len(src) > 0 && src[0] == '<' { // a here-string has no mark
			src = src[1:]
			continue
		}
		mark := heredocMark(src)
		if mark > 0 {
			total += mark + each
		}
		if total > maxHeredocs {
			return true
		}
		src = src[mark:]
	}
	return false
}

// heredocMark returns how many bytes of src, which follows "<<", the mark of a heredoc takes, quotes included.
func heredocMark(src []byte) int {
	i := 0
	for i < len(src) && (src[i] == '-' || src[i] == '~' || src[i] == ' ' || src[i] == '\t') {
		i++
	}
	if i < len(src) && (src[i] == '"' || src[i] == '\'' || src[i] == '`') {
		end := bytes.IndexByte(src[i+1:], src[i])
		if line := bytes.IndexByte(src[i+1:], '\n'); end < 0 || line >= 0 && line < end {
			return i + 1
		}
		return i + end + 2
	}
	for i < len(src) && (src[i] == '_' || src[i] == '\\' || src[i] >= 0x80 || isAlphanumeric(src[i])) {
		i++
	}
	return i
}

func isAlphanumeric(b byte) bool {
	return '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}
