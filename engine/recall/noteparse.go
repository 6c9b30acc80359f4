package recall

import (
	"fmt"
	"strconv"
	"strings"
)

// maxFaults is how many faults of one note are kept.
const maxFaults = 5

// A note is a Markdown file, with what its front matter says.
type note struct {
	title, body, domain string
	tags                []string
	importance          float64     // 0 when it says none
	cites               []reference // places in code: path:line or path:Name
	supersedes          []reference // names of other notes, or ids of records
	id                  reference   // what its author calls it; empty when it has none
	faults              []NoteFault
	lost                bool // something that it cites is not in the index
}

// A reference is what a note says of another thing, and the one-based line on which it does.
type reference struct {
	text string
	line int
}

// A NoteFault is what could not be taken of a note; the rest of it counts.
type NoteFault struct {
	Path    string // absolute
	Line    int    // one-based; 0 for the file as a whole
	Message string
}

// parseNote takes the front matter off a note: lines of "key: value" between two lines of "---" at the start. Of the
// keys id, title, tags, domain, importance, cites and supersedes count; lists are written [a, b], a, b, or with one "- a" a line.
// What can't be taken is a fault, and left out.
func parseNote(text string) note {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\uFEFF"), "\r\n", "\n")
	n := note{body: text}
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return n
	}
	front, body, ok := strings.Cut("\n"+rest, "\n---\n")
	if before, last := strings.CutSuffix(rest, "\n---"); !ok && last {
		front, body, ok = before, "", true
	}
	if !ok {
		n.fault(1, "the front matter that begins here has no end, a line of ---; all of it is text")
		return n
	}
	n.body = body
	key, number := "", 1
	for line := range strings.Lines(strings.TrimPrefix(front, "\n")) {
		number++
		continued := strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if item, ok := strings.CutPrefix(line, "- "); ok && n.add(key, item, number) {
			continue
		}
		name, value, ok := strings.Cut(line, ":")
		key = strings.ToLower(strings.TrimSpace(name))
		if !ok {
			if !continued && !strings.HasPrefix(line, "- ") {
				n.fault(number, "this is no \"key: value\"")
			}
			continue
		}
		if err := n.set(key, strings.TrimSpace(value), number); err != nil {
			n.fault(number, err.Error())
		}
	}
	return n
}

// fault notes what could not be taken of a line, of the first few.
func (n *note) fault(line int, message string) {
	if len(n.faults) < maxFaults {
		n.faults = append(n.faults, NoteFault{Line: line, Message: message})
	}
}

// add takes an item of the list that a key has; false when the key has none.
func (n *note) add(key, item string, line int) bool {
	item = unquote(item)
	switch key {
	case "tags":
		n.tags = append(n.tags, item)
	case "cites":
		n.cites = append(n.cites, reference{item, line})
	case "supersedes":
		n.supersedes = append(n.supersedes, reference{item, line})
	default:
		return false
	}
	return true
}

func (n *note) set(key, value string, line int) error {
	switch key {
	case "id":
		n.id = reference{unquote(value), line}
	case "title":
		n.title = unquote(value)
	case "domain":
		n.domain = unquote(value)
	case "tags", "cites", "supersedes":
		for item := range strings.SplitSeq(strings.Trim(value, "[]"), ",") {
			if unquote(item) != "" {
				n.add(key, item, line)
			}
		}
	case "importance":
		f, err := strconv.ParseFloat(value, 64)
		if err != nil || !(f > 0 && f <= 1) {
			return fmt.Errorf("importance lies between 0 and 1, which %.40q does not", value)
		}
		n.importance = f
	}
	return nil
}

func unquote(s string) string { return strings.Trim(strings.TrimSpace(s), `"'`) }
