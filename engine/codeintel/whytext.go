package codeintel

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/memory"
)

// Markdown says the result in words: what is remembered, the commits, the change before.
func (r *WhyResult) Markdown() string {
	blocks := []string{"**" + wording.EscapeMarkdown(r.place()) + "**"}
	blocks = append(blocks, recordLines(r.now, r.Records))
	for i := range r.Commits {
		blocks = append(blocks, r.Commits[i].block(r))
	}
	if r.Before != nil {
		blocks = append(blocks, "Before that: "+r.Before.line(r.now))
	}
	if r.Uncommitted > 0 {
		blocks = append(blocks, wording.Count(r.Uncommitted, "line is", "lines are")+" in no commit yet.")
	}
	for _, note := range r.Notes {
		blocks = append(blocks, wording.EscapeMarkdown(note))
	}
	return joinBlocks(blocks)
}

func (r *WhyResult) place() string {
	if r.EndLine > r.Line {
		return fmt.Sprintf("%s:%d-%d", r.Path, r.Line, r.EndLine)
	}
	return fmt.Sprintf("%s:%d", r.Path, r.Line)
}

// block is a commit with its body.
func (c *WhyCommit) block(r *WhyResult) string {
	text := c.line(r.now)
	if all := r.EndLine - r.Line + 1; c.Lines < all {
		text += fmt.Sprintf(" (%d of %s)", c.Lines, wording.Count(all, "line", "lines"))
	}
	if c.MergedBy != "" {
		text += "\nMerged with " + wording.InlineCode(wording.MergedWith(c.MergedBy))
	}
	if body := wording.CommitBody(c.Body); len(body) > 0 {
		for i, line := range body {
			body[i] = strings.TrimRight("> "+wording.EscapeMarkdown(line), " ")
		}
		text += "\n\n" + strings.Join(body, "\n")
	}
	return text
}

// line is a commit on one line, with links.
func (c *WhyCommit) line(now time.Time) string {
	hash := wording.InlineCode(c.Hash[:min(10, len(c.Hash))])
	if c.URL != "" {
		hash = fmt.Sprintf("[%s](%s)", hash, c.URL)
	}
	line := fmt.Sprintf("%s %s by %s, %s", hash, wording.InlineCode(cmp.Or(wording.OneLine(c.Subject), "(no subject)")),
		wording.EscapeMarkdown(wording.OneLine(c.Author)), wording.Ago(now, c.Time))
	return line + referenceLinks(c)
}

// referenceLinks are the issues and pull requests of a commit, each as a link where its page is known, and otherwise only when
// its subject doesn't have it.
func referenceLinks(c *WhyCommit) string {
	links := ""
	for _, ref := range c.References {
		if ref.URL == "" {
			if !strings.Contains(c.Subject, ref.Text) {
				links += " " + wording.EscapeMarkdown(ref.Text)
			}
			continue
		}
		links += fmt.Sprintf(" [%s](%s)", ref.Text, ref.URL)
	}
	return links
}

// recordLines lists what is remembered, with its age, its author and whether what it cites is still there.
func recordLines(now time.Time, records []memory.Hit) string {
	var lines []string
	for i := range records {
		r := &records[i]
		by := ""
		if name := cmp.Or(r.By, r.AgentName); name != "" {
			by = " by " + wording.EscapeMarkdown(wording.OneLine(name))
		}
		line := fmt.Sprintf("- Remembered %s%s: %s", wording.Ago(now, r.CreatedAt), by, wording.EscapeMarkdown(wording.OneLine(cmp.Or(r.Title, r.Content))))
		if warning := snippet.CitationWarning(r); warning != "" {
			line += " (" + wording.EscapeMarkdown(warning) + ")"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func joinBlocks(blocks []string) string {
	var kept []string
	for _, b := range blocks {
		if b != "" {
			kept = append(kept, b)
		}
	}
	return strings.Join(kept, "\n\n")
}
