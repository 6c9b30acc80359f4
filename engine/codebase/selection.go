package codebase

// Within cuts a selection to a text of n bytes and puts its ends in order.
func (s Selection) Within(n int) Selection {
	s.Start, s.End = max(0, min(s.Start, n)), max(0, min(s.End, n))
	if s.End < s.Start {
		s.Start, s.End = s.End, s.Start
	}
	return s
}

// Empty reports whether s is just a cursor.
func (s Selection) Empty() bool { return s.Start == s.End }

// A Place is a position in a document.
type Place struct {
	Path   string  // absolute
	Offset int     // bytes
	Own    Buffers // of the client that asks; nil for one that has none
}

// A Selection is a stretch of a document in bytes; Start == End means the cursor.
type Selection struct {
	Path       string // absolute
	Start, End int
	Own        Buffers // of the client that asks; nil for one that has none
}
