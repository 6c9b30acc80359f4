package eval

import (
	"encoding/json"
	"fmt"
	"os"
)

// A LeftOut says what weights are worth on queries about repositories that they were not fitted to: each repository by weights fitted to
// all others. aurora-train writes it with the weights.
type LeftOut struct {
	Set          string  `json:"set"` // kind of queries, "all" for all
	Measure      string  `json:"measure"`
	Repositories int     `json:"repositories,omitempty"`
	Queries      int     `json:"queries"`
	Before       float64 `json:"before"` // by the rules, or by the weights before
	Fitted       float64 `json:"fitted"`
}

// LeftOuts reads what a file of weights says of repositories that were left out; nil when it was written without that.
func LeftOuts(file string) ([]LeftOut, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read weights: %w", err)
	}
	var model struct {
		LeftOut []LeftOut `json:"left_out"`
	}
	if err := json.Unmarshal(text, &model); err != nil {
		return nil, fmt.Errorf("read weights %s: %w", file, err)
	}
	return model.LeftOut, nil
}
