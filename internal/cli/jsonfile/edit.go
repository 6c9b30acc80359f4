package jsonfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// ErrNotObject tells that something on the way to a value is there and is no object.
var ErrNotObject = errors.New("it is not an object")

// Set returns the text with the value at path, a chain of object keys. Objects on the way are made when they are
// missing; an empty text is an empty object. A text that says so already is returned as it is.
func Set(text []byte, path []string, value any) ([]byte, error) {
	root, err := parse(text)
	if err != nil {
		return nil, err
	}
	encoded, err := encode(value)
	if err != nil {
		return nil, err
	}
	unit := indentUnit(&root)
	at := &root
	for depth, key := range path {
		object, ok := at.Value.(*hujson.Object)
		if !ok {
			return nil, fmt.Errorf("%s: %w", strings.Join(path[:depth], "."), ErrNotObject)
		}
		last := depth == len(path)-1
		member := find(object, key)
		if member == nil {
			rest, err := nested(path[depth+1:], encoded, unit, depth+1)
			if err != nil {
				return nil, err
			}
			insert(object, key, rest, strings.Repeat(unit, depth))
			return pack(&root, text), nil
		}
		if last {
			if same(member, encoded) {
				return text, nil
			}
			fresh, err := nested(nil, encoded, unit, depth+1)
			if err != nil {
				return nil, err
			}
			member.Value = fresh.Value
			return pack(&root, text), nil
		}
		at = member
	}
	return nil, errors.New("the path is empty")
}

// Remove returns the text without the value at path, and without the objects that hold nothing else then. found tells
// whether there was one; empty, that nothing at all is left.
func Remove(text []byte, path []string) (out []byte, found, empty bool, err error) {
	root, err := parse(text)
	if err != nil {
		return nil, false, false, err
	}
	found = remove(&root, path)
	if !found {
		return text, false, false, nil
	}
	object := root.Value.(*hujson.Object)
	return pack(&root, text), true, len(object.Members) == 0 && len(bytes.TrimSpace(object.AfterExtra)) == 0, nil
}

func remove(at *hujson.Value, path []string) bool {
	object, ok := at.Value.(*hujson.Object)
	if !ok {
		return false
	}
	i := slices.IndexFunc(object.Members, func(m hujson.ObjectMember) bool { return nameOf(m) == path[0] })
	if i < 0 {
		return false
	}
	if len(path) > 1 {
		member := &object.Members[i].Value
		if !remove(member, path[1:]) {
			return false
		}
		if inner := member.Value.(*hujson.Object); len(inner.Members) > 0 || len(bytes.TrimSpace(inner.AfterExtra)) > 0 {
			return true
		}
	}
	cut(object, i)
	return true
}

// cut takes a member out. Comments stay: those behind the member before it, and all when it was the last one.
func cut(object *hujson.Object, i int) {
	before, comma := object.Members[i].Name.BeforeExtra, object.Members[i].Value.AfterExtra != nil
	object.Members = slices.Delete(object.Members, i, i+1)
	if i < len(object.Members) {
		line, _, _ := bytes.Cut(before, []byte("\n"))
		if next := &object.Members[i].Name; len(bytes.TrimSpace(line)) > 0 {
			next.BeforeExtra = slices.Concat(line, next.BeforeExtra)
		}
		return
	}
	if last := i - 1; last >= 0 && comma && object.Members[last].Value.AfterExtra == nil {
		object.Members[last].Value.AfterExtra = []byte{} // the comma at the end stays
	}
	object.AfterExtra = slices.Concat(bytes.TrimRight(before, " \t\r\n"), object.AfterExtra)
	if len(object.Members) == 0 && len(bytes.TrimSpace(object.AfterExtra)) == 0 {
		object.AfterExtra = nil
	}
}

// Get returns the value at path as plain JSON; ok is false when there is none.
func Get(text []byte, path []string) (value json.RawMessage, ok bool, err error) {
	root, err := parse(text)
	if err != nil {
		return nil, false, err
	}
	at := &root
	for _, key := range path {
		object, isObject := at.Value.(*hujson.Object)
		if !isObject {
			return nil, false, nil
		}
		if at = find(object, key); at == nil {
			return nil, false, nil
		}
	}
	plain := at.Clone()
	plain.Standardize()
	return json.RawMessage(bytes.TrimSpace(plain.Pack())), true, nil
}

// parse reads an object, comments and trailing commas allowed.
func parse(text []byte) (hujson.Value, error) {
	text = bytes.TrimPrefix(text, []byte("\xEF\xBB\xBF"))
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}\n")
	}
	root, err := hujson.Parse(text)
	if err != nil {
		return root, errors.New(strings.TrimPrefix(err.Error(), "hujson: "))
	}
	if _, ok := root.Value.(*hujson.Object); !ok {
		return root, ErrNotObject
	}
	return root, nil
}

// pack is the text of root, with the line ends of the text that it was.
func pack(root *hujson.Value, text []byte) []byte {
	out := root.Pack()
	if !bytes.HasSuffix(out, []byte("\n")) {
		out = append(out, '\n')
	}
	if returns := bytes.Count(text, []byte("\r\n")); returns > 0 && returns == bytes.Count(text, []byte("\n")) {
		out = bytes.ReplaceAll(bytes.ReplaceAll(out, []byte("\r\n"), []byte("\n")), []byte("\n"), []byte("\r\n"))
	}
	return out
}

func find(object *hujson.Object, key string) *hujson.Value {
	for i := range object.Members {
		if nameOf(object.Members[i]) == key {
			return &object.Members[i].Value
		}
	}
	return nil
}

func nameOf(m hujson.ObjectMember) string {
	if literal, ok := m.Name.Value.(hujson.Literal); ok {
		return literal.String()
	}
	return ""
}

// same reports whether a value says what encoded does.
func same(v *hujson.Value, encoded []byte) bool {
	plain := v.Clone()
	plain.Standardize()
	var a, b any
	return json.Unmarshal(plain.Pack(), &a) == nil && json.Unmarshal(encoded, &b) == nil && reflect.DeepEqual(a, b)
}

// encode is JSON in which <, > and & stay readable.
func encode(value any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return nil, fmt.Errorf("encode the value: %w", err)
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

// nested wraps encoded into objects with the keys, indented for its place.
func nested(keys []string, encoded []byte, unit string, depth int) (hujson.Value, error) {
	for _, key := range slices.Backward(keys) {
		name, err := encode(key)
		if err != nil {
			return hujson.Value{}, err
		}
		encoded = slices.Concat([]byte("{"), name, []byte(":"), encoded, []byte("}"))
	}
	var b bytes.Buffer
	if err := json.Indent(&b, encoded, strings.Repeat(unit, depth), unit); err != nil {
		return hujson.Value{}, err
	}
	v, err := hujson.Parse(b.Bytes())
	v.BeforeExtra = []byte(" ")
	return v, err
}

// insert puts a member behind the others, on a line of its own.
func insert(object *hujson.Object, key string, value hujson.Value, indent string) {
	unit := unitOf(object, indent)
	before := bytes.TrimRight(object.AfterExtra, " \t\r\n") // comments behind the last member stay there
	member := hujson.ObjectMember{Name: hujson.Value{Value: hujson.String(key)}, Value: value}
	member.Name.BeforeExtra = slices.Concat(before, []byte("\n"+indent+unit))
	if n := len(object.Members); n > 0 && object.Members[n-1].Value.AfterExtra != nil {
		member.Value.AfterExtra = []byte{} // a comma at the end, as before
	}
	object.Members = append(object.Members, member)
	object.AfterExtra = []byte("\n" + indent)
}

// indentUnit is one step of the indentation of a file: that of its first member, else two blanks.
func indentUnit(root *hujson.Value) string {
	if object, ok := root.Value.(*hujson.Object); ok {
		return unitOf(object, "")
	}
	return "  "
}

// unitOf is how much deeper than indent the members of an object stand.
func unitOf(object *hujson.Object, indent string) string {
	for i := range object.Members {
		extra := string(object.Members[i].Name.BeforeExtra)
		if at := strings.LastIndexByte(extra, '\n'); at >= 0 {
			if unit, ok := strings.CutPrefix(extra[at+1:], indent); ok && unit != "" && strings.TrimSpace(unit) == "" {
				return unit
			}
		}
	}
	if strings.HasPrefix(indent, "\t") {
		return "\t"
	}
	return "  "
}
