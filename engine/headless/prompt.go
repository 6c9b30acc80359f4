package headless

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// Template is a prompt with the safety rules and a place for the goal.
//
//go:embed prompt.md
var Template string

// A Prompt is what a person wants done.
type Prompt struct {
	Goal   string   // what stands outside of the rules
	Budget *float64 // US dollars; nil when the prompt sets none
	Check  string   // command that passes when the goal is reached; "" when the prompt names none
}

// rules are what the safety rules must say, each by words that are in it.
var rules = []struct{ what, words string }{
	{"that work is done on its own branch", `(?i)headless`},
	{"what is allowed", `(?i)allowed operations`},
	{"what is forbidden", `(?i)forbidden operations`},
	{"that there is one goal", `(?i)goal focus`},
}

var (
	headingLine = lazyregexp.New(`(?m)^#[ \t]+(.+?)[ \t]*$`)
	checkLine   = lazyregexp.New(`(?m)^[ \t]*CHECK:[ \t]*(.*?)[ \t]*$`)
	budgetLine  = lazyregexp.New(`(?m)^[ \t]*BUDGET_LIMIT:[ \t]*(.*?)[ \t]*$`)
)

// placeholder is the goal of Template.
const placeholder = "Describe one goal"

// ReadPrompt reads a prompt. It fails when the rules, or the goal, are missing.
func ReadPrompt(path string) (*Prompt, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the prompt: %w", err)
	}
	p, err := parsePrompt(string(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// parsePrompt parts a prompt at its first-level headings.
func parsePrompt(text string) (*Prompt, error) {
	p := &Prompt{}
	if m := budgetLine.FindStringSubmatch(text); m != nil {
		usd, err := strconv.ParseFloat(strings.TrimPrefix(m[1], "$"), 64)
		if err != nil || usd < 0 {
			return nil, fmt.Errorf("BUDGET_LIMIT must be an amount such as $5.00 (got %q)", m[1])
		}
		p.Budget = &usd
		text = budgetLine.ReplaceAllString(text, "")
	}
	if m := checkLine.FindStringSubmatch(text); m != nil {
		if p.Check = m[1]; p.Check == "" {
			return nil, errors.New("CHECK names no command: write one such as go test ./cart")
		}
		text = checkLine.ReplaceAllString(text, "")
	}
	heads := headingLine.FindAllStringSubmatchIndex(text, -1)
	body, safety := text, ""
	for i, h := range heads {
		end := len(text)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		if strings.EqualFold(text[h[2]:h[3]], "Safety Rules") {
			safety = text[h[0]:end]
			body = text[:h[0]] + text[end:]
			break
		}
	}
	if safety == "" {
		return nil, errors.New(`the heading "# Safety Rules" is missing`)
	}
	for _, r := range rules {
		if !regexp.MustCompile(r.words).MatchString(safety) {
			return nil, fmt.Errorf("the safety rules do not say %s", r.what)
		}
	}
	p.Goal = strings.TrimSpace(body)
	bare := strings.TrimSpace(headingLine.ReplaceAllString(p.Goal, ""))
	if bare == "" || strings.HasPrefix(bare, placeholder) {
		return nil, errors.New("it names no goal: write one measurable goal below # Goal")
	}
	if p.Check != "" {
		p.Goal += "\n\nIt is reached when this command passes: " + p.Check
	}
	return p, nil
}

// WithGoal is Template with a goal in its place.
func WithGoal(goal string) string {
	before, rest, _ := strings.Cut(Template, placeholder)
	_, after, _ := strings.Cut(rest, "\n")
	return before + strings.TrimSpace(goal) + "\n" + after
}
