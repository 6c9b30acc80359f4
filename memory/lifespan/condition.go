package lifespan

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/memory"
	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/vm"
)

const (
	maxCondition = 500 // bytes
	maxNodes     = 100 // of a parsed condition
	memoryBudget = 1000
)

// ErrCondition is wrapped by errors that blame a condition.
var ErrCondition = errors.New("the condition can't be used")

// Facts are what conditions may ask of a record. A score that nobody gave compares as neither more nor less.
type Facts struct {
	IsPattern        bool    `expr:"is_pattern"`
	SuccessScore     float64 `expr:"success_score"`
	Score            float64 `expr:"score"` // the same as success_score
	Confidence       float64 `expr:"confidence"`
	Domain           string  `expr:"domain"`
	Type             string  `expr:"type"`
	Importance       float64 `expr:"importance"`
	AccessCount      int     `expr:"access_count"`
	LastAccessedDays float64 `expr:"last_accessed_days"`
	AgeDays          float64 `expr:"age_days"`

	Tags []string `expr:"-"`
}

// ContainsTag is contains_tag of conditions; letter case does not matter.
func (f Facts) ContainsTag(tag string) bool {
	return slices.ContainsFunc(f.Tags, func(t string) bool { return strings.EqualFold(t, tag) })
}

// FactsOf returns the facts of a record at a moment. A record that was never used is as idle as it is old.
func FactsOf(h memory.Hit, now time.Time) Facts {
	score := func(s *float64) float64 {
		if s == nil {
			return math.NaN()
		}
		return *s
	}
	days := func(t time.Time) float64 { return max(0, now.Sub(t).Hours()/24) }
	f := Facts{
		IsPattern: h.Pattern, SuccessScore: score(h.SuccessScore), Score: score(h.SuccessScore), Confidence: score(h.Confidence),
		Domain: h.Domain, Type: string(h.Type), Importance: h.Importance, AccessCount: max(0, h.AccessCount-1), // being made is no access
		LastAccessedDays: days(lastUse(h)), AgeDays: days(h.CreatedAt), Tags: h.Tags,
	}
	return f
}

// lastUse is when a record was last used, changed or made.
func lastUse(h memory.Hit) time.Time {
	last := h.UpdatedAt
	if h.LastUsed.After(last) {
		last = h.LastUsed
	}
	return last
}

// A condition is a compiled expression over Facts.
type condition struct{ program *vm.Program }

// compile reads a condition of the documents' language: comparisons, AND, OR, NOT, parentheses, contains_tag('x') and
// inactive_for_N_days.
func compile(text string) (*condition, error) {
	if len(text) > maxCondition {
		return nil, fmt.Errorf("%w: it has %d bytes, at most %d are read", ErrCondition, len(text), maxCondition)
	}
	checker := &allowed{}
	program, err := expr.Compile(translate(text), expr.Env(Facts{}), expr.AsBool(), expr.DisableAllBuiltins(),
		expr.MaxNodes(maxNodes), expr.Patch(checker))
	if err == nil {
		err = checker.err
	}
	if err != nil {
		message, _, _ := strings.Cut(err.Error(), "\n")
		return nil, fmt.Errorf("%w: %s in %q", ErrCondition, message, text)
	}
	return &condition{program}, nil
}

// holds evaluates the condition. One that fails at run time does not hold.
func (c *condition) holds(f Facts) bool {
	machine := vm.VM{MemoryBudget: memoryBudget}
	result, err := machine.Run(c.program, f)
	held, _ := result.(bool)
	return err == nil && held
}

// translation matches quoted text, which stays, and the words that the expression library spells otherwise.
var translation = regexp.MustCompile(`'[^']*'|"[^"]*"|\b(AND|OR|NOT|contains_tag|inactive_for_([0-9]{1,5})_days)\b`)

func translate(text string) string {
	return translation.ReplaceAllStringFunc(text, func(word string) string {
		switch word {
		case "AND":
			return "&&"
		case "OR":
			return "||"
		case "NOT":
			return "!"
		case "contains_tag":
			return "ContainsTag"
		}
		if days, ok := strings.CutPrefix(word, "inactive_for_"); ok {
			return "(last_accessed_days >= " + strings.TrimSuffix(days, "_days") + ")"
		}
		return word
	})
}

// allowed refuses all of the expression language but comparisons, logic and arithmetic.
type allowed struct{ err error }

// Visit implements ast.Visitor.
func (a *allowed) Visit(node *ast.Node) {
	ok := true
	switch n := (*node).(type) {
	case *ast.IdentifierNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.StringNode, *ast.UnaryNode:
	case *ast.BinaryNode:
		ok = slices.Contains([]string{"==", "!=", "<", "<=", ">", ">=", "&&", "||", "and", "or", "+", "-", "*", "/"}, n.Operator)
	case *ast.CallNode:
		callee, named := n.Callee.(*ast.IdentifierNode)
		ok = named && callee.Value == "ContainsTag"
	default:
		ok = false
	}
	if !ok && a.err == nil {
		a.err = fmt.Errorf("%s is not allowed", strings.TrimSuffix(strings.TrimPrefix(fmt.Sprintf("%T", *node), "*ast."), "Node"))
	}
}
