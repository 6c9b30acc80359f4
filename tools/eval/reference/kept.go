package reference

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
)

// kept is a tool whose answers are kept in a folder, so that no question is asked twice; "" keeps none.
type kept struct {
	dir  string
	tool Tool
}

// Ask implements Tool.
func (k kept) Ask(ctx context.Context, c *Checkout, q Question, names []Place) ([][]Use, error) {
	if k.dir == "" {
		return k.tool.Ask(ctx, c, q, names)
	}
	path, err := k.file(c, q)
	if err != nil {
		return nil, err
	}
	known, err := readAnswers(path)
	if err != nil {
		return nil, err
	}
	var asked []Place
	for _, name := range names {
		if _, ok := known[name.String()]; !ok {
			asked = append(asked, name)
		}
	}
	if len(asked) > 0 {
		answers, err := k.tool.Ask(ctx, c, q, asked)
		if err != nil {
			return nil, err
		}
		for i, name := range asked {
			known[name.String()] = answers[i]
		}
		if err := writeAnswers(path, known); err != nil {
			return nil, err
		}
	}
	all := make([][]Use, len(names))
	for i, name := range names {
		all[i] = known[name.String()]
	}
	return all, nil
}

// file holds the answers to one question about one checkout.
func (k kept) file(c *Checkout, q Question) (string, error) {
	key, err := json.Marshal([]any{c, q})
	if err != nil {
		return "", err
	}
	h := fnv.New64a()
	h.Write(key)
	return filepath.Join(k.dir, fmt.Sprintf("%016x.json", h.Sum64())), nil
}

func readAnswers(path string) (map[string][]Use, error) {
	known := map[string][]Use{}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return known, nil
	}
	if err != nil {
		return nil, err
	}
	return known, json.Unmarshal(data, &known)
}

func writeAnswers(path string, known map[string][]Use) error {
	data, err := json.Marshal(known)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// String is the place as path:offset.
func (p Place) String() string { return fmt.Sprintf("%s:%d", p.Path, p.Offset) }
