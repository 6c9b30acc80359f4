package compiledb

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// The bounds of one database.
const (
	maxSize    = 64 << 20
	maxEntries = 100_000
	maxFolders = 500 // of one command
)

// Places are where a database of a folder may be, the first one that is there counts.
var Places = []string{"compile_commands.json", "build/compile_commands.json"}

// Folders are where included files are looked for, in this order, relative to the folder of the database's owner, with '/'.
type Folders struct {
	Quoted []string // only for #include "name", before All
	All    []string
}

// A Database says which folders count for which file. The zero value knows none.
type Database struct {
	files map[string]*Folders // by path relative to the folder
	any   Folders             // of all files, those that most of them have first
}

// Of returns the folders for a file: those of the command that compiles it; of a header, which none compiles, those of all commands.
func (d *Database) Of(file string) Folders {
	if f, ok := d.files[file]; ok {
		return *f
	}
	return d.any
}

// kept are the databases that were read last, by folder.
type kept struct {
	mu    sync.Mutex
	known map[string]version
}

var cache = kept{known: map[string]version{}}

// A version is a database as it was at some time.
type version struct {
	path    string
	size    int64
	changed time.Time
	db      *Database
}

// maxKept bounds how many databases are kept.
const maxKept = 8

// of returns the database of a folder if it is still the same.
func (k *kept) of(folder string, now version) (*Database, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	last, ok := k.known[folder]
	return last.db, ok && last.path == now.path && last.size == now.size && last.changed.Equal(now.changed)
}

func (k *kept) put(folder string, now version) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.known) >= maxKept {
		clear(k.known)
	}
	k.known[folder] = now
}

// For returns the database of a folder as it is now; it never is nil.
func For(folder string) *Database {
	for _, place := range Places {
		path := filepath.Join(folder, filepath.FromSlash(place))
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		now := version{path: path, size: info.Size(), changed: info.ModTime()}
		if db, ok := cache.of(folder, now); ok {
			return db
		}
		now.db = read(path, folder)
		cache.put(folder, now)
		return now.db
	}
	return &Database{}
}

func read(path, folder string) *Database {
	file, err := os.Open(path)
	if err != nil {
		return &Database{}
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxSize+1))
	if err != nil || len(data) > maxSize {
		return &Database{}
	}
	return Parse(data, folder, filepath.Dir(path))
}

// A command is an entry of the database.
type command struct {
	Directory string   `json:"directory"`
	File      string   `json:"file"`
	Command   string   `json:"command"`
	Arguments []string `json:"arguments"`
}

// Parse reads a database that stands in dir, for the files of a folder. What is wrong with it from some entry on ends it there.
func Parse(data []byte, folder, dir string) *Database {
	p := parser{folder: folder, dir: dir, seen: map[string]*Folders{}, roots: map[string]string{}}
	db := &Database{files: map[string]*Folders{}}
	decoder := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\uFEFF"))))
	if start, err := decoder.Token(); err != nil || start != json.Delim('[') {
		return db
	}
	used := map[*Folders]int{}
	for range maxEntries {
		var c command
		if !decoder.More() || decoder.Decode(&c) != nil {
			break
		}
		folders := p.folders(c)
		used[folders]++
		file, ok := p.relative(p.directory(c), c.File)
		if _, known := db.files[file]; ok && !known {
			db.files[file] = folders
		}
	}
	db.any = mostUsed(used)
	return db
}

// mostUsed joins the folders of all commands, those of the most files first.
func mostUsed(used map[*Folders]int) Folders {
	count := func(of func(*Folders) []string) []string {
		files := map[string]int{}
		for f, n := range used {
			for _, dir := range of(f) {
				files[dir] += n
			}
		}
		var list []string
		for dir := range files {
			list = append(list, dir)
		}
		slices.SortFunc(list, func(a, b string) int {
			if files[a] != files[b] {
				return files[b] - files[a]
			}
			return strings.Compare(a, b)
		})
		return list[:min(len(list), maxFolders)]
	}
	return Folders{count(func(f *Folders) []string { return f.Quoted }), count(func(f *Folders) []string { return f.All })}
}

type parser struct {
	folder, dir string
	seen        map[string]*Folders // by what they hold: most commands have the same
	roots       map[string]string   // directories with their links resolved
}

// directory is that in which a command runs.
func (p *parser) directory(c command) string {
	dir := filepath.FromSlash(c.Directory)
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(p.dir, dir)
	}
	return dir
}

// relative is a path of a command as one of the folder, if it is inside.
func (p *parser) relative(directory, name string) (string, bool) {
	name = filepath.FromSlash(name)
	if !filepath.IsAbs(name) {
		name = filepath.Join(directory, name)
	}
	if rel, ok := inside(p.folder, filepath.Clean(name)); ok {
		return rel, true
	}
	dir := filepath.Dir(name) // it may lead through a link
	real, known := p.roots[dir]
	if !known {
		real, _ = filepath.EvalSymlinks(dir)
		p.roots[dir] = real
	}
	if real == "" {
		return "", false
	}
	return inside(p.folder, filepath.Join(real, filepath.Base(name)))
}

func inside(folder, name string) (string, bool) {
	rel, err := filepath.Rel(folder, name)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// options are those that name a folder, longest first where one begins another.
var options = []struct {
	name   string
	quoted bool
}{{"-iquote", true}, {"-isystem", false}, {"-idirafter", false}, {"-I", false}, {"/I", false}, {"/external:I", false}}

// folders are those that a command names.
func (p *parser) folders(c command) *Folders {
	arguments := c.Arguments
	if len(arguments) == 0 {
		arguments = words(c.Command)
	}
	directory := p.directory(c)
	var f Folders
	var system []string
	for i := 0; i < len(arguments) && len(f.All)+len(f.Quoted)+len(system) < maxFolders; i++ {
		for _, o := range options {
			name, ok := strings.CutPrefix(arguments[i], o.name)
			if !ok {
				continue
			}
			if name == "" && i+1 < len(arguments) {
				i++
				name = arguments[i]
			}
			rel, ok := p.relative(directory, name)
			switch {
			case name == "" || !ok:
			case o.quoted:
				f.Quoted = appendNew(f.Quoted, rel)
			case o.name == "-I" || o.name == "/I":
				f.All = appendNew(f.All, rel)
			default:
				system = appendNew(system, rel)
			}
			break
		}
	}
	for _, dir := range system {
		f.All = appendNew(f.All, dir)
	}
	key := strings.Join(f.Quoted, "\x00") + "\x01" + strings.Join(f.All, "\x00")
	if known, ok := p.seen[key]; ok {
		return known
	}
	p.seen[key] = &f
	return &f
}

func appendNew(list []string, dir string) []string {
	if slices.Contains(list, dir) {
		return list
	}
	return append(list, dir)
}

// words splits a command line as a shell does, without anything that a shell would replace.
func words(line string) []string {
	var list []string
	var word strings.Builder
	begun := false
	quote := byte(0)
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quote == 0 && (c == ' ' || c == '\t' || c == '\n' || c == '\r'):
			if begun {
				list = append(list, word.String())
			}
			word.Reset()
			begun = false
		case c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote, begun = c, true
		case c == '\\' && quote != '\'' && i+1 < len(line) && strings.IndexByte(`\"' `, line[i+1]) >= 0: // not one of a path of Windows
			i++
			word.WriteByte(line[i])
			begun = true
		default:
			word.WriteByte(c)
			begun = true
		}
	}
	if begun {
		list = append(list, word.String())
	}
	return list
}
