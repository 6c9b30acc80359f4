package reference

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"unicode/utf16"
)

//go:embed typescript.cjs
var script []byte

// typescript asks the TypeScript compiler, which is a module of Node in a folder.
type typescript struct{ module string }

// Ask implements Tool.
func (t typescript) Ask(ctx context.Context, c *Checkout, q Question, names []Place) ([][]Use, error) {
	file, err := os.CreateTemp("", "aurora-eval-*.cjs")
	if err != nil {
		return nil, err
	}
	defer os.Remove(file.Name())
	if _, err := file.Write(script); err != nil {
		return nil, err
	}
	if err := file.Close(); err != nil {
		return nil, err
	}
	texts := texts{root: c.Root}
	input, err := json.Marshal(map[string]any{"about": q, "files": c.Files, "manifests": c.Manifests, "questions": wide(&texts, names)})
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "node", "--max-old-space-size=6000", file.Name(), t.module, c.Root)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(input), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("ask the TypeScript compiler: %w", err)
	}
	return narrow(&texts, out, len(names))
}

// A wideUse counts in UTF-16 units, as JavaScript does.
type wideUse struct {
	Path   string `json:"path"`
	Offset int    `json:"offset"`
	Kind   string `json:"kind,omitempty"`
}

func wide(t *texts, names []Place) []wideUse {
	var out []wideUse
	for _, n := range names {
		out = append(out, wideUse{Path: n.Path, Offset: len(utf16.Encode([]rune(string(t.text(n.Path)[:n.Offset]))))})
	}
	return out
}

// narrow reads one line of answers for each of n questions.
func narrow(t *texts, out []byte, n int) ([][]Use, error) {
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	if len(lines) != n {
		return nil, fmt.Errorf("the TypeScript compiler answered %d of %d questions", len(lines), n)
	}
	all := make([][]Use, n)
	for i, line := range lines {
		var uses []wideUse
		if err := json.Unmarshal(line, &uses); err != nil {
			return nil, err
		}
		for _, u := range uses {
			all[i] = append(all[i], Use{Place{u.Path, t.bytes(u.Path, u.Offset)}, u.Kind})
		}
	}
	return all, nil
}

// texts reads each file once.
type texts struct {
	root  string
	files map[string][]byte
}

// text is that of a file, "" when it can't be read.
func (t *texts) text(path string) []byte {
	if t.files == nil {
		t.files = map[string][]byte{}
	}
	src, ok := t.files[path]
	if !ok {
		src, _ = os.ReadFile(filepath.Join(t.root, path))
		t.files[path] = src
	}
	return src
}

// bytes turns an offset in UTF-16 units into one in bytes.
func (t *texts) bytes(path string, units int) int {
	src := t.text(path)
	at := 0
	for i, r := range string(src) {
		if at >= units {
			return i
		}
		at += utf16.RuneLen(r)
	}
	return len(src)
}
