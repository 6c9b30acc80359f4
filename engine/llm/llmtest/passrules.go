package llmtest

import "github.com/aurora-sidecar/aurora/internal/lazyregexp"

// pass answers the prompts of adaptive passes and of headless mode: content at once, unless the step has scores or an
// issue.
func pass(task, text string, step Step) map[string]any {
	switch task {
	case "task_profile":
		return map[string]any{
			"reasoning_depth": 3, "information_sufficiency": 0.5, "expected_tool_usage": "moderate", "output_breadth": "moderate",
			"confidence_requirement": "medium", "reasoning": "It says so.",
		}
	case "semantic_validation":
		return validation(text, step)
	case "convergence":
		missing := []string{}
		if step.Issue != "" {
			missing = append(missing, step.Issue)
		}
		return map[string]any{"completeness": scoreOf(step), "coherence": scoreOf(step), "consistency": scoreOf(step), "missing": missing}
	case "refinement":
		return map[string]any{"actions": []any{map[string]any{
			"op": "MODIFY", "target": lastSubgoal(text), "reason": "the review asks for it",
			"changes": map[string]any{"description": "Put the findings together, and what was missing: " + goal(text)},
		}}}
	case "subplan":
		step := ""
		if m := stepBlock.FindStringSubmatch(text); m != nil {
			step = " of " + m[1] + ": "
		}
		part := func(id, what string) map[string]any {
			return map[string]any{"id": id, "description": what + step + goal(text), "requires": []string{}, "agent": "llm-executor", "expected_output": "facts with sources", "depends_on": []string{}}
		}
		return map[string]any{"steps": []any{part("A", "Find the parts"), part("B", "Find the consequences")}}
	case "goal_check":
		return map[string]any{"reached": false, "confidence": 0.5, "missing": []string{"It is not shown."}, "reasoning": "It says so."}
	}
	return map[string]any{"action": "Look around.", "operations": []any{}, "next_step": "Look again.", "goal_achieved": false, "reason": ""}
}

func scoreOf(step Step) float64 {
	if step.Scores != nil {
		return *step.Scores
	}
	return 0.97
}

func validation(text string, step Step) map[string]any {
	issues := []any{}
	if step.Issue != "" {
		issues = append(issues, map[string]any{"fragment": lastSubgoal(text), "kind": "specificity", "severity": "medium", "message": step.Issue, "split": step.Split})
	}
	return map[string]any{
		"scores": map[string]any{"specificity": scoreOf(step), "relevance": scoreOf(step), "consistency": scoreOf(step), "groundedness": scoreOf(step)},
		"issues": issues,
	}
}

var (
	topSubgoal = lazyregexp.New(`"id":\s*"(SG\d+)"`)
	stepBlock  = lazyregexp.New(`<aurora:subgoal>\n\{"id":"([^"]+)"`)
	goalBlock  = lazyregexp.New(`<aurora:goal>\n([^\n]*)\n`)
)

// lastSubgoal is the last step of the plan that a prompt shows.
func lastSubgoal(text string) string {
	last := ""
	for _, m := range topSubgoal.FindAllStringSubmatch(text, -1) {
		last = max(last, m[1])
	}
	if last == "" {
		return "plan"
	}
	return last
}

func goal(text string) string {
	if m := goalBlock.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}
