package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/index/git"
)

// A Question has an answer that is known. It is right when everything that is asked of it holds.
type Question struct {
	ID       string   `json:"id"`
	Repo     string   `json:"repo"` // folder below the one that holds the repositories
	Kind     string   `json:"kind"` // what it asks for, such as callers
	Question string   `json:"question"`
	First    []string `json:"first,omitempty"`    // stand in the first paragraph: a reader who stops there knows the answer
	FirstOf  []string `json:"first_of,omitempty"` // one of these names stands there as code
	Has      []string `json:"has,omitempty"`      // stand anywhere in the answer
	Lacks    []string `json:"lacks,omitempty"`    // stand nowhere in it
	Cites    []string `json:"cites,omitempty"`    // path or path:Name of sources that it names
	Abstains bool     `json:"abstains,omitempty"` // nothing answers it, and the answer says so
}

// A Pin names the version of a repository that questions are about.
type Pin struct {
	Name   string `json:"name"`
	URL    string `json:"url"`
	Commit string `json:"commit"`
}

// pinsName is the file beside question sets that pins their repositories.
const pinsName = "repos.json"

// LoadQuestions reads files of JSON lines, and the pins that stand beside them in repos.json, if there are any.
func LoadQuestions(paths ...string) ([]Question, []Pin, error) {
	var all []Question
	var pins []Pin
	seen, dirs := map[string]bool{}, map[string]bool{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, nil, fmt.Errorf("read questions: %w", err)
		}
		n := 0
		for line := range bytes.Lines(text) {
			n++
			if line = bytes.TrimSpace(line); len(line) == 0 {
				continue
			}
			q, err := parseQuestion(line)
			if err == nil && seen[q.ID] {
				err = fmt.Errorf("the id %q is there twice", q.ID)
			}
			if err != nil {
				return nil, nil, fmt.Errorf("%s:%d: %w", path, n, err)
			}
			seen[q.ID] = true
			all = append(all, q)
		}
		if dir := filepath.Dir(path); !dirs[dir] {
			dirs[dir] = true
			list, err := loadPins(filepath.Join(dir, pinsName))
			if err != nil {
				return nil, nil, err
			}
			pins = append(pins, list...)
		}
	}
	if len(all) == 0 {
		return nil, nil, errors.New("the files hold no question")
	}
	return all, pins, nil
}

// parseQuestion reads one line. A question of which nothing is asked would always be right.
func parseQuestion(line []byte) (Question, error) {
	var q Question
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	err := d.Decode(&q)
	switch {
	case err != nil:
		return q, err
	case q.ID == "" || q.Kind == "" || strings.TrimSpace(q.Question) == "":
		return q, errors.New("a question needs id, kind and question")
	case q.Repo != "" && !filepath.IsLocal(filepath.FromSlash(q.Repo)):
		return q, fmt.Errorf("repo %q leaves the folder of repositories", q.Repo)
	case !q.Abstains && len(q.First)+len(q.FirstOf)+len(q.Has)+len(q.Cites) == 0:
		return q, errors.New("nothing is asked of the answer: give first, has, cites or abstains")
	}
	return q, nil
}

func loadPins(path string) ([]Pin, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var pins []Pin
	if err == nil {
		err = json.Unmarshal(text, &pins)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return pins, nil
}

// check says why the questions about a folder can't be asked; "" when they can. A checkout at another commit has
// other answers.
func (p Pin) check(ctx context.Context, dir string) string {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		if p.URL == "" {
			return "there is no folder " + dir
		}
		return fmt.Sprintf("there is no folder %s (git clone %s %s && git -C %s checkout -q %s)", dir, p.URL, dir, dir, p.Commit)
	}
	if p.Commit == "" {
		return ""
	}
	repo, err := git.Open(ctx, dir)
	if err != nil {
		return fmt.Sprintf("%s is no git repository: %v", dir, err)
	}
	defer repo.Close()
	head, err := repo.Head(ctx)
	switch {
	case err != nil:
		return fmt.Sprintf("git does not tell what %s is at: %v", dir, err)
	case head.Commit != p.Commit:
		return fmt.Sprintf("%s is at %.8s, and the questions are about %.8s (git -C %s checkout -q %s)", dir, head.Commit, p.Commit, dir, p.Commit)
	}
	return ""
}

// namesCode reports whether a text has a name as code, alone or behind that of what it belongs to.
func namesCode(text, name string) bool {
	return strings.Contains(text, "`"+name+"`") || strings.Contains(text, "."+name+"`")
}

// grade lists what is wrong with an answer; nil when it is right.
func (q *Question) grade(r *engine.QueryResult) []string {
	var faults []string
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	if r.Abstained != q.Abstains {
		fault("%s", map[bool]string{true: "abstained", false: "did not abstain"}[r.Abstained])
	}
	first, _, _ := strings.Cut(r.Answer, "\n\n")
	for _, want := range q.First {
		if !strings.Contains(first, want) {
			fault("the first paragraph lacks %q", want)
		}
	}
	if len(q.FirstOf) > 0 && !slices.ContainsFunc(q.FirstOf, func(name string) bool { return namesCode(first, name) }) {
		fault("the first paragraph names none of %s", strings.Join(q.FirstOf, ", "))
	}
	for _, want := range q.Has {
		if !strings.Contains(r.Answer, want) {
			fault("lacks %q", want)
		}
	}
	for _, bad := range q.Lacks {
		if strings.Contains(r.Answer, bad) {
			fault("has %q", bad)
		}
	}
	for _, want := range q.Cites {
		if !cites(r.Citations, want) {
			fault("does not cite %s", want)
		}
	}
	return faults
}

// cites reports whether one of the hits is at "path" or is "path:Name".
func cites(hits []engine.Hit, want string) bool {
	path, name, named := strings.Cut(want, ":")
	for i := range hits {
		h := &hits[i]
		if h.Path == path && (!named || h.Name == name || h.Container+"."+h.Name == name) {
			return true
		}
	}
	return false
}
