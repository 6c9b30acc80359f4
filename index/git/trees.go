package git

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// A Tree is what a folder held in a commit.
type Tree struct {
	Commit string // full hash
	Tree   string // hash of the folder's tree
}

// Trees returns what the folder held in HEAD and in up to limit-1 commits before it, the newest first; commits that left
// the folder as the one after it has it are left out, and those without the folder, too.
func Trees(ctx context.Context, r *Repo, limit int) ([]Tree, error) {
	out, err := r.run(ctx, nil, "log", "--no-show-signature", "-n", strconv.Itoa(limit), "--format=%H %T", "HEAD", "--")
	if err != nil {
		return nil, fmt.Errorf("list trees: %w", err)
	}
	var trees []Tree
	for line := range strings.Lines(string(out)) {
		if commit, tree, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			trees = append(trees, Tree{commit, tree})
		}
	}
	if r.prefix != "" {
		if err := below(ctx, r, trees); err != nil {
			return nil, err
		}
	}
	var distinct []Tree
	seen := map[string]bool{"": true}
	for _, t := range trees {
		if !seen[t.Tree] {
			seen[t.Tree] = true
			distinct = append(distinct, t)
		}
	}
	return distinct, nil
}

// below puts the tree of the folder in the place of that of the repository; "" where there is none.
func below(ctx context.Context, r *Repo, trees []Tree) error {
	var names strings.Builder
	for _, t := range trees {
		fmt.Fprintf(&names, "%s:%s\n", t.Commit, strings.TrimSuffix(r.prefix, "/"))
	}
	out, err := r.run(ctx, strings.NewReader(names.String()), "cat-file", "--batch-check=%(objectname) %(objecttype)")
	if err != nil {
		return fmt.Errorf("list trees: %w", err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	for i := range trees {
		trees[i].Tree = ""
		if i < len(lines) {
			if tree, isTree := strings.CutSuffix(lines[i], " tree"); isTree {
				trees[i].Tree = tree
			}
		}
	}
	return nil
}

// Unchanged lists the files below the folder that git tracks and that are as they are in HEAD. A file that git was told not
// to look at (assume-unchanged, skip-worktree) is not among them.
func Unchanged(ctx context.Context, r *Repo) (map[string]bool, error) {
	out, err := r.run(ctx, nil, "ls-files", "-z", "-v", "--cached")
	if err != nil {
		return nil, fmt.Errorf("list files: %w", err)
	}
	changed, err := r.Status(ctx)
	if err != nil {
		return nil, err
	}
	files := map[string]bool{}
	for _, record := range fields(out) {
		if path, ok := strings.CutPrefix(record, "H "); ok {
			files[path] = true
		}
	}
	for _, f := range changed {
		delete(files, f.Path)
	}
	return files, nil
}

// Differing returns the paths of files that differ between two trees of the folder.
func Differing(ctx context.Context, r *Repo, from, to string) (map[string]bool, error) {
	out, err := r.run(ctx, nil, "diff-tree", "-r", "-z", "--name-only", "--no-renames", "--end-of-options", from, to)
	if err != nil {
		return nil, fmt.Errorf("compare trees: %w", err)
	}
	paths := map[string]bool{}
	for _, path := range fields(out) {
		paths[path] = true
	}
	return paths, nil
}
