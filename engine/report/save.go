package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
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
	unfinished, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = unfinished.Write(text.Bytes())
	if closeErr := unfinished.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(unfinished.Name(), path)
	}
	if err != nil {
		_ = os.Remove(unfinished.Name())
	}
	return err
}
