package graph

import (
	"path"
	"strings"

	"github.com/aurora-sidecar/aurora/index/chunk"
)

// standardPython are modules and packages of the standard library whose names projects use as well.
var standardPython = map[string]bool{}

func init() {
	for _, name := range strings.Fields(`abc argparse array ast asyncio atexit base64 bisect builtins bz2 calendar cmath cmd code
		codecs collections colorsys compileall concurrent configparser contextlib contextvars copy copyreg csv ctypes curses
		dataclasses datetime dbm decimal difflib dis doctest email encodings enum errno faulthandler fcntl filecmp fileinput
		fnmatch fractions ftplib functools gc getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http
		imaplib importlib inspect io ipaddress itertools json keyword linecache locale logging lzma mailbox marshal math
		mimetypes mmap modulefinder multiprocessing netrc numbers operator optparse os pathlib pdb pickle pickletools pkgutil
		platform plistlib poplib posixpath pprint profile pstats pty pwd py_compile pydoc queue quopri random re readline
		reprlib resource runpy sched secrets select selectors shelve shlex shutil signal site smtplib socket socketserver
		sqlite3 ssl stat statistics string stringprep struct subprocess symtable sys sysconfig syslog tarfile tempfile termios
		textwrap threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle types typing
		unicodedata unittest urllib uuid venv warnings wave weakref webbrowser wsgiref xml xmlrpc zipapp zipfile zipimport zlib
		zoneinfo`) {
		standardPython[name] = true
	}
}

// firstOf is the first element of a dotted name.
func firstOf(module string) string {
	first, _, _ := strings.Cut(module, ".")
	return first
}

// roots tell from which folders a language imports.
type roots struct{ graph *Graph }

// isRooted reports whether an import may lead to a file that has its name, by the folder from which the name counts.
func (g roots) isRooted(imp chunk.Import, from, to *File) bool {
	switch Family(from.Language) {
	case "go":
		first, _, _ := strings.Cut(imp.Path, "/")
		return !standardGo[first] || g.isGoItself(to.Folder)
	case "python", "notebook":
		return strings.HasPrefix(imp.Path, ".") || g.isImportRoot(imp, from, to)
	}
	return true
}

// isGoItself reports whether a folder holds the sources of Go's standard library.
func (g roots) isGoItself(folder string) bool {
	_, ok := g.graph.src.FileAt(folder, "builtin/builtin.go")
	return ok
}

// isImportRoot reports whether an absolute import of Python leads to the file: modules are looked for in folders that are no
// packages themselves, and those of the standard library come first, but for what lies beside a script.
func (g roots) isImportRoot(imp chunk.Import, from, to *File) bool {
	root := rootOf(imp, to)
	if _, ok := g.graph.src.FileAt(to.Folder, path.Join(root, "__init__.py")); ok {
		return false
	}
	return !standardPython[firstOf(imp.Path)] || root == path.Dir(from.Path)
}

// rootOf is the folder from which an absolute import leads to the file, "." for the workspace folder.
func rootOf(imp chunk.Import, to *File) string {
	have := strings.TrimSuffix(strings.TrimSuffix(to.Path, path.Ext(to.Path)), "/__init__")
	module := strings.ReplaceAll(imp.Path, ".", "/")
	for _, want := range []string{path.Join(module, imp.Name), module} {
		if have == want || strings.HasSuffix(have, "/"+want) {
			return path.Clean(strings.TrimSuffix(have, want))
		}
	}
	return "."
}
