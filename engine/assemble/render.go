package assemble

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/prompts"
)

// parts are what a context block is made of, in the order in which it is read.
type layout struct {
	goal   string
	parts  []*part
	peeks  []*part
	memory []string
}

// A renderer writes a context block.
type renderer func(layout) (string, error)

// rendererOf returns the renderer of a format: xml (the default), markdown or json.
func rendererOf(format string) (renderer, error) {
	switch strings.ToLower(format) {
	case "", "xml":
		return templated(prompts.ContextXML), nil
	case "markdown":
		return templated(prompts.ContextMarkdown), nil
	case "json":
		return renderJSON, nil
	}
	return nil, &fault.Error{
		Kind: fault.Invalid, Message: fmt.Sprintf("unknown format %q", format), Detail: "format",
		Remedy: "Use xml, markdown or json.",
	}
}

func templated(name string) renderer {
	return func(p layout) (string, error) {
		text, err := prompts.Render(name, promptContext(p))
		if err != nil {
			return "", fmt.Errorf("render context: %w", err)
		}
		return text, nil
	}
}

func promptContext(from layout) prompts.Context {
	c := prompts.Context{Goal: from.goal, Memory: from.memory}
	for _, p := range from.parts {
		c.Snippets = append(c.Snippets, prompts.Snippet{
			Path: p.hit.Path, Line: p.line(), Label: p.hit.Name, Kind: p.hit.Kind, Language: p.hit.Language,
			Score: p.hit.Score, Text: p.text(),
		})
	}
	for _, p := range from.peeks {
		if n := len(c.Excerpts); n == 0 || c.Excerpts[n-1].Path != p.hit.Path {
			c.Excerpts = append(c.Excerpts, prompts.Excerpt{Path: p.hit.Path})
		}
		e := &c.Excerpts[len(c.Excerpts)-1]
		e.Lines = append(e.Lines, p.numbered()...)
	}
	return c
}

// line is the one-based line by which a block is cited: that of the name, if it is shown.
func (p *part) line() int {
	first, last := p.lineSpan()
	if n := p.hit.Line(); n > first && n <= last+1 {
		return n
	}
	return first + 1
}

// numbered are the lines of a peek. The first says why a neighbour is there.
func (p *part) numbered() []prompts.Line {
	var lines []prompts.Line
	for _, i := range p.shown {
		lines = append(lines, prompts.Line{Number: p.first + i + 1, Text: wording.CutBytes(strings.TrimRight(p.lines[i], " \t"), maxPeekLine)})
	}
	if p.role == roleNeighbour && len(lines) > 0 {
		lines[0].Why = p.hit.Explanation
	}
	return lines
}

// jsonContext is the json format.
type jsonContext struct {
	Goal     string        `json:"goal,omitempty"`
	Memory   []string      `json:"memory,omitempty"`
	Snippets []jsonSnippet `json:"snippets"`
	Excerpts []jsonExcerpt `json:"excerpts,omitempty"`
}

type jsonSnippet struct {
	Path     string  `json:"path"`
	Line     int     `json:"line"`
	Label    string  `json:"label"`
	Kind     string  `json:"kind,omitempty"`
	Language string  `json:"language,omitempty"`
	Score    float64 `json:"score"`
	Text     string  `json:"text"`
}

type jsonExcerpt struct {
	Path  string     `json:"path"`
	Lines []jsonLine `json:"lines"`
}

type jsonLine struct {
	Line int    `json:"line"`
	Text string `json:"text"`
	Why  string `json:"why,omitempty"`
}

func renderJSON(from layout) (string, error) {
	in := promptContext(from)
	c := jsonContext{Goal: in.Goal, Snippets: []jsonSnippet{}, Memory: in.Memory}
	for _, s := range in.Snippets {
		c.Snippets = append(c.Snippets, jsonSnippet{
			Path: s.Path, Line: s.Line, Label: s.Label, Kind: s.Kind, Language: s.Language, Score: math.Round(s.Score*1000) / 1000, Text: s.Text,
		})
	}
	for _, e := range in.Excerpts {
		excerpt := jsonExcerpt{Path: e.Path}
		for _, l := range e.Lines {
			excerpt.Lines = append(excerpt.Lines, jsonLine{Line: l.Number, Text: l.Text, Why: l.Why})
		}
		c.Excerpts = append(c.Excerpts, excerpt)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(c); err != nil {
		return "", fmt.Errorf("render context: %w", err)
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}
