package chunk

import (
	"bytes"
	"slices"
)

// returns tell what functions return that write no result.
type returns struct{ flow *flow }

// add notes what a function returns. What a function inside it returns is not the chunk's.
func (r returns) add(one binding) {
	f := r.flow
	one.inside = f.innermost(one.at)
	i := f.function(one.inside)
	if i < 0 || saysNothing(one.value.In(f.src)) {
		return
	}
	if c := &f.chunks[i]; one.scope.Contains(c.NameSpan.Start) || c.Signature.Contains(one.scope.Start) {
		f.returned = append(f.returned, &one)
	}
}

// saysNothing reports whether what is returned beside a value leaves that its type, or is a body that returns by statements.
func saysNothing(value []byte) bool {
	return bytes.HasPrefix(value, []byte("{")) || slices.Contains([]string{"null", "undefined", "None", "false", "False"}, string(value))
}

// results are what functions return, by the keys of a TypeTable: where all that is returned is the same.
func (r returns) results() map[string]string {
	f := r.flow
	found := map[string]string{}
	for _, b := range f.returned {
		key := f.chunks[b.inside].QualifiedName() + "()"
		t := f.fact(b)
		if known, ok := found[key]; ok && known != t || t == "="+elsewhere {
			t = ""
		}
		found[key] = t
	}
	return found
}
