package git

import (
	"context"
	"fmt"
	"strings"
)

// A Listed is one path of a work tree.
type Listed struct {
	Path    string // relative to the folder, with '/'
	Tracked bool   // in the index of git; else untracked and not ignored
	Nested  bool   // a folder with a repository of its own: a submodule, or an untracked one
}

// gitlink is the mode of a submodule in git's index.
const gitlink = "160000"

// Files lists everything below the folder that git tracks or does not ignore, in no particular order. A tracked file
// that was deleted is still listed: the caller looks at the disk.
func (r *Repo) Files(ctx context.Context) ([]Listed, error) {
	out, err := r.run(ctx, nil, "ls-files", "-z", "-t", "--stage", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return nil, fmt.Errorf("list files: %w", err)
	}
	return parseListed(out), nil
}

// parseListed reads "? <path>" for untracked and "<tag> <mode> <hash> <stage>\t<path>" for tracked paths. A path in
// conflict comes once per side, one after the other.
func parseListed(out []byte) []Listed {
	records := fields(out)
	files := make([]Listed, 0, len(records))
	last := ""
	for _, record := range records {
		file, ok := parseListedRecord(record)
		if !ok || file.Path == last {
			continue
		}
		last = file.Path
		files = append(files, file)
	}
	return files
}

func parseListedRecord(record string) (Listed, bool) {
	tag, rest, ok := strings.Cut(record, " ")
	if !ok || rest == "" {
		return Listed{}, false
	}
	if tag == "?" {
		name, nested := strings.CutSuffix(rest, "/")
		return Listed{Path: name, Nested: nested}, true
	}
	facts, name, ok := strings.Cut(rest, "\t")
	if !ok || name == "" {
		return Listed{}, false
	}
	return Listed{Path: name, Tracked: true, Nested: strings.HasPrefix(facts, gitlink)}, true
}
