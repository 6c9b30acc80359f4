package cli

import (
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/spf13/pflag"
	"golang.org/x/tools/txtar"
)

// A page is a Markdown file that people read.
type page struct {
	name string // slashes, from the repository's root
	text string
}

// pages are the Markdown files of the repository, but for fixtures and what others wrote.
func pages(t *testing.T) []page {
	t.Helper()
	root := filepath.Join(testDir, "..", "..")
	var list []page
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && name != "." || slices.Contains([]string{"node_modules", "testdata", "bin", "internal"}, d.Name())) {
			return fs.SkipDir
		}
		if d.IsDir() || path.Ext(name) != ".md" {
			return nil
		}
		src, err := os.ReadFile(file)
		list = append(list, page{name, strings.ReplaceAll(string(src), "\r\n", "\n")})
		return err
	})
	if err != nil || len(list) < 20 {
		t.Fatalf("%d pages: %v", len(list), err)
	}
	return list
}

var (
	mdLink    = regexp.MustCompile(`!?\[[^\]]*\]\(([^)\s]+)\)`)
	mdHeading = regexp.MustCompile(`(?m)^#{1,6} +(.+?) *$`)
	mdFence   = regexp.MustCompile("(?ms)^ *(`{3,})([a-z]*)[^\n]*\n(.*?)^ *(`{3,}) *$")
	mdCode    = regexp.MustCompile("`[^`\n]+`")
)

// anchors are the names under which a page's headings can be linked, as GitHub makes them.
func (p page) anchors() []string {
	var list []string
	for _, m := range mdHeading.FindAllStringSubmatch(mdFence.ReplaceAllString(p.text, ""), -1) {
		title := regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`).ReplaceAllString(m[1], "$1")
		title = regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(title), "")
		list = append(list, strings.ReplaceAll(title, " ", "-"))
	}
	return list
}

// links are the targets of a page's links and images, but for those in code.
func (p page) links() []string {
	var list []string
	for _, m := range mdLink.FindAllStringSubmatch(mdCode.ReplaceAllString(mdFence.ReplaceAllString(p.text, ""), "code"), -1) {
		list = append(list, m[1])
	}
	return list
}

// TestDocLinks follows every link inside the repository, and sees that each page of docs can be reached from the README.
func TestDocLinks(t *testing.T) {
	byName := map[string]page{}
	for _, p := range pages(t) {
		byName[p.name] = p
	}
	reached := map[string]bool{}
	for next := []string{"README.md"}; len(next) > 0; {
		p := byName[next[0]]
		next = next[1:]
		if reached[p.name] {
			continue
		}
		reached[p.name] = true
		for _, link := range p.links() {
			if to, _, _ := strings.Cut(link, "#"); to != "" && byName[path.Join(path.Dir(p.name), to)].name != "" {
				next = append(next, path.Join(path.Dir(p.name), to))
			}
		}
	}
	count := 0
	for _, p := range byName {
		if strings.HasPrefix(p.name, "docs/") && !reached[p.name] {
			t.Errorf("no link leads from README.md to %s", p.name)
		}
		for _, link := range p.links() {
			u, err := url.Parse(link)
			if err != nil {
				t.Errorf("%s: %s: %v", p.name, link, err)
				continue
			}
			if u.Scheme != "" || strings.HasPrefix(link, "command:") {
				continue
			}
			count++
			target := p.name
			if u.Path != "" {
				target = path.Join(path.Dir(p.name), u.Path)
			}
			if _, err := os.Stat(filepath.Join(testDir, "..", "..", filepath.FromSlash(target))); err != nil {
				t.Errorf("%s: the link to %s is dead", p.name, link)
			} else if to, known := byName[target]; u.Fragment != "" && (!known || !slices.Contains(to.anchors(), u.Fragment)) {
				t.Errorf("%s: %s has no heading for #%s", p.name, target, u.Fragment)
			}
		}
	}
	if count < 60 {
		t.Errorf("only %d links were found; does the test still see them?", count)
	}
}

// shownCommand finds what a page tells people to type: in blocks for a shell, at the start of a line or after a prompt.
var shownCommand = regexp.MustCompile(`(?m)^(?:\$ |[A-Z_]+=\S+ )*(aurora|aur) +([^\n]*)`)

// TestDocCommands holds every aurora command of the pages against the command tree: the command is there, and so is each flag.
func TestDocCommands(t *testing.T) {
	count := 0
	for _, p := range pages(t) {
		if slices.Contains([]string{"docs/cli.md", "docs/requirements.md", "CHANGELOG.md"}, p.name) {
			continue // made from the tree; has patterns; tells of the past
		}
		prose := mdFence.ReplaceAllString(p.text, "")
		for _, code := range mdCode.FindAllString(prose, -1) {
			if m := shownCommand.FindStringSubmatch(strings.Trim(code, "`")); m != nil {
				count++
				if problem := typed(m[2]); problem != "" {
					t.Errorf("%s: %s: %s", p.name, code, problem)
				}
			}
		}
		for _, fence := range mdFence.FindAllStringSubmatch(p.text, -1) {
			if !slices.Contains([]string{"sh", "console", "bash"}, fence[2]) {
				continue
			}
			for _, m := range shownCommand.FindAllStringSubmatch(fence[3], -1) {
				count++
				if problem := typed(m[2]); problem != "" {
					t.Errorf("%s: %s %s: %s", p.name, m[1], m[2], problem)
				}
			}
		}
	}
	if count < 100 {
		t.Errorf("only %d commands were found; does the test still see them?", count)
	}
}

var quoted = regexp.MustCompile(`"[^"]*"|'[^']*'|\$\([^)]*\)`)

// typed tells what is wrong with the arguments of a command, as far as the command tree knows.
func typed(args string) string {
	root := rootCommand((&app.App{}), "aurora")
	given := shellWords(args)
	isPhrase := len(withCommand(root, given)) > len(given)
	args = quoted.ReplaceAllString(args, "X")
	args = regexp.MustCompile(` +(#|\||>|&&|;|<|\\).*`).ReplaceAllString(" "+args, "")
	words := strings.Fields(args)
	if isPhrase {
		words = append([]string{"search"}, words...)
	}
	root.InitDefaultCompletionCmd()
	cmd, rest, err := root.Find(words)
	if err != nil {
		return err.Error()
	}
	if cmd.HasSubCommands() && cmd.Args != nil {
		if len(rest) > 0 && !strings.HasPrefix(rest[0], "-") {
			if err := cmd.Args(cmd, rest[:1]); err != nil {
				return err.Error()
			}
		}
	}
	cmd.InheritedFlags() // merges the parents' flags into those of cmd
	for _, w := range words {
		name, _, _ := strings.Cut(strings.TrimLeft(w, "-"), "=")
		var flag *pflag.Flag
		switch {
		case w == "--":
			return ""
		case strings.HasPrefix(w, "--"):
			flag = cmd.Flag(name)
		case strings.HasPrefix(w, "-") && len(w) > 1 && (w[1] < '0' || w[1] > '9'):
			flag = cmd.Flags().ShorthandLookup(w[1:2])
		default:
			continue
		}
		if flag == nil && name != "help" && name != "h" {
			return "there is no " + w
		}
	}
	return ""
}

// TestDocSettings sees that the settings which pages name are there.
func TestDocSettings(t *testing.T) {
	var known []string
	for _, k := range config.Keys() {
		known = append(known, k.Name)
	}
	count := 0
	named := regexp.MustCompile("`([a-z][a-z0-9_]*(?:\\.[a-z][a-z0-9_]*)+)(?:\\.\\*)?`")
	sections := map[string]bool{}
	for _, k := range known {
		section, _, _ := strings.Cut(k, ".")
		sections[section] = true
	}
	for _, p := range pages(t) {
		if slices.Contains([]string{"docs/configuration.md", "docs/requirements.md", "CHANGELOG.md"}, p.name) {
			continue
		}
		for _, m := range named.FindAllStringSubmatch(p.text, -1) {
			section, _, _ := strings.Cut(m[1], ".")
			if !sections[section] || section == "aurora" || slices.Contains([]string{".go", ".py", ".json", ".md", ".db", ".yml"}, path.Ext(m[1])) {
				continue
			}
			count++
			if !slices.ContainsFunc(known, func(k string) bool { return k == m[1] || strings.HasPrefix(k, m[1]+".") }) {
				t.Errorf("%s: there is no setting %s", p.name, m[1])
			}
		}
	}
	if count < 30 {
		t.Errorf("only %d settings were found; does the test still see them?", count)
	}
}

// TestGettingStartedIsWhatHappens holds the page against the script of the same name, which TestScripts runs: each command
// that it shows is in it, and each line below is of its output.
func TestGettingStartedIsWhatHappens(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(testDir, "..", "..", "docs", "getting-started.md"))
	if err != nil {
		t.Fatal(err)
	}
	archive, err := txtar.ParseFile(filepath.Join(testDir, "testdata", "script", "getting-started.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	score := regexp.MustCompile(`\b\d\.\d{3}\b`)
	printed := map[string][]string{}
	for _, f := range archive.Files {
		for _, line := range strings.Split(string(f.Data), "\n") {
			printed[f.Name] = append(printed[f.Name], score.ReplaceAllString(strings.ReplaceAll(line, "$HOME", "~"), "#.###"))
		}
	}
	shown := 0
	for _, fence := range mdFence.FindAllStringSubmatch(string(page), -1) {
		if fence[2] != "console" {
			continue
		}
		var output []string
		var command string
		for line := range strings.Lines(fence[3]) {
			line = strings.TrimRight(line, "\n")
			if strings.HasPrefix(line, "$ ") {
				command, output = line, printed[line]
				if shown++; output == nil {
					t.Errorf("the script does not run %s", line)
				}
				continue
			}
			if line != "[...]" && !slices.Contains(output, score.ReplaceAllString(line, "#.###")) {
				t.Errorf("%s does not print %q", command, line)
			}
		}
	}
	if shown < 7 {
		t.Errorf("the page shows %d commands; does the test still see them?", shown)
	}
}
