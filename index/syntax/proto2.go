package syntax

import (
	"bytes"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// What only proto2 has. The grammar knows proto3.
var (
	proto2Syntax     = lazyregexp.New(`(?m)^\s*syntax\s*=\s*["']proto2["']`)
	requiredField    = lazyregexp.New(`(?m)^\s*required\s`)
	extensionRanges  = lazyregexp.New(`(?m)^\s*extensions\s[^;{}]*;`)
	group            = lazyregexp.New(`(?m)^\s*((?:optional|required|repeated)\s+group)\s+\w+(\s*=\s*\d+)\s*(?:\[[^\]]*\]\s*)?\{`)
	beginningOfGroup = []byte("message")
)

// asProto3 turns what only proto2 has into what the grammar knows, or blanks it: the syntax, required fields, ranges of extensions and
// groups, which are messages.
func asProto3(src []byte, _ func([]byte) bool) []byte {
	if !proto2Syntax.Match(src) && !requiredField.Match(src) {
		return src
	}
	out := bytes.Clone(src)
	for _, at := range proto2Syntax.FindAllSubmatchIndex(src, -1) {
		out[at[1]-2] = '3'
	}
	for _, at := range extensionRanges.FindAllSubmatchIndex(src, -1) {
		blank(out[at[0]:at[1]])
	}
	for _, at := range group.FindAllSubmatchIndex(src, -1) {
		blank(out[at[2]:at[3]])
		copy(out[at[2]:], beginningOfGroup)
		blank(out[at[4] : at[1]-1])
	}
	for _, at := range requiredField.FindAllSubmatchIndex(out, -1) {
		copy(out[at[1]-1-len("required"):], "optional")
	}
	return out
}
