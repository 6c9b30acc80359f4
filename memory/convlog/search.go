package convlog

import (
	"bufio"
	"context"
	"errors"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/atrest"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// A Match is a section of a conversation that has the words that were looked for.
type Match struct {
	Conversation *Conversation // without the texts of its sections
	Section      Section
	Line         int    // one-based, of the line that has most of the words
	Excerpt      string // that line
}

// Search returns the sections of a span that have all words, in any letter case, the latest first, at most limit. What is
// looked at stands in the files, not in an index, so any word is found.
func (b *Book) Search(ctx context.Context, words string, span Span, limit int) ([]Match, error) {
	wanted := strings.Fields(strings.ToLower(words))
	files, err := b.Files(ctx, span)
	if err != nil || len(wanted) == 0 {
		return nil, err
	}
	var out []Match
	var locked error // why some can't be decrypted
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c, err := b.Read(f)
		if errors.Is(err, atrest.ErrNoKey) || errors.Is(err, atrest.ErrWrongKey) {
			locked = err
		}
		if err != nil {
			continue // what can't be opened holds no other back
		}
		for _, m := range c.matches(wanted) {
			if len(out) == limit {
				return out, nil
			}
			out = append(out, m)
		}
	}
	if len(out) == 0 {
		return nil, locked
	}
	return out, nil
}

// repeatedQuery is the question as the phases after the first repeat it, which says nothing of what they found.
var repeatedQuery = lazyregexp.New(`(?m)^\s*"(?:query|original_query)": ".*$`)

// matches are the sections with all words. Where no section has them all, the whole file may have: by its query.
func (c *Conversation) matches(words []string) []Match {
	bare := *c
	bare.Sections = nil
	var out []Match
	for _, s := range c.Sections {
		text := s.Title + "\n" + s.Text
		switch {
		case s.headless:
			text = s.Text
		case s.Phase > 1:
			text = repeatedQuery.ReplaceAllString(text, "")
		}
		if line, excerpt, ok := holds(text, words); ok {
			s.Text = ""
			out = append(out, Match{Conversation: &bare, Section: s, Line: s.Start + line, Excerpt: excerpt})
		}
	}
	if _, _, ok := holds(c.Query+"\n"+c.Topic, words); ok && len(out) == 0 {
		out = append(out, Match{Conversation: &bare, Section: Section{Title: c.Topic, Start: 1, End: c.Lines}, Line: 1, Excerpt: c.Query})
	}
	return out
}

// holds reports whether a text has all words, and which line has most of them, from 0; of equals the first.
func holds(text string, words []string) (line int, excerpt string, ok bool) {
	lower := strings.ToLower(text)
	for _, w := range words {
		if !strings.Contains(lower, w) {
			return 0, "", false
		}
	}
	most := 0
	lines := bufio.NewScanner(strings.NewReader(text))
	lines.Buffer(nil, maxSection+1)
	for n := 0; lines.Scan(); n++ {
		has, lower := 0, strings.ToLower(lines.Text())
		for _, w := range words {
			if strings.Contains(lower, w) {
				has++
			}
		}
		if has > most {
			most, line, excerpt = has, n, strings.TrimSpace(lines.Text())
		}
	}
	return line, excerpt, true
}
