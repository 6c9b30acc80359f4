package codeintel

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/codeintel/arity"
	"github.com/aurora-sidecar/aurora/engine/codeintel/finding"
	"github.com/aurora-sidecar/aurora/engine/codeintel/testcommand"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/git"
	"github.com/aurora-sidecar/aurora/index/graph"
	"github.com/aurora-sidecar/aurora/index/syntax"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
	"github.com/aurora-sidecar/aurora/internal/scrub"
	"github.com/aurora-sidecar/aurora/internal/text"
	"github.com/aurora-sidecar/aurora/memory"
)

// sureCaller is the confidence from which a caller counts as one.
const sureCaller = 0.5

// addSecrets looks for secrets in added lines. No finding holds one.
func (v *review) addSecrets() {
	for _, f := range v.files {
		for _, h := range v.touched[f.Path] {
			added := strings.Join(h.Added, "\n")
			_, secrets := scrub.Text(added)
			for _, s := range secrets {
				v.found.Add(finding.Finding{
					Rule: finding.Secret, Severity: secretSeverity(f.Path, s.Kind), Path: f.Path, Line: h.Line + strings.Count(added[:s.Start], "\n"),
					Message: "This line seems to have a secret (" + s.Kind + "): take it out, and replace it if others have seen it.", Evidence: "the secrets scanner's rule " + s.Kind,
				})
			}
		}
	}
}

// secretSeverity is an error, but for what looks like a password, of no known form, in documents and tests: there it is mostly an example.
func secretSeverity(path, kind string) string {
	prose := slices.Contains([]string{".md", ".markdown", ".mdx", ".rst", ".adoc", ".txt"}, strings.ToLower(filepath.Ext(path)))
	if kind == "password" && (prose || syntax.IsTest(path)) {
		return "note"
	}
	return "error"
}

// lookAtDefinitions asks about each definition that the diff touches.
func (v *review) lookAtDefinitions(ctx context.Context) {
	asked := 0
	for _, f := range v.files {
		doc, ok := v.document(f)
		if !ok {
			continue
		}
		for i := range doc.File.Chunks {
			ref := index.Ref{File: doc.File, Index: i}
			hunks := v.hunksIn(f.Path, ref)
			if len(hunks) == 0 || ctx.Err() != nil {
				continue
			}
			if asked++; asked > maxReviewDefinitions {
				v.note(fmt.Sprintf("only the first %d changed definitions were looked at", maxReviewDefinitions))
				return
			}
			v.lookAt(ctx, doc, ref, hunks)
		}
		v.addTestsIn(doc.File, f.Path)
	}
}

// addTestsIn notes the tests of the definitions of a file that the diff touches. Those of what a changed definition is inside of, as a class
// around a method, are asked for only when it has none itself.
func (v *review) addTestsIn(file *index.File, path string) {
	tested := map[int]bool{}                     // the hunks whose definition has tests
	for i := len(file.Chunks) - 1; i >= 0; i-- { // inner ones come after those around them
		ref := index.Ref{File: file, Index: i}
		if !codebase.IsDefinition(ref) {
			continue
		}
		var open []int
		for _, h := range v.hunksIn(path, ref) {
			if !tested[h.Line] {
				open = append(open, h.Line)
			}
		}
		if len(open) > 0 && v.addTests(ref) {
			for _, line := range open {
				tested[line] = true
			}
		} else if len(open) > 0 && v.hasPackageTests(file) { // which may reach it on other ways
			run := testcommand.OfFile(file)
			v.tests[run] = append(v.tests[run], ref.Chunk().QualifiedName())
		}
	}
}

// hasPackageTests reports whether a file is of a package of Go that has tests, and none itself.
func (v *review) hasPackageTests(file *index.File) bool {
	if file.Language != "go" || syntax.IsTest(file.Path) {
		return false
	}
	for f := range v.snap.Listed() {
		if f.Folder == file.Folder && strings.HasSuffix(f.Path, "_test.go") && codebase.DirName(f.Path) == codebase.DirName(file.Path) {
			return true
		}
	}
	return false
}

// document is the present text of a changed file; false when there is none to compare with.
func (v *review) document(f git.FileDiff) (*codebase.Document, bool) {
	if f.Binary || f.Kind == git.Deleted || len(v.touched[f.Path]) == 0 {
		return nil, false
	}
	file, ok := v.snap.File(filepath.Join(v.result.Folder, filepath.FromSlash(f.Path)))
	if !ok {
		v.unindexed = append(v.unindexed, wording.OneLine(f.Path))
		return nil, false
	}
	return v.docs.At(v.snap, file.Abs)
}

// hunksIn are the hunks of a file that touch a chunk.
func (v *review) hunksIn(path string, ref index.Ref) []git.Hunk {
	c := ref.Chunk()
	return slices.DeleteFunc(slices.Clone(v.touched[path]), func(h git.Hunk) bool {
		return h.Line-1 > c.EndLine || h.Line-1+max(1, len(h.Added)) <= c.StartLine
	})
}

func (v *review) lookAt(ctx context.Context, doc *codebase.Document, ref index.Ref, hunks []git.Hunk) {
	v.addNotes(ctx, doc, ref, hunks)
	if !codebase.IsDefinition(ref) {
		return
	}
	if before, after, ok := changedParameters(ref.Chunk().Name, hunks); ok {
		v.addCallers(doc, ref, before, after)
		v.addParameters(doc, ref, before, after)
	}
}

// addNotes finds what memory holds about the changed lines and the definition around them.
func (v *review) addNotes(ctx context.Context, doc *codebase.Document, ref index.Ref, hunks []git.Hunk) {
	var ids []string
	if codebase.IsDefinition(ref) {
		ids = append(ids, ref.ID())
	}
	for _, h := range hunks {
		first := min(max(h.Line, 1), doc.Lines.Count())
		last := min(max(first, h.Line+len(h.Added)-1), doc.Lines.Count())
		shifted := v.shifted[doc.File.Path] // memory knows the lines on disk
		about := snippet.Hit{Location: snippet.Location{Path: doc.File.Path, Abs: doc.File.Abs, Range: &text.Range{
			Start: text.Position{Line: git.Shifted(shifted, first) - 1}, End: text.Position{Line: git.Shifted(shifted, last) - 1},
		}}}
		records, err := v.intel.Records.Citing(ctx, about, ids)
		if err != nil {
			v.note("memory was not asked: " + err.Error())
			return
		}
		for i := range records {
			v.addNote(doc.File.Path, first, &records[i])
		}
	}
}

func (v *review) addNote(path string, line int, r *memory.Hit) {
	if v.found.Holds(func(f *finding.Finding) bool { return f.Path == path && f.Record == r.ID }) {
		return
	}
	evidence := fmt.Sprintf("is it still true? %s, %s", r.ID, wording.Ago(v.intel.Now(), r.CreatedAt))
	if w := snippet.CitationWarning(r); w != "" {
		evidence += "; " + w
	}
	v.found.Add(finding.Finding{
		Rule: finding.Record, Severity: "warning", Path: path, Line: line,
		Message: "A note is about this: " + wording.HeadLines(r.Content, 1), Evidence: evidence, Record: r.ID,
	}, r.ID, path)
}

// changedParameters are the parameters of a function before and after, when hunks remove and add its head; ok is false when
// they are the same, or the head was not changed on the line of its name.
func changedParameters(name string, hunks []git.Hunk) (before, after string, ok bool) {
	for _, h := range hunks {
		was, removed := parametersOf(name, h.Removed)
		is, added := parametersOf(name, h.Added)
		if removed && added {
			return was, is, was != is
		}
	}
	return "", "", false
}

// parametersOf cuts the parameters of the function name out of its head, white space made equal.
func parametersOf(name string, lines []string) (string, bool) {
	for i, line := range lines {
		at := strings.Index(line, name+"(")
		if at < 0 || !arity.IsHead(line) {
			continue
		}
		return balanced(strings.Join(append([]string{line[at+len(name):]}, lines[i+1:]...), " "))
	}
	return "", false
}

// balanced is what stands between the first parenthesis and the one that closes it.
func balanced(s string) (string, bool) {
	depth := 0
	for i, c := range s {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return strings.Join(strings.Fields(s[1:i]), " "), true
			}
		}
	}
	return "", false
}

// A changedHead is a function that takes another number of arguments, or whose parameters have other names where calls give them.
type changedHead struct {
	chunk   *chunk.Chunk
	was, is arity.Arity
	gone    []string // names
	finding finding.Finding
}

// addCallers names the calls that the diff leaves as they were, and whose number of arguments, or a name of one, the function takes no
// longer.
func (v *review) addCallers(doc *codebase.Document, ref index.Ref, before, after string) {
	c, language := ref.Chunk(), ref.File.Language
	head := &changedHead{chunk: c, was: arity.Of(before, language), is: arity.Of(after, language), gone: arity.Gone(before, after, language)}
	if head.was == head.is && len(head.gone) == 0 {
		return
	}
	head.finding = finding.Finding{Rule: finding.Caller, Severity: "warning", Path: ref.File.Path, Line: doc.Lines.Line(c.NameSpan.Start) + 1}
	edges, more := v.graph.Callers(codebase.PresentNode(v.snap, v.links, ref))
	if more {
		v.note("of the calls of " + c.QualifiedName() + " only the nearest were looked at")
	}
	for _, e := range edges {
		caller := v.links.Ref(e.To)
		if e.Confidence < sureCaller || caller.File.Folder != v.result.Folder || caller.File.Language != language {
			continue
		}
		if doc, present, ok := v.docs.Open(caller); ok {
			v.addCalls(doc, present, e.Confidence, head)
		}
	}
}

// addCalls finds the calls of a function in a caller that fitted it before and do no longer.
func (v *review) addCalls(doc *codebase.Document, caller index.Ref, confidence float64, head *changedHead) {
	span, name := caller.Chunk().Span, head.chunk.QualifiedName()
	if span.End > len(doc.Text) {
		return
	}
	code := string(doc.Text[span.Start:span.End])
	arity.CallArguments(code, head.chunk.Name, caller.File.Language, func(at int, arguments []string) {
		n, named := len(arguments), arity.Named(arguments, head.gone, caller.File.Language)
		if !head.was.Takes(n) || head.is.Takes(n) && named == "" { // what did not fit before calls another function of this name
			return
		}
		line := doc.Lines.Position(span.Start+at).Line + 1
		if v.isAdded(caller.File.Path, line) {
			return
		}
		with, pair := wording.Count(n, "argument", "arguments"), []string{head.finding.Path + ":" + name, head.is.String()}
		if named != "" {
			with = byName + named
		}
		if head.was == head.is {
			pair = append(pair, head.gone...)
		}
		v.found.AddPlace(head.finding, pair, finding.Place{
			Path: caller.File.Path, Line: line, Confidence: confidence, Message: fmt.Sprintf("%s calls it with %s", caller.Chunk().QualifiedName(), with),
		}, []string{caller.Chunk().ID(caller.File.Path), name}, head.say)
	})
}

// byName is before the name of a parameter that is gone.
const byName = "the parameter "

func (h *changedHead) say(calls []finding.Place) (message, evidence string) {
	var gone []string
	for _, call := range calls {
		if _, name, ok := strings.Cut(call.Message, byName); ok && !slices.Contains(gone, name) {
			gone = append(gone, name)
		}
	}
	if len(gone) > 0 {
		left := wording.Count(len(calls), "call does not fit any longer: change it", "calls do not fit any longer: change them")
		return fmt.Sprintf("%s has no parameter %s any longer, and %s.", h.chunk.QualifiedName(), strings.Join(gone, ", "), left),
			fmt.Sprintf("it took %s; %s", h.was.Arguments(), finding.Sureness("call", calls))
	}
	left := wording.Count(len(calls), "call still passes another number: change it", "calls still pass another number: change them")
	return fmt.Sprintf("%s takes %s now, and %s.", h.chunk.QualifiedName(), h.is.Arguments(), left), fmt.Sprintf("it took %s; %s", h.was, finding.Sureness("call", calls))
}

// isAdded reports whether the diff added a line.
func (v *review) isAdded(path string, line int) bool {
	return slices.ContainsFunc(v.touched[path], func(h git.Hunk) bool { return h.Line <= line && line < h.Line+len(h.Added) })
}

var parameterWord = lazyregexp.New(`[\pL_][\pL\pN_]*`)

// addParameters finds parameters that are gone and that the definition's comment still names as such.
func (v *review) addParameters(doc *codebase.Document, ref index.Ref, before, after string) {
	c := ref.Chunk()
	if c.Doc.End <= c.Doc.Start || c.Doc.End > len(doc.Text) {
		return
	}
	comment, present := string(doc.Text[c.Doc.Start:c.Doc.End]), parameterWord.FindAllString(after, -1)
	for _, name := range parameterWord.FindAllString(before, -1) {
		at := namedParameter(comment, name)
		if slices.Contains(present, name) || at < 0 {
			continue
		}
		v.found.Add(finding.Finding{
			Rule: finding.Parameter, Severity: "warning", Path: doc.File.Path, Line: doc.Lines.Position(c.Doc.Start+at).Line + 1,
			Message:  fmt.Sprintf("The comment of %s names the parameter %s, which is gone: change the comment.", c.QualifiedName(), name),
			Evidence: fmt.Sprintf("(%s) became (%s)", before, after),
		}, ref.ID(), name)
	}
}

// namedParameter is where a comment documents a parameter in the form of a documentation tool, -1 when it does not.
func namedParameter(comment, name string) int {
	quoted := regexp.QuoteMeta(name)
	at := regexp.MustCompile(`(?m)[@\\]param\s+(?:\{[^}]*\}\s*)?` + quoted + `\b|:param\s+(?:\w+\s+)?` + quoted + `:|^\s*` + quoted + `\s*(?:\([^)]*\))?:\s|` + "`" + quoted + "`").FindStringIndex(comment)
	if at == nil {
		return -1
	}
	return at[0]
}

// addTests notes the commands that run the tests of a definition, and reports whether there are any.
func (v *review) addTests(ref index.Ref) bool {
	if syntax.IsTest(ref.File.Path) {
		return false
	}
	found := false
	for _, e := range v.graph.Tests(codebase.PresentNode(v.snap, v.links, ref)) {
		test := v.links.Ref(e.To)
		if e.Confidence < sureCaller || test.File.Folder != v.result.Folder {
			continue
		}
		run := testcommand.Of(test)
		if strings.HasPrefix(e.Why, graph.NamedAfterFile) { // the first of a file that is for this one
			run = testcommand.OfFile(test.File)
		}
		if run.Program != "" {
			v.tests[run] = append(v.tests[run], ref.Chunk().QualifiedName())
			found = true
		}
	}
	return found
}
