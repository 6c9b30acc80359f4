package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/search"
	"github.com/aurora-sidecar/aurora/internal/cli/show"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
)

// How many records a list has when nobody says, and the lines of each.
const (
	maxNewest   = 20
	listedLines = 3
)

// listRecords prints what is remembered, the newest first.
func listRecords(ctx context.Context, c *app.App, f *search.SearchFlags) error {
	project, err := workspace.OpenAnswers(ctx, c, f.Timeout)
	if err != nil {
		return err
	}
	defer project.Close()
	found, err := api.Records.Call(ctx, project.Client, &api.RecordsParams{Limit: cmp.Or(f.Limit(), maxNewest)})
	switch {
	case err != nil:
		return err
	case c.JSON:
		return app.Found(found.Total, c.PrintJSON(found))
	case found.Total == 0:
		c.Wrapped("", `Nothing is remembered yet. Try: aurora remember "we use tabs"`)
		return app.ErrNothing
	}
	page := show.NewPage(c, show.HitView{Now: c.Now()}, "", listedLines)
	for i := range found.Records {
		h := &found.Records[i].Hit
		if i > 0 {
			fmt.Fprintln(c.Out)
		}
		for _, line := range page.Hit(h, show.ShortType(h), display.Ago(api.Time(h.CreatedAt), c.Now())) {
			fmt.Fprintln(c.Out, line)
		}
	}
	if rest := found.Total - len(found.Records); rest > 0 {
		fmt.Fprintln(c.Out)
		c.Wrapped("", fmt.Sprintf("%d more; -n %d lists all.", rest, found.Total))
	}
	return nil
}

// likeIDs are the ids of records that hold all parts of what was given for an id, at most three.
func likeIDs(ctx context.Context, m *workspace.Answers, id string) []string {
	const most, looked = 3, 500
	parts := strings.FieldsFunc(strings.ToLower(strings.TrimPrefix(id, "know:")), func(r rune) bool { return strings.ContainsRune(" -_:./", r) })
	found, err := api.Records.Call(ctx, m.Client, &api.RecordsParams{Limit: looked})
	if err != nil || len(parts) == 0 {
		return nil
	}
	var ids []string
	for i := range found.Records {
		text := strings.ToLower(found.Records[i].Hit.ID + " " + found.Records[i].Content)
		if len(ids) < most && !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(text, part) }) {
			ids = append(ids, found.Records[i].Hit.ID)
		}
	}
	return ids
}

// remedyFor says which records may be meant where none is called so.
func remedyFor(ids []string) string {
	if len(ids) == 0 {
		return `"aurora mem list" prints the ids; "aurora forget --undo" lists what was forgotten.`
	}
	return "Perhaps you mean " + strings.Join(ids, " or ") + "."
}
