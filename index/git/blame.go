package git

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A fileBlame says which commit each line of one text came from. It is immutable.
type fileBlame struct {
	state   State
	index   fileStamp // of git's index when the file had no history: "git add" changes that answer
	commits []blameCommit
	lines   []int32 // per line the position in commits
}

type blameCommit struct {
	hash, author, summary string
	time                  int64 // committer's, in Unix seconds
	boundary              bool  // history ends here: the first commit, or the edge of a shallow clone
}

// uncommitted reports whether c stands for lines that are in no commit; git writes zeros.
func (c *blameCommit) uncommitted() bool { return strings.Trim(c.hash, "0") == "" }

// A blameKey names a version of a file: its path, the commit checked out, and the file on disk or a buffer's text.
type blameKey struct {
	rel, head string
	disk      fileStamp
	text      [sha256.Size]byte // of the buffer, zero without one
	buffer    bool
}

// blame returns the blame of rel as it is on disk or, with buffer, as it is in text.
func (r *Repo) blame(ctx context.Context, rel string, text []byte, buffer bool) (*fileBlame, error) {
	head, err := r.Head(ctx)
	if err != nil {
		return nil, err
	}
	if b := r.collected(head, rel, text, buffer); b != nil {
		return b, nil
	}
	key := blameKey{rel: rel, head: head.Commit, buffer: buffer}
	if buffer {
		key.text = sha256.Sum256(text)
	} else {
		key.disk = stampOf(filepath.Join(r.dir, filepath.FromSlash(rel)))
	}
	return r.blames.get(ctx, key, r.fresh, func(ctx context.Context) (*fileBlame, error) {
		return r.runBlame(ctx, head, rel, text, buffer)
	})
}

// fresh reports whether a kept blame still counts. One with history depends on its key alone.
func (r *Repo) fresh(b *fileBlame) bool { return len(b.lines) > 0 || b.index == r.indexStamp() }

func (r *Repo) indexStamp() fileStamp { return stampOf(filepath.Join(r.gitDir, "index")) }

func (r *Repo) runBlame(ctx context.Context, head Head, rel string, text []byte, buffer bool) (*fileBlame, error) {
	index := r.indexStamp()
	if head.Unborn() {
		return r.withoutHistory(ctx, rel, index)
	}
	args, stdin := []string{"blame", "--porcelain", "--no-textconv"}, io.Reader(nil)
	if buffer {
		args, stdin = append(args, "--contents", "-"), bytes.NewReader(text)
	}
	out, err := r.run(ctx, stdin, append(args, "--", rel)...)
	if err == nil {
		b, err := parseBlame(out)
		if err != nil {
			return nil, err
		}
		b.state, b.index = Tracked, index
		return b, nil
	}
	var failed *CommandError
	if !errors.As(err, &failed) {
		return nil, err
	}
	// Git has no code for "this file is in no commit", so it is asked.
	if _, inHead := r.run(ctx, nil, "cat-file", "-e", "HEAD:./"+rel); inHead == nil {
		return nil, err
	}
	return r.withoutHistory(ctx, rel, index)
}

// withoutHistory tells a file that waits for its first commit from one that git does not know.
func (r *Repo) withoutHistory(ctx context.Context, rel string, index fileStamp) (*fileBlame, error) {
	if _, err := os.Lstat(filepath.Join(r.dir, filepath.FromSlash(rel))); err != nil && !os.IsNotExist(err) {
		return nil, fmt.Errorf("blame: %w", err)
	}
	out, err := r.run(ctx, nil, "ls-files", "-z", "--cached", "--", rel)
	if err != nil {
		return nil, err
	}
	b := &fileBlame{state: Untracked, index: index}
	if len(out) > 0 {
		b.state = Tracked
	}
	return b, nil
}

// parseBlame reads git's porcelain format: per line a header "<hash> <old line> <new line> [<lines in group>]", the
// commit's facts when the hash is new, and the text after a tab.
func parseBlame(out []byte) (*fileBlame, error) {
	b := &fileBlame{}
	known := make(map[string]int32)
	var current int32
	header := true
	for len(out) > 0 {
		var line []byte
		line, out, _ = bytes.Cut(out, []byte{'\n'})
		switch {
		case header:
			hash, _, ok := strings.Cut(string(line), " ")
			if !ok {
				return nil, fmt.Errorf("read blame: unexpected line %q", clip(line))
			}
			var seen bool
			if current, seen = known[hash]; !seen {
				current = int32(len(b.commits))
				known[hash] = current
				b.commits = append(b.commits, blameCommit{hash: hash})
			}
			header = false
		case len(line) > 0 && line[0] == '\t':
			b.lines = append(b.lines, current)
			header = true
		default:
			b.commits[current].set(string(line))
		}
	}
	if !header {
		return nil, errors.New("read blame: the output ends inside a line")
	}
	return b, nil
}

// set takes one "name value" line about the commit.
func (c *blameCommit) set(line string) {
	name, value, _ := strings.Cut(line, " ")
	switch name {
	case "author":
		c.author = value
	case "committer-time":
		c.time, _ = strconv.ParseInt(value, 10, 64) // git wrote it; 0 is "unknown"
	case "summary":
		c.summary = message(value)
	case "boundary":
		c.boundary = true
	}
}

// clip shortens what an error quotes.
func clip(line []byte) []byte { return line[:min(len(line), 80)] }
