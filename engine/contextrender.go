package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/aurora-sidecar/aurora/prompts"
)

// A renderer writes a context block.
type renderer func(goal string, pieces []*piece, memory []string) (string, error)

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
	return nil, &Error{
		Kind: Invalid, Message: fmt.Sprintf("unknown format %q", format), Detail: "format",
		Remedy: "Use xml, markdown or json.",
	}
}

func templated(name string) renderer {
	return func(goal string, pieces []*piece, memory []string) (string, error) {
		text, err := prompts.Render(name, promptContext(goal, pieces, memory))
		if err != nil {
			return "", fmt.Errorf("render context: %w", err)
		}
		return text, nil
	}
}

func promptContext(goal string, pieces []*piece, memory []string) prompts.Context {
	c := prompts.Context{Goal: goal, Memory: memory}
	for _, p := range pieces {
		c.Snippets = append(c.Snippets, prompts.Snippet{
			Path: p.hit.Path, Line: p.hit.Line(), Label: p.hit.Name, Kind: p.hit.Kind, Language: p.hit.Language,
			Score: p.hit.Score, Text: p.text,
		})
	}
	return c
}

// jsonContext is the json format.
type jsonContext struct {
	Goal     string        `json:"goal,omitempty"`
	Snippets []jsonSnippet `json:"snippets"`
	Memory   []string      `json:"memory,omitempty"`
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

func renderJSON(goal string, pieces []*piece, memory []string) (string, error) {
	c := jsonContext{Goal: goal, Snippets: []jsonSnippet{}, Memory: memory}
	for _, p := range pieces {
		c.Snippets = append(c.Snippets, jsonSnippet{
			Path: p.hit.Path, Line: p.hit.Line(), Label: p.hit.Name, Kind: p.hit.Kind, Language: p.hit.Language,
			Score: math.Round(p.hit.Score*1000) / 1000, Text: p.text,
		})
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(c); err != nil {
		return "", fmt.Errorf("render context: %w", err)
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}
