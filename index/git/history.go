package git

import (
	"context"
	"fmt"
	"time"
)

// State says whether git knows a file.
type State string

// The states.
const (
	Tracked     State = "tracked"
	Untracked   State = "untracked"
	Unavailable State = "unavailable" // git could not tell; the error says why
)

// An Info is the history of some lines of a file, as far as the lines that are there now remember it.
type Info struct {
	State        State
	Commits      int       // distinct commits that the lines come from; 0 when all are uncommitted
	Uncommitted  int       // lines that are in no commit yet
	LastModified time.Time // commit time of the newest of the commits; zero without one
	LastAuthor   string
	LastSubject  string    // first line of its message
	LastCommit   string    // full hash
	FirstCommit  time.Time // commit time of the oldest of the commits
	Truncated    bool      // the clone is shallow and the lines are older than it reaches
	AtEdge       bool      // all of them are, so that LastCommit did not have to change them
}

// History returns the history of the lines [startLine, endLine] of the file as it is on disk; both are zero-based and
// inclusive, and what lies past the end is cut. The first question about a version of a file costs a blame, the next
// ones some microseconds. With an error the state is Unavailable.
func (r *Repo) History(ctx context.Context, rel string, startLine, endLine int) (Info, error) {
	return r.history(ctx, rel, nil, false, startLine, endLine)
}

// HistoryText is History for an unsaved buffer: the lines are those of text, and what only the buffer holds counts as
// uncommitted.
func (r *Repo) HistoryText(ctx context.Context, rel string, text []byte, startLine, endLine int) (Info, error) {
	return r.history(ctx, rel, text, true, startLine, endLine)
}

func (r *Repo) history(ctx context.Context, rel string, text []byte, buffer bool, startLine, endLine int) (Info, error) {
	b, err := r.blame(ctx, rel, text, buffer)
	if err != nil {
		return Info{State: Unavailable}, fmt.Errorf("history of %q: %w", rel, err)
	}
	info := b.info(startLine, endLine)
	if (info.Truncated || info.AtEdge) && !r.Shallow() {
		info.Truncated, info.AtEdge = false, false
	}
	return info, nil
}

// info sums up the lines; Truncated says that one of them comes from a boundary, AtEdge that the newest does.
func (b *fileBlame) info(startLine, endLine int) Info {
	info := Info{State: b.state}
	startLine, endLine = max(startLine, 0), min(endLine, len(b.lines)-1)
	seen := make([]bool, len(b.commits))
	var first, last *blameCommit
	for line := startLine; line <= endLine; line++ {
		i := b.lines[line]
		c := &b.commits[i]
		if c.uncommitted() {
			info.Uncommitted++
			continue
		}
		if seen[i] {
			continue
		}
		seen[i] = true
		info.Commits++
		info.Truncated = info.Truncated || c.boundary
		if last == nil || c.time > last.time {
			last = c
		}
		if first == nil || c.time < first.time {
			first = c
		}
	}
	if last != nil {
		info.LastModified, info.FirstCommit = unixTime(last.time), unixTime(first.time)
		info.LastAuthor, info.LastSubject, info.LastCommit = last.author, last.summary, last.hash
		info.AtEdge = last.boundary
	}
	return info
}
