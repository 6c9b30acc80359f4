package api

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/vfs"
	"github.com/aurora-sidecar/aurora/internal/workload"
)

// ExplainParams are the parameters of explain.
type ExplainParams struct {
	Paths []string `json:"paths"`
}

// ExplainResult is the result of explain, in the order of the parameters.
type ExplainResult struct {
	Files []ExplainedFile `json:"files"`
}

// An ExplainedFile says why a file is indexed, or is not.
type ExplainedFile struct {
	Path     string   `json:"path"` // as it was asked for
	Indexed  bool     `json:"indexed"`
	Rule     string   `json:"rule"` // by which it is indexed, or is not
	Project  string   `json:"project,omitempty"`
	Language string   `json:"language,omitempty"`
	Chunks   int      `json:"chunks,omitempty"`
	Lines    int      `json:"lines,omitempty"`
	Secrets  []Secret `json:"secrets,omitempty"` // left out of the index
}

// A Secret is the place of one; the secret itself is nobody's business.
type Secret struct {
	Kind string `json:"kind"`
	Line int    `json:"line"` // from 1
}

// Explain says why files are indexed or not.
var Explain = Define(Operation{
	Name: "explain", Title: "Explain files", Doors: HTTP,
	Doc: "Say why files are indexed or not, and where secrets in them were left out.",
}, func(_ context.Context, c *Call, p *ExplainParams) (*ExplainResult, error) {
	if err := c.indexes(); err != nil {
		return nil, err
	}
	result := &ExplainResult{Files: []ExplainedFile{}}
	for _, path := range p.Paths {
		result.Files = append(result.Files, c.explain(path))
	}
	return result, nil
})

func (c *Call) explain(path string) ExplainedFile {
	x, abs := c.Engine.Index(), c.path(path)
	v := x.Explain(abs)
	r := ExplainedFile{Path: path, Indexed: v.Indexed, Rule: v.Rule, Project: x.Project(vfs.Canonical(abs))}
	if f, ok := x.Snapshot().File(abs); ok && v.Indexed {
		r.Language, r.Chunks, r.Lines = f.Language, len(f.Chunks), f.Lines
	}
	if found, leftOut, err := x.Secrets(abs); err == nil && leftOut {
		for _, s := range found {
			r.Secrets = append(r.Secrets, Secret(s))
		}
	}
	return r
}

// CheckIndexParams are those of checkIndex: there are none.
type CheckIndexParams struct{}

// An IndexCheck says what the rules take in and keep out, and where the index differs from the files.
type IndexCheck struct {
	Files   int            `json:"files"`
	Bytes   int64          `json:"bytes"`
	Places  map[string]int `json:"places"`  // files by the first element of their path
	Skipped map[string]int `json:"skipped"` // by the kind of rule
	Git     bool           `json:"git"`     // git tells what there is; what it ignores is not counted
	Checked int            `json:"checked"` // files compared with the index
	Faults  []string       `json:"faults"`
	Secrets int            `json:"secrets"` // places in indexed files that look like a secret

	Detected string   `json:"detected,omitempty"` // without watch paths: what tells where the project begins
	Watch    []string `json:"watchPaths,omitempty"`
	Warnings []string `json:"warnings,omitempty"` // about the rules
}

// CheckIndex compares the index with the files.
var CheckIndex = Define(Operation{
	Name: "checkIndex", Title: "Check index", Doors: HTTP, Class: workload.Patient,
	Doc: "Tell what the rules take in and keep out, then read every indexed file again and compare it with the index.",
}, func(ctx context.Context, c *Call, _ *CheckIndexParams) (*IndexCheck, error) {
	if err := c.indexes(); err != nil {
		return nil, err
	}
	r := &IndexCheck{Places: map[string]int{}, Skipped: map[string]int{}, Faults: []string{}}
	surveys, err := c.Engine.Index().Survey(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("look at the project: %w", err)
	}
	for i := range surveys {
		r.add(&surveys[i])
	}
	checked, faults, err := c.Engine.Index().Verify(ctx)
	if err != nil {
		return nil, fmt.Errorf("compare the index with the files: %w", err)
	}
	r.Checked = checked
	for _, f := range faults {
		r.Faults = append(r.Faults, c.relative(f.Path)+": "+f.Why)
	}
	slices.Sort(r.Faults)
	found, err := c.findSecrets(ctx)
	if err != nil {
		return nil, err
	}
	r.Secrets = len(found.Secrets)
	return r, nil
})

// add adds what a folder holds.
func (r *IndexCheck) add(s *index.Survey) {
	r.Files += s.Files
	r.Bytes += s.Bytes
	r.Git = r.Git || s.Git
	maps.Copy(r.Places, s.Places)
	maps.Copy(r.Skipped, s.Skipped)
	r.Faults = append(r.Faults, s.Problems...)
	r.Warnings = append(r.Warnings, s.Warnings...)
	if s.Auto {
		r.Detected = s.Detected
	} else {
		r.Watch = append(r.Watch, s.Watch...)
	}
	if s.Refused != "" {
		r.Faults = append(r.Faults, s.Refused)
	}
}

// SecretsParams are those of secrets: there are none.
type SecretsParams struct{}

// SecretsResult is the result of secrets, in the order of the places.
type SecretsResult struct {
	Files   int           `json:"files"`   // that were looked through
	LeftOut bool          `json:"leftOut"` // of the index
	Secrets []FoundSecret `json:"secrets"`
}

// A FoundSecret is the place of a secret.
type FoundSecret struct {
	Path string `json:"path"` // relative to the workspace folder, with '/'
	Secret
}

// Secrets looks through all indexed files.
var Secrets = Define(Operation{
	Name: "secrets", Title: "Find secrets", Doors: HTTP, Class: workload.Patient,
	Doc: "List where indexed files hold what looks like a secret: the places, never the secrets.",
}, func(ctx context.Context, c *Call, _ *SecretsParams) (*SecretsResult, error) {
	if err := c.indexes(); err != nil {
		return nil, err
	}
	return c.findSecrets(ctx)
})

// findSecrets reads every indexed file as it is now.
func (c *Call) findSecrets(ctx context.Context) (*SecretsResult, error) {
	r := &SecretsResult{LeftOut: true, Secrets: []FoundSecret{}}
	for f := range c.Engine.Index().Snapshot().Files() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		found, leftOut, err := c.Engine.Index().Secrets(f.Abs)
		if err != nil {
			continue // it is gone by now
		}
		r.Files++
		r.LeftOut = r.LeftOut && leftOut
		for _, s := range found {
			r.Secrets = append(r.Secrets, FoundSecret{f.Path, Secret(s)})
		}
	}
	slices.SortFunc(r.Secrets, func(a, b FoundSecret) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Kind, b.Kind))
	})
	return r, nil
}
