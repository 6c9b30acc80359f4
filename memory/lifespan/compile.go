package lifespan

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"strconv"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// A condition is a compiled expression over Facts.
type condition struct{ holds func(Facts) bool }

// compile reads a condition of the documents' language: comparisons, AND, OR, NOT, arithmetic, parentheses,
// contains_tag('x') and inactive_for_N_days. But for these words and the quotes it is an expression of Go, whose parser
// reads it.
func compile(text string) (*condition, error) {
	if len(text) > maxCondition {
		return nil, fmt.Errorf("%w: it has %d bytes, at most %d are read", ErrCondition, len(text), maxCondition)
	}
	tree, err := parser.ParseExpr(translate(text))
	var list scanner.ErrorList
	if errors.As(err, &list) {
		err = errors.New(strings.ReplaceAll(list[0].Msg, "'EOF'", "the end")) // without its place, which is one in the translation
	}
	var c compiler
	var top term
	if err == nil {
		top, err = c.term(tree)
	}
	if err == nil && top.truth == nil {
		err = errors.New("it is neither true nor false")
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w in %q", ErrCondition, err, text)
	}
	return &condition{top.truth}, nil
}

// translation matches quoted text and the words that Go spells otherwise. type is a keyword there.
var translation = lazyregexp.New(`'[^']*'|"[^"]*"|\b(AND|and|OR|or|NOT|not|type|inactive_for_([0-9]{1,5})_days)\b`)

const typeName = "type_of_record" // what type is translated into

func translate(text string) string {
	return translation.ReplaceAllStringFunc(text, func(word string) string {
		switch strings.ToLower(word) {
		case "and":
			return "&&"
		case "or":
			return "||"
		case "not":
			return "!"
		case "type":
			return typeName
		}
		if days, ok := strings.CutPrefix(word, "inactive_for_"); ok {
			return "(last_accessed_days >= " + strings.TrimLeft(strings.TrimSuffix(days, "_days"), "0") + ".0)"
		}
		return strconv.Quote(word[1 : len(word)-1])
	})
}

// A term is a part of a condition. Which of its functions is not nil is its type.
type term struct {
	number func(Facts) float64
	text   func(Facts) string
	truth  func(Facts) bool
}

// names are what conditions may ask for.
var names = map[string]term{
	"is_pattern":         {truth: func(f Facts) bool { return f.IsPattern }},
	"success_score":      {number: func(f Facts) float64 { return f.SuccessScore }},
	"score":              {number: func(f Facts) float64 { return f.Score }},
	"confidence":         {number: func(f Facts) float64 { return f.Confidence }},
	"importance":         {number: func(f Facts) float64 { return f.Importance }},
	"access_count":       {number: func(f Facts) float64 { return float64(f.AccessCount) }},
	"last_accessed_days": {number: func(f Facts) float64 { return f.LastAccessedDays }},
	"age_days":           {number: func(f Facts) float64 { return f.AgeDays }},
	"domain":             {text: func(f Facts) string { return f.Domain }},
	typeName:             {text: func(f Facts) string { return f.Type }},
	"true":               {truth: func(Facts) bool { return true }},
	"false":              {truth: func(Facts) bool { return false }},
}

// A compiler turns a parsed expression into a term.
type compiler struct{ nodes int }

func (c *compiler) term(node ast.Expr) (term, error) {
	if c.nodes++; c.nodes > maxNodes {
		return term{}, fmt.Errorf("it has more than %d parts", maxNodes)
	}
	switch n := node.(type) {
	case *ast.ParenExpr:
		return c.term(n.X)
	case *ast.Ident:
		if t, ok := names[n.Name]; ok {
			return t, nil
		}
		return term{}, fmt.Errorf("%s is unknown", n.Name)
	case *ast.BasicLit:
		return literal(n)
	case *ast.UnaryExpr:
		return c.unary(n)
	case *ast.BinaryExpr:
		return c.binary(n)
	case *ast.CallExpr:
		return c.call(n)
	}
	return term{}, errors.New("only comparisons, AND, OR, NOT, arithmetic and contains_tag('x') are allowed")
}

func literal(n *ast.BasicLit) (term, error) {
	switch n.Kind {
	case token.INT, token.FLOAT:
		if v, err := strconv.ParseFloat(n.Value, 64); err == nil {
			return term{number: func(Facts) float64 { return v }}, nil
		}
	case token.STRING:
		if s, err := strconv.Unquote(n.Value); err == nil {
			return term{text: func(Facts) string { return s }}, nil
		}
	}
	return term{}, fmt.Errorf("%s is neither a number nor a text", n.Value)
}

func (c *compiler) unary(n *ast.UnaryExpr) (term, error) {
	x, err := c.term(n.X)
	switch {
	case err != nil:
		return x, err
	case n.Op == token.NOT && x.truth != nil:
		return term{truth: func(f Facts) bool { return !x.truth(f) }}, nil
	case n.Op == token.SUB && x.number != nil:
		return term{number: func(f Facts) float64 { return -x.number(f) }}, nil
	}
	return term{}, fmt.Errorf("%s can't stand before that", n.Op)
}

func (c *compiler) binary(n *ast.BinaryExpr) (term, error) {
	x, err := c.term(n.X)
	if err != nil {
		return x, err
	}
	y, err := c.term(n.Y)
	if err != nil {
		return y, err
	}
	var t term
	switch {
	case x.number != nil && y.number != nil:
		t = numbers(n.Op, x.number, y.number)
	case x.text != nil && y.text != nil:
		t = equality(n.Op, x.text, y.text)
	case x.truth != nil && y.truth != nil:
		t = logic(n.Op, x.truth, y.truth)
	}
	if t.number == nil && t.truth == nil {
		return t, fmt.Errorf("%s can't stand between these", n.Op)
	}
	return t, nil
}

// numbers is arithmetic or a comparison; the zero term when the operator is another one.
func numbers(op token.Token, x, y func(Facts) float64) term {
	switch op {
	case token.ADD:
		return term{number: func(f Facts) float64 { return x(f) + y(f) }}
	case token.SUB:
		return term{number: func(f Facts) float64 { return x(f) - y(f) }}
	case token.MUL:
		return term{number: func(f Facts) float64 { return x(f) * y(f) }}
	case token.QUO:
		return term{number: func(f Facts) float64 { return x(f) / y(f) }}
	case token.LSS:
		return term{truth: func(f Facts) bool { return x(f) < y(f) }}
	case token.LEQ:
		return term{truth: func(f Facts) bool { return x(f) <= y(f) }}
	case token.GTR:
		return term{truth: func(f Facts) bool { return x(f) > y(f) }}
	case token.GEQ:
		return term{truth: func(f Facts) bool { return x(f) >= y(f) }}
	}
	return equality(op, x, y)
}

// equality compares two values of a type; the zero term when the operator is another one.
func equality[T comparable](op token.Token, x, y func(Facts) T) term {
	switch op {
	case token.EQL:
		return term{truth: func(f Facts) bool { return x(f) == y(f) }}
	case token.NEQ:
		return term{truth: func(f Facts) bool { return x(f) != y(f) }}
	}
	return term{}
}

func logic(op token.Token, x, y func(Facts) bool) term {
	switch op {
	case token.LAND:
		return term{truth: func(f Facts) bool { return x(f) && y(f) }}
	case token.LOR:
		return term{truth: func(f Facts) bool { return x(f) || y(f) }}
	}
	return equality(op, x, y)
}

// call is contains_tag('x').
func (c *compiler) call(n *ast.CallExpr) (term, error) {
	if name, ok := n.Fun.(*ast.Ident); !ok || name.Name != "contains_tag" || len(n.Args) != 1 {
		return term{}, errors.New("only contains_tag('x') can be called")
	}
	tag, err := c.term(n.Args[0])
	if err != nil {
		return tag, err
	}
	if tag.text == nil {
		return term{}, errors.New("contains_tag needs a text")
	}
	return term{truth: func(f Facts) bool { return f.hasTag(tag.text(f)) }}, nil
}
