package convlog

import (
	"bufio"
	"errors"
	"io"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// A Conversation is a file as it was read, in whichever format.
type Conversation struct {
	File     File
	ID       string // of the query; "" in the older format
	Topic    string
	Query    string
	Date     time.Time // zero when neither name nor text says it
	Sections []Section // in the order of the file; a file without headings of phases is one
	Lines    int
}

// A Section is one part of a conversation.
type Section struct {
	Title      string // "Phase 3: DECOMPOSE"; the topic for a file without headings
	Phase      int    // 1 to 9; 0 for all that is no phase
	Name       string // DECOMPOSE
	Start, End int    // lines, one-based, both inclusive; the heading is the first
	Text       string // the lines below the heading, at most maxSection bytes

	headless bool // it has no heading: the text begins on the first line
}

const (
	// maxSection is how much of a section is kept: files of hundreds of megabytes are read, not held.
	maxSection = 256 << 10

	summaryTitle = "Execution Summary"
)

var (
	// A heading of a phase has two or three marks, a word that begins as Phase does, and a digit: people misspell.
	phaseHeading = lazyregexp.New(`(?i)^#{2,3}\s*(ph\p{L}*)[\s:]*([1-9])(b?)(?:\s*[:.)\-–—]\s*|\s+|$)(.*)$`)
	entryHeading = lazyregexp.New(`^##\s+Query:\s*(\S+)?\s*(?:\|\s*ID:\s*(\S+))?`)
	datedName    = lazyregexp.New(`^(.+)-(\d{4}-\d{2}-\d{2})(?:-\d+)?$`)
)

// parse reads a conversation. A read error ends it where it stands: the rest of a cut file is lost, the file is not.
func parse(r io.Reader, name string) *Conversation {
	p := &parser{c: &Conversation{}}
	base := strings.TrimSuffix(bare(path.Base(name)), ".md")
	if m := datedName.FindStringSubmatch(base); m != nil {
		if date, err := time.Parse(time.DateOnly, m[2]); err == nil {
			p.c.Topic, p.c.Date = m[1], date
		}
	}
	lines := bufio.NewReaderSize(r, 64<<10)
	for {
		line, err := readLine(lines)
		if line == "" && err != nil {
			break
		}
		p.line(strings.TrimRight(strings.ToValidUTF8(line, "\uFFFD"), "\r\n"))
	}
	p.end()
	if p.c.Topic == "" {
		p.c.Topic = base
	}
	if len(p.c.Sections) == 0 {
		p.c.Sections = []Section{{Title: p.c.Topic, Start: 1, End: max(1, p.c.Lines), Text: strings.TrimRight(p.all.String(), " \t\n"), headless: true}}
	}
	return p.c
}

// readLine returns the next line, of an overlong one the beginning.
func readLine(r *bufio.Reader) (string, error) {
	line, err := r.ReadSlice('\n')
	text := string(line)
	for errors.Is(err, bufio.ErrBufferFull) {
		line, err = r.ReadSlice('\n')
		if len(text) < maxSection {
			text += string(line)
		}
	}
	return text, err
}

// A parser reads line by line.
type parser struct {
	c    *Conversation
	open bool            // the last section goes on
	all  strings.Builder // of a file without sections yet
	text strings.Builder // of the open section
}

func (p *parser) line(line string) {
	p.c.Lines++
	if p.c.Lines == 1 {
		line = strings.TrimPrefix(line, "\uFEFF")
	}
	if m := phaseHeading.FindStringSubmatch(line); m != nil && nearPhase(m[1]) {
		number, _ := strconv.Atoi(m[2]) // one digit
		name := strings.TrimSpace(m[4])
		title := "Phase " + m[2] + strings.ToLower(m[3])
		if name != "" {
			title += ": " + name
		}
		p.begin(Section{Title: title, Phase: number, Name: name})
		return
	}
	if strings.HasPrefix(line, "### ") && strings.TrimSpace(line[4:]) == summaryTitle {
		p.begin(Section{Title: summaryTitle})
		return
	}
	if !p.open {
		p.header(line)
		keep(&p.all, line)
		return
	}
	keep(&p.text, line)
	if content := strings.TrimSpace(line); content != "" && content != "---" { // the rule at the end belongs to the file
		p.c.Sections[len(p.c.Sections)-1].End = p.c.Lines
	}
}

// nearPhase tells "Phase" from other words that begin with ph: four of its five letters have to be there in order.
func nearPhase(word string) bool {
	found, rest := 0, strings.ToLower(word)
	for _, letter := range "phase" {
		if i := strings.IndexRune(rest, letter); i >= 0 {
			found++
			rest = rest[i+1:]
		}
	}
	return found >= 4
}

// header reads what stands above the first phase.
func (p *parser) header(line string) {
	value := func(key string) (string, bool) {
		rest, ok := strings.CutPrefix(line, key)
		return strings.TrimSpace(rest), ok
	}
	if m := entryHeading.FindStringSubmatch(line); m != nil {
		p.c.ID = m[2]
		if at, err := time.Parse(time.RFC3339, m[1]); err == nil && p.c.Date.IsZero() {
			p.c.Date = at
		}
		return
	}
	if v, ok := value("# Conversation:"); ok && v != "" {
		p.c.Topic = v
	} else if v, ok := value("Date:"); ok && p.c.Date.IsZero() {
		p.c.Date, _ = time.Parse(time.DateOnly, v[:min(len(v), len(time.DateOnly))]) // zero for what is no date
	} else if v, ok := value("Query:"); ok && p.c.Query == "" {
		p.c.Query = v
	} else if v, ok := value("**User Query**:"); ok && p.c.Query == "" {
		p.c.Query = strings.Trim(v, `"`)
	}
}

func (p *parser) begin(s Section) {
	p.end()
	s.Start, s.End = p.c.Lines, p.c.Lines
	p.c.Sections = append(p.c.Sections, s)
	p.open = true
}

// end closes the open section.
func (p *parser) end() {
	if !p.open {
		return
	}
	s := &p.c.Sections[len(p.c.Sections)-1]
	text := strings.TrimRight(p.text.String(), " \t\n")
	s.Text = strings.TrimRight(strings.TrimSuffix(text, "\n---"), " \t\n")
	p.open = false
	p.text.Reset()
}

func keep(b *strings.Builder, line string) {
	if b.Len() < maxSection {
		b.WriteString(line)
		b.WriteByte('\n')
	}
}
