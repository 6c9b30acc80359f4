package graph_test

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

const includes = `
-- .gitignore --
build/
-- old/util.h --
int util_size(void);
-- old/util.c --
#include "util.h"
int util_size(void) { return 1; }
-- new/inc/util.h --
int util_size(void);
-- new/util.c --
#include "util.h"
int util_size(void) { return 2; }
-- compat/unistd.h --
int os_flush(void);
-- compat/unistd.c --
int os_flush(void) { return 0; }
-- app/main.c --
#include "util.h"
#include <unistd.h>
int start(void) { return util_size(); }
-- build/compile_commands.json --
[
{"directory": "../build", "file": "../app/main.c", "command": "cc -I../new/inc -c ../app/main.c"}
]
`

// TestIncludesByCompileCommands: of several headers of one name the one counts that the compiler finds, also when git ignores the file
// that says so.
func TestIncludesByCompileCommands(t *testing.T) {
	imported := func(files []txtar.File) string {
		w := openWorkspace(t, files)
		edges, outside := w.graph.Imports(w.node(t, "app/main.c:start").File)
		var list []string
		for _, e := range edges {
			list = append(list, e.To.File.Path)
		}
		return strings.Join(list, " ") + " | " + strings.Join(outside, " ")
	}
	files := txtar.Parse([]byte(includes)).Files
	if got := imported(files); got != "new/inc/util.h new/util.c | <unistd.h>" {
		t.Errorf("with compile_commands.json: %s", got)
	}
	if got := imported(files[:len(files)-1]); !strings.Contains(got, "old/util.h") || !strings.Contains(got, "new/inc/util.h") {
		t.Errorf("without: %s", got)
	}
}
