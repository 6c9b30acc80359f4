package codeintel

import (
	"cmp"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/index/git"
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
	byName      bool // some of the callers may call something else of the name
	callers     []snippet.Hit
	importers   importers // of a type
	tests       []snippet.Hit
	git         *snippet.GitInfo
	remote      git.Remote
	companions  []companion
	records     []memory.Hit
}

// importers are the files that import a definition.
type importers struct {
	links []string // to the nearest
	count int
	more  bool // not all files were looked at
}

const (
	maxCardLines = 25
	maxDocRunes  = 400
)

// facts are what no language server knows, the most telling first, one block each.
func (c *card) facts() string {
	return joinBlocks([]string{recordLines(c.now, c.records), c.why(), c.changesWith(), c.calledBy(), c.importedBy(), c.testedBy()})
}

// definition says where a name is defined, and how: what language servers know, too.
func (c *card) definition() string {
	if c.declared != nil {
		return c.declaration()
	}
	blocks := []string{c.heading()}
	if c.sure {
		blocks = append(blocks, c.doc(), c.definedIn())
	}
	return joinBlocks(blocks)
}

// result is the card as it is shown; nil when it says nothing.
func (c *card) result(sym *symbol) *HoverResult {
	facts := firstLines(c.facts(), maxCardLines)
	all := firstLines(joinBlocks([]string{facts, c.definition()}), maxCardLines)
	if all == "" {
		return nil
	}
	return &HoverResult{Markdown: all, Facts: facts, Start: sym.start, End: sym.end}
}

func firstLines(text string, n int) string {
	lines := strings.Split(text, "\n")
	return strings.Join(lines[:min(n, len(lines))], "\n")
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
	if c.called > maxResolvedCallers {
		n = fmt.Sprintf("more than %d", maxResolvedCallers)
	}
	if len(c.callers) == 0 {
		return fmt.Sprintf("Called by name in %s places", n)
	}
	more, names := "", namesOf(c.callers)
	if rest := c.called - len(c.callers); rest > 0 {
		more = fmt.Sprintf(" and %d more", rest)
	}
	if c.byName {
		return fmt.Sprintf("Called by name in %s: %s%s", wording.Count(c.called, "place", "places"), names, more)
	}
	return "Called by " + names + more
}

// namesOf are links to definitions; of several with one name each has its file's.
func namesOf(hits []snippet.Hit) string {
	named := map[string]int{}
	for _, h := range hits {
		named[snippet.Qualified(h)]++
	}
	links := make([]string, len(hits))
	for i, h := range hits {
		label := snippet.Qualified(h)
		if named[label] > 1 {
			label += " in " + path.Base(h.Path)
		}
		links[i] = wording.Link(label, h.Abs, h.Line())
	}
	return strings.Join(links, ", ")
}

// importedBy names the files that import a type.
func (c *card) importedBy() string {
	i := &c.importers
	if i.count == 0 {
		return ""
	}
	s := "Imported by " + wording.Count(i.count, "file", "files") + ": " + strings.Join(i.links, ", ")
	if i.more {
		s = fmt.Sprintf("Imported by %d or more files: %s", i.count, strings.Join(i.links, ", "))
	}
	if i.more || i.count > len(i.links) {
		s += ", …"
	}
	return s
}

// testedBy names the tests that cover the definition.
func (c *card) testedBy() string {
	if len(c.tests) == 0 {
		return ""
	}
	return "Tested by " + namesOf(c.tests)
}

// why is the commit that changed the definition last.
func (c *card) why() string {
	if c.git == nil {
		return ""
	}
	if c.git.Commits == 0 {
		return "Git: not committed yet"
	}
	if c.git.AtEdge {
		return fmt.Sprintf("Git: not changed since %s, where this shallow clone begins", wording.Ago(c.now, c.git.LastModified))
	}
	commit := WhyCommit{References: c.remote.References(c.git.Subject, "")}
	commit.Subject = wording.CutBytes(c.git.Subject, 72)
	return fmt.Sprintf("Git: changed %s by %s in %s%s (%s)", wording.Ago(c.now, c.git.LastModified),
		wording.EscapeMarkdown(wording.OneLine(c.git.Author)), wording.InlineCode(commit.Subject),
		referenceLinks(&commit), wording.Count(c.git.Commits, "commit", "commits"))
}

// place is a link to where a hit is.
func place(h snippet.Hit) string {
	return wording.Link(fmt.Sprintf("%s:%d", h.Path, h.Line()), h.Abs, h.Line())
}
