package lifespan

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"
)

// A condition is a compiled expression over Facts.
type condition struct{ program *vm.Program }

// machines are reused: a search asks a handful of conditions of each record.
var machines = sync.Pool{New: func() any { return new(vm.VM) }}

// holds reports whether the condition is true of a record.
func (c *condition) holds(f *Facts) bool {
	machine := machines.Get().(*vm.VM)
	defer machines.Put(machine)
	result, err := machine.Run(c.program, f)
	truth, _ := result.(bool)
	return err == nil && truth
}

// compile reads a condition: comparisons, AND, OR, NOT, arithmetic, parentheses, contains_tag('x') and
// inactive_for_N_days. The library's language has more, which is refused: a condition comes from a file, and is tried on
// each record.
func compile(text string) (*condition, error) {
	if len(text) > maxCondition {
		return nil, fmt.Errorf("%w: it has %d bytes, at most %d are read", ErrCondition, len(text), maxCondition)
	}
	g := &grammar{}
	program, err := expr.Compile(translate(text), expr.Env(&Facts{}), expr.AsBool(), expr.DisableAllBuiltins(), expr.MaxNodes(maxNodes), expr.Patch(g))
	var at *file.Error
	if errors.As(err, &at) {
		err = errors.New(strings.ReplaceAll(at.Message, "unexpected token EOF", "it ends too early")) // without its place, which is one in the translation
	}
	if g.err != nil {
		err = g.err
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w in %q", ErrCondition, err, text)
	}
	return &condition{program}, nil
}

// translation matches quoted text and the words that the library spells otherwise. A backslash in quotes is itself.
var translation = lazyregexp.New(`'[^']*'|"[^"]*"|\b(?:AND|OR|NOT|inactive_for_([0-9]{1,5})_days)\b`)

func translate(text string) string {
	return translation.ReplaceAllStringFunc(text, func(word string) string {
		if days, ok := strings.CutPrefix(word, "inactive_for_"); ok {
			return "(last_accessed_days >= " + strings.TrimLeft(strings.TrimSuffix(days, "_days"), "0") + ".0)"
		}
		if word[0] == '\'' || word[0] == '"' {
			return strconv.Quote(word[1 : len(word)-1])
		}
		return strings.ToLower(word)
	})
}

// operators are those of the language, and whether they compare or compute with numbers alone.
var operators = map[string]bool{
	"and": false, "&&": false, "or": false, "||": false, "==": false, "!=": false,
	"<": true, "<=": true, ">": true, ">=": true, "+": true, "-": true, "*": true, "/": true,
}

// A grammar refuses what the library can do and the language has not.
type grammar struct{ err error }

// Visit implements ast.Visitor.
func (g *grammar) Visit(node *ast.Node) {
	allowed := false
	switch n := (*node).(type) {
	case *ast.BoolNode, *ast.IntegerNode, *ast.FloatNode, *ast.StringNode:
		allowed = true
	case *ast.IdentifierNode:
		allowed = n.Value != "$env"
	case *ast.UnaryNode:
		allowed = slices.Contains([]string{"not", "!", "-"}, n.Operator)
	case *ast.BinaryNode:
		numeric, known := operators[n.Operator]
		allowed = known && !(numeric && (isText(n.Left) || isText(n.Right)))
	case *ast.CallNode:
		allowed = true // of contains_tag: there is nothing else to call
	}
	if !allowed && g.err == nil {
		g.err = errors.New("only comparisons, AND, OR, NOT, arithmetic of numbers and contains_tag('x') are allowed")
	}
}

func isText(n ast.Node) bool { return n.Type() != nil && n.Type().Kind() == reflect.String }
