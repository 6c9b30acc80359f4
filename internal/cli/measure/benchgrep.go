package measure

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/tokens"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/internal/sortby"
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
	Window     reading = func(first, last, _ int) (int, int) {
		middle := (first + last) / 2
		return middle - windowLines/2, middle + windowLines/2
	}
	wholeFile reading = func(_, _, lines int) (int, int) { return 0, lines }
)

// A Corpus is what can be grepped: every indexed file.
type Corpus struct {
	Files []CorpusFile // by path
	At    map[string]int
	Count tokens.Counter
}

type CorpusFile struct {
	Path  string
	Lines []string
	lower []string
}

func newCorpus(ctx context.Context, ix *index.Index) (*Corpus, error) {
	count, err := tokens.New(tokens.Exact)
	if err != nil {
		return nil, err
	}
	c := &Corpus{At: map[string]int{}, Count: count}
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
		c.Files = append(c.Files, CorpusFile{f.Path, lines, lower})
	}
	sortby.Func(c.Files, func(a, b CorpusFile) int { return strings.Compare(a.Path, b.Path) })
	for i, f := range c.Files {
		c.At[f.Path] = i
	}
	return c, nil
}

// text is the present text of a chunk, by its lines.
func (c *Corpus) text(ref index.Ref) string {
	f := c.Files[c.At[ref.File.Path]]
	first, last := lineSpan(ref, len(f.Lines))
	return strings.Join(f.Lines[first:last], "\n")
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

// A Step is where an agent reads next: a file, and the lines in it that something was found at.
type Step struct {
	File int
	At   [][2]int // first line, and the one after the last
}

// grep counts the matches of each word of a task in each file, in any letter case, and returns the files in the order in
// which they deserve to be read: those in which most words match first, then those with most matches. cost is the tokens
// of the output.
func (c *Corpus) grep(task string) (steps []Step, cost int) {
	words, lines := map[int]int{}, map[int][][2]int{}
	for _, word := range searchWords(task) {
		matches := c.matches(word)
		if len(matches) > len(c.Files)/commonWord {
			continue
		}
		shown := 0
		for _, i := range slices.Sorted(maps.Keys(matches)) {
			words[i]++
			for _, n := range matches[i] {
				lines[i] = append(lines[i], [2]int{n, n + 1})
			}
			if shown++; shown <= grepLines {
				cost += c.Count(fmt.Sprintf("%s:%d\n", c.Files[i].Path, len(matches[i])))
			}
		}
	}
	for i := range words {
		steps = append(steps, Step{i, lines[i]})
	}
	sortby.Func(steps, func(a, b Step) int {
		return cmp.Or(cmp.Compare(words[b.File], words[a.File]), cmp.Compare(len(b.At), len(a.At)), cmp.Compare(a.File, b.File))
	})
	return steps, cost
}

// matches are the lines of each file that hold a word.
func (c *Corpus) matches(word string) map[int][]int {
	found := map[int][]int{}
	for i := range c.Files {
		for n, line := range c.Files[i].lower {
			if strings.Contains(line, word) {
				found[i] = append(found[i], n)
			}
		}
	}
	return found
}

// steps are the places of hits, in their order.
func (c *Corpus) steps(hits []engine.Hit) []Step {
	var steps []Step
	for i := range hits {
		if file, ok := c.At[hits[i].Path]; ok && hits[i].Range != nil {
			steps = append(steps, Step{file, [][2]int{{hits[i].Range.Start.Line, hits[i].Range.End.Line + 1}}})
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
	corpus  *Corpus
	reading reading
	needs   []index.Ref
	seen    map[index.Ref]bool
	read    map[int][]bool // lines by file
	Tokens  int
}

func NewReader(c *Corpus, needs []index.Ref, how reading) *reader {
	return &reader{corpus: c, reading: how, needs: needs, seen: map[index.Ref]bool{}, read: map[int][]bool{}}
}

// show notes a text that was read and what of the needed it holds.
func (r *reader) show(text string, tokens int) {
	r.Tokens += tokens
	for _, need := range r.needs {
		if heldIn(text, r.corpus.text(need)) {
			r.seen[need] = true
		}
	}
}

func (r *reader) done() bool { return len(r.seen) == len(r.needs) }

// follow takes steps as long as something is missing.
func (r *reader) follow(steps []Step) {
	for _, s := range steps {
		if r.done() {
			return
		}
		r.Take(s)
	}
}

func (r *reader) Take(s Step) {
	f := r.corpus.Files[s.File]
	read := r.read[s.File]
	if read == nil {
		read = make([]bool, len(f.Lines))
		r.read[s.File] = read
	}
	for _, at := range s.At {
		from, to := r.reading(at[0], at[1], len(f.Lines))
		for n := max(0, from); n < min(len(f.Lines), to); n++ {
			if !read[n] {
				read[n] = true
				r.Tokens += r.corpus.Count(fmt.Sprintf("%d\t%s\n", n+1, f.Lines[n]))
			}
		}
	}
	for _, need := range r.needs {
		if need.File.Path == f.Path && half(read, need) {
			r.seen[need] = true
		}
	}
}

func (r *reader) cost() benchCost { return benchCost{r.Tokens, !r.done()} }

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
