package chunk

import (
	"bytes"
	"slices"
)

// addReturned notes what a function returns that says so nowhere else. What a function inside it returns is not the chunk's.
func (f *flow) addReturned(one binding) {
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

// results are what functions return that write no result, by the keys of a TypeTable: where all that is returned is the same.
func (f *flow) results() map[string]string {
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
