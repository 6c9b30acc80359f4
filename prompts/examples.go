package prompts

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"
	"unicode/utf8"
)

// The sets of calibration examples.
const (
	DecomposeSet     = "decompose"
	DecompositionSet = "decomposition_verification"
	AgentOutputSet   = "agent_output_verification"
	SynthesisSet     = "synthesis_verification"
)

// exampleTokens is the most that one example may take when nobody says.
const exampleTokens = 200

//go:embed examples/*.json
var exampleFiles embed.FS

// An Example shows a model which scores a piece of work deserves. Its body keeps the keys that the file has.
type Example struct {
	ID         string
	Complexity string
	Scores     map[string]float64
	Overall    float64
	Body       string // compact JSON
}

// Examples are calibration examples by set.
type Examples map[string][]Example

// ExampleOptions choose the examples.
type ExampleOptions struct {
	Path  string // external file; "" for none
	Merge bool   // the file's examples come before the built-in ones instead of in their place

	MaxTokens int  // of one example of the file; 0 means 200
	Edges     bool // examples whose score is near a threshold come first

	Thresholds Thresholds // the zero value stands for the usual ones
}

// LoadExamples returns the built-in examples, changed by an external file if there is one. A missing file and examples
// that lack fields are warnings; a file that is no JSON is an error.
func LoadExamples(o ExampleOptions) (set Examples, warnings []string, err error) {
	if set, err = builtinExamples(); err != nil {
		return nil, nil, err
	}
	if o.Edges {
		defer func() { set.edgesFirst(cmp.Or(o.Thresholds, usualThresholds)) }()
	}
	if o.Path == "" {
		return set, nil, nil
	}
	data, err := os.ReadFile(o.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return set, []string{fmt.Sprintf("calibration examples: %s does not exist; the built-in ones are used", o.Path)}, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read calibration examples: %w", err)
	}
	external, warnings, err := parseExamples(data, cmp.Or(o.MaxTokens, exampleTokens))
	if err != nil {
		return nil, nil, fmt.Errorf("calibration examples in %s: %w", o.Path, err)
	}
	for name, list := range external {
		if o.Merge {
			list = append(list, set[name]...)
		}
		set[name] = list
	}
	return set, warnings, nil
}

func builtinExamples() (Examples, error) {
	set := Examples{}
	for _, name := range []string{DecomposeSet, DecompositionSet, AgentOutputSet, SynthesisSet} {
		data, err := exampleFiles.ReadFile("examples/" + name + ".json")
		if err != nil {
			return nil, fmt.Errorf("read examples: %w", err)
		}
		one, warnings, err := parseExamples(data, exampleTokens)
		if err != nil || len(warnings) > 0 {
			return nil, fmt.Errorf("built-in examples %s: %v %w", name, warnings, err)
		}
		set[name] = one[name]
	}
	return set, nil
}

// parseExamples reads a file of sets. Entries without scores are left out with a warning; complexity and why are
// optional.
func parseExamples(data []byte, longest int) (Examples, []string, error) {
	var raw map[string][]json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, nil, fmt.Errorf("must be a JSON object of lists: %w", err)
	}
	set, warnings := Examples{}, []string(nil)
	for name, entries := range raw {
		if !slices.Contains([]string{DecomposeSet, DecompositionSet, AgentOutputSet, SynthesisSet}, name) {
			warnings = append(warnings, fmt.Sprintf("calibration examples: unknown set %q is ignored", name))
			continue
		}
		for i, entry := range entries {
			e, problem := parseExample(name, entry)
			if problem != "" {
				warnings = append(warnings, fmt.Sprintf("calibration examples: entry %d of %s is left out: %s", i+1, name, problem))
				continue
			}
			if n := (utf8.RuneCountInString(e.Body) + 3) / 4; n > longest {
				warnings = append(warnings, fmt.Sprintf("calibration examples: entry %d of %s is left out: it takes about %d tokens, more than %d", i+1, name, n, longest))
				continue
			}
			if e.ID == "" {
				e.ID = fmt.Sprintf("X%d", i+1)
			}
			set[name] = append(set[name], e)
		}
	}
	slices.Sort(warnings)
	return set, warnings, nil
}

// required are the fields of each set's entries.
var required = map[string][]string{
	DecomposeSet:     {"query", "decomposition"},
	DecompositionSet: {"query", "decomposition", "expected_scores"},
	AgentOutputSet:   {"subgoal", "agent_response", "expected_scores"},
	SynthesisSet:     {"agent_summaries", "synthesis", "expected_scores"},
}

func parseExample(set string, entry json.RawMessage) (e Example, problem string) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(entry, &fields) != nil {
		return e, "it is no object"
	}
	for _, name := range required[set] {
		if len(fields[name]) == 0 {
			return e, name + " is missing"
		}
	}
	var known struct {
		ID         string             `json:"id"`
		Complexity string             `json:"complexity"`
		Scores     map[string]float64 `json:"expected_scores"`
		Overall    float64            `json:"overall_score"`
	}
	if err := json.Unmarshal(entry, &known); err != nil {
		return e, "a field has the wrong type"
	}
	for name, s := range known.Scores {
		if s < 0 || s > 1 || math.IsNaN(s) {
			return e, fmt.Sprintf("the score of %s is not between 0 and 1", name)
		}
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, entry); err != nil {
		return e, "it is no JSON"
	}
	return Example{ID: known.ID, Complexity: strings.ToLower(known.Complexity), Scores: known.Scores, Overall: known.Overall, Body: compact.String()}, ""
}

// edgesFirst orders the examples by how near their score is to a threshold, where judging is hardest. Those without a
// score keep their order behind them.
func (s Examples) edgesFirst(t Thresholds) {
	for _, list := range s {
		slices.SortStableFunc(list, func(a, b Example) int { return cmp.Compare(a.edge(t), b.edge(t)) })
	}
}

// edge is the distance of the score to the nearest threshold.
func (e Example) edge(t Thresholds) float64 {
	if e.Overall == 0 {
		return 1
	}
	nearest := 1.0
	for _, score := range []float64{t.Retry, t.Pass, t.Pattern} {
		nearest = min(nearest, math.Abs(e.Overall-score))
	}
	return nearest
}

// Pick returns n examples of a set: those of the level first, weak and strong ones in turn, as they are listed.
func (s Examples) Pick(set, level string, n int) []string {
	var picked []string
	for _, own := range []bool{true, false} {
		for _, e := range s[set] {
			if len(picked) < n && (e.Complexity == strings.ToLower(level)) == own {
				picked = append(picked, e.Body)
			}
		}
	}
	return picked
}
