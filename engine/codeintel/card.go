package codeintel

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/memory"
)

// A card is what a hover says of a symbol.
type card struct {
	symbol      string
	now         time.Time
	definitions []snippet.Hit // at least one, unless declared is set
	declared    *meaning      // of a variable, a field, a parameter
	more        int           // definitions that are not listed
	sure        bool          // the first definition is the one that is meant
	called      int
	callers     []snippet.Hit
	git         *snippet.GitInfo
	records     []memory.Hit
}

const (
	maxCardLines = 25
	maxDocRunes  = 400
)

// markdown writes the card, at most maxCardLines lines.
func (c *card) markdown() string {
	if c.declared != nil {
		return c.declaration()
	}
	blocks := []string{c.heading()}
	if c.sure {
		blocks = append(blocks, c.doc())
	}
	blocks = append(blocks, c.facts()...)
	text := strings.Join(slices.DeleteFunc(blocks, func(b string) bool { return b == "" }), "\n\n")
	lines := strings.Split(text, "\n")
	return strings.Join(lines[:min(maxCardLines, len(lines))], "\n")
}

// heading is the signature, or the list of places when several definitions may be meant.
func (c *card) heading() string {
	first := c.definitions[0]
	if c.sure {
		return wording.Fenced(first.Language, cmp.Or(first.Signature, wording.HeadLines(first.Text, 1), first.Name))
	}
	lines := []string{fmt.Sprintf("%s has %s:", wording.InlineCode(c.symbol), wording.Count(len(c.definitions)+c.more, "definition", "definitions"))}
	for _, d := range c.definitions {
		lines = append(lines, fmt.Sprintf("- %s %s", wording.InlineCode(wording.CutBytes(cmp.Or(d.Signature, d.Name), 100)), place(d)))
	}
	if c.more > 0 {
		lines = append(lines, fmt.Sprintf("- and %d more", c.more))
	}
	return strings.Join(lines, "\n")
}

// declaration shows the line that declares a name which is no definition of its own.
func (c *card) declaration() string {
	d := c.declared
	line := d.doc.Lines.Position(d.name.Start).Line
	where := fmt.Sprintf("Declared in %s", wording.Link(fmt.Sprintf("%s:%d", d.doc.File.Path, line+1), d.doc.File.Abs, line+1))
	text := strings.TrimSpace(d.doc.Excerpt(d.doc.Lines.Start(line), d.doc.Lines.End(line)))
	return wording.Fenced(d.doc.File.Language, wording.CutBytes(text, 200)) + "\n\n" + where
}

func (c *card) doc() string {
	runes := []rune(c.definitions[0].Doc)
	if len(runes) > maxDocRunes {
		runes = append(runes[:maxDocRunes], '…')
	}
	return wording.EscapeMarkdown(string(runes))
}

// facts are one block each.
func (c *card) facts() []string {
	var facts []string
	if c.sure {
		facts = append(facts, c.definedIn())
	}
	return append(facts, c.calledBy(), c.gitAge(), c.remembered())
}

func (c *card) definedIn() string {
	s := "Defined in " + place(c.definitions[0])
	if others := len(c.definitions) - 1 + c.more; others > 0 {
		s += fmt.Sprintf(" (%s of this name)", wording.Count(others, "other definition", "other definitions"))
	}
	return s
}

func (c *card) calledBy() string {
	if c.called == 0 {
		return ""
	}
	n := fmt.Sprint(c.called)
	if c.called > codebase.MaxCounted {
		n = fmt.Sprintf("more than %d", codebase.MaxCounted)
	}
	var names []string
	for _, h := range c.callers {
		names = append(names, wording.Link(snippet.Qualified(h), h.Abs, h.Line()))
	}
	s := fmt.Sprintf("Called by name in %s: %s", n, strings.Join(names, ", "))
	if c.called > len(c.callers) {
		s += ", …"
	}
	return s
}

func (c *card) gitAge() string {
	if c.git == nil {
		return ""
	}
	if c.git.Commits == 0 {
		return "Git: not committed yet"
	}
	return fmt.Sprintf("Git: changed %s by %s in %s (%s)", wording.Ago(c.now, c.git.LastModified),
		wording.EscapeMarkdown(wording.OneLine(c.git.Author)), wording.InlineCode(wording.CutBytes(c.git.Subject, 72)), wording.Count(c.git.Commits, "commit", "commits"))
}

func (c *card) remembered() string {
	var lines []string
	for _, r := range c.records {
		line := fmt.Sprintf("- Remembered %s: %s", wording.Ago(c.now, r.CreatedAt), wording.EscapeMarkdown(wording.OneLine(cmp.Or(r.Title, r.Content))))
		if warning := snippet.CitationWarning(&r); warning != "" {
			line += " (" + wording.EscapeMarkdown(warning) + ")"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// place is a link to where a hit is.
func place(h snippet.Hit) string {
	return wording.Link(fmt.Sprintf("%s:%d", h.Path, h.Line()), h.Abs, h.Line())
}
