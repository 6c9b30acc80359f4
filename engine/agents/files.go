package agents

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/aurora-sidecar/aurora/internal/smallyaml"
)

// maxFile is the most bytes of a file of definitions.
const maxFile = 1 << 20

// readFile reads a regular file of at most maxFile bytes.
func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is not a file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) > maxFile:
		return nil, fmt.Errorf("it is larger than %d KiB", maxFile>>10)
	case !utf8.Valid(data):
		return nil, errors.New("it is not UTF-8 text")
	}
	return bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF")), nil
}

// parse reads the definitions of one file by its name's ending.
func parse(path string) ([]Definition, []Problem) {
	data, err := readFile(path)
	if err != nil {
		return nil, []Problem{{File: path, Message: fmt.Sprintf("can't be read: %v", err)}}
	}
	if strings.EqualFold(filepath.Ext(path), ".json") {
		return parseRegistry(path, data)
	}
	return parseMarkdown(path, data)
}

// parseRegistry reads a registry file (the register's Annex E): {"agent_registry": {"agents": [...]}}, or the inner
// object, the list, or one agent.
func parseRegistry(path string, data []byte) ([]Definition, []Problem) {
	var whole any
	if err := json.Unmarshal(data, &whole); err != nil {
		return nil, []Problem{{File: path, Message: "it is no JSON: " + placed(data, err)}}
	}
	entries, ok := entriesOf(whole)
	if !ok {
		return nil, []Problem{{File: path, Message: `it holds no agents: write {"agent_registry": {"agents": [...]}}`}}
	}
	var definitions []Definition
	var problems []Problem
	for i, entry := range entries {
		place := fmt.Sprintf("agents[%d]", i)
		values, ok := entry.(map[string]any)
		if !ok {
			problems = append(problems, Problem{File: path, Agent: place, Message: "it must be an object"})
			continue
		}
		r := newReading(values)
		d := r.definition(false)
		if d.ID != "" {
			place = d.ID
		}
		problems = append(problems, r.found(path, place)...)
		if len(r.problems) == 0 {
			d.Source = path
			definitions = append(definitions, d)
		}
	}
	return definitions, problems
}

func entriesOf(whole any) ([]any, bool) {
	if list, ok := whole.([]any); ok {
		return list, true
	}
	object, ok := whole.(map[string]any)
	if !ok {
		return nil, false
	}
	if inner, ok := object["agent_registry"].(map[string]any); ok {
		object = inner
	}
	if list, ok := object["agents"].([]any); ok {
		return list, true
	}
	if _, ok := object["id"]; ok {
		return []any{object}, true
	}
	return nil, false
}

func (r *reading) found(path, place string) []Problem {
	var out []Problem
	for _, message := range r.problems {
		out = append(out, Problem{File: path, Agent: place, Message: message})
	}
	for _, message := range r.warnings {
		out = append(out, Problem{File: path, Agent: place, Message: message, Warning: true})
	}
	return out
}

// placed adds the line to an error of JSON.
func placed(data []byte, err error) string {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		line := 1 + bytes.Count(data[:min(int(syntax.Offset), len(data))], []byte("\n"))
		return fmt.Sprintf("line %d: %v", line, err)
	}
	return err.Error()
}

// maxInstructions is the most bytes of a Markdown file's text that become instructions, about 4,000 tokens.
const maxInstructions = 16 << 10

// parseMarkdown reads an agent of Claude Code, Amp, Droid or OpenCode: front matter between lines of three dashes, then
// instructions. A file without front matter is a document, no agent.
func parseMarkdown(path string, data []byte) ([]Definition, []Problem) {
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return nil, nil
	}
	front, body, ok := cutLine(rest, "---")
	if !ok {
		return nil, []Problem{{File: path, Message: "the front matter has no end: a line of three dashes is missing"}}
	}
	values, err := frontMatter(front)
	if err != nil {
		return nil, []Problem{{File: path, Message: "the front matter is no YAML: " + err.Error()}}
	}
	if values["name"] == nil && values["id"] == nil {
		if values["description"] == nil {
			return nil, nil // a page of documentation
		}
		values["name"] = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)) // OpenCode names agents by their files
	}
	if values["disable"] == true {
		return nil, nil
	}
	r := newReading(values)
	d := r.definition(true)
	d.Source, d.Instructions = path, strings.TrimSpace(body)
	if len(d.Instructions) > maxInstructions {
		d.Instructions = strings.ToValidUTF8(d.Instructions[:maxInstructions], "")
		r.warnings = append(r.warnings, fmt.Sprintf("its instructions are cut at %d KiB", maxInstructions>>10))
	}
	if d.Type == Builtin && d.Instructions == "" {
		r.fault("there are no instructions below the front matter")
	}
	problems := r.found(path, d.ID)
	if len(r.problems) > 0 {
		return nil, problems
	}
	return []Definition{d}, problems
}

// cutLine cuts a text around the first line that is just sep.
func cutLine(text, sep string) (before, after string, ok bool) {
	for at := 0; at < len(text); {
		line, _, _ := strings.Cut(text[at:], "\n")
		end := min(len(text), at+len(line)+1)
		if strings.TrimRight(line, " \t") == sep {
			return text[:at], text[end:], true
		}
		at = end
	}
	return text, "", false
}

// frontMatter decodes YAML. The tools that these files are written for read each line as a key and a text, so a
// description with ": " in it, which YAML takes for a mapping, is common; such files are read line by line.
func frontMatter(front string) (map[string]any, error) {
	values, err := decodeYAML(front)
	if err == nil {
		if values == nil {
			values = map[string]any{}
		}
		return values, nil
	}
	quoted, changed := quoteValues(front)
	if changed {
		if values, err := decodeYAML(quoted); err == nil && values != nil {
			return values, nil
		}
	}
	return nil, errors.New(strings.TrimPrefix(strings.ReplaceAll(err.Error(), "\n", " "), "yaml: "))
}

// decodeYAML decodes a mapping that keeps nobody busy.
func decodeYAML(text string) (values map[string]any, err error) {
	if err := smallyaml.Check([]byte(text)); err != nil {
		return nil, err
	}
	err = yaml.Unmarshal([]byte(text), &values)
	return values, err
}

// quoteValues puts the plain texts behind keys of the first level into quotes.
func quoteValues(front string) (quoted string, changed bool) {
	lines := strings.Split(front, "\n")
	for i, line := range lines {
		key, value, ok := strings.Cut(line, ": ")
		value = strings.TrimSpace(value)
		if !ok || key == "" || strings.ContainsAny(key[:1], " \t#-'\"") || value == "" || strings.ContainsAny(value[:1], "'\"[{|>&*!") {
			continue
		}
		encoded, err := json.Marshal(value)
		if err == nil {
			lines[i], changed = key+": "+string(encoded), true
		}
	}
	return strings.Join(lines, "\n"), changed
}
