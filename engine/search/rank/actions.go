package rank

import (
	_ "embed"
	"encoding/json"
	"math"
	"strings"
	"sync"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
)

// describesAction reports whether a question says what code does, as the documentation of a function and the subject of a
// commit do: "parse the header of a request", "Returns the number of retries". It begins with a verb that is no noun, too.
func describesAction(words string) bool {
	first, rest, _ := strings.Cut(strings.TrimSpace(words), " ")
	if strings.TrimSpace(rest) == "" {
		return false
	}
	first = strings.ToLower(strings.TrimRight(first, ",;:"))
	if verbs[first] {
		return true
	}
	base, third := strings.CutSuffix(first, "s")
	if !third {
		return false
	}
	for _, verb := range []string{base, strings.TrimSuffix(base, "e"), strings.TrimSuffix(base, "ie") + "y"} { // parses, fetches, copies
		if verbs[verb] || thirdPerson[verb] {
			return true
		}
	}
	return false
}

// asksHow reports whether a question is about how something is done, where it is, or why: "how are redirects followed", "parsing
// of headers". Documentation of a function hardly ever begins so.
func asksHow(words string) bool {
	first, rest, _ := strings.Cut(strings.TrimSpace(words), " ")
	if strings.TrimSpace(rest) == "" {
		return false
	}
	first = strings.ToLower(strings.TrimRight(first, ",;:"))
	return questionWords[first] || len(first) > 5 && strings.HasSuffix(first, "ing") && !noGerunds[first]
}

var (
	questionWords = codebase.WordSet("how where what why which who whose")
	noGerunds     = codebase.WordSet("string during according spring nothing something anything everything")
)

// A Model weighs features: a conditional logit model (McFadden 1974), by which the probability that a candidate is meant is the
// softmax of its sum. Of chunks, Middle and Width put the sums where the scores of other questions lie: the best one of half of the
// questions is above 0.74 by both. Of files, a score falls by the factor e with each Width that the sum lies below the best one's.
type Model struct {
	Weights map[string]float64 `json:"weights"`
	Middle  float64            `json:"middle,omitempty"`
	Width   float64            `json:"width,omitempty"`
}

//go:embed actions.json
var actionModel []byte

type modelWeights struct {
	weights       []float64 // of the features, in their order
	middle, width float64
}

// actions, files and within are the models in the program. "aurora-train rank", "aurora-train files" and "aurora-train within" write
// their files, as docs/search.md says.
var (
	actions = onceModel(&actionModel, ActionFeatures)
	files   = onceModel(&fileModel, FileFeatures)
	within  = onceModel(&withinModel, ActionFeatures)
)

func onceModel(text *[]byte, features []Feature) func() modelWeights {
	return sync.OnceValue(func() modelWeights {
		var m Model
		if err := json.Unmarshal(*text, &m); err != nil {
			panic(err) // the file is part of the program
		}
		w := modelWeights{middle: m.Middle, width: m.Width}
		for _, f := range features {
			w.weights = append(w.weights, m.Weights[f.Name])
		}
		return w
	})
}

const actionLines = 128

// lineShare is the logarithm of the chunk's lines as a share of that of most lines, 1 at most.
func lineShare(k *chunk.Chunk, most float64) float64 {
	return min(1, math.Log2(float64(k.EndLine-k.StartLine+1))/math.Log2(most))
}

// coverOf is the share of the question that stands in a name.
func (r *Ranking) coverOf(name string) float64 {
	held := make([]string, 0, 16)
	eachToken(name, func(token []byte) {
		if term, ok := r.forms[string(token)]; ok {
			held = append(held, term)
		}
	})
	return r.share(held)
}

// actionFeatures are the figures of ActionFeatures.
func (r *Ranking) actionFeatures(c *Candidate) (f [12]float64) {
	k := c.Ref.Chunk()
	f[0], f[1], f[2] = c.Normalised, c.Coverage, c.asked
	if c.asked > 0 {
		f[3] = c.asked * r.coverOf(k.Name)
	}
	if !r.vague {
		f[4] = c.Similarity
	}
	f[5] = lineShare(k, actionLines)
	switch k.Type {
	case chunk.Function, chunk.Method:
		f[6] = 1
	case chunk.Class:
		f[7] = 1
	}
	if isRemainder(k) {
		f[8] = 1
	}
	switch r.unasked(c) {
	case "":
	case codebase.DocumentFiles:
		f[9] = 1
	case codebase.TestCode:
		f[10] = 1
	default:
		f[11] = r.unaskedShare(c)
	}
	return f
}

// scoreAction is the score, 0..1, of a chunk for a question that says what code does.
func (r *Ranking) scoreAction(c *Candidate) float64 {
	m := actions()
	return c.declared() / (1 + math.Exp((m.middle-m.sum(r.actionFeatures(c)))/m.width))
}

// sum weighs the figures of ActionFeatures.
func (m *modelWeights) sum(features [12]float64) float64 {
	sum := 0.0
	for i, f := range features {
		sum += m.weights[i] * f
	}
	return sum
}

// An Observed is a candidate with its figures, for who fits weights.
type Observed struct {
	Ref      index.Ref
	Features [12]float64 // of ActionFeatures
}

// observe tells of the chunks that words and meaning propose for a question that says what code does.
func (r *Ranking) observe(candidates []*Candidate) {
	if r.Observe.Chunks == nil || !r.action {
		return
	}
	var list []Observed
	for _, c := range candidates {
		if c.Record == nil && c.Tier == ByText {
			list = append(list, Observed{c.Ref, r.actionFeatures(c)})
		}
	}
	r.Observe.Chunks(list)
}
