package syntax

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Declaration is a name at the place that declares it.
type Declaration struct {
	Name  Span
	Type  Span   // of what is declared, where the declaration says it; {} else
	Maker Span   // the function whose result the name is given; {} else
	Owner string // the type whose member it is, "" for most
	Kind  DeclarationKind

	class int // the scope of the type whose member it is
}

// DeclarationKind says where a declared name is known.
type DeclarationKind uint8

// The kinds of declarations.
const (
	Local      DeclarationKind = iota + 1 // in a part of a function
	TopLevel                              // in all of the file at least
	Imported                              // in the file; something else is meant
	TypeMember                            // behind something of its type
)

// Scopes are the names that one text declares, each with the part of the text that knows it. They hold no tree, and are
// immutable.
type Scopes struct {
	src     []byte
	scopes  []scope // the text, then in the order of their starts, outer ones first
	names   map[string][]declared
	members map[string][]Declaration // by name
	keys    map[int]KeyOwner         // names that stand for a part of something, by their starts
	modules []Span                   // strings that name files
	rules   localScoping
}

// A localScoping is how a language differs from others in what is known where.
type localScoping struct {
	shadows      bool // a second declaration in the same scope is another thing
	classPrivate bool // functions inside a class don't see its names
}

// A KeyOwner is what has the part for which a name stands, as far as the text says so: the field of a literal, an argument by its
// name, a label, what is taken out of an object or out of a module.
type KeyOwner struct {
	Type   Span // the name of a type
	Source Span // a path of names
	Module Span // the string that names a file
}

type scope struct {
	Span
	parent   int // -1 for the text
	function bool
	arrow    bool // a function, too
	class    bool
	owner    string
}

type declared struct {
	Declaration
	scope int
	after int // known from here on; 0 for all of the scope
	// elsewhere, when set, says that this is no declaration: localOuter, the name is one of the file; localEnclosing, of a
	// function around.
	elsewhere localRole
}

// FindScopes parses a text and returns what it declares; nil without an error for a language without rules for that.
// Its other errors are those of Parse.
func FindScopes(lang *Language, src []byte) (*Scopes, error) {
	local := localLanguages[lang.Name]
	if local == nil {
		return nil, nil
	}
	rules, err := local.compiled(lang)
	if err != nil {
		return nil, err
	}
	tree, _, err := lang.parseWhole(src)
	if err != nil {
		return nil, fmt.Errorf("parse %s: %w", lang.Name, err)
	}
	defer closeTree(tree)
	b := &scopeBuilder{src: src, keys: map[int]KeyOwner{}, seen: map[int]int{}}
	if err := rules.run(tree.RootNode(), src, b.add); err != nil {
		return nil, fmt.Errorf("scopes of %s: %w", lang.Name, err)
	}
	return b.scopes(local.scoping), nil
}

// scopeBuilder collects the matches of one text.
type scopeBuilder struct {
	src     []byte
	found   []scope
	names   []pendingName
	keys    map[int]KeyOwner
	modules []Span
	seen    map[int]int // declarations by the starts of their names
}

// A pendingName is a name whose scope is not known yet.
type pendingName struct {
	Declaration
	role  localRole
	after int
}

func (b *scopeBuilder) add(m *localMatch) {
	for role := localScope; role <= localScopeClass; role++ {
		if m.has(role) {
			arrow := role == localScopeArrow
			s := scope{Span: m.spans[role], function: role == localScopeFunction || arrow, arrow: arrow, class: role == localScopeClass}
			if m.has(localOwner) {
				s.owner = b.text(m.spans[localOwner])
			}
			b.found = append(b.found, s)
		}
	}
	if m.has(localKey) {
		b.addKey(m)
	} else if m.has(localModule) {
		b.modules = append(b.modules, m.spans[localModule])
	}
	for role := localName; role <= localField; role++ {
		if m.has(role) {
			b.declare(role, m)
		}
	}
}

// addKey notes what a name is a part of. Several patterns may know the same one, each something else.
func (b *scopeBuilder) addKey(m *localMatch) {
	start := m.spans[localKey].Start
	key := b.keys[start]
	for role, span := range map[localRole]*Span{localType: &key.Type, localSource: &key.Source, localModule: &key.Module} {
		if span.Empty() {
			*span = typeSpan(m, role)
		}
	}
	b.keys[start] = key
}

// declare notes a name. Several patterns may know the same one: the first that knows its type counts.
func (b *scopeBuilder) declare(role localRole, m *localMatch) {
	p := pendingName{role: role, Declaration: Declaration{Name: m.spans[role], Type: typeSpan(m, localType), Maker: typeSpan(m, localMaker)}}
	if m.has(localAfter) {
		p.after = m.spans[localAfter].End
	}
	if at, known := b.seen[p.Name.Start]; known && (b.names[at].role == role || role != localMember && b.names[at].role != localMember) {
		known := &b.names[at]
		if known.Type.Empty() {
			known.Type = p.Type
		}
		if known.Maker.Empty() {
			known.Maker = p.Maker
		}
		if p.role == localImport {
			known.role = p.role // const x = require("y") is a constant, too
		}
		return
	}
	b.seen[p.Name.Start] = len(b.names)
	b.names = append(b.names, p)
}

func typeSpan(m *localMatch, role localRole) Span {
	if m.has(role) {
		return m.spans[role]
	}
	return Span{}
}

func (b *scopeBuilder) text(s Span) string { return string(b.src[s.Start:s.End]) }

// scopes nests what was collected.
func (b *scopeBuilder) scopes(rules localScoping) *Scopes {
	s := &Scopes{src: b.src, names: map[string][]declared{}, members: map[string][]Declaration{}, keys: b.keys, modules: b.modules, rules: rules}
	s.nest(b.found)
	slices.SortFunc(b.names, func(x, y pendingName) int { return cmp.Compare(x.Name.Start, y.Name.Start) })
	for _, p := range b.names {
		name := b.text(p.Name)
		if p.role == localImportPath {
			name = importedName(name)
		}
		s.place(p, name)
	}
	return s
}

// nest sorts the scopes and finds the one around each. The block that ends with its function is no scope of its own:
// parameters and the names of the body don't shadow each other.
func (s *Scopes) nest(found []scope) {
	slices.SortStableFunc(found, func(x, y scope) int {
		return cmp.Or(cmp.Compare(x.Start, y.Start), cmp.Compare(y.End, x.End), flag(y.class)-flag(x.class))
	})
	s.scopes = []scope{{Span: Span{0, len(s.src)}, parent: -1}}
	around := []int{0}
	for _, f := range found {
		for len(around) > 1 && s.scopes[around[len(around)-1]].End <= f.Start {
			around = around[:len(around)-1]
		}
		f.parent = around[len(around)-1]
		p := &s.scopes[f.parent]
		if f.Span == p.Span && f.parent > 0 {
			p.function, p.class, p.arrow = p.function || f.function, p.class || f.class, p.arrow || f.arrow
			p.owner = cmp.Or(p.owner, f.owner)
			continue
		}
		if p.function && f.End == p.End && !f.function && !f.class {
			continue
		}
		around = append(around, len(s.scopes))
		s.scopes = append(s.scopes, f)
	}
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

// place puts a name into the scope that knows it.
func (s *Scopes) place(p pendingName, name string) {
	at := s.at(p.Name.Start)
	switch p.role {
	case localNamed:
		at = max(0, s.scopes[at].parent)
	case localHoisted:
		for at > 0 && !s.scopes[at].function && !s.scopes[at].class {
			at = s.scopes[at].parent
		}
	case localMember, localField:
		class := at
		for class > 0 && !s.scopes[class].class {
			class = s.scopes[class].parent
		}
		p.Kind, p.Owner, p.class = TypeMember, s.scopes[class].owner, class
		s.members[name] = append(s.members[name], p.Declaration)
		if p.role == localMember {
			return
		}
		at = class
	}
	d := declared{Declaration: p.Declaration, scope: at, after: p.after}
	if p.role == localOuter || p.role == localEnclosing {
		d.elsewhere = p.role
	}
	if at == 0 {
		d.after = 0
	}
	d.Kind = s.kindIn(at, p.role)
	s.names[name] = append(s.names[name], d)
}

// importedName is the name that the path of an import of Go most probably brings: its last element that is no version.
func importedName(written string) string {
	parts := strings.Split(strings.Trim(written, "`\""), "/")
	last := parts[len(parts)-1]
	if len(parts) > 1 && len(last) > 1 && last[0] == 'v' && strings.Trim(last[1:], "0123456789") == "" {
		last = parts[len(parts)-2]
	}
	last, _, _ = strings.Cut(last, ".")
	return strings.TrimSuffix(strings.TrimPrefix(last, "go-"), "-go")
}

func (s *Scopes) kindIn(at int, role localRole) DeclarationKind {
	if role == localImport || role == localImportPath {
		return Imported
	}
	if role == localField {
		return TypeMember
	}
	for ; at > 0; at = s.scopes[at].parent {
		if s.scopes[at].function {
			return Local
		}
	}
	return TopLevel
}

// at is the innermost scope around an offset.
func (s *Scopes) at(offset int) int {
	i, _ := slices.BinarySearchFunc(s.scopes, offset+1, func(x scope, offset int) int { return cmp.Compare(x.Start, offset) })
	for i--; i > 0 && s.scopes[i].End <= offset; {
		i = s.scopes[i].parent
	}
	return max(0, i)
}

// Key reports whether the name that starts at an offset stands for a part of something else.
func (s *Scopes) Key(start int) (key KeyOwner, ok bool) {
	key, ok = s.keys[start]
	return key, ok
}

// Module returns the string around an offset that names a file, with its quotes.
func (s *Scopes) Module(offset int) (Span, bool) {
	for _, m := range s.modules {
		if m.Start <= offset && offset < m.End {
			return m, true
		}
	}
	return Span{}, false
}

// Declares returns the declaration whose name starts at an offset.
func (s *Scopes) Declares(name string, start int) (Declaration, bool) {
	for _, d := range s.names[name] {
		if d.Name.Start == start && d.elsewhere == localNone {
			return d.Declaration, true
		}
	}
	for _, m := range s.members[name] {
		if m.Name.Start == start {
			return m, true
		}
	}
	return Declaration{}, false
}

// Lookup finds the declaration that a plain name at an offset means. ok is false when the text does not declare it.
func (s *Scopes) Lookup(name string, offset int) (Declaration, bool) {
	candidates := s.names[name]
	if len(candidates) == 0 {
		return Declaration{}, false
	}
	inFunction := false
	for at := s.at(offset); at >= 0; at = s.scopes[at].parent {
		hidden := s.rules.classPrivate && s.scopes[at].class && inFunction
		if d, found := s.within(candidates, at, offset); found && !hidden {
			switch d.elsewhere {
			case localNone:
				return d.Declaration, true
			case localOuter:
				d, found := s.within(candidates, 0, offset)
				return d.Declaration, found
			}
		}
		inFunction = inFunction || s.scopes[at].function
	}
	return Declaration{}, false
}

// within finds the declaration of a scope that counts at an offset: the first one, or the last one before it where a
// second one is another thing. The name at its own declaration is that one.
func (s *Scopes) within(candidates []declared, at, offset int) (best declared, found bool) {
	for _, d := range candidates {
		if d.scope != at || d.after > offset && d.Name.Start != offset {
			continue
		}
		switch {
		case !found || d.elsewhere != localNone:
			best, found = d, true
		case s.rules.shadows && d.Name.Start <= offset:
			best = d
		}
	}
	return best, found
}

// Owner returns the name of the type around an offset, "" outside of types.
func (s *Scopes) Owner(offset int) string {
	for at := s.at(offset); at > 0; at = s.scopes[at].parent {
		if s.scopes[at].class {
			return s.scopes[at].owner
		}
	}
	return ""
}

// Self returns the place of the type whose object a function at an offset has, and its name: none where a function that is
// no method stands between.
func (s *Scopes) Self(offset int) (owner string, start int, ok bool) {
	method := false
	for at := s.at(offset); at > 0; at = s.scopes[at].parent {
		sc := &s.scopes[at]
		if sc.class {
			return sc.owner, sc.Start, sc.owner != ""
		}
		if method && sc.function {
			return "", 0, false
		}
		method = method || sc.function && !sc.arrow
	}
	return "", 0, false
}

// Members returns the declarations of a member of a type in the text, the first one first. Of several types of the same name
// that one counts whose name starts at an offset, if it has the member.
func (s *Scopes) Members(owner string, start int, name string) []Declaration {
	var found, own []Declaration
	class := s.at(start)
	for _, m := range s.members[name] {
		if m.Owner == owner {
			found = append(found, m)
			if m.class == class {
				own = append(own, m)
			}
		}
	}
	if len(own) > 0 {
		return own
	}
	return found
}

// Text returns the text of a span.
func (s *Scopes) Text(span Span) string { return string(s.src[span.Start:span.End]) }
