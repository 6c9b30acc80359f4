package corpus

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/syntax"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// A Query is a question to the search with the definitions that answer it, in the form of aurora-eval.
type Query struct {
	ID       string   `json:"id"`
	Repo     string   `json:"repo"` // folder below the one that MakeQueries writes
	Set      string   `json:"set"`  // doc, commit or test
	Language string   `json:"lang"`
	Query    string   `json:"query"`
	Answers  []Answer `json:"answers"`
}

// An Answer is a definition that answers a query.
type Answer struct {
	Path      string `json:"path"`
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
	Name      string `json:"name"`
}

// WithoutDocs is what the folder of a repository is called in which no definition has its documentation.
const WithoutDocs = ".nodocs"

// mostAnswers is how many functions a commit may have changed whose subject is a query.
const mostAnswers = 3

// MakeQueries draws at most perSet queries of each kind from a repository, and writes what they are asked in to two folders
// below out: the files of the repository, and the same without documentation comments. The same checkout has the same queries.
func MakeQueries(folder, out string, perSet int) ([]Query, error) {
	if why := HeldOut(folder); why != "" {
		return nil, fmt.Errorf("read %s: %s: leave it out", folder, why)
	}
	m := queryMaker{folder: folder, name: filepath.Base(folder), byPlace: map[string][]Function{}, byName: map[string][]Function{}}
	err := definitions(folder, func(f Function) {
		m.all = append(m.all, f)
		if codebase.FileKind(f.Path) == "" && !f.Class {
			m.byPlace[f.Path+"\x00"+f.Name] = append(m.byPlace[f.Path+"\x00"+f.Name], f)
			m.byName[f.Name] = append(m.byName[f.Name], f)
		}
	})
	if err != nil {
		return nil, err
	}
	m.docs()
	m.tests()
	if err := m.commits(); err != nil {
		return nil, err
	}
	if err := copyTrees(folder, filepath.Join(out, m.name)); err != nil {
		return nil, err
	}
	return drawn(m.queries, perSet), nil
}

// A queryMaker draws queries from one repository.
type queryMaker struct {
	folder, name    string
	all             []Function
	byPlace, byName map[string][]Function // functions of ordinary code
	queries         []Query
}

func (m *queryMaker) add(set, repo, query string, answers ...Function) {
	q := Query{Repo: repo, Set: set, Language: answers[0].Language, Query: query}
	for _, f := range answers {
		q.Answers = append(q.Answers, Answer{f.Path, f.StartLine, f.EndLine, f.Name})
	}
	m.queries = append(m.queries, q)
}

// sentenceEnd matches what ends the first sentence of a paragraph.
var sentenceEnd = regexp.MustCompile(`[.!?](\s|$)`)

// docs asks for functions and types by the first sentences of their documentation, without their names.
func (m *queryMaker) docs() {
	for _, f := range m.all {
		sentence := string(f.Doc)
		if at := sentenceEnd.FindStringIndex(sentence); at != nil {
			sentence = sentence[:at[0]]
		}
		if sentence = strings.Join(strings.Fields(sentence), " "); codebase.FileKind(f.Path) == "" && len(strings.Fields(sentence)) >= minDocWords {
			m.add("doc", m.name+WithoutDocs, sentence, f)
		}
	}
}

// commits asks by the subjects of commits for the functions that they changed and that are still there.
func (m *queryMaker) commits() error {
	if _, err := os.Stat(filepath.Join(m.folder, ".git")); err != nil {
		return nil // else git would take the history of a folder around it
	}
	blobs, err := openBlobs(m.folder)
	if err != nil {
		return err
	}
	x := extractor{found: func(uint64) bool { return true }}
	logErr := eachCommit(m.folder, func(c commit) bool {
		subject := subjectTail.ReplaceAllString(c.subject, "")
		if noSubject.MatchString(subject) || len(strings.Fields(subject)) < minSubject || len(c.files) == 0 || len(c.files) > maxBlobs {
			return true
		}
		var changed []Function
		for _, f := range c.files {
			src, err := blobs.read(f.blob)
			if err != nil {
				return true
			}
			for _, fn := range x.changed(f, src) {
				if same := m.byPlace[f.path+"\x00"+fn.name]; len(same) == 1 {
					changed = append(changed, same[0])
				}
			}
		}
		if n := len(changed); n > 0 && n <= mostAnswers {
			m.add("commit", m.name, subject, changed...)
		}
		return true
	})
	return errors.Join(logErr, blobs.close())
}

var calledFunction = regexp.MustCompile(`([A-Za-z_]\w{3,})\s*\(`)

// tests asks by the names of tests for the function that they call and that has the longest part of their names.
func (m *queryMaker) tests() {
	var splitter text.Subtokenizer
	words := func(name string) (all []string) {
		splitter.Each([]byte(name), func(token []byte) bool { all = append(all, string(token)); return true })
		if n := len(all) - 1; n > 1 && all[n] == strings.Join(all[:n], "") {
			all = all[:n]
		}
		return all
	}
	for _, f := range m.all {
		asked := slices.DeleteFunc(words(f.Name), func(w string) bool { return w == "test" || w == "tests" })
		if !f.Test || len(asked) < minSubject {
			continue
		}
		var best *Function
		whole := strings.Join(asked, "")
		for _, call := range calledFunction.FindAllSubmatch(f.Code, -1) {
			same := m.byName[string(call[1])]
			if len(same) != 1 || !strings.Contains(whole, strings.Join(words(same[0].Name), "")) {
				continue
			}
			if best == nil || len(same[0].Name) > len(best.Name) {
				best = &same[0]
			}
		}
		if best != nil {
			m.add("test", m.name, strings.Join(asked, " "), *best)
		}
	}
}

// drawn keeps at most perSet queries of each set, chosen by lot, without those that another one repeats.
func drawn(all []Query, perSet int) []Query {
	slices.SortStableFunc(all, func(a, b Query) int {
		return cmp.Or(cmp.Compare(a.Set, b.Set), cmp.Compare(draw(a.Query, a.Answers[0].Path, 0), draw(b.Query, b.Answers[0].Path, 0)))
	})
	seen, count := map[string]bool{}, map[string]int{}
	var kept []Query
	for _, q := range all {
		if key := q.Set + strings.ToLower(q.Query); !seen[key] && count[q.Set] < perSet {
			seen[key] = true
			q.ID = fmt.Sprintf("%s-%s-%03d", q.Set, strings.TrimSuffix(q.Repo, WithoutDocs), count[q.Set])
			count[q.Set]++
			kept = append(kept, q)
		}
	}
	return kept
}

// copyTrees writes the files of a repository to a folder, and without documentation to one beside it. Lines keep their numbers.
func copyTrees(folder, to string) error {
	list, err := measuredFiles(folder)
	if err != nil {
		return err
	}
	for _, name := range list {
		src, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		err = errors.Join(writeFile(filepath.Join(to, filepath.FromSlash(name)), src),
			writeFile(filepath.Join(to+WithoutDocs, filepath.FromSlash(name)), blankDocs(name, src)))
		if err != nil {
			return err
		}
	}
	return nil
}

func writeFile(file string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o644)
}

// blankDocs puts spaces in the place of all documentation comments.
func blankDocs(name string, src []byte) []byte {
	lang := syntax.Detect(name, src)
	if lang == nil || !training[lang.Name] {
		return src
	}
	out := bytes.Clone(src)
	f, _ := chunk.Analyze(lang, src)
	for i := range f.Chunks {
		doc := f.Chunks[i].Doc
		for j := doc.Start; j < doc.End; j++ {
			if out[j] != '\n' && out[j] != '\r' {
				out[j] = ' '
			}
		}
	}
	return out
}
