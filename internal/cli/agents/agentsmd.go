package agents

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/cli/jsonfile"
)

// The lines around the section in AGENTS.md.
const (
	sectionBegins = "<!-- aurora: begin -->"
	sectionEnds   = "<!-- aurora: end -->"
)

// section tells an agent when to use which tool. It costs every conversation its length, so it is short.
const section = sectionBegins + `
## AURORA

The MCP server ` + "`aurora`" + ` knows this project's code, history and decisions.

- Begin a task with ` + "`context`" + `; look for code with ` + "`search`" + ` before you read files one by one, and for callers with ` + "`related`" + `.
- Before you change what looks odd, ask what was decided: ` + "`search`" + ` with ` + "`in: \"memory\"`" + `.
- Keep a decision and its reason with ` + "`remember`" + `, its path and line.
` + sectionEnds + "\n"

// maxAgentsMD is the size in bytes above which the file is not touched.
const maxAgentsMD = 1 << 20

// changeAgentsMD adds the section to a project's AGENTS.md, or takes it out; a file in which nothing else is left goes.
func changeAgentsMD(root string, adding bool) (*ClientChange, error) {
	path := filepath.Join(root, "AGENTS.md")
	if err := insideProject(root, path); err != nil {
		return nil, err
	}
	before, err := jsonfile.Read(path, maxAgentsMD)
	if err != nil {
		return nil, fmt.Errorf("read AGENTS.md: %w", err)
	}
	head, tail, found, err := aroundSection(string(before))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	change := &ClientChange{Client: "AGENTS.md", File: path, before: before}
	newline := "\n"
	if strings.Contains(head+tail, "\r\n") {
		newline = "\r\n"
	}
	switch {
	case adding:
		if !found {
			head = separated(head, newline)
		}
		change.after = []byte(head + strings.ReplaceAll(section, "\n", newline) + tail)
	case !found:
		change.after = before
	case strings.TrimSpace(head+tail) != "":
		change.after = []byte(joined(head, tail))
	}
	change.Diff = diff(change.before, change.after)
	return change, nil
}

// separated ends with an empty line, unless there is nothing.
func separated(head, newline string) string {
	switch {
	case head == "":
		return ""
	case strings.HasSuffix(head, "\n"):
		return head + newline
	}
	return head + newline + newline
}

// joined is what stands before the section, without the empty line that came with it, and what stands behind it.
func joined(head, tail string) string {
	if tail != "" {
		return head + tail
	}
	for _, blank := range []string{"\r\n\r\n", "\n\n"} {
		if strings.HasSuffix(head, blank) {
			return head[:len(head)-len(blank)/2]
		}
	}
	return head
}

// aroundSection is the text before and behind the section, all of it before when there is none.
func aroundSection(text string) (head, tail string, found bool, err error) {
	head, rest, found := strings.Cut(text, sectionBegins)
	if !found {
		return text, "", false, nil
	}
	_, tail, ended := strings.Cut(rest, sectionEnds)
	if !ended {
		return "", "", false, fmt.Errorf("line %d begins a section (%s) that nothing ends (%s)", 1+bytes.Count([]byte(head), []byte("\n")), sectionBegins, sectionEnds)
	}
	tail = strings.TrimPrefix(tail, "\r")
	return head, strings.TrimPrefix(tail, "\n"), true, nil
}

// insideProject fails when a file of a project is a link to one outside of it, which a project could choose at will.
func insideProject(root, path string) error {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil // not there yet, or broken, which reading it tells
	}
	if rest, err := filepath.Rel(root, real); err != nil || !filepath.IsLocal(rest) {
		return fmt.Errorf("%s is a link to %s, outside of the project", path, real)
	}
	return nil
}
