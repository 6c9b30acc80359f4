package git

import (
	"context"
	"fmt"
	"strings"
)

// A FileStatus is a file whose work tree differs from HEAD.
type FileStatus struct {
	Path string // relative to the folder
	Kind ChangeKind
}

// Status lists what differs from HEAD below the folder, untracked files one by one, ignored ones not at all.
func (r *Repo) Status(ctx context.Context) ([]FileStatus, error) {
	out, err := r.run(ctx, nil, "status", "--porcelain=v1", "-z", "--untracked-files=all", "--ignore-submodules=dirty",
		"--no-ahead-behind", "--find-renames", "--", ".")
	if err != nil {
		return nil, fmt.Errorf("status: %w", err)
	}
	return parseStatus(r, out), nil
}

// parseStatus reads "XY <path>" records; a rename is followed by the former path.
func parseStatus(r *Repo, out []byte) []FileStatus {
	var files []FileStatus
	records := fields(out)
	for i := 0; i < len(records); i++ {
		record := records[i]
		if len(record) < 4 {
			continue
		}
		index, tree := record[0], record[1]
		path, inside := r.relative(record[3:])
		file := FileStatus{Path: strings.TrimSuffix(path, "/"), Kind: statusKind(index, tree)}
		if index == 'R' || index == 'C' {
			i++
		}
		if inside {
			files = append(files, file)
		}
	}
	return files
}

// statusKind sums up the two letters, of the index against HEAD and of the work tree against the index.
func statusKind(index, tree byte) ChangeKind {
	switch {
	case index == '?':
		return New
	case index == 'U' || tree == 'U' || index == 'A' && tree == 'A' || index == 'D' && tree == 'D':
		return Conflicted
	case tree == 'D' || index == 'D':
		return Deleted
	case index == 'A' || tree == 'A':
		return Added
	}
	return Modified
}
