package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/BurntSushi/toml"
	"github.com/tailscale/hujson"
	"go.yaml.in/yaml/v3"

	"github.com/aurora-sidecar/aurora/internal/smallyaml"
)

// A decoder reads one format. JSON is the canonical one.
type decoder func(data []byte) (map[string]any, error)

// A format is a way to write a configuration.
type format struct {
	ending string // of config.<ending>
	name   string
	decode decoder
}

// formats are all of them, the canonical one first.
var formats = []format{
	{"json", "JSON", decodeJSON}, {"yml", "YAML", decodeYAML}, {"yaml", "YAML", decodeYAML}, {"toml", "TOML", decodeTOML},
}

// FileIn returns the configuration file of a folder named .aurora: the first of config.json, .yml, .yaml and .toml that
// is there, else config.json.
func FileIn(folder string) string {
	for _, f := range formats {
		path := filepath.Join(folder, "config."+f.ending)
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return filepath.Join(folder, "config.json")
}

// IsFile reports whether a path is that of a file which settings are read from.
func IsFile(path string) bool {
	if filepath.Base(filepath.Dir(path)) != ".aurora" {
		return false
	}
	name := filepath.Base(path)
	for _, f := range formats {
		if name == "config."+f.ending {
			return true
		}
	}
	return false
}

// Files are all paths that settings of a project are read from, whether they are there or not; project is "" for none.
func Files(project string) []string {
	var paths []string
	add := func(folder string) {
		for _, f := range formats {
			paths = append(paths, filepath.Join(folder, "config."+f.ending))
		}
	}
	if home, err := Home(); err == nil {
		add(home)
	}
	if project != "" {
		add(filepath.Join(project, ".aurora"))
	}
	if named := os.Getenv(FileVariable); named != "" {
		paths = append(paths, named)
	}
	return paths
}

// folder adds the layer of the configuration files in a folder.
func (l *loader) folder(folder string, project bool) {
	first := ""
	for _, f := range formats {
		path := filepath.Join(folder, "config."+f.ending)
		if first != "" {
			if _, err := os.Stat(path); err == nil {
				l.fault(Problem{Source: path, Rule: fmt.Sprintf("Must not stand beside %s: put all settings into one of them", filepath.Base(first))})
			}
			continue
		}
		if l.read(path, f, project) {
			first = path
		}
	}
}

// read adds the layer of one file and reports whether there is one.
func (l *loader) read(path string, f format, project bool) bool {
	data, err := readSmall(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) { // or something else is called .aurora
		return false
	}
	if err != nil {
		l.fault(Problem{Source: path, Rule: fmt.Sprintf("Can't be read: %v", err)})
		return true
	}
	values, err := decode(f, data)
	if err != nil {
		l.fault(Problem{Source: path, Rule: fmt.Sprintf("Must be a %s object: %v", f.name, err)})
		return true
	}
	l.layer(layer{source: path, values: values, project: project, file: true})
	return true
}

// named adds the layer of the file that a person named. It must be there.
func (l *loader) named(path string) {
	f, ok := formatOf(path)
	if !ok {
		l.fault(Problem{Source: path, Rule: "Must end with .json, .yml, .yaml or .toml"})
	} else if !l.read(path, f, false) {
		l.fault(Problem{Source: path, Rule: "Must be there: no such file"})
	}
}

// formatOf is the format of a file by its ending.
func formatOf(path string) (format, bool) {
	i := slices.IndexFunc(formats, func(f format) bool { return strings.EqualFold(filepath.Ext(path), "."+f.ending) })
	if i < 0 {
		return format{}, false
	}
	return formats[i], true
}

// CanRead reports whether a file has the ending of a format of settings.
func CanRead(path string) bool {
	_, ok := formatOf(path)
	return ok
}

// readSmall reads a regular file of at most MaxFile bytes.
func readSmall(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, bare(err)
	}
	if info.IsDir() {
		return nil, errors.New("it is a folder, not a file")
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is not a file")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, bare(err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, MaxFile+1))
	if err == nil && len(data) > MaxFile {
		err = fmt.Errorf("it is larger than %d KiB", MaxFile>>10)
	}
	return data, err
}

// bare is an error of the system without the path, which stands above it.
func bare(err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}

// decode reads a text that is not nested too deeply.
func decode(f format, data []byte) (map[string]any, error) {
	if line := tooDeep(data); line > 0 {
		return nil, fmt.Errorf("line %d: it is nested more than %d levels deep", line, maxDepth)
	}
	return f.decode(data)
}

// maxDepth is how deep settings may be nested, by brackets or by the dots of one line. Decoders of TOML take cubic time in
// it.
const maxDepth = 64

// tooDeep returns the line at which a text is nested too deeply, 0 when it is not. Text in double quotes does not count.
func tooDeep(data []byte) (line int) {
	line, dots, open, quoted := 1, 0, 0, false
	for i, c := range data {
		switch {
		case c == '\n':
			line, dots, quoted = line+1, 0, false
		case c == '"' && (i == 0 || data[i-1] != '\\'):
			quoted = !quoted
		case quoted:
		case c == '.':
			dots++
		case c == '[' || c == '{':
			open++
		case c == ']' || c == '}':
			open--
		}
		if dots > maxDepth || open > maxDepth {
			return line
		}
	}
	return 0
}

// decodeJSON reads one JSON object, which may have comments and commas behind last members, and tells errors by line and
// column. Empty files contain nothing.
func decodeJSON(data []byte) (map[string]any, error) {
	data = bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, nil
	}
	tree, err := hujson.Parse(data)
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "hujson: "))
	}
	if name, offset := duplicate(&tree); name != "" {
		line, column := place(data, offset)
		return nil, fmt.Errorf("line %d, column %d: the key %q appears twice", line, column, name)
	}
	tree.Standardize()
	var values map[string]any
	err = json.Unmarshal(tree.Pack(), &values)
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return nil, fmt.Errorf("it is of type %s", kind.Value)
	}
	return values, err
}

// duplicate returns the first key that appears twice in an object, and the offset of its second place; "" when there is
// none.
func duplicate(tree *hujson.Value) (name string, offset int) {
	for v := range tree.All() {
		object, ok := v.Value.(*hujson.Object)
		if !ok {
			continue
		}
		seen := map[string]bool{}
		for i := range object.Members {
			key := &object.Members[i].Name
			text := key.Value.(hujson.Literal).String()
			if seen[text] {
				return text, key.StartOffset
			}
			seen[text] = true
		}
	}
	return "", 0
}

// place returns the one-based line and column, in bytes, of an offset.
func place(data []byte, offset int) (line, column int) {
	before := data[:offset]
	return 1 + bytes.Count(before, []byte("\n")), len(before) - bytes.LastIndexByte(before, '\n')
}

// decodeYAML reads one YAML document that is a mapping.
func decodeYAML(data []byte) (map[string]any, error) {
	if err := smallyaml.Check(data); err != nil {
		return nil, err
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var document any
	err := decoder.Decode(&document)
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	if err != nil {
		return nil, yamlFault(err)
	}
	if err := decoder.Decode(new(any)); !errors.Is(err, io.EOF) {
		return nil, errors.New("it has more than one document")
	}
	switch values := plain(document).(type) {
	case nil:
		return nil, nil
	case map[string]any:
		return values, nil
	}
	return nil, errors.New("it is not a mapping of keys to values")
}

// yamlFault is an error of the YAML library on one line.
func yamlFault(err error) error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	if rest, ok := strings.CutPrefix(text, "unmarshal errors:"); ok {
		text = strings.TrimSpace(rest)
	}
	return errors.New(strings.ReplaceAll(text, "\n  ", "; "))
}

// decodeTOML reads TOML, telling errors by line and column.
func decodeTOML(data []byte) (map[string]any, error) {
	var values map[string]any
	_, err := toml.Decode(string(data), &values)
	var syntax toml.ParseError
	if errors.As(err, &syntax) {
		return nil, fmt.Errorf("line %d, column %d: %s", syntax.Position.Line, syntax.Position.Col, syntax.Message)
	}
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "toml: "))
	}
	values, _ = plain(values).(map[string]any)
	return values, nil
}

// plain returns a decoded value as JSON would have given it: objects by strings, lists of anything.
func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			v[name] = plain(value)
		}
		return v
	case map[any]any:
		object := make(map[string]any, len(v))
		for name, value := range v {
			object[fmt.Sprint(name)] = plain(value)
		}
		return object
	case []map[string]any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = plain(v[i])
		}
		return list
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
		return v
	}
	return v
}
