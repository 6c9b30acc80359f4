package report

import (
	_ "embed"
	"fmt"
	"io"
	"sync"

	"html/template"
)

//go:embed page.tmpl
var pageText string

// page is the report as HTML. html/template escapes all that is not part of it.
var page = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"percent": percent, "dollars": dollars, "took": took,
	}).Parse(pageText))
})

// HTML writes the report as a page that needs nothing else: no script, no font, no image, no network.
func (r *Report) HTML(w io.Writer) error {
	data := pageData{
		Report: r, Nothing: r.Totals.Empty(), Made: r.Generated.Format("2006-01-02 15:04 -07:00"), Figures: r.figures(), Charts: r.charts(),
	}
	if err := page().Execute(w, data); err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	return nil
}

type pageData struct {
	Report  *Report
	Nothing bool // was asked
	Made    string
	Figures []figure
	Charts  []chart
}
