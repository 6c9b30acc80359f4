package config

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// maxFile is the size in bytes above which a file is no configuration.
const maxFile = 1 << 20

// LoadOptions says where settings come from, besides the user's own file.
type LoadOptions struct {
	Project string            // the project's folder, absolute; "" when there is none
	Trusted bool              // trust the project's file like the user's own, whatever Trust says
	Environ []string          // NAME=value; nil means os.Environ()
	Client  map[string]any    // what the editor sent: nested like the files, or with dotted keys
	Flags   map[string]string // by key
	Texts   map[string][]byte // what files are to hold, by their paths, in place of what they do
}

// Load returns the settings in force. Later layers win: defaults, the user's config.json in Home, the project's
// .aurora/config.json, the file that $AURORA_CONFIG names, AURORA_* variables, the editor's settings, flags. Each file
// may be YAML or TOML instead; see FileIn. Files that do not exist are no error, but one that was named.
//
// Load always returns settings: where err, an *Error, says that a value is bad, the next lower layer's value is in
// force. Unknown keys and what a project may not set are warnings.
func Load(o LoadOptions) (*Settings, []Warning, error) {
	l := newLoader(o)
	if l.home != "" {
		l.folder(l.home, false, false)
	}
	if o.Project != "" {
		// The home folder as a project has the user's file for its own.
		if folder := filepath.Join(o.Project, ".aurora"); folder != filepath.Clean(l.home) {
			l.folder(folder, true, !o.Trusted && !OpenTrust(l.home).Trusted(o.Project))
		}
	}
	if path, _ := l.env(FileVariable); path != "" {
		l.named(path)
	}
	l.environment()
	l.layer(layer{source: "editor", values: o.Client})
	flags := map[string]any{}
	for name, value := range o.Flags {
		flags[name] = value
	}
	l.layer(layer{source: "flag", values: flags, written: true})
	l.settings.LLM.nameModels()
	l.checkTogether()
	l.checkScoring()
	if len(l.problems) > 0 {
		home, _ := userHome(l.env) // without one there is nothing to shorten
		l.sortProblems()
		return l.settings, l.warnings, &Error{l.problems, home}
	}
	return l.settings, l.warnings, nil
}

// sortProblems puts the problems of each source in the order of their keys.
func (l *loader) sortProblems() {
	turn := map[string]int{}
	for _, p := range l.problems {
		if _, known := turn[p.Source]; !known {
			turn[p.Source] = len(turn)
		}
	}
	slices.SortStableFunc(l.problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(turn[a.Source], turn[b.Source]), cmp.Compare(a.Key, b.Key))
	})
}

// Reload is Load for settings that are in force: when something is wrong, last stays.
func Reload(last *Settings, o LoadOptions) (*Settings, []Warning, error) {
	settings, warnings, err := Load(o)
	if err != nil && last != nil {
		return last, warnings, err
	}
	return settings, warnings, err
}

// A loader gathers layers.
type loader struct {
	env      lookup
	environ  []string
	home     string
	texts    map[string][]byte
	settings *Settings
	warnings []Warning
	problems []Problem
}

// A layer is what one source says.
type layer struct {
	source  string
	values  map[string]any
	written bool // the values are strings to be parsed
	project bool // it is a project's own file
	guarded bool // keys that only the user may set are ignored
	file    bool // variables stand for what the environment says
}

func newLoader(o LoadOptions) *loader {
	l := &loader{environ: o.Environ, texts: o.Texts}
	if l.environ == nil {
		l.environ = os.Environ()
	}
	l.env = func(name string) (string, bool) {
		for _, entry := range slices.Backward(l.environ) {
			if value, ok := strings.CutPrefix(entry, name+"="); ok {
				return value, true
			}
		}
		return "", false
	}
	home, err := auroraHome(l.env)
	if err != nil {
		l.warn("environment", "", fmt.Sprintf("%v; without one nothing is kept on disk", err))
	}
	l.home = home
	l.settings = Defaults(home)
	return l
}

func (l *loader) warn(source, key, message string) {
	l.warnings = append(l.warnings, Warning{Source: source, Key: key, Message: message})
}

func (l *loader) fault(p Problem) { l.problems = append(l.problems, p) }

// FileVariable names a further configuration file; the flag --config sets it.
const FileVariable = "AURORA_CONFIG"

// otherVariables mean something, and are no keys.
var otherVariables = []string{
	"AURORA_HOME", FileVariable, "AURORA_API_KEY", "AURORA_LIFESPAN_POLICIES", "AURORA_MCP_TOKEN", "AURORA_HTTP_TOKEN",
}

// environment adds the AURORA_* variables.
func (l *loader) environment() {
	variables := slices.Clone(otherVariables)
	for _, name := range slices.Sorted(maps.Keys(keys)) {
		k := keys[name]
		variables = append(variables, k.env())
		if value, ok := l.env(k.env()); ok && value != "" {
			l.layer(layer{source: k.env(), values: map[string]any{name: value}, written: true})
		}
	}
	l.warnOfMisspelt(variables)
}

// warnOfMisspelt looks for variables that are nearly one of ours. Others that begin with AURORA_ may be anyone's.
func (l *loader) warnOfMisspelt(variables []string) {
	for _, entry := range l.environ {
		name, _, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, "AURORA_") || slices.Contains(variables, name) {
			continue
		}
		if near := closest(name, variables); near != "" {
			l.warn("environment", name, "unknown variable, ignored; did you mean "+near+"?")
		}
	}
}

// An assignment is what a layer says of one key.
type assignment struct {
	key   key
	given string // the name in the layer
	value any
}

// layer puts what one source says over what is in force. Of a key with two names in one source the newer one counts.
func (l *loader) layer(layer layer) {
	all := l.group(layer, "", layer.values, nil)
	for _, older := range []bool{true, false} {
		for _, a := range all {
			if (a.given != a.key.name) == older {
				l.set(layer, a)
			}
		}
	}
}

// group adds what is said below prefix, in the order of the names.
func (l *loader) group(layer layer, prefix string, values map[string]any, all []assignment) []assignment {
	for _, given := range slices.Sorted(maps.Keys(values)) {
		name := prefix + canonical(given)
		value := values[given]
		k, known := find(name)
		inner, nested := value.(map[string]any)
		switch {
		case value == nil || name == "$schema":
		case name == "version":
			l.checkVersion(layer, value)
		case known:
			all = append(all, assignment{k, name, value})
		case settled[name] != nil:
			l.settle(layer, name, value)
		case nested && groups[name]:
			all = l.group(layer, name+".", inner, all)
		case groups[name]:
			l.fault(Problem{Source: layer.source, Key: name, Rule: "Must be an object { }", Got: show(value)})
		default:
			l.warn(layer.source, prefix+given, unknown(name))
		}
	}
	return all
}

func unknown(name string) string {
	if near := nearest(name); near != "" {
		return "unknown key, ignored; did you mean " + near + "?"
	}
	return "unknown key, ignored"
}

func (l *loader) set(layer layer, a assignment) {
	k := a.key
	if layer.project && k.ownerOnly() {
		l.warn(layer.source, a.given, "ignored: a project's file may never set this; set it in your own config.json")
		return
	}
	if layer.guarded && k.userOnly() {
		l.warn(layer.source, a.given, "ignored: a project's file may set this only in a workspace that you trust; "+
			"run aurora trust, or set it in your own config.json")
		l.warnings[len(l.warnings)-1].Guarded = true
		return
	}
	if a.given != k.name && layer.source != "editor" { // editors have short names of their own
		l.warnings = append(l.warnings, Warning{Source: layer.source, Key: a.given, Message: "is now called " + k.name, Older: true})
	}
	value, rule := l.converted(layer, a)
	if rule != "" {
		l.fault(Problem{Source: layer.source, Key: a.given, Rule: rule, Got: show(a.value)})
		return
	}
	reflect.ValueOf(l.settings).Elem().FieldByIndex(k.index).Set(value)
	l.settings.origins[k.name] = layer.source
}

// converted is the value of an assignment, or the rule that it breaks.
func (l *loader) converted(layer layer, a assignment) (reflect.Value, string) {
	given, written := a.value, layer.written
	if layer.file {
		value, changed, missing := substituted(given, l.env)
		if missing != "" {
			return reflect.Value{}, "Must name a variable of the environment that is set, or write ${" + missing + ":-otherwise}"
		}
		_, text := value.(string)
		given, written = value, changed && text
	}
	if translate := translations[a.given]; translate != nil {
		given = translate(given)
	}
	return a.key.convert(given, written, l.env)
}
