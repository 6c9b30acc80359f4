package corpus

import (
	"os"
	"path/filepath"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/embed"
	"github.com/aurora-sidecar/aurora/index/syntax"
)

// A Function is a function or method of a repository that a model is measured on.
type Function struct {
	Path               string // with slashes, below the folder
	Language           string
	StartLine, EndLine int // one-based, inclusive
	Name               string
	Doc                []byte // first paragraph of the documentation without the name; nil for none
	Code               []byte // without documentation
	Text               []byte // by which the product embeds it
	Test               bool   // it lies in a file of tests
	Class              bool   // it is a type
}

// Functions yields the functions of a folder in order. Unlike Extract it reads held-out repositories.
func Functions(folder string, yield func(Function)) error {
	return definitions(folder, func(f Function) {
		if !f.Class {
			yield(f)
		}
	})
}

// definitions are the functions and the types.
func definitions(folder string, yield func(Function)) error {
	list, err := measuredFiles(folder)
	if err != nil {
		return err
	}
	for _, name := range list {
		src, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		lang := syntax.Detect(name, src)
		if lang == nil || !training[lang.Name] {
			continue
		}
		f, _ := chunk.Analyze(lang, src)
		for i := range f.Chunks {
			fn, ok := functionOf(f, i, src)
			if !ok {
				continue
			}
			c := &f.Chunks[i]
			var doc []byte
			if fn.doc != nil {
				doc = withoutName(fn.doc, fn.name)
			}
			yield(Function{
				Path: name, Language: lang.Name, StartLine: c.StartLine + 1, EndLine: c.EndLine + 1,
				Name: fn.name, Doc: doc, Code: fn.code, Text: embed.Text(name, f, i, src), Test: isTest(name), Class: fn.isClass,
			})
		}
	}
	return nil
}
