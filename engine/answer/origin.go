package answer

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/answer/question"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/index/git"
)

// origin answers "why is X here", "when was X changed" and "who wrote X" from git and from memory.
type origin struct{ *asked }

func (w origin) answer(ctx context.Context) (*Answer, error) {
	if path, ok := w.place(); ok && path != "" {
		return w.ofPath(ctx, path)
	}
	found, err := w.subject(ctx)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 && w.q.Here && asks(w.q, "who") { // nothing is pointed at: this is the project
		return experts{w.with(question.Question{Text: w.q.Text, Intent: question.Experts, Subject: "project"})}.answer(ctx)
	}
	if len(found) == 0 {
		if path, ok := w.Library.Locate(w.q.Subject); ok && w.q.Subject != "" {
			return w.ofPath(ctx, path)
		}
		for _, words := range []string{w.q.Text, w.q.Subject} {
			stems := explanation(w).contentOf(words)
			if commits := commitsWith(ctx, w.asked, stems); len(stems) > 1 && len(commits) > 0 {
				d := &builder{}
				d.say("By their subjects, these commits are about it:")
				d.list(commits)
				return d.answer(w.q.Intent, 0.6), nil
			}
		}
		d := &builder{}
		if len(explanation(w).contentOf(w.q.Subject)) > 0 {
			if listed, err := newChanges(w.asked).byMessage(ctx, d); listed && err == nil {
				return d.answer(w.q.Intent, 0.5), nil
			}
		}
		return w.citations(ctx)
	}
	shown, _ := best(found)
	p := shown[0]
	d := &builder{}
	if err := w.tell(ctx, d, p); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if len(d.blocks) == 0 {
			return w.withoutGit(ctx, err)
		}
		d.say("Git has no answer here (%s).", oneLine(err.Error()))
	}
	if len(shown) > 1 {
		d.say("There are %d definitions of %s; this is about the one in %s.", len(found), code(w.q.Subject), p.Place())
		return d.answer(w.q.Intent, 0.6), nil
	}
	return d.answer(w.q.Intent, 0.8), nil
}

// asks reports whether a question begins with the word: why, when or who.
func asks(q question.Question, word string) bool {
	first, _, _ := strings.Cut(strings.ToLower(q.Text), " ")
	return first == word
}

// tell answers a why with what is remembered and said about a definition first, a who and a when with git.
func (w origin) tell(ctx context.Context, d *builder, p evidence.Citation) error {
	if asks(w.q, "why") {
		if err := w.describeRecords(ctx, d, p); err != nil {
			return err
		}
		err := w.birth(ctx, d, p)
		d.comment(p)
		if err != nil {
			return err
		}
		return w.age(ctx, d, p)
	}
	if asks(w.q, "who") {
		if err := w.wrote(ctx, d, p); err != nil {
			return err
		}
	}
	if err := w.age(ctx, d, p); err != nil {
		return err
	}
	if asksForBirth(w.q) {
		if err := w.birth(ctx, d, p); err != nil {
			return err
		}
	}
	d.comment(p)
	return w.describeRecords(ctx, d, p)
}

// asksForBirth reports whether a question is about the first commit rather than the latest.
func asksForBirth(q question.Question) bool {
	text := strings.ToLower(q.Text)
	return asks(q, "why") || slices.ContainsFunc([]string{"added", "introduced", "created", "wrote"}, func(word string) bool {
		return strings.Contains(text, word)
	})
}

// comment quotes what the comment of a definition says.
func (d *builder) comment(p evidence.Citation) {
	if p.Doc != "" {
		d.say("The comment of %s says: %s %s.", code(p.Name), quote(p.Doc), d.cite(p))
	}
}

// birth says with which commit the oldest of a citation's lines came.
func (w origin) birth(ctx context.Context, d *builder, p evidence.Citation) error {
	origins, err := w.Library.Past().Origins(ctx, p)
	if err != nil || len(origins) == 0 {
		return err
	}
	o := origins[0]
	d.say("The oldest lines of %s came with %s by %s %s (commit %s) %s.", code(p.Name), quote(o.Subject), o.Author, w.ago(o.Time), short(o.Commit), d.cite(p))
	return nil
}

// wrote says who wrote the lines of a citation that are there now.
func (w origin) wrote(ctx context.Context, d *builder, p evidence.Citation) error {
	origins, err := w.Library.Past().Origins(ctx, p)
	if err != nil || len(origins) == 0 {
		return err
	}
	list, total := authorsOf(origins)
	var names []string
	for _, c := range list[:min(5, len(list))] {
		name := c.name
		if len(list) > 1 {
			name += fmt.Sprintf(" (%d of %s)", c.amount, wording.Count(total, "line", "lines"))
		}
		names = append(names, name)
	}
	d.say("%s in %s was written by %s %s.", code(p.Name), p.Place(), andMore(names, len(list)), d.cite(p))
	return nil
}

// ofPath answers for a file or folder: its first and its latest commit.
func (w origin) ofPath(ctx context.Context, path string) (*Answer, error) {
	commits, err := w.Library.Past().Commits(ctx, git.LogOptions{Path: path, Limit: maxHistory})
	if err != nil {
		return w.withoutGit(ctx, err)
	}
	if len(commits) == 0 {
		return newChanges(w.with(question.Question{Text: w.q.Text, Intent: question.Origin, Subject: path})).answer(ctx)
	}
	d := &builder{}
	first, latest := commits[len(commits)-1], commits[0]
	if i := slices.IndexFunc(commits, func(c git.Commit) bool { return slices.Contains(c.Files, git.FileChange{Path: path, Kind: git.Added}) }); i >= 0 {
		first = commits[i] // the latest time that it was added: it may have been away
	}
	at := w.citeFile(ctx, d, path)
	cameSentence := fmt.Sprintf("%s%s came with %s by %s %s (commit %s).", code(path), at, quote(first.Subject), first.Author, w.ago(first.Time), short(first.Hash))
	latestSentence := fmt.Sprintf("%s%s was last changed %s by %s in %s (commit %s).", code(path), at, w.ago(latest.Time), latest.Author, quote(latest.Subject), short(latest.Hash))
	if asksForBirth(w.q) {
		d.say("%s", cameSentence)
		d.say("%s", latestSentence)
	} else {
		d.say("%s", latestSentence)
		d.say("%s", cameSentence)
	}
	list := contributors(commits)
	d.say("%s by %s touched it:", capital(wording.Count(len(commits), "commit", "commits")), wording.Count(len(list), "author", "authors"))
	d.list(w.contributorLines(list, len(commits), "commit", "commits"))
	return d.answer(w.q.Intent, 0.8), nil
}
