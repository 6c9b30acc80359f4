package answer

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/answer/question"
	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
	"github.com/aurora-sidecar/aurora/internal/text"
)

const (
	maxSteps  = 8   // of a call path that an explanation shows
	maxRanked = 300 // definitions of a file or folder that are ordered by their callers
	maxPool   = 12  // hits of a search among which a name may stand for the words of a question
)

// explanation answers "how does X work": what X is, what it calls in the order of its lines, and who calls it; of a file
// what it defines; of words the definition that has them in its name and comment.
type explanation struct{ *asked }

func (w explanation) answer(ctx context.Context) (*Answer, error) {
	if asksForFile.MatchString(w.q.Text) {
		if a, err := w.file(ctx); a != nil || err != nil {
			return a, err
		}
	}
	found, err := w.subject(ctx)
	if err != nil {
		return nil, err
	}
	shown, _ := best(slices.DeleteFunc(found, func(p evidence.Citation) bool { return !isDefinition(p) }))
	shown = withoutPrototypes(withBodies(shown))
	if c := w.concept(); c != nil {
		applies := len(shown) > 1 && slices.ContainsFunc(shown, func(p evidence.Citation) bool { return p.Type != "method" })
		if len(shown) == 1 && !shown[0].Test {
			if applies, err = c.names(ctx, shown[0]); err != nil {
				return nil, err
			}
		}
		if !applies {
			if a, err := c.answer(ctx); a != nil || err != nil {
				return a, err
			}
		}
	}
	switch isFlag := strings.HasPrefix(w.q.Subject, "-"); {
	case len(shown) == 1 && !isFlag && !shown[0].Test:
		d := &builder{}
		d.describe(shown[0])
		if err := w.path(ctx, d, shown[0]); err != nil {
			return nil, err
		}
		return d.answer(w.q.Intent, 0.85), nil
	case len(shown) == 0 || shown[0].Test:
		if a, err := w.file(ctx); a != nil || err != nil {
			return a, err
		}
	case question.IsName(w.q.Subject) && !isFlag:
		return definition(w).answer(ctx)
	}
	return w.citations(ctx)
}

// asksForFile finds a word for files and folders.
var asksForFile = lazyregexp.New(`(?i)\s(?:module|package|file|folder|directory|crate)\b`)

// path tells what a definition calls and who calls it, or which methods a type has.
func (w explanation) path(ctx context.Context, d *builder, p evidence.Citation) error {
	if p.Type == "class" {
		list, total, _, err := w.Library.List(ctx, evidence.Filter{Container: lastPart(p.Name), Path: folderOf(p.Path), Types: []string{"method"}}, maxSteps)
		if err != nil {
			return err
		}
		if total > 0 {
			d.say("It has %s:", wording.Count(total, "method", "methods"))
			d.describeEach(list, total)
		}
	}
	steps, total, err := w.Library.Neighbours(ctx, p, evidence.ToCallees, maxOutline)
	if err != nil {
		return err
	}
	steps = slices.DeleteFunc(steps, func(l evidence.Link) bool { return l.Sure < unsure || l.Test && !p.Test })
	steps = withoutGuesses(steps)
	if len(steps) > 0 && p.Type != "class" {
		sortByCall(steps, p)
		var list []evidence.Citation
		for _, s := range steps[:min(maxSteps, len(steps))] {
			list = append(list, s.Citation)
		}
		d.say("It calls, in this order:")
		d.describeEach(list, max(len(steps), min(total, len(steps))))
	}
	callers, all, err := w.Library.Neighbours(ctx, p, evidence.ToCallers, maxOutline)
	if err != nil || all == 0 {
		return err
	}
	var names []string
	program := slices.DeleteFunc(slices.Clone(callers), func(l evidence.Link) bool { return l.Test })
	if len(program) == 0 {
		program = callers
	}
	for _, c := range program[:min(3, len(program))] {
		names = append(names, code(c.Name)+" "+d.cite(c.Citation))
	}
	d.say("It is called by %s.", andMore(names, all))
	return nil
}

// withoutGuesses leaves out several definitions of one name of which a call may mean any.
func withoutGuesses(steps []evidence.Link) []evidence.Link {
	const known = 0.8
	count := map[string]int{}
	for _, s := range steps {
		count[lastPart(s.Name)]++
	}
	return slices.DeleteFunc(steps, func(s evidence.Link) bool { return s.Sure < known && count[lastPart(s.Name)] > 1 })
}

// sortByCall puts what a definition calls in the order in which its text has the names.
func sortByCall(steps []evidence.Link, p evidence.Citation) {
	at := map[string]int{}
	for _, s := range steps {
		name := lastPart(s.Name)
		at[s.ID] = len(p.Text)
		for i, line := range strings.Split(p.Text, "\n") {
			if !isComment(line) && hasName(line, name) && i > p.Line-p.First {
				at[s.ID] = i
				break
			}
		}
	}
	slices.SortStableFunc(steps, func(a, b evidence.Link) int { return at[a.ID] - at[b.ID] })
}

// describeEach lists definitions with what their comments say.
func (d *builder) describeEach(list []evidence.Citation, total int) {
	var rows []string
	for _, p := range list {
		rows = append(rows, citationLine(d, p))
	}
	d.list(withRest(rows, total))
}

// file explains a file or folder that is named in a word, as a module is. It returns nil when there is none.
func (w explanation) file(ctx context.Context) (*Answer, error) {
	if !question.IsName(w.q.Subject) {
		return nil, nil
	}
	at, ok := codeFile(w.Library, func(stem string) bool { return strings.EqualFold(stem, w.q.Subject) })
	if !ok {
		at, ok = w.Library.Locate(w.q.Subject)
	}
	if form := text.Stem(strings.ToLower(w.q.Subject)); !ok {
		at, ok = codeFile(w.Library, func(stem string) bool { return text.Stem(strings.ToLower(stem)) == form })
	}
	if !ok || at == "" || codebase.FileKind(at) != "" {
		return nil, nil
	}
	return w.outlineOf(ctx, at)
}

// codeFile finds the file of code with the shortest path whose name without its ending fits.
func codeFile(l *evidence.Workspace, fits func(stem string) bool) (string, bool) {
	return l.Shortest(func(file string) bool {
		return codebase.IsCodePath(file) && fits(strings.TrimSuffix(path.Base(file), path.Ext(file)))
	})
}

// outlineOf tells what a file or folder defines; nil when it defines nothing.
func (w explanation) outlineOf(ctx context.Context, at string) (*Answer, error) {
	list, total, aside, err := w.Library.List(ctx, evidence.Filter{Path: at, Types: []string{"function", "class"}}, maxRanked)
	if err != nil || total == aside {
		return nil, err
	}
	list, total = slices.DeleteFunc(list, func(p evidence.Citation) bool { return p.Test }), total-aside
	d, cited := &builder{}, ""
	if p, ok := w.Library.File(ctx, at); ok {
		cited = " " + d.cite(p)
		if p.Doc != "" && p.Line == 1 {
			d.say("%s begins: %s%s.", code(at), quote(p.Doc), cited)
		}
	} else if p, ok := w.Library.File(ctx, at+"/README.md"); ok {
		if words, sure := introduction(evidence.TextOf(w.Library, p), path.Base(at)); sure {
			d.say("%s says: %s %s.", code(p.Path), quote(words), d.cite(p))
		}
	}
	least := ""
	if total > maxListed {
		w.mostCalledFirst(list)
		least = ", those that are called most first"
	}
	d.say("%s%s defines %s%s:", code(at), cited, wording.Count(total, "function or class", "functions and classes"), least)
	d.describeEach(list[:min(maxListed, len(list))], total)
	return d.answer(w.q.Intent, 0.75), nil
}

func (w explanation) mostCalledFirst(list []evidence.Citation) {
	calls := map[string]int{}
	for _, p := range list {
		if name := lastPart(p.Name); calls[name] == 0 {
			calls[name] = 1 + len(w.Library.Snap.Callers(name, codebase.MaxCounted))
		}
	}
	slices.SortStableFunc(list, func(a, b evidence.Citation) int { return calls[lastPart(b.Name)] - calls[lastPart(a.Name)] })
}

// byWords answers for words that the name of one definition has, with those of its comment. It returns nil when no
// definition that a search for the query finds has all the words.
func (w explanation) byWords(ctx context.Context, query string) (*Answer, error) {
	m, err := w.ofType(ctx)
	switch {
	case err != nil:
		return nil, err
	case m != nil:
		if a, err := m.answer(ctx); a != nil || err != nil {
			return a, err
		}
	case !asksForCode.MatchString(w.q.Text) || asksHow.MatchString(w.q.Text):
		return nil, ctx.Err()
	}
	if a, err := w.byName(ctx); a != nil || err != nil {
		return a, err
	}
	words := w.contentOf(w.q.Text)
	if len(words) < 2 {
		return nil, ctx.Err()
	}
	found, _, err := w.Library.Search(ctx, query, maxPool)
	if err != nil {
		return nil, err
	}
	most, at := 0, -1
	for i, p := range found {
		if p.Path == "" || p.Test || !isDefinition(p) {
			continue
		}
		if score := covers(p, words); score > most {
			most, at = score, i
		}
	}
	if at < 0 {
		return nil, nil
	}
	p := found[at]
	if same, err := w.Library.Definitions(ctx, lastPart(p.Name)); err != nil || len(withBodies(slices.DeleteFunc(same, func(p evidence.Citation) bool { return p.Test }))) > 3 {
		return nil, err // it is one of many of the name
	}
	d := &builder{}
	d.say("By its words, %s is about this: %s in %s %s.", code(p.Name), withArticle(thing(p)), p.Place(), d.cite(p))
	if p.Doc != "" {
		d.say("Its comment says: %s %s.", quote(p.Doc), d.cite(p))
	}
	d.show(p.Language, excerpt(w, p, 12))
	if err := w.path(ctx, d, p); err != nil {
		return nil, err
	}
	var rows []string
	for i, other := range found {
		if i != at && len(rows) < 3 && !other.Test && isDefinition(other) {
			rows = append(rows, citationLine(d, other))
		}
	}
	if len(rows) > 0 {
		d.say("Near it:")
		d.list(rows)
	}
	return d.answer(question.Explanation, 0.75), nil
}

// byName answers for the one word of a question that is spelled as only names of code are and has one definition, in whose
// text the other words stand. It returns nil when there is none, or more.
func (w explanation) byName(ctx context.Context) (*Answer, error) {
	var only evidence.Citation
	for _, word := range strings.Fields(w.q.Text) {
		word = strings.TrimSuffix(strings.Trim(word, "`'\"?!.,;:"), "()")
		if !looksLikeName(word) || strings.Contains(word, "/") || strings.ToUpper(word) == word {
			continue
		}
		found, err := w.with(question.Question{Text: w.q.Text, Intent: question.Explanation, Subject: word}).subject(ctx)
		if err != nil {
			return nil, err
		}
		found = slices.DeleteFunc(found, func(p evidence.Citation) bool { return p.Test || !isDefinition(p) })
		if found = withBodies(withoutPrototypes(found)); len(found) != 1 || only.ID != "" {
			return nil, ctx.Err()
		}
		only = found[0]
	}
	if only.ID == "" || !hasAll(evidence.Stems(only.Name+" "+only.Text), w.contentOf(w.q.Text)) {
		return nil, ctx.Err()
	}
	d := &builder{}
	d.introduce(only)
	d.show(only.Language, excerpt(w, only, 20))
	if err := w.path(ctx, d, only); err != nil {
		return nil, err
	}
	return d.answer(question.Explanation, 0.7), nil
}

// asksForCode are the beginnings of questions that a piece of code may answer.
var asksForCode = lazyregexp.New(`(?i)^\W*(?:please\s+|can\s+you\s+)?(?:explain\s+|describe\s+|show\s+me\s+|tell\s+me\s+)?(?:where|how\s+(?:does|do|is|are|did)|what\s+(?:does|happens|code|function|method|class|part)|which\s+(?:code|function|method|class|file|part))\b`)

// covers says how well a definition covers stems: 0 unless its name, or the name of what it belongs to, has two of them (or
// one, and its comment the others), and what is left stands in its comment, its signature or the name of its file. More is better: names that say
// little else, and more than a line or two of code.
func covers(p evidence.Citation, stems []string) int {
	name := evidence.Stems(p.Name)
	about := evidence.Stems(p.Doc + " " + p.Signature + " " + strings.TrimSuffix(path.Base(p.Path), path.Ext(p.Path)))
	own, special := 0, 0
	for _, s := range stems {
		switch {
		case name[s]:
			own++
			if !general[s] {
				special++
			}
		case !about[s]:
			return 0
		}
	}
	if special == 1 && len(stems) > 2 || special == 0 || own < 2 && !hasAll(evidence.Stems(p.Name+" "+p.Doc), stems) || strings.HasSuffix(p.Name, "Error") && !slices.ContainsFunc(stems, func(s string) bool { return s == "error" || s == "except" }) {
		return 0
	}
	others := 0
	for s := range name {
		if !general[s] && !slices.Contains(stems, s) {
			others++
		}
	}
	score := 100 + 10*own - 3*others
	if strings.Count(p.Text, "\n") < 6 {
		score -= 12
	}
	if p.Type != "class" {
		score += 2
	}
	return score
}

func hasAll(own map[string]bool, stems []string) bool {
	return !slices.ContainsFunc(stems, func(s string) bool { return !own[s] })
}

// general are the stems of words that many names have.
var general = func() map[string]bool {
	stems := map[string]bool{}
	for word := range codebase.WordSet("get set is has do make new raw file data value name type list result item object base default init impl helper util option index info string") {
		stems[text.Stem(word)] = true
	}
	return stems
}()

// asking are words of questions that say nothing about their subject.
var asking = codebase.WordSet(`how what where which when why who does do did is are was were can could should would will get gets happen happens
	work works working worked implement implemented implementation define defined handle handles handled handling use uses used using code logic
	place located find it its there this that these those i we you one my our your exactly actually currently internally way possible between
	inside project repo repository codebase library make makes need needs have has support supports supported please explain question about mean means`)

// contentOf are the stems of the words of a question that are neither those of every question nor the project's name.
func (w explanation) contentOf(question string) []string {
	own := map[string]bool{}
	for _, folder := range w.Library.Snap.Folders() {
		own[strings.ToLower(path.Base(folder))] = true
	}
	var out []string
	for _, word := range evidence.SplitWords(question) {
		if asking[word] || own[word] || text.IsStopWord(word) || len(word) < 2 && (word < "0" || word > "9") {
			continue
		}
		if s := text.Stem(word); !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// deprecation answers "is X deprecated" from what its comment and its text say.
type deprecation struct{ *asked }

func (w deprecation) answer(ctx context.Context) (*Answer, error) {
	found, err := w.subject(ctx)
	if err != nil {
		return nil, err
	}
	shown, more := best(found)
	if len(shown) == 0 || !isDefinition(shown[0]) {
		return w.citations(ctx)
	}
	d := &builder{}
	for _, p := range shown {
		for i, line := range strings.Split(p.Text, "\n") {
			if !strings.Contains(strings.ToLower(line), "deprecat") {
				continue
			}
			says := quote(strings.Trim(strings.TrimSpace(line), "/#*\"'"))
			if strings.Contains(strings.ToLower(p.Doc), "deprecat") || isComment(line) || strings.HasPrefix(strings.TrimSpace(line), "@") || strings.HasPrefix(strings.TrimSpace(line), "#[") {
				d.say("Yes: %s:%d, in %s, says %s %s.", p.Path, p.First+i, code(p.Name), says, d.cite(p))
			} else {
				d.say("Not as a whole: nothing says so of %s, but %s:%d in it has %s %s.", code(p.Name), p.Path, p.First+i, says, d.cite(p))
			}
			return d.answer(w.q.Intent, 0.75), nil
		}
	}
	d.say("Nothing in %s in %s says that it is deprecated %s.", code(shown[0].Name), shown[0].Place(), d.cite(shown[0]))
	if others := len(shown) + more - 1; others > 0 {
		d.say("Nor do %s of the name.", wording.Count(others, "other definition", "other definitions"))
	}
	return d.answer(w.q.Intent, 0.65), nil
}

// folder answers for a subject that is no name of code but that of a folder or file; nil when it is neither.
func (w explanation) folder(ctx context.Context) (*Answer, error) {
	if !question.IsName(w.q.Subject) {
		return nil, ctx.Err()
	}
	for _, name := range []string{w.q.Subject, question.Singular(w.q.Subject)} {
		at, ok := w.Library.Locate(name)
		if !ok || at == "" || !strings.EqualFold(strings.TrimSuffix(path.Base(at), path.Ext(at)), strings.TrimSuffix(path.Base(name), path.Ext(name))) {
			continue
		}
		files, example := 0, ""
		for f := range w.Library.Snap.Listed() {
			if evidence.InPlace(f.Path, at) {
				files++
				if example == "" || len(f.Path) < len(example) || len(f.Path) == len(example) && f.Path < example {
					example = f.Path
				}
			}
		}
		p, ok := w.Library.File(ctx, example)
		if !ok {
			continue
		}
		d := &builder{}
		if example == at {
			d.say("There is the file %s %s.", code(at), d.cite(p))
		} else {
			d.say("There is the folder %s with %s, such as %s %s.", code(at), wording.Count(files, "file", "files"), code(example), d.cite(p))
		}
		return d.answer(w.q.Intent, 0.75), nil
	}
	return nil, ctx.Err()
}
