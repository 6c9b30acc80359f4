package syntax

import (
	"bytes"
	"strconv"
)

// maxGiven bounds through how many objects Given goes outward.
const maxGiven = 4

// Given says what takes the expression at an offset, and the steps from that to the parameter or member which the expression is
// for: for an argument what is called, with "&1.onError" behind it; for the value of a variable an empty span where the value begins.
func Given(src []byte, at int) (to Span, steps string, ok bool) {
	b := backward{src, max(0, at-maxReceiver)}
	for range maxGiven {
		end := b.trimmed(at)
		if end <= b.least {
			break
		}
		open, n, member := end-1, 0, ""
		switch src[end-1] {
		case '=':
			isValue := end < 2 || bytes.IndexByte([]byte("=!<>"), src[end-2]) < 0
			return Span{at, at}, steps, isValue
		case ':': // of a member
			end = b.trimmed(end - 1)
			name := b.word(end)
			member = string(src[name:end])
			if open = b.trimmed(name) - 1; open < b.least {
				return Span{}, "", false
			}
		}
		if src[open] == ',' {
			open, n = b.enclosing(open)
		}
		switch {
		case open < 0:
			return Span{}, "", false
		case src[open] == '(' && member == "":
			end = b.trimmed(open)
			start := b.expression(end)
			return Span{start, end}, "&" + strconv.Itoa(n) + steps, start >= 0
		case src[open] == '{' && member == "":
			member = methodName(src[at:])
		}
		if src[open] != '{' || member == "" {
			break
		}
		at, steps = open, "."+member+steps
	}
	return Span{}, "", false
}

// methodName is the name of the method that begins a text, "" when none does.
func methodName(text []byte) string {
	text = bytes.TrimPrefix(text, []byte("async "))
	n := 0
	for n < len(text) && isWordByte(text[n]) {
		n++
	}
	if n == len(text) || text[n] != '(' {
		return ""
	}
	return string(text[:n])
}

// trimmed is the end of what stands before an offset, without white space.
func (b backward) trimmed(at int) int {
	return b.least + len(bytes.TrimRight(b.src[b.least:at], " \t\r\n"))
}

// enclosing returns the bracket that is open at an offset, -1 without one, and how many commas stand between, with the one there.
func (b backward) enclosing(at int) (open, commas int) {
	for i := at; i >= b.least; i-- {
		switch b.src[i] {
		case ',':
			commas++
		case '(', '[', '{':
			return i, commas
		case ')', ']', '}':
			if i = b.opening(i); i < 0 {
				return -1, 0
			}
		case '"', '\'', '`':
			if start := b.quoted(i); start >= 0 {
				i = start
			}
		}
	}
	return -1, 0
}
