package recall

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/memory"
)

// maxContent is the most bytes of one record: a record is a thought or a snippet, not a file.
const maxContent = 64 << 10

const (
	maxTags     = 50  // of one record
	maxTagRunes = 100 // of one tag: every hit shows them

	maxAgentName = 64 // bytes
)

// Remember stores a record that searches, hovers and answers then find. The same content is one record: created says
// whether it is new. With a selection the record cites its place, and a request without content stores the selected
// text. The store removes secrets before it writes.
//
// It fails with Invalid on empty or oversized content, too many or too long tags and an unknown type, and with Storage when the store does.
func (e *Records) Remember(ctx context.Context, r RememberRequest) (id string, created bool, err error) {
	record, err := e.newRecord(r)
	if err != nil {
		return "", false, err
	}
	saved, created, err := e.Store.Remember(ctx, record)
	if err != nil {
		return "", false, fault.OfStore(ctx, "remember", err)
	}
	return saved.ID, created, nil
}

func (e *Records) newRecord(r RememberRequest) (memory.Record, error) {
	if e.Store == nil {
		return memory.Record{}, &fault.Error{Kind: fault.Storage, Message: "there is no memory to remember in"}
	}
	record := memory.Record{
		Type: memory.Knowledge, Content: r.Content, SourceRef: r.SourceRef, Tags: slices.Clone(r.Tags), Importance: 1,
		Author: memory.Author{GoalID: r.GoalID, AgentName: agentName(r.Agent)}, SourceType: "memory",
	}
	switch strings.ToLower(r.Type) {
	case "", string(memory.Knowledge):
	case string(memory.Reasoning):
		record.Type = memory.Reasoning
	default:
		return record, &fault.Error{
			Kind: fault.Invalid, Message: fmt.Sprintf("unknown type %q", r.Type), Detail: "type", Remedy: "Use knowledge or reasoning.",
		}
	}
	if math.IsNaN(r.Importance) || r.Importance < 0 || r.Importance > 1 {
		return record, &fault.Error{Kind: fault.Invalid, Message: "importance must lie between 0 and 1", Detail: "importance"}
	}
	if r.Importance > 0 {
		record.Importance = r.Importance
	}
	if r.Select != nil {
		cite(e, &record, *r.Select)
	}
	for _, s := range r.Also {
		cite(e, &record, s)
	}
	if err := citeRef(e, &record); err != nil {
		return record, err
	}
	if record.Workspace == "" && !r.Personal {
		record.Workspace = OpenProject(e)
	}
	if err := checkTags(&record); err != nil {
		return record, err
	}
	if err := forTeam(e, r, &record); err != nil {
		return record, err
	}
	return record, e.CheckContent(&record)
}

// forTeam makes a record one of the team, when that is asked. Agents share nothing: what leaves the machine, a person has decided.
func forTeam(e *Records, r RememberRequest, record *memory.Record) error {
	if !r.Team {
		return nil
	}
	why, remedy := "", "Leave out what does not fit."
	switch {
	case e.InTeam == nil || !e.InTeam():
		why, remedy = "you are in no team", "Run: aurora team join postgres://role@host/database"
	case r.Agent != "":
		why, remedy = "an agent can't share a record with the team", "A person can: aurora remember --team"
	case r.Personal || record.Type != memory.Knowledge || r.GoalID != "":
		why = "a record of the team is knowledge of its repository: it is not personal, no reasoning, and belongs to no goal"
	case !isRepository(record.Workspace):
		why, remedy = "a team shares what belongs to a repository, and this folder is in none with a commit", "Open the folder of the repository."
	}
	if why != "" {
		return &fault.Error{Kind: fault.Invalid, Message: why, Detail: "team", Remedy: remedy}
	}
	record.Team = true
	return nil
}

// agentName is the name of an agent as records have it.
func agentName(name string) string {
	return strings.TrimSpace(wording.CutBytes(wording.OneLine(strings.ToValidUTF8(name, "")), maxAgentName))
}

// checkTags makes each tag one line, drops those that say nothing, and refuses what is no tag.
func checkTags(r *memory.Record) error {
	for i, tag := range r.Tags {
		r.Tags[i] = strings.Join(strings.Fields(strings.ToValidUTF8(tag, "\uFFFD")), " ")
		if at := strings.IndexFunc(r.Tags[i], unicode.IsControl); at >= 0 {
			return &fault.Error{Kind: fault.Invalid, Message: fmt.Sprintf("tag %d holds a control character", i+1), Detail: "tags", Remedy: "Remove it."}
		}
		if n := utf8.RuneCountInString(r.Tags[i]); n > maxTagRunes {
			return &fault.Error{
				Kind: fault.Invalid, Message: fmt.Sprintf("tag %d has %d characters, more than %d", i+1, n, maxTagRunes),
				Detail: "tags", Remedy: "Use a word, and put the rest into the content.",
			}
		}
	}
	r.Tags = slices.DeleteFunc(r.Tags, func(tag string) bool { return tag == "" })
	if len(r.Tags) > maxTags {
		return &fault.Error{Kind: fault.Invalid, Message: fmt.Sprintf("%d tags, more than %d", len(r.Tags), maxTags), Detail: "tags", Remedy: "Keep those that you would search for."}
	}
	return nil
}

// CheckContent trims the content and refuses what is no record.
func (e *Records) CheckContent(r *memory.Record) error {
	r.Content = strings.TrimSpace(strings.ToValidUTF8(r.Content, "\uFFFD"))
	switch {
	case r.Content == "":
		return &fault.Error{
			Kind: fault.Invalid, Message: "there is nothing to remember", Detail: "content",
			Remedy: "Write a sentence, or select some text.",
		}
	case len(r.Content) > maxContent:
		return &fault.Error{
			Kind: fault.Invalid, Message: fmt.Sprintf("the content has %d bytes, more than %d", len(r.Content), maxContent),
			Detail: "content", Remedy: "Remember the part that matters.",
		}
	}
	r.TokenCount = snippet.EstimateTokens(r.Content)
	return nil
}

// cite makes the record point at the selection: its line, and the code around it, which is followed when it moves.
func cite(e *Records, r *memory.Record, s codebase.Selection) {
	doc, ok := codebase.NewDocumentCache(e.Index).Seeing(s.Own).At(e.Index.Snapshot(), s.Path)
	if !ok {
		return
	}
	s = s.Within(len(doc.Text))
	if strings.TrimSpace(r.Content) == "" {
		r.Content = doc.Excerpt(s.Start, s.End)
	}
	r.SourceType, r.Workspace = "file", e.Project(doc.File.Folder)
	if r.SourceRef == "" {
		r.SourceRef = fmt.Sprintf("%s:%d", doc.File.Path, doc.Lines.Line(s.Start)+1)
	}
	if c, ok := citationOf(doc, s); ok {
		r.Citations = append(r.Citations, c)
	}
}

// Use records what a person did with hits; it is what activation learns from. value counts for "rated" only, -1..1.
func (e *Records) Use(ctx context.Context, ids []string, action string, value float64) error {
	use := memory.Use(strings.ToLower(action))
	if !slices.Contains(memory.Reported(), use) {
		return &fault.Error{
			Kind: fault.Invalid, Message: fmt.Sprintf("unknown action %q", action), Detail: "action",
			Remedy: "Use opened, accepted, copied, edited, cited, returned, rejected or rated.",
		}
	}
	if math.IsNaN(value) || value < -1 || value > 1 {
		return &fault.Error{Kind: fault.Invalid, Message: "value must lie between -1 and 1", Detail: "value"}
	}
	if len(ids) == 0 || e.Store == nil {
		return nil
	}
	if err := e.Store.Use(ctx, codebase.PresentIDs(e.Index.Snapshot(), ids), use, value); err != nil {
		return fault.OfStore(ctx, "note a use", err)
	}
	return nil
}

// Edited records that a person edited the file of a place at some offsets of its present text: the chunks there were used, each
// once.
func (e *Records) Edited(ctx context.Context, p codebase.Place, offsets []int) error {
	doc, ok := codebase.NewDocumentCache(e.Index).Seeing(p.Own).At(e.Index.Snapshot(), p.Path)
	if !ok || e.Store == nil {
		return nil
	}
	var ids []string
	for _, offset := range offsets {
		if ref, ok := codebase.ChunkAround(doc, codebase.Selection{Start: offset, End: offset}); ok && isCitable(ref) && !slices.Contains(ids, ref.ID()) {
			ids = append(ids, ref.ID())
		}
	}
	return e.Use(ctx, ids, string(memory.Edited), 0)
}
