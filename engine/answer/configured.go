package answer

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// A usedLine is a line that does something with a name.
type usedLine struct {
	evidence.Line
	use   use
	value string
}

// maxUses is how many lines of one sort an answer lists.
const maxUses = 8

// isSetting tells names of settings, variables and constants from descriptions.
var isSetting = lazyregexp.New(`^-{0,2}[\pL_$][\pL\pN_$.:/-]*$`)

// configured answers "where is X configured", X being a setting, an environment variable, a constant or a field.
type configured struct{ *asked }

func (w configured) answer(ctx context.Context) (*Answer, error) {
	if a, err := facts(w).byDocument(ctx); a != nil || err != nil {
		return a, err
	}
	name, lines, err := w.setting(ctx, w.q.Subject)
	if err != nil {
		return nil, err
	}
	if name == "" {
		if a, err := w.phrase(ctx); a != nil || err != nil {
			return a, err
		}
		return bySearch(ctx, w.asked)
	}
	if len(lines) == 0 {
		if found, err := w.subject(ctx); err != nil || len(found) > 0 {
			return definition(w).answer(ctx)
		}
		return w.abstain("lines with " + code(w.q.Subject)), nil
	}
	if asksForDefault.MatchString(w.q.Text) && !slices.ContainsFunc(lines, givesValue) {
		if a := w.quoted(name, lines); a != nil {
			return a, nil
		}
		return bySearch(ctx, w.asked) // where it is declared says nothing
	}
	if asksForDefault.MatchString(w.q.Text) {
		lines = withLiterals(lines)
	}
	d := &builder{}
	d.tellUses(name, lines)
	if len(d.blocks) == 0 {
		if plainWord.MatchString(w.q.Subject) || !slices.ContainsFunc(lines, func(l usedLine) bool { return !l.Test && !isProse(l.Path) }) {
			return bySearch(ctx, w.asked)
		}
		d.tellMentions(name, lines)
		return d.answer(w.q.Intent, 0.5), nil
	}
	return d.answer(w.q.Intent, 0.85), nil
}

// quoted answers with the few lines of the program in which a name stands between quotes, as LIMIT = number("LIMIT", 10); nil
// when there are none, or many.
func (w configured) quoted(name string, lines []usedLine) *Answer {
	const most = 3
	var found []usedLine
	for _, l := range lines {
		if !l.Test && !isProse(l.Path) && !isComment(l.Text) && slices.ContainsFunc([]string{`"`, "'"}, func(q string) bool { return strings.Contains(l.Text, q+name+q) }) {
			found = append(found, l)
		}
	}
	if len(found) == 0 || len(found) > most {
		return nil
	}
	d := &builder{}
	d.say("%s stands between quotes in %s:", code(name), wording.Count(len(found), "line", "lines"))
	var rows []string
	for _, l := range found {
		rows = append(rows, d.line(l.Line))
	}
	d.list(rows)
	d.tellMentions("", slices.DeleteFunc(slices.Clone(lines), func(l usedLine) bool { return !l.Test && !isProse(l.Path) }))
	return d.answer(w.q.Intent, 0.7)
}

// asksForDefault finds a question for what something is when nobody sets it.
var asksForDefault = lazyregexp.New(`(?i)\bdefault\b`)

// literalValue is a value that needs no other line to be known.
var literalValue = lazyregexp.New("^(?:[\"'`].*|[-+]?\\d.*|true|false|True|False|nil|null|None|undefined)$")

func givesLiteral(l usedLine) bool { return givesValue(l) && literalValue.MatchString(l.value) }

// withLiterals leaves those lines of the program that give a literal value, and those outside of it; all when none does but in the
// settings of some tool.
func withLiterals(lines []usedLine) []usedLine {
	if !slices.ContainsFunc(lines, func(l usedLine) bool { return givesLiteral(l) && !strings.Contains(path.Base(l.Path), ".config.") }) {
		return lines
	}
	return slices.DeleteFunc(slices.Clone(lines), func(l usedLine) bool { return !l.Test && !isProse(l.Path) && !givesLiteral(l) })
}

// described finds the lines that give the last word of a subject a literal value, in a definition or a file whose name has the other
// words: the default log level is a level = 'info' of a logger. It finds none when many do.
func (w configured) described(ctx context.Context, subject string) (name string, lines []usedLine, err error) {
	const most = 3
	words := strings.Fields(strings.ToLower(subject))
	if len(words) < 2 || len(words) > 3 || !plainWord.MatchString(words[len(words)-1]) {
		return "", nil, nil
	}
	name = words[len(words)-1]
	if lines, err = w.usesOf(ctx, name); err != nil {
		return "", nil, err
	}
	lines = slices.DeleteFunc(lines, func(l usedLine) bool {
		own := evidence.Stems(l.Path + " " + l.Name)
		return !givesLiteral(l) || countOf(words[:len(words)-1], own) < len(words)-1
	})
	if len(lines) == 0 || len(lines) > most {
		return "", nil, nil
	}
	return name, lines, nil
}

// givesValue reports whether a line of the program gives a value that can be read there.
func givesValue(l usedLine) bool {
	return (l.use == sets || l.use == declares) && l.value != "" && !l.Test && !isProse(l.Path)
}

// setting finds the name that a subject stands for, with its lines: as it is, or, of a description in words, the first
// spelling that occurs. name is "" when the subject is no name and none of its spellings occurs.
func (w configured) setting(ctx context.Context, subject string) (name string, lines []usedLine, err error) {
	if asksForDefault.MatchString(w.q.Text) && !looksLikeName(subject) { // the default timeout is often called so
		for _, form := range spellings(append([]string{"default"}, strings.Fields(subject)...)) {
			if lines, err = w.usesOf(ctx, form); err != nil {
				return "", nil, err
			}
			if slices.ContainsFunc(lines, givesValue) {
				return form, lines, nil
			}
		}
	}
	if name = strings.TrimLeft(subject, "-$"); isSetting.MatchString(name) {
		if lines, err = w.usesOf(ctx, lastPart(name)); err != nil {
			return "", nil, err
		}
		fields, err := w.fieldsOf(ctx, name, lines)
		return lastPart(name), append(fields, lines...), err
	}
	for _, form := range spellings(strings.Fields(subject)) {
		if lines, err = w.usesOf(ctx, form); err != nil {
			return "", nil, err
		}
		if used := ofUse(lines, sets, declares, reads); slices.ContainsFunc(used, func(l usedLine) bool { return !l.Test && !isProse(l.Path) }) {
			return form, lines, nil
		}
	}
	if asksForDefault.MatchString(w.q.Text) {
		return w.described(ctx, subject)
	}
	return "", nil, nil
}

// phrase answers for words that stand between quotes in code, as the names of settings do in some programs. It returns
// nil when they don't.
func (w configured) phrase(ctx context.Context) (*Answer, error) {
	lines, err := w.Library.Lines(ctx, w.q.Subject, func(line string) bool {
		return !isComment(line) && slices.ContainsFunc([]string{`"`, "'", "`"}, func(quote string) bool { return strings.Contains(line, quote+w.q.Subject+quote) })
	})
	if err != nil {
		return nil, err
	}
	lines = slices.DeleteFunc(lines, func(l evidence.Line) bool { return isProse(l.Path) })
	if len(lines) == 0 {
		return nil, nil
	}
	shown := lines
	if program := slices.DeleteFunc(slices.Clone(lines), func(l evidence.Line) bool { return l.Test }); len(program) > 0 {
		shown = program
	}
	d := &builder{}
	d.say("The text %s stands in %s of %s: %s.", code(w.q.Subject), wording.Count(len(lines), "line", "lines"), wording.Count(len(filesOf(lines)), "file", "files"), someFiles(filesOf(shown)))
	var rows []string
	for _, l := range shown[:min(maxListed, len(shown))] {
		rows = append(rows, d.line(l))
	}
	d.list(rows)
	return d.answer(w.q.Intent, 0.7), nil
}

// usesOf returns the lines with a name, and, when one of them gives the name as a text to a constant, the reads of that
// constant.
func (w *Writer) usesOf(ctx context.Context, name string) ([]usedLine, error) {
	found, err := w.Library.Lines(ctx, name, func(line string) bool { return hasName(line, name) })
	if err != nil {
		return nil, err
	}
	var out []usedLine
	for _, l := range found {
		u, value := useIn(l.Text, name, path.Ext(l.Path))
		if isProse(l.Path) {
			u, value = mentions, "" // a document says how to set it; it does not
		}
		out = append(out, usedLine{l, u, value})
	}
	constant := constantFor(name, out)
	if constant == "" {
		return out, nil
	}
	found, err = w.Library.Lines(ctx, constant, func(line string) bool { return hasName(line, constant) })
	if err != nil {
		return nil, err
	}
	for _, l := range found {
		if u, _ := useIn(l.Text, constant, path.Ext(l.Path)); u == reads {
			out = append(out, usedLine{l, reads, ""})
		}
	}
	return out, nil
}

// A field with tags, as Port int `json:"port,omitempty"`, and the names in its tags.
var (
	taggedField = lazyregexp.New("^\\s*([A-Za-z_]\\w*)\\s+[\\w.*\\[\\]]+\\s+`([^`]*)`")
	tagName     = lazyregexp.New(`\w:"([\w.-]+)[",]`)
)

// fieldFor is the field that a line declares for a name in files, "" when it does not.
func fieldFor(name, line string) string {
	m := taggedField.FindStringSubmatch(line)
	if m == nil || !slices.ContainsFunc(tagName.FindAllStringSubmatch(m[2], -1), func(tag []string) bool { return tag[1] == name }) {
		return ""
	}
	return m[1]
}

// fieldsOf returns the lines that give a value to fields which stand for a setting, in the folder that declares them. Of a
// setting of a group, as llm.port, those whose definition is called after the group come alone, if there are any.
func (w configured) fieldsOf(ctx context.Context, setting string, lines []usedLine) ([]usedLine, error) {
	var out []usedLine
	seen := map[string]bool{}
	for _, l := range lines {
		field, folder := fieldFor(lastPart(setting), l.Text), path.Dir(l.Path)
		if field == "" || l.Test || isProse(l.Path) || seen[folder+" "+field] {
			continue
		}
		seen[folder+" "+field] = true
		found, err := w.Library.Lines(ctx, field, func(line string) bool { return hasName(line, field) })
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			if u, value := useIn(f.Text, field, path.Ext(f.Path)); u == sets && path.Dir(f.Path) == folder && !f.Test {
				out = append(out, usedLine{f, sets, value})
			}
		}
	}
	parts := strings.Split(setting, ".")
	if len(parts) < 2 {
		return out, nil
	}
	group := strings.ToLower(strings.ReplaceAll(parts[len(parts)-2], "_", ""))
	own := slices.DeleteFunc(slices.Clone(out), func(l usedLine) bool { return !strings.Contains(strings.ToLower(l.Name), group) })
	if len(own) > 0 {
		return own, nil
	}
	return out, nil
}

// constantFor is the name of the constant that a line outside of tests makes of a text, as EnvMode = "APP_MODE".
func constantFor(text string, lines []usedLine) string {
	for _, l := range lines {
		if m := namesText.FindStringSubmatch(l.Text); m != nil && m[2] == text && !l.Test {
			return m[1]
		}
	}
	return ""
}

var namesText = lazyregexp.New(`(?:^|\s)([A-Za-z_]\w*)\s*(?::\s*\w+\s*|\s(?:string|String|str)\s*)?:?=\s*["'` + "`" + `]([\w.-]+)["'` + "`" + `]`)

// tellUses says where a name is set, declared and read; nothing when no line outside of comments does.
func (d *builder) tellUses(name string, lines []usedLine) {
	program := slices.DeleteFunc(slices.Clone(lines), func(l usedLine) bool { return l.Test || isProse(l.Path) })
	if len(ofUse(program, sets, declares, reads)) == 0 {
		if program = lines; len(ofUse(program, sets, declares, reads)) == 0 && constantFor(name, lines) == "" {
			return
		}
	}
	if telling := slices.DeleteFunc(slices.Clone(program), func(l usedLine) bool { return l.use == sets && lastPart(l.value) == name }); len(ofUse(telling, sets, declares, reads)) > 0 {
		program = telling // a line that only passes the value on says nothing
	}
	var parts []string
	if c := constantFor(name, program); c != "" {
		for _, l := range program {
			if m := namesText.FindStringSubmatch(l.Text); m != nil && m[2] == name {
				parts = append(parts, fmt.Sprintf("is the text of %s in %s %s", code(c), l.At(), d.cite(l.Citation)))
				break
			}
		}
	}
	for _, u := range []struct {
		use  use
		deed string
	}{{sets, "is set "}, {declares, "is declared "}, {reads, "is read from the environment "}} {
		if l := ofUse(program, u.use); len(l) > 0 {
			parts = append(parts, u.deed+placesOf(d, l))
		}
	}
	if len(parts) == 0 {
		return
	}
	d.say("%s %s.", code(name), and(parts))
	var rows []string
	used := ofUse(program, sets, declares, reads)
	for _, l := range used[:min(maxOutline, len(used))] {
		rows = append(rows, d.line(l.Line))
	}
	d.list(rows)
	d.tellMentions("", slices.DeleteFunc(slices.Clone(lines), func(l usedLine) bool { return !l.Test && !isProse(l.Path) }))
}

// tellMentions lists files that have the name besides.
func (d *builder) tellMentions(name string, lines []usedLine) {
	var plain []evidence.Line
	for _, l := range lines {
		plain = append(plain, l.Line)
	}
	if len(plain) == 0 {
		return
	}
	files := firstPerFile(plain)
	var list []string
	for _, l := range files[:min(maxUses, len(files))] {
		list = append(list, l.At()+" "+d.cite(l.Citation))
	}
	if more := len(files) - len(list); more > 0 {
		list = append(list, wording.Count(more, "more file", "more files"))
	}
	if name == "" {
		d.say("Tests, examples and documents have it, too: %s.", and(list))
		return
	}
	d.say("No line that sets, declares or reads %s was found. It is mentioned in %s.", code(name), and(list))
}

func ofUse(lines []usedLine, uses ...use) []usedLine {
	return slices.DeleteFunc(slices.Clone(lines), func(l usedLine) bool { return !slices.Contains(uses, l.use) })
}

// placesOf names the first places, with the value that they give when it is short.
func placesOf(d *builder, lines []usedLine) string {
	const shown = 3
	var places []string
	for _, l := range lines[:min(shown, len(lines))] {
		place := "in " + l.At()
		if l.value != "" && len(l.value) <= 60 {
			place = "to " + code(l.value) + " " + place
			if l.use == declares {
				place = "as " + strings.TrimPrefix(place, "to ")
			}
		}
		places = append(places, place+" "+d.cite(l.Citation))
	}
	if more := len(lines) - len(places); more > 0 {
		places = append(places, wording.Count(more, "more place", "more places"))
	}
	return and(places)
}

// isProse reports whether a file is a document rather than code or settings.
func isProse(file string) bool {
	return slices.Contains([]string{".md", ".rst", ".txt", ".adoc", ".html"}, strings.ToLower(path.Ext(file)))
}
