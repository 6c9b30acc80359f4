package ground

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/reason/claims"
	"github.com/aurora-sidecar/aurora/engine/search/querytext"
	"github.com/aurora-sidecar/aurora/engine/search/rank"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// A Checker is claims.Grounds over a workspace.
type Checker struct{ Library *evidence.Workspace }

var _ claims.Grounds = Checker{}

// Contradicted implements claims.Grounds. It fails with the context's error alone.
func (c Checker) Contradicted(ctx context.Context, s claims.Statements) ([]string, error) {
	wrong := make([]string, len(s.Texts))
	subject := ""
	for i, text := range s.Texts {
		r := &reading{Checker: c, query: s.Query, text: claims.WithoutCitations(text)}
		wrong[i] = r.names()
		if wrong[i] == "" && !s.NamesOnly {
			stated := statements(r.text, subject)
			problem, err := r.first(ctx, stated)
			if err != nil {
				return nil, err
			}
			wrong[i] = problem
		}
		if names := mentions(r.text); len(names) > 0 {
			subject = names[0].name
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return wrong, nil
}

// A reading is one sentence that is held against the workspace.
type reading struct {
	Checker
	query string
	text  string
}

// first is the first statement that is not so, in words; "" when there is none.
func (r *reading) first(ctx context.Context, list []statement) (string, error) {
	for _, s := range list {
		problem, err := r.hold(ctx, s)
		if problem != "" || err != nil {
			return problem, err
		}
	}
	return "", nil
}

var (
	place   = lazyregexp.New(`([\w./-]*[\w-]\.\w{1,8}):(\d{1,7})\b`)
	written = lazyregexp.New(`[\w.-]+(?:/[\w.-]+)+\.[A-Za-z]\w{0,7}\b`)
	coded   = lazyregexp.New("`([A-Za-z_][A-Za-z0-9_]*(?:(?:\\.|::)[A-Za-z_][A-Za-z0-9_]*)*)(?:\\(\\))?`")
)

// names looks for files, lines and names that do not exist. What a sentence proposes or denies need not exist, nor what the
// question names.
func (r *reading) names() string {
	for _, found := range place.FindAllStringSubmatch(r.text, -1) {
		line, err := strconv.Atoi(found[2])
		file := r.file(found[1])
		switch {
		case err != nil:
		case file == nil && r.isMissing(found[1]) && !claims.Proposes(r.text):
			return fmt.Sprintf("there is no file %s", found[1])
		case file == nil:
		case line < 1 || line > max(1, file.Lines):
			return fmt.Sprintf("%s has no line %d", found[1], line)
		}
	}
	if claims.Denies(r.text) || claims.Proposes(r.text) {
		return ""
	}
	for _, path := range written.FindAllString(place.ReplaceAllString(r.text, "$1"), -1) {
		if !strings.Contains(r.query, path) && r.isMissing(path) {
			return fmt.Sprintf("there is no file %s", path)
		}
	}
	for _, found := range coded.FindAllStringSubmatch(r.text, -1) {
		if problem := r.unknown(strings.ReplaceAll(found[1], "::", ".")); problem != "" {
			return problem
		}
	}
	return ""
}

// unknown says what is wrong about a name: no text of the workspace has it.
func (r *reading) unknown(name string) string {
	last := codebase.LastName(name)
	if len(last) < 3 || strings.Contains(r.query, last) || r.file(name) != nil {
		return ""
	}
	anything := func(index.Ref) bool { return true }
	if len(codebase.Definitions(r.Library.Snap, name, 1, anything)) == 0 && r.unheard(last) {
		return fmt.Sprintf("nothing in the workspace is called `%s`", name)
	}
	return ""
}

// unheard reports whether a name is in no text at all.
func (r *reading) unheard(name string) bool {
	q := querytext.Parse(name)
	return len(r.Library.Snap.Find(index.Query{Terms: rank.Terms(q, rank.Classify(q.Words)), Limit: 1}).Unknown) > 0
}

// isMissing reports whether a path would be indexed if it were there: it is of a kind that the workspace has, and is not.
func (r *reading) isMissing(file string) bool {
	first, _, nested := strings.Cut(strings.TrimPrefix(file, "./"), "/")
	if nested && strings.Contains(first, ".") && !strings.HasPrefix(first, ".") || r.file(file) != nil {
		return false // the path of a module, such as github.com/a/b.go
	}
	extension := path.Ext(file)
	for f := range r.Library.Snap.Listed() {
		if path.Ext(f.Path) == extension {
			return true
		}
	}
	return false
}

// file is the file with a path, or whose path ends so; nil when there is none.
func (r *reading) file(at string) *index.File {
	at = strings.TrimPrefix(at, "./")
	var best *index.File
	rank := 0
	for f := range r.Library.Snap.Listed() {
		own := 0
		switch {
		case f.Path == at && strings.Contains(at, "/") || f.Abs == at:
			return f.Loaded()
		case f.Path == at || strings.HasSuffix(f.Path, "/"+at):
			own = 1 << 20 // a beginning may be left out
		case strings.HasSuffix(at, "/"+f.Path):
			own = len(f.Path)
		}
		if own == 0 || own < rank {
			continue
		}
		if loaded := f.Loaded(); own > rank || loaded.Lines > best.Lines { // of two that it may be, the one that more can be said of
			best, rank = loaded, own
		}
	}
	return best
}

// definitions are those that a name means, spelled so.
func (r *reading) definitions(ctx context.Context, name string) ([]evidence.Citation, error) {
	list, err := r.Library.Definitions(ctx, name)
	return slices.DeleteFunc(list, func(p evidence.Citation) bool {
		return codebase.LastName(p.Name) != codebase.LastName(name)
	}), err
}
