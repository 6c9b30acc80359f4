package search

import (
	"net/url"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/api"
)

// The part of SARIF 2.1.0 that a review needs.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool    sarifTool     `json:"tool"`
		Results []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name  string      `json:"name"`
		Rules []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string    `json:"id"`
		ShortDescription sarifText `json:"shortDescription"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
		Related   []sarifRelated  `json:"relatedLocations,omitempty"`
	}
	sarifRelated struct {
		ID               int        `json:"id"`
		PhysicalLocation sarifPlace `json:"physicalLocation"`
		Message          sarifText  `json:"message"`
	}
	sarifLocation struct {
		PhysicalLocation sarifPlace `json:"physicalLocation"`
	}
	sarifPlace struct {
		ArtifactLocation sarifArtifact `json:"artifactLocation"`
		Region           sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine int `json:"startLine"`
	}
)

// newSARIF is a review as a log of one run. Findings about a file as a whole are on its first line.
func newSARIF(r *api.ReviewResult) sarifLog {
	run := sarifRun{Tool: sarifTool{sarifDriver{Name: "aurora", Rules: []sarifRule{}}}, Results: []sarifResult{}}
	for _, rule := range engine.ReviewRules() {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{ID: rule[0], ShortDescription: sarifText{rule[1]}})
	}
	for _, f := range r.Findings {
		result := sarifResult{
			RuleID: f.Rule, Level: f.Severity, Message: sarifText{f.Message + " " + f.Evidence}, Locations: []sarifLocation{{sarifPlaceOf(f.Path, f.Line)}},
		}
		for i, p := range f.Related {
			result.Related = append(result.Related, sarifRelated{i + 1, sarifPlaceOf(p.Path, p.Line), sarifText{p.Message}})
		}
		run.Results = append(run.Results, result)
	}
	return sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}}
}

func sarifPlaceOf(path string, line int) sarifPlace {
	return sarifPlace{sarifArtifact{(&url.URL{Path: path}).String()}, sarifRegion{max(1, line)}}
}
