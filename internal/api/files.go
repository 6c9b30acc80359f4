package api

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine"
)

// FilesParams are the parameters of files.
type FilesParams struct {
	Language string `json:"language,omitempty"` // only files of this one
	Skipped  bool   `json:"skipped,omitempty"`  // those that are not indexed, each with the rule that keeps it out
}

// FilesResult is the result of files, in the order of their paths.
type FilesResult struct {
	Files []IndexedFile `json:"files"`
}

// An IndexedFile is a file as the index has it, or why it does not.
type IndexedFile struct {
	Path     string `json:"path"` // relative to the workspace folder, with '/'
	Language string `json:"language,omitempty"`
	Chunks   int    `json:"chunks,omitempty"`
	Bytes    int64  `json:"bytes,omitempty"`
	Rule     string `json:"rule,omitempty"` // that keeps it out
}

// Files lists what is indexed.
var Files = Define(Operation{
	Name: "files", Title: "Files", Doors: HTTP,
	Doc: "List the indexed files, or those that are not indexed and why.",
}, func(ctx context.Context, c *Call, p *FilesParams) (*FilesResult, error) {
	if err := c.indexes(); err != nil {
		return nil, err
	}
	x, result := c.Engine.Index(), &FilesResult{Files: []IndexedFile{}}
	if p.Skipped {
		for path, rule := range x.Skipped(ctx) {
			result.Files = append(result.Files, IndexedFile{Path: c.relative(path), Rule: rule})
		}
		return result, ctx.Err()
	}
	for f := range x.Snapshot().Files() {
		if p.Language == "" || strings.EqualFold(f.Language, p.Language) {
			result.Files = append(result.Files, IndexedFile{Path: f.Path, Language: f.Language, Chunks: len(f.Chunks), Bytes: f.Size})
		}
	}
	slices.SortFunc(result.Files, func(a, b IndexedFile) int { return cmp.Compare(a.Path, b.Path) })
	return result, nil
})

// indexes fails when the settings keep a workspace folder out of the index.
func (c *Call) indexes() error {
	x := c.Engine.Index()
	for _, f := range x.Status().Folders {
		if x.Off(f.Path) {
			return &engine.Error{Kind: engine.NotIndexed, Message: fmt.Sprintf("%s is not indexed: %s", f.Path, f.Refused)}
		}
	}
	return nil
}

// relative is a path relative to the workspace folder that has it, with '/'.
func (c *Call) relative(path string) string {
	for _, folder := range c.Engine.Index().Folders() {
		if rel, ok := strings.CutPrefix(path, folder+string(filepath.Separator)); ok { // a folder keeps its last slash
			return filepath.ToSlash(rel)
		}
	}
	return filepath.ToSlash(path)
}

// LanguagesParams are those of languages: there are none.
type LanguagesParams struct{}

// LanguagesResult is the result of languages, the one with most lines first.
type LanguagesResult struct {
	Languages []LanguageCount `json:"languages"`
}

// A LanguageCount is how much of a language is indexed.
type LanguageCount struct {
	Language string `json:"language"`
	Files    int    `json:"files"`
	Chunks   int    `json:"chunks"`
	Lines    int    `json:"lines"`
	Bytes    int64  `json:"bytes"`
	Tokens   int    `json:"totalTokens"` // of the chunks, about
}

// bytesPerToken is about what a token of code takes.
const bytesPerToken = 4

// Languages counts what is indexed.
var Languages = Define(Operation{
	Name: "languages", Title: "Languages", Doors: HTTP,
	Doc: "Count files, chunks, lines, bytes and tokens of each language in the index.",
}, func(_ context.Context, c *Call, _ *LanguagesParams) (*LanguagesResult, error) {
	if err := c.indexes(); err != nil {
		return nil, err
	}
	counts := map[string]*LanguageCount{}
	for f := range c.Engine.Index().Snapshot().Files() {
		l := counts[f.Language]
		if l == nil {
			l = &LanguageCount{Language: f.Language}
			counts[f.Language] = l
		}
		l.Files++
		l.Chunks += len(f.Chunks)
		l.Lines += f.Lines
		l.Bytes += f.Size
		for i := range f.Chunks {
			l.Tokens += (f.Chunks[i].Span.End - f.Chunks[i].Span.Start + bytesPerToken - 1) / bytesPerToken
		}
	}
	result := &LanguagesResult{Languages: []LanguageCount{}}
	for _, l := range counts {
		result.Languages = append(result.Languages, *l)
	}
	slices.SortFunc(result.Languages, func(a, b LanguageCount) int {
		return cmp.Or(cmp.Compare(b.Lines, a.Lines), cmp.Compare(a.Language, b.Language))
	})
	return result, nil
})
