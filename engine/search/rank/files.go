package rank

import (
	"cmp"
	_ "embed"
	"math"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/index"
)

const (
	rankedFiles  = 40 // files beyond stay behind them, in the order of the rules
	bestOfFile   = 3
	leastByRules = 1e-3
)

//go:embed files.json
var fileModel []byte

// A group is a file with those of its chunks that words or meaning propose.
type group struct {
	file  *index.File
	list  []*Candidate // best first, by what functions are known for
	acts  []float64    // what ActionFeatures say for them
	best  *Candidate   // by the rules
	final float64      // its score
	order fileOrder    // nothing for a file that is left to the rules
}

// A fileOrder is what orders a file among those that FileFeatures rank.
type fileOrder struct {
	features   *[8]float64
	share      float64 // of the best file's score
	best, wide float64 // the best file's sum, and the width of the model
	top        float64 // the best score by the rules
}

// gather are the chunks of each file, files in the order of the rules.
func gather(candidates []*Candidate) []*group {
	byFile := map[*index.File]*group{}
	var list []*group
	for _, c := range candidates {
		if c.Record != nil || c.Tier != ByText || c.certain > 0 {
			continue
		}
		g := byFile[c.Ref.File]
		if g == nil {
			g = &group{file: c.Ref.File, best: c}
			byFile[c.Ref.File] = g
			list = append(list, g)
		}
		g.list = append(g.list, c)
		c.group = g
		if c.Final > g.best.Final {
			g.best = c
		}
	}
	for _, g := range list {
		g.final = g.best.Final
	}
	slices.SortFunc(list, func(a, b *group) int {
		return cmp.Or(cmp.Compare(b.final, a.final), strings.Compare(a.file.Abs, b.file.Abs))
	})
	return list
}

// rankFiles gives the best files by the rules another order, by the weights of FileFeatures. The fewer words a
// question has, the less. Each file keeps how its chunks' scores relate to each other. Documents are left to the rules: no question that weights were fitted to means one.
func rankFiles(r *Ranking, groups []*group) {
	groups = slices.DeleteFunc(slices.Clone(groups), func(g *group) bool { return r.kinds.of(g.file) == codebase.DocumentFiles })
	if r.vague || r.Nearness == nil || len(groups) < 2 {
		return
	}
	ranked := groups[:min(rankedFiles, len(groups))]
	features := fileFeatures(r, ranked)
	observeFiles(r, ranked, features)
	m, best := files(), math.Inf(-1)
	sums := make([]float64, len(ranked))
	for i := range ranked {
		for k, f := range features[i] {
			sums[i] += m.weights[k] * f
		}
		best = max(best, sums[i])
	}
	top, least, wordy := groups[0].final, 1.0, r.wordy()
	for i, g := range ranked {
		share := math.Exp((sums[i] - best) / m.width)
		if top > 0 { // a list of two names is nearly as the rules have it
			share = math.Pow(share, wordy) * math.Pow(g.final/top, 1-wordy)
		}
		least = min(least, share)
		g.order = fileOrder{&features[i], share, best, m.width, top}
		g.scale(top * share)
	}
	if beyond := groups[len(ranked):]; len(beyond) > 0 {
		behind := least * top / max(beyond[0].final, leastByRules)
		for _, g := range beyond {
			g.scale(g.final * min(1, behind))
		}
	}
}

// scale gives the file's best chunk a score and the others as much of it as they had of the best one's.
func (g *group) scale(score float64) {
	if g.final > 0 {
		for _, c := range g.list {
			c.Final *= score / g.final
		}
	}
}

// fileFeatures are the figures of FileFeatures for each file.
func fileFeatures(r *Ranking, groups []*group) [][8]float64 {
	whole := make([]float64, len(groups))
	for i, g := range groups {
		whole[i] = r.Nearness(g.file)
	}
	least, most := slices.Min(whole), slices.Max(whole)
	list := make([][8]float64, len(groups))
	for i, g := range groups {
		f := &list[i]
		f[0] = math.Log(max(g.final/tierSpan[ByText], leastByRules))
		f[1] = meanOfBest(g.acts, bestOfFile)
		if most > least {
			f[2] = (whole[i] - least) / (most - least)
		}
		f[3] = g.best.Similarity
		f[4] = r.unaskedShare(g.best)
		f[5], f[6], f[7] = g.best.file.name, g.best.file.cover, g.best.file.score
	}
	return list
}

// meanOfBest is the mean of the n highest values; those that lack count as 0.
func meanOfBest(values []float64, n int) float64 {
	values = slices.Clone(values)
	slices.SortFunc(values, func(a, b float64) int { return cmp.Compare(b, a) })
	sum := 0.0
	for _, v := range values[:min(n, len(values))] {
		sum += v
	}
	return sum / float64(n)
}

// An ObservedFile is a file with its figures, for who fits weights.
type ObservedFile struct {
	File     *index.File
	Features [8]float64 // of FileFeatures
}

func observeFiles(r *Ranking, groups []*group, features [][8]float64) {
	if r.Observe.Files == nil {
		return
	}
	list := make([]ObservedFile, len(groups))
	for i, g := range groups {
		list[i] = ObservedFile{g.file, features[i]}
	}
	r.Observe.Files(list)
}
