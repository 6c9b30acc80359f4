package answer

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// A section is a part of a document below one heading.
type section struct {
	file  *index.File
	title string
	line  int // one-based, of the heading
	text  string
}

const (
	maxDocuments   = 200
	maxSection     = 6000 // bytes of a section that is about one thing
	maxSectionRows = 18   // lines of a section that an answer shows
)

// documents are the files in which people write about the whole project: those of its root folder first, then those of
// folders of documents.
func documents(l *Workspace) []*index.File {
	var out []*index.File
	for f := range l.Snap.Listed() {
		folder := strings.ToLower(folderOf(f.Path))
		first, _, _ := strings.Cut(folder, "/")
		if documentRank(f.Path) < 0 || folder != "" && !slices.Contains([]string{"docs", "doc", ".github", "documentation"}, first) || strings.Count(folder, "/") > 1 {
			continue
		}
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b *index.File) int {
		return cmp.Or(cmp.Compare(documentRank(a.Path), documentRank(b.Path)), cmp.Compare(strings.Count(a.Path, "/"), strings.Count(b.Path, "/")), strings.Compare(a.Path, b.Path))
	})
	return out[:min(maxDocuments, len(out))]
}

// documentRank orders documents: README, CONTRIBUTING, INSTALL and the like, others; logs of changes and what is no document are -1.
func documentRank(file string) int {
	base := strings.ToLower(path.Base(file))
	stem := strings.TrimSuffix(base, path.Ext(base))
	if !slices.Contains([]string{".md", ".rst", ".txt", ".adoc", ""}, path.Ext(base)) {
		return -1
	}
	for i, names := range [][]string{
		{"readme"}, {"contributing", "install", "building", "build", "hacking", "development", "develop", "developers", "testing", "getting-started", "quickstart"},
		{"faq", "guide", "security", "support", "release", "releasing", "index"},
	} {
		if slices.Contains(names, stem) {
			return i
		}
	}
	switch {
	case path.Ext(base) == "" || strings.Contains(stem, "change") || strings.Contains(stem, "history") || strings.HasPrefix(stem, "news") || strings.HasPrefix(stem, "whatsnew") || strings.Contains(stem, "requirements") || strings.Contains(file, "release") || strings.Contains(file, "history/"):
		return -1
	}
	return 3
}

// fullText is the present text of a file, "" when it is gone.
func fullText(l *Workspace, f *index.File) string {
	if f != nil {
		if doc, ok := l.Docs.At(l.Snap, f.Abs); ok {
			return string(doc.Text)
		}
	}
	return ""
}

// sections cuts a document of Markdown or reStructuredText at its headings; the text of a section has that of those below it.
func sections(l *Workspace, f *index.File) []section {
	lines := strings.Split(strings.ReplaceAll(fullText(l, f), "\r\n", "\n"), "\n")
	type heading struct{ body, level int }
	var out []section
	var headings []heading
	inCode := false
	marks := "" // of reStructuredText, in the order of their levels
	for i, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			inCode = !inCode
		}
		title := strings.TrimSpace(line)
		switch hashes := len(line) - len(strings.TrimLeft(line, "#")); {
		case inCode || title == "":
		case hashes > 0 && strings.HasPrefix(line[hashes:], " "):
			out = append(out, section{file: f, title: strings.Trim(title, "# "), line: i + 1})
			headings = append(headings, heading{i + 1, hashes})
		case i+1 < len(lines) && isUnderline(lines[i+1], len(title)) && !isUnderline(line, 0):
			if !strings.Contains(marks, lines[i+1][:1]) {
				marks += lines[i+1][:1]
			}
			out = append(out, section{file: f, title: title, line: i + 1})
			headings = append(headings, heading{i + 2, 1 + strings.Index(marks, lines[i+1][:1])})
		}
	}
	for i, h := range headings {
		end := len(lines)
		for j := i + 1; j < len(headings); j++ {
			if headings[j].level <= h.level {
				end = out[j].line - 1
				break
			}
		}
		out[i].text = strings.Trim(strings.Join(lines[min(h.body, end):end], "\n"), "\n")
	}
	return out
}

// isUnderline reports whether a line of one repeated mark makes a heading of the n letters above it.
func isUnderline(line string, n int) bool {
	line = strings.TrimRight(line, " ")
	return len(line) >= 3 && len(line)+2 >= n && strings.ContainsRune("=-~^*+\"#`", rune(line[0])) && strings.Trim(line, line[:1]) == ""
}

// about finds the first sections whose headings have one of the words, by their stems, in the order of the words and of the documents.
func about(l *Workspace, stems ...string) []section {
	var found []section
	documents := documents(l)
	for _, s := range stems {
		for _, f := range documents {
			for _, sec := range sections(l, f) {
				if words := splitWords(sec.title); len(words) > 0 && len(words) <= 6 && stemsOf(sec.title)[s] && strings.TrimSpace(sec.text) != "" {
					found = append(found, sec)
				}
			}
		}
	}
	return found
}

// asksHow are the beginnings of questions that documents answer rather than code.
var asksHow = lazyregexp.New(`(?i)^\W*(?:how\s+(?:do|can|should|could|would|to)\b|(?:is|are)\s+(?:it\s+possible|there\s+(?:a|any|an)\s+(?:way|option|setting|support))\b|can\s+(?:i|we|you|one)\b|what(?:'s|\s+is)\s+the\s+(?:best|right|recommended|correct|proper)\s+way\b)`)

// byDocument answers "how do I X" with the section of a document that has all the words, most of them in its heading. It
// returns nil when there is none.
func (w facts) byDocument(ctx context.Context) (*Answer, error) {
	if !asksHow.MatchString(w.q.Text) {
		return nil, ctx.Err()
	}
	words := explanation(w).contentOf(w.q.Text)
	if len(words) == 0 {
		return nil, ctx.Err()
	}
	var best section
	most := 0
	for _, f := range documents(w.Library) {
		for _, s := range sections(w.Library, f) {
			title := stemsOf(s.title)
			own := 0
			for _, word := range words {
				if title[word] {
					own++
				}
			}
			if 2*own <= len(words) || len(s.text) > maxSection || !hasAll(stemsOf(s.title+" "+s.text), words) {
				continue
			}
			if others := len(explanation(w).contentOf(s.title)) - own; others > own {
				continue
			}
			if score := 20*own - len(title); score > most {
				best, most = s, score
			}
		}
	}
	if most == 0 {
		return nil, ctx.Err()
	}
	d := &builder{}
	if !w.showSection(ctx, d, best) {
		return nil, ctx.Err()
	}
	return d.answer(Facts, 0.7), nil
}

// showSection shows a section of a document.
func (w facts) showSection(ctx context.Context, d *builder, s section) bool {
	l, ok, err := w.Library.lineAt(ctx, s.file, s.line-1)
	if err != nil || !ok {
		return false
	}
	d.say("The section %s of %s:%d is about this %s:", quote(s.title), s.file.Path, s.line, d.cite(l.Citation))
	language := "markdown"
	if path.Ext(s.file.Path) != ".md" {
		language = "text"
	}
	d.show(language, head(s.text, maxSectionRows))
	return true
}

// textOf is the text of the whole file of a citation.
func textOf(l *Workspace, p Citation) string {
	f, _ := l.Snap.File(l.Hits[p.ID].Abs)
	return fullText(l, f)
}
