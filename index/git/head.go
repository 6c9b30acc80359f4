package git

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A Head says what is checked out.
type Head struct {
	Commit string // full hash, "" before the first commit
	Branch string // short name, "" when detached
}

// Unborn reports whether there is no commit yet.
func (h Head) Unborn() bool { return h.Commit == "" }

// Head returns what is checked out. It costs a few system calls while nothing has moved, and two runs of git after a
// commit or a checkout.
func (r *Repo) Head(ctx context.Context) (Head, error) {
	stamp := refsOf(r)
	sound := stamp.known()
	r.headMu.Lock()
	head, known := r.head, r.headStamp == stamp && sound
	r.headMu.Unlock()
	if known {
		return head, nil
	}
	head, err := r.readHead(ctx)
	if err != nil {
		return Head{}, fmt.Errorf("read HEAD: %w", err)
	}
	r.headMu.Lock()
	r.head, r.headStamp = head, stamp // taken before reading, so a move in between only costs another read
	r.headMu.Unlock()
	return head, nil
}

func (r *Repo) readHead(ctx context.Context) (Head, error) {
	var head Head
	var failed *CommandError
	out, err := r.run(ctx, nil, "symbolic-ref", "--quiet", "--short", "HEAD")
	switch {
	case err == nil:
		head.Branch = strings.TrimSpace(string(out))
	case !errors.As(err, &failed) || failed.Stderr != "":
		return Head{}, err
	}
	out, err = r.run(ctx, nil, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	switch {
	case err == nil:
		head.Commit = strings.TrimSpace(string(out))
	case !errors.As(err, &failed) || failed.Stderr != "":
		return Head{}, err
	}
	return head, nil
}

// A fileStamp tells two states of a file apart without reading it.
type fileStamp struct {
	size, modTime int64 // bytes and nanoseconds; both 0 when there is no such file
}

func stampOf(path string) fileStamp {
	info, err := os.Stat(path)
	if err != nil {
		return fileStamp{}
	}
	return fileStamp{info.Size(), info.ModTime().UnixNano()}
}

// A refStamp changes whenever HEAD means another commit: through a checkout, a commit, a packing of refs, or a table
// of the reftable format.
type refStamp struct {
	head   string    // content of HEAD
	ref    string    // content of the ref that it names
	packed fileStamp // of packed-refs
	tables fileStamp // of the reftable list
}

func (s refStamp) known() bool { return s.head != "" }

func refsOf(r *Repo) refStamp {
	s := refStamp{
		head:   readSmall(filepath.Join(r.gitDir, "HEAD")),
		packed: stampOf(filepath.Join(r.common, "packed-refs")),
		tables: stampOf(filepath.Join(r.common, "reftable", "tables.list")),
	}
	name, symbolic := strings.CutPrefix(strings.TrimSpace(s.head), "ref: ")
	if symbolic && strings.HasPrefix(name, "refs/") && filepath.IsLocal(name) {
		s.ref = readSmall(filepath.Join(r.common, filepath.FromSlash(name)))
	}
	return s
}

// readSmall returns the start of a regular file, "" when there is none.
func readSmall(path string) string {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, 4096))
	if err != nil {
		return ""
	}
	return string(data)
}

// unixTime reads the seconds that git prints.
func unixTime(seconds int64) time.Time {
	if seconds == 0 {
		return time.Time{}
	}
	return time.Unix(seconds, 0)
}
