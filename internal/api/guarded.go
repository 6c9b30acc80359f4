package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/aurora-sidecar/aurora/internal/scrub"
)

// Guarded is a backend for callers that pass results on to models: what looks like a secret in them is taken out. A person's own
// editor and terminal show a file as it is.
func Guarded(b Backend) Backend { return guarded{b} }

type guarded struct{ Backend }

// Do implements Backend.
func (g guarded) Do(ctx context.Context, o *Operation, params any, by Caller) (any, error) {
	result, err := g.Backend.Do(ctx, o, params, by)
	if err != nil || !hasSecret(reflect.ValueOf(result)) {
		return result, err
	}
	clean, err := withoutSecrets(o, result)
	if err != nil {
		return nil, fmt.Errorf("take the secrets out of what %s answers: %w", o.Name, err)
	}
	return clean, nil
}

// hasSecret looks at every text of a result. Most have none, and need no copy.
func hasSecret(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.String:
		_, found := scrub.Text(v.String())
		return len(found) > 0
	case reflect.Pointer, reflect.Interface:
		return !v.IsNil() && hasSecret(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if hasSecret(v.Field(i)) {
				return true
			}
		}
	case reflect.Slice, reflect.Array:
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			_, found := scrub.Text(string(v.Bytes()))
			return len(found) > 0
		}
		for i := range v.Len() {
			if hasSecret(v.Index(i)) {
				return true
			}
		}
	case reflect.Map:
		for entries := v.MapRange(); entries.Next(); {
			if hasSecret(entries.Value()) {
				return true
			}
		}
	}
	return false
}

// withoutSecrets is a copy of a result: what it shares with others stays as it is.
func withoutSecrets(o *Operation, result any) (any, error) {
	encoded, err := json.Marshal(result)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(encoded))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	if encoded, err = json.Marshal(blanked(value)); err != nil {
		return nil, err
	}
	clean := o.NewResult()
	return clean, json.Unmarshal(encoded, clean)
}

func blanked(value any) any {
	switch v := value.(type) {
	case string:
		clean, _ := scrub.Text(v)
		return clean
	case []any:
		for i := range v {
			v[i] = blanked(v[i])
		}
	case map[string]any:
		for name, old := range v {
			v[name] = blanked(old)
		}
	}
	return value
}
