package api

import (
	"context"
	"slices"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
)

// IndexSummaryParams are those of indexSummary: there are none.
type IndexSummaryParams struct{}

// An IndexSummary counts what is indexed, and names what is not.
type IndexSummary struct {
	Files     int  `json:"filesScanned"`
	Code      int  `json:"codeChunks"` // functions, methods and classes
	Reasoning int  `json:"reasoningChunks"`
	Knowledge int  `json:"knowledgeChunks"` // records, and sections of conversations
	Total     int  `json:"totalChunks"`     // code, reasoning, knowledge and the text between definitions
	Errors    int  `json:"errors"`          // what kept the index from being whole
	Warnings  int  `json:"warnings"`        // what was left out or is incomplete
	Stored    bool `json:"stored"`          // false when the index is in memory only

	Problems []string `json:"problems"` // one sentence for each error, then for each warning
}

// SummarizeIndex counts what is indexed.
var SummarizeIndex = Define(Operation{
	Name: "indexSummary", Title: "Index summary", Doors: HTTP,
	Doc: "Count the files and chunks in the index, and list what could not be indexed or only in part.",
}, func(ctx context.Context, c *Call, _ *IndexSummaryParams) (*IndexSummary, error) {
	if err := c.indexes(); err != nil {
		return nil, err
	}
	status, err := c.Engine.Status(ctx)
	if err != nil {
		return nil, err
	}
	sum := &IndexSummary{Reasoning: status.Memory.Reasoning, Knowledge: status.Memory.Knowledge, Problems: []string{}}
	sum.countConversations(ctx, c.Engine)
	sum.countFiles(c)
	sum.addTrouble(&status.Index)
	return sum, nil
})

func (s *IndexSummary) countConversations(ctx context.Context, e *engine.Engine) {
	indexed, err := e.Conversations().Index(ctx)
	s.Knowledge += indexed
	if err != nil {
		s.Warnings++
		s.Problems = append(s.Problems, err.Error())
	}
}

// countFiles counts what the snapshot holds, and the files that can't be read.
func (s *IndexSummary) countFiles(c *Call) {
	var problems []string
	for f := range c.Engine.Index().Snapshot().Files() {
		s.Files++
		s.Total += len(f.Chunks)
		for i := range f.Chunks {
			if t := f.Chunks[i].Type; t == chunk.Function || t == chunk.Method || t == chunk.Class {
				s.Code++
			}
		}
		if f.Errors {
			problems = append(problems, f.Path+": a part of it does not parse; the rest is indexed")
		}
	}
	s.Total += s.Reasoning + s.Knowledge
	for path, why := range c.Engine.Index().Failures() {
		problems = append(problems, c.relative(path)+": "+why)
	}
	slices.Sort(problems)
	s.Warnings += len(problems)
	s.Problems = append(s.Problems, problems...)
}

// addTrouble counts what kept the index from being whole: without a store the run was in vain, which is an error;
// everything else is a warning.
func (s *IndexSummary) addTrouble(st *index.Status) {
	s.Files += st.Failed
	s.Stored = st.SizeBytes > 0
	if !s.Stored {
		s.Errors++
	}
	s.Warnings += len(st.Warnings)
	s.Problems = slices.Insert(s.Problems, 0, st.Warnings...)
	if st.Writer == "other" {
		s.Warnings++
		s.Problems = append(s.Problems, "another aurora process writes this index; it saves what it finds itself")
	}
}
