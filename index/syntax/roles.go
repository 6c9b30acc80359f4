package syntax

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
	sitter "github.com/smacker/go-tree-sitter"
)

// role is what a captured node means to AURORA.
type role uint8

const (
	roleNone role = iota

	// Definitions. A match with a name but without one of the first six adds what it captured (body, doc,
	// container) to the definition of the same name node.
	roleFunction  // @definition.function; becomes a method inside a class
	roleEquation  // @definition.equation: the same; those of one name that follow each other are one
	roleMethod    // @definition.method
	roleClass     // @definition.class: class, struct, interface, trait, enum, alias
	roleLabelled  // @definition.block: a key, table, statement or rule, which its name labels
	roleScope     // @scope: gives its name to what it holds, but is no definition itself (namespace, module)
	roleScopeType // @scope.class: the same, and functions in it are methods (impl block, object literal)
	roleName      // @name
	roleContainer // @container: the type that a method outside of its type belongs to
	roleBody      // @body: where the signature ends; without a name, that of the definition which ends with it
	roleDoc       // @doc: a documentation string inside the definition; without a name, that of the file
	roleVerb      // @verb: stands before the name in a label, as CREATE in "CREATE users"
	roleMember    // @member: stands behind the name in a label, as email in "INDEX users.email"

	// What surrounds definitions.
	roleInner     // @inner: a definition that stands in ...
	roleOuter     // @outer: ... a statement which belongs to it whole (export, decorators), if it holds no second one
	roleComment   // @comment: documents the definition right below it
	roleAttribute // @attribute: decorator or annotation; belongs to the definition below it
	roleHead      // @head: a type annotation of its own; the signature of the definition below begins with it

	// Uses.
	roleCall       // @call: the name of what is called
	roleCallOn     // @call.on: what it is called on, where the text before it doesn't tell
	roleCallToken  // @call.token: a name among the tokens that a macro is given, which is called if a bracket stands behind it
	roleSupertype  // @supertype: what the type of @name inherits from, implements or embeds
	roleImportPath // @import.path
	roleImportName // @import.name
	roleImportOf   // @import.of: what the import is called where it comes from, when that differs
	roleImportMain // @import.default: a name for what the module exports without one
	roleImportAll  // @import.all: a name for the module itself
	roleImportTree // @import.tree: a path, or a tree of paths, with all the names that it brings
	roleExportPath // @export.path: the module from which a name is passed on
	roleExportName // @export.name
	roleExportOf   // @export.of: what is exported is called this, here or where it comes from

	// Documents.
	roleHeading1 // @heading.1 to @heading.6
	roleHeading2
	roleHeading3
	roleHeading4
	roleHeading5
	roleHeading6
	roleInset // @inset: headings inside divide nothing, and nothing inside is called
	roleBlock // @block: is never cut in two

	roleEmbedded // @embedded: text of the other language that Language.embedded names

	// Symbols: what has a name and is no definition. @name is the name.
	roleSymbolConstant   // @symbol.constant; not inside a function, see collector.properSymbols
	roleSymbolVariable   // @symbol.variable; the same
	roleSymbolField      // @symbol.field
	roleSymbolProperty   // @symbol.property
	roleSymbolEnumMember // @symbol.enummember
	roleSymbolMacro      // @symbol.macro
	roleSymbolMethod     // @symbol.method: a member of an interface or an abstract type
	roleSymbolType       // @symbol.type: a type without members of its own
	roleSymbolNamespace  // @symbol.namespace
	roleSymbolTable      // @symbol.table
	roleSymbolColumn     // @symbol.column
	roleSymbolSelector   // @symbol.selector
	roleSymbolKey        // @symbol.key: of a configuration
	roleSymbolTest       // @symbol.test
	roleSymbolRoute      // @symbol.route
	roleSymbolInner      // @symbol.inner: of an object inside a function or an argument

	// Types, for those who follow values.
	roleBind      // @bind: names that are given a value or a type
	roleBindType  // @bind.type: that type
	roleBindValue // @bind.value: that value; @bind.each: a value of which they are each part
	roleBindEach
	roleBindScope // @bind.scope: where the names are known; else what follows and is indented no less
	roleResult    // @result: the type that the function of @name returns

	numRoles
)

// roleOf maps the names of captures; those that begin with an underscore serve predicates only.
var roleOf = map[string]role{
	"definition.function": roleFunction,
	"definition.equation": roleEquation,
	"definition.method":   roleMethod,
	"definition.class":    roleClass,
	"definition.block":    roleLabelled,
	"scope":               roleScope,
	"scope.class":         roleScopeType,
	"name":                roleName,
	"container":           roleContainer,
	"body":                roleBody,
	"doc":                 roleDoc,
	"verb":                roleVerb,
	"member":              roleMember,
	"inner":               roleInner,
	"outer":               roleOuter,
	"comment":             roleComment,
	"attribute":           roleAttribute,
	"head":                roleHead,
	"call":                roleCall,
	"call.on":             roleCallOn,
	"call.token":          roleCallToken,
	"supertype":           roleSupertype,
	"import.path":         roleImportPath,
	"import.name":         roleImportName,
	"import.of":           roleImportOf,
	"import.default":      roleImportMain,
	"import.all":          roleImportAll,
	"import.tree":         roleImportTree,
	"export.path":         roleExportPath,
	"export.name":         roleExportName,
	"export.of":           roleExportOf,
	"heading.1":           roleHeading1,
	"heading.2":           roleHeading2,
	"heading.3":           roleHeading3,
	"heading.4":           roleHeading4,
	"heading.5":           roleHeading5,
	"heading.6":           roleHeading6,
	"inset":               roleInset,
	"block":               roleBlock,
	"embedded":            roleEmbedded,
	"symbol.constant":     roleSymbolConstant,
	"symbol.variable":     roleSymbolVariable,
	"symbol.field":        roleSymbolField,
	"symbol.property":     roleSymbolProperty,
	"symbol.enummember":   roleSymbolEnumMember,
	"symbol.macro":        roleSymbolMacro,
	"symbol.method":       roleSymbolMethod,
	"symbol.type":         roleSymbolType,
	"symbol.namespace":    roleSymbolNamespace,
	"symbol.table":        roleSymbolTable,
	"symbol.column":       roleSymbolColumn,
	"symbol.selector":     roleSymbolSelector,
	"symbol.key":          roleSymbolKey,
	"symbol.test":         roleSymbolTest,
	"symbol.route":        roleSymbolRoute,
	"symbol.inner":        roleSymbolInner,
	"bind":                roleBind,
	"bind.type":           roleBindType,
	"bind.value":          roleBindValue,
	"bind.each":           roleBindEach,
	"bind.scope":          roleBindScope,
	"result":              roleResult,
}

// rules is a compiled query file. It is immutable.
type rules struct {
	grammar    *sitter.Language
	query      *sitter.Query
	roles      []role        // by capture index
	predicates [][]predicate // by pattern index
	asksTop    bool          // a predicate is #top-level?
	local      bool          // no pattern names the root of a tree or two neighbours: see branches
	embedded   *Language     // of embedded texts, nil for most
}

// A predicate restricts a pattern by one capture: its text, or its place; or it cuts off how that text begins. The binding's own evaluation compiles every regular
// expression again for every match.
type predicate struct {
	capture uint32
	negated bool
	top     bool           // the node is a child of the root; nothing else counts
	strip   bool           // what pattern matches at the beginning is cut off; holds always
	pattern *regexp.Regexp // nil: one of values
	values  []string
}

func (p *predicate) holds(text []byte) bool {
	if p.strip {
		return true
	}
	var found bool
	if p.pattern != nil {
		found = p.pattern.Match(text)
	} else {
		found = slices.Contains(p.values, string(text))
	}
	return found != p.negated
}

func compile(grammar *sitter.Language, source []byte) (*rules, error) {
	query, err := sitter.NewQuery(source, grammar)
	if err != nil {
		return nil, err
	}
	r := &rules{grammar: grammar, query: query, local: isLocal(source, rootKind(grammar))}
	for i := range query.CaptureCount() {
		name := query.CaptureNameForId(i)
		role, known := roleOf[name]
		if !known && !strings.HasPrefix(name, "_") {
			return nil, fmt.Errorf("unknown capture @%s", name)
		}
		r.roles = append(r.roles, role)
	}
	for i := range query.PatternCount() {
		var list []predicate
		for _, steps := range query.PredicatesForPattern(i) {
			p, err := compilePredicate(query, steps)
			if err != nil {
				return nil, fmt.Errorf("pattern %d: %w", i, err)
			}
			list = append(list, p)
			r.asksTop = r.asksTop || p.top
		}
		r.predicates = append(r.predicates, list)
	}
	return r, nil
}

// rootKind is the kind of node that every tree of the grammar has as its root.
func rootKind(grammar *sitter.Language) string {
	parser := sitter.NewParser()
	defer parser.Close()
	parser.SetLanguage(grammar)
	tree, err := parser.ParseCtx(context.Background(), nil, nil)
	if err != nil {
		return ""
	}
	defer tree.Close()
	return tree.RootNode().Type()
}

// isLocal reports whether every pattern of a query looks at one child at most of the root and what is below it:
// none names the root, and none is a group or a repetition of neighbours.
func isLocal(source []byte, root string) bool {
	if root == "" {
		return false
	}
	depth, group := 0, 0 // group counts the nodes of the present group; 0 outside of one
	tokens := queryToken.FindAllSubmatch(source, -1)
	for i, t := range tokens {
		switch {
		case t[0][0] == ')':
			depth--
			if repeated := len(t[0]) > 1; repeated && (depth == 0 || depth == 1 && group > 0) {
				return false
			}
			if depth == 0 {
				group = 0
			}
		case t[0][0] == '(':
			kind := string(t[1])
			if kind == root || kind == "_" && depth == 0 && len(t[2]) == 0 { // the root has no fields
				return false
			}
			predicate := kind == "" && i+1 < len(tokens) && tokens[i+1][0][0] == '#'
			if depth == 1 && group > 0 && !predicate {
				if group++; group > 2 {
					return false
				}
			}
			if depth == 0 && kind == "" {
				group = 1
			}
			depth++
		}
	}
	return true
}

// queryToken matches what isLocal looks at in a query: comments and strings, to skip them; the name of a predicate;
// brackets, an opening one with the kind of node it names and, of any kind, the field that follows.
var queryToken = lazyregexp.New(`;[^\n]*|"(?:[^"\\]|\\.)*"|#[\w-]+|\((\w*)(?: (\w+):)?|\)[+*]?`)

// compilePredicate understands #eq?, #any-of? and #match? with a capture and literals, each also with "not-", and
// #top-level? with a capture: it must be a child of the root, which a pattern that is to stay local can't name. #strip! cuts what
// a regular expression matches off a capture's beginning, as the $ of a variable.
func compilePredicate(query *sitter.Query, steps []sitter.QueryPredicateStep) (predicate, error) {
	var p predicate
	if len(steps) == 3 && steps[1].Type == sitter.QueryPredicateStepTypeCapture &&
		query.StringValueForId(steps[0].ValueId) == "top-level?" {
		return predicate{capture: steps[1].ValueId, top: true}, nil
	}
	if len(steps) < 4 || steps[1].Type != sitter.QueryPredicateStepTypeCapture {
		return p, fmt.Errorf("a predicate needs a capture and a literal")
	}
	operator := query.StringValueForId(steps[0].ValueId)
	p.capture = steps[1].ValueId
	for _, step := range steps[2 : len(steps)-1] { // the last step only marks the end
		if step.Type != sitter.QueryPredicateStepTypeString {
			return p, fmt.Errorf("#%s compares with literals only", operator)
		}
		p.values = append(p.values, query.StringValueForId(step.ValueId))
	}
	var kind string
	kind, p.negated = strings.CutPrefix(operator, "not-")
	switch kind {
	case "eq?", "any-of?":
		return p, nil
	case "match?", "strip!":
		pattern, err := regexp.Compile(p.values[0])
		p.pattern, p.strip = pattern, kind == "strip!"
		return p, err
	}
	return p, fmt.Errorf("unknown predicate #%s", operator)
}
