package answer

import (
	"context"
	"fmt"
	"strings"
)

const maxCommits = 10

// changes answers "what changed", in all of the workspace, in a file or folder, or in a definition.
func (w *Writer) changes(ctx context.Context, q Question) (*Answer, error) {
	span := Span{Since: q.Since, Limit: maxCommits}
	if q.Subject != "" || q.Here {
		path, ok := w.Library.Locate(q.Subject)
		if q.Here || !ok {
			return w.changesOfDefinition(ctx, q, span)
		}
		span.Path = path
	}
	d := &draft{}
	n, err := w.listChanges(ctx, d, span)
	if err != nil {
		return w.withoutGit(ctx, q, err)
	}
	if n == 0 {
		d.say("Git knows no change%s%s: the work tree is clean and there is no commit.", inPath(span.Path), since(q))
	}
	return d.answer(q.Intent, 0.8), nil
}

// changesOfDefinition answers for a name: the age of its lines, then the commits of its file.
func (w *Writer) changesOfDefinition(ctx context.Context, q Question, span Span) (*Answer, error) {
	found, err := w.subject(ctx, q)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return w.abstain(q, "a file, folder or name "+code(q.Subject)), nil
	}
	p := found[0]
	d := &draft{}
	if err := w.age(ctx, d, p); err != nil {
		return w.withoutGit(ctx, q, err)
	}
	span.Path = p.Path
	n, err := w.listChanges(ctx, d, span)
	if err != nil {
		return w.withoutGit(ctx, q, err)
	}
	if n == 0 {
		d.say("Nothing changed in %s%s %s.", p.Path, since(q), d.cite(p))
	}
	return d.answer(q.Intent, 0.8), nil
}

// listChanges lists uncommitted files and commits, and returns how many there are.
func (w *Writer) listChanges(ctx context.Context, d *draft, span Span) (int, error) {
	changes, err := w.Library.Changes(ctx, span.Path)
	if err != nil {
		return 0, err
	}
	commits, err := w.Library.Commits(ctx, span)
	if err != nil {
		return 0, err
	}
	if len(changes) > 0 {
		d.say("Not committed yet%s:", inPath(span.Path))
		var lines []string
		for _, c := range changes[:min(maxListed, len(changes))] {
			lines = append(lines, fmt.Sprintf("%s is %s%s", code(c.Path), c.Kind, w.citeFile(ctx, d, c.Path)))
		}
		if more := len(changes) - len(lines); more > 0 {
			lines = append(lines, fmt.Sprintf("and %d more", more))
		}
		d.list(lines)
	}
	if len(commits) > 0 {
		d.say("%s%s, newest first:", capital(number(len(commits), "commit", "commits")), inPath(span.Path))
		var lines []string
		for _, c := range commits {
			lines = append(lines, w.commitLine(ctx, d, c))
		}
		d.list(lines)
	}
	return len(changes) + len(commits), ctx.Err()
}

// commitLine names a commit and the files that it touched. A commit is its own evidence; files that are still there
// are cited besides.
func (w *Writer) commitLine(ctx context.Context, d *draft, c Commit) string {
	var files []string
	for _, f := range c.Files[:min(3, len(c.Files))] {
		files = append(files, code(f)+w.citeFile(ctx, d, f))
	}
	if more := len(c.Files) - len(files); more > 0 {
		files = append(files, number(more, "more file", "more files"))
	}
	line := fmt.Sprintf("%s by %s %s (commit %s)", quote(c.Subject), c.Author, w.ago(c.Time), short(c.Hash))
	if len(files) > 0 {
		line += ": " + and(files)
	}
	return line
}

// citeFile cites a file that is still there.
func (w *Writer) citeFile(ctx context.Context, d *draft, path string) string {
	if p, ok := w.Library.File(ctx, path); ok {
		return " " + d.cite(p)
	}
	return ""
}

// withoutGit answers a question that only git can answer when git can't; cancellation stays an error.
func (w *Writer) withoutGit(ctx context.Context, q Question, cause error) (*Answer, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d := &draft{}
	d.say("I can't tell what changed or when: git has no answer here (%s).", oneLine(cause.Error()))
	a := d.answer(q.Intent, 0)
	a.Abstained = true
	return a, nil
}

func inPath(path string) string {
	if path == "" || path == "." {
		return ""
	}
	return " in " + code(path)
}

func since(q Question) string {
	if q.When == "" {
		return ""
	}
	return " since " + q.Since.Format("2006-01-02 15:04")
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
