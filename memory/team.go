package memory

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
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
	ID      string // on the server
	Record  Record // of a purged one nothing
	Base    int64  // the version of the server that it was done to; 0 for a new record
	Seen    int64  // changes that it stands for
	Deleted bool   // the record was forgotten
	Purged  bool   // it was deleted for good
	Links   []Link // to other records, by their ids on the server
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
	Links    []Link
}

// IsTeamLink reports whether a team shares links of a type: those by which one record says something of another.
func IsTeamLink(kind string) bool { return kind == Supersedes || kind == Contradicts }

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
	Conflict   string         `json:"conflict,omitempty"` // for versions before the links
	Links      []teamLink     `json:"links,omitempty"`
}

type teamLink struct {
	To     string  `json:"to"`
	Type   string  `json:"type"`
	Weight float64 `json:"weight"`
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
	b := teamBody{r.Title, r.Content, r.SourceRef, r.Tags, r.Importance, r.AgentName, nil, "", nil}
	for _, l := range c.Links[:min(len(c.Links), maxTeamCitations)] {
		b.Links = append(b.Links, teamLink{l.To, l.Type, l.Weight})
		if l.Type == Contradicts && slices.Contains(r.Tags, ConflictTag) {
			b.Conflict = l.To
		}
	}
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
func ParseTeamBody(id, repository string, text []byte) (r Record, links []Link, err error) {
	if !isTeamID(id) {
		return r, nil, fmt.Errorf("%w: %.80q is no id of a record", ErrInvalid, id)
	}
	if len(text) > MaxTeamBody {
		return r, nil, fmt.Errorf("%w: %s has %d bytes, more than %d", ErrInvalid, id, len(text), MaxTeamBody)
	}
	var b teamBody
	if err := json.Unmarshal(text, &b); err != nil {
		return r, nil, fmt.Errorf("%w: %s can't be read: %w", ErrInvalid, id, err)
	}
	r = Record{
		ID: id, Type: Knowledge, Title: b.Title, Content: b.Content, SourceType: "memory", SourceRef: b.Source, Workspace: repository,
		Tags: b.Tags, Importance: b.Importance, Author: Author{AgentName: b.Agent, Team: true},
	}
	if len(b.Citations) > maxTeamCitations || len(b.Tags) > maxTeamCitations {
		return r, nil, fmt.Errorf("%w: %s has %d citations and %d tags", ErrInvalid, id, len(b.Citations), len(b.Tags))
	}
	r.Citations = []Citation{}
	for _, c := range b.Citations {
		if !isInside(c.Path) || c.Start < 1 || c.End < c.Start || len(c.ChunkID) > 2*maxTeamName || len(c.Name) > maxTeamName || len(c.Hash) != 64 {
			return r, nil, fmt.Errorf("%w: %s cites %.80q, which is no place in the repository", ErrInvalid, id, c.Path)
		}
		r.Citations, r.SourceType = append(r.Citations, Citation{
			Path: c.Path, StartLine: c.Start, EndLine: c.End, ChunkID: c.ChunkID, Name: c.Name, Signature: c.Signature, TextHash: c.Hash, Excerpt: c.Excerpt,
		}), "file"
	}
	if len(b.Title) > maxTeamName || len(b.Source) > 2*maxTeamName || len(b.Agent) > maxTeamName || len(b.Conflict) > maxTeamName {
		return r, nil, fmt.Errorf("%w: %s has names that are too long", ErrInvalid, id)
	}
	if links, err = teamLinks(id, b); err != nil {
		return r, nil, err
	}
	r, err = Prepare(r)
	return r, links, err
}

func teamLinks(id string, b teamBody) ([]Link, error) {
	if b.Conflict != "" && len(b.Links) == 0 {
		b.Links = []teamLink{{b.Conflict, Contradicts, 1}}
	}
	if len(b.Links) > maxTeamCitations {
		return nil, fmt.Errorf("%w: %s has %d links", ErrInvalid, id, len(b.Links))
	}
	var links []Link
	for _, l := range b.Links {
		switch {
		case !isTeamID(l.To) || l.To == id || !(l.Weight > 0 && l.Weight <= 1):
			return nil, fmt.Errorf("%w: %s has a link to %.80q of weight %v", ErrInvalid, id, l.To, l.Weight)
		case IsTeamLink(l.Type): // other types are of a later version
			links = append(links, Link{From: id, To: l.To, Type: l.Type, Weight: l.Weight})
		}
	}
	return links, nil
}

// isTeamID reports whether an id can be that of a record of a team.
func isTeamID(id string) bool {
	return strings.HasPrefix(id, "know:") && len(id) <= maxTeamName && utf8.ValidString(id) && !strings.ContainsFunc(id, isControl)
}

func isInside(p string) bool {
	return p != "" && len(p) <= 2*maxTeamName && filepath.IsLocal(filepath.FromSlash(p)) && path.Clean(p) == p && !strings.ContainsFunc(p, isControl)
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }
