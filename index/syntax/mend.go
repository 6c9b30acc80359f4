package syntax

import (
	"bytes"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// functionalInterface is the word that makes an interface of Kotlin one of a single function.
var functionalInterface = lazyregexp.New(`(?m)(?:^|[ \t])(fun)[ \t\r\n]+interface[ \t]+\w`)

// withoutFun makes of Kotlin's functional interfaces, which the grammar takes for functions, plain ones.
func withoutFun(src []byte) []byte { return blankedGroups(src, functionalInterface) }

// What the grammar of Lua does not know: a call of what a method returns, jumps and their labels, attributes of variables.
var (
	secondCall   = lazyregexp.New(`:\w+\((?:[^()\n]|\([^()\n]*\))*\)(\([^()\n]*\))`)
	jump         = lazyregexp.New(`(?m)(?:^|[ \t;])(goto[ \t]+\w+|::\w+::)[ \t]*(?:$|;|--|\bend\b)`)
	luaAttribute = lazyregexp.New(`\blocal[ \t]+\w+[ \t]*(<(?:const|close)>)`)
)

// withoutSecondCalls blanks what the grammar of Lua does not know.
func withoutSecondCalls(src []byte) []byte {
	return blankedGroups(src, secondCall, jump, luaAttribute)
}

// blankedGroups is a text without the groups of some rules.
func blankedGroups(src []byte, rules ...*lazyregexp.Regexp) []byte {
	out := src
	for _, rule := range rules {
		for _, at := range rule.FindAllSubmatchIndex(src, -1) {
			if &out[0] == &src[0] {
				out = bytes.Clone(src)
			}
			blank(out[at[2]:at[3]])
		}
	}
	return out
}
