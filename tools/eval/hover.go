package eval

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode/utf16"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/index/syntax"
	"github.com/aurora-sidecar/aurora/tools/lspclient"
)

// HoverOptions say what to hover over and who knows better.
type HoverOptions struct {
	Dir      string   // the project
	Language string   // as package syntax names it; the ids of LSP are the same for those with a reference
	Server   []string // command line of the language server that tells where names are defined
	Samples  int      // identifiers that the server knows a definition of
	Seed     uint64
	Link     bool // make the packages of the project's own workspaces known to the server, see linkPackages
}

// A HoverCase is one identifier.
type HoverCase struct {
	Path    string   `json:"path"`
	Line    int      `json:"line"`   // one-based
	Column  int      `json:"column"` // zero-based, in UTF-16
	Name    string   `json:"name"`
	Truth   []string `json:"truth"` // path:line of the definitions, absolute outside of the project
	Shown   []string `json:"shown"` // path:line of what the card says
	Verdict string   `json:"verdict"`
	cpu     time.Duration
}

// The verdicts.
const (
	hoverRight   = "right"
	hoverWrong   = "wrong"
	hoverSilent  = "silent"  // nothing shown though it is defined in the project
	hoverSpared  = "spared"  // nothing shown of what is defined elsewhere
	hoverForeign = "foreign" // something shown of what is defined elsewhere: wrong

	// The server stops at the import that brings the name, as it does not have what is imported.
	hoverBeyond  = "beyond"  // a definition of the project is shown: the server can't tell whether that is right
	hoverStopped = "stopped" // nothing shown
)

// A HoverReport sums up the cases.
type HoverReport struct {
	Cases   []HoverCase   `json:"cases"`
	CPU50   time.Duration `json:"cpu50"` // processor time of a hover, of this process
	CPU99   time.Duration `json:"cpu99"`
	Skipped int           `json:"skipped"` // identifiers that the server says nothing about, or that are definitions themselves
}

// Count is how many cases have a verdict.
func (r *HoverReport) Count(verdict string) (n int) {
	for _, c := range r.Cases {
		if c.Verdict == verdict {
			n++
		}
	}
	return n
}

// Hovers asks AURORA and a language server about random identifiers of a project.
func Hovers(ctx context.Context, o HoverOptions) (*HoverReport, error) {
	dir, err := filepath.Abs(o.Dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return nil, err
	}
	o.Dir = dir
	if o.Link {
		if err := linkPackages(dir); err != nil {
			return nil, err
		}
	}
	w, err := openWorkspace(ctx, dir, Options{})
	if err != nil {
		return nil, err
	}
	defer w.close()
	server, err := startServer(o)
	if err != nil {
		return nil, err
	}
	defer server.stop()
	files, err := filesOf(o)
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no files of %s in %s (%v)", o.Language, dir, err)
	}
	return sample(ctx, o, w, server, files)
}

// filesOf lists the files of the language in the order of their paths, without those that a package manager put there.
func filesOf(o HoverOptions) (files []string, err error) {
	err = filepath.WalkDir(o.Dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (strings.HasPrefix(d.Name(), ".") && path != o.Dir || d.Name() == "node_modules" || d.Name() == "vendor") {
			if err == nil {
				err = filepath.SkipDir
			}
			return err
		}
		if l := syntax.ByPath(path); l != nil && l.Name == o.Language {
			files = append(files, path)
		}
		return nil
	})
	return files, err
}

var identifier = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)

// reserved are words that name nothing, of which some servers say where they lead. "this" and "super" name something.
var reserved = map[string]map[string]bool{
	"go":         words("break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var"),
	"typescript": words("await break case catch class const continue default delete do else export extends finally for function if import in instanceof new return switch throw try typeof var void while yield"),
}

func words(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// sample asks about identifiers until enough have a definition. Each file is as likely as it is large.
func sample(ctx context.Context, o HoverOptions, w *workspace, server *referenceServer, files []string) (*HoverReport, error) {
	random := rand.New(rand.NewPCG(o.Seed, 1))
	var places []HoverCase
	texts := map[string][]byte{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil || len(text) > 1<<20 {
			continue
		}
		texts[f] = text
		for i, line := range bytes.Split(text, []byte("\n")) {
			for _, at := range identifier.FindAllIndex(line, -1) {
				if reserved[o.Language][string(line[at[0]:at[1]])] {
					continue
				}
				places = append(places, HoverCase{Path: f, Line: i + 1, Column: utf16Length(line[:at[0]]), Name: string(line[at[0]:at[1]])})
			}
		}
	}
	random.Shuffle(len(places), func(i, j int) { places[i], places[j] = places[j], places[i] })
	report := &HoverReport{}
	var times []time.Duration
	for _, c := range places {
		if len(report.Cases) == o.Samples || ctx.Err() != nil {
			break
		}
		truth, err := server.definitions(c, texts[c.Path])
		if err != nil {
			return nil, err
		}
		c.Truth = truth
		if len(truth) == 0 || slices.Contains(truth, fmt.Sprintf("%s:%d", c.Path, c.Line)) {
			report.Skipped++
			continue
		}
		if err := w.hover(ctx, &c, texts[c.Path]); err != nil {
			return nil, err
		}
		if c.judge(o.Dir); stopsAtImport(c, texts[c.Path]) {
			c.stop()
		}
		times = append(times, c.cpu)
		report.Cases = append(report.Cases, c)
	}
	slices.Sort(times)
	if len(times) > 0 {
		report.CPU50, report.CPU99 = times[len(times)/2], times[len(times)*99/100]
	}
	return report, ctx.Err()
}

func utf16Length(b []byte) int { return len(utf16.Encode([]rune(string(b)))) }

// shownPlace is where a card says that something is defined.
var shownPlace = regexp.MustCompile(`(?:(?:Defined|Declared) in |^- .* )\[[^\]]*\]\(file://([^)#]*)#L([0-9]+)\)`)

// hover asks AURORA.
func (w *workspace) hover(ctx context.Context, c *HoverCase, text []byte) error {
	offset := 0
	for range c.Line - 1 {
		offset += bytes.IndexByte(text[offset:], '\n') + 1
	}
	for n := 0; n < c.Column; n++ {
		r := []rune(string(text[offset:min(len(text), offset+4)]))[0]
		n += utf16.RuneLen(r) - 1
		offset += len(string(r))
	}
	begin := processorTime()
	card, err := w.engine.Code().Hover(ctx, engine.Place{Path: c.Path, Offset: offset})
	c.cpu = processorTime() - begin
	if err != nil || card == nil {
		return err
	}
	for _, line := range strings.Split(card.Markdown, "\n") {
		if m := shownPlace.FindStringSubmatch(line); m != nil {
			path, _ := url.PathUnescape(m[1])
			c.Shown = append(c.Shown, path+":"+m[2])
		}
	}
	return nil
}

func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// judge compares what is shown with what is true. A card that shows several places is wrong unless all are true.
func (c *HoverCase) judge(dir string) {
	inside := slices.ContainsFunc(c.Truth, func(t string) bool {
		return strings.HasPrefix(t, dir+"/") && !strings.Contains(t, "/node_modules/")
	})
	untrue := slices.ContainsFunc(c.Shown, func(s string) bool { return !slices.Contains(c.Truth, s) })
	switch {
	case len(c.Shown) == 0 && inside:
		c.Verdict = hoverSilent
	case len(c.Shown) == 0:
		c.Verdict = hoverSpared
	case !inside:
		c.Verdict = hoverForeign
	case untrue:
		c.Verdict = hoverWrong
	default:
		c.Verdict = hoverRight
	}
}

// stop is the verdict where the server knows only the import.
func (c *HoverCase) stop() {
	switch {
	case len(c.Shown) == 0:
		c.Verdict = hoverStopped
	case c.Verdict != hoverRight:
		c.Verdict = hoverBeyond
	}
}

// importStatement is one of TypeScript that takes names out of a module, not the module as a whole.
var importStatement = regexp.MustCompile(`(?ms)^\s*import\s+[^'"()]*?\sfrom\s+['"][^'"\n]+['"]`)

// stopsAtImport reports whether all that the server knows is an import in the same file, of a name out of a module.
func stopsAtImport(c HoverCase, text []byte) bool {
	path, number, ok := cutPlace(c.Truth[0])
	if len(c.Truth) != 1 || !ok || path != c.Path {
		return false
	}
	for _, at := range importStatement.FindAllIndex(text, -1) {
		statement := bytes.TrimLeft(text[at[0]:at[1]], " \t\r\n")
		last := bytes.Count(text[:at[1]], []byte("\n")) + 1
		first := last - bytes.Count(statement, []byte("\n"))
		if first <= number && number <= last && !bytes.Contains(statement, []byte("* as ")) {
			return true
		}
	}
	return false
}

// cutPlace splits path:line.
func cutPlace(place string) (path string, line int, ok bool) {
	at := strings.LastIndexByte(place, ':')
	if at < 0 {
		return "", 0, false
	}
	line, err := strconv.Atoi(place[at+1:])
	return place[:at], line, err == nil
}

// A referenceServer is a language server that knows where names are defined.
type referenceServer struct {
	client   *lspclient.Client
	language string
	open     map[string]bool
}

func fileURI(path string) string { return (&url.URL{Scheme: "file", Path: path}).String() }

func startServer(o HoverOptions) (*referenceServer, error) {
	cmd := exec.Command(o.Server[0], o.Server[1:]...)
	cmd.Dir = o.Dir
	client, err := lspclient.Start(cmd, nil)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", o.Server[0], err)
	}
	err = client.Call("initialize", map[string]any{
		"processId": os.Getpid(), "capabilities": map[string]any{}, "rootUri": fileURI(o.Dir),
		"workspaceFolders": []any{map[string]any{"uri": fileURI(o.Dir), "name": "project"}},
	}, nil)
	if err != nil {
		return nil, err
	}
	return &referenceServer{client: client, language: o.Language, open: map[string]bool{}}, client.Notify("initialized", map[string]any{})
}

func (s *referenceServer) stop() {
	_ = s.client.Call("shutdown", nil, nil)
	_ = s.client.Notify("exit", nil)
	_ = s.client.Cmd.Wait()
}

// maxTries is how often a server is asked that does not know its project yet.
const maxTries = 300

// definitions returns where the server says that a name is defined, as path:line.
func (s *referenceServer) definitions(c HoverCase, text []byte) ([]string, error) {
	if !s.open[c.Path] {
		s.open[c.Path] = true
		err := s.client.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
			"uri": fileURI(c.Path), "languageId": s.language, "version": 1, "text": string(text),
		}})
		if err != nil {
			return nil, err
		}
	}
	var found []struct {
		URI   string
		Range struct{ Start struct{ Line int } }
	}
	for range maxTries {
		err := s.client.Call("textDocument/definition", map[string]any{
			"textDocument": map[string]any{"uri": fileURI(c.Path)}, "position": map[string]any{"line": c.Line - 1, "character": c.Column},
		}, &found)
		if err == nil || !strings.Contains(err.Error(), "no views") {
			break // gopls answers with an error where there is no identifier, too
		}
		time.Sleep(100 * time.Millisecond) // it has not looked at the project yet, and tells nobody when it has
	}
	var places []string
	for _, f := range found {
		if u, err := url.Parse(f.URI); err == nil && !isLink(u.Path) {
			places = append(places, fmt.Sprintf("%s:%d", u.Path, f.Range.Start.Line+1))
		}
	}
	return places, nil
}
