package report

import (
	_ "embed"
	"fmt"
	html "html/template"
	"io"
	"sync"
	"text/template"

	"github.com/aurora-sidecar/aurora/engine/wording"
)

// The report as text and as a page. html/template escapes all that is not part of the page.
var (
	//go:embed markdown.tmpl
	markdownText string
	//go:embed page.tmpl
	pageText string

	functions = map[string]any{"percent": percent, "dollars": dollars, "took": took, "plain": plain, "count": wording.Count}

	markdown = sync.OnceValue(func() *template.Template {
		return template.Must(template.New("report").Funcs(functions).Parse(markdownText))
	})
	page = sync.OnceValue(func() *html.Template {
		return html.Must(html.New("page").Funcs(functions).Parse(pageText))
	})
)

// content is a report as its templates read it.
type content struct {
	Report  *Report
	Nothing bool // was asked
	Made    string
	Earlier string // what the period is compared with; "" for nothing
	Figures []figure
	Grown   *MemoryStep // the last one; nil when memory gained nothing
	Charts  []chart     // of the page
}

func contentOf(r *Report) content {
	c := content{Report: r, Nothing: r.Totals.Empty(), Made: r.Generated.Format("2006-01-02 15:04 -07:00"), Figures: r.figures()}
	if r.Before != nil {
		c.Earlier = "The " + map[Kind]string{Daily: "day", Monthly: "month"}[r.Kind] + " before"
	}
	if n := len(r.Memory); n > 0 {
		c.Grown = &r.Memory[n-1]
	}
	return c
}

// Markdown writes the report as text for people.
func (r *Report) Markdown(w io.Writer) error {
	if err := markdown().Execute(w, contentOf(r)); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

// HTML writes the report as a page that needs nothing else: no script, no font, no image, no network.
func (r *Report) HTML(w io.Writer) error {
	c := contentOf(r)
	c.Charts = r.charts()
	if err := page().Execute(w, c); err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	return nil
}
