package api_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// FuzzOperations calls any operation with any parameters of its type. A panic, a result that is no JSON and an answer
// that takes half a minute fail it.
func FuzzOperations(f *testing.F) {
	for i, o := range api.Standard.Behind(0) {
		f.Add(byte(i), []byte(o.Name))
		f.Add(byte(i), []byte("\x01Save\x02shop.go\x7f\xff\x00\x10the total of a cart"))
	}
	e, dir := newEngine(f)
	write(f, filepath.Join(dir, "shop.go"), "package shop\n\n// Save keeps a cart.\nfunc Save(c Cart) error { return c.check() }\n\ntype Cart struct{ total int }\n\nfunc (c Cart) check() error { return nil }\n")
	write(f, filepath.Join(dir, "notes.md"), "# Prices\n\nThe total has no tax: größer 𝒳.\n")
	if _, err := e.Index().Refresh(f.Context(), nil, false); err != nil {
		f.Fatal(err)
	}
	if err := e.Index().Flush(f.Context()); err != nil {
		f.Fatal(err)
	}
	operations := api.Standard.Behind(0)
	f.Fuzz(func(t *testing.T, which byte, data []byte) {
		o := operations[int(which)%len(operations)]
		params := o.NewParams()
		filler := filler{data: data, words: []string{"Save", "shop.go", filepath.Join(dir, "shop.go"), "file://" + dir + "/notes.md", "total", "../..", "-1", "json"}}
		filler.fill(reflect.ValueOf(params).Elem(), 0)
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		result, err := api.Local(e).Do(ctx, o, params, api.Caller{Documents: documents{dir}})
		if ctx.Err() != nil {
			t.Fatalf("%s takes too long: %+v", o.Name, params)
		}
		if err != nil {
			return
		}
		if _, err := json.Marshal(result); err != nil {
			t.Errorf("%s: %v", o.Name, err)
		}
	})
}

func write(t testing.TB, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A filler makes values of bytes: each byte decides how the value begins that comes next.
type filler struct {
	data  []byte
	words []string // strings that mean something in the workspace
}

func (f *filler) next() byte {
	if len(f.data) == 0 {
		return 0
	}
	b := f.data[0]
	f.data = f.data[1:]
	return b
}

// maxDepth and maxList bound what a filler makes.
const (
	maxDepth = 6
	maxList  = 4
)

func (f *filler) fill(v reflect.Value, depth int) {
	if depth > maxDepth || !v.CanSet() {
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(f.next()%2 == 1)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(int8(f.next())) << (f.next() % 60))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(f.next()) << (f.next() % 60))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(int8(f.next())) / float64(1+f.next()%16))
	case reflect.String:
		v.SetString(f.text())
	case reflect.Pointer:
		if f.next()%3 > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			f.fill(v.Elem(), depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f.fill(v.Field(i), depth+1)
		}
	case reflect.Slice:
		n := int(f.next()) % maxList
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			f.fill(v.Index(i), depth+1)
		}
	}
}

// text is a word, or the bytes that come next.
func (f *filler) text() string {
	n := int(f.next())
	if n%2 == 0 {
		return f.words[n/2%len(f.words)]
	}
	n = min(n/2, len(f.data))
	s := string(f.data[:n])
	f.data = f.data[n:]
	return s
}

// documents are those of an editor that has none of the files open.
type documents struct{ dir string }

func (d documents) Encoding() text.Encoding         { return text.UTF16 }
func (d documents) Folders() []string               { return []string{d.dir} }
func (d documents) File(string) (*index.File, bool) { return nil, false }
func (d documents) Texts() map[string][]byte        { return nil }
func (d documents) Recent() string                  { return filepath.Join(d.dir, "shop.go") }
func (d documents) Lines(path string) (*text.Lines, error) {
	content, err := os.ReadFile(path)
	return text.NewLines(content), err
}
