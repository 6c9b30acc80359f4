package eval

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/embed"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/sqlite"
)

// A RecallQuestion asks for what a commit decided, in other words than its message has.
type RecallQuestion struct {
	Repo   string // folder of the repository
	Commit string // hash, or how it begins
	Text   string
}

// ReadRecallQuestions reads lines of repository, commit and question, separated by tabs.
func ReadRecallQuestions(r io.Reader) ([]RecallQuestion, error) {
	var list []RecallQuestion
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		fields := strings.SplitN(lines.Text(), "\t", 3)
		if len(fields) != 3 {
			return nil, fmt.Errorf("line %d has no repository, commit and question", len(list)+1)
		}
		list = append(list, RecallQuestion{fields[0], fields[1], fields[2]})
	}
	return list, lines.Err()
}

// RecallOptions say what is recalled.
type RecallOptions struct {
	Repos     string // folder of the repositories
	Names     []string
	PerRepo   int // most records of each
	Questions []RecallQuestion
	Vectors   string // file that keeps the vectors of records for the next time; "" for none
}

// A RecallReport says how near the top the record came that a question is about, as shares of the questions.
type RecallReport struct {
	Records   int     `json:"records"`
	Questions int     `json:"questions"`
	First     float64 `json:"hit1"`
	Three     float64 `json:"hit3"`
	Ten       float64 `json:"hit10"`
	Withheld  float64 `json:"withheld"` // what a plain search shows nothing for
	Intruded  float64 `json:"intruded"` // questions about other repositories for which one repository's memory offers a record for a prompt
	P95Ms     float64 `json:"p95Ms"`
}

// RunRecall measures recall over the decisions of all repositories together, and of each by itself.
func RunRecall(ctx context.Context, o RecallOptions) (together, alone *RecallReport, err error) {
	decisions := map[string][]decision{}
	for _, name := range o.Names {
		if decisions[name], err = readDecisions(ctx, filepath.Join(o.Repos, name), o.PerRepo); err != nil {
			return nil, nil, err
		}
	}
	kept, err := openKeptVectors(o.Vectors)
	if err != nil {
		return nil, nil, err
	}
	together, alone = &RecallReport{}, &RecallReport{}
	if err := together.measure(ctx, kept, decisions, o.Questions); err != nil {
		return nil, nil, err
	}
	for _, name := range o.Names {
		if err := alone.measure(ctx, kept, map[string][]decision{name: decisions[name]}, o.Questions); err != nil {
			return nil, nil, err
		}
	}
	if err := kept.save(); err != nil {
		return nil, nil, err
	}
	together.finish()
	together.Intruded = 0 // it has the records of all
	alone.finish()
	alone.Intruded /= max(1, float64(len(o.Names)-1)*float64(len(o.Questions)))
	return together, alone, nil
}

// finish turns counts into shares.
func (r *RecallReport) finish() {
	for _, count := range []*float64{&r.First, &r.Three, &r.Ten, &r.Withheld} {
		*count /= max(1, float64(r.Questions))
	}
}

// A decision is the message of a commit.
type decision struct{ commit, text string }

const (
	leastDecision = 150 // bytes of a body that says why
	mostDecision  = 1500
)

// trailers are lines of a message that say nothing of the decision.
var trailers = regexp.MustCompile(`^\s*(([A-Z][\w-]+-[Bb]y|Fixes|Closes|Refs?|PR-URL|Reviewed|See|PR)\b.*|#\d+.*)$`)

// readDecisions reads the latest messages of a repository whose body says why.
func readDecisions(ctx context.Context, dir string, limit int) ([]decision, error) {
	out, err := exec.CommandContext(ctx, "git", "-C", dir, "log", "--no-merges", "--format=%H%x00%s%x00%b%x01").Output()
	if err != nil {
		return nil, fmt.Errorf("read the history of %s: %w", dir, err)
	}
	var list []decision
	for entry := range strings.SplitSeq(string(out), "\x01") {
		fields := strings.Split(strings.TrimLeft(entry, "\n"), "\x00")
		if len(fields) != 3 || len(list) == limit {
			continue
		}
		lines := slices.DeleteFunc(strings.Split(fields[2], "\n"), trailers.MatchString)
		body := strings.TrimSpace(strings.Join(lines, "\n"))
		if leastDecision <= len(body) && len(body) <= mostDecision {
			list = append(list, decision{fields[0], fields[1] + "\n\n" + body})
		}
	}
	return list, nil
}

// A recaller is an engine over nothing but memory.
type recaller struct {
	engine *engine.Engine
	store  *sqlite.Store
	close  []func() error
}

func openRecaller(ctx context.Context) (*recaller, error) {
	dir, err := os.MkdirTemp("", "aurora-recall")
	if err != nil {
		return nil, err
	}
	r := &recaller{close: []func() error{func() error { return os.RemoveAll(dir) }}}
	model, err := embed.Default()
	if err != nil {
		return nil, errors.Join(err, r.end())
	}
	store, err := sqlite.Open(ctx, filepath.Join(dir, "memory.db"), sqlite.Options{})
	if err != nil {
		return nil, errors.Join(err, r.end())
	}
	r.store, r.close = store, append(r.close, store.Close)
	project := filepath.Join(dir, "project")
	if err := os.Mkdir(project, 0o700); err != nil {
		return nil, errors.Join(err, r.end())
	}
	ix, err := index.Open(ctx, index.Options{Folders: []string{project}, NoWatch: true, Embedder: model})
	if err != nil {
		return nil, errors.Join(err, r.end())
	}
	r.engine = engine.New(engine.Options{Index: ix, Memory: store})
	r.close = append(r.close, ix.Shutdown, r.engine.Close)
	return r, ix.WaitReady(ctx)
}

// end closes what was opened, the last first.
func (r *recaller) end() error {
	var errs []error
	for _, f := range slices.Backward(r.close) {
		errs = append(errs, f())
	}
	return errors.Join(errs...)
}

// measure adds what one memory with these decisions answers.
func (r *RecallReport) measure(ctx context.Context, kept *keptVectors, decisions map[string][]decision, questions []RecallQuestion) (err error) {
	from, err := openRecaller(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.end()) }()
	ids := map[string]string{}
	for name, list := range decisions {
		for _, d := range list {
			id, _, err := from.engine.Memory().Remember(ctx, engine.RememberRequest{Content: d.text})
			if err != nil {
				return err
			}
			ids[name+d.commit] = id
			r.Records++
		}
	}
	if err := kept.fill(ctx, from); err != nil {
		return err
	}
	var took []time.Duration
	for _, q := range questions {
		start := time.Now()
		if err := r.ask(ctx, from.engine, q, wanted(ids, q)); err != nil {
			return err
		}
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	if len(took) > 0 {
		r.P95Ms = max(r.P95Ms, float64(took[len(took)*95/100].Microseconds())/1000/2) // each was asked twice
	}
	return nil
}

// wanted is the id of the record that a question is about, "" when this memory has none.
func wanted(ids map[string]string, q RecallQuestion) string {
	for key, id := range ids {
		if strings.HasPrefix(key, q.Repo+q.Commit) {
			return id
		}
	}
	return ""
}

// promptRecords is how many records a prompt takes at most.
const promptRecords = 5

// ask asks as those do who recall, and as those who search.
func (r *RecallReport) ask(ctx context.Context, from *engine.Engine, q RecallQuestion, want string) error {
	request := engine.SearchRequest{Query: q.Text, Scope: engine.Scope{Types: []string{string(memory.Knowledge), string(memory.Reasoning)}}}
	plain, err := from.Search(ctx, request)
	if err != nil {
		return err
	}
	if want == "" {
		shown := plain.Hits[:min(promptRecords, len(plain.Hits))]
		if slices.ContainsFunc(shown, func(h engine.Hit) bool { return !h.Weak }) {
			r.Intruded++
		}
		return nil
	}
	request.AtLeast = 3
	recalled, err := from.Search(ctx, request)
	if err != nil {
		return err
	}
	r.Questions++
	if len(plain.Hits) == 0 {
		r.Withheld++
	}
	at := slices.IndexFunc(recalled.Hits, func(h engine.Hit) bool { return h.ID == want })
	for count, depth := range map[*float64]int{&r.First: 1, &r.Three: 3, &r.Ten: 10} {
		if 0 <= at && at < depth {
			*count++
		}
	}
	return nil
}
