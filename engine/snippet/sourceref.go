package snippet

import (
	"strconv"
	"strings"
)

// SplitRef takes a source reference apart: "<path>:<line>", with the line counted from one, a chunk id
// "code:<path>:<name>", or a path alone. line is 0 when the reference has none.
func SplitRef(ref string) (path string, line int) {
	if rest, ok := strings.CutPrefix(ref, "code:"); ok {
		if i := strings.LastIndexByte(rest, ':'); i > 0 {
			return rest[:i], 0
		}
		return rest, 0
	}
	i := strings.LastIndexByte(ref, ':')
	if i <= 0 {
		return ref, 0
	}
	n, err := strconv.Atoi(ref[i+1:])
	if err != nil || n < 1 {
		return ref, 0
	}
	return ref[:i], n
}
