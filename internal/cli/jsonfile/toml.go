package jsonfile

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// maxTOML is the size in bytes above which TOML is not read: the parser's time grows with the square of some texts.
const maxTOML = 1 << 18

// errOtherForm tells that a table is there, but not under a header of its own.
var errOtherForm = errors.New("it is written in another form than a table of its own; change it by hand")

// SetTOML returns the text with a table under a header of its own: in the place of the one that is there, else at the
// end. name is its keys, none of which needs quotes. Everything else stays as it is, and a text that says so already is
// returned as it is.
func SetTOML(text []byte, name []string, value any) ([]byte, error) {
	before, err := parseTOML(text)
	if err != nil {
		return nil, err
	}
	var body bytes.Buffer
	if err := toml.NewEncoder(&body).Encode(value); err != nil {
		return nil, err
	}
	wanted, err := parseTOML(body.Bytes())
	if err != nil {
		return nil, err
	}
	old := cutTable(before, name)
	if old != nil && reflect.DeepEqual(old, any(wanted)) {
		return text, nil
	}
	table := "[" + strings.Join(name, ".") + "]\n" + body.String()
	start, end, found := tableLines(string(text), name)
	switch {
	case !found && old != nil:
		return nil, fmt.Errorf("%s: %w", strings.Join(name, "."), errOtherForm)
	case !found && len(text) > 0:
		table = "\n" + table
		if !bytes.HasSuffix(text, []byte("\n")) {
			table = "\n" + table
		}
	case found && end < len(text):
		table += "\n"
	}
	if bytes.Contains(text, []byte("\r\n")) {
		table = strings.ReplaceAll(table, "\n", "\r\n")
	}
	after := string(text[:start]) + table + string(text[end:])
	return []byte(after), sameRest([]byte(after), before, name, wanted)
}

// RemoveTOML returns the text without a table that has a header of its own, and without what is below it. found tells
// whether there was one; empty, that nothing at all is left.
func RemoveTOML(text []byte, name []string) (out []byte, found, empty bool, err error) {
	before, err := parseTOML(text)
	if err != nil {
		return nil, false, false, err
	}
	old := cutTable(before, name)
	if old == nil {
		return text, false, false, nil
	}
	start, end, found := tableLines(string(text), name)
	if !found {
		return nil, false, false, fmt.Errorf("%s: %w", strings.Join(name, "."), errOtherForm)
	}
	head := string(text[:start])
	if end == len(text) { // the empty line before it came with it
		for _, blank := range []string{"\r\n\r\n", "\n\n"} {
			if strings.HasSuffix(head, blank) {
				head = head[:len(head)-len(blank)/2]
				break
			}
		}
	}
	after := head + string(text[end:])
	return []byte(after), true, strings.TrimSpace(after) == "", sameRest([]byte(after), before, name, nil)
}

// GetTOML reads the table into a value, a pointer; ok is false when there is none.
func GetTOML(text []byte, name []string, value any) (ok bool, err error) {
	all, err := parseTOML(text)
	if err != nil {
		return false, err
	}
	table := cutTable(all, name)
	if table == nil {
		return false, nil
	}
	var body bytes.Buffer
	if err := toml.NewEncoder(&body).Encode(table); err != nil {
		return false, err
	}
	return true, toml.Unmarshal(body.Bytes(), value)
}

func parseTOML(text []byte) (map[string]any, error) {
	if len(text) > maxTOML {
		return nil, fmt.Errorf("it has %d bytes, more than %d", len(text), maxTOML)
	}
	all := map[string]any{}
	if err := toml.Unmarshal(text, &all); err != nil {
		return nil, err
	}
	return all, nil
}

// cutTable takes the value out, with the tables on the way to it that hold nothing else; nil when there is none.
func cutTable(at map[string]any, name []string) any {
	value, ok := at[name[0]]
	if !ok {
		return nil
	}
	if len(name) > 1 {
		inner, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = cutTable(inner, name[1:])
		if len(inner) > 0 {
			return value
		}
	}
	delete(at, name[0])
	return value
}

// sameRest fails when a text does not say what it should: rest and, below name, value.
func sameRest(text []byte, rest map[string]any, name []string, value map[string]any) error {
	now, err := parseTOML(text)
	if err == nil {
		at := cutTable(now, name)
		if reflect.DeepEqual(now, rest) && (at == nil && value == nil || reflect.DeepEqual(at, any(value))) {
			return nil
		}
	}
	return fmt.Errorf("%s: %w", strings.Join(name, "."), errOtherForm)
}

var tomlHeader = lazyregexp.New(`^\s*\[\[?\s*([^\]]*?)\s*\]`)

// tableLines is where the table and those below it stand in the text, which is its end when it is not there.
func tableLines(text string, name []string) (start, end int, found bool) {
	at := 0
	for line := range strings.Lines(text) {
		if m := tomlHeader.FindStringSubmatch(line); m != nil {
			keys := strings.Split(m[1], ".")
			inside := len(keys) >= len(name)
			for i := range min(len(keys), len(name)) {
				inside = inside && strings.Trim(keys[i], " \t\"'") == name[i]
			}
			switch {
			case inside && !found:
				start, found = at, true
			case !inside && found:
				return start, at, true
			}
		}
		at += len(line)
	}
	if !found {
		start = at
	}
	return start, at, found
}
