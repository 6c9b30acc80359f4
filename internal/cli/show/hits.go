package show

import (
	"fmt"
	"math"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
)

// HitTypes are the values of --type.
var HitTypes = []string{"function", "method", "class", "code", "reasoning", "knowledge"}

// A HitView says how hits are shown.
type HitView struct {
	Legacy bool // without what git and memory add
	Git    bool // with the git columns
	Now    time.Time
}

// Table is the search table.
func (v HitView) Table(hits []api.Hit) display.Table {
	t := display.Table{Columns: []display.Column{
		{Title: "File", Min: 8, Left: true, Keep: 9}, {Title: "Type", Keep: 5}, {Title: "Name", Min: 6, Keep: 8},
		{Title: "Lines", Keep: 7}, {Title: "Score", Keep: 4},
	}}
	if v.withGit() {
		t.Columns = append(t.Columns, display.Column{Title: "Commits", Keep: 1}, display.Column{Title: "Last Modified", Keep: 2})
	}
	for i := range hits {
		t.Rows = append(t.Rows, v.row(&hits[i]))
	}
	return t
}

func (v HitView) withGit() bool { return v.Git && !v.Legacy }

func (v HitView) row(h *api.Hit) []string {
	row := []string{HitFile(h), ShortType(h), display.Clean(h.Name), HitLines(h), fmt.Sprintf("%.3f", h.Score)}
	if v.withGit() {
		row = append(row, commits(h), v.modified(h))
	}
	return row
}

// HitFile is the path of a piece of code; a memory record shows the place it cites, else its own short name.
func HitFile(h *api.Hit) string {
	if h.Path != "" {
		return labelled(h)
	}
	if len(h.Citations) > 0 {
		return display.Clean(h.Citations[0].Path)
	}
	_, slug, ok := strings.Cut(h.ID, ":")
	if !ok {
		slug = h.ID
	}
	return display.Clean(path.Base(slug))
}

// ShortType is the table's word for a type; of knowledge that nobody told AURORA, with where it comes from.
func ShortType(h *api.Hit) string {
	switch h.Type {
	case "reasoning":
		return "reas"
	case "knowledge":
		if h.Origin == "" || h.Origin == engine.OriginRemembered {
			return "know"
		}
		return "know:" + display.Clean(h.Origin)
	}
	return display.Clean(h.Type)
}

// CitationNotes say of each memory record what became of the code that it cites, when it is not what it was.
func CitationNotes(hits []api.Hit) []string {
	var notes []string
	for i := range hits {
		for _, c := range hits[i].Citations {
			if warning := c.Warning(); warning != "" {
				notes = append(notes, fmt.Sprintf("%q: %s", hits[i].Name, warning))
			}
		}
	}
	return notes
}

func isRecord(h *api.Hit) bool { return h.Source == "memory" }

// HitLines is the range of a piece of code, counted from one: "45-67".
func HitLines(h *api.Hit) string {
	if len(h.Citations) > 0 {
		return strconv.Itoa(h.Citations[0].Line)
	}
	if h.Range == nil || isRecord(h) {
		return "-"
	}
	first, last := h.Range.Start.Line+1, h.Range.End.Line+1
	if h.Range.End.Character == 0 && last > first { // the end lies before the first column: the line above is the last
		last--
	}
	if first == last {
		return strconv.Itoa(first)
	}
	return fmt.Sprintf("%d-%d", first, last)
}

// commits is how often the lines were changed.
func commits(h *api.Hit) string {
	if isRecord(h) || h.Origin == engine.OriginLog || h.Git == nil {
		return "-"
	}
	if h.Git.State != "tracked" {
		return "- (" + display.Clean(h.Git.State) + ")"
	}
	return strconv.Itoa(h.Git.Commits)
}

// modified is when the lines were last changed, or the day a record was made.
func (v HitView) modified(h *api.Hit) string {
	if isRecord(h) || h.Origin == engine.OriginLog {
		return display.Date(api.Time(h.CreatedAt))
	}
	if h.Git == nil || h.Git.State != "tracked" {
		return commits(h)
	}
	return display.Ago(api.Time(h.Git.LastModified), v.Now)
}

// unit brings a score to [0,1] for display: values outside are squeezed by the logistic function, which
// suits ACT-R's logarithmic activation.
func unit(score float64) float64 {
	if score >= 0 && score <= 1 {
		return score
	}
	return 1 / (1 + math.Exp(-score))
}

// Citation tells where the cited code is now, and what became of it.
func Citation(c api.Citation) string {
	line := fmt.Sprintf("%s:%d", display.Clean(c.Path), c.Line)
	if c.Name != "" {
		line += " " + display.Clean(c.Name)
	}
	state := c.State
	switch {
	case c.State == "unchecked":
		state = "not checked: its project is not open"
	case c.State == "changed":
		state = "stale: changed since"
	case c.State == "gone":
		state = "stale: gone"
	}
	if c.Was != "" && c.State != "gone" {
		state += ", was " + display.Clean(c.Was)
	}
	return line + " (" + state + ")"
}

// Location is where a hit is defined, in the form that editors and terminals can open: path:line.
func Location(h *api.Hit) string {
	if h.Path == "" {
		return display.Clean(h.ID)
	}
	at := h.NameRange
	if at == nil {
		at = h.Range
	}
	if at == nil {
		return labelled(h)
	}
	return fmt.Sprintf("%s:%d", labelled(h), at.Start.Line+1)
}

// labelled is the path of a hit, behind the repository when that is on the team's search server.
func labelled(h *api.Hit) string {
	if h.Repository != "" {
		return display.Clean(h.Repository + ":" + h.Path)
	}
	return display.Clean(h.Path)
}
