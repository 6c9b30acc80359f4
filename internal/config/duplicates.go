package config

import (
	"bytes"
	"encoding/json"
)

// duplicate returns the first key of an object that stands in it twice, and the offset behind its second place; "" when
// there is none. data is valid JSON.
func duplicate(data []byte) (name string, offset int64) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	var names []map[string]bool // of the objects around; nil for a list
	var isName bool
	for {
		token, err := decoder.Token()
		if err != nil {
			return "", 0
		}
		switch token {
		case json.Delim('{'):
			names, isName = append(names, map[string]bool{}), true
			continue
		case json.Delim('['):
			names = append(names, nil)
		case json.Delim('}'), json.Delim(']'):
			names = names[:len(names)-1]
		default:
			key, text := token.(string)
			if isName && text {
				around := names[len(names)-1]
				if around[key] {
					return key, decoder.InputOffset()
				}
				around[key], isName = true, false
				continue
			}
		}
		isName = len(names) > 0 && names[len(names)-1] != nil
	}
}
