package eval

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/index"
)

// A LiteralRun says how well string literals are found by their text.
type LiteralRun struct {
	Repos  []string      `json:"repos"`
	Exact  LiteralFigure `json:"exact"`  // the literal itself, without its quotes
	Filled LiteralFigure `json:"filled"` // literals with verbs or interpolations, as a program would print them
	CPU    Latency       `json:"cpu_ms"` // of a search
}

// A LiteralFigure counts at which rank the chunk comes that holds the literal.
type LiteralFigure struct {
	Queries int      `json:"queries"`
	First   int      `json:"first"`
	Top10   int      `json:"top10"`
	Missed  []string `json:"missed,omitempty"`
}

// A literal is a string of a program.
type literal struct {
	text string
	id   string // of the chunk that holds it
}

// minLiteralWords is how many words a literal must have outside of its verbs.
const minLiteralWords = 3

var (
	literalForm = regexp.MustCompile(`"((?:[^"\\\n]|\\.)+)"|'((?:[^'\\\n]|\\.)+)'`)
	verbForm    = regexp.MustCompile(`%[-+# 0-9.]*[sdvqwxfgtuic]|\$\{[^{}]*\}|#\{[^{}]*\}|\{[^{}\s"]*\}`)
	wordForm    = regexp.MustCompile(`\pL{2,}`)
)

// programming are the languages whose literals are drawn.
var programming = map[string]bool{
	"go": true, "python": true, "javascript": true, "typescript": true, "tsx": true, "java": true, "kotlin": true, "rust": true, "c": true,
	"cpp": true, "csharp": true, "ruby": true, "php": true, "swift": true, "scala": true,
}

// Literals draws literals at random from each repository below dir and searches for them: each in those words, and each
// that has verbs with something in their place.
func Literals(ctx context.Context, dir string, repos []string, each int, seed uint64, o Options) (*LiteralRun, error) {
	run := &LiteralRun{Repos: repos}
	rng := rand.New(rand.NewPCG(seed, 1))
	var cpu []float64
	for _, repo := range repos {
		w, err := openWorkspace(ctx, filepath.Join(dir, repo), o)
		if err != nil {
			return nil, err
		}
		exact, filled := drawLiterals(w.index, rng, each)
		for _, l := range exact {
			cpu = append(cpu, run.Exact.ask(ctx, w, repo, l.text, l))
		}
		for _, l := range filled {
			query := verbForm.ReplaceAllStringFunc(l.text, func(string) string { return filling(rng) })
			cpu = append(cpu, run.Filled.ask(ctx, w, repo, query, l))
		}
		if err := errors.Join(ctx.Err(), w.close()); err != nil {
			return nil, err
		}
	}
	slices.Sort(cpu)
	run.CPU = Latency{P50: percentile(cpu, 0.5), P95: percentile(cpu, 0.95)}
	return run, nil
}

// ask searches and returns how much CPU that took, in milliseconds.
func (f *LiteralFigure) ask(ctx context.Context, w *workspace, repo, query string, l literal) float64 {
	before := cpuTime()
	r, err := w.engine.Search(ctx, engine.SearchRequest{Query: query, Limit: 10})
	took := cpuTime() - before
	f.Queries++
	rank := -1
	if err == nil {
		rank = slices.IndexFunc(r.Hits, func(h engine.Hit) bool { return h.ID == l.id })
	}
	if rank >= 0 {
		f.Top10++
	}
	if rank == 0 {
		f.First++
	} else {
		f.Missed = append(f.Missed, fmt.Sprintf("%s: %q, rank %d, %s", repo, query, rank+1, l.id))
	}
	return took
}

// cpuTime is what this process has used, in milliseconds.
func cpuTime() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e6
}

// drawLiterals returns literals that stand in the repository once: some at random, and some of those with verbs.
func drawLiterals(x *index.Index, rng *rand.Rand, each int) (exact, filled []literal) {
	var all []literal
	counts := map[string]int{}
	var texts []string
	for f := range x.Snapshot().Files() {
		text, err := x.Text(f.Abs)
		if err != nil {
			continue
		}
		texts = append(texts, string(text))
		if !programming[f.Language] || f.Generated {
			continue
		}
		for _, m := range literalForm.FindAllSubmatchIndex(text, -1) {
			start, end := max(m[2], m[4]), max(m[3], m[5])
			ref, ok := x.Snapshot().At(f.Abs, start)
			t := string(text[start:end])
			if words := wordForm.FindAllString(verbForm.ReplaceAllString(t, " "), -1); ok && len(words) >= minLiteralWords && strings.Contains(t, " ") {
				all = append(all, literal{t, ref.ID()})
				counts[t]++
			}
		}
	}
	joined := strings.Join(texts, "\n")
	slices.SortFunc(all, func(a, b literal) int { return strings.Compare(a.id+a.text, b.id+b.text) })
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for _, l := range all {
		hasVerbs := verbForm.MatchString(l.text)
		if counts[l.text] > 1 || len(exact) >= each && (len(filled) >= each || !hasVerbs) || strings.Count(joined, l.text) != 1 {
			continue
		}
		if len(exact) < each {
			exact = append(exact, l)
		}
		if hasVerbs && len(filled) < each {
			filled = append(filled, l)
		}
	}
	return exact, filled
}

// filling is what a program might print for a verb: a number, a word, a name or a path.
func filling(rng *rand.Rand) string {
	word := func() string {
		letters := make([]byte, 3+rng.IntN(7))
		for i := range letters {
			letters[i] = byte('a' + rng.IntN(26))
		}
		return string(letters)
	}
	switch rng.IntN(4) {
	case 0:
		return fmt.Sprint(rng.IntN(100_000))
	case 1:
		return word()
	case 2:
		return word() + "_" + word()
	}
	return "/" + word() + "/" + word() + "/" + word() + ".txt"
}
