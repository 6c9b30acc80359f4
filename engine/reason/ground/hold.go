package ground

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/reason/claims"
)

// Of what is looked at to decide a statement.
const (
	mostDefinitions = 8 // of a name; one with more means too much
	mostLinks       = 200
	mostSteps       = 4 // between a type and one that it inherits from
)

// hold says what is wrong about a statement; "" when it is so, or when that can't be decided.
func (r *reading) hold(ctx context.Context, s statement) (string, error) {
	from, err := r.definitions(ctx, s.from)
	if err != nil || len(from) == 0 || len(from) > mostDefinitions {
		return "", err
	}
	switch s.relation {
	case calls:
		return r.holdCall(ctx, s, from)
	case tests:
		return r.holdTest(ctx, s, from)
	case inherits:
		return r.holdType(ctx, s, from)
	case standsIn:
		return r.holdPlace(s, from), nil
	}
	return "", nil
}

func isFunction(p evidence.Citation) bool { return p.Type == "function" || p.Type == "method" }

// parenthesized are the languages in which nothing is called without parentheses.
var parenthesized = []string{"go", "python", "javascript", "typescript", "tsx", "java", "c", "cpp", "csharp", "php", "rust"}

// callsIn reports whether a text calls a name.
func callsIn(text, name string) bool {
	re, err := regexp.Compile(`\b` + regexp.QuoteMeta(name) + `\b\s*(?:(?:::)?<[^<>()]*>|\[[^\[\]()]*\])?!?(?:\?\.)?\s*\(`)
	return err == nil && len(re.FindAllString(text, 2)) > 0
}

// bodyOf is a definition without its first line that has the name, and without its comment.
func bodyOf(p evidence.Citation) string {
	at := strings.Index(p.Text, codebase.LastName(p.Name)+"(")
	if at < 0 {
		return p.Text
	}
	return p.Text[at+len(codebase.LastName(p.Name)):]
}

// holdCall decides whether one of the definitions calls a name. A function that names another one may call it; one that
// does not name it does not, unless what it calls does and the sentence is loose.
func (r *reading) holdCall(ctx context.Context, s statement, from []evidence.Citation) (string, error) {
	to := codebase.LastName(s.to)
	if !slices.ContainsFunc(from, isFunction) || slices.ContainsFunc(from, func(p evidence.Citation) bool { return !isFunction(p) }) {
		return "", nil
	}
	if s.denied {
		if len(from) == 1 && callsIn(bodyOf(from[0]), to) && codebase.LastName(s.from) != to {
			return fmt.Sprintf("`%s` does call `%s`, in %s", s.from, s.to, from[0].Place()), nil
		}
		return "", nil
	}
	known, err := r.definitions(ctx, s.to)
	if err != nil {
		return "", err
	}
	defined := len(known) > 0
	for _, p := range from {
		if callsIn(bodyOf(p), to) || defined && claims.HasWord(bodyOf(p), to) || !slices.Contains(parenthesized, p.Language) {
			return "", nil
		}
	}
	if s.loosely {
		return "", nil
	}
	return fmt.Sprintf("`%s` does not call `%s`: %s", s.from, s.to, from[0].Place()), nil
}

// holdTest decides whether one of the definitions is a test that reaches a name.
func (r *reading) holdTest(ctx context.Context, s statement, from []evidence.Citation) (string, error) {
	to := codebase.LastName(s.to)
	known, err := r.definitions(ctx, s.to)
	if err != nil || len(known) == 0 || !slices.ContainsFunc(from, func(p evidence.Citation) bool { return p.Test }) {
		return "", err
	}
	for _, p := range from {
		named := claims.HasWord(bodyOf(p), to)
		if s.denied {
			if len(from) == 1 && callsIn(bodyOf(p), to) {
				return fmt.Sprintf("`%s` does call `%s`, in %s", s.from, s.to, p.Place()), nil
			}
			continue
		}
		reached, err := r.reaches(ctx, p, to)
		if named || reached || err != nil {
			return "", err
		}
	}
	if s.denied {
		return "", nil
	}
	return fmt.Sprintf("`%s` does not test `%s`: %s", s.from, s.to, from[0].Place()), nil
}

// reaches reports whether something that a test calls, or is known to test, has the name.
func (r *reading) reaches(ctx context.Context, p evidence.Citation, name string) (bool, error) {
	for _, to := range []evidence.Direction{evidence.ToCallees, evidence.ToTests} {
		links, _, err := r.Library.Neighbours(ctx, p, to, mostLinks)
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(links, func(l evidence.Link) bool { return claims.HasWord(l.Text, name) }) {
			return true, nil
		}
	}
	return false, nil
}

// holdType decides whether one of the definitions inherits from a name.
func (r *reading) holdType(ctx context.Context, s statement, from []evidence.Citation) (string, error) {
	known, err := r.definitions(ctx, s.to)
	if err != nil || len(known) == 0 || len(known) > mostDefinitions || !allTypes(from) || !allTypes(known) {
		return "", err
	}
	above, err := r.above(ctx, from, codebase.LastName(s.to))
	if err != nil {
		return "", err
	}
	below := false
	for _, p := range known {
		links, _, err := r.Library.Neighbours(ctx, p, evidence.ToSubtypes, mostLinks)
		if err != nil {
			return "", err
		}
		below = below || slices.ContainsFunc(links, func(l evidence.Link) bool { return codebase.LastName(l.Name) == codebase.LastName(s.from) })
	}
	switch {
	case s.denied && above.direct:
		return fmt.Sprintf("`%s` does inherit from `%s`: %s", s.from, s.to, from[0].Place()), nil
	case s.denied || above.any || below || from[0].Language == "go" && above.some || claims.HasWord(from[0].Signature, codebase.LastName(s.to)):
		return "", nil
	}
	return fmt.Sprintf("`%s` does not inherit from `%s`: %s", s.from, s.to, from[0].Place()), nil
}

func allTypes(list []evidence.Citation) bool {
	return !slices.ContainsFunc(list, func(p evidence.Citation) bool { return p.Type != "class" })
}

// ancestry says whether types inherit from a name, and whether they inherit at all.
type ancestry struct{ direct, any, some bool }

// above follows what types inherit from.
func (r *reading) above(ctx context.Context, from []evidence.Citation, name string) (a ancestry, err error) {
	seen := map[string]bool{}
	for step := range mostSteps {
		var next []evidence.Citation
		for _, p := range from {
			links, _, err := r.Library.Neighbours(ctx, p, evidence.ToSupertypes, mostLinks)
			if err != nil {
				return a, err
			}
			for _, l := range links {
				if seen[l.ID] {
					continue
				}
				seen[l.ID], a.some = true, true
				next = append(next, l.Citation)
				if codebase.LastName(l.Name) == name {
					a.any, a.direct = true, a.direct || step == 0
				}
			}
		}
		from = next
	}
	return a, nil
}

// holdPlace decides whether one of the definitions is in a file.
func (r *reading) holdPlace(s statement, from []evidence.Citation) string {
	file := r.file(s.to)
	if file == nil {
		return ""
	}
	here := slices.ContainsFunc(from, func(p evidence.Citation) bool { return p.Path == file.Path || strings.HasSuffix(p.Path, "/"+s.to) })
	switch {
	case here && s.denied:
		return fmt.Sprintf("`%s` is in %s", s.from, s.to)
	case here || s.denied:
		return ""
	}
	return fmt.Sprintf("`%s` is not in %s but in %s", s.from, s.to, from[0].Path)
}
