package search

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/show"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/spf13/cobra"
)

// RelatedCommand prints the neighbours of a symbol.
func RelatedCommand(c *app.App) *cobra.Command {
	r, plain := &api.RelatedParams{Notes: true}, false
	var timeout time.Duration
	cmd := &cobra.Command{
		Use:   "related <path>:<line>[:<column>] | <symbol>",
		Short: "List what calls a symbol, what it calls, its types and its tests",
		Long: `List the neighbours of a symbol: the one at a place, or the one of a name. A line without a column is about the
definition that it is in. To the callers belong those who hand a function over as a value, who read or write a constant,
a variable or a field, and who use a type. Names are resolved by scope (receiver, imports, package), not by a compiler; a figure from 0 to 1
says how sure each edge is. Each is shown with its place, the lines that hold the name, and the notes that cite it; --plain
prints a table.`,
		Example: `  aurora related Cart.Total
  aurora related cart/cart.go:12 --direction callees
  aurora related Shape --direction subtypes
  aurora related cart/cart.go:12:6 --direction all --json`,
		Args: app.UsageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return related(c, cmd, args[0], r, timeout, plain) },
	}
	flags := cmd.Flags()
	flags.StringVarP(&r.Direction, "direction", "d", engine.Directions[0], "one of "+strings.Join(engine.Directions, ", "))
	flags.IntVar(&r.Depth, "depth", 1, "1 to 3: neighbours of neighbours, for callers, callees, supertypes and subtypes")
	flags.IntVarP(&r.Limit, "limit", "n", 0, "most results of each kind, 1 to 1000 (default 10)")
	flags.BoolVar(&plain, "plain", false, "a table with one line for each result")
	app.AddTimeout(cmd, &timeout)
	_ = cmd.RegisterFlagCompletionFunc("direction", cobra.FixedCompletions(engine.Directions, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func related(c *app.App, cmd *cobra.Command, subject string, r *api.RelatedParams, timeout time.Duration, plain bool) error {
	if !slices.Contains(engine.Directions, r.Direction) {
		remedy := ""
		if nearest := app.Nearest(r.Direction, engine.Directions); nearest != "" {
			remedy = "Did you mean '" + nearest + "'?"
		}
		return app.UsageError(remedy, "Invalid direction '%s'. Valid directions: %s", r.Direction, strings.Join(engine.Directions, ", "))
	}
	if err := setSubject(r, subject); err != nil {
		return err
	}
	project, err := workspace.OpenAnswers(cmd.Context(), c, timeout)
	if err != nil {
		return err
	}
	defer project.Close()
	r.Text = !c.JSON
	result, err := api.Related.Call(cmd.Context(), project.Client, r)
	if err != nil {
		return err
	}
	return printRelated(c, result, plain)
}

// setSubject reads a place, path:line or path:line:column, or else the name of a symbol.
func setSubject(r *api.RelatedParams, subject string) error {
	path, line, column := SplitPlace(subject)
	if line == 0 {
		if strings.TrimSpace(subject) == "" || strings.ContainsAny(subject, "/\\") {
			return app.UsageError("Give path:line, such as cart/cart.go:12, or the name of a symbol.", "'%s' is neither a place nor a symbol", subject)
		}
		r.Symbol = subject
		return nil
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return fmt.Errorf("find %s: %w", path, err)
	}
	if _, err := os.Stat(abs); err != nil {
		return app.Failure("Give a path from the current folder.", fmt.Errorf("there is no file %s", path))
	}
	r.TextDocument, r.Line, r.Column = &api.Document{URI: api.FileURI(abs)}, line, column
	return nil
}

// SplitPlace takes path:line[:column] apart; the line is 0 when there is none. A path may hold colons.
func SplitPlace(place string) (path string, line, column int) {
	path, last := cutNumber(place)
	if last == 0 {
		return place, 0, 0
	}
	if before, n := cutNumber(path); n > 0 {
		return before, n, last
	}
	return path, last, 0
}

// cutNumber cuts ":<number>" off the end; the number is 0 when there is none.
func cutNumber(s string) (before string, n int) {
	i := strings.LastIndexByte(s, ':')
	if i <= 0 {
		return s, 0
	}
	n, err := strconv.Atoi(s[i+1:])
	if err != nil || n < 1 {
		return s, 0
	}
	return s[:i], n
}

// relatedLines is how many lines of code a neighbour shows.
const relatedLines = 3

func printRelated(c *app.App, r *api.RelatedResult, plain bool) error {
	switch {
	case c.JSON:
		if err := c.PrintJSON(r); err != nil {
			return err
		}
	case len(r.Edges) > 0 && !plain:
		printEdges(c, r)
	case len(r.Edges) > 0:
		c.Notes(append(c.PrintTable(relatedTable(r)), r.Notes...))
	default:
		for _, note := range r.Notes {
			c.Wrapped("", note)
		}
	}
	if len(r.Edges) == 0 {
		return app.ErrNothing
	}
	return nil
}

// printEdges shows the neighbours with their code, in which the name that they are neighbours of is marked.
func printEdges(c *app.App, r *api.RelatedResult) {
	for i := range r.Edges {
		e := &r.Edges[i]
		name, _, _ := strings.Cut(e.From[strings.LastIndexAny(e.From, ".:")+1:], "#")
		page := show.NewPage(c, show.HitView{Now: c.Now()}, name, relatedLines)
		page.Site = e.At
		if i > 0 {
			fmt.Fprintln(c.Out)
		}
		for _, line := range page.Hit(&e.To, e.Kind, fmt.Sprintf("%.2f", e.Confidence), e.Why) {
			fmt.Fprintln(c.Out, line)
		}
	}
	c.Notes(r.Notes)
}

// relatedTable lists the edges in their order.
func relatedTable(r *api.RelatedResult) display.Table {
	t := display.Table{Columns: []display.Column{
		{Title: "Kind", Keep: 8}, {Title: "File", Min: 8, Left: true, Keep: 9}, {Title: "Name", Min: 6, Keep: 7}, {Title: "Lines", Keep: 6},
		{Title: "Sure", Keep: 5}, {Title: "Why", Min: 8, Keep: 3},
	}}
	for i := range r.Edges {
		e := &r.Edges[i]
		name := e.To.Name
		if e.To.Container != "" {
			name = e.To.Container + "." + name
		}
		t.Rows = append(t.Rows, []string{
			e.Kind, show.HitFile(&e.To), display.Clean(name), show.HitLines(&e.To), fmt.Sprintf("%.2f", e.Confidence), display.Clean(e.Why),
		})
	}
	return t
}
