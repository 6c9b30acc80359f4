package engine

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/memory"
)

// A tier sorts candidates before their score does: an exact identifier is always first (C-104).
type tier int

const (
	byText tier = iota // words match
	folded             // the name is the query but for letter case
	exact              // the name is the query
)

// tierFloor and tierSpan map a candidate's score inside its tier to the final score: tiers never overlap, and a
// match by words alone stays below both.
var (
	tierFloor = [...]float64{byText: 0, folded: 0.85, exact: 0.9}
	tierSpan  = [...]float64{byText: 0.84, folded: 0.05, exact: 0.1}
)

// A candidate is something that a lane proposed and that was not read yet.
type candidate struct {
	ref    index.Ref   // a chunk, or
	record *memory.Hit // a memory record
	tier   tier
	name   string // the name that matched, when tier is not byText

	bm25     float64  // raw
	matched  []string // terms of the query that occur
	coverage float64  // 0..1: share of the query's content terms that occur
	demoted  string   // why the final score was lowered, "" when it was not
	final    float64  // 0..1
}

func (c *candidate) path() string {
	if c.record != nil {
		return c.record.SourceRef
	}
	return c.ref.File.Path
}

// ranking is what the scoring rules need to know of the query.
type ranking struct {
	terms  []string // content terms
	lower  string   // the query in lower case
	narrow bool     // the person asked for certain paths: no demotion, no saturation
}

// rank gives every candidate its final score and sorts them, best first. The order is total, so the same candidates
// always come out the same.
func (r *ranking) rank(candidates []*candidate) {
	top, topMemory := 0.0, 0.0
	for _, c := range candidates {
		if c.record == nil {
			top = max(top, c.bm25)
		} else {
			topMemory = max(topMemory, c.bm25)
		}
	}
	for _, c := range candidates {
		c.coverage = coverage(r.terms, c.matched)
		if c.record != nil {
			c.final = r.scoreRecord(c, topMemory)
		} else {
			c.final = r.scoreChunk(c, top)
		}
	}
	sortCandidates(candidates)
	if !r.narrow {
		saturate(candidates)
		sortCandidates(candidates)
	}
}

func sortCandidates(list []*candidate) {
	slices.SortStableFunc(list, func(a, b *candidate) int {
		if c := cmp.Compare(b.final, a.final); c != 0 {
			return c
		}
		if c := strings.Compare(a.path(), b.path()); c != 0 {
			return c
		}
		return cmp.Compare(a.ref.Index, b.ref.Index)
	})
}

// scoreChunk joins the raw BM25 score, normalised by the best one, with the share of the query that the chunk covers:
// a score that rests on one word of five is not worth much, however rare the word.
func (r *ranking) scoreChunk(c *candidate, top float64) float64 {
	score := normalised(c.bm25, top) * (0.5 + 0.5*c.coverage)
	score *= r.nameReward(c.ref.Chunk())
	score *= r.demotion(c)
	return tierFloor[c.tier] + tierSpan[c.tier]*min(1, score)
}

// scoreRecord treats a memory record like a chunk. Its raw score comes from another corpus, so it is normalised by
// the best record's. What people used lately and often gets a small bounded boost.
func (r *ranking) scoreRecord(c *candidate, top float64) float64 {
	score := normalised(c.bm25, top) * (0.4 + 0.6*c.coverage)
	return tierSpan[byText] * min(1, score+activationBoost(c.record.Activation)) * trust(c.record)
}

// activationBoost maps ACT-R's activation, a logarithm, to 0..0.2: late and bounded, never a gate. docs/memory.md has the
// measurements behind the 0.2.
func activationBoost(activation float64) float64 {
	return 0.2 * shownActivation.RecallProbability(activation)
}

func normalised(score, top float64) float64 {
	if top <= 0 {
		return 0.5 // a lane without scores
	}
	return score / top
}

// coverage is the share of terms that are among matched.
func coverage(terms, matched []string) float64 {
	if len(terms) == 0 {
		return 0
	}
	n := 0
	for _, t := range terms {
		if slices.Contains(matched, t) {
			n++
		}
	}
	return float64(n) / float64(len(terms))
}

// nameReward prefers definitions to remainders, and names all of whose words were asked for.
func (r *ranking) nameReward(c *chunk.Chunk) float64 {
	switch {
	case c.Type == chunk.Code && c.Kind != chunk.KindSection:
		return 0.85
	case c.Name != "" && len(r.terms) > 1 && coverage(contentTerms(c.Name), r.terms) == 1:
		return 1.25
	}
	return 1
}

// demotion lowers what people seldom look for, unless their query names it.
func (r *ranking) demotion(c *candidate) float64 {
	if r.narrow {
		return 1
	}
	sort, factor := sortOfFile(c.ref.File.Path)
	if sort == "" || r.asksFor(sort) {
		return 1
	}
	c.demoted = sort
	return factor
}

func (r *ranking) asksFor(sort string) bool {
	for _, word := range sortWords[sort] {
		if strings.Contains(r.lower, word) {
			return true
		}
	}
	return false
}

// sortWords are the words of a query that ask for a sort of file.
var sortWords = map[string][]string{
	"test code":      {"test", "spec", "mock", "fixture", "bench"},
	"generated code": {"generated", ".pb.", "zz_"},
	"vendored code":  {"vendor", "third_party", "node_modules"},
	"example code":   {"example", "sample", "demo"},
}

// sortOfFile tells test, generated, vendored and example files by their path, and how much they are demoted.
func sortOfFile(rel string) (sort string, factor float64) {
	rel = strings.ToLower(rel)
	base := path.Base(rel)
	switch {
	case hasFolder(rel, "vendor", "third_party", "thirdparty", "node_modules"):
		return "vendored code", 0.5
	case strings.Contains(base, ".pb.") || strings.HasPrefix(base, "zz_generated") || strings.Contains(base, "_generated.") ||
		strings.Contains(base, ".gen.") || strings.Contains(base, ".min."):
		return "generated code", 0.6
	case isTestFile(base) || hasFolder(rel, "test", "tests", "__tests__", "testdata", "spec", "fixtures"):
		return "test code", 0.7
	case hasFolder(rel, "example", "examples", "samples", "_examples"):
		return "example code", 0.8
	}
	return "", 1
}

func isTestFile(base string) bool {
	stem := strings.TrimSuffix(base, path.Ext(base))
	return strings.HasSuffix(stem, "_test") || strings.HasPrefix(stem, "test_") ||
		strings.HasSuffix(stem, ".test") || strings.HasSuffix(stem, ".spec") || stem == "conftest"
}

func hasFolder(rel string, names ...string) bool {
	folders := strings.Split(rel, "/")
	return slices.ContainsFunc(folders[:len(folders)-1], func(f string) bool { return slices.Contains(names, f) })
}

// perFile is how many hits one file may have before those of other files get the chance to come first.
const perFile = 3

// saturate lowers the text matches of a file beyond its first perFile ones.
func saturate(sorted []*candidate) {
	seen := map[string]int{}
	for _, c := range sorted {
		if c.record != nil {
			continue
		}
		if seen[c.ref.File.Abs]++; seen[c.ref.File.Abs] > perFile && c.tier == byText {
			c.final *= 0.7
		}
	}
}

// explanation says in words why a candidate is a hit (DSP-009).
func (r *ranking) explanation(c *candidate) string {
	var s string
	switch {
	case c.tier == exact:
		s = "exact keyword match on " + c.name
	case c.tier == folded:
		s = "name matches " + c.name + " in another letter case"
	case len(r.terms) == 0:
		s = "matches the filters"
	case c.record != nil && len(c.matched) == 0:
		s = "remembered about this place"
	case c.coverage >= 0.5:
		s = "strong term overlap"
	default:
		s = "partial match"
	}
	if c.tier == byText && len(c.matched) > 0 {
		s += " (" + strings.Join(c.matched[:min(6, len(c.matched))], ", ") + ")"
	}
	if c.demoted != "" {
		s += "; " + c.demoted + " comes later"
	}
	return s
}
