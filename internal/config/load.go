package config

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/trust"
)

// MaxFile is the size in bytes above which a file is not read.
const MaxFile = 256 << 10

// LoadOptions says where settings come from, besides the user's own file.
type LoadOptions struct {
	Project string            // the project's folder, absolute; "" when there is none
	Trusted bool              // trust the project's file like the user's own, whatever is approved
	Environ []string          // NAME=value; nil means os.Environ()
	Client  map[string]any    // what the editor sent: nested like the files, or with dotted keys
	Flags   map[string]string // by key
}

// Load returns the effective settings. Later layers win: defaults, the user's config.json in Home, the project's
// .aurora/config.json, the file that $AURORA_CONFIG names, AURORA_* variables, the editor's settings, flags. Each file
// may be YAML or TOML instead; see FileIn. Files that do not exist are no error, but one that was named.
//
// Load always returns settings: where err, an *Error, says that a value is bad, the value of the next lower layer is
// effective. Unknown and removed keys and what a project may not set are warnings.
func Load(o LoadOptions) (*Settings, []Warning, error) {
	l := newLoader(o)
	if l.home != "" {
		l.folder(l.home, false)
	}
	if o.Project != "" {
		kept := trust.Open(l.home)
		l.approves = func(item trust.Item) bool { return o.Trusted || kept.Approves(o.Project, item) }
		l.project(o.Project)
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
	if len(l.problems) > 0 {
		home, _ := userHome(l.env) // without one there is nothing to shorten
		l.sortProblems()
		l.sayWhatCounts()
		return l.settings, l.warnings, &Error{l.problems, home}
	}
	return l.settings, l.warnings, nil
}

// Brought are the settings in a project's own file that count only with the user's approval.
func Brought(project string) []trust.Item {
	var items []trust.Item
	l := newLoader(LoadOptions{})
	l.approves = func(item trust.Item) bool {
		items = append(items, item)
		return false
	}
	l.project(project)
	return items
}

// project adds the layer of a project's own file. The home folder as a project has the user's file for its own.
func (l *loader) project(project string) {
	if folder := filepath.Join(project, ".aurora"); folder != filepath.Clean(l.home) {
		l.folder(folder, true)
	}
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

// sayWhatCounts adds to each problem the value that is effective instead.
func (l *loader) sayWhatCounts() {
	for i := range l.problems {
		if p := &l.problems[i]; p.Key != "" {
			if value := l.settings.Value(p.Key); value != nil {
				p.Using = show(value)
			}
		}
	}
}

// Reload is Load for settings that are effective already: what is wrong keeps its last value, the rest changes.
func Reload(last *Settings, o LoadOptions) (*Settings, []Warning, error) {
	settings, warnings, err := Load(o)
	var invalid *Error
	if last == nil || !errors.As(err, &invalid) {
		return settings, warnings, err
	}
	for i := range invalid.Problems {
		p := &invalid.Problems[i]
		if p.Key == "" { // a file can't be read, perhaps because it is being written
			return last, warnings, err
		}
		settings.take(p.Key, last)
		p.Using = show(settings.Value(p.Key))
	}
	return settings, warnings, err
}

// take copies the value of a key.
func (s *Settings) take(name string, from *Settings) {
	k, ok := keys[name]
	if !ok {
		return
	}
	reflect.ValueOf(s).Elem().FieldByIndex(k.index).Set(reflect.ValueOf(from).Elem().FieldByIndex(k.index))
	if origin, set := from.origins[name]; set {
		s.origins[name] = origin
	}
}

// A loader gathers layers.
type loader struct {
	env      lookup
	environ  []string
	home     string
	settings *Settings
	warnings []Warning
	problems []Problem
	approves func(trust.Item) bool // whether the user lets the project set what only the user may
}

// A layer is what one source says.
type layer struct {
	source  string
	values  map[string]any
	written bool // the values are strings to be parsed
	project bool // it is a project's own file: what only the user may set counts when it is approved
	file    bool // variables stand for what the environment says
}

func newLoader(o LoadOptions) *loader {
	l := &loader{environ: o.Environ}
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
	"AURORA_HOME", FileVariable, "AURORA_API_KEY", "AURORA_LIFESPAN_POLICIES", "AURORA_MCP_TOKEN", "AURORA_HTTP_TOKEN", "AURORA_SIGNING_KEY", "AURORA_TEAM_PASSWORD", "AURORA_SEARCH_TOKEN",
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

// warnOfMisspelt looks for variables that were settings once, or are nearly one of ours. Others that begin with AURORA_
// may be anyone's.
func (l *loader) warnOfMisspelt(variables []string) {
	for _, entry := range l.environ {
		name, value, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, "AURORA_") || slices.Contains(variables, name) {
			continue
		}
		if key, advice, was := removedVariable(name); was {
			l.notePath(layer{}, key, value)
			l.warnings = append(l.warnings, Warning{Source: name, Key: key, Message: noLonger(advice), Removed: true})
		} else if near := closest(name, variables); near != "" {
			l.warn("environment", name, "unknown variable, ignored; did you mean "+near+"?")
		}
	}
}

// layer puts what one source says over the layers before it.
func (l *loader) layer(layer layer) { l.group(layer, "", layer.values) }

// group sets what is said below prefix, in the order of the names.
func (l *loader) group(layer layer, prefix string, values map[string]any) {
	for _, given := range slices.Sorted(maps.Keys(values)) {
		name, value := prefix+given, values[given]
		if layer.source == "editor" {
			name = prefix + canonical(given)
		}
		k, known := keys[name]
		inner, nested := value.(map[string]any)
		advice, was := Removed(name)
		switch {
		case value == nil || name == "$schema":
		case known:
			l.set(layer, k, value)
		case nested && groups[name]:
			l.group(layer, name+".", inner)
		case groups[name]:
			l.fault(Problem{Source: layer.source, Key: name, Rule: "Must be an object { }", Got: show(value)})
		case was:
			l.notePath(layer, name, value)
			l.warnings = append(l.warnings, Warning{Source: layer.source, Key: name, Message: noLonger(advice), Removed: true})
		default:
			l.warn(layer.source, shortened(name), unknown(name))
		}
	}
}

// shortened is a name as a message quotes it.
func shortened(name string) string {
	if len(name) <= longestName {
		return name
	}
	return strings.ToValidUTF8(name[:longestName], "") + "…"
}

func unknown(name string) string {
	if near := Nearest(name); near != "" {
		return "unknown key, ignored; did you mean " + near + "?"
	}
	return "unknown key, ignored"
}

// set gives a key the value that a layer has for it.
func (l *loader) set(layer layer, k key, given any) {
	if layer.project && k.ownerOnly() {
		l.warn(layer.source, k.name, "ignored: a project's file may never set this; set it in your own config.json")
		return
	}
	if item := (trust.Item{Kind: "setting", Name: k.name, Does: whole(given), Digest: trust.Digest(given)}); layer.project && k.userOnly() && !l.approves(item) {
		l.warn(layer.source, k.name, "ignored: a project's file may set this only in a workspace that you trust; "+
			"run aurora trust, or set it in your own config.json")
		l.warnings[len(l.warnings)-1].Guarded = &item
		return
	}
	value, rule := l.converted(layer, k, given)
	if rule != "" {
		l.fault(Problem{Source: layer.source, Key: k.name, Rule: rule, Got: show(given)})
		return
	}
	reflect.ValueOf(l.settings).Elem().FieldByIndex(k.index).Set(value)
	l.settings.origins[k.name] = layer.source
}

// converted is the value of a key, or the rule that it breaks.
func (l *loader) converted(layer layer, k key, given any) (reflect.Value, string) {
	written := layer.written
	if layer.file {
		value, changed, missing := substituted(given, l.env)
		if missing != "" {
			return reflect.Value{}, "Must name a variable of the environment that is set, or write ${" + missing + ":-otherwise}"
		}
		_, text := value.(string)
		given, written = value, changed && text
	}
	return k.convert(given, written, l.env)
}
