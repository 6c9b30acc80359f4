package capture

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

const (
	maxGuides     = 1000 // files below one folder
	maxSection    = 8000 // bytes of a section that are taken
	fewestLetters = 12   // a shorter section says nothing by itself
)

// A Section is a part of a guide that can be a record of its own.
type Section struct {
	Line int    // one-based, of the first line with text below its heading
	Text string // its headings and its body, at most maxSection bytes
	Tags []string
}

// guidePlaces are where tools keep what they are told of a project, and teams what they decided: files, and folders.
var guidePlaces = []string{
	"AGENTS.md", "GEMINI.md", "CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", ".claude/rules",
	".cursorrules", ".cursor/rules", ".github/copilot-instructions.md", ".github/instructions",
	"adr", "doc/adr", "docs/adr", "docs/adrs", "docs/decisions", "doc/architecture/decisions", "docs/architecture/decisions",
}

// FindGuides returns the guides of the project at root, and what Claude Code remembers of it below home: paths relative to root,
// the latter absolute.
func FindGuides(root, home string) []string {
	var found []string
	for _, place := range guidePlaces {
		for _, file := range GuideFiles(filepath.Join(root, filepath.FromSlash(place))) {
			if rel, err := filepath.Rel(root, file); err == nil {
				found = append(found, rel)
			}
		}
	}
	project := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, root)
	return append(found, GuideFiles(filepath.Join(home, ".claude", "projects", project, "memory"))...)
}

// GuideFiles returns a guide, or those below a folder, in order. Links are not followed.
func GuideFiles(place string) []string {
	var files []string
	err := filepath.WalkDir(place, func(p string, entry fs.DirEntry, err error) error {
		if err != nil || len(files) == maxGuides {
			return fs.SkipAll
		}
		if entry.Type().IsRegular() && IsGuide(p) {
			files = append(files, p)
		}
		return nil
	})
	if err != nil {
		return nil
	}
	return files
}

// IsGuide reports whether a path names text that can be read as a guide.
func IsGuide(p string) bool {
	switch strings.ToLower(filepath.Ext(p)) {
	case ".md", ".mdc", ".markdown":
		return true
	}
	info, err := os.Stat(p)
	return filepath.Base(p) == ".cursorrules" || err == nil && info.IsDir()
}

var (
	heading    = lazyregexp.New(`^(#{1,6})\s+(.*?)[\s#]*$`)
	decisionAt = lazyregexp.New(`(?i)(^|/)(adrs?|decisions|decision-records)/[^/]+$`)
	adrIndex   = lazyregexp.New(`(?i)^(readme|index|.*template.*)\.[a-z]+$`)
	adrStatus  = lazyregexp.New(`(?im)^[\s*-]*(?:status\s*:\s*)?["']?(accepted|superseded|deprecated|rejected|proposed|draft)`)
)

// Sections takes a guide apart: what stands below each heading, code and lists included. A decision record is one section, and
// closed is its status when it does not hold, or not yet: then it has none. What setup wrote into AGENTS.md is left out.
func Sections(name, content string) (sections []Section, closed string) {
	front, lines := guideLines(content)
	name = filepath.ToSlash(name)
	if decisionAt.MatchString(name) {
		if adrIndex.MatchString(path.Base(name)) {
			return nil, ""
		}
		return decisionRecord(front, lines)
	}
	for _, p := range partsOf(lines) {
		text := strings.TrimSpace(strings.Join(p.lines, "\n"))
		if len(text) < fewestLetters {
			continue
		}
		if title := strings.Join(p.titles, ": "); title != "" {
			text = title + "\n\n" + text
		}
		sections = append(sections, Section{Line: p.line, Text: wording.CutBytes(text, maxSection), Tags: []string{"instructions"}})
	}
	return sections, ""
}

// guideLines returns the front matter of a guide, and its lines with the front matter and AURORA's own section blank.
func guideLines(content string) (front string, lines []string) {
	content = strings.ReplaceAll(strings.TrimPrefix(content, "\uFEFF"), "\r\n", "\n")
	lines = strings.Split(content, "\n")
	if lines[0] == "---" {
		if end := slices.Index(lines[1:], "---"); end >= 0 {
			front = strings.Join(lines[1:end+1], "\n")
			clear(lines[:end+2])
		}
	}
	own := false
	for i, line := range lines {
		begins := strings.HasPrefix(line, "<!-- aurora: begin") || strings.HasPrefix(line, "<!-- aurora: decisions begin")
		ends := strings.HasPrefix(line, "<!-- aurora: end") || strings.HasPrefix(line, "<!-- aurora: decisions end")
		own = own || begins
		if own {
			lines[i] = ""
		}
		own = own && !ends
	}
	return front, lines
}

// A part is what stands below a heading, up to the next one.
type part struct {
	titles []string // of the headings around it, its own last
	level  int      // of its own; 0 above the first
	line   int      // one-based, of the first line with text
	lines  []string
}

func partsOf(lines []string) []part {
	parts, fence := []part{{line: 1}}, ""
	var titles [7]string
	for i, line := range lines {
		p := &parts[len(parts)-1]
		trimmed := strings.TrimSpace(line)
		if fence == "" && (strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~")) {
			fence = trimmed[:3]
		} else if fence != "" && strings.HasPrefix(trimmed, fence) {
			fence = ""
		}
		m := heading.FindStringSubmatch(line)
		if fence != "" || m == nil {
			if len(p.lines) == 0 && trimmed == "" {
				continue
			}
			if len(p.lines) == 0 {
				p.line = i + 1
			}
			p.lines = append(p.lines, line)
			continue
		}
		level := len(m[1])
		titles[level] = m[2]
		clear(titles[level+1:])
		next := part{level: level, line: i + 1}
		for _, title := range titles[1 : level+1] {
			if title != "" {
				next.titles = append(next.titles, title)
			}
		}
		parts = append(parts, next)
	}
	return parts
}

// decisionRecord is the decision of a record in the form of Nygard or MADR, then what led to it.
func decisionRecord(front string, lines []string) (sections []Section, closed string) {
	var title, decision, rest []string
	line, status := 1, front
	for _, p := range partsOf(lines) {
		text := strings.TrimSpace(strings.Join(p.lines, "\n"))
		name := ""
		if len(p.titles) > 0 {
			name = p.titles[len(p.titles)-1]
		}
		switch lower := strings.ToLower(name); {
		case title == nil && p.level > 0:
			title, line = []string{name}, p.line
			if adrStatus.MatchString(text) && len(text) < 2*maxText && strings.Contains(strings.ToLower(text), "status") {
				status = text
				continue
			}
			rest = append(rest, text)
		case lower == "status":
			status = text
		case strings.HasPrefix(lower, "decision") && !strings.HasPrefix(lower, "decision driver"):
			decision = append(decision, text)
		case text != "":
			rest = append(rest, strings.TrimSpace(name+"\n"+text))
		}
	}
	if m := adrStatus.FindStringSubmatch(status); m != nil && !strings.EqualFold(m[1], "accepted") {
		return nil, strings.ToLower(m[1])
	}
	all := slices.DeleteFunc(slices.Concat(title, decision, rest), func(s string) bool { return s == "" })
	text := strings.Join(all, "\n\n")
	if len(text) < fewestLetters {
		return nil, ""
	}
	return []Section{{Line: line, Text: wording.CutBytes(text, maxSection), Tags: []string{"decision", "adr"}}}, ""
}
