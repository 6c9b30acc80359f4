package git

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// LogOptions narrow a log. The zero value means the newest DefaultLogLimit commits below the folder.
type LogOptions struct {
	Path  string    // a file or folder; "" is the whole folder
	Since time.Time // commits after it; zero means from the beginning
	Limit int       // most commits; 0 means DefaultLogLimit
	From  string    // full hash of a commit that, with all before it, is left out; "" for none
	To    string    // full hash to begin at; "" is HEAD
	Words []string  // all of which the message has, in any letter case; none for any message
}

// DefaultLogLimit is enough for "what changed lately".
const DefaultLogLimit = 100

// A Commit is one commit and the files that it touched.
type Commit struct {
	Hash    string
	Author  string
	Time    time.Time // commit time
	Subject string
	Files   []FileChange // relative to the folder; those elsewhere are left out; none for a merge
}

// A FileChange is a file in a commit. A rename is a deletion and an addition.
type FileChange struct {
	Path string
	Kind ChangeKind
}

// A ChangeKind says what happened to a file.
type ChangeKind string

// The kinds.
const (
	Added      ChangeKind = "added"
	Modified   ChangeKind = "modified"
	Deleted    ChangeKind = "deleted"
	New        ChangeKind = "untracked"
	Conflicted ChangeKind = "conflicted"
)

// commitMark opens a record of the log. In -z output a path cannot be told from a hash by its looks.
const commitMark = "\x1ecommit\x1e"

const commitFields = 4

// Log returns commits that HEAD reaches, newest first. A repository without commits has an empty log.
func (r *Repo) Log(ctx context.Context, o LogOptions) ([]Commit, error) { return r.log(ctx, o) }

// log is Log with further flags of git log.
func (r *Repo) log(ctx context.Context, o LogOptions, flags ...string) ([]Commit, error) {
	head, err := r.Head(ctx)
	if err != nil {
		return nil, fmt.Errorf("log: %w", err)
	}
	if head.Unborn() {
		return nil, nil
	}
	out, err := r.run(ctx, nil, logArgs(r, o, flags)...)
	if err != nil {
		return nil, fmt.Errorf("log: %w", err)
	}
	return parseLog(r, out), nil
}

func logArgs(r *Repo, o LogOptions, flags []string) []string {
	limit := o.Limit
	if limit <= 0 {
		limit = DefaultLogLimit
	}
	args := []string{"log", "-z", "--no-ext-diff", "--no-textconv", "--no-renames", "--name-status",
		"--no-show-signature", "--no-color", "--max-count=" + strconv.Itoa(limit),
		"--format=tformat:%x1ecommit%x1e%x00%H%x00%an%x00%ct%x00%s"}
	if !o.Since.IsZero() {
		args = append(args, "--since=@"+strconv.FormatInt(o.Since.Unix(), 10))
	}
	if len(o.Words) > 0 {
		args = append(args, "--regexp-ignore-case", "--fixed-strings", "--all-match")
	}
	for _, word := range o.Words {
		args = append(args, "--grep="+word)
	}
	args = append(args, flags...)
	args = append(args, cmp.Or(o.To, "HEAD"))
	if o.From != "" {
		args = append(args, "^"+o.From)
	}
	args = append(args, "--")
	switch {
	case o.Path != "":
		args = append(args, o.Path)
	case r.prefix != "":
		args = append(args, ".")
	}
	return args
}

// parseLog reads, per commit, the mark, commitFields fields, and pairs of status letter and path. Git puts an empty
// field and a newline before the first letter.
func parseLog(r *Repo, out []byte) []Commit {
	var commits []Commit
	tokens := fields(out)
	for i := 0; i < len(tokens); {
		if strings.TrimLeft(tokens[i], "\n") == commitMark && i+commitFields < len(tokens) {
			commits = append(commits, newCommit(tokens[i+1:i+1+commitFields]))
			i += 1 + commitFields
			continue
		}
		letter := strings.TrimLeft(tokens[i], "\n")
		if letter == "" || len(commits) == 0 || i+1 >= len(tokens) {
			i++
			continue
		}
		if rel, ok := r.relative(tokens[i+1]); ok {
			c := &commits[len(commits)-1]
			c.Files = append(c.Files, FileChange{Path: rel, Kind: kindOf(letter)})
		}
		i += 2
	}
	return commits
}

func newCommit(f []string) Commit {
	seconds, _ := strconv.ParseInt(f[2], 10, 64) // git wrote it; 0 is "unknown"
	return Commit{Hash: f[0], Author: f[1], Time: unixTime(seconds), Subject: message(f[3])}
}

// kindOf reads a status letter.
func kindOf(letter string) ChangeKind {
	switch letter[0] {
	case 'A', 'C':
		return Added
	case 'D':
		return Deleted
	case 'U':
		return Conflicted
	}
	return Modified
}
