package answer

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/index/git"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// maxHistory is how many commits are counted.
const maxHistory = 2000

// A contributor is an author with what he did.
type contributor struct {
	name   string
	amount int // commits or lines
	last   time.Time
	commit string // the hash of the last
}

// wholeProject matches subjects that are all there is.
var wholeProject = lazyregexp.New(`(?i)^(?:all\s+of\s+)?(?:this|the|our|my)?\s*(?:whole\s+|entire\s+)?(?:project|repository|repo|code\s*base|workspace|code)$`)

// experts answers "who knows X": by the commits of a file or folder, by the lines of a definition.
type experts struct{ *asked }

func (w experts) answer(ctx context.Context) (*Answer, error) {
	path, isPlace := w.place()
	own := func(name string) bool { return strings.EqualFold(name, w.q.Subject) }
	if !isPlace && (wholeProject.MatchString(w.q.Subject) || slices.ContainsFunc(overview(w).names(), own)) {
		path, isPlace = "", true
	}
	if !isPlace {
		found, err := w.subject(ctx)
		if err != nil {
			return nil, err
		}
		if len(found) > 0 {
			shown, _ := best(found)
			return w.ofLines(ctx, shown[0])
		}
		if path, isPlace = w.described(w.q.Subject); !isPlace {
			return w.unknown(ctx, "a file, folder or name")
		}
	}
	commits, err := w.Library.Past().Commits(ctx, git.LogOptions{Path: path, Limit: maxHistory})
	if err != nil {
		return w.withoutGit(ctx, err)
	}
	what := "the workspace"
	if path != "" {
		what = code(path)
	}
	d := &builder{}
	if len(commits) == 0 {
		return w.abstain("commits of " + what), nil
	}
	list := contributors(commits)
	at := ""
	if p, ok := w.Library.File(ctx, path); ok {
		at = " " + d.cite(p)
	}
	first := list[0]
	d.say("%s knows %s%s best by its history: %d of %s, the last %s.", first.name, what, at, first.amount,
		wording.Count(len(commits), "commit", "commits"), w.ago(first.last))
	rows := w.contributorLines(list, len(commits), "commit", "commits")
	d.list(rows)
	latest := commits[0]
	d.say("The latest commit is %s by %s %s (commit %s).", quote(latest.Subject), latest.Author, w.ago(latest.Time), short(latest.Hash))
	if len(commits) == maxHistory {
		d.say("Only the newest %d commits are counted.", maxHistory)
	}
	return d.answer(w.q.Intent, 0.8), nil
}

// described finds the file or folder that words describe by its name.
func (w experts) described(subject string) (string, bool) {
	for _, form := range append([]string{subject}, spellings(strings.Fields(subject))...) {
		if path, ok := w.Library.Locate(form); ok && path != "" {
			return path, true
		}
	}
	return "", false
}

func (w experts) ofLines(ctx context.Context, p evidence.Citation) (*Answer, error) {
	origins, err := w.Library.Past().Origins(ctx, p)
	if err != nil {
		return w.withoutGit(ctx, err)
	}
	d := &builder{}
	if len(origins) == 0 {
		d.say("The lines of %s in %s are in no commit yet %s.", code(p.Name), p.Place(), d.cite(p))
		return d.answer(w.q.Intent, 0.6), nil
	}
	list, total := authorsOf(origins)
	first := list[0]
	d.say("%s knows %s in %s %s best: %d of its %s, the last change %s.", first.name, code(p.Name), p.Place(), d.cite(p),
		first.amount, wording.Count(total, "line", "lines"), w.ago(first.last))
	d.list(w.contributorLines(list, total, "line", "lines"))
	return d.answer(w.q.Intent, 0.8), nil
}

// contributorLines lists the most active authors; what speaks for them is their latest commit.
func (w *Writer) contributorLines(list []contributor, total int, one, many string) []string {
	const shown = 5
	var rows []string
	for _, c := range list[:min(shown, len(list))] {
		rows = append(rows, fmt.Sprintf("%s: %s (%.0f %%), the last %s (commit %s)", c.name, wording.Count(c.amount, one, many),
			100*float64(c.amount)/float64(total), w.ago(c.last), short(c.commit)))
	}
	return withRest(rows, len(list))
}

// contributors counts commits by author, the most first.
func contributors(commits []git.Commit) []contributor {
	var list []contributor
	for _, c := range commits {
		list = add(list, c.Author, 1, c.Time, c.Hash)
	}
	return list
}

// authorsOf counts lines by author, the most first.
func authorsOf(origins []git.LineOrigin) (list []contributor, total int) {
	for _, o := range origins {
		list = add(list, o.Author, o.Lines, o.Time, o.Commit)
		total += o.Lines
	}
	return list, total
}

// add keeps the list in order: the most first, then the latest.
func add(list []contributor, name string, n int, at time.Time, commit string) []contributor {
	i := slices.IndexFunc(list, func(c contributor) bool { return c.name == name })
	if i < 0 {
		list = append(list, contributor{name: name})
		i = len(list) - 1
	}
	list[i].amount += n
	if at.After(list[i].last) {
		list[i].last, list[i].commit = at, commit
	}
	slices.SortStableFunc(list, func(a, b contributor) int {
		return cmp.Or(cmp.Compare(b.amount, a.amount), b.last.Compare(a.last), strings.Compare(a.name, b.name))
	})
	return list
}
