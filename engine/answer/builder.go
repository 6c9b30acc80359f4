package answer

import (
	"fmt"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/answer/question"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// An Answer is what the workspace supports.
type Answer struct {
	Intent     question.Intent
	Text       string              // markdown; [n] cites Cited[n-1]
	Cited      []evidence.Citation // in the order of their numbers
	Confidence float64             // 0..1
	Abstained  bool                // the evidence was too thin; Text says what was looked for
}

// A builder collects sentences and the citations that they cite.
type builder struct {
	blocks []string
	cited  []evidence.Citation
}

// cite returns the number of a citation in square brackets.
func (d *builder) cite(p evidence.Citation) string {
	for i, old := range d.cited {
		if old.ID == p.ID {
			return fmt.Sprintf("[%d]", i+1)
		}
	}
	d.cited = append(d.cited, p)
	return fmt.Sprintf("[%d]", len(d.cited))
}

// say adds a paragraph.
func (d *builder) say(format string, args ...any) {
	d.blocks = append(d.blocks, fmt.Sprintf(format, args...))
}

// list adds a list.
func (d *builder) list(lines []string) {
	if len(lines) > 0 {
		d.blocks = append(d.blocks, "- "+strings.Join(lines, "\n- "))
	}
}

// show adds a code block.
func (d *builder) show(language, code string) {
	fence := "```"
	for strings.Contains(code, fence) {
		fence += "`"
	}
	d.blocks = append(d.blocks, fence+language+"\n"+strings.TrimRight(outdent(code), "\n")+"\n"+fence)
}

// outdent takes the white space off that all lines begin with; an ellipsis in place of lines has none.
func outdent(code string) string {
	lines := strings.Split(code, "\n")
	margin, known := "", false
	for _, line := range lines {
		if strings.TrimSpace(line) == "" || line == "…" {
			continue
		}
		indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		if !known {
			margin, known = indent, true
		}
		for !strings.HasPrefix(indent, margin) {
			margin = margin[:len(margin)-1]
		}
	}
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(line, margin)
	}
	return strings.Join(lines, "\n")
}

func (d *builder) answer(intent question.Intent, confidence float64) *Answer {
	return &Answer{Intent: intent, Text: strings.Join(d.blocks, "\n\n"), Cited: d.cited, Confidence: confidence}
}

// abstain is the answer that the evidence is too thin for one.
func (d *builder) abstain(intent question.Intent) *Answer {
	a := d.answer(intent, 0)
	a.Abstained = true
	return a
}

// line writes a line of code with its place.
func (d *builder) line(l evidence.Line) string {
	return fmt.Sprintf("%s: %s %s", l.At(), code(cut(strings.TrimSpace(l.Text), 100)), d.cite(l.Citation))
}

// code writes a name or a line of code as a code span.
func code(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	ticks := "`"
	for strings.Contains(s, ticks) {
		ticks += "`"
	}
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return ticks + s + ticks
}

// quotedCode is code in the words of a comment: of Markdown, and of reStructuredText with the role that Sphinx gives it.
var quotedCode = lazyregexp.New("(?::[a-z][a-z:]*:)?`+[~!]?([^`]*[^`\\s][^`]*)`+")

// quote writes words of a file as one sentence of the answer. Code in them remains code; what else would be Markdown is shown as it is.
func quote(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > 300 {
		s = string(runes[:300]) + "…"
	}
	escape := strings.NewReplacer("\\", "\\\\", "[", "\\[", "]", "\\]", "<", "\\<", "`", "\\`", "*", "\\*")
	var out strings.Builder
	at := 0
	for _, m := range quotedCode.FindAllStringSubmatchIndex(s, -1) {
		out.WriteString(escape.Replace(s[at:m[0]]) + code(s[m[2]:m[3]]))
		at = m[1]
	}
	return `"` + out.String() + escape.Replace(s[at:]) + `"`
}

// thing is the noun for a citation's type.
func thing(p evidence.Citation) string {
	if p.Kind != "" {
		return p.Kind
	}
	switch p.Type {
	case "function", "method", "class":
		return p.Type
	case "reasoning", "knowledge":
		return "memory record"
	}
	return "snippet"
}

// withArticle puts "a" or "an" before a noun.
func withArticle(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

func and(items []string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	return strings.Join(items[:len(items)-1], ", ") + " and " + items[len(items)-1]
}

// andMore joins the first of total items, and counts the others.
func andMore(items []string, total int) string {
	if more := total - len(items); more > 0 {
		items = append(items, fmt.Sprintf("%d more", more))
	}
	return and(items)
}

// withRest adds to the rows of the first of total items how many others there are.
func withRest(rows []string, total int) []string {
	if more := total - len(rows); more > 0 {
		rows = append(rows, fmt.Sprintf("and %d more", more))
	}
	return rows
}

// firstSentence cuts a comment after its first sentence.
func firstSentence(s string) string {
	for i := 0; i+1 < len(s); i++ {
		if s[i] == '.' && s[i+1] == ' ' {
			return s[:i+1]
		}
	}
	return s
}
