package compiledb_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/index/compiledb"
)

func TestFoldersOfCommands(t *testing.T) {
	root := t.TempDir()
	entry := func(file, rest string) string {
		return fmt.Sprintf(`{"directory": %q, "file": %q, %s}`, filepath.Join(root, "build"), file, rest)
	}
	data := "\uFEFF[\r\n" + strings.Join([]string{
		entry("../src/a.c", `"command": "cc -I../include -iquote ../src/in -DX=\"a b\" '-I../with space' -isystem ../sys -I /usr/include -c ../src/a.c"`),
		entry(filepath.Join(root, "src", "b.c"), `"arguments": ["cc", "-I", "../include", "-I../include", "-c", "b.c"]`),
		entry("../src/a.c", `"arguments": ["cc", "-Iother"]`),
		entry("../ünï.c", `"arguments": ["cl", "/I", "../win"]`),
	}, ",\r\n") + "\r\n]\r\n"
	db := compiledb.Parse([]byte(data), root, root)
	for _, test := range []struct{ file, quoted, all string }{
		{"src/a.c", "src/in", "include,with space,sys"}, {"src/b.c", "", "include"}, {"ünï.c", "", "win"},
		{"include/of/all.h", "src/in", "include,build/other,sys,win,with space"},
	} {
		f := db.Of(test.file)
		if got := strings.Join(f.Quoted, ","); got != test.quoted {
			t.Errorf("%s: quoted %q, want %q", test.file, got, test.quoted)
		}
		if got := strings.Join(f.All, ","); got != test.all {
			t.Errorf("%s: all %q, want %q", test.file, got, test.all)
		}
	}
}

func TestWhatIsNoDatabaseSaysNothing(t *testing.T) {
	for _, data := range []string{"", "{}", "[1]", "[{", `[{"directory": 3}]`, "\x00\xff", `[{"file": "a.c", "command": "cc -I"}]`, "[" + strings.Repeat("[", 10000)} {
		if f := compiledb.Parse([]byte(data), "/w", "/w").Of("a.c"); len(f.All)+len(f.Quoted) > 0 {
			t.Errorf("%.20q: %v", data, f)
		}
	}
	whole := compiledb.Parse([]byte(`[{"directory": "/w", "file": "a.c", "command": "cc -Iinc"}, {"directory": "/w", "fi`), "/w", "/w")
	if f := whole.Of("a.c"); !slices.Equal(f.All, []string{"inc"}) {
		t.Errorf("before the fault: %v", f)
	}
}

// TestDatabaseOfAFolder: the one at the top counts before the one of the build, and a change counts at once.
func TestDatabaseOfAFolder(t *testing.T) {
	root := t.TempDir()
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	put := func(place, include string, age time.Duration) {
		t.Helper()
		file := filepath.Join(root, place)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(`[{"directory": "..", "file": "a.c", "arguments": ["cc", "-I`+filepath.ToSlash(filepath.Join(root, include))+`"]}]`), 0o644); err != nil {
			t.Fatal(err)
		}
		when := time.Now().Add(-age)
		if err := os.Chtimes(file, when, when); err != nil {
			t.Fatal(err)
		}
	}
	check := func(want ...string) {
		t.Helper()
		if got := compiledb.For(root).Of("x.h").All; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	check()
	put("build/compile_commands.json", "one", time.Hour)
	check("one")
	put("compile_commands.json", "two", time.Hour)
	check("two")
	put("compile_commands.json", "six", time.Minute)
	check("six")
}
