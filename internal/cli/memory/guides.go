package memory

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/capture"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/atomicfile"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/memory"
)

// maxGuide is the most bytes of a guide that is read or written.
const maxGuide = 1 << 20

// A guide is a Markdown file with the sections that memory can keep.
type guide struct {
	path     string // as it was named, or relative to the project
	sections []capture.Section
	closed   string // status of a decision record that does not hold
}

// importGuides remembers the sections of Markdown files, or lists what there is to import.
func importGuides(ctx context.Context, c *app.App, args []string) error {
	if len(args) == 0 {
		return listGuides(c)
	}
	var guides []guide
	for _, arg := range args {
		if _, err := os.Stat(arg); err != nil {
			return err
		}
		for _, file := range capture.GuideFiles(arg) {
			g, err := readGuide(file, file)
			if err != nil {
				return err
			}
			guides = append(guides, g)
		}
	}
	project, err := workspace.OpenAnswers(ctx, c, workspace.IndexTimeout)
	if err != nil {
		return err
	}
	defer project.Close()
	counts := memory.Counts{}
	for _, g := range guides {
		switch {
		case g.closed != "":
			c.Warn(fmt.Sprintf("%s is %s, and left out", display.Clean(g.path), g.closed))
		case len(g.sections) == 0:
			c.Warn(display.Clean(g.path) + " has no section with text, and is left out")
		}
		earlier, err := g.earlier(ctx, project)
		if err != nil {
			return err
		}
		for _, s := range g.sections {
			became, err := importSection(ctx, project, g, s, earlier)
			if err != nil {
				return fmt.Errorf("%s:%d: %w", display.Clean(g.path), s.Line, err)
			}
			counts[became]++
		}
	}
	return printCounts(c, "Imported", counts)
}

// mostEarlier is how many records of one guide are looked at for those of earlier imports.
const mostEarlier = 1000

// earlier are the records that cite the guide and that no section of it equals, by their headings.
func (g *guide) earlier(ctx context.Context, project *workspace.Answers) (map[string][]api.MemoryRecord, error) {
	place, known := sourceIn(project.Root, g.path)
	if !known || filepath.IsAbs(place) {
		return nil, nil
	}
	list, err := api.Records.Call(ctx, project.Client, &api.RecordsParams{URI: api.FileURI(filepath.Join(project.Root, place)), Limit: mostEarlier})
	if err != nil {
		return nil, err
	}
	byHeading := map[string][]api.MemoryRecord{}
	for i := range list.Records {
		r := list.Records[i]
		imported := slices.ContainsFunc(r.Hit.Tags, func(tag string) bool { return tag == "instructions" || tag == "adr" })
		current := slices.ContainsFunc(g.sections, func(s capture.Section) bool { return s.Text == r.Content })
		if imported && r.Editable && !current {
			byHeading[headingOf(r.Content)] = append(byHeading[headingOf(r.Content)], r)
		}
	}
	return byHeading, nil
}

// headingOf is the line of headings above the text of a section, "" when it has none.
func headingOf(content string) string {
	title, _, titled := strings.Cut(content, "\n\n")
	if !titled || strings.Contains(title, "\n") {
		return ""
	}
	return title
}

// importSection remembers a section, and says what of: "notes" for a new record, "updated" for that of the same heading whose text in
// the guide has changed since, else "known".
func importSection(ctx context.Context, project *workspace.Answers, g guide, s capture.Section, earlier map[string][]api.MemoryRecord) (string, error) {
	if heading := headingOf(s.Text); heading != "" && len(earlier[heading]) == 1 {
		old := earlier[heading][0]
		if old.Stale == "" { // the guide is as it was; a person has changed the record
			return "known", nil
		}
		delete(earlier, heading)
		_, err := api.Revise.Call(ctx, project.Client, &api.ReviseParams{ID: old.Hit.ID, Content: &s.Text, Accept: true})
		return "updated", err
	}
	place, _ := sourceIn(project.Root, fmt.Sprintf("%s:%d", g.path, s.Line))
	if filepath.IsAbs(place) { // outside of the project, where nothing follows it
		place = ""
	}
	kept, err := api.Remember.Call(ctx, project.Client, &api.RememberParams{Content: s.Text, Tags: s.Tags, SourceRef: place})
	if err == nil && kept.Created {
		return "notes", nil
	}
	return "known", err
}

func readGuide(file, name string) (guide, error) {
	info, err := os.Stat(file)
	if err == nil && info.Size() > maxGuide {
		err = fmt.Errorf("%s has %d bytes, more than %d", display.Clean(name), info.Size(), maxGuide)
	}
	if err != nil {
		return guide{}, err
	}
	text, err := os.ReadFile(file)
	g := guide{path: name}
	if abs, absErr := filepath.Abs(file); absErr == nil { // its folders tell a decision record
		g.sections, g.closed = capture.Sections(abs, string(text))
	}
	return g, err
}

// listGuides lists the guides of the project, for a person to choose from.
func listGuides(c *app.App) error {
	root, err := workspace.ProjectRoot(c, ".")
	if err != nil {
		return err
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return err
	}
	counts := memory.Counts{}
	var paths []string
	for _, path := range capture.FindGuides(root, home) {
		file := path
		if !filepath.IsAbs(path) {
			file = filepath.Join(root, path)
		}
		g, err := readGuide(file, path)
		if err != nil {
			c.Warn(err.Error())
			continue
		}
		if len(g.sections) > 0 {
			paths = append(paths, path)
			counts[path] = len(g.sections)
		}
	}
	switch {
	case c.JSON:
		return app.Found(len(paths), c.PrintJSON(counts))
	case len(paths) == 0:
		c.Wrapped("", "No instructions of other tools and no decision records were found in this project. Name an export, or Markdown files.")
		return app.ErrNothing
	}
	for _, path := range paths {
		fmt.Fprintf(c.Out, "%s  %s\n", display.Clean(path), display.Count(counts[path], "note"))
	}
	fmt.Fprintln(c.Out, "\nAdd them: aurora mem import <file or folder>...")
	return nil
}

// The lines around the decisions in a Markdown file.
const (
	decisionsBegin = "<!-- aurora: decisions begin -->"
	decisionsEnd   = "<!-- aurora: decisions end -->"

	mostExported = 50
	mostOfOne    = 300 // bytes
)

// exportDecisions writes the project's decisions into a Markdown file, whose other text stays.
func exportDecisions(ctx context.Context, c *app.App, path string) error {
	path, err := linked(c, path)
	if err != nil {
		return err
	}
	before, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(before) > maxGuide {
		return fmt.Errorf("%s has %d bytes, more than %d", display.Clean(path), len(before), maxGuide)
	}
	head, rest, found := strings.Cut(string(before), decisionsBegin)
	_, tail, ended := strings.Cut(rest, decisionsEnd)
	if found && !ended {
		return app.Failure("Put it below the last decision, or take the first mark out.", fmt.Errorf("%s has %s without %s", display.Clean(path), decisionsBegin, decisionsEnd))
	}
	project, err := workspace.OpenAnswers(ctx, c, workspace.IndexTimeout)
	if err != nil {
		return err
	}
	defer project.Close()
	list, err := api.Records.Call(ctx, project.Client, &api.RecordsParams{View: "decisions", Limit: mostExported})
	if err != nil {
		return err
	}
	var section strings.Builder
	fmt.Fprintf(&section, "%s\n## Decisions\n\n", decisionsBegin)
	written := 0
	for i := range list.Records {
		r := &list.Records[i]
		if r.Stale != "" || len(r.Review) > 0 {
			continue
		}
		written++
		fmt.Fprintf(&section, "- %s\n", decisionLine(r))
	}
	if written == 0 {
		c.Wrapped("", "There is no decision of this project to write.")
		return app.ErrNothing
	}
	section.WriteString(decisionsEnd)
	switch {
	case found:
	case head != "":
		head, tail = strings.TrimRight(head, "\r\n")+"\n\n", "\n"
	default:
		tail = "\n"
	}
	if err := atomicfile.Write(path, []byte(head+section.String()+tail), 0o644); err != nil {
		return err
	}
	counts := memory.Counts{"decisions": written}
	if left := list.Total - written; left > 0 {
		counts["left out"] = left
	}
	return printCounts(c, "Exported", counts)
}

// decisionLine is a decision in a line, with the code that it cites.
func decisionLine(r *api.MemoryRecord) string {
	content := r.Content
	if title, rest, titled := strings.Cut(content, "\n\n"); titled && !strings.ContainsAny(title[len(title)-1:], ".:!?") {
		content = title + ": " + rest
	}
	text := strings.NewReplacer("<!--", "< !--", "-->", "-- >").Replace(display.Clean(strings.Join(strings.Fields(content), " ")))
	if len(text) > mostOfOne {
		text = strings.ToValidUTF8(text[:mostOfOne], "") + " …"
	}
	if cited := r.Hit.Citations; len(cited) > 0 {
		text += fmt.Sprintf(" (`%s`)", display.Clean(strings.TrimSpace(cited[0].Path+" "+cited[0].Name)))
	}
	return text
}

// linked is the file that a path leads to. A project could make it a link to any file, so one out of the project is refused.
func linked(c *app.App, path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil { // not there yet, or broken, which reading it tells
		return path, nil
	}
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink == 0 {
		return path, nil
	}
	root, err := workspace.ProjectRoot(c, ".")
	if err != nil {
		return "", err
	}
	if real, err = filepath.Abs(real); err != nil {
		return "", err
	}
	if rel, err := filepath.Rel(root, real); err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s is a link to %s, outside of the project", display.Clean(path), display.Clean(real))
	}
	return real, nil
}
