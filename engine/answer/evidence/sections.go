package evidence

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// A section is a part of a document below one heading.
type Section struct {
	File  *index.File
	Title string
	Line  int // one-based, of the heading
	Text  string
}

const maxDocuments = 200

// Documents are the files in which people write about the whole project: those of its root folder first, then those of
// folders of documents.
func Documents(l *Workspace) []*index.File {
	var out []*index.File
	for f := range l.Snap.Listed() {
		folder := strings.ToLower(codebase.DirName(f.Path))
		first, _, _ := strings.Cut(folder, "/")
		if DocumentRank(f.Path) < 0 || folder != "" && !slices.Contains([]string{"docs", "doc", ".github", "documentation"}, first) || strings.Count(folder, "/") > 1 {
			continue
		}
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b *index.File) int {
		return cmp.Or(cmp.Compare(DocumentRank(a.Path), DocumentRank(b.Path)), cmp.Compare(strings.Count(a.Path, "/"), strings.Count(b.Path, "/")), strings.Compare(a.Path, b.Path))
	})
	return out[:min(maxDocuments, len(out))]
}

// DocumentRank orders documents: README, CONTRIBUTING, INSTALL and the like, others; logs of changes and what is no document are -1.
func DocumentRank(file string) int {
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

// ChangeLogs are the files that tell what changed in each version, those of the root folder first.
func ChangeLogs(l *Workspace) []*index.File {
	var out []*index.File
	for f := range l.Snap.Listed() {
		base := strings.ToLower(path.Base(f.Path))
		stem := strings.TrimSuffix(base, path.Ext(base))
		named := slices.ContainsFunc([]string{"change", "history", "news", "release"}, func(word string) bool { return strings.HasPrefix(stem, word) })
		if named && slices.Contains([]string{".md", ".rst", ".txt", ".adoc"}, path.Ext(base)) && codebase.FileKind(f.Path) == "" {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b *index.File) int {
		return cmp.Or(cmp.Compare(strings.Count(a.Path, "/"), strings.Count(b.Path, "/")), strings.Compare(a.Path, b.Path))
	})
	return out[:min(maxDocuments, len(out))]
}

// FullText is the present text of a file, "" when it is gone.
func FullText(l *Workspace, f *index.File) string {
	if f != nil {
		if doc, ok := l.Docs.At(l.Snap, f.Abs); ok {
			return string(doc.Text)
		}
	}
	return ""
}

// Sections cuts a document of Markdown or reStructuredText at its headings; the text of a section has that of those below it.
func Sections(l *Workspace, f *index.File) []Section {
	lines := strings.Split(strings.ReplaceAll(FullText(l, f), "\r\n", "\n"), "\n")
	type heading struct{ body, level int }
	var out []Section
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
			out = append(out, Section{File: f, Title: strings.Trim(title, "# "), Line: i + 1})
			headings = append(headings, heading{i + 1, hashes})
		case i+1 < len(lines) && IsUnderline(lines[i+1], len(title)) && !IsUnderline(line, 0):
			if !strings.Contains(marks, lines[i+1][:1]) {
				marks += lines[i+1][:1]
			}
			out = append(out, Section{File: f, Title: title, Line: i + 1})
			headings = append(headings, heading{i + 2, 1 + strings.Index(marks, lines[i+1][:1])})
		}
	}
	for i, h := range headings {
		end := len(lines)
		for j := i + 1; j < len(headings); j++ {
			if headings[j].level <= h.level {
				end = out[j].Line - 1
				break
			}
		}
		out[i].Text = strings.Trim(strings.Join(lines[min(h.body, end):end], "\n"), "\n")
	}
	return out
}

// IsUnderline reports whether a line of one repeated mark makes a heading of the n letters above it.
func IsUnderline(line string, n int) bool {
	line = strings.TrimRight(line, " ")
	return len(line) >= 3 && len(line)+2 >= n && strings.ContainsRune("=-~^*+\"#`", rune(line[0])) && strings.Trim(line, line[:1]) == ""
}

// About finds the first sections whose headings have one of the words, by their stems, in the order of the words and of the documents.
func About(l *Workspace, stems ...string) []Section {
	var found []Section
	documents := Documents(l)
	for _, s := range stems {
		for _, f := range documents {
			for _, sec := range Sections(l, f) {
				if words := SplitWords(sec.Title); len(words) > 0 && len(words) <= 6 && Stems(sec.Title)[s] && !IsContents(sec.Text) {
					found = append(found, sec)
				}
			}
		}
	}
	return found
}

// IsContents reports whether a section says nothing of its own: it is empty, or lists other documents, by directives of
// reStructuredText or as links alone.
func IsContents(section string) bool {
	directive := -1 // the indentation of one whose lines are left out
	for line := range strings.Lines(section) {
		trimmed := strings.TrimSpace(line)
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		switch {
		case trimmed == "" || directive >= 0 && indent > directive:
			continue
		case contentsDirective.MatchString(trimmed):
			directive = indent
			continue
		}
		directive = -1
		if rest := strings.Trim(linkAlone.ReplaceAllString(trimmed, ""), "*-+#=~^.|>: \t0123456789"); rest != "" {
			return false
		}
	}
	return true
}

var (
	// contentsDirective begins a list of documents, or a mark that is not shown.
	contentsDirective = lazyregexp.New(`^\.\.\s+(?:(?:toctree|contents|include|index|tableofcontents|currentmodule|module|only|meta|highlight)::|_[^:]+:)`)
	// linkAlone is a link, or the name of a document.
	linkAlone = lazyregexp.New("!?\\[[^\\]]*\\]\\([^)]*\\)|`[^`]+`_{1,2}|:(?:doc|ref):`[^`]+`")
)

// TextOf is the text of the whole file of a citation.
func TextOf(l *Workspace, p Citation) string {
	f, _ := l.Snap.File(l.Hits[p.ID].Abs)
	return FullText(l, f)
}
