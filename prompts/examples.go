package prompts

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// The sets of calibration examples.
const (
	DecomposeSet     = "decompose"
	DecompositionSet = "decomposition_verification"
	AgentOutputSet   = "agent_output_verification"
	SynthesisSet     = "synthesis_verification"
)

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

// LoadExamples returns the examples that are part of the program.
func LoadExamples() (Examples, error) {
	set := Examples{}
	for _, name := range []string{DecomposeSet, DecompositionSet, AgentOutputSet, SynthesisSet} {
		data, err := exampleFiles.ReadFile("examples/" + name + ".json")
		if err != nil {
			return nil, fmt.Errorf("read examples: %w", err)
		}
		var entries map[string][]json.RawMessage
		if err := json.Unmarshal(data, &entries); err != nil {
			return nil, fmt.Errorf("examples %s: %w", name, err)
		}
		for _, entry := range entries[name] {
			e, err := parseExample(entry)
			if err != nil {
				return nil, fmt.Errorf("examples %s: %w", name, err)
			}
			set[name] = append(set[name], e)
		}
	}
	return set, nil
}

func parseExample(entry json.RawMessage) (Example, error) {
	var known struct {
		ID         string             `json:"id"`
		Complexity string             `json:"complexity"`
		Scores     map[string]float64 `json:"expected_scores"`
		Overall    float64            `json:"overall_score"`
	}
	var compact bytes.Buffer
	if err := errors.Join(json.Unmarshal(entry, &known), json.Compact(&compact, entry)); err != nil {
		return Example{}, err
	}
	return Example{ID: known.ID, Complexity: strings.ToLower(known.Complexity), Scores: known.Scores, Overall: known.Overall, Body: compact.String()}, nil
}

// EdgesFirst orders the examples by how near their score is to a threshold, where judging is hardest. Those without a
// score keep their order behind them.
func (s Examples) EdgesFirst() {
	for _, list := range s {
		slices.SortStableFunc(list, func(a, b Example) int { return cmp.Compare(a.edge(), b.edge()) })
	}
}

// edge is the distance of the score to the nearest threshold.
func (e Example) edge() float64 {
	if e.Overall == 0 {
		return 1
	}
	nearest := 1.0
	for _, score := range []float64{RetryScore, PassScore, PatternScore} {
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
