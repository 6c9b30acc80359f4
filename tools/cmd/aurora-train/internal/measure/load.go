package measure

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/aurora-sidecar/aurora/tools/cmd/aurora-train/internal/corpus"
)

// Documented reads a repository and asks for every documented function by its documentation. Functions with the same
// documentation, such as overloads, all answer it.
func Documented(folder string) (Repository, error) {
	r := Repository{Name: filepath.Base(folder)}
	asked := map[string]int{}
	err := corpus.Functions(folder, func(f corpus.Function) {
		if f.Test {
			return
		}
		if len(f.Doc) > 0 {
			at, known := asked[string(f.Doc)]
			if !known {
				at = len(r.Queries)
				asked[string(f.Doc)] = at
				r.Queries = append(r.Queries, Query{Language: group(f.Language), Text: string(f.Doc)})
			}
			r.Queries[at].Answers = append(r.Queries[at].Answers, len(r.Candidates))
		}
		r.Candidates = append(r.Candidates, candidate(f))
	})
	return r, err
}

// Queries reads the queries of a file and, below trees, the repositories that they ask about. A line of the file is a JSON
// object with repo, lang, query and answers, each of these with path, start_line and end_line, counted from 1.
func Queries(file, trees string) ([]Repository, error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var all []Repository
	byName := map[string]int{}
	for d := json.NewDecoder(in); ; {
		var line queryLine
		if err := d.Decode(&line); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("read %s: %w", file, err)
		}
		at, known := byName[line.Repo]
		if !known {
			r, err := allOf(filepath.Join(trees, line.Repo))
			if err != nil {
				return nil, err
			}
			at = len(all)
			byName[line.Repo] = at
			all = append(all, r)
		}
		r := &all[at]
		r.Queries = append(r.Queries, Query{Language: group(line.Lang), Text: line.Query, Answers: line.find(r.Candidates)})
	}
}

type queryLine struct {
	Repo    string `json:"repo"`
	Lang    string `json:"lang"`
	Query   string `json:"query"`
	Answers []struct {
		Path      string `json:"path"`
		StartLine int    `json:"start_line"`
		EndLine   int    `json:"end_line"`
	} `json:"answers"`
}

// find returns the candidates that overlap an answer and are at most three times as long plus ten lines.
func (q *queryLine) find(candidates []Candidate) []int {
	var found []int
	for i, c := range candidates {
		for _, a := range q.Answers {
			length := a.EndLine - a.StartLine + 1
			if c.Path == a.Path && c.StartLine <= a.EndLine && a.StartLine <= c.EndLine && c.EndLine-c.StartLine+1 <= 3*length+10 {
				found = append(found, i)
				break
			}
		}
	}
	return found
}

// allOf reads the functions of a tree, tests included.
func allOf(folder string) (Repository, error) {
	r := Repository{Name: filepath.Base(folder)}
	err := corpus.Functions(folder, func(f corpus.Function) { r.Candidates = append(r.Candidates, candidate(f)) })
	return r, err
}

func candidate(f corpus.Function) Candidate {
	text := append([]byte(f.Name+" "+f.Name+"\n"), f.Code...)
	return Candidate{Path: f.Path, StartLine: f.StartLine, EndLine: f.EndLine, Name: f.Name, Code: string(f.Code), Text: text, Placed: f.Text}
}

// group joins the languages that one grammar family serves.
func group(language string) string {
	switch language {
	case "typescript", "tsx", "javascript", "ts", "js", "jsx", "ts/js":
		return "TypeScript and JavaScript"
	case "py":
		return "python"
	case "rs":
		return "rust"
	}
	return language
}
