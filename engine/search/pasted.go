package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/search/pasted"
	"github.com/aurora-sidecar/aurora/engine/search/rank"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
)

const (
	maxFrames   = 20 // lines of a pasted trace that are looked up
	maxCompared = 40 // chunks whose texts are compared with a pasted message
	shareSame   = 0.6
	shareWhole  = 0.75 // the same of a string without gaps: what it lacks is no value, but a question around it
	shareProse  = 0.85 // the same, where no string holds the words
	proseWords  = 6    // that must follow each other outside of a string
)

// proposeFrames adds the lines that a pasted text names, the innermost call first.
func (symbols) proposeFrames(s *search) {
	if s.ranking.Kind == rank.PlaceQuery {
		return
	}
	places := pasted.Places(s.request.Query)
	for i, p := range places[:min(maxFrames, len(places))] {
		files := filesAt(s, p)
		if len(files) == 0 || len(files) > maxPlaces {
			continue
		}
		for _, f := range files {
			ref := index.Ref{File: f, Index: codebase.ChunkAtLine(f, p.Line)}
			if !s.filter.acceptChunk(ref) {
				continue
			}
			c := s.candidate(ref)
			c.Paste(fmt.Sprintf("the text names line %d of %s", p.Line, f.Path), float64(maxFrames-i)/maxFrames/float64(len(files)))
			s.proposed(c, rank.ClosenessAt(i))
		}
	}
}

// filesAt returns the files that a place most likely means: those whose paths have most of their end in common with it, and a
// line of that number.
func filesAt(s *search, p pasted.Place) []*index.File {
	var files []*index.File
	most := 1
	for f := range s.snap.Listed() {
		n := p.SharedEnd(f.Path)
		if n < most || p.Line > f.Lines+1 || !s.filter.acceptFile(f) || len(f.Loaded().Chunks) == 0 {
			continue
		}
		if n > most {
			files, most = files[:0], n
		}
		files = append(files, f)
	}
	slices.SortFunc(files, func(a, b *index.File) int { return cmp.Compare(a.Path, b.Path) })
	return files
}

// compareTexts looks for the words of the query, one after the other, in the texts of those candidates that hold most of them.
func compareTexts(ctx context.Context, s *search) {
	if s.ranking.Kind != rank.ProseQuery {
		return
	}
	message := pasted.Read(s.request.Query)
	if message.Empty() {
		return
	}
	compared := slices.DeleteFunc(s.ranking.BestCovered(s.candidates, maxCompared), func(c *rank.Candidate) bool {
		return s.elsewhere.has(c.Ref) // the server has compared it
	})
	matches, unread := make([]pasted.Match, len(compared)), make([]bool, len(compared))
	codebase.Beside(len(compared), func(i int) {
		if ref := compared[i].Ref; ctx.Err() == nil {
			text, ok := codebase.Peek(s.snap, ref)
			if unread[i] = !ok; ok {
				matches[i] = message.Find(ownText(ref, text))
			}
		}
	})
	for i, c := range compared {
		if ctx.Err() != nil {
			return
		}
		m := matches[i]
		if unread[i] { // one file after the other is parsed again
			text, ok := textOf(s, c.Ref)
			if !ok {
				continue
			}
			m = message.Find(text)
		}
		switch {
		case m.Printed() && m.Share >= shareSame && m.Run >= 2 && (m.Filled > 0 || m.Share >= shareWhole): // single words of a list of strings are no message
			c.Paste("a string in it is the text", m.Share)
		case m.Words >= proseWords && m.Share >= shareProse:
			c.Paste("it holds the text word by word", m.Share)
		}
	}
}

// read returns the text of a chunk, and the chunk as its file has it now; the whole file is read only where that has to be.
func read(s *search, ref index.Ref) (fresh index.Ref, text []byte, ok bool) {
	if text, ok = codebase.Peek(s.snap, ref); ok {
		return ref, text, true
	}
	doc, fresh, ok := s.docs.Open(ref)
	if !ok {
		return ref, nil, false
	}
	return fresh, fresh.Chunk().Span.In(doc.Text), true
}

// textOf returns the text of a chunk without the chunks inside it.
func textOf(s *search, ref index.Ref) (string, bool) {
	ref, text, ok := read(s, ref)
	if !ok {
		return "", false
	}
	return ownText(ref, text), true
}

// ownText leaves out of the text of a chunk the chunks inside it.
func ownText(ref index.Ref, text []byte) string {
	var own strings.Builder
	own.Grow(len(text) + 1)
	start := ref.Chunk().Span.Start
	for _, span := range chunk.OwnSpans(ref.File.File, ref.Index) {
		own.Write(chunk.Span{Start: span.Start - start, End: span.End - start}.In(text))
		own.WriteByte('\n')
	}
	return own.String()
}
