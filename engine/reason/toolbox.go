package reason

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/reason/claims"
	"github.com/aurora-sidecar/aurora/engine/reason/ground"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/engine/search"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/index/git"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// Of what a model looks up.
const (
	mostSearched   = 24 // the loop shows the first ones that the model has not read
	mostRecalled   = 8
	mostDefined    = 5
	mostNeighbours = 12
	mostGrepped    = 40
	mostPattern    = 200 // bytes
	mostCommits    = 10
	mostOutlined   = 200
	linesRead      = 200 // when a model does not say how far
	mostLinesRead  = 600
)

var _ soar.Toolbox = (*reasoning)(nil)

// Use implements soar.Toolbox over the workspace of the question. Files are read as the index reads them, so nothing
// outside of the workspace, ignored, or named like a secret is.
func (q *reasoning) Use(ctx context.Context, c llm.ToolCall) (soar.Finding, error) {
	var a soar.Arguments
	if err := json.Unmarshal([]byte(c.Arguments), &a); err != nil {
		return soar.Finding{Text: "The arguments are no JSON object of the tool's shape."}, nil
	}
	use := q.lookUp
	switch c.Name {
	case soar.ToolRun:
		use = q.runTests
	case soar.ToolCheck:
		return checkOnce(ctx, q), ctx.Err()
	}
	finding, err := use(ctx, c.Name, a)
	if ctx.Err() != nil {
		return finding, ctx.Err()
	}
	if err != nil {
		finding.Text = "Error: " + err.Error()
	}
	return finding, nil
}

// Contradicted implements claims.Grounds over the workspace of the question.
func (q *reasoning) Contradicted(ctx context.Context, s claims.Statements) ([]string, error) {
	q.placing.Lock()
	defer q.placing.Unlock()
	return ground.Checker{Library: q.library}.Contradicted(ctx, s)
}

func (q *reasoning) lookUp(ctx context.Context, tool string, a soar.Arguments) (soar.Finding, error) {
	q.placing.Lock()
	defer q.placing.Unlock()
	switch tool {
	case soar.ToolSearch:
		return q.searched(ctx, search.Request{Query: a.Query, Limit: mostSearched, Unjudged: true})
	case soar.ToolRecall:
		return q.searched(ctx, search.Request{Query: a.Query, Limit: mostRecalled, Scope: search.Scope{Types: []string{"knowledge", "reasoning"}}})
	case soar.ToolDefinition:
		list, err := q.newBundle(0).subjects(ctx, a.Name)
		return q.finding(list[:min(mostDefined, len(list))]), err
	case soar.ToolRead:
		return q.readLines(a)
	case soar.ToolOutline:
		return q.outline(ctx, a.Path)
	case soar.ToolCallers:
		return q.neighbours(ctx, a.Name, evidence.ToCallers)
	case soar.ToolCallees:
		return q.neighbours(ctx, a.Name, evidence.ToCallees)
	case soar.ToolGrep:
		return q.grep(ctx, a.Pattern)
	case soar.ToolGitLog:
		return q.gitLog(ctx, a.Path)
	case soar.ToolBlame:
		return q.blame(ctx, a.Name)
	case soar.ToolEdit:
		return propose(ctx, q, a)
	case soar.ToolMove:
		return proposeMove(ctx, q, a)
	}
	return soar.Finding{}, fmt.Errorf("there is no tool %q", tool)
}

func (q *reasoning) finding(list []evidence.Citation) soar.Finding {
	var f soar.Finding
	for _, p := range list {
		f.Sources = append(f.Sources, q.sourceOf(p))
	}
	return f
}

// searched leaves earlier answers out: they are no sources.
func (q *reasoning) searched(ctx context.Context, r search.Request) (soar.Finding, error) {
	found, _, err := q.library.Find(ctx, r)
	return q.finding(q.withoutAnswers(found)), err
}

// one is the definition that a name means.
func (q *reasoning) one(ctx context.Context, name string) (evidence.Citation, error) {
	list, err := q.newBundle(0).subjects(ctx, name)
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("nothing is called %s", name)
		if near := q.library.Near(name, 3); len(near) > 0 {
			err = fmt.Errorf("%w; there is %s", err, strings.Join(near, ", "))
		}
	}
	if err != nil {
		return evidence.Citation{}, err
	}
	return list[0], nil
}

func (q *reasoning) neighbours(ctx context.Context, name string, to evidence.Direction) (soar.Finding, error) {
	p, err := q.one(ctx, name)
	if err != nil {
		return soar.Finding{}, err
	}
	links, total, err := q.library.Neighbours(ctx, p, to, mostNeighbours)
	var f soar.Finding
	for _, l := range links {
		f.Sources = append(f.Sources, q.sourceOf(l.Citation))
	}
	f.Text = fmt.Sprintf("%s of %s in %s: %d, of which %d are shown.", to, p.Name, p.Place(), total, len(links))
	return f, err
}

func (q *reasoning) outline(ctx context.Context, path string) (soar.Finding, error) {
	at, ok := q.library.Locate(path)
	if !ok || at == "" {
		return soar.Finding{}, fmt.Errorf("no file %s is indexed", path)
	}
	list, total, _, err := q.library.List(ctx, evidence.Filter{Path: at}, mostOutlined)
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d definitions\n", at, total)
	for _, p := range list {
		signature := p.Signature
		if signature == "" {
			signature = p.Name
		}
		fmt.Fprintf(&b, "%s %s\n", p.Place(), signature)
	}
	return soar.Finding{Text: b.String()}, err
}

// readLines makes a source of lines of a file.
func (q *reasoning) readLines(a soar.Arguments) (soar.Finding, error) {
	abs, path, src, err := q.fileText(a.Path)
	if err != nil {
		return soar.Finding{}, err
	}
	lines := text.NewLines(src)
	first := max(1, a.First)
	last := a.Last
	if last < first {
		last = first + linesRead - 1
	}
	last = min(last, first+mostLinesRead-1, lines.Count())
	if first > last {
		return soar.Finding{}, fmt.Errorf("%s has %d lines", path, lines.Count())
	}
	start, end := lines.Start(first-1), lines.End(last-1)
	h := snippet.Hit{
		ID: fmt.Sprintf("lines:%s:%d-%d", path, first, last), Type: "code", Source: "disk",
		Symbol:   snippet.Symbol{Name: fmt.Sprintf("%s:%d", filepath.Base(path), first)},
		Location: snippet.Location{Path: path, Abs: abs},
		Content:  snippet.Content{Text: strings.ToValidUTF8(string(src[start:end]), "\uFFFD")},
	}
	h.Range = &text.Range{Start: lines.Position(start), End: lines.Position(end)}
	return q.finding([]evidence.Citation{q.library.Cite(h)}), nil
}

// fileText reads a file of the workspace by its path, or the end of it.
func (q *reasoning) fileText(path string) (abs, relative string, src []byte, err error) {
	if at, ok := q.library.Locate(path); ok && at != "" {
		path = at
	}
	if !filepath.IsLocal(filepath.FromSlash(path)) {
		return "", "", nil, fmt.Errorf("%s is not in the workspace", path)
	}
	for _, folder := range q.reasoner.opts.Facts.Index.Folders() {
		abs = filepath.Join(folder, filepath.FromSlash(path))
		if src, err = q.reasoner.opts.Facts.Index.Text(abs); err == nil {
			return abs, path, src, nil
		}
	}
	return "", "", nil, fmt.Errorf("%s can't be read: it is not there, is left out, or lies outside of the workspace", path)
}

// patternWord matches what an index can be asked for in a regular expression.
var patternWord = lazyregexp.New(`[A-Za-z_][A-Za-z0-9_]{2,}`)

func (q *reasoning) grep(ctx context.Context, pattern string) (soar.Finding, error) {
	if len(pattern) > mostPattern {
		return soar.Finding{}, fmt.Errorf("the pattern has %d bytes, more than %d", len(pattern), mostPattern)
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return soar.Finding{}, err
	}
	words := patternWord.FindAllString(pattern, -1)
	if len(words) == 0 {
		return soar.Finding{}, errors.New("the pattern needs a word of three letters, by which lines are found")
	}
	lines, err := q.library.Lines(ctx, strings.Join(words, " "), re.MatchString)
	var b strings.Builder
	for _, l := range lines[:min(mostGrepped, len(lines))] {
		fmt.Fprintf(&b, "%s: %s\n", l.At(), strings.TrimSpace(l.Text))
	}
	if len(lines) > mostGrepped {
		fmt.Fprintf(&b, "and %d more lines\n", len(lines)-mostGrepped)
	}
	return soar.Finding{Text: b.String()}, err
}

func (q *reasoning) gitLog(ctx context.Context, path string) (soar.Finding, error) {
	at, ok := q.library.Locate(path)
	if !ok {
		return soar.Finding{}, fmt.Errorf("no file or folder %s is indexed", path)
	}
	commits, err := q.library.Past().Commits(ctx, git.LogOptions{Path: at, Limit: mostCommits})
	var b strings.Builder
	for _, c := range commits {
		fmt.Fprintf(&b, "%.8s %s %s: %s\n", c.Hash, c.Time.Format("2006-01-02"), c.Author, c.Subject)
	}
	return soar.Finding{Text: b.String()}, err
}

func (q *reasoning) blame(ctx context.Context, name string) (soar.Finding, error) {
	p, err := q.one(ctx, name)
	if err != nil {
		return soar.Finding{}, err
	}
	origins, err := q.library.Past().Origins(ctx, p)
	var b strings.Builder
	for _, o := range origins {
		fmt.Fprintf(&b, "%.8s %s %s, %d lines: %s\n", o.Commit, o.Time.Format("2006-01-02"), o.Author, o.Lines, o.Subject)
	}
	return soar.Finding{Text: b.String()}, err
}
