package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/embed"
	"github.com/aurora-sidecar/aurora/memory/sqlite"
)

const (
	noteTasks  = 120 // latest commits that are asked about
	mostNotes  = 200
	leastNote  = 150 // bytes of the body of a message that says why
	mostNote   = 1500
	citedFiles = 5 // most files that a note cites
)

// A remembered note is what the message of a commit says below its subject.
type remembered struct {
	id, subject string
	files       []string // that it cites
}

// replayNotes remembers what the messages of commits say below their subjects, each with the files that its commit changed as its
// citations. It asks with the subjects of later commits for the notes that cite their other files, with the first file open, another
// one, or none; and with the subject of each note for the note, where an open file can only mislead.
func replayNotes(ctx context.Context, repository string) (err error) {
	log, err := readLog(repository)
	if err != nil {
		return err
	}
	at := len(log) - noteTasks - 1
	if at < 200 {
		return fmt.Errorf("%s has too few commits", repository)
	}
	dir, err := os.MkdirTemp("", "aurora-replay")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s := stop{tree: filepath.Join(dir, "tree")}
	if err := git("clone", "-q", "--shared", "--no-checkout", repository, s.tree); err != nil {
		return err
	}
	if err := git("-C", s.tree, "checkout", "-q", "-f", log[at].hash); err != nil {
		return err
	}
	model, err := embed.Default()
	if err != nil {
		return err
	}
	store, err := sqlite.Open(ctx, filepath.Join(dir, "memory.db"), sqlite.Options{})
	if err != nil {
		return err
	}
	ix, err := index.Open(ctx, index.Options{Folders: []string{s.tree}, NoWatch: true, Embedder: model})
	if err != nil {
		return err
	}
	e := engine.New(engine.Options{Index: ix, Memory: store})
	defer func() { err = errors.Join(err, e.Close(), ix.Shutdown(), store.Close()) }()
	if err := ix.WaitReady(ctx); err != nil {
		return err
	}
	for f := range ix.Snapshot().Listed() {
		s.files = append(s.files, f.Path)
	}
	slices.Sort(s.files)
	notes, err := s.remember(ctx, e, log[:at+1])
	if err != nil {
		return err
	}
	if err := e.FillRecordVectors(ctx); err != nil {
		return err
	}
	for _, c := range log[at+1:] {
		s.addTask(c)
	}
	t := newTally()
	for _, way := range []string{unopened, randomOpen, ownOpen} {
		for i := range s.tasks {
			if err := s.recall(ctx, e, way, &s.tasks[i], notes, t); err != nil {
				return err
			}
		}
		for i := range notes {
			if err := s.recallOne(ctx, e, way, i, notes, t); err != nil {
				return err
			}
		}
	}
	fmt.Printf("\n%s, %d notes\n", filepath.Base(filepath.Dir(repository)), len(notes))
	t.print()
	return nil
}

// What is open.
const (
	unopened   = "no file is open"
	randomOpen = "a random file is open"
	ownOpen    = "a file of the commit is open"
)

// remember keeps the messages that say why.
func (s *stop) remember(ctx context.Context, e *engine.Engine, log []commit) ([]remembered, error) {
	var notes []remembered
	for _, c := range slices.Backward(log) {
		if len(notes) == mostNotes {
			break
		}
		body, err := exec.Command("git", "-C", s.tree, "log", "-1", "--format=%b", c.hash).Output()
		if err != nil {
			return nil, err
		}
		text := strings.TrimSpace(string(body))
		var places []engine.Selection
		var files []string
		for _, f := range c.files {
			if _, known := slices.BinarySearch(s.files, f); known && len(files) < citedFiles {
				files = append(files, f)
				places = append(places, engine.Selection{Path: filepath.Join(s.tree, f)})
			}
		}
		if len(text) < leastNote || len(files) == 0 {
			continue
		}
		id, _, err := e.Memory().Remember(ctx, engine.RememberRequest{Content: text[:min(len(text), mostNote)], Select: &places[0], Also: places[1:]})
		if err != nil {
			continue // such as text with a secret, or a file of no text
		}
		notes = append(notes, remembered{id, c.subject, files})
	}
	return notes, nil
}

// recall asks about a commit and adds the share of the notes on its other files that were found.
func (s *stop) recall(ctx context.Context, e *engine.Engine, way string, k *task, notes []remembered, t *tally) error {
	var wanted, own []string
	for _, n := range notes {
		switch {
		case slices.Contains(n.files, k.files[0]):
			own = append(own, n.id)
		case slices.ContainsFunc(n.files, func(f string) bool { return slices.Contains(k.files[1:], f) }):
			wanted = append(wanted, n.id)
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	open := ""
	switch way {
	case ownOpen:
		open = k.files[0]
	case randomOpen:
		open = k.random
	}
	ids, err := s.recallIDs(ctx, e, k.subject, open)
	ids = slices.DeleteFunc(ids, func(id string) bool { return slices.Contains(own, id) })
	t.add("notes on the other files of a commit, of the first ten", way, share(ids[:min(best, len(ids))], wanted))
	return err
}

// recallOne asks for one note and adds whether it is among the first three.
func (s *stop) recallOne(ctx context.Context, e *engine.Engine, way string, i int, notes []remembered, t *tally) error {
	open := ""
	switch way {
	case ownOpen:
		return nil
	case randomOpen:
		open = s.files[i*7919%len(s.files)]
	}
	ids, err := s.recallIDs(ctx, e, notes[i].subject, open)
	found := 0.0
	if slices.Contains(ids[:min(3, len(ids))], notes[i].id) {
		found = 1
	}
	t.add("the note of a subject, of the first three", way, found)
	return err
}

// recallIDs returns the ids of the records that a question recalls while a file is open, "" for none.
func (s *stop) recallIDs(ctx context.Context, e *engine.Engine, question, open string) ([]string, error) {
	request := engine.SearchRequest{Query: question, Limit: deepest, AtLeast: deepest, Scope: engine.Scope{Types: []string{"knowledge", "reasoning"}}}
	if open != "" {
		request.Open = filepath.Join(s.tree, open)
	}
	found, err := e.Search(ctx, request)
	if err != nil {
		return nil, err
	}
	var ids []string
	for i := range found.Hits {
		if id := found.Hits[i].ID; strings.HasPrefix(id, "know:") {
			ids = append(ids, id)
		}
	}
	return ids, nil
}
