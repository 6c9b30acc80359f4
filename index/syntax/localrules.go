package syntax

import (
	"fmt"
	"strings"
	"sync"

	sitter "github.com/smacker/go-tree-sitter"
)

// A localRole is what a capture of a locals query means.
type localRole uint8

const (
	localNone          localRole = iota
	localScope                   // @scope: names that are declared inside are known inside only
	localScopeFunction           // @scope.function: the same, and names are hoisted to it
	localScopeArrow              // @scope.arrow: a function that has no object of its own
	localScopeClass              // @scope.class: holds members, and names that functions inside don't see, where the language has that
	localOwner                   // @owner: the name of the type that a class scope is
	localName                    // @local: known in the innermost scope
	localNamed                   // @named: names the scope itself, and is known around it
	localHoisted                 // @hoisted: known in all of the innermost function
	localOuter                   // @outer: said to be a name of the file
	localEnclosing               // @enclosing: said to be a name of a function around
	localImport                  // @import: a name that an import brings
	localImportPath              // @import.path: what an import brings is named like the end of its path
	localMember                  // @member: known by what stands before it only
	localField                   // @field: a member that is known inside its class by its plain name, too
	localKey                     // @key: names something that the text around it decides about; no variable
	localType                    // @type: the declared type of the name
	localMaker                   // @maker: the function whose result the name is given
	localSource                  // @source: the path of names whose member the name is
	localModule                  // @module: a string that names a file; with @key, that file has the name
	localAfter                   // @after: the name is known behind this node only
	numLocalRoles
)

var localRoleOf = map[string]localRole{
	"scope": localScope, "scope.function": localScopeFunction, "scope.arrow": localScopeArrow, "scope.class": localScopeClass, "owner": localOwner,
	"local": localName, "named": localNamed, "hoisted": localHoisted, "outer": localOuter, "enclosing": localEnclosing, "import": localImport, "import.path": localImportPath,
	"member": localMember, "field": localField, "key": localKey, "type": localType, "maker": localMaker, "source": localSource, "module": localModule, "after": localAfter,
}

// localRules is a compiled locals query.
type localRules struct {
	query      *sitter.Query
	roles      []localRole
	predicates [][]predicate
}

// A localLanguage is how names are followed in a language.
type localLanguage struct {
	files   []string // under queries/locals/, read as one
	scoping localScoping

	load  sync.Once
	rules *localRules
	err   error
}

// localLanguages are those whose names are followed, by Language.Name.
var localLanguages = map[string]*localLanguage{
	"go":         {files: []string{"go.scm"}},
	"python":     {files: []string{"python.scm"}, scoping: localScoping{classPrivate: true}},
	"typescript": {files: []string{"ecma.scm", "typescript.scm"}},
	"tsx":        {files: []string{"ecma.scm", "typescript.scm"}},
	"javascript": {files: []string{"ecma.scm", "javascript.scm"}},
	"rust":       {files: []string{"rust.scm"}, scoping: localScoping{shadows: true}},
	"java":       {files: []string{"java.scm"}},
	"c":          {files: []string{"c.scm"}},
	"cpp":        {files: []string{"c.scm", "cpp.scm"}},
	"csharp":     {files: []string{"csharp.scm"}},
	"ruby":       {files: []string{"ruby.scm"}},
	"php":        {files: []string{"php.scm"}},
}

// HasScopes reports whether the language has rules by which FindScopes works.
func (l *Language) HasScopes() bool { return localLanguages[l.Name] != nil }

// compiled returns the rules, compiling them on first use.
func (f *localLanguage) compiled(l *Language) (*localRules, error) {
	f.load.Do(func() { f.rules, f.err = f.compile(l) })
	return f.rules, f.err
}

func (f *localLanguage) compile(l *Language) (*localRules, error) {
	var source []byte
	for _, name := range f.files {
		text, err := queryFiles.ReadFile("queries/locals/" + name)
		if err != nil {
			return nil, fmt.Errorf("read locals of %s: %w", l.Name, err)
		}
		source = append(source, text...)
	}
	query, err := sitter.NewQuery(source, l.grammar())
	if err != nil {
		return nil, fmt.Errorf("compile locals of %s: %w", l.Name, err)
	}
	r := &localRules{query: query}
	for i := range query.CaptureCount() {
		name := query.CaptureNameForId(i)
		role, known := localRoleOf[name]
		if !known && !strings.HasPrefix(name, "_") {
			return nil, fmt.Errorf("locals of %s: unknown capture @%s", l.Name, name)
		}
		r.roles = append(r.roles, role)
	}
	for i := range query.PatternCount() {
		var list []predicate
		for _, steps := range query.PredicatesForPattern(i) {
			p, err := compilePredicate(query, steps)
			if err != nil {
				return nil, fmt.Errorf("locals of %s, pattern %d: %w", l.Name, i, err)
			}
			list = append(list, p)
		}
		r.predicates = append(r.predicates, list)
	}
	return r, nil
}

// A localMatch is what one match of a locals query captured.
type localMatch struct {
	spans [numLocalRoles]Span
	set   uint32
}

func (m *localMatch) has(r localRole) bool { return m.set&(1<<r) != 0 }

// run calls yield with every match in a tree.
func (r *localRules) run(root *sitter.Node, src []byte, yield func(*localMatch)) error {
	var m localMatch
	return eachMatch(r.query, root, len(src), func(found *sitter.QueryMatch) {
		if r.read(found, src, &m) {
			yield(&m)
		}
	})
}

// read copies the captures of a match and reports whether the pattern's predicates hold.
func (r *localRules) read(found *sitter.QueryMatch, src []byte, m *localMatch) bool {
	m.set = 0
	predicates := r.predicates[found.PatternIndex]
	for _, capture := range found.Captures {
		span := Span{int(capture.Node.StartByte()), int(capture.Node.EndByte())}
		if span.End > len(src) || span.End < span.Start {
			return false
		}
		for i := range predicates {
			if p := &predicates[i]; p.capture == capture.Index && !p.holds(src[span.Start:span.End]) {
				return false
			}
		}
		role := r.roles[capture.Index]
		m.spans[role] = span
		m.set |= 1 << role
	}
	return true
}
