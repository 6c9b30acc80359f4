package prompts

import (
	"embed"
	"fmt"
	"strings"
	"sync"

	"text/template"
)

//go:embed templates/*.tmpl
var files embed.FS

// parsed are all templates by file name.
var parsed = sync.OnceValues(func() (*template.Template, error) {
	return template.New("").Option("missingkey=error").Funcs(functions).ParseFS(files, "templates/*.tmpl")
})

// functions are what templates may call.
var functions = template.FuncMap{
	"attribute": attribute,
	"data":      xmlData,
	"header":    header,
	"score":     score,
	"word":      firstWord,
	"fence":     fence,
	"numbered":  numbered,
	"span":      codeSpan,
	"text":      endLine,
	"join":      func(list []string) string { return strings.Join(list, ", ") },
}

// Render fills the template called name, such as context.xml, with data.
func Render(name string, data any) (string, error) {
	all, err := parsed()
	if err != nil {
		return "", fmt.Errorf("parse templates: %w", err)
	}
	tmpl := all.Lookup(name + ".tmpl")
	if tmpl == nil {
		return "", fmt.Errorf("render %s: no such template", name)
	}
	var b strings.Builder
	if err := tmpl.Execute(&b, data); err != nil {
		return "", fmt.Errorf("render %s: %w", name, err)
	}
	return b.String(), nil
}
