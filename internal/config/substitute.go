package config

import (
	"strings"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// variable matches ${NAME} and ${NAME:-otherwise}, and $${ which stands for ${.
var variable = lazyregexp.New(`\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}`)

// substituted returns a value of a file with the environment's variables in its strings; missing names one that is not
// set and has no other value. changed tells whether there were any.
func substituted(v any, env lookup) (value any, changed bool, missing string) {
	switch v := v.(type) {
	case string:
		return substitute(v, env)
	case []any:
		list := make([]any, len(v))
		for i := range v {
			item, did, lacks := substituted(v[i], env)
			if lacks != "" {
				return v, false, lacks
			}
			list[i], changed = item, changed || did
		}
		return list, changed, ""
	case map[string]any:
		object := make(map[string]any, len(v))
		for name := range v {
			item, did, lacks := substituted(v[name], env)
			if lacks != "" {
				return v, false, lacks
			}
			object[name], changed = item, changed || did
		}
		return object, changed, ""
	}
	return v, false, ""
}

func substitute(s string, env lookup) (value any, changed bool, missing string) {
	if !strings.Contains(s, "${") {
		return s, false, ""
	}
	out := variable.ReplaceAllStringFunc(s, func(found string) string {
		if found == "$${" {
			return "${"
		}
		parts := variable.FindStringSubmatch(found)
		if value, ok := env(parts[1]); ok && value != "" {
			return value
		}
		if strings.Contains(found, ":-") {
			return parts[2]
		}
		if missing == "" {
			missing = parts[1]
		}
		return found
	})
	return out, out != s, missing
}
