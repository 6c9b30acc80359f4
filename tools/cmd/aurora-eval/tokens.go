package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/text"
	"github.com/aurora-sidecar/aurora/mcp"
	"github.com/spf13/cobra"
)

func (p *program) tokensCommand() *cobra.Command {
	var tasks string
	cmd := &cobra.Command{
		Use:   "tokens --tasks <file>",
		Short: "Compare the tokens of reading with AURORA and with grep",
		Long: `Compare, for tasks over this project, what an agent reads until it has read all that a task needs. With AURORA it
asks for context, again and again in one conversation, which never says the same twice; or it searches and reads the
lines of the hits, or 100 lines around them, the best first. Without, it greps for the words of the task and reads 100
lines around each match in the files that match best, or these files whole. All stop at the right moment, which no agent
could know. Tokens are counted, not estimated. The file of tasks is a JSON list of {"task": "a sentence", "needs":
["path:Name", ...]}; what a task needs are definitions that have to be read to do it.`,
		Example: "  aurora-eval tokens --tasks testdata/bench/context.json",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return p.benchContext(cmd.Context(), tasks) },
	}
	cmd.Flags().StringVar(&tasks, "tasks", "", "file of tasks")
	return cmd
}

// A bench is what is asked.
type bench struct {
	index  *index.Index
	engine *engine.Engine
}

const (
	benchHits = 100 // that a search lists, at most
	benchAsks = 10  // for context, at most
)

// A benchTask is something to do, and the definitions that have to be read for it.
type benchTask struct {
	Task  string   `json:"task"`
	Needs []string `json:"needs"` // path:Name
}

// A benchRow is what one task cost, in tokens, until everything that it needs was read.
type benchRow struct {
	Task   string    `json:"task"`
	Once   int       `json:"contextTokens"` // of the first context call alone
	Recall float64   `json:"contextRecall"` // 0..1, of that call
	With   benchCost `json:"context"`       // with the calls after it
	Hits   benchCost `json:"search"`        // the lines of each hit
	Around benchCost `json:"searchAround"`  // 100 lines around each hit
	Grep   benchCost `json:"grep"`          // 100 lines around each match
	Files  benchCost `json:"grepFiles"`     // the files that match, whole
}

// A benchCost is a number of tokens. Short tells that they did not suffice and nothing more was to be read.
type benchCost struct {
	Tokens int  `json:"tokens"`
	Short  bool `json:"short,omitempty"`
}

func (b benchCost) String() string {
	if b.Short {
		return fmt.Sprintf(">%d", b.Tokens)
	}
	return fmt.Sprint(b.Tokens)
}

func (p *program) benchContext(ctx context.Context, file string) error {
	if file == "" {
		return usage("tokens needs --tasks, such as: --tasks testdata/bench/context.json")
	}
	tasks, err := readTasks(file)
	if err != nil {
		return err
	}
	o, err := p.openProject(ctx)
	if err != nil {
		return err
	}
	defer o.index.Shutdown()
	s := &bench{o.index, engine.New(o.engineOptions())}
	defer s.engine.Close()
	corpus, err := newCorpus(ctx, s.index)
	if err != nil {
		return err
	}
	var rows []benchRow
	for _, task := range tasks {
		needs, err := neededChunks(s.index.Snapshot(), task)
		if err != nil {
			return err
		}
		row, err := s.benchTask(ctx, task.Task, corpus, needs)
		if err != nil {
			return err
		}
		rows = append(rows, row)
	}
	return p.printBench(rows)
}

func (s *bench) benchTask(ctx context.Context, task string, corpus *corpus, needs []index.Ref) (benchRow, error) {
	row := benchRow{Task: task}
	found, err := s.engine.Search(ctx, engine.SearchRequest{Query: task, Limit: benchHits})
	if err != nil {
		return row, err
	}
	if err := s.benchAsking(ctx, &row, newReader(corpus, needs, thoseLines)); err != nil {
		return row, err
	}
	for cost, how := range map[*benchCost]reading{&row.Hits: thoseLines, &row.Around: window} {
		searched := newReader(corpus, needs, how)
		searched.list(found.Hits)
		*cost = searched.cost()
	}
	for cost, how := range map[*benchCost]reading{&row.Grep: window, &row.Files: wholeFile} {
		steps, tokens := corpus.grep(task)
		grepped := newReader(corpus, needs, how)
		grepped.tokens = tokens
		grepped.follow(steps)
		*cost = grepped.cost()
	}
	return row, ctx.Err()
}

// benchAsking asks for context until the reader has all or nothing new comes.
func (s *bench) benchAsking(ctx context.Context, row *benchRow, r *reader) error {
	for n := range benchAsks {
		got, err := s.engine.Context(ctx, engine.ContextRequest{Query: row.Task, Conversation: "bench " + row.Task})
		if err != nil {
			return err
		}
		r.show(got.Text, got.Tokens.Total)
		if n == 0 {
			row.Once, row.Recall = r.tokens, float64(len(r.seen))/float64(len(r.needs))
		}
		if r.done() || len(got.Snippets) == 0 {
			break
		}
	}
	row.With = r.cost()
	return nil
}

// list looks at ten hits at a time, as search lists them, and reads around each.
func (r *reader) list(hits []engine.Hit) {
	const page = 10
	for len(hits) > 0 && !r.done() {
		n := min(page, len(hits))
		r.tokens += r.corpus.count(mcp.List(api.FullHits(hits[:n], text.UTF16)))
		r.follow(r.corpus.steps(hits[:n]))
		hits = hits[n:]
	}
}

func readTasks(file string) ([]benchTask, error) {
	data, err := os.ReadFile(file)
	var tasks []benchTask
	if err == nil {
		err = json.Unmarshal(data, &tasks)
	}
	if err != nil {
		return nil, hint(fmt.Errorf("read the tasks: %w", err), `It must be a JSON list of {"task": "a sentence", "needs": ["path:Name"]}.`)
	}
	if len(tasks) == 0 {
		return nil, hint(fmt.Errorf("%s holds no task", file), "Write down what you do often.")
	}
	return tasks, nil
}

// neededChunks finds the definitions of a task.
func neededChunks(snap *index.Snapshot, task benchTask) ([]index.Ref, error) {
	var refs []index.Ref
	for _, need := range task.Needs {
		ref, ok := snap.ByID("code:" + need)
		if !ok {
			return nil, hint(fmt.Errorf("task %q: there is no %s", task.Task, need), "Correct the file of tasks.")
		}
		refs = append(refs, ref)
	}
	if len(refs) == 0 {
		return nil, hint(fmt.Errorf("task %q needs nothing", task.Task), "Correct the file of tasks.")
	}
	return refs, nil
}

func (p *program) printBench(rows []benchRow) error {
	sum := benchRow{Task: "sum, mean recall"}
	for _, r := range rows {
		sum.Recall += r.Recall / float64(len(rows))
		sum.Once += r.Once
		sum.With.add(r.With)
		sum.Hits.add(r.Hits)
		sum.Around.add(r.Around)
		sum.Grep.add(r.Grep)
		sum.Files.add(r.Files)
	}
	if p.json {
		return p.printJSON(map[string]any{"tasks": rows, "sum": sum})
	}
	t := table{{"Task", "Context alone", "Recall", "Context", "Search", "Search, around", "Grep", "Grep, files"}}
	for _, r := range append(rows, sum) {
		t.add(r.Task, fmt.Sprint(r.Once), fmt.Sprintf("%.2f", r.Recall), r.With.String(), r.Hits.String(), r.Around.String(), r.Grep.String(), r.Files.String())
	}
	p.printTable(t)
	grep := func(r benchRow) benchCost { return r.Grep }
	for _, way := range []struct {
		name string
		of   func(benchRow) benchCost
	}{
		{"searching and reading around the hits", func(r benchRow) benchCost { return r.Around }},
		{"searching and reading the hits alone", func(r benchRow) benchCost { return r.Hits }},
		{"asking for context until all is there", func(r benchRow) benchCost { return r.With }},
	} {
		cheaper := 0
		for _, r := range rows {
			if !way.of(r).Short && way.of(r).Tokens < grep(r).Tokens {
				cheaper++
			}
		}
		fmt.Fprintf(p.out, "%s costs less than grep in %d of %d tasks; the median takes %d tokens instead of %d, all together %.0f%%\n",
			way.name, cheaper, len(rows), median(rows, way.of), median(rows, grep), share(way.of(sum), grep(sum)))
	}
	return nil
}

// median is the cost of the task in the middle.
func median(rows []benchRow, of func(benchRow) benchCost) int {
	var tokens []int
	for _, r := range rows {
		tokens = append(tokens, of(r).Tokens)
	}
	slices.Sort(tokens)
	return tokens[len(tokens)/2]
}

func (b *benchCost) add(other benchCost) {
	b.Tokens += other.Tokens
	b.Short = b.Short || other.Short
}

// share is a in percent of b.
func share(a, b benchCost) float64 { return 100 * float64(a.Tokens) / float64(max(1, b.Tokens)) }
