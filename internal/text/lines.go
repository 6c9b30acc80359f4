package text

// A Position is a zero-based place in a text: the line, and the column in both units that editors use.
type Position struct {
	Line  int
	Byte  int // UTF-8 code units from the start of the line
	UTF16 int // UTF-16 code units from the start of the line
}

// A Range is a half-open stretch of text.
type Range struct{ Start, End Position }
