package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
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
}

// A decoder reads one format. JSON is the canonical one.
type decoder func(data []byte) (map[string]any, error)

// decoders are the formats by the ending of config.<ending>.
var decoders = map[string]decoder{"json": decodeJSON}

// Load returns the settings in force. Later layers win: defaults, the user's config.json in Home, the project's
// .aurora/config.json, AURORA_* variables, the editor's settings, flags. Files that do not exist are no error.
//
// Load always returns settings: where err, an *Error, says that a value is bad, the next lower layer's value is in
// force. Unknown keys and what a project may not set are warnings.
func Load(o LoadOptions) (*Settings, []Warning, error) {
	l := newLoader(o)
	global := ""
	if l.home != "" {
		global = l.file(l.home, false, false)
	}
	if o.Project != "" {
		// The home folder as a project has the user's file for its own.
		if folder := filepath.Join(o.Project, ".aurora"); filepath.Join(folder, "config.json") != global {
			l.file(folder, true, !o.Trusted && !OpenTrust(l.home).Trusted(o.Project))
		}
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
		return l.settings, l.warnings, &Error{l.problems, home}
	}
	return l.settings, l.warnings, nil
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

// file adds the layer of the configuration file in folder and returns its path.
func (l *loader) file(folder string, project, guarded bool) string {
	path := ""
	for _, ending := range slices.Sorted(maps.Keys(decoders)) {
		candidate := filepath.Join(folder, "config."+ending)
		data, err := readSmall(candidate)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) { // or something else is called .aurora
			continue
		}
		path = candidate
		if err != nil {
			l.fault(Problem{Source: path, Rule: fmt.Sprintf("Can't be read: %v", err)})
			continue
		}
		values, err := decoders[ending](data)
		if err != nil {
			l.fault(Problem{Source: path, Rule: fmt.Sprintf("Must be a %s object: %v", strings.ToUpper(ending), err)})
			continue
		}
		l.layer(layer{source: path, values: values, project: project, guarded: guarded})
	}
	return path
}

// readSmall reads a regular file of at most maxFile bytes.
func readSmall(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is not a file")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("it is larger than %d KiB", maxFile>>10)
	}
	return data, err
}

// decodeJSON reads one JSON object, telling errors by line and column. Empty files hold nothing.
func decodeJSON(data []byte) (map[string]any, error) {
	data = bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, nil
	}
	var values map[string]any
	err := json.Unmarshal(data, &values)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		line, column := place(data, syntax.Offset)
		return nil, fmt.Errorf("line %d, column %d: %w", line, column, err)
	case errors.As(err, &kind):
		return nil, fmt.Errorf("it is of type %s", kind.Value)
	}
	return values, err
}

// place returns the one-based line and column, in bytes, of the last byte read.
func place(data []byte, offset int64) (line, column int) {
	before := data[:min(max(int(offset)-1, 0), len(data))]
	return 1 + bytes.Count(before, []byte("\n")), len(before) - bytes.LastIndexByte(before, '\n')
}

// environment adds the AURORA_* variables.
func (l *loader) environment() {
	variables := []string{"AURORA_HOME"}
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

// layer puts what one source says over what is in force.
func (l *loader) layer(layer layer) {
	l.group(layer, "", layer.values)
}

// group applies the values below prefix, in the order of their names.
func (l *loader) group(layer layer, prefix string, values map[string]any) {
	for _, given := range slices.Sorted(maps.Keys(values)) {
		name := prefix + canonical(given)
		value := values[given]
		k, known := find(name)
		inner, nested := value.(map[string]any)
		switch {
		case value == nil || prefix == "" && (given == "version" || given == "$schema"):
		case known:
			l.set(layer, k, value)
		case nested && groups[name]:
			l.group(layer, name+".", inner)
		case groups[name]:
			l.fault(Problem{Source: layer.source, Key: name, Rule: "Must be an object { }", Got: show(value)})
		default:
			l.warn(layer.source, prefix+given, unknown(name))
		}
	}
}

func unknown(name string) string {
	if near := nearest(name); near != "" {
		return "unknown key, ignored; did you mean " + near + "?"
	}
	return "unknown key, ignored"
}

func (l *loader) set(layer layer, k key, given any) {
	if layer.project && k.ownerOnly() {
		l.warn(layer.source, k.name, "ignored: a project's file may never set this; set it in your own config.json")
		return
	}
	if layer.guarded && k.userOnly() {
		l.warn(layer.source, k.name, "ignored: a project's file may set this only in a workspace that you trust; "+
			"run aurora trust, or set it in your own config.json")
		l.warnings[len(l.warnings)-1].Guarded = true
		return
	}
	value, rule := k.convert(given, layer.written, l.env)
	if rule != "" {
		l.fault(Problem{Source: layer.source, Key: k.name, Rule: rule, Got: show(given)})
		return
	}
	reflect.ValueOf(l.settings).Elem().FieldByIndex(k.index).Set(value)
	l.settings.origins[k.name] = layer.source
}
