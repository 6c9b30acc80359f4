package claims

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// A Source is a snippet that an answer may cite.
type Source struct {
	ID    string `json:"id,omitempty"` // S1, S2, ... in this query
	Key   string `json:"key"`          // of the snippet, in the library
	Path  string `json:"path,omitempty"`
	Line  int    `json:"line,omitempty"`  // that people are shown, one-based; 0 when unknown
	First int    `json:"first,omitempty"` // line of the text; 0 means Line
	Last  int    `json:"last,omitempty"`
	Name  string `json:"name,omitempty"`
	Text  string `json:"text,omitempty"`

	Pattern bool `json:"pattern,omitempty"` // an earlier answer that passed well and is often used: a template for plans
}

// Covers reports whether a one-based line of the file is in the snippet.
func (s Source) Covers(line int) bool {
	return line >= min(s.Line, cmp.Or(s.First, s.Line)) && line <= max(s.Line, s.Last)
}

// A Report is what an answer says, held against its sources.
type Report struct {
	Total     int // sentences that say something about the code
	Supported int // those whose sources hold what they name
	Problems  []Problem

	judged map[string]bool // sentences that count, with whether they are supported
}

// A Problem is something that code, not a model, found wrong.
type Problem struct {
	Check     string // completeness, traceable, ...
	Message   string
	Unsourced bool // a statement cites nothing
}

// Grounds hold what a text says of code against the workspace.
type Grounds interface {
	// Contradicted returns for each of the texts what the workspace says against it, "" for nothing.
	Contradicted(ctx context.Context, s Statements) ([]string, error)
}

// Statements are sentences about code.
type Statements struct {
	Query     string   `json:"query"` // what they are about; what it names need not exist
	Texts     []string `json:"texts"`
	NamesOnly bool     `json:"namesOnly,omitempty"` // they are no statements: only the names, files and lines in them count
}

// WithoutCitations is a text without its marks.
func WithoutCitations(s string) string { return citationMark.ReplaceAllString(s, "") }

// Denies reports whether a sentence has a negation.
func Denies(s string) bool { return negation.MatchString(s) }

// Proposes reports whether a sentence is about what may not be there yet.
func Proposes(s string) bool { return proposal.MatchString(s) }

// Hold holds a text against the sources that it cites, and then against the workspace, if there is one. The error is that of
// the grounds.
func Hold(ctx context.Context, g Grounds, text, question string, sources []Source) (Report, error) {
	r := Check(text, question, sources)
	list := sentences(text)
	list = list[:min(len(list), mostCompared)]
	if g == nil || len(list) == 0 {
		return r, nil
	}
	wrong, err := g.Contradicted(ctx, Statements{Query: question, Texts: list})
	if err != nil {
		return r, err
	}
	for i, problem := range wrong {
		if problem != "" {
			r.contradicted(list[i], problem)
		}
	}
	return r, nil
}

// contradicted notes what the workspace says against a sentence.
func (r *Report) contradicted(sentence, problem string) {
	supported, counts := r.judged[sentence]
	if supported {
		r.Supported--
	}
	if !counts {
		r.Total++
	}
	r.judged[sentence] = false
	r.Problems = append(r.Problems, Problem{Check: "traceable", Message: problem + ": " + Excerpt(sentence)})
}

// Checked reports whether nothing is known to be wrong about any claim.
func (r Report) Checked() bool { return len(r.Problems) == 0 }

// Share is the part of the claims that their sources hold, 0 without claims.
func (r Report) Share() float64 {
	if r.Total == 0 {
		return 0
	}
	return float64(r.Supported) / float64(r.Total)
}

var (
	citationMark = lazyregexp.New(`\[(S\d+(?:\s*,\s*S\d+)*)\]`)
	sourceID     = lazyregexp.New(`S\d+`)
	fenced       = lazyregexp.New("(?ms)^[ \t]*```.*?(?:^[ \t]*```[ \t]*$|\\z)")
	sentenceEnd  = lazyregexp.New(`[.!?](?:\s*\[S\d+[^\]]*\])*(?:\s+|$)`)
	backticked   = lazyregexp.New("`([^`]+)`")
	word         = lazyregexp.New(`[\p{L}\p{N}_]+`)
	bareName     = lazyregexp.New(`\b(?:[a-z][a-z0-9]+[A-Z]\w*|[A-Za-z]\w*_\w+|[A-Za-z_]\w*\(\))`)
	placeName    = lazyregexp.New(`([\w./-]*\w\.[a-zA-Z]\w*)(?::(\d+))?`)
	longNumber   = lazyregexp.New(`\b\d{3,}\b`)
	negation     = lazyregexp.New(`(?i)\b(?:no|not|none|never|nothing|neither|nor|without|unknown|unclear|missing)\b|n't\b`)
	proposal     = lazyregexp.New(`(?i)\b(?:should|could|would|add|new|introduce|create|propose|recommend|suggest|need|needs|let|consider|rename|replace|if)\b`)
)

// Check holds each sentence of an answer against the sources that it cites: they must exist, and hold the names,
// places and figures of the sentence. A sentence that names code without a source is a problem, too, unless it denies
// or proposes something.
func Check(answer, query string, sources []Source) Report {
	c := check{Report: Report{judged: map[string]bool{}}, query: query, sources: sources}
	if len(answer) > longestAnswer {
		c.fault("the text has %d bytes, of which the first %d were checked", len(answer), longestAnswer)
		answer = strings.ToValidUTF8(answer[:longestAnswer], "")
	}
	list := sentences(answer)
	for _, sentence := range list {
		c.sentence(sentence)
	}
	c.contradictions(list[:min(len(list), mostCompared)])
	return c.Report
}

// longestAnswer is the size in bytes of the longest text whose claims are all checked.
const longestAnswer = 64 << 10

// mostCompared is the number of sentences of which each is compared with each.
const mostCompared = 200

type check struct {
	Report
	query   string
	sources []Source
}

func (c *check) fault(format string, args ...any) {
	c.Problems = append(c.Problems, Problem{Check: "traceable", Message: fmt.Sprintf(format, args...)})
}

func (c *check) sentence(s string) {
	names := namesIn(s)
	cited, known := c.cited(s)
	if len(cited) == 0 && len(names) == 0 {
		return
	}
	c.Total++
	before := len(c.Problems)
	if len(known) < len(cited) {
		for _, id := range cited {
			if !slices.ContainsFunc(known, func(k Source) bool { return k.ID == id }) {
				c.fault("%s is cited and does not exist: %s", id, Excerpt(s))
			}
		}
	}
	if len(cited) == 0 {
		c.uncited(s, names)
	} else if len(known) == len(cited) {
		c.supported(s, names, known)
	}
	supported := len(c.Problems) == before && len(cited) > 0
	if supported {
		c.Supported++
	}
	c.judged[s] = supported
}

// cited returns the ids that a sentence cites, and those of them that exist.
func (c *check) cited(s string) (ids []string, known []Source) {
	for _, mark := range citationMark.FindAllString(s, -1) {
		for _, id := range sourceID.FindAllString(mark, -1) {
			if slices.Contains(ids, id) {
				continue
			}
			ids = append(ids, id)
			if at := slices.IndexFunc(c.sources, func(k Source) bool { return k.ID == id }); at >= 0 {
				known = append(known, c.sources[at])
			}
		}
	}
	return ids, known
}

// uncited looks at a sentence that names code and cites nothing.
func (c *check) uncited(s string, names []string) {
	if negation.MatchString(s) || proposal.MatchString(s) {
		return
	}
	for _, name := range names {
		if !HasWord(c.query, name) {
			c.fault("`%s` is named without a source: %s", name, Excerpt(s))
			c.Problems[len(c.Problems)-1].Unsourced = true
			return
		}
	}
}

// supported looks for what the cited sources do not hold.
func (c *check) supported(s string, names []string, known []Source) {
	denies := negation.MatchString(s)
	for _, name := range names {
		if anyHolds(known, name) || denies && (HasWord(c.query, name) || anyHolds(c.sources, name)) {
			continue
		}
		c.fault("the cited source does not hold `%s`: %s", name, Excerpt(s))
		return
	}
	text := citationMark.ReplaceAllString(s, "")
	for _, m := range placeName.FindAllStringSubmatch(text, -1) {
		if m[2] != "" && !anyCovers(known, m[1], m[2]) {
			c.fault("the cited source is not at %s: %s", m[0], Excerpt(s))
			return
		}
	}
	text = placeName.ReplaceAllString(text, "")
	for _, n := range longNumber.FindAllString(text, -1) {
		if !anyHolds(known, n) && !HasWord(c.query, n) && !isLineOf(known, n) && !isMultiple(n, text, known) {
			c.fault("the cited source does not hold the figure %s: %s", n, Excerpt(s))
			return
		}
	}
	_ = c.figures(text, known) && c.quotations(s, known) && c.expressions(s, known) && c.paths(s)
}

// sentences cuts prose; code blocks and headings are left out. A citation after a full stop belongs to what is before.
func sentences(text string) []string {
	text = fenced.ReplaceAllString(text, "\n")
	var list []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		line = strings.TrimLeft(line, "-*>|0123456789. \t")
		for line != "" {
			end := len(line)
			if at := sentenceEnd.FindStringIndex(line); at != nil {
				end = at[1]
			}
			if s := strings.TrimSpace(line[:end]); s != "" && !strings.HasSuffix(s, ":") {
				list = append(list, s)
			}
			line = line[end:]
		}
	}
	return list
}

// literals are values that any language has: they name nothing.
var literals = []string{"true", "false", "nil", "null", "None", "True", "False", "undefined"}

// namesIn returns the names of code in a sentence: what stands in backticks, and words that only code has. Of a
// qualified name each part counts.
func namesIn(s string) []string {
	var names []string
	add := func(text string) {
		for _, w := range word.FindAllString(text, -1) {
			if len(w) > 1 && !slices.Contains(literals, w) && !slices.Contains(names, w) {
				names = append(names, w)
			}
		}
	}
	s = citationMark.ReplaceAllString(s, "")
	for _, m := range backticked.FindAllStringSubmatch(s, -1) {
		if place := placeName.FindStringSubmatch(m[1]); place != nil && place[0] == m[1] && strings.ContainsAny(m[1], "/:") {
			continue // a place, looked at by itself
		}
		add(m[1])
	}
	s = placeName.ReplaceAllString(backticked.ReplaceAllString(s, ""), "")
	for _, name := range bareName.FindAllString(s, -1) {
		if len(name) > 5 {
			add(name)
		}
	}
	return names
}

// anyHolds reports whether one of the sources has the word, in its text, name or path.
func anyHolds(sources []Source, name string) bool {
	return slices.ContainsFunc(sources, func(s Source) bool {
		return HasWord(s.Text, name) || HasWord(s.Name, name) || HasWord(s.Path, name)
	})
}

// anyCovers reports whether one of the sources is at path and has the line.
func anyCovers(sources []Source, path, line string) bool {
	n, err := strconv.Atoi(line)
	return err == nil && slices.ContainsFunc(sources, func(s Source) bool {
		here := s.Path == path || strings.HasSuffix(s.Path, "/"+path)
		return here && s.Line > 0 && s.Covers(n) || HasWord(s.Text, path+":"+line)
	})
}

func isLineOf(sources []Source, number string) bool {
	n, err := strconv.Atoi(number)
	return err == nil && slices.ContainsFunc(sources, func(s Source) bool { return s.Covers(n) })
}

// Excerpt is a sentence as a message quotes it, at most about 100 characters.
func Excerpt(s string) string {
	const most = 100
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// CheckCited looks for what a sentence says and the one source that it cites does not hold; sources are all that there are.
// What the question names needs no source.
func CheckCited(sentence, question string, cited Source, sources []Source) []Problem {
	c := check{query: question, sources: sources}
	names := slices.DeleteFunc(namesIn(sentence), func(name string) bool { return HasWord(question, name) })
	c.supported(sentence, names, []Source{cited})
	return c.Problems
}

// Cited are the sources that a text cites.
func Cited(text string, sources []Source) []Source {
	marks := citationMark.FindAllString(text, -1)
	return slices.DeleteFunc(slices.Clone(sources), func(s Source) bool {
		return !slices.ContainsFunc(marks, func(mark string) bool { return HasWord(mark, s.ID) })
	})
}
