package search

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/picker"
	"github.com/aurora-sidecar/aurora/internal/cli/show"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
)

const (
	pickLimit   = 50      // hits that a person looks through, unless told otherwise
	pickAround  = 40      // lines of the file before and after what was found
	pickMaxFile = 4 << 20 // bytes of a file that is read for them
)

// CanPick reports whether a person sits at a terminal. The picker draws on standard error, so that the choice can be
// piped on: less $(aur mem).
func CanPick(c *app.App) bool {
	in, isFile := c.In.(*os.File)
	if !isFile || !c.ErrTTY || c.JSON {
		return false
	}
	_, ok := app.TerminalWidth(in)
	return ok && os.Getenv("TERM") != "dumb"
}

// Pick searches while the person types, and opens or prints what they choose.
func Pick(ctx context.Context, c *app.App, query string, f *SearchFlags) error {
	if !CanPick(c) {
		return app.UsageError("In scripts, use: aurora search WORDS", "--pick needs a terminal to type in and to draw on")
	}
	if strings.TrimSpace(query) == "" {
		query = ""
	} else if err := f.check(query); err != nil {
		return err
	}
	if err := f.check("any"); err != nil {
		return err
	}
	project, err := workspace.OpenAnswers(ctx, c, f.Timeout)
	if err != nil {
		return err
	}
	defer project.Close()
	f.explain, f.limit = true, cmp.Or(f.limit, pickLimit)
	s := &pickSearch{cli: c, project: project, flags: f, view: show.HitView{Git: false, Now: c.Now()}}
	hint := "print"
	if opensChoice(c) {
		hint = "open"
	}
	choice, err := picker.Run(ctx, c.In.(*os.File), os.Stderr, picker.Options{
		Prompt: "> ", Query: query, Color: app.ColorWanted() && !c.NoColor, Hint: hint, Search: s.search, Preview: s.preview, Why: s.why,
	})
	switch {
	case errors.Is(err, picker.ErrLeft):
		return app.ErrNothing
	case errors.Is(err, picker.ErrInterrupted):
		return &app.Exit{Code: app.ExitInterrupted}
	case err != nil:
		return err
	}
	hit := s.hit(choice.Query, choice.Index)
	if hit == nil {
		return app.ErrNothing
	}
	return choose(ctx, c, hit, choice.Print)
}

// opensChoice reports whether Enter opens an editor: there is one, and nothing reads what is printed.
func opensChoice(c *app.App) bool { return c.Width > 0 && app.FirstSet("VISUAL", "EDITOR") != "" }

// choose opens or prints a hit. Memory without a place has its text printed.
func choose(ctx context.Context, c *app.App, h *api.Hit, print bool) error {
	path, line := placeOf(h)
	switch {
	case path == "":
		fmt.Fprintln(c.Out, display.Clean(h.ID))
		c.Wrapped("", cmp.Or(h.Text, h.Snippet, h.Name))
		return nil
	case print || !opensChoice(c):
		fmt.Fprintf(c.Out, "%s:%d\n", display.Clean(shortPath(path)), line)
		return nil
	}
	words := editorCommand(strings.Fields(app.FirstSet("VISUAL", "EDITOR")), path, line)
	editor := exec.CommandContext(ctx, words[0], words[1:]...)
	editor.Stdin, editor.Stdout, editor.Stderr = c.In, c.Stdout(), c.Err
	if err := editor.Run(); err != nil {
		return app.Failure("Set EDITOR to an editor that is installed.", fmt.Errorf("open %s with %s: %w", path, words[0], err))
	}
	return nil
}

// editorCommand is how an editor is told a line: +LINE FILE, but for those that want FILE:LINE.
func editorCommand(words []string, path string, line int) []string {
	at := path + ":" + strconv.Itoa(line)
	switch strings.TrimSuffix(filepath.Base(words[0]), ".exe") {
	case "code", "codium", "code-insiders", "cursor", "windsurf":
		return append(slices.Clone(words), "--goto", at)
	case "hx", "helix", "subl", "zed", "zeditor":
		return append(slices.Clone(words), at)
	}
	return append(slices.Clone(words), "+"+strconv.Itoa(line), path)
}

// placeOf is the file and the line, counted from one, that a hit leads to; "" when it has none.
func placeOf(h *api.Hit) (path string, line int) {
	for _, at := range []*api.Range{h.NameRange, h.Range} {
		if at != nil && h.Abs() != "" {
			return h.Abs(), at.Start.Line + 1
		}
	}
	if len(h.Citations) > 0 && h.Citations[0].State != "gone" {
		if path, ok := api.FilePath(h.Citations[0].URI); ok {
			return path, max(1, h.Citations[0].Line)
		}
	}
	return h.Abs(), 1
}

// shortPath is a path relative to the current folder when it lies in it.
func shortPath(path string) string {
	here, err := workspace.Canonical(".")
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(here, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

// A pickSearch searches for the picker and keeps what was found last.
type pickSearch struct {
	cli     *app.App
	project *workspace.Answers
	flags   *SearchFlags
	view    show.HitView

	mu    sync.Mutex
	query string
	hits  []api.Hit
}

func (s *pickSearch) search(ctx context.Context, query string) (picker.Found, error) {
	r, err := s.flags.request(query, s.project.Settings)
	if err != nil {
		return picker.Found{}, err
	}
	r.Text = true
	result, err := api.Search.Call(ctx, s.project.Client, r)
	if err != nil {
		return picker.Found{}, err
	}
	s.mu.Lock()
	s.query, s.hits = query, result.Hits
	s.mu.Unlock()
	found := picker.Found{Notes: result.Notes}
	for i := range result.Hits {
		h := &result.Hits[i]
		found.Items = append(found.Items, picker.Item{
			Score: fmt.Sprintf("%.3f", h.Score), Kind: show.ShortType(h), Name: cmp.Or(h.Name, show.FirstText(h.Snippet)), Place: show.Location(h),
		})
	}
	return found, nil
}

// hit is one that was found for a query; nil when another query was asked since.
func (s *pickSearch) hit(query string, index int) *api.Hit {
	s.mu.Lock()
	defer s.mu.Unlock()
	if query != s.query || index >= len(s.hits) {
		return nil
	}
	return &s.hits[index]
}

// why tells the parts of the score.
func (s *pickSearch) why(query string, index int) []string {
	h := s.hit(query, index)
	if h == nil {
		return nil
	}
	var lines []string
	for _, line := range s.view.BoxBody(query, h) {
		lines = append(lines, strings.TrimRight(line.Text, " "))
	}
	return lines
}

// preview shows a hit in its file, as far as the file has the text that was found; else that text alone.
func (s *pickSearch) preview(query string, index int) picker.Preview {
	h := s.hit(query, index)
	if h == nil {
		return picker.Preview{}
	}
	lines := strings.Split(strings.TrimRight(cmp.Or(h.Text, h.Snippet), "\n"), "\n")
	v := picker.Preview{Lines: lines, To: len(lines)}
	if h.Range == nil {
		return v
	}
	// The text may begin with the comment above the definition, which the range leaves out; both end together.
	first := h.Range.End.Line + 1 - len(lines)
	if h.Range.End.Character == 0 && h.Range.End.Line > h.Range.Start.Line {
		first--
	}
	first = min(max(0, first), h.Range.Start.Line)
	v.First = first + 1
	file := fileLines(h.Abs())
	if h.Source == "overlay" || first+len(lines) > len(file) || strings.TrimSpace(file[first]) != strings.TrimSpace(lines[0]) {
		return v
	}
	from, to := max(0, first-pickAround), min(len(file), first+len(lines)+pickAround)
	return picker.Preview{Lines: file[from:to], First: from + 1, From: first - from, To: first - from + len(lines)}
}

// fileLines are the lines of a file, nil when it can't be read.
func fileLines(path string) []string {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > pickMaxFile {
		return nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return strings.Split(string(bytes.TrimRight(data, "\n")), "\n")
}
