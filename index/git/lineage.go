package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A LineCommit is a commit that some lines come from.
type LineCommit struct {
	Hash, Author  string
	Time          time.Time // commit time
	Subject, Body string
	Lines         int    // of those asked about that come from it; 0 for one before it
	MergedBy      string // subject and body of the merge that brought it, "" when it is not known
}

// A Lineage is why some lines are as they are.
type Lineage struct {
	Commits     []LineCommit // that the lines come from, most lines first
	Before      *LineCommit  // the change of these lines before the first of Commits; nil when there is none
	Uncommitted int          // lines that are in no commit yet
	Edge        string       // of Commits the one at which a shallow clone ends: its lines may be older; "" when none is
}

const (
	maxLineCommits = 5
	maxBody        = 4000 // bytes of a commit's body
	mergeTimeout   = 2 * time.Second
)

// Lineage follows the zero-based lines [start, end] of a file, or of text when it is not nil, to the commits that wrote them:
// through renames, moved and copied lines, and changes of white space, and past the commits that the project's
// .git-blame-ignore-revs lists.
func (r *Repo) Lineage(ctx context.Context, rel string, text []byte, start, end int) (*Lineage, error) {
	blamed, err := blameLines(ctx, r, rel, text, start, end)
	if err != nil {
		return nil, fmt.Errorf("lineage of %q: %w", rel, err)
	}
	l := &Lineage{Uncommitted: blamed.uncommitted}
	for _, hash := range blamed.byLines() {
		if len(l.Commits) == maxLineCommits {
			break
		}
		c, err := lineCommit(ctx, r, hash)
		if err != nil {
			return nil, fmt.Errorf("lineage of %q: %w", rel, err)
		}
		c.Lines = blamed.lines[hash]
		if l.Edge == "" && blamed.boundary[hash] && r.Shallow() {
			l.Edge = hash
		}
		l.Commits = append(l.Commits, *c)
	}
	if len(l.Commits) > 0 {
		first := &l.Commits[0]
		first.MergedBy = mergeOf(ctx, r, first.Hash)
		l.Before = changeBefore(ctx, r, blamed.origin[first.Hash])
	}
	return l, nil
}

// ignoredRevs is the file in which projects list the commits that only reformat, by convention.
const ignoredRevs = ".git-blame-ignore-revs"

// blameLines runs git. A list of ignored commits that it can't read is left out.
func blameLines(ctx context.Context, r *Repo, rel string, text []byte, start, end int) (*lineBlame, error) {
	args := []string{"blame", "--porcelain", "--no-textconv", "-w", "-M", "-C", "-L", fmt.Sprintf("%d,%d", start+1, end+1)}
	if text != nil {
		args = append(args, "--contents", "-")
	}
	input := func() io.Reader {
		if text == nil {
			return nil
		}
		return bytes.NewReader(text)
	}
	list := filepath.Join(r.root, ignoredRevs)
	if info, err := os.Stat(list); err == nil && info.Mode().IsRegular() {
		if out, err := r.run(ctx, input(), append(args, "--ignore-revs-file", list, "--", rel)...); err == nil {
			return parseLines(out)
		}
	}
	out, err := r.run(ctx, input(), append(args, "--", rel)...)
	var failed *CommandError
	if errors.As(err, &failed) {
		out, err = r.run(ctx, input(), append(args, "--ignore-revs-file", "", "--", rel)...) // the settings name a list that is not there
	}
	if err != nil {
		return nil, err
	}
	return parseLines(out)
}

// A lineBlame says which commits some lines come from.
type lineBlame struct {
	order       []string              // hashes in the order of the lines
	lines       map[string]int        // by hash
	origin      map[string]lineOrigin // by hash, of the first line
	boundary    map[string]bool       // by hash, whether history ends there
	uncommitted int
}

// A lineOrigin is where a line stood in the commit that wrote it.
type lineOrigin struct {
	hash, path string
	line       int // one-based
}

// parseLines reads git's porcelain format.
func parseLines(out []byte) (*lineBlame, error) {
	b := &lineBlame{lines: map[string]int{}, origin: map[string]lineOrigin{}, boundary: map[string]bool{}}
	hash := ""
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "\t"):
			hash = ""
		case hash == "":
			fields := strings.Fields(line)
			if len(fields) < 3 {
				return nil, fmt.Errorf("read blame: unexpected line %q", clip([]byte(line)))
			}
			hash = fields[0]
			b.count(hash, fields[1])
		case line == "boundary":
			b.boundary[hash] = true
		case strings.HasPrefix(line, "filename "):
			if o := b.origin[hash]; o.path == "" {
				o.path = strings.TrimPrefix(line, "filename ")
				b.origin[hash] = o
			}
		}
	}
	return b, nil
}

func (b *lineBlame) count(hash, line string) {
	if strings.Trim(hash, "0") == "" {
		b.uncommitted++
		return
	}
	if b.lines[hash]++; b.lines[hash] == 1 {
		n, _ := strconv.Atoi(line) // git wrote it
		b.order, b.origin[hash] = append(b.order, hash), lineOrigin{hash: hash, line: n}
	}
}

// byLines lists the commits, those of most lines first.
func (b *lineBlame) byLines() []string {
	hashes := slices.Clone(b.order)
	slices.SortStableFunc(hashes, func(x, y string) int { return b.lines[y] - b.lines[x] })
	return hashes
}

// lineFormat has a commit's facts, each ended by a NUL.
const lineFormat = "--format=%H%x00%an%x00%ct%x00%s%x00%b%x00"

func lineCommit(ctx context.Context, r *Repo, hash string) (*LineCommit, error) {
	out, err := r.run(ctx, nil, "log", "-1", "--no-show-signature", lineFormat, hash, "--")
	if err != nil {
		return nil, err
	}
	return parseLineCommit(out)
}

func parseLineCommit(out []byte) (*LineCommit, error) {
	fields := strings.Split(strings.TrimPrefix(string(out), "\n"), "\x00")
	if len(fields) < 5 {
		return nil, errors.New("read log: a commit lacks fields")
	}
	seconds, _ := strconv.ParseInt(fields[2], 10, 64) // git wrote it
	body := strings.TrimSpace(fields[4])
	body = message(body[:min(2*maxBody, len(body))])
	return &LineCommit{
		Hash: fields[0], Author: fields[1], Time: unixTime(seconds), Subject: message(fields[3]),
		Body: strings.ToValidUTF8(body[:min(maxBody, len(body))], ""),
	}, nil
}

// changeBefore finds the change of a line before the one that wrote it as it is; nil when there is none or git can't tell in time.
func changeBefore(ctx context.Context, r *Repo, o lineOrigin) *LineCommit {
	if o.path == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, mergeTimeout)
	defer cancel()
	// git blame tells paths from the root of the work tree, and so does log -L take them from there with a leading ":/".
	out, err := run(ctx, r.root, r.settings, nil, "log", "-2", "-s", "--no-show-signature", "--no-ext-diff", "--no-textconv",
		lineFormat, fmt.Sprintf("-L%d,%d:%s", o.line, o.line, o.path), o.hash)
	if err != nil {
		return nil
	}
	_, second, ok := strings.Cut(string(out), "\x00\n")
	if !ok || strings.TrimSpace(second) == "" {
		return nil
	}
	c, err := parseLineCommit([]byte(second))
	if err != nil {
		return nil
	}
	return c
}

// mergeOf is the message of the merge that brought a commit into what is checked out, "" when none did or it is not found in time.
func mergeOf(ctx context.Context, r *Repo, hash string) string {
	ctx, cancel := context.WithTimeout(ctx, mergeTimeout)
	defer cancel()
	out, err := r.run(ctx, nil, "rev-list", "--merges", "--ancestry-path", "--first-parent", hash+"..HEAD")
	if err != nil {
		return ""
	}
	merges := strings.Fields(string(out))
	if len(merges) == 0 {
		return ""
	}
	oldest := merges[len(merges)-1]
	if _, err := r.run(ctx, nil, "merge-base", "--is-ancestor", hash, oldest+"^1"); err == nil {
		return "" // it was there before that merge
	}
	c, err := lineCommit(ctx, r, oldest)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(c.Subject + "\n" + c.Body)
}
