package answer

import (
	"slices"
	"strings"
	"unicode"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// excerpt is the code of a definition in about n lines: all of it, or how it begins and the stretch that has most of the
// question's words. Without such a stretch, a documentation string inside it is left out: what it says is told apart.
func excerpt(w explanation, p evidence.Citation, n int) string {
	lines := strings.Split(strings.TrimRight(p.Code(), "\n"), "\n")
	if len(lines) <= n {
		return head(p.Code(), n)
	}
	opening := headLines(p, lines)
	most := n - opening - 1
	if words := wordsBeside(w, p); most >= 4 && len(words) > 0 {
		if at := tellingStretch(lines, words, opening, n, most); at > opening {
			stretch := append(slices.Clone(lines[:opening]), "…")
			stretch = append(stretch, lines[at:min(len(lines), at+most)]...)
			if at+most < len(lines) {
				stretch = append(stretch, "…")
			}
			return head(strings.Join(stretch, "\n"), len(stretch))
		}
	}
	if end := docstringEnd(lines, opening); p.Doc != "" && end > 0 && end < len(lines) {
		lines = append(slices.Clone(lines[:opening]), lines[end:]...)
	}
	return head(strings.Join(lines, "\n"), n)
}

// wordsBeside are the stems of the question's words that the name of a definition does not have.
func wordsBeside(w explanation, p evidence.Citation) []string {
	name := evidence.Stems(p.Name)
	return slices.DeleteFunc(w.contentOf(w.q.Text), func(s string) bool { return name[s] })
}

// headLines is how many lines of a definition are its signature, with the decorators or annotations above it.
func headLines(p evidence.Citation, lines []string) int {
	const most = 4
	words := len(strings.Fields(p.Signature))
	n := 0
	for n < len(lines)-1 && strings.HasPrefix(strings.TrimSpace(lines[n]), "@") && !strings.HasPrefix(p.Signature, "@") {
		n++
	}
	for end := n + most; n < len(lines) && n < end && words > 0; {
		words -= len(strings.Fields(lines[n]))
		n++
	}
	return max(1, n)
}

// tellingStretch is where the lines begin that have the most of the words: 0 when the first n lines have as many.
func tellingStretch(lines, words []string, opening, n, most int) int {
	has := make([]map[string]bool, len(lines))
	for i, line := range lines {
		own := evidence.Stems(line)
		for _, s := range words {
			if own[s] {
				if has[i] == nil {
					has[i] = map[string]bool{}
				}
				has[i][s] = true
			}
		}
	}
	score := func(from, to int) int { // a word counts for much, a line that has one for little
		seen, rows := map[string]bool{}, 0
		for _, own := range has[from:min(to, len(lines))] {
			for s := range own {
				seen[s] = true
			}
			if len(own) > 0 {
				rows++
			}
		}
		return 100*len(seen) + rows
	}
	best, at := score(0, n)+99, 0 // another stretch has to have another word
	for i := opening; i < len(lines); i++ {
		if len(has[i]) == 0 {
			continue
		}
		if s := score(i, i+most-1); s > best {
			best, at = s, i
			if i > opening && strings.ContainsFunc(lines[i-1], unicode.IsLetter) { // what leads there
				at--
			}
		}
	}
	return at
}

// opensDocstring is the first line of a documentation string of Python or Elixir; the quotes are its group.
var opensDocstring = lazyregexp.New(`^\s*(?:@(?:module)?doc\s+)?(?:~[sS]|[rRbBuU])?("""|''')`)

// docstringEnd is the line behind the documentation string that begins at a line, 0 when none does.
func docstringEnd(lines []string, at int) int {
	if at >= len(lines) {
		return 0
	}
	m := opensDocstring.FindStringSubmatch(lines[at])
	if m == nil {
		return 0
	}
	if strings.Count(lines[at], m[1]) > 1 {
		return at + 1
	}
	for i := at + 1; i < len(lines); i++ {
		if strings.Contains(lines[i], m[1]) {
			return i + 1
		}
	}
	return 0
}
