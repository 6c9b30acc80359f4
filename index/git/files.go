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
	Nested  bool   // an untracked folder with a repository of its own
}

// Files lists everything below the folder that git tracks or does not ignore, in no particular order. A submodule
// appears as one tracked path, a tracked file that was deleted is still listed: the caller looks at the disk.
func (r *Repo) Files(ctx context.Context) ([]Listed, error) {
	out, err := r.run(ctx, nil, "ls-files", "-z", "-t", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return nil, fmt.Errorf("list files: %w", err)
	}
	return parseListed(out), nil
}

// parseListed reads "<tag> <path>" records. A path in conflict comes once per side, one after the other.
func parseListed(out []byte) []Listed {
	records := fields(out)
	files := make([]Listed, 0, len(records))
	last := ""
	for _, record := range records {
		tag, path, ok := strings.Cut(record, " ")
		if !ok || path == "" || path == last {
			continue
		}
		last = path
		name, nested := strings.CutSuffix(path, "/")
		files = append(files, Listed{Path: name, Tracked: tag != "?", Nested: nested})
	}
	return files
}
