package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/reason"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// A Need is a definition that answers a question: the one-based lines of a file, both ends inclusive.
type Need struct {
	Path  string `json:"path"`
	Name  string `json:"name"`
	First int    `json:"first"`
	Last  int    `json:"last"`
}

// longestNeed is how many lines of a longer definition must be in a prompt: nobody reads out more of it.
const longestNeed = 80

// A CodeQuestion is answered by certain definitions.
type CodeQuestion struct {
	ID       string `json:"id"`
	Repo     string `json:"repo"`
	Question string `json:"question"`
	Needs    []Need `json:"needs"`
}

// LoadCodeQuestions reads a file of JSON lines, and the pins that stand beside it in repos.json.
func LoadCodeQuestions(path string) ([]CodeQuestion, []Pin, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, fmt.Errorf("read questions: %w", err)
	}
	var all []CodeQuestion
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var q CodeQuestion
		if err := json.Unmarshal(line, &q); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", path, err)
		}
		if q.Question == "" || len(q.Needs) == 0 || !filepath.IsLocal(filepath.FromSlash(q.Repo)) {
			return nil, nil, fmt.Errorf("%s: question %q needs repo, question and needs", path, q.ID)
		}
		all = append(all, q)
	}
	pins, err := loadPins(filepath.Join(filepath.Dir(path), pinsName))
	return all, pins, err
}

// A Prompted is what a model was shown of what answers a question.
type Prompted struct {
	ID     string `json:"id"`
	Repo   string `json:"repo"`
	First  []bool `json:"first"` // by Needs: it stood in the first prompt
	Ever   []bool `json:"ever"`  // or in a later one
	Tokens int    `json:"tokens"`
	Calls  int    `json:"calls"`
}

// A PromptRun is what came of a set of questions.
type PromptRun struct {
	Prompted []Prompted `json:"prompted"`
	Missing  []string   `json:"missing,omitempty"` // why questions about a repository were not asked
}

// Prompts asks every question in mode direct, with a model that follows a policy instead of thinking, and looks for the
// definitions that answer it in what the model is shown.
func Prompts(ctx context.Context, questions []CodeQuestion, pins []Pin, o Options) (*PromptRun, error) {
	repos, err := filepath.Abs(o.Repos)
	if err != nil {
		return nil, fmt.Errorf("find the repositories: %w", err)
	}
	run := &PromptRun{}
	byRepo := map[string][]CodeQuestion{}
	var order []string
	for _, q := range questions {
		if byRepo[q.Repo] == nil {
			order = append(order, q.Repo)
		}
		byRepo[q.Repo] = append(byRepo[q.Repo], q)
	}
	for _, name := range order {
		dir := filepath.Join(repos, filepath.FromSlash(name))
		if why := pinOf(pins, name).check(ctx, dir); why != "" {
			run.Missing = append(run.Missing, why)
			continue
		}
		if o.Progress != nil {
			o.Progress(name, len(run.Prompted), len(questions))
		}
		prompted, err := promptFolder(ctx, dir, byRepo[name], o)
		if err != nil {
			return nil, err
		}
		run.Prompted = append(run.Prompted, prompted...)
	}
	return run, ctx.Err()
}

func promptFolder(ctx context.Context, dir string, questions []CodeQuestion, o Options) (list []Prompted, err error) {
	w, err := openWorkspace(ctx, dir, o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	for _, q := range questions {
		reader := &promptReader{question: q.Question}
		models := &reason.Models{Name: "policy", Reasoning: reader, Free: true, PII: "off"}
		if _, err := w.engine.Query(ctx, engine.QueryRequest{Query: q.Question, Mode: "direct", Caller: engine.Caller{Models: models}}, nil); err != nil {
			return nil, fmt.Errorf("question %s: %w", q.ID, err)
		}
		p, err := reader.prompted(&q, dir)
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

// prompted looks for the definitions of a question in what was read.
func (r *promptReader) prompted(q *CodeQuestion, dir string) (Prompted, error) {
	p := Prompted{ID: q.ID, Repo: q.Repo, Calls: len(r.prompts)}
	if len(r.prompts) == 0 {
		return p, fmt.Errorf("question %s: the model was not asked", q.ID)
	}
	first, last := r.prompts[0], r.prompts[len(r.prompts)-1]
	p.Tokens = llm.EstimateTokens(first)
	for _, need := range q.Needs {
		text, err := need.read(dir)
		if err != nil {
			return p, fmt.Errorf("question %s: %w", q.ID, err)
		}
		p.First = append(p.First, shows(first, text))
		p.Ever = append(p.Ever, shows(last, text))
	}
	return p, nil
}

// read returns the lines of a definition that have to be shown.
func (n *Need) read(dir string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(n.Path)))
	if err != nil {
		return "", err
	}
	lines := strings.Split(string(text), "\n")
	if n.First < 1 || n.Last < n.First || n.Last > len(lines) {
		return "", fmt.Errorf("%s has no lines %d to %d", n.Path, n.First, n.Last)
	}
	return strings.Join(lines[n.First-1:min(n.Last, n.First-1+longestNeed)], "\n"), nil
}

// shows reports whether a prompt has a text, line by line, however it is indented, and whatever stands behind its end.
func shows(prompt, text string) bool {
	return strings.Contains(unindented(prompt), unindented(text))
}

func unindented(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		if line = strings.TrimRight(strings.TrimSpace(line), ",;"); line != "" { // what parts members is not of them
			b.WriteString(line + "\n")
		}
	}
	return "\n" + b.String()
}

// A promptReader is a model that keeps what it is shown, and follows a policy: it searches for the question and asks for the
// outlines of the first files, and then for definitions whose names share a word with the question, or are called in the
// first snippets.
type promptReader struct {
	question string
	prompts  []string
}

// Of the policy.
const (
	outlined = 3
	defined  = 8
)

// Complete implements llm.Generator.
func (r *promptReader) Complete(_ context.Context, request llm.Request) (*llm.Response, error) {
	var b strings.Builder
	for _, m := range request.Messages {
		b.WriteString(m.Content + "\n")
	}
	r.prompts = append(r.prompts, b.String())
	response := &llm.Response{Text: "The sources do not show it.", Model: "policy"}
	if len(request.Tools) > 0 && len(r.prompts) == 1 {
		response.Calls = r.firstCalls()
	} else if len(request.Tools) > 0 && len(r.prompts) == 2 {
		response.Calls = r.definitions()
	}
	return response, nil
}

// Stream implements llm.Generator.
func (r *promptReader) Stream(ctx context.Context, request llm.Request, sink func(llm.Delta)) (*llm.Response, error) {
	response, err := r.Complete(ctx, request)
	if err == nil {
		sink(llm.Delta{Text: response.Text})
	}
	return response, err
}

var (
	sourceTag   = lazyregexp.New(`<aurora:source id="[^"]*" path="([^"]*)"[^>]*name="([^"]*)">`)
	calledName  = lazyregexp.New(`([A-Za-z_]\w{3,})\(`)
	outlineLine = lazyregexp.New(`(?m)^\S+:\d+ (.*)$`)
	plainWord   = lazyregexp.New(`[A-Za-z]{4,}`)
)

func call(tool string, arguments map[string]string) llm.ToolCall {
	encoded, _ := json.Marshal(arguments) // strings always encode
	return llm.ToolCall{Name: tool, Arguments: string(encoded)}
}

func (r *promptReader) firstCalls() []llm.ToolCall {
	calls := []llm.ToolCall{call(soar.ToolSearch, map[string]string{"query": r.question})}
	var paths []string
	for _, m := range sourceTag.FindAllStringSubmatch(r.prompts[0], -1) {
		if path := m[1]; path != "" && !slices.Contains(paths, path) && !strings.Contains(path, "test") && len(paths) < outlined {
			paths = append(paths, path)
			calls = append(calls, call(soar.ToolOutline, map[string]string{"path": path}))
		}
	}
	return calls
}

// definitions asks for what was named and not shown.
func (r *promptReader) definitions() []llm.ToolCall {
	shown := map[string]bool{}
	for _, m := range sourceTag.FindAllStringSubmatch(r.prompts[1], -1) {
		shown[m[2][strings.LastIndexByte(m[2], '.')+1:]] = true
	}
	var names []string
	add := func(name string) {
		if !shown[name] && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, m := range outlineLine.FindAllStringSubmatch(strings.TrimPrefix(r.prompts[1], r.prompts[0]), -1) {
		for _, name := range calledName.FindAllStringSubmatch(m[1], 1) {
			add(name[1])
		}
	}
	for _, name := range calledName.FindAllStringSubmatch(r.prompts[0], -1) {
		add(name[1])
	}
	slices.SortStableFunc(names, func(a, b string) int { return r.shared(b) - r.shared(a) })
	var calls []llm.ToolCall
	for _, name := range names[:min(defined, len(names))] {
		calls = append(calls, call(soar.ToolDefinition, map[string]string{"name": name}))
	}
	return calls
}

// shared counts the words of the question whose beginning is in a name.
func (r *promptReader) shared(name string) int {
	n := 0
	for _, word := range plainWord.FindAllString(strings.ToLower(r.question), -1) {
		if strings.Contains(strings.ToLower(name), word[:min(len(word), 5)]) {
			n++
		}
	}
	return n
}
