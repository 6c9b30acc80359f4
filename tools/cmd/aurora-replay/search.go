package main

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/embed"
)

const (
	stops     = 4  // commits at which the search is asked
	perStop   = 40 // commits after each of them that it is asked about
	betweenBy = 80 // commits from one to the next
	deepest   = 60 // hits that are looked at for ten files
)

// A stop is the repository at one commit, and what it is asked.
type stop struct {
	tree  string
	files []string // indexed
	tasks []task
}

// A task is a later commit, by what was there before it.
type task struct {
	subject   string
	files     []string // the first of them is open
	functions []string // of the others: path and name
	random    string   // another file, which is none of it; "" when it was drawn from it
}

// replaySearch asks the search itself, at some commits and about those that follow, and prints what it found.
func replaySearch(ctx context.Context, repository string) error {
	log, err := readLog(repository)
	if err != nil {
		return err
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
	t := newTally()
	for i := range stops {
		at := len(log) - perStop - i*betweenBy
		if at < 200 {
			break
		}
		if err := git("-C", s.tree, "checkout", "-q", "-f", log[at].hash); err != nil {
			return err
		}
		if err := s.ask(ctx, log[at+1:min(len(log), at+1+perStop)], t); err != nil {
			return err
		}
	}
	fmt.Printf("\n%s\n", filepath.Base(filepath.Dir(repository)))
	t.print()
	return nil
}

func git(args ...string) error {
	if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return nil
}

// ask indexes the work tree and asks about the commits that follow.
func (s *stop) ask(ctx context.Context, next []commit, t *tally) (err error) {
	model, err := embed.Default()
	if err != nil {
		return err
	}
	ix, err := index.Open(ctx, index.Options{Folders: []string{s.tree}, NoWatch: true, Embedder: model})
	if err != nil {
		return err
	}
	e := engine.New(engine.Options{Index: ix})
	defer func() { err = errors.Join(err, e.Close(), ix.Shutdown()) }()
	if err := ix.WaitReady(ctx); err != nil {
		return err
	}
	s.files, s.tasks = nil, nil
	for f := range ix.Snapshot().Listed() {
		s.files = append(s.files, f.Path)
	}
	slices.Sort(s.files)
	for _, c := range next {
		s.addTask(c)
	}
	// The history is read when a file is open for the first time, so what comes before does not know it.
	for _, way := range []struct {
		name         string
		open, random bool
		deep         bool
	}{
		{"search, no history", false, false, false}, {"context, no history", false, false, true},
		{"search, a file of the commit is open", true, false, false}, {"search, a random file is open", false, true, false},
		{"search, no file is open", false, false, false}, {"context, a file of the commit is selected", true, false, true},
	} {
		for i := range s.tasks {
			k := &s.tasks[i]
			request := engine.SearchRequest{Query: k.subject, Limit: deepest, Unjudged: true, Deep: way.deep}
			switch {
			case way.open:
				request.Open = filepath.Join(s.tree, k.files[0])
			case way.random && k.random != "":
				request.Open = filepath.Join(s.tree, k.random)
			}
			found, err := e.Search(ctx, request)
			if err != nil {
				return err
			}
			t.add("files", way.name, share(filesOf(found.Hits, k.files[0]), k.files[1:]))
			if len(k.functions) > 0 {
				t.add("functions of other files", way.name, share(functionsOf(found.Hits), k.functions))
			}
		}
	}
	return nil
}

// addTask makes a task of a commit of two known files at least.
func (s *stop) addTask(c commit) {
	k := task{subject: c.subject}
	for _, f := range c.files {
		if _, known := slices.BinarySearch(s.files, f); known {
			k.files = append(k.files, f)
		}
	}
	if len(k.files) < 2 {
		return
	}
	for _, f := range c.functions {
		path, name, _ := strings.Cut(f, " ")
		if slices.Contains(k.files[1:], path) {
			k.functions = append(k.functions, path+" "+lastWord(name))
		}
	}
	h := fnv.New32a()
	h.Write([]byte(c.hash))
	if other := s.files[int(h.Sum32()%uint32(len(s.files)))]; !slices.Contains(k.files, other) {
		k.random = other
	}
	s.tasks = append(s.tasks, k)
}

// lastWord is what git's line of a function and the name of a definition have in common.
func lastWord(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool {
		return !(r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 127)
	})
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

// filesOf are the first ten files of hits, but one.
func filesOf(hits []engine.Hit, but string) []string {
	var list []string
	for i := range hits {
		if p := hits[i].Path; p != but && !slices.Contains(list, p) && len(list) < best {
			list = append(list, p)
		}
	}
	return list
}

// functionsOf are the first ten hits.
func functionsOf(hits []engine.Hit) []string {
	var list []string
	for i := range hits[:min(best, len(hits))] {
		list = append(list, hits[i].Path+" "+lastWord(hits[i].Name))
	}
	return list
}

// share is the part of what was wanted that was found.
func share(found, wanted []string) float64 {
	met := 0
	for _, w := range wanted {
		if slices.Contains(found, w) {
			met++
		}
	}
	return float64(met) / float64(min(best, len(wanted)))
}
