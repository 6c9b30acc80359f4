package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/assemble/tokens"
	"github.com/aurora-sidecar/aurora/index"
)

// How an agent without an index reads.
const (
	grepLines   = 50  // of one grep's output, a path and a count each; agents cut it
	commonWord  = 4   // a word in more than one file of this many tells nothing and is left out
	windowLines = 100 // around a match
)

// A reading is how much an agent reads of a file in which it expects something at some lines, the last one not included.
type reading func(first, last, lines int) (from, to int)

// The readings.
var (
	thoseLines reading = func(first, last, _ int) (int, int) { return first, last }
	window     reading = func(first, last, _ int) (int, int) {
		middle := (first + last) / 2
		return middle - windowLines/2, middle + windowLines/2
	}
	wholeFile reading = func(_, _, lines int) (int, int) { return 0, lines }
)

// A corpus is what can be grepped: every indexed file.
type corpus struct {
	files []corpusFile // by path
	at    map[string]int
	count tokens.Counter
}

type corpusFile struct {
	path  string
	lines []string
	lower []string
}

func newCorpus(ctx context.Context, ix *index.Index) (*corpus, error) {
	count, err := tokens.New(tokens.Exact)
	if err != nil {
		return nil, err
	}
	c := &corpus{at: map[string]int{}, count: count}
	for f := range ix.Snapshot().Files() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		src, err := ix.Text(f.Abs)
		if err != nil {
			continue // gone since
		}
		lines := strings.Split(strings.TrimSuffix(string(src), "\n"), "\n")
		lower := make([]string, len(lines))
		for i, line := range lines {
			lower[i] = strings.ToLower(line)
		}
		c.files = append(c.files, corpusFile{f.Path, lines, lower})
	}
	slices.SortFunc(c.files, func(a, b corpusFile) int { return strings.Compare(a.path, b.path) })
	for i, f := range c.files {
		c.at[f.path] = i
	}
	return c, nil
}

// text is the present text of a chunk, by its lines.
func (c *corpus) text(ref index.Ref) string {
	f := c.files[c.at[ref.File.Path]]
	first, last := lineSpan(ref, len(f.lines))
	return strings.Join(f.lines[first:last], "\n")
}

// lineSpan is the lines of a chunk, the last one not included.
func lineSpan(ref index.Ref, lines int) (first, last int) {
	chunk := ref.Chunk()
	return min(chunk.StartLine, lines), min(chunk.EndLine+1, lines)
}

// heldIn reports whether a text holds at least half of a chunk: snippets begin where chunks do and may be cut.
func heldIn(whole, chunk string) bool {
	lines := strings.Split(chunk, "\n")
	return strings.Contains(whole, strings.Join(lines[:(len(lines)+1)/2], "\n"))
}

// A step is where an agent reads next: a file, and the lines in it that something was found at.
type step struct {
	file int
	at   [][2]int // first line, and the one after the last
}

// grep counts the matches of each word of a task in each file, in any letter case, and returns the files in the order in
// which they deserve to be read: those in which most words match first, then those with most matches. cost is the tokens
// of the output.
func (c *corpus) grep(task string) (steps []step, cost int) {
	words, lines := map[int]int{}, map[int][][2]int{}
	for _, word := range searchWords(task) {
		matches := c.matches(word)
		if len(matches) > len(c.files)/commonWord {
			continue
		}
		shown := 0
		for _, i := range slices.Sorted(maps.Keys(matches)) {
			words[i]++
			for _, n := range matches[i] {
				lines[i] = append(lines[i], [2]int{n, n + 1})
			}
			if shown++; shown <= grepLines {
				cost += c.count(fmt.Sprintf("%s:%d\n", c.files[i].path, len(matches[i])))
			}
		}
	}
	for i := range words {
		steps = append(steps, step{i, lines[i]})
	}
	slices.SortFunc(steps, func(a, b step) int {
		return cmp.Or(cmp.Compare(words[b.file], words[a.file]), cmp.Compare(len(b.at), len(a.at)), cmp.Compare(a.file, b.file))
	})
	return steps, cost
}

// matches are the lines of each file that hold a word.
func (c *corpus) matches(word string) map[int][]int {
	found := map[int][]int{}
	for i := range c.files {
		for n, line := range c.files[i].lower {
			if strings.Contains(line, word) {
				found[i] = append(found[i], n)
			}
		}
	}
	return found
}

// steps are the places of hits, in their order.
func (c *corpus) steps(hits []engine.Hit) []step {
	var steps []step
	for i := range hits {
		if file, ok := c.at[hits[i].Path]; ok && hits[i].Range != nil {
			steps = append(steps, step{file, [][2]int{{hits[i].Range.Start.Line, hits[i].Range.End.Line + 1}}})
		}
	}
	return steps
}

// fillers are words that nobody greps for.
var fillers = strings.Fields("a an and are as at be but by for from give has have in into is it its keep let of on only or own some such that the them then they this to when which who with")

func searchWords(task string) []string {
	var words []string
	for _, word := range strings.FieldsFunc(strings.ToLower(task), func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-') }) {
		if len(word) > 2 && !slices.Contains(fillers, word) && !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return words
}

// A reader reads until it has seen all that a task needs. Lines cost once, however often they are read.
type reader struct {
	corpus  *corpus
	reading reading
	needs   []index.Ref
	seen    map[index.Ref]bool
	read    map[int][]bool // lines by file
	tokens  int
}

func newReader(c *corpus, needs []index.Ref, how reading) *reader {
	return &reader{corpus: c, reading: how, needs: needs, seen: map[index.Ref]bool{}, read: map[int][]bool{}}
}

// show notes a text that was read and what of the needed it holds.
func (r *reader) show(text string, tokens int) {
	r.tokens += tokens
	for _, need := range r.needs {
		if heldIn(text, r.corpus.text(need)) {
			r.seen[need] = true
		}
	}
}

func (r *reader) done() bool { return len(r.seen) == len(r.needs) }

// follow takes steps as long as something is missing.
func (r *reader) follow(steps []step) {
	for _, s := range steps {
		if r.done() {
			return
		}
		r.take(s)
	}
}

func (r *reader) take(s step) {
	f := r.corpus.files[s.file]
	read := r.read[s.file]
	if read == nil {
		read = make([]bool, len(f.lines))
		r.read[s.file] = read
	}
	for _, at := range s.at {
		from, to := r.reading(at[0], at[1], len(f.lines))
		for n := max(0, from); n < min(len(f.lines), to); n++ {
			if !read[n] {
				read[n] = true
				r.tokens += r.corpus.count(fmt.Sprintf("%d\t%s\n", n+1, f.lines[n]))
			}
		}
	}
	for _, need := range r.needs {
		if need.File.Path == f.path && half(read, need) {
			r.seen[need] = true
		}
	}
}

func (r *reader) cost() benchCost { return benchCost{r.tokens, !r.done()} }

// half reports whether at least half of a chunk was read.
func half(read []bool, need index.Ref) bool {
	first, last := lineSpan(need, len(read))
	n := 0
	for _, seen := range read[first:last] {
		if seen {
			n++
		}
	}
	return 2*n >= last-first
}
