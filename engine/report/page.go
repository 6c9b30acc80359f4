package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
)

//go:embed page.tmpl
var pageText string

// page is the report as HTML. html/template escapes all that is not part of it.
var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"percent": percent, "dollars": dollars, "took": took,
}).Parse(pageText))

// HTML writes the report as a page that needs nothing else: no script, no font, no picture, no network.
func (r *Report) HTML(w io.Writer) error {
	if err := page.Execute(w, pageData{Report: r, Figures: r.figures(), Charts: r.charts()}); err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	return nil
}

type pageData struct {
	*Report
	Figures []figure
	Charts  []chart
}
