package config

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"strings"
)

// layoutVersion is the version of the layout of configuration files.
const layoutVersion = "1.0"

// checkVersion tells of a file that was written for another layout.
func (l *loader) checkVersion(layer layer, given any) {
	if f, ok := number(given); ok && f == 1 || given == layoutVersion || given == "1" {
		return
	}
	l.warn(layer.source, "version", fmt.Sprintf("%s is not known; this is version %s, and the keys are read as that has them", show(given), layoutVersion))
}

// A fixed key belongs to earlier layouts and can't be changed: AURORA does one thing.
type fixed struct {
	always any    // the value that says what AURORA does, "" for a remark to the reader; nil when no value does
	why    string // what it does, or where to say so now
}

// settled are the fixed keys. Each is accepted; a value other than what AURORA does is a warning that says why.
var settled = collectSettled()

func collectSettled() map[string]*fixed {
	all := map[string]*fixed{}
	add := func(why string, values map[string]any) {
		for name, always := range values {
			all[name] = &fixed{always, why}
		}
	}
	remark := func(names ...string) {
		for _, name := range names {
			all[name] = &fixed{always: ""}
		}
	}
	remark("llm.reasoning_llm.purpose", "llm.solving_llm.purpose", "ui.shown_search_format_notice")
	add("tiers serve the questions of their level", map[string]any{
		"llm.preference_routing.tiers.fast.use_for":      []any{"simple"},
		"llm.preference_routing.tiers.reasoning.use_for": []any{"medium"},
		"llm.preference_routing.tiers.best.use_for":      []any{"complex", "critical"},
	})
	add("tiers choose llm.model only; llm.solving_llm is one model", map[string]any{"llm.preference_routing.apply_to": "reasoning_llm"})
	addReasoning(add)
	addMemoryModes(add)
	add("it is kept in agents_state.json by AURORA itself", map[string]any{"agents.last_discovered_path": nil})
	add("work that no other agent fits goes to the built-in one", map[string]any{"agents.default_agent.type": "built_in"})
	add("what was neither right nor wrong changes nothing", map[string]any{"memory.learning.neutral": 0.0})
	add("an answer always carries its score", map[string]any{"memory.caching_policy.include_confidence_flag": true})
	add("set logging.level to one of them", map[string]any{"logging.levels": []any{"DEBUG", "INFO", "WARN", "ERROR"}})
	add("phases are always timed; see aurora report and query -v", map[string]any{
		"logging.timing.enabled": true, "logging.timing.include_percentages": true, "logging.timing.breakdown_level": "phase",
	})
	add("questions are always checked for their form", map[string]any{"guardrails.validate_format": true})
	add("the switch is cost_budgets.enabled", map[string]any{"guardrails.budget_check": true})
	add("all of these are looked for", map[string]any{"guardrails.pii.patterns": []any{"email", "ssn", "credit_card", "phone", "api_key"}})
	add("vectors lie beside the index", map[string]any{"semantic_memory.backend": "sqlite_local"})
	add("hits show what fits; a context has search.context_tokens", map[string]any{"semantic_memory.max_snippet_chars": 2000})
	addContext(add)
	return all
}

// addReasoning adds what S0's configuration said of reasoning.
func addReasoning(add func(why string, values map[string]any)) {
	add("a model is asked where the score lies between these; see complexity.keyword_classifier.borderline_llm_verify", map[string]any{"complexity.keyword_classifier.borderline_range": []any{0.4, 0.6}})
	add("name a file in scoring.calibration_examples.external_path", map[string]any{"scoring.calibration_examples.mode": "builtin"})
}

// addMemoryModes adds when memory is asked and updated.
func addMemoryModes(add func(why string, values map[string]any)) {
	add("every question recalls, and the keyword classifier tells how hard it is; see complexity", map[string]any{
		"memory_modes.auto_escalation.enabled":                                true,
		"memory_modes.auto_escalation.assessment_threshold.simple":            []any{"single_step", "factual", "lookup"},
		"memory_modes.auto_escalation.assessment_threshold.complex":           []any{"multi_step", "reasoning", "planning"},
		"memory_modes.auto_escalation.passive_retrieval.enabled":              true,
		"memory_modes.auto_escalation.passive_retrieval.max_chunks":           10,
		"memory_modes.auto_escalation.passive_retrieval.activation_threshold": 0.5,
	})
	add("the switch is memory.enabled, the commands are aur mem and aur m, and each result shows its context and activation", map[string]any{
		"memory_modes.explicit_recall.enabled": true, "memory_modes.explicit_recall.command": "aur mem",
		"memory_modes.explicit_recall.short_command": "aur m", "memory_modes.explicit_recall.include_context": true,
		"memory_modes.explicit_recall.show_activation_scores": true,
	})
	add("memory learns from answers and from use, in batches; see memory.use_weights and memory.learning", map[string]any{
		"memory_modes.memory_updates.strategy": "lazy", "memory_modes.memory_updates.update_on_aurora_run": true,
		"memory_modes.memory_updates.update_on_simple_query": false, "memory_modes.memory_updates.update_on_file_save": false,
	})
}

// addContext adds what context.toml said of things that are done otherwise.
func addContext(add func(why string, values map[string]any)) {
	add("each command works by itself or joins the daemon; programs call aurora serve --http, see docs/http.md", map[string]any{"context.mode": "embedded"})
	add("the index lies in storage.dir; it can be made anew at any time, so that it needs no backup", map[string]any{
		"context.storage.db_path": nil, "context.storage.backup_enabled": false, "context.storage.backup_interval_hours": nil,
	})
	add("vectors always have length 1", map[string]any{"context.embedding.normalize": true})
	add("the ranking leaves out what says the same, and always ranks again", map[string]any{
		"context.query.mmr_lambda": 0.5, "context.query.rerank_enabled": true,
	})
	add("the budget of a context is its own, and what did not fit is told", map[string]any{
		"context.budget.reserve_for_prompt": 500, "context.budget.warn_threshold_percent": 80,
	})
	add("symbols come from syntax trees", map[string]any{"context.providers.symbol.index_ast": true})
	add("how far git is read is bounded by time: search.providers.git_history.timeout_ms", map[string]any{"context.providers.git_history.max_commits": 100})
	add("all providers that are enabled are fused, by search.fusion", map[string]any{
		"context.providers.hybrid.enabled": true, "context.providers.hybrid.combines": nil,
	})
}

// settle takes a fixed key.
func (l *loader) settle(layer layer, name string, given any) {
	f := settled[name]
	if f.always == "" || f.always != nil && same(given, f.always) {
		return
	}
	l.warnings = append(l.warnings, Warning{Source: layer.source, Key: name, Message: "has no effect: " + f.why, Older: true})
}

// same compares what was given with what AURORA does; letters of any case are alike, and so are 1 and 1.0.
func same(given, always any) bool {
	return strings.EqualFold(show(given), show(always))
}

// translations read the values of older names that meant something else.
var translations = map[string]func(any) any{
	"logging.log_path": func(given any) any {
		folder, ok := given.(string)
		if !ok || folder == "" {
			return given
		}
		return strings.TrimSuffix(filepath.ToSlash(folder), "/") + "/aurora.log"
	},
}

// checkTogether checks what only holds for several keys at once (CFG-040).
func (l *loader) checkTogether() {
	const semantic, activation = "search.hybrid.stage2_weights.semantic", "search.hybrid.stage2_weights.activation"
	w := &l.settings.Search.Hybrid.Stage2Weights
	sum := w.Semantic + w.Activation
	if math.Abs(sum-1) < 1e-9 {
		return
	}
	source := cmp.Or(l.settings.origins[activation], l.settings.origins[semantic])
	l.fault(Problem{Source: source, Key: "search.hybrid.stage2_weights", Rule: "Must sum to 1.0", Got: show(math.Round(sum*1e9) / 1e9), Together: true})
	*w = Stage2Weights{0.5, 0.5}
	delete(l.settings.origins, semantic)
	delete(l.settings.origins, activation)
}
