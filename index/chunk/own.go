package chunk

// OwnSpans returns what belongs to chunk i of f and to no chunk inside it: a class without its methods. Together the own spans of all chunks hold each byte once.
func OwnSpans(f *File, i int) []Span {
	outer := f.Chunks[i].Span
	var own []Span
	at := outer.Start
	for j := i + 1; j < len(f.Chunks) && f.Chunks[j].Span.Start < outer.End; j++ {
		inner := f.Chunks[j].Span
		if inner.Start < at {
			continue // inside an inner chunk that was cut out already
		}
		if inner.Start > at {
			own = append(own, Span{at, inner.Start})
		}
		at = inner.End
	}
	if at < outer.End {
		own = append(own, Span{at, outer.End})
	}
	return own
}
