package git

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// A Revision is a commit that somebody named: by a tag, a branch, or (the beginning of) a hash.
type Revision struct {
	Name   string // as it was named
	Commit string // full hash
	Time   time.Time
	Before string // the latest tag before it, "" without one
}

// ErrNoRevision says that no commit has the name that was asked for.
var ErrNoRevision = errors.New("no such tag, branch or commit")

// revisionForm is a name, and how far to go back from it: HEAD~3, main^2.
var revisionForm = lazyregexp.New(`^[^- :@{}^~?*[\\\n\x00][^ :@{}^~?*[\\\n\x00]*(?:[~^]\d*)*$`)

// Resolve finds the commit that name means. It fails with ErrNoRevision when there is none, and for names that
// are ranges or searches rather than one commit's.
func (r *Repo) Resolve(ctx context.Context, name string) (Revision, error) {
	if !revisionForm.MatchString(name) || strings.Contains(name, "..") {
		return Revision{}, fmt.Errorf("%q: %w", name, ErrNoRevision)
	}
	out, err := r.run(ctx, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	if err != nil {
		var failed *CommandError
		if errors.As(err, &failed) && ctx.Err() == nil {
			return Revision{}, fmt.Errorf("%q: %w", name, ErrNoRevision)
		}
		return Revision{}, fmt.Errorf("resolve %q: %w", name, err)
	}
	hash := strings.TrimSpace(string(out))
	out, err = r.run(ctx, nil, "log", "-1", "--no-show-signature", "--format=%ct", hash, "--")
	if err != nil {
		return Revision{}, fmt.Errorf("resolve %q: %w", name, err)
	}
	seconds, _ := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64) // git wrote it; 0 is "unknown"
	rev := Revision{Name: name, Commit: hash, Time: unixTime(seconds)}
	if out, err := r.run(ctx, nil, "describe", "--tags", "--abbrev=0", hash+"^"); err == nil { // it fails when there is none
		rev.Before = strings.TrimSpace(string(out))
	}
	return rev, ctx.Err()
}

// Tags returns the names of up to limit tags, the newest first.
func (r *Repo) Tags(ctx context.Context, limit int) ([]string, error) {
	out, err := r.run(ctx, nil, "for-each-ref", "--sort=-creatordate", "--count="+strconv.Itoa(limit), "--format=%(refname:short)", "refs/tags")
	if err != nil {
		return nil, fmt.Errorf("tags: %w", err)
	}
	return strings.Fields(string(out)), nil
}

// A LineOrigin is a commit that some lines come from.
type LineOrigin struct {
	Commit  string // full hash
	Author  string
	Subject string
	Time    time.Time
	Lines   int
}

// Origins returns the commits that the lines [startLine, endLine] of a file come from, the oldest first. Both are
// zero-based and inclusive. Lines of text are looked at instead of the file's when text is not nil. Lines that are in
// no commit yet are left out.
func (r *Repo) Origins(ctx context.Context, rel string, text []byte, startLine, endLine int) ([]LineOrigin, error) {
	b, err := r.blame(ctx, rel, text, text != nil)
	if err != nil {
		return nil, fmt.Errorf("origins of %q: %w", rel, err)
	}
	return b.origins(startLine, endLine), nil
}

func (b *fileBlame) origins(startLine, endLine int) []LineOrigin {
	at := map[int32]int{}
	var list []LineOrigin
	for line := max(startLine, 0); line <= min(endLine, len(b.lines)-1); line++ {
		i := b.lines[line]
		c := &b.commits[i]
		if c.uncommitted() {
			continue
		}
		n, ok := at[i]
		if !ok {
			n = len(list)
			at[i] = n
			list = append(list, LineOrigin{Commit: c.hash, Author: c.author, Subject: c.summary, Time: unixTime(c.time)})
		}
		list[n].Lines++
	}
	slices.SortStableFunc(list, func(a, b LineOrigin) int { return a.Time.Compare(b.Time) })
	return list
}
