package recall

import (
	"strconv"
	"strings"
)

// A note is a Markdown file, with what its front matter says.
type note struct {
	title, body, domain string
	tags                []string
	importance          float64 // 0 when it says none
}

// parseNote takes the front matter off a note: lines of "key: value" between two lines of "---" at the start. Of the
// keys title, tags, domain and importance count; lists are written [a, b], a, b, or with one "- a" a line.
func parseNote(text string) note {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\uFEFF"), "\r\n", "\n")
	n := note{body: text}
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return n
	}
	front, body, ok := strings.Cut(rest, "\n---\n")
	if !ok {
		return n
	}
	n.body = body
	key := ""
	for line := range strings.Lines(front) {
		line = strings.TrimSpace(line)
		if item, ok := strings.CutPrefix(line, "- "); ok && key == "tags" {
			n.tags = append(n.tags, unquote(item))
			continue
		}
		name, value, _ := strings.Cut(line, ":")
		key = strings.ToLower(strings.TrimSpace(name))
		n.set(key, strings.TrimSpace(value))
	}
	return n
}

func (n *note) set(key, value string) {
	switch key {
	case "title":
		n.title = unquote(value)
	case "domain":
		n.domain = unquote(value)
	case "tags":
		for tag := range strings.SplitSeq(strings.Trim(value, "[]"), ",") {
			if tag = unquote(tag); tag != "" {
				n.tags = append(n.tags, tag)
			}
		}
	case "importance":
		if f, err := strconv.ParseFloat(value, 64); err == nil && f > 0 && f <= 1 {
			n.importance = f
		}
	}
}

func unquote(s string) string { return strings.Trim(strings.TrimSpace(s), `"'`) }
