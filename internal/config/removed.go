package config

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// removed are the keys and groups that are not settings anymore, each with what to do instead; "" where a good value is
// built in.
var removed = map[string]string{
	"version":                                   "",
	"chunking":                                  "",
	"index.ignore_case":                         "",
	"index.use_contextignore":                   "delete the .contextignore file",
	"index.use_dockerignore":                    "copy its patterns to .contextignore or index.ignore_patterns",
	"index.warn_file_size_mb":                   "",
	"index.binary_detection":                    "list exceptions in index.allowed_extensions",
	"index.binary_threshold":                    "",
	"index.max_symlink_depth":                   "",
	"index.debounce_ms":                         "",
	"index.bootstrap.batch_size":                "",
	"index.bootstrap.priority_extensions":       "",
	"index.bootstrap.max_initial_files":         "limit index.watch_paths",
	"index.bootstrap.fail_fast":                 "",
	"index.bootstrap.progress_interval_seconds": "",
	"search.bm25":                               "",
	"search.fallback_enabled":                   "",
	"search.fusion":                             "",
	"search.hybrid":                             "",
	"search.providers.full_text":                "",
	"search.providers.symbol":                   "",
	"search.providers.semantic":                 "search.semantic",
	"search.providers.git_history":              "search.providers.git_history.enabled",
	"search.providers.dependency":               "search.providers.dependency.enabled",
	"search.providers.memory":                   "search.providers.memory.enabled",
	"ui":                                        "",
	"memory.activation":                         "",
	"memory.use_weights":                        "",
	"memory.learning":                           "",
	"memory.caching_policy":                     "",
	"logging.conversations":                     "",
	"llm.cache_entries":                         "",
	"llm.solving_llm.timeout_seconds":           "llm.timeout_seconds",
	"llm.solving_llm.max_tokens":                "llm.max_tokens",
	"llm.solving_llm.temperature":               "llm.temperature",
	"aurora.exclude_patterns":                   "",
	"agents.check_file_modified":                "",
	"agents.refresh_on_startup":                 "run: aurora agents refresh",
	"agents.prompt_for_path_if_missing":         "agents.discovery_paths",
	"agents.max_output_kb":                      "",
	"agents.max_running":                        "",
	"agents.default_agent":                      "describe the agent in a Markdown file in ~/.claude/agents",
	"embeddings.cache_enabled":                  "",
	"cost_budgets.auto_reset":                   "",
	"cost_budgets.warn_at_percent":              "cost_budgets.soft_limit_usd",
	"cost_budgets.block_at_percent":             "cost_budgets.hard_limit_usd",
	"cost_budgets.tracking_file":                "the journal in memory.db, which takes over that file",
	"guardrails.enabled":                        "guardrails.pii.action",
	"guardrails.pii.enabled":                    "guardrails.pii.action",
	"complexity":                                "name the verification with the question",
	"scoring":                                   "",
	"adaptive.convergence":                      "",
	"adaptive.refinement":                       "",
	"history.dir":                               "the journal in memory.db, which takes over the files of that folder",
	"headless.enforce_branch_check":             "headless.required_branch",
	"headless":                                  "",
	"metrics":                                   "metrics.enabled",
	"reporting.daily":                           "reporting.enabled and reporting.dir",
	"reporting.cumulative":                      "reporting.enabled and reporting.dir",
	"reporting.monthly":                         "reporting.enabled and reporting.dir",
	"http.timeout_ms":                           "",
	"http.retry_attempts":                       "",
	"signals":                                   "signals.enabled",

	// Names of layouts before this one.
	"context":               "index and search",
	"context_budget":        "llm.context_budget",
	"semantic_memory":       "search.semantic and embeddings",
	"memory_modes":          "memory.enabled",
	"llm.reasoning_llm":     "llm",
	"logging.default_level": "logging.level",
	"logging.log_path":      "logging.file",
	"hover":                 "lsp.hover.enabled",
	"code_actions":          "lsp.code_actions.enabled",
}

// Removed reports whether a key, or a group of keys, was a setting once. advice says what to use instead, "" when a good
// value is built in.
func Removed(name string) (advice string, was bool) {
	if _, exists := keys[name]; exists || groups[name] || len(name) > longestName {
		return "", false
	}
	for at := name; ; {
		if advice, was = removed[at]; was {
			return advice, true
		}
		dot := strings.LastIndexByte(at, '.')
		if dot < 0 {
			return "", false
		}
		at = at[:dot]
	}
}

// removedVariable is Removed for the variable of the environment that set a key.
func removedVariable(variable string) (name, advice string, was bool) {
	for _, name := range slices.Backward(slices.Sorted(maps.Keys(removed))) { // the longest name first
		own := key{name: name}.env()
		if variable == own || strings.Contains(name, ".") && strings.HasPrefix(variable, own+"_") {
			return name, removed[name], true
		}
	}
	return "", "", false
}

// formerPaths are the removed keys that say where files of the user lie.
var formerPaths = []string{"cost_budgets.tracking_file", "history.dir"}

// notePath notes the value of a former path, which a project's file may not set.
func (l *loader) notePath(layer layer, name string, value any) {
	if layer.project || !slices.Contains(formerPaths, name) {
		return
	}
	value, _, _ = substituted(value, l.env)
	text, _ := value.(string)
	if path, err := expand(text, l.env); err == nil && path != "" {
		l.settings.formerPaths[name] = path
	}
}

// noLonger is the message about a removed key.
func noLonger(advice string) string {
	if advice == "" {
		return "no longer a setting, ignored; a good value is built in"
	}
	return "no longer a setting, ignored; instead: " + advice
}

// Brief returns warnings as sentences for a command that does something else. The removed keys of a source are one
// sentence, which is said once for the same keys: home is where that is remembered, "" says it always.
func Brief(warnings []Warning, home string) []string {
	gone := map[string][]string{}
	for _, w := range warnings {
		if w.Removed {
			gone[w.Source] = append(gone[w.Source], w.Key)
		}
	}
	var out []string
	for _, w := range warnings {
		names := gone[w.Source]
		switch {
		case !w.Removed:
			out = append(out, w.String())
		case names != nil:
			delete(gone, w.Source)
			if FirstTime(home, append([]string{w.Source}, names...)...) {
				out = append(out, fmt.Sprintf("%s: no longer settings, ignored: %s. What replaces them: aurora config validate",
					Tilde(w.Source), strings.Join(names, ", ")))
			}
		}
	}
	return out
}

// mostNotices is how many notices are remembered.
const mostNotices = 200

// FirstTime reports whether a notice has not been shown yet, and remembers in home that it is now. What can't be remembered
// is shown again.
func FirstTime(home string, notice ...string) bool {
	if home == "" {
		return true
	}
	path := filepath.Join(home, "notices.json")
	var seen []string
	if data, err := readSmall(path); err == nil {
		_ = json.Unmarshal(data, &seen) // a damaged file is written again
	}
	sum := sha256.Sum256([]byte(strings.Join(notice, "\x00")))
	digest := hex.EncodeToString(sum[:8])
	if slices.Contains(seen, digest) {
		return false
	}
	seen = append(seen, digest)
	if data, err := json.Marshal(seen[max(0, len(seen)-mostNotices):]); err == nil && os.MkdirAll(home, 0o700) == nil {
		_ = os.WriteFile(path, data, 0o600)
	}
	return true
}
