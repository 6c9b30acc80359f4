package search

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/api"
)

// TestSARIF checks what the schema of SARIF 2.1.0 requires of the parts that are used.
func TestSARIF(t *testing.T) {
	text, err := json.Marshal(newSARIF(&api.ReviewResult{Findings: []api.ReviewFinding{
		{Rule: "secret", Severity: "error", Path: "a b/ü.go", Line: 7, Message: "m", Related: []api.ReviewPlace{{Path: "c d.go", Line: 3, Message: "F calls it"}}}, {Rule: "touched-note", Severity: "note", Path: "x.go", Message: "m"},
	}}))
	if err != nil {
		t.Fatal(err)
	}
	var log sarifLog
	if err := json.Unmarshal(text, &log); err != nil || log.Version != "2.1.0" || len(log.Runs) != 1 || log.Runs[0].Tool.Driver.Name == "" {
		t.Fatalf("%v: %s", err, text)
	}
	if related := log.Runs[0].Results[0].Related; len(related) != 1 || related[0] != (sarifRelated{1, sarifPlace{sarifArtifact{"c%20d.go"}, sarifRegion{3}}, sarifText{"F calls it"}}) {
		t.Errorf("related places %+v", related)
	}
	for i, r := range log.Runs[0].Results {
		known := slices.ContainsFunc(log.Runs[0].Tool.Driver.Rules, func(rule sarifRule) bool { return rule.ID == r.RuleID })
		if !known || !slices.Contains(reviewLevels, r.Level) || r.Message.Text == "" || len(r.Locations) != 1 {
			t.Errorf("result %+v", r)
		}
		place := r.Locations[0].PhysicalLocation
		if want := []sarifPlace{{sarifArtifact{"a%20b/%C3%BC.go"}, sarifRegion{7}}, {sarifArtifact{"x.go"}, sarifRegion{1}}}[i]; place != want {
			t.Errorf("place %+v, want %+v", place, want)
		}
	}
}
