package rank

import (
	"math"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/internal/text"
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

// actionWeights weigh what is known of a chunk for a question that says what code does. Such a question means a function wherever
// it stands, where others mean a file or a part of the program. The weights are those of a conditional logit model (McFadden 1974), by
// which the probability that a candidate is meant is the softmax of its sum: fitted to first sentences of comments and subjects of
// commits of 94 repositories, as docs/search.md says.
var actionWeights = struct {
	words     float64 // keyword score as a share of the best one
	covered   float64 // share of the question that the chunk holds
	name      float64 // share of the name's words that stand in the question
	wholeName float64 // the same times the share of the question that stands in the name
	meaning   float64 // where its cosine lies between the least and the best
	lines     float64 // the logarithm of the lines, up to actionLines of them, as a share of that
	function  float64 // is a function or a method
	class     float64 // is a type
	remainder float64 // lies between definitions
	document  float64 // is a document, and none was asked for
	test      float64 // is a test, and none was asked for
	other     float64 // is generated, vendored or an example, and none was asked for
}{
	words: 2.36, covered: 2.45, name: 1.1, wholeName: 2.11, meaning: 3.87, lines: 0.64,
	function: 3.57, class: 2.53, remainder: -1.87, document: -3.44, test: -4.66, other: -3.77,
}

const actionLines = 128

// actionMiddle and actionWidth put the sums where the scores of other questions lie: the best one of half of the questions is above
// 0.74 by both.
const (
	actionMiddle = 9.45
	actionWidth  = 2
)

// coverOf is the share of the question that stands in a name.
func (r *Ranking) coverOf(name string) float64 {
	var held []string
	for _, token := range text.Tokenize(name) {
		if term, ok := r.forms[token]; ok {
			held = append(held, term)
		}
	}
	return r.share(held)
}

// scoreAction is the score, 0..1, of a chunk for a question that says what code does.
func (r *Ranking) scoreAction(c *Candidate) float64 {
	k, w := c.Ref.Chunk(), &actionWeights
	sum := w.words*c.Normalised + w.covered*c.Coverage + c.asked*(w.name+w.wholeName*r.coverOf(k.Name))
	sum += w.lines * min(1, math.Log2(float64(k.EndLine-k.StartLine+1))/math.Log2(actionLines))
	if !r.vague {
		sum += w.meaning * c.Similarity
	}
	switch k.Type {
	case chunk.Function, chunk.Method:
		sum += w.function
	case chunk.Class:
		sum += w.class
	}
	if isRemainder(k) {
		sum += w.remainder
	}
	switch r.unasked(c) {
	case "":
	case codebase.TestCode:
		sum += w.test
	case codebase.DocumentFiles:
		sum += w.document
	default:
		sum += w.other
	}
	return c.declared() / (1 + math.Exp((actionMiddle-sum)/actionWidth))
}
