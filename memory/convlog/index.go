package convlog

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
	"github.com/aurora-sidecar/aurora/memory"
)

// indexWords is how many keywords a section has at most.
const indexWords = 7

// Index makes what the log index keeps of a conversation: for each section a few words, and its lines.
func (c *Conversation) Index() memory.LoggedFile {
	f := memory.LoggedFile{
		File: c.File.Name, Stamp: c.File.stamp(), Topic: cmp.Or(c.Role(), c.Topic), Query: c.Query, QueryID: c.ID, Date: c.Date, Workspace: c.Workspace(),
	}
	if f.Date.IsZero() {
		f.Date = c.File.Date
	}
	if c.answeredNothing() {
		return f // nobody looks for an answer there; the stamp keeps it from being read again
	}
	about := memory.Keywords(c.Topic+"\n"+c.Query, indexWords)
	for _, s := range c.Sections {
		if skippedPhase.MatchString(s.Text) || s.headless && strings.TrimSpace(s.Text) == "" {
			continue
		}
		words := memory.Keywords(s.Prose(), indexWords)
		if s.Phase == 1 || s.Phase == 9 || s.headless { // who looks for the question wants its answer
			words = append(slices.Clone(about), words...)
		}
		if s.Phase > 0 || s.headless {
			f.Sections = append(f.Sections, memory.LoggedSection{
				Section: s.Title, Phase: s.Phase, LineStart: s.Start, LineEnd: s.End, Keywords: unique(words),
			})
		}
	}
	return f
}

// skippedPhase is what a phase says that did not run.
var skippedPhase = lazyregexp.New(`(?m)^  "status": "skipped",?\r?$`)

// noConfidence is what the last phase of a conversation without an answer says.
var noConfidence = lazyregexp.New(`(?m)^\s*"confidence": 0,?\r?$`)

// answeredNothing reports whether the conversation ended without an answer. One whose last phase was not written may have.
func (c *Conversation) answeredNothing() bool {
	for _, s := range c.Sections {
		if s.Phase == 9 && noConfidence.MatchString(s.Text) {
			return true
		}
	}
	return false
}

// unique keeps each word once.
func unique(words []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, w := range words {
		if !seen[w] {
			seen[w] = true
			out = append(out, w)
		}
	}
	return out
}

// stamp changes with the file. Compressing it does not count: its text stays the same, and so does its time.
func (f File) stamp() string { return f.ModTime.UTC().Format(time.RFC3339Nano) }

// Sync brings the log index in step with the files: what came, was changed or went since, by whomever. It reads only what
// is new, and looks only into the folders of months in which files came or went since it looked last. A file that can't be
// read is left for the next time, and told in the error.
func (b *Book) Sync(ctx context.Context, index memory.LogIndex) error {
	b.syncMu.Lock()
	defer b.syncMu.Unlock()
	months, err := b.months()
	if err != nil {
		return err
	}
	if len(months) == len(b.synced) && !b.moved(months) {
		return nil
	}
	known, err := index.LoggedFiles(ctx)
	if err != nil {
		return err
	}
	var errs []error
	present := map[string]bool{}
	for _, m := range months {
		for _, f := range b.filesOf(m, Span{}) {
			if err := ctx.Err(); err != nil {
				return err
			}
			present[f.Name] = true
			if stamp, ok := known[f.Name]; ok && stamp == f.stamp() {
				continue
			}
			if err := b.indexFile(ctx, f, index); err != nil {
				errs = append(errs, err)
			}
		}
	}
	var gone []string
	for name := range known {
		if !present[name] {
			gone = append(gone, name)
		}
	}
	if len(gone) > 0 {
		errs = append(errs, index.UnindexLogs(ctx, gone))
	}
	b.synced = map[string]folderStamp{}
	for _, m := range months {
		b.synced[m.path] = m
	}
	return errors.Join(errs...)
}

// moved reports whether a folder was changed since the last Sync. Clocks of file systems are coarse: one that was changed
// in the last two seconds may be again without showing it.
func (b *Book) moved(months []folderStamp) bool {
	for _, m := range months {
		if old, ok := b.synced[m.path]; !ok || !old.modTime.Equal(m.modTime) || time.Since(m.modTime) < 2*time.Second {
			return true
		}
	}
	return false
}

func (b *Book) indexFile(ctx context.Context, f File, index memory.LogIndex) error {
	c, err := b.Read(f)
	if err != nil {
		return err
	}
	if err := index.IndexLog(ctx, c.Index()); err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	return nil
}

// jsonString is a member of an indented JSON text whose value is a string, or an element of a list.
var jsonString = lazyregexp.New(`^\s*(?:"([^"\\]*)":\s*)?("(?:[^"\\]|\\.)*"),?\s*$`)

// bookkeeping are members of the phases' JSON that say how, not what.
var bookkeeping = map[string]bool{
	"phase": true, "timestamp": true, "status": true, "mode": true, "id": true, "agent": true, "agent_id": true, "agent_type": true,
	"subgoal_id": true, "verdict": true, "route": true, "complexity": true, "verification_option": true, "format": true, "path": true, "semantic_role": true, "lifespan_policy": true,
	"query_id": true, "content": true, "query": true, "original_query": true, "chunk_id": true, "workspace": true, "source": true, "method": true, "model": true,
}

// Prose is what a section says in words: its text, of JSON the strings without those that only keep account.
func (s *Section) Prose() string {
	var out strings.Builder
	inJSON := false
	for line := range strings.Lines(s.Text) {
		if mark := strings.TrimSpace(line); strings.HasPrefix(mark, "```") {
			inJSON = mark == "```json"
			continue
		}
		if !inJSON {
			out.WriteString(line)
			continue
		}
		m := jsonString.FindStringSubmatch(line)
		var value string
		if m == nil || bookkeeping[m[1]] || json.Unmarshal([]byte(m[2]), &value) != nil {
			continue
		}
		out.WriteString(value)
		out.WriteByte('\n')
	}
	return out.String()
}

// Workspace is the folder that the query was about, as the first phase says; "" when it says none.
func (c *Conversation) Workspace() string { return c.member(1, "workspace") }

// Role is the semantic role of the record that the answer became, as the phase says that keeps it; "" when it became none.
// It is what the conversation is about.
func (c *Conversation) Role() string { return c.member(8, "semantic_role") }

// member is the first string of that name in the JSON of a phase.
func (c *Conversation) member(phase int, name string) string {
	for _, s := range c.Sections {
		if s.Phase != phase {
			continue
		}
		for line := range strings.Lines(s.Text) {
			var value string
			if m := jsonString.FindStringSubmatch(line); m != nil && m[1] == name && json.Unmarshal([]byte(m[2]), &value) == nil {
				return value
			}
		}
	}
	return ""
}
