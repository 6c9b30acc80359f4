package git

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// A FileStatus is a file whose work tree differs from HEAD.
type FileStatus struct {
	Path   string // relative to the folder
	Kind   ChangeKind
	Staged bool   // at least a part of the change is in git's index
	From   string // the former path of a renamed file, "" otherwise
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
		file := FileStatus{Path: strings.TrimSuffix(path, "/"), Kind: statusKind(index, tree), Staged: index != ' ' && index != '?'}
		if (index == 'R' || index == 'C') && i+1 < len(records) {
			i++
			file.From, _ = r.relative(records[i])
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

// A DiffStat counts the changed lines of one file.
type DiffStat struct {
	Path           string // relative to the folder
	Added, Deleted int    // lines; 0 for a binary file
	Binary         bool
}

// DiffStat compares the tracked files of the work tree, staged or not, with HEAD. Before the first commit it is empty.
func (r *Repo) DiffStat(ctx context.Context) ([]DiffStat, error) {
	head, err := r.Head(ctx)
	if err != nil {
		return nil, fmt.Errorf("diff: %w", err)
	}
	if head.Unborn() {
		return nil, nil
	}
	out, err := r.run(ctx, nil, "diff", "--numstat", "-z", "--no-ext-diff", "--no-textconv", "--no-renames",
		"--ignore-submodules=dirty", "--no-color", "HEAD", "--", ".")
	if err != nil {
		return nil, fmt.Errorf("diff: %w", err)
	}
	return parseNumstat(r, out), nil
}

// parseNumstat reads "<added>\t<deleted>\t<path>" records, with dashes for a binary file.
func parseNumstat(r *Repo, out []byte) []DiffStat {
	var stats []DiffStat
	for _, record := range fields(out) {
		parts := strings.SplitN(record, "\t", 3)
		if len(parts) != 3 {
			continue
		}
		path, inside := r.relative(parts[2])
		if !inside {
			continue
		}
		added, err := strconv.Atoi(parts[0])
		deleted, _ := strconv.Atoi(parts[1]) // a dash exactly when the first one is
		stats = append(stats, DiffStat{Path: path, Added: added, Deleted: deleted, Binary: err != nil})
	}
	return stats
}
