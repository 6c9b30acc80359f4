package eval

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A Query is one question with the places that answer it.
type Query struct {
	ID       string
	Query    string
	Category string
	Language string
	Repo     string   // folder below the one that holds the repositories; "" is that folder itself
	Root     string   // part of the repository that is searched, "" for all of it; targets are relative to the repository
	Relevant []Target // none: the right answer is no hit
}

// A Target is a place that answers a query: a file, a definition in it, some of its lines, or anything in a folder.
type Target struct {
	Path      string `json:"path"`                 // relative to the repository, with '/'; one that ends with '/' is a folder
	Name      string `json:"name,omitempty"`       // Name or Container.Name of a definition
	StartLine int    `json:"start_line,omitempty"` // one-based; 0 for none
	EndLine   int    `json:"end_line,omitempty"`   // inclusive
	MaxLines  int    `json:"max_lines,omitempty"`  // a longer hit does not count as found; 0 for no such bound
}

// UnmarshalJSON takes a plain path, too.
func (t *Target) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, &t.Path)
	}
	type plain Target
	return json.Unmarshal(b, (*plain)(t))
}

// Load reads the query sets of several files and folders.
func Load(paths ...string) ([]Query, error) {
	var all []Query
	for _, path := range paths {
		queries, err := loadSet(path)
		if err != nil {
			return nil, err
		}
		all = append(all, queries...)
	}
	return all, checkIDs(all)
}

func loadSet(path string) ([]Query, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return loadAnnotations(os.DirFS(path))
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read query set: %w", err)
	}
	return parseLines(path, text)
}

// A line is a Query as a file holds it.
type line struct {
	ID       string   `json:"id"`
	Query    string   `json:"query"`
	Category string   `json:"category"`
	Set      string   `json:"set"`
	Language string   `json:"language"`
	Lang     string   `json:"lang"`
	Repo     string   `json:"repo"`
	Relevant []Target `json:"relevant"`
	Answers  []Target `json:"answers"`
}

func parseLines(path string, text []byte) ([]Query, error) {
	var queries []Query
	n := 0
	for raw := range bytes.Lines(text) {
		n++
		if raw = bytes.TrimSpace(raw); len(raw) == 0 {
			continue
		}
		var l line
		if err := json.Unmarshal(raw, &l); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		if l.ID == "" {
			return nil, fmt.Errorf("%s:%d: the line has no id", path, n)
		}
		queries = append(queries, l.asQuery())
	}
	return queries, nil
}

func (l *line) asQuery() Query {
	q := Query{
		ID: l.ID, Query: l.Query, Repo: l.Repo, Relevant: l.Relevant,
		Category: firstOf(l.Category, l.Set), Language: firstOf(l.Language, l.Lang),
	}
	for _, a := range l.Answers {
		if a.EndLine > 0 { // a function is not found by a hit in which it is a small part
			a.MaxLines = 3*(a.EndLine-a.StartLine+1) + 10
		}
		a.Name = ""
		q.Relevant = append(q.Relevant, a)
	}
	return q
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// loadAnnotations reads a benchmark folder: repos.json lists {name, language, benchmark_root}, and
// annotations/<name>.json the questions {query, category, relevant, secondary} of each. Relevant and secondary targets
// count alike.
func loadAnnotations(dir fs.FS) ([]Query, error) {
	var repos []struct {
		Name     string `json:"name"`
		Language string `json:"language"`
		Root     string `json:"benchmark_root"`
	}
	if err := readJSON(dir, "repos.json", &repos); err != nil {
		return nil, err
	}
	var queries []Query
	for _, r := range repos {
		var questions []struct {
			Query     string   `json:"query"`
			Category  string   `json:"category"`
			Relevant  []Target `json:"relevant"`
			Secondary []Target `json:"secondary"`
		}
		err := readJSON(dir, "annotations/"+r.Name+".json", &questions)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for i, q := range questions {
			queries = append(queries, Query{
				ID: fmt.Sprintf("%s-%d", r.Name, i), Query: q.Query, Category: q.Category, Language: r.Language,
				Repo: r.Name, Root: r.Root, Relevant: append(q.Relevant, q.Secondary...),
			})
		}
	}
	return queries, nil
}

func readJSON(dir fs.FS, name string, into any) error {
	text, err := fs.ReadFile(dir, name)
	if err != nil {
		return fmt.Errorf("read query set: %w", err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	return nil
}

func checkIDs(queries []Query) error {
	if len(queries) == 0 {
		return errors.New("the query sets hold no query")
	}
	seen := map[string]bool{}
	for _, q := range queries {
		if seen[q.ID] {
			return fmt.Errorf("query id %q is there twice", q.ID)
		}
		seen[q.ID] = true
		if !filepath.IsLocal(filepath.FromSlash(q.Repo)) && q.Repo != "" {
			return fmt.Errorf("query %q: repo %q leaves the folder of repositories", q.ID, q.Repo)
		}
	}
	return nil
}

// folder is where the query's workspace is, below the folder of repositories.
func (q *Query) folder(repos string) string {
	return filepath.Join(repos, filepath.FromSlash(q.Repo), filepath.FromSlash(q.Root))
}

// path is a hit's path relative to the repository.
func (q *Query) path(hit string) string {
	if q.Root == "" {
		return hit
	}
	return strings.TrimSuffix(q.Root, "/") + "/" + hit
}
