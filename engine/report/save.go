package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/aurora-sidecar/aurora/internal/atomicfile"
)

// JSON writes the report for programs.
func (r *Report) JSON(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(r)
}

// Save writes the report into a folder, which it makes, as <period>.md, .json and .html, each whole or not at all. It
// returns the paths.
func (r *Report) Save(folder string) ([]string, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("save the report: %w", err)
	}
	var paths []string
	for _, form := range []struct {
		ending string
		write  func(io.Writer) error
	}{{".md", r.Markdown}, {".json", r.JSON}, {".html", r.HTML}} {
		path := filepath.Join(folder, r.Period+form.ending)
		if err := saveWhole(path, form.write); err != nil {
			return paths, fmt.Errorf("save the report: %w", err)
		}
		paths = append(paths, path)
	}
	return paths, nil
}

func saveWhole(path string, write func(io.Writer) error) error {
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return err
	}
	return atomicfile.Write(path, text.Bytes(), atomicfile.Private)
}
