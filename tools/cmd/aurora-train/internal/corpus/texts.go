package corpus

import (
	"fmt"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// How much of a repository's prose is read.
const (
	maxMessages    = 4000 // newest commits
	maxPages       = 60
	maxFromMessage = 4   // paragraphs of a message
	minText        = 25  // bytes
	maxText        = 500 // bytes
	minParagraph   = 60  // bytes
)

var (
	trailerLine = regexp.MustCompile(`^\s*(([A-Z][\w-]+-[Bb]y|Fixes|Closes|Refs?|PR-URL|Reviewed|See|PR)\b.*|#\d+.*)$`)
	emptyLines  = regexp.MustCompile(`\n\s*\n`)
	fencedCode  = regexp.MustCompile("(?s)```.*?```")
	pageLink    = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	noParagraph = regexp.MustCompile(`^\s*([|<!=]|\.\.)`)
	noPage      = regexp.MustCompile(`(?i)change|history|news|release|licen|vendor|node_modules|i18n|/(zh|fr|es|de|ja|pt|ru|ko)`)
)

// Prose returns what people wrote in the repositories, each text once: subjects and paragraphs of the commit messages that say more
// than a subject, and paragraphs of the pages in Markdown or reStructuredText. It refuses held-out repositories.
func Prose(folders []string, workers int) ([]string, error) {
	for _, folder := range folders {
		if why := HeldOut(folder); why != "" {
			return nil, fmt.Errorf("read %s: %s: leave it out", folder, why)
		}
	}
	lists, err := parallel(slices.Sorted(slices.Values(folders)), workers, prose)
	if err != nil {
		return nil, err
	}
	var texts []string
	seen := map[string]bool{}
	for _, text := range slices.Concat(lists...) {
		if !seen[text] {
			seen[text] = true
			texts = append(texts, text)
		}
	}
	return texts, nil
}

// prose reads one repository by git alone, so that a bare one will do.
func prose(folder string) ([]string, error) {
	list, err := messages(folder)
	if err != nil {
		return nil, err
	}
	pages, err := pages(folder)
	return append(list, pages...), err
}

func messages(folder string) ([]string, error) {
	out, err := exec.Command("git", "-C", folder, "log", "--no-merges", "--max-count="+strconv.Itoa(maxMessages), "--format=%s%x00%b%x01").Output()
	if err != nil {
		return nil, err
	}
	var list []string
	for entry := range strings.SplitSeq(string(out), "\x01") {
		subject, body, _ := strings.Cut(strings.TrimLeft(entry, "\n"), "\x00")
		if noSubject.MatchString(subject) {
			continue
		}
		lines := slices.DeleteFunc(strings.Split(body, "\n"), trailerLine.MatchString)
		if why := appendParagraphs(nil, strings.Join(lines, "\n"), maxFromMessage); len(why) > 0 {
			list = append(appendText(list, subject), why...)
		}
	}
	return list, nil
}

// pages reads what documents the newest commit.
func pages(folder string) ([]string, error) {
	out, err := exec.Command("git", "-C", folder, "ls-tree", "-r", "-z", "--name-only", "HEAD").Output()
	if err != nil {
		return nil, err
	}
	var list []string
	read := 0
	for name := range strings.SplitSeq(string(out), "\x00") {
		if ext := strings.ToLower(path.Ext(name)); ext != ".md" && ext != ".rst" || noPage.MatchString(name) || read == maxPages {
			continue
		}
		page, err := exec.Command("git", "-C", folder, "show", "HEAD:"+name).Output()
		if err != nil {
			continue // a blob that this copy of the repository lacks
		}
		read++
		text := pageLink.ReplaceAllString(fencedCode.ReplaceAllString(string(page), "\n\n"), "$1")
		list = appendParagraphs(list, text, len(text))
	}
	return list, nil
}

// appendParagraphs appends the first paragraphs that are prose.
func appendParagraphs(list []string, text string, most int) []string {
	for _, p := range emptyLines.Split(strings.ReplaceAll(text, "\r", ""), -1) {
		if len(p) > minParagraph && !noParagraph.MatchString(p) && most > 0 {
			list = appendText(list, p)
			most--
		}
	}
	return list
}

// appendText appends a text as one line, unless it is short or mostly no words.
func appendText(list []string, text string) []string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text[:min(len(text), maxText)], "")), " ")
	words := 0
	for _, b := range []byte(text) {
		if isWord(b) || b == ' ' {
			words++
		}
	}
	if len(text) < minText || 4*words < 3*len(text) {
		return list
	}
	return append(list, text)
}
