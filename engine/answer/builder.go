package answer

import (
	"fmt"
	"strings"
)

// An Answer is what the library supports.
type Answer struct {
	Intent     Intent
	Text       string     // markdown; [n] cites Cited[n-1]
	Cited      []Citation // in the order of their numbers
	Confidence float64    // 0..1
	Abstained  bool       // the evidence was too thin; Text says what was looked for
}

// A builder collects sentences and the citations that they cite.
type builder struct {
	blocks []string
	cited  []Citation
}

// cite returns the number of a citation in square brackets.
func (d *builder) cite(p Citation) string {
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
	d.blocks = append(d.blocks, fence+language+"\n"+strings.TrimRight(code, "\n")+"\n"+fence)
}

func (d *builder) answer(intent Intent, confidence float64) *Answer {
	return &Answer{Intent: intent, Text: strings.Join(d.blocks, "\n\n"), Cited: d.cited, Confidence: confidence}
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

// quote writes words of a file as one sentence of the answer; what would be Markdown in them is shown as it is.
func quote(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > 300 {
		s = string(runes[:300]) + "…"
	}
	return `"` + strings.NewReplacer("\\", "\\\\", "[", "\\[", "]", "\\]", "<", "\\<", "`", "\\`", "*", "\\*").Replace(s) + `"`
}

// number writes a count with its noun.
func number(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// thing is the noun for a citation's type.
func thing(p Citation) string {
	switch p.Type {
	case "function", "method", "class":
		return p.Type
	case "reasoning", "knowledge":
		return "memory record"
	}
	return "passage"
}

// withArticle puts "a" before a noun; none of thing's begins with a vowel.
func withArticle(noun string) string { return "a " + noun }

func and(items []string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	return strings.Join(items[:len(items)-1], ", ") + " and " + items[len(items)-1]
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
