package syntax

import "bytes"

// withoutAnnotations turns each Lua comment that begins with three dashes into one with two. The grammar parses the
// annotations of such comments (EmmyLua, LuaCATS), knows few of them, and calls a file broken that has others.
func withoutAnnotations(src []byte) []byte {
	three := []byte("---")
	if !bytes.Contains(src, three) {
		return src
	}
	out := bytes.Clone(src)
	for at := 0; ; at += len(three) {
		i := bytes.Index(out[at:], three)
		if i < 0 {
			return out
		}
		at += i
		line := out[bytes.LastIndexByte(out[:at], '\n')+1 : at]
		if len(bytes.TrimLeft(line, " \t")) == 0 {
			out[at+2] = ' '
		}
	}
}
