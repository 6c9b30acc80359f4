package memory

import (
	"context"
	"time"
)

// A LoggedFile is a conversation as the log index knows it.
type LoggedFile struct {
	File      string // below the folder of conversations: 2025/12/oauth-authentication-2025-12-13.md
	Stamp     string // tells whether the file was changed since
	Topic     string
	Query     string
	QueryID   string
	Workspace string // absolute folder that was asked about; "" belongs everywhere
	Date      time.Time
	Sections  []LoggedSection
}

// A LoggedSection is a part of a conversation that can be found.
type LoggedSection struct {
	Section            string // "Phase 3: DECOMPOSE"
	Phase              int    // 1 to 9; 0 for none
	LineStart, LineEnd int    // one-based, both inclusive
	Keywords           []string
}

// A LogHit is a section that has words that were looked for: a place, never a text.
type LogHit struct {
	File, Topic, Query, QueryID, Section string
	Date                                 time.Time
	Phase                                int
	LineStart, LineEnd                   int
	Score                                float64 // sum of ln(1 + N/n) over the words it has: the fewer conversations have one, the more it says
	Matched                              []string
}

// A LogQuery asks the log index.
type LogQuery struct {
	Words      []string // keywords, one of which a section must have
	Workspaces []string // absolute folders; none means all. Conversations of no workspace always pass.
	Phases     []int    // none means all
	Limit      int      // conversations, 0 means 5
}

// A LogIndex knows where conversations say what. It follows from the files, and is made again from them.
type LogIndex interface {
	// IndexLog puts the sections of a conversation in the place of those that are known of its file.
	IndexLog(ctx context.Context, f LoggedFile) error
	// UnindexLogs forgets files.
	UnindexLogs(ctx context.Context, files []string) error
	// LoggedFiles returns the stamp of every file that is indexed.
	LoggedFiles(ctx context.Context) (map[string]string, error)
	// LoggedSections counts the sections that can be found.
	LoggedSections(ctx context.Context) (int, error)
	// SearchLogs returns the best section of each conversation, the best first.
	SearchLogs(ctx context.Context, q LogQuery) ([]LogHit, error)
}
