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
		place := sarifPlace{sarifArtifact{(&url.URL{Path: f.Path}).String()}, sarifRegion{max(1, f.Line)}}
		run.Results = append(run.Results, sarifResult{
			RuleID: f.Rule, Level: f.Severity, Message: sarifText{f.Message + " " + f.Evidence}, Locations: []sarifLocation{{place}},
		})
	}
	return sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}}
}
