package memory

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	// MaxTeamBody is the most bytes of one record as it is sent to a team, and taken from it.
	MaxTeamBody = 256 << 10

	// ConflictTag marks a text that a teammate has changed at the same time; it stands beside theirs.
	ConflictTag = "conflict"

	maxTeamCitations = 100
	maxTeamName      = 400 // bytes of an id, a path, or a name
)

// ErrLeft is returned where the person is in no team, or has left it meanwhile.
var ErrLeft = errors.New("this person is in no team: aurora team join")

// A TeamChange is what was done here to a record of the team and is not confirmed by the server.
type TeamChange struct {
	ID       string // on the server
	Record   Record // of a purged one nothing
	Base     int64  // the version of the server that it was done to; 0 for a new record
	Seen     int64  // changes that it stands for
	Deleted  bool   // the record was forgotten
	Purged   bool   // it was deleted for good
	Conflict string // the id of the record whose text it contradicts
}

// A TeamRow is a record as the server has it.
type TeamRow struct {
	ID       string
	Record   Record // zero for a deleted one
	Version  int64
	Seq      int64 // its place in the feed of changes
	Author   string
	EditedBy string // who wrote the present text
	At       time.Time
	Deleted  bool
	Purged   bool
	Conflict string
}

// By is who wrote a row, for people.
func (r TeamRow) By() string {
	if r.EditedBy == "" || r.EditedBy == r.Author {
		return r.Author
	}
	return r.Author + ", changed by " + r.EditedBy
}

// A TeamCursor is how far the changes of a repository were followed.
type TeamCursor struct {
	Epoch string
	Seq   int64
}

// A TeamAnswer is what the server said of a change.
type TeamAnswer struct {
	ID      string
	Seen    int64 // of the change
	Version int64 // that is there now
	Author  string
	Seq     int64  // of a conflict: where the change is in the feed that must be taken first; else 0
	Refused string // why it does not take the change; "" when it did
}

// TeamApplied counts what became of rows.
type TeamApplied struct{ Taken, Conflicts int }

// TeamSummary counts the records of a team.
type TeamSummary struct {
	Records, Own, Waiting, Refused, Conflicts int
	Reason                                    string // why one was refused
}

// teamBody is what a team is sent of a record. What depends on the machine, the person or the run that made it stays.
type teamBody struct {
	Title      string         `json:"title"`
	Content    string         `json:"content"`
	Source     string         `json:"source,omitempty"`
	Tags       []string       `json:"tags,omitempty"`
	Importance float64        `json:"importance"`
	Agent      string         `json:"agent,omitempty"`
	Citations  []teamCitation `json:"citations,omitempty"`
	Conflict   string         `json:"conflict,omitempty"`
}

type teamCitation struct {
	Path      string `json:"path"`
	Start     int    `json:"start"`
	End       int    `json:"end"`
	ChunkID   string `json:"chunk,omitempty"`
	Name      string `json:"name,omitempty"`
	Signature string `json:"signature,omitempty"`
	Hash      string `json:"hash"`
	Excerpt   string `json:"excerpt,omitempty"`
}

// Body is the change as JSON, without secrets. It fails with ErrInvalid when the record is no record of a team.
func (c TeamChange) Body() ([]byte, error) {
	r, err := Prepare(c.Record)
	if err != nil {
		return nil, err
	}
	if r.Type != Knowledge || r.Workspace == "" || filepath.IsAbs(r.Workspace) {
		return nil, fmt.Errorf("%w: a record of a team is knowledge of a repository", ErrInvalid)
	}
	b := teamBody{r.Title, r.Content, r.SourceRef, r.Tags, r.Importance, r.AgentName, nil, c.Conflict}
	for _, c := range r.Citations {
		b.Citations = append(b.Citations, teamCitation{c.Path, c.StartLine, c.EndLine, c.ChunkID, c.Name, c.Signature, c.TextHash, c.Excerpt})
	}
	text, err := json.Marshal(b)
	if err == nil && len(text) > MaxTeamBody {
		err = fmt.Errorf("%w: the record has %d bytes, a team takes %d", ErrInvalid, len(text), MaxTeamBody)
	}
	return text, err
}

// ParseTeamBody reads what a server says that a record is. It believes nothing: what is no record of the repository, or points out of
// it, is ErrInvalid.
func ParseTeamBody(id, repository string, text []byte) (r Record, conflict string, err error) {
	if !strings.HasPrefix(id, "know:") || len(id) > maxTeamName || !utf8.ValidString(id) || strings.ContainsFunc(id, isControl) {
		return r, "", fmt.Errorf("%w: %.80q is no id of a record", ErrInvalid, id)
	}
	if len(text) > MaxTeamBody {
		return r, "", fmt.Errorf("%w: %s has %d bytes, more than %d", ErrInvalid, id, len(text), MaxTeamBody)
	}
	var b teamBody
	if err := json.Unmarshal(text, &b); err != nil {
		return r, "", fmt.Errorf("%w: %s can't be read: %w", ErrInvalid, id, err)
	}
	r = Record{
		ID: id, Type: Knowledge, Title: b.Title, Content: b.Content, SourceType: "memory", SourceRef: b.Source, Workspace: repository,
		Tags: b.Tags, Importance: b.Importance, Author: Author{AgentName: b.Agent, Team: true},
	}
	if len(b.Citations) > maxTeamCitations || len(b.Tags) > maxTeamCitations {
		return r, "", fmt.Errorf("%w: %s has %d citations and %d tags", ErrInvalid, id, len(b.Citations), len(b.Tags))
	}
	r.Citations = []Citation{}
	for _, c := range b.Citations {
		if !isInside(c.Path) || c.Start < 1 || c.End < c.Start || len(c.ChunkID) > 2*maxTeamName || len(c.Name) > maxTeamName || len(c.Hash) != 64 {
			return r, "", fmt.Errorf("%w: %s cites %.80q, which is no place in the repository", ErrInvalid, id, c.Path)
		}
		r.Citations, r.SourceType = append(r.Citations, Citation{
			Path: c.Path, StartLine: c.Start, EndLine: c.End, ChunkID: c.ChunkID, Name: c.Name, Signature: c.Signature, TextHash: c.Hash, Excerpt: c.Excerpt,
		}), "file"
	}
	if len(b.Title) > maxTeamName || len(b.Source) > 2*maxTeamName || len(b.Agent) > maxTeamName || len(b.Conflict) > maxTeamName {
		return r, "", fmt.Errorf("%w: %s has names that are too long", ErrInvalid, id)
	}
	r, err = Prepare(r)
	return r, b.Conflict, err
}

func isInside(p string) bool {
	return p != "" && len(p) <= 2*maxTeamName && filepath.IsLocal(filepath.FromSlash(p)) && path.Clean(p) == p && !strings.ContainsFunc(p, isControl)
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }
