package answer

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/answer/question"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/index/git"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

const maxCommits = 10

// changes answers "what changed", in all of the workspace, in a file or folder, or in a definition, since a time, a tag
// or a commit.
type changes struct {
	*asked
	span git.LogOptions // of the commits that are asked for
}

func newChanges(a *asked) *changes {
	w := &changes{a, git.LogOptions{Since: a.q.Since, Limit: maxHistory}}
	if a.q.When == "" && a.q.From == "" {
		w.span.Limit = maxCommits // all there ever was is no news
	}
	return w
}

func (w *changes) answer(ctx context.Context) (*Answer, error) {
	if a, err := w.between(ctx); a != nil || err != nil {
		return a, err
	}
	if w.q.Subject != "" || w.q.Here {
		path, ok := w.Library.Locate(w.q.Subject)
		if w.q.Here || !ok {
			if a, err := w.release(ctx); a != nil || err != nil {
				return a, err
			}
			if a, err := w.fromLog(ctx); a != nil || err != nil {
				return a, err
			}
			return w.ofDefinition(ctx)
		}
		w.span.Path = path
	}
	d := &builder{}
	n, err := w.list(ctx, d)
	if err != nil {
		return w.withoutGit(ctx, err)
	}
	if n == 0 {
		d.say("Git knows no change%s%s%s.", inPath(w.span.Path), since(w.q), idle(w.q))
		if err := w.before(ctx, d); err != nil {
			return w.withoutGit(ctx, err)
		}
	}
	return d.answer(w.q.Intent, 0.8), nil
}

// before tells of the latest changes before a time since which there is none.
func (w *changes) before(ctx context.Context, d *builder) error {
	const most = 3
	if w.q.When == "" || w.q.From != "" {
		return nil
	}
	commits, err := w.Library.Past().Commits(ctx, git.LogOptions{Path: w.span.Path, Limit: most})
	if err != nil || len(commits) == 0 {
		return err
	}
	d.say("The latest before that:")
	var lines []string
	for _, c := range commits {
		lines = append(lines, w.commitLine(ctx, d, c))
	}
	d.list(lines)
	return nil
}

// release answers "what is new in v1.2" when the subject is a tag: what came between it and the tag before. It returns
// nil when the subject is none.
func (w *changes) release(ctx context.Context) (*Answer, error) {
	if w.q.Here || !question.IsName(w.q.Subject) || w.q.From != "" || w.q.When != "" {
		return nil, nil
	}
	for _, form := range []string{"%s", "v%s", "%s.0", "v%s.0"} {
		name := fmt.Sprintf(form, w.q.Subject)
		if r, _, ok, err := w.Library.Past().Revision(ctx, name); err == nil && ok && r.Before != "" {
			return newChanges(w.with(question.Question{Text: w.q.Text, Intent: w.q.Intent, From: r.Before, To: name})).answer(ctx)
		}
	}
	return nil, ctx.Err() // without git the question is answered as one about a name
}

// versionForm is the number of a version.
var versionForm = lazyregexp.New(`\bv?(\d+(?:\.\d+)+[\w.+-]*)`)

// fromLog answers with what a log of changes says of the version that the subject names, nil when none does.
func (w *changes) fromLog(ctx context.Context) (*Answer, error) {
	m := versionForm.FindStringSubmatch(w.q.Subject)
	if m == nil || w.q.Here {
		return nil, ctx.Err()
	}
	for _, f := range evidence.ChangeLogs(w.Library) {
		for _, s := range evidence.Sections(w.Library, f) {
			if title := versionForm.FindStringSubmatch(s.Title); title == nil || title[1] != m[1] || s.Text == "" {
				continue
			}
			d := &builder{}
			if !(facts{w.asked}).showSection(ctx, d, s) {
				return nil, ctx.Err()
			}
			return d.answer(w.q.Intent, 0.85), nil
		}
	}
	return nil, ctx.Err()
}

func idle(q question.Question) string {
	if q.When != "" || q.From != "" {
		return ""
	}
	return ": the work tree is clean and there is no commit"
}

// between finds the commits that a question names. It answers when there is none of a name.
func (w *changes) between(ctx context.Context) (*Answer, error) {
	for _, end := range []struct {
		name *string
		hash *string
	}{{&w.q.From, &w.span.From}, {&w.q.To, &w.span.To}} {
		if *end.name == "" {
			continue
		}
		r, newest, ok, err := w.Library.Past().Revision(ctx, *end.name)
		if err != nil {
			return w.withoutGit(ctx, err)
		}
		if !ok {
			d := &builder{}
			d.say("I can't tell: git knows no tag, branch or commit %s, and it is no time that I understand.", code(*end.name))
			if len(newest) > 0 {
				d.say("The newest tags are %s.", and(codes(newest)))
			}
			return d.abstain(w.q.Intent), nil
		}
		*end.hash = r.Commit
		*end.name = fmt.Sprintf("%s (%s)", code(r.Name), r.Time.Format("2006-01-02"))
	}
	return nil, nil
}

// ofDefinition answers for a name: the age of its lines, then the commits of its file.
func (w *changes) ofDefinition(ctx context.Context) (*Answer, error) {
	found, err := w.subject(ctx)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 && w.q.Subject != "" {
		return w.ofTopic(ctx)
	}
	if len(found) == 0 {
		return w.abstain("a file, folder or name here"), nil
	}
	shown, _ := best(found)
	p := shown[0]
	d := &builder{}
	if err := w.age(ctx, d, p); err != nil {
		return w.withoutGit(ctx, err)
	}
	w.span.Path = p.Path
	n, err := w.list(ctx, d)
	if err != nil {
		return w.withoutGit(ctx, err)
	}
	if n == 0 {
		d.say("Nothing changed in %s%s %s.", p.Path, since(w.q), d.cite(p))
	}
	return d.answer(w.q.Intent, 0.8), nil
}

// ofTopic answers for words that name nothing: the commits whose messages have all of them, else the latest commits of the files whose
// text has.
func (w *changes) ofTopic(ctx context.Context) (*Answer, error) {
	for _, list := range []func(context.Context, *builder) (bool, error){w.byMessage, w.byText} {
		d := &builder{}
		switch listed, err := list(ctx, d); {
		case err != nil:
			return w.withoutGit(ctx, err)
		case listed:
			return d.answer(w.q.Intent, 0.5), nil
		}
	}
	return w.abstain("a file, folder or name " + code(w.q.Subject)), nil
}

// byMessage lists the commits whose messages have the subject's words.
func (w *changes) byMessage(ctx context.Context, d *builder) (listed bool, err error) {
	span := w.span
	span.Limit, span.Words = maxCommits, strings.Fields(w.q.Subject)
	commits, err := w.Library.Past().Commits(ctx, span)
	if err != nil || len(commits) == 0 {
		return false, err
	}
	d.say("Nothing is named %s. The latest commits%s whose messages have it:", code(w.q.Subject), since(w.q))
	var lines []string
	for _, c := range commits {
		lines = append(lines, w.commitLine(ctx, d, c))
	}
	d.list(lines)
	return true, nil
}

// byText lists the files whose text has the subject's words, with their latest commits.
func (w *changes) byText(ctx context.Context, d *builder) (listed bool, err error) {
	const files, commitsEach = 3, 3
	found, _, err := w.Library.Search(ctx, w.q.Subject, maxCitations)
	if err != nil {
		return false, err
	}
	seen := map[string]bool{}
	for _, p := range found {
		if p.Path == "" || p.Test || seen[p.Path] || len(seen) == files || !hasWords(p, w.q.Subject) {
			continue
		}
		w.span.Path, w.span.Limit = p.Path, commitsEach
		commits, err := w.Library.Past().Commits(ctx, w.span)
		if err != nil {
			return false, err
		}
		if len(commits) == 0 {
			continue
		}
		if len(seen) == 0 {
			d.say("Nothing is named %s. Files whose text has it, with their latest commits%s:", code(w.q.Subject), since(w.q))
		}
		seen[p.Path] = true
		d.say("%s:", code(p.Path)+" "+d.cite(p))
		var lines []string
		for _, c := range commits {
			lines = append(lines, w.commitLine(ctx, d, c))
		}
		d.list(lines)
	}
	return len(seen) > 0, nil
}

// hasWords reports whether a citation has every one of the words.
func hasWords(p evidence.Citation, words string) bool {
	text := strings.ToLower(p.Path + "\n" + p.Text)
	return !slices.ContainsFunc(strings.Fields(strings.ToLower(words)), func(word string) bool { return !strings.Contains(text, word) })
}

// list lists uncommitted files and commits, after a sentence that sums them up, and returns how many there are.
func (w *changes) list(ctx context.Context, d *builder) (int, error) {
	var uncommitted []git.FileStatus
	if w.span.To == "" {
		var err error
		if uncommitted, err = w.Library.Past().Changes(ctx, w.span.Path); err != nil {
			return 0, err
		}
	}
	commits, err := w.Library.Past().Commits(ctx, w.span)
	if err != nil {
		return 0, err
	}
	if len(commits)+len(uncommitted) > 0 {
		d.say("%s.", w.sum(commits, uncommitted))
	}
	w.listUncommitted(ctx, d, uncommitted)
	if len(commits) > 0 {
		d.say("Commits%s, newest first:", inPath(w.span.Path))
		var lines []string
		for _, c := range commits[:min(maxCommits, len(commits))] {
			lines = append(lines, w.commitLine(ctx, d, c))
		}
		d.list(withRest(lines, len(commits)))
	}
	return len(uncommitted) + len(commits), ctx.Err()
}

// sum is the answer in one sentence.
func (w *changes) sum(commits []git.Commit, uncommitted []git.FileStatus) string {
	var parts []string
	if len(commits) > 0 {
		touched := map[string]int{}
		for _, c := range commits {
			for _, f := range c.Files {
				touched[f.Path]++
			}
		}
		text := fmt.Sprintf("%s by %s%s changed %s%s", wording.Count(len(commits), "commit", "commits"), people(commits), since(w.q),
			wording.Count(len(touched), "file", "files"), inPath(w.span.Path))
		switch len(commits) {
		case maxHistory:
			text = "At least " + text
		case w.span.Limit:
			text = "The latest " + text
		}
		parts = append(parts, text+most(touched, len(commits)))
	} else {
		parts = append(parts, "No commit"+since(w.q)+" changed anything"+inPath(w.span.Path))
	}
	if len(uncommitted) > 0 {
		parts = append(parts, wording.Count(len(uncommitted), "file is", "files are")+" not committed yet")
	}
	return strings.Join(parts, "; ")
}

// people names up to three authors, the most active first, or counts them.
func people(commits []git.Commit) string {
	list := contributors(commits)
	if len(list) > 3 {
		return fmt.Sprintf("%s and %d others", list[0].name, len(list)-1)
	}
	var names []string
	for _, c := range list {
		names = append(names, c.name)
	}
	return and(names)
}

// most names the files that changed most often, when some changed more often than once.
func most(touched map[string]int, commits int) string {
	if commits < 3 || len(touched) < 4 {
		return ""
	}
	var paths []string
	for path, n := range touched {
		if n > 1 {
			paths = append(paths, path)
		}
	}
	slices.SortFunc(paths, func(a, b string) int { return cmp.Or(cmp.Compare(touched[b], touched[a]), cmp.Compare(a, b)) })
	var names []string
	for _, path := range paths[:min(3, len(paths))] {
		names = append(names, fmt.Sprintf("%s (%d)", code(path), touched[path]))
	}
	if len(names) == 0 {
		return ""
	}
	return ", most often " + and(names)
}

func (w *changes) listUncommitted(ctx context.Context, d *builder, uncommitted []git.FileStatus) {
	if len(uncommitted) == 0 {
		return
	}
	d.say("Not committed yet%s:", inPath(w.span.Path))
	var lines []string
	for _, c := range uncommitted[:min(maxListed, len(uncommitted))] {
		lines = append(lines, fmt.Sprintf("%s is %s%s", code(c.Path), c.Kind, w.citeFile(ctx, d, c.Path)))
	}
	d.list(withRest(lines, len(uncommitted)))
}

// commitLine names a commit and the files that it touched. A commit is its own evidence; files that are still there
// are cited besides.
func (w *changes) commitLine(ctx context.Context, d *builder, c git.Commit) string {
	var files []string
	for _, f := range c.Files[:min(3, len(c.Files))] {
		files = append(files, code(f.Path)+w.citeFile(ctx, d, f.Path))
	}
	if more := len(c.Files) - len(files); more > 0 {
		files = append(files, wording.Count(more, "more file", "more files"))
	}
	line := fmt.Sprintf("%s by %s %s (commit %s)", quote(c.Subject), c.Author, w.ago(c.Time), short(c.Hash))
	if len(files) > 0 {
		line += ": " + and(files)
	}
	return line
}

func inPath(path string) string {
	if path == "" || path == "." {
		return ""
	}
	return " in " + code(path)
}

// since says from when on changes were asked for.
func since(q question.Question) string {
	switch {
	case q.From != "" && q.To != "":
		return " between " + q.From + " and " + q.To
	case q.From != "":
		return " since " + q.From
	case q.When != "":
		return " since " + q.Since.Format("2006-01-02 15:04")
	}
	return ""
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
