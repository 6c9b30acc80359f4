package answer

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// overview answers "what is this project": with the first words of its README, its languages, where its code is, and where
// its programs begin.
type overview struct{ *asked }

const (
	maxFolders  = 6
	maxPrograms = 5
	fewWords    = 5 // that a first paragraph has at least
)

func (w overview) answer(ctx context.Context) (*Answer, error) {
	files, _ := w.Library.Size()
	if files == 0 {
		return w.abstain("files of this project"), nil
	}
	d := &builder{}
	confidence := 0.6
	for _, name := range w.readmes() {
		p, ok := w.Library.File(ctx, name)
		if !ok {
			continue
		}
		words, sure := introduction(evidence.TextOf(w.Library, p), w.names()...)
		if own, ok := w.module(ctx); ok && !sure {
			d.say("%s begins: %s %s.", code(own.Path), quote(own.Doc), d.cite(own))
			confidence = 0.8
			break
		}
		if words != "" {
			d.say("%s says: %s %s.", code(name), quote(words), d.cite(p))
			confidence = 0.85
			break
		}
	}
	if rows, err := facts(w).linesOf(ctx, d, descriptionLine, 2); err == nil && len(rows) > 0 {
		d.say("Its package is described so:")
		d.list(rows)
	}
	d.say("It has %s: %s.", wording.Count(files, "file", "files"), and(w.languages()))
	if folders := w.folders(); len(folders) > 0 {
		d.say("Most of its code is in %s.", and(folders))
	}
	programs, err := w.programs(ctx, d)
	if err != nil {
		return nil, err
	}
	if len(programs) > 0 {
		d.say("Its programs begin in:")
		d.list(programs)
	}
	return d.answer(w.q.Intent, confidence), nil
}

// readmes are the paths of what introduces the project, the shortest name first.
func (w overview) readmes() []string {
	var paths []string
	for f := range w.Library.Snap.Listed() {
		if !strings.Contains(f.Path, "/") && strings.HasPrefix(strings.ToLower(f.Path), "readme") {
			paths = append(paths, f.Path)
		}
	}
	slices.SortFunc(paths, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b)) })
	for _, name := range w.names() {
		if file := name + "/README.md"; len(paths) == 0 {
			paths = append(paths, file)
		}
	}
	return paths
}

// languages are the three that most files are of, with their counts.
func (w overview) languages() []string {
	counts := w.Library.Snap.Languages()
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
	var list []string
	for _, name := range names[:min(3, len(names))] {
		list = append(list, fmt.Sprintf("%d of %s", counts[name], name))
	}
	return andRest(list, len(names), "language")
}

// folders are those in which most chunks of code are, tests, examples and the like aside.
func (w overview) folders() []string {
	chunks := map[string]int{}
	for f := range w.Library.Snap.Listed() {
		if codebase.IsCodePath(f.Path) {
			chunks[path.Dir(f.Path)] += len(f.Chunks)
		}
	}
	names := slices.SortedFunc(maps.Keys(chunks), func(a, b string) int {
		return cmp.Or(cmp.Compare(chunks[b], chunks[a]), strings.Compare(a, b))
	})
	var list []string
	for _, name := range names[:min(maxFolders, len(names))] {
		if name == "." {
			list = append(list, "its root folder")
		} else {
			list = append(list, code(name))
		}
	}
	return andRest(list, len(names), "folder")
}

// programs are the functions called main outside of tests and examples.
func (w overview) programs(ctx context.Context, d *builder) ([]string, error) {
	found, err := w.Library.Definitions(ctx, "main")
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(p evidence.Citation) bool {
		return p.Test || p.Type != "function" || notProgram.MatchString(p.Path)
	})
	var rows []string
	for _, p := range found[:min(maxPrograms, len(found))] {
		rows = append(rows, p.Place()+" "+d.cite(p))
	}
	return withRest(rows, len(found)), nil
}

// andRest adds to the first of total items how many others there are.
func andRest(items []string, total int, noun string) []string {
	if more := total - len(items); more > 0 {
		items = append(items, wording.Count(more, "more "+noun, "more "+noun+"s"))
	}
	return items
}

var (
	// notProgram are the places of programs that only people who work on the project start.
	notProgram      = lazyregexp.New(`(?i)^(?:build\.\w+|setup\.py|docs?|maint|scripts?|tools?|ci|hack|contrib|bench\w*)(?:/|$)`)
	descriptionLine = lazyregexp.New(`(?i)^\s*"?(?:description|summary)"?\s*[:=]\s*["'].*\w`)
	itemForm        = lazyregexp.New(`^\s*(?:[-*+]|\d+[.)])\s`)
	headingForm     = lazyregexp.New(`^(?:#{1,6}\s|[=\-~^*]{3,}\s*$)`)
	linkForm        = lazyregexp.New(`!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])`)
	badgeForm       = lazyregexp.New(`\[!\[[^\]]*\]\([^)]*\)\]\([^)]*\)|!\[[^\]]*\]\([^)]*\)|\[?!\[[^\]]*\]\[[^\]]*\]\]?(?:\[[^\]]*\]|\([^)]*\))?`)
	// of reStructuredText: an option of a directive, and a word that stands for an image
	optionForm   = lazyregexp.New(`^\s*:[\w-]+:`)
	restLink     = lazyregexp.New("`([^`<]+?)\\s*(?:<[^`>]*>)?`_+")
	substitution = lazyregexp.New(`\|[\w-]+\|`)
	tagForm      = lazyregexp.New(`<[^<>]*>`)
	blockEnd     = lazyregexp.New(`(?i)</(?:p|div|h[1-6]|ul|ol|table)\s*>`) // of HTML, as an empty line ends a paragraph of Markdown
)

// names are those of the folders of the workspace.
func (w overview) names() []string {
	var names []string
	for _, folder := range w.Library.Snap.Folders() {
		names = append(names, path.Base(folder))
	}
	return names
}

// introduction is what a README says of something of one of the names: the sentences from the one on that says what it
// is, else the first paragraph of words; sure tells which.
func introduction(readme string, names ...string) (words string, sure bool) {
	all := paragraphs(readme)
	for _, name := range names {
		for _, says := range []string{" is a ", " is an ", " is the ", " provides ", " crate provides "} {
			for _, words := range all[:min(12, len(all))] {
				if at := strings.Index(strings.ToLower(words), strings.ToLower(name)+says); at >= 0 {
					return words[at:], true
				}
			}
		}
	}
	for _, words := range all {
		if len(strings.Fields(words)) >= 2*fewWords {
			return words, false
		}
	}
	return strings.Join(all[:min(1, len(all))], ""), false
}

// module is the file whose comment describes a package of Python or Rust with the project's name.
func (w overview) module(ctx context.Context) (evidence.Citation, bool) {
	for _, folder := range w.Library.Snap.Folders() {
		name := path.Base(folder)
		for _, file := range []string{name + "/__init__.py", "src/" + name + "/__init__.py", "src/lib.rs"} {
			if p, ok := w.Library.File(ctx, file); ok && p.Doc != "" && p.Line <= 2 {
				return p, true
			}
		}
	}
	return evidence.Citation{}, false
}

// paragraphs are those of words in a README, without images, link targets and headings.
func paragraphs(readme string) []string {
	var out []string
	inCode := false
	for block := range strings.SplitSeq(blockEnd.ReplaceAllString(strings.ReplaceAll(readme, "\r\n", "\n"), "\n\n"), "\n\n") {
		var lines []string
		for line := range strings.SplitSeq(block, "\n") {
			switch {
			case strings.HasPrefix(strings.TrimSpace(line), "```"):
				inCode = !inCode
			case evidence.IsUnderline(line, 0):
				lines = lines[:max(0, len(lines)-1)] // what it makes a heading of
			case !inCode && !headingForm.MatchString(line) && !itemForm.MatchString(line) && !strings.HasPrefix(line, "    ") && !strings.HasPrefix(line, "..") && !optionForm.MatchString(line):
				lines = append(lines, line)
			}
		}
		words := substitution.ReplaceAllString(badgeForm.ReplaceAllString(strings.Join(lines, " "), ""), "")
		words = restLink.ReplaceAllString(linkForm.ReplaceAllString(words, "$1"), "$1")
		words = strings.ReplaceAll(strings.Join(strings.Fields(strings.ReplaceAll(tagForm.ReplaceAllString(words, " "), "&nbsp;", " ")), " "), "**", "")
		if len(strings.Fields(words)) >= fewWords && !strings.Contains(strings.ToLower(words), "sponsor") {
			out = append(out, words)
		}
	}
	return out
}
